"""Sentences with full parses written by hand: the rules look at lemmas and both kinds of tags."""

from __future__ import annotations

from tupelo.core import Analysis, Entity, Extraction, Word
from tupelo.extract.rules import RuleExtractor


def parsed(text: str, *rows: str, entities: tuple[Entity, ...] = (), document: str | None = None) -> Analysis:
    """A sentence from rows of `form lemma UPOS XPOS head label`; heads count from 1, 0 is the root."""
    words, position = [], 0
    for row in rows:
        form, lemma, upos, xpos, head, label = row.split()
        begin = text.index(form, position)
        position = begin + len(form)
        feats = "Number=Plur" if xpos in ("NNS", "NNPS") else ""
        parent = int(head) - 1 if head != "0" else None
        words.append(Word(form, begin, position, lemma, upos, xpos, feats, parent, label))
    return Analysis(text, tuple(words), entities=entities, document_id=document)


def tuples(analysis: Analysis, *, shape: str = "whole") -> list[Extraction]:
    return next(RuleExtractor(shape=shape).extract([analysis]))


def told(analysis: Analysis, *, shape: str = "whole") -> list[str]:
    """The tuples as text, each with its rule: `clause (Ann; sings; songs)`."""
    return [f"{extraction.rule} {extraction}" for extraction in tuples(analysis, shape=shape)]
