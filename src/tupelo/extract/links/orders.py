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
from tupelo.nlp.languages import words
from tupelo.nlp.languages.en.inflection import participle
from tupelo.nlp.parts import make_part
from tupelo.nlp.syntax import NOUNS, DependencyTree

_BESIDE = ("obl", "xcomp", "advcl")
# Calls for attention, and orders of nothing to be done.
_NO_ORDERS = frozenset(["let", "see", "note", "take care", "take note", "take heed", "take part"])
# *Buy Ann a ticket* is *for Ann*, and *Show Ann the way* is *to Ann*.
_FOR = words("verbs", "dative_for_verbs")


def order_tuples(tree: DependencyTree, sentence: Sentence) -> Iterator[Extraction]:
    """A tuple of each order with an object."""
    for verb in range(tree.size):
        objects = [*tree.children(verb, "iobj", "obj")] if tree.upos(verb) == "VERB" else []
        if not objects or tree.upos(objects[-1]) not in NOUNS or not is_order(tree, verb):
            continue
        *receivers, thing = objects
        if not _NO_ORDERS.isdisjoint([tree.lemmas[verb], f"{tree.lemmas[verb]} {tree.lemmas[thing]}"]):
            continue
        inside = tree.trim(tree.subtree(thing))
        to = "for" if tree.lemmas[verb] in _FOR else "to"
        parts = [make_part(tree.analysis, [to, *tree.trim(tree.subtree(child))]) for child in receivers]
        parts += [make_part(tree.analysis, tree.trim(tree.subtree(child))) for child in tree.children(verb, *_BESIDE)]
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
