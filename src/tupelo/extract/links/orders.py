"""Orders as what is to be done: *the filter is to be rinsed every two weeks* for *Rinse the filter every two weeks*.

An order has no subject and so no tuple; in a graph it is said of its object.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tupelo.core import Extraction, Sentence
from tupelo.extract.links.wording import ORDER
from tupelo.extract.marks import mark
from tupelo.extract.marks.operators import is_order
from tupelo.nlp.languages.en.inflection import participle
from tupelo.nlp.parts import make_part
from tupelo.nlp.syntax import NOUNS, DependencyTree

_BESIDE = ("obl", "xcomp", "advcl")


def order_tuples(tree: DependencyTree, sentence: Sentence) -> Iterator[Extraction]:
    """A tuple of each order with an object."""
    for verb in range(tree.size):
        thing = tree.child(verb, "obj") if tree.upos(verb) == "VERB" else None
        if thing is None or tree.upos(thing) not in NOUNS or not is_order(tree, verb):
            continue
        inside = tree.trim(tree.subtree(thing))
        parts = [make_part(tree.analysis, tree.trim(tree.subtree(child))) for child in tree.children(verb, *_BESIDE)]
        said = mark(
            Extraction(
                sentence,
                make_part(tree.analysis, [verb]),
                make_part(tree.analysis, inside),
                tuple(part for part in parts if part.text),
                confidence=ORDER,
                extractor="orders",
                extractor_version="1",
                rule="order",
            ),
            tree.analysis,
            tree,
        )
        be = "are" if tree.is_plural(thing) or tree.child(thing, "conj") is not None else "is"
        denied = " not" if said.negated else ""
        particles = [tree.lowered[child] for child in tree.children(verb, "compound:prt")]
        relation = " ".join([f"{be}{denied} to be", participle(tree.lemmas[verb]), *particles])
        yield replace(said, rel=make_part(tree.analysis, [relation]))
