"""Who and what a text mentions: entities of the model, with pronouns and short names put back to full names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tupelo.core import Analysis
from tupelo.extract.coreference import name_meanings

_POSSESSIVES = ("'s", "’s")


@dataclass(frozen=True, slots=True)
class Mention:
    """Characters `[start, end)` of a sentence that mention something; `name` is the full name where it is known."""

    start: int
    end: int
    name: str
    label: str


def mentions_of(analyses: Sequence[Analysis]) -> list[list[Mention]]:
    """The mentions of each sentence of one text, in order; of two that overlap the first one, or the longer."""
    result = []
    for analysis, meanings in zip(analyses, name_meanings(analyses), strict=True):
        found = []
        for entity in analysis.entities or ():
            words = tuple(range(entity.start, entity.end))
            text, span = analysis.phrase(entity), analysis.span(entity.start, entity.end)
            end = span.end
            for ending in _POSSESSIVES:
                if text.endswith(ending):
                    text, end = text.removesuffix(ending), end - len(ending)
            found.append(Mention(span.start, end, meanings.get(words, text), entity.label))
        taken = {(mention.start, mention.end) for mention in found}
        for words, name in meanings.items():
            span = analysis.span(words[0], words[-1] + 1)
            if (span.start, span.end) not in taken and len(words) == 1:
                found.append(Mention(span.start, span.end, name, "person"))
        result.append(without_overlaps(found))
    return result


def without_overlaps(mentions: Sequence[Mention]) -> list[Mention]:
    kept: list[Mention] = []
    for mention in sorted(mentions, key=lambda item: (item.start, -item.end)):
        if not kept or mention.start >= kept[-1].end:
            kept.append(mention)
    return kept
