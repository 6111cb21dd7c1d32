"""Conversion of Universal Dependencies to the labels of Google's syntactic n-grams (Stanford's of 2012).

The two disagree about heads, not only about names. In Stanford's scheme a noun depends on its preposition (`prep`,
`pobj`), in UD the preposition on its noun (`case`). Google's *be* is the head of *she is a doctor* (`attr`), in UD
the noun is. The last word of a name is its head there (`nn`), the first one here (`flat`). So three passes move heads
and a table renames the other labels. The result of every pass is a tree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tupelo.core.analysis import Analysis, Word
from tupelo.core.ngram import Token
from tupelo.nlp.languages import word_set
from tupelo.nlp.languages.en.grammar import COPULAR_VERBS, NEGATING_ADVERBS


def _table(pairs: str) -> dict[str, str]:
    return dict(pair.split("=") for pair in pairs.split())


# UD label -> Stanford label; a subtype that is not listed counts as its main type.
LABELS = _table(
    "root=ROOT nsubj=nsubj nsubj:pass=nsubjpass csubj=csubj csubj:pass=csubjpass obj=dobj iobj=iobj obl=npadvmod "
    "obl:tmod=tmod nmod=dep nmod:tmod=tmod nmod:poss=poss advmod=advmod amod=amod nummod=num appos=appos det=det "
    "det:predet=predet case=prep compound=nn compound:prt=prt flat=nn fixed=mwe aux=aux aux:pass=auxpass cop=cop "
    "mark=mark cc=cc cc:preconj=preconj conj=conj xcomp=xcomp ccomp=ccomp advcl=advcl acl=partmod acl:relcl=rcmod "
    "advcl:relcl=rcmod expl=expl parataxis=parataxis punct=punct"
)
# All other labels of UD (vocative, discourse, list, orphan, ...).
OTHER = "dep"

# Dependents of the clause, not of the noun or adjective after *be*.
_OF_THE_CLAUSE = word_set("nsubj csubj expl aux mark advcl punct parataxis discourse vocative dislocated")
_NOUNS = word_set("NOUN PROPN PRON NUM")
# The Penn Treebank tag that stands for a universal part of speech.
_TAGS = _table(
    "NOUN=NN PROPN=NNP VERB=VB AUX=VB ADJ=JJ ADV=RB ADP=IN DET=DT PRON=PRP NUM=CD CCONJ=CC SCONJ=IN PART=RP "
    "INTJ=UH PUNCT=. SYM=SYM"
)


@dataclass(slots=True)
class _Node:
    """A word with its current head and label. `head` is a position, `None` for the root."""

    word: Word
    head: int | None
    label: str


def to_stanford(analysis: Analysis) -> tuple[Token, ...] | None:
    """The sentence with Stanford's heads and labels; `None` without a parse that is a tree."""
    if not analysis.words or any(word.deprel is None for word in analysis.words):
        return None
    nodes = [_Node(word, word.head, word.deprel or "") for word in analysis.words]
    if not _is_tree(nodes):
        return None
    _turn_names(nodes)
    _raise_copulas(nodes)
    _raise_prepositions(nodes)
    return tuple(
        Token(
            _written(node.word, position == 0),
            tag_of(node.word),
            _rename(node, nodes),
            0 if node.head is None else node.head + 1,
        )
        for position, node in enumerate(nodes)
    )


def tag_of(word: Word) -> str:
    """The Penn Treebank tag of a word, or one that stands for its universal part of speech."""
    tag = word.xpos or _TAGS.get(word.upos or "", "XX")
    # A slash separates fields.
    return tag.replace("/", "|").replace(" ", "_")


def _written(word: Word, first: bool) -> str:
    """The word as one token; a capital letter at the start of a sentence is kept for names only."""
    text = "_".join(word.text.split())
    return text.lower() if first and not tag_of(word).startswith("NNP") and text != "I" else text


def _is_tree(nodes: Sequence[_Node]) -> bool:
    for start in range(len(nodes)):
        position: int | None = start
        for _ in nodes:
            position = nodes[position].head if position is not None else None
        if position is not None:
            return False
    return True


def _main(label: str) -> str:
    return label.partition(":")[0]


def _children(nodes: Sequence[_Node], head: int) -> list[int]:
    return [position for position, node in enumerate(nodes) if node.head == head]


def _turn_names(nodes: list[_Node]) -> None:
    """The last word of a name becomes its head: Barack <- Obama."""
    for first in range(len(nodes)):
        rest = [child for child in _children(nodes, first) if _main(nodes[child].label) == "flat"]
        if not rest or rest[0] < first:
            continue
        last = rest[-1]
        for child in _children(nodes, first):
            if child != last:
                nodes[child].head = last
        nodes[last].head, nodes[last].label = nodes[first].head, nodes[first].label
        nodes[first].head, nodes[first].label = last, "flat"


def _raise_copulas(nodes: list[_Node]) -> None:
    """*Be* becomes the head of its complement and of the dependents of the clause."""
    for complement in range(len(nodes)):
        copulas = [child for child in _children(nodes, complement) if nodes[child].label == "cop"]
        if not copulas:
            continue
        copula, noun = copulas[0], nodes[complement].word.upos in _NOUNS
        for child in _children(nodes, complement):
            label = _main(nodes[child].label)
            negates = nodes[child].word.text.lower() in NEGATING_ADVERBS
            of_clause = label in _OF_THE_CLAUSE or (label == "advmod" and (noun or negates))
            if child != copula and (of_clause or (label == "conj" and _is_clause(nodes, child))):
                nodes[child].head = copula
        nodes[copula].head, nodes[copula].label = nodes[complement].head, nodes[complement].label
        nodes[complement].head = copula
        nodes[complement].label = "attr" if noun else "acomp"


def _is_clause(nodes: Sequence[_Node], position: int) -> bool:
    labels = {_main(nodes[child].label) for child in _children(nodes, position)}
    return nodes[position].word.upos == "VERB" or bool(labels & {"nsubj", "cop"})


def _raise_prepositions(nodes: list[_Node]) -> None:
    """A preposition takes the place of its noun and becomes its head; several make a chain."""
    for noun in range(len(nodes)):
        chain = [
            child
            for child in _children(nodes, noun)
            if nodes[child].label == "case" and nodes[child].word.xpos != "POS" and child < noun
        ]
        label = nodes[noun].label
        if not chain or label == "nmod:poss":
            continue
        above = nodes[noun].head
        for place, preposition in enumerate(chain):
            nodes[preposition].head = above
            # The label of the noun is that of the phrase unless the phrase is a plain modifier.
            keep = place == 0 and _main(label) in ("root", "conj", "ccomp", "advcl", "acl", "parataxis")
            # No longer `case`: the preposition does not belong to the word above.
            nodes[preposition].label = label if keep else "prep"
            above = preposition
        nodes[noun].head, nodes[noun].label = above, "pobj"


def _rename(node: _Node, nodes: Sequence[_Node]) -> str:
    label, word = node.label, node.word
    if label in ("attr", "acomp", "prep", "pobj"):
        return label
    above = nodes[node.head].word if node.head is not None else None
    if label == "case" and word.xpos == "POS":
        return "possessive"
    if _main(label) == "advmod" and word.text.lower() in NEGATING_ADVERBS:
        return "neg"
    if label == "mark" and word.xpos == "TO":
        return "aux"
    if _main(label) == "xcomp" and word.upos == "ADJ":
        return "acomp"
    if _main(label) == "xcomp" and word.upos in _NOUNS and above is not None and above.lemma in COPULAR_VERBS:
        return "attr"
    return LABELS.get(label) or LABELS.get(_main(label), OTHER)
