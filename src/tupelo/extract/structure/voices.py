"""Speakers and days of a text: *I*, *we* and *you* by name, *tomorrow* by its date, quotations with their writer."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from tupelo.core import Analysis, Argument, Attribution, Extraction, Passage, SentenceTuples
from tupelo.core.statement import Anchor, Referent
from tupelo.names.referents import PassageReferents
from tupelo.nlp.dates import anchored_days
from tupelo.nlp.languages import labels

# Fields of a voice by pronoun; some pronouns stand before a noun.
_OWN = labels("structure", "possessives_of_voices")
_FIELDS = labels("structure", "pronouns_of_voices") | _OWN
# The name of a speaker whom nothing names.
SPEAKER = "speaker"
_OPENING, _CLOSING = frozenset(["“", "``", "«"]), frozenset(["”", "''", "»"])
_MARKS = _OPENING | _CLOSING | {'"'}
# Characters between two sentences of different paragraphs.
_PARAGRAPH = 2


@dataclass(frozen=True, slots=True)
class Voice:
    """The speaker of some text, the speaker's organization, the only listener, and the day on which it is said."""

    speaker: str | None = None
    group: str | None = None
    listener: str | None = None
    day: date | None = None
    is_quoted: bool = False

    def named(self, pronoun: str) -> str | None:
        """The name that a pronoun stands for."""
        field = _FIELDS.get(pronoun.lower())
        return None if field is None else getattr(self, field)


class Voices:
    """The voices of a passage by their places."""

    def __init__(self, passage: Passage) -> None:
        day = _day(passage.published)
        speakers = list(
            dict.fromkeys(block.speaker for block in passage.blocks if block.kind == "turn" and block.speaker)
        )
        self._starts = [block.start for block in passage.blocks]
        self._voices: list[Voice] = []
        for block in passage.blocks:
            listener = block.audience[0] if len(block.audience) == 1 else None
            if block.kind == "turn" and len(speakers) == 2 and block.speaker:
                listener = speakers[1 - speakers.index(block.speaker)]
            quoted = block.kind == "quote" and block.speaker is not None
            self._voices.append(Voice(block.speaker, block.group, listener, _day(block.time) or day, quoted))
        self._other = Voice(day=day)

    def at(self, place: int) -> Voice:
        """The voice at a place in the document."""
        number = bisect_right(self._starts, place) - 1
        return self._voices[number] if number >= 0 else self._other

    def __bool__(self) -> bool:
        return any(voice.speaker or voice.day for voice in (*self._voices, self._other))


def _day(text: str | None) -> date | None:
    try:
        return date.fromisoformat(text[:10]) if text else None
    except ValueError:
        return None


def with_voice(found: SentenceTuples, voice: Voice) -> SentenceTuples:
    """The tuples of a sentence with pronouns and times resolved, and the writer of quoted ones."""
    if not found.extractions or voice == Voice():
        return found
    return replace(found, extractions=tuple(_resolved(one, voice) for one in found.extractions))


def _resolved(extraction: Extraction, voice: Voice) -> Extraction:
    attribution = extraction.attribution
    if voice.is_quoted and attribution is None:
        attribution = Attribution(speaker=voice.speaker, verb="wrote")
    elif attribution is not None and attribution.speaker and (name := voice.named(attribution.speaker)):
        attribution = replace(attribution, speaker=name)
    return replace(
        extraction,
        arg1=None if extraction.arg1 is None else _part(extraction.arg1, voice),
        args=tuple(_part(part, voice) for part in extraction.args),
        attribution=attribution,
    )


def _part(part: Argument, voice: Voice) -> Argument:
    name = voice.named(part.text)
    if name is not None:
        return replace(part, resolved=name)
    first, _, rest = part.text.partition(" ")
    if rest and first.lower() in _OWN and (owner := voice.named(first)) is not None:
        return replace(part, resolved=f"{owner}'s {rest}")
    if part.role == "time" and voice.day is not None and (days := anchored_days(part.text, voice.day)) is not None:
        return replace(part, resolved=" to ".join(dict.fromkeys(day.isoformat() for day in days)))
    return part


def with_speakers(
    anchors: Sequence[Sequence[Anchor]],
    referents: Sequence[Referent],
    voices: Sequence[Voice],
    analyses: Sequence[Analysis],
) -> tuple[list[list[Anchor]], list[Referent]]:
    """The anchors of sentences with the referents of *I*, *we* and *you*, which may be new ones.

    An *I* that no header names is *the speaker*, unless somebody else is quoted.
    """
    known = PassageReferents(referents)
    found: list[list[Anchor]] = []
    for own, voice, quoted in zip(anchors, voices, _quotations(analyses), strict=True):
        row = list(own)
        for place, anchor in enumerate(own):
            if anchor.kind != "pronoun" or anchor.referent is not None:
                continue
            name = voice.named(anchor.text)
            if name is not None:
                number = known.number(name, "organization" if name == voice.group else "person")
            elif voice.speaker is None and _FIELDS.get(anchor.text.lower()) == "speaker" and not quoted[anchor.head]:
                number = known.number(SPEAKER, "person", "thing")
            else:
                continue
            row[place] = replace(anchor, referent=number)
            known.count(number)
        found.append(row)
    return found, known.all


def _quotations(analyses: Sequence[Analysis]) -> Iterator[list[bool]]:
    """For each sentence, which of its words are in quotation marks; a new paragraph closes them."""
    is_open, end = False, 0
    for analysis in analyses:
        is_open = is_open and analysis.start - end < _PARAGRAPH
        end = analysis.start + len(analysis.text)
        inside = []
        for word in analysis.words:
            if word.text in _MARKS:
                is_open = word.text in _OPENING or (word.text not in _CLOSING and not is_open)
            inside.append(is_open)
        yield inside
