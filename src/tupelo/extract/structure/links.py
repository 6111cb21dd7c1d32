"""Structured sentences in a graph: what their parts stand for, and the statements between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tupelo.core import Analysis, Argument, Extraction, SentenceTuples, Word
from tupelo.core.statement import Anchor, Link, LinkedSentence, Referent
from tupelo.extract.structure.sentences import CONTEXT
from tupelo.names.referents import PassageReferents
from tupelo.nlp.languages import labels
from tupelo.relations.arguments import anchor_kind

_BASE_FORMS = labels("structure", "base_forms")
_NO_TUPLE = "its subject is a value or a clause"
_SAME = "its subject and its object are the same thing"


def link_structured(
    sentences: Sequence[SentenceTuples], referents: Sequence[Referent], least: float
) -> tuple[list[Analysis], list[LinkedSentence], list[Referent]]:
    """The sentences with their links, tuples below a confidence left out, and all referents of the passage."""
    known = PassageReferents(referents)
    analyses: list[Analysis] = []
    linked: list[LinkedSentence] = []
    for sentence in sentences:
        kept = tuple(one for one in sentence.extractions if (one.confidence or 1.0) >= least)
        analyses.append(_analysis(sentence))
        linked.append(_linked(replace(sentence, extractions=kept), known))
    return analyses, linked, known.all


def _analysis(sentence: SentenceTuples) -> Analysis:
    """The sentence with its words."""
    text = sentence.sentence.text
    found: list[Word] = []
    place = 0
    for token in sentence.sentence.tokens or ():
        place = text.index(token, place)
        found.append(Word(token, sentence.start + place, sentence.start + place + len(token)))
        place += len(token)
    return Analysis(text, tuple(found), sentence.start, document_id=sentence.sentence.document_id)


def _linked(sentence: SentenceTuples, known: PassageReferents) -> LinkedSentence:
    anchors: list[Anchor] = []
    numbers: dict[tuple[int, int, str], int] = {}
    links: list[Link] = []
    parts: list[list[int | None]] = []
    unlinked: list[str | None] = []

    def anchor(part: Argument, is_subject: bool) -> int:
        tokens = part.tokens or ()
        start, end = (tokens[0], tokens[-1] + 1) if tokens else (0, 0)
        key = (start, end, part.text)
        if key not in numbers:
            kind, label = anchor_kind(part.text)
            if is_subject and kind == "value" and not part.text.replace(" ", "").isdigit():
                kind, label = "name", "other"
            elif is_subject and part.text.endswith("?"):
                kind, label = "concept", "abstract"
            referent = None
            if kind in ("name", "concept"):
                referent = known.number(part.text, label, "entity" if kind == "name" else kind)
                known.count(referent, part.text)
            numbers[key] = len(anchors)
            anchors.append(Anchor(start, end, start, kind, label, part.text, referent))
        return numbers[key]

    for number, one in enumerate(sentence.extractions):
        subject = anchor(one.arg1, True) if one.arg1 is not None else None
        others = [anchor(part, False) for part in one.args]
        parts.append([subject, *others])
        if subject is None or not others or anchors[subject].referent is None:
            unlinked.append(_NO_TUPLE)
        elif anchors[subject].referent == anchors[others[0]].referent:
            unlinked.append(_SAME)
        else:
            unlinked.append(None)
            beside, rank = tuple(range(2, len(one.args) + 1)), one.confidence or 0.5
            relation, key = one.rel.text, relation_key(one)
            links.append(Link(number, subject, others[0], relation, key, one.confidence, beside, rank))
    texts = [_reading(one) for one in sentence.extractions]
    return LinkedSentence(sentence, anchors, links, parts, unlinked, texts)


def _reading(extraction: Extraction) -> str:
    """A tuple as a sentence below its headings: *Acme T3: Weight is 12 kg*.

    A heading that has the implied subject in it, or another heading, is left out.
    """
    said = [part for _, part in extraction.labelled_parts() if part.role != CONTEXT]
    headings = [part.text for part in extraction.args if part.role == CONTEXT]
    implied = [*headings, *(part.text for part in said[:1] if not part.tokens)]
    headings = [one for one in headings if not any(part in one and part != one for part in implied)]
    return ": ".join([*reversed(headings), " ".join(part.text for part in said)])


def relation_key(extraction: Extraction) -> str:
    """The base form that identifies a relation: *have price*, *be found*."""
    first, *rest = extraction.rel.text.lower().split()
    return " ".join([_BASE_FORMS.get(first, first), *rest])
