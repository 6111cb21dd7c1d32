"""Speakers and days of a text: *I*, *we* and *you* by name, *tomorrow* by its date, quotations with their writer."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from tupelo.core import Analysis, Argument, Attribution, Extraction, Passage, SentenceTuples
from tupelo.core.statement import Anchor, Referent
from tupelo.extract.structure.sentences import CAREER, is_person, subject_of
from tupelo.names.referents import PassageReferents
from tupelo.nlp.dates import anchored_days
from tupelo.nlp.languages import labels, words

# Fields of a voice by pronoun; some pronouns stand before a noun.
_OWN = labels("structure", "possessives_of_voices")
_FIELDS = labels("structure", "pronouns_of_voices") | _OWN
# The name of a speaker whom nothing names.
SPEAKER = "speaker"
_OPENING, _CLOSING = frozenset(["“", "``", "«"]), frozenset(["”", "''", "»"])
_MARKS = _OPENING | _CLOSING | {'"'}
_CAPITALS = r"[A-Z][\w.’'-]*(?: [A-Z][\w.’'-]*){1,3}"
# *My name is Ann Lee*; *by Ann Lee*, *Author: Ann Lee*, or *Ann Lee, University of Oslo* at the beginning of a text.
_INTRODUCED = re.compile(r"\b[Mm]y name(?: is|['’]s) ([A-Z][\w’'-]+(?: [A-Z][\w’'-]+){0,2})")
_BYLINE = re.compile(
    rf"(?m)^[*_]*(?:(?i:by|author|written by|prepared by):?\**:? ({_CAPITALS})|({_CAPITALS}), [^\n]{{0,40}}"
    r"(?:[Uu]nivers|[Ii]nstitut|[Cc]olleg|[Ll]abor|[Cc]entre|[Cc]enter|[Oo]bservator|[Hh]ospital|[Ss]chool))"
)
_OPENING_BLOCKS = 4
_SPOKEN = frozenset(["paragraph", "item", "definition"])
# *Ann Lee (chair): I wrote …*, *Bo – We got …*
_TURN = re.compile(
    r"\s*(?:[-*•] )?(?P<name>[^\W\d_][^\n:;!?–—()\[\]\"“]{0,40}?)(?: ?[(\[][^()\[\]\n]{1,40}[)\]])?"
    r" ?(?::|[–—]| -) (?=\S)"
)
_FIRST_PERSON = re.compile(r"\b(?:I|my|me|we|our|us|My|We|Our)\b")
_POSTS = words("structure", "jobs", "posts_in_meetings")
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
        self._starts: list[int] = []
        self._voices: list[Voice] = []
        self._other = Voice(day=day)
        author = _author(passage)
        for block in passage.blocks:
            listener = block.audience[0] if len(block.audience) == 1 else None
            if block.kind == "turn" and len(speakers) == 2 and block.speaker:
                listener = speakers[1 - speakers.index(block.speaker)]
            quoted = block.kind == "quote" and block.speaker is not None
            # The voice of an organization says *we*.
            speaker = None if block.speaker == block.group else block.speaker
            own = Voice(speaker or author, block.group, listener, _day(block.time) or day, quoted)
            self._add(block.start, own)
            text = passage.text[block.start - passage.start : block.end - passage.start]
            if introduced := _INTRODUCED.search(text):
                own = replace(own, speaker=introduced[1])
                self._add(block.start, own)
            if block.kind in _SPOKEN and block.speaker is None:
                for place, name in _turns_in(text, passage.text):
                    self._add(block.start + place, replace(own, speaker=name))

    def _add(self, place: int, voice: Voice) -> None:
        self._starts.append(place)
        self._voices.append(voice)

    def at(self, place: int) -> Voice:
        """The voice at a place in the document."""
        number = bisect_right(self._starts, place) - 1
        return self._voices[number] if number >= 0 else self._other

    def __bool__(self) -> bool:
        return any(voice.speaker or voice.group or voice.day for voice in (*self._voices, self._other))


def _author(passage: Passage) -> str | None:
    """The person who says *I* outside of a conversation: that of a CV, or the author named at its beginning."""
    blocks = passage.blocks
    if passage.start or any(block.speaker or block.kind == "turn" for block in blocks):
        return None
    text = passage.text
    if any(block.kind == "heading" and CAREER.search(block.of(text)) for block in blocks):
        return subject_of(blocks[0].path[:1])
    for block in blocks[:_OPENING_BLOCKS]:
        if found := _BYLINE.search(block.of(text)):
            return found[1] or found[2]
    return None


def _turns_in(text: str, whole: str) -> Iterator[tuple[int, str]]:
    """The lines in which somebody speaks of himself behind his name, each with its place: *Ann (chair): I wrote …*"""
    place = 0
    for line in text.split("\n"):
        match = _TURN.match(line)
        if match is not None and _FIRST_PERSON.search(line, match.end()) and _may_speak(match["name"], whole):
            yield place, _full_name(match["name"].strip(), whole)
        place += len(line) + 1


def _may_speak(name: str, whole: str) -> bool:
    """Whether words before a colon are a person: by name, by title or post, or as one whom others mention."""
    low = name.lower().rstrip(".").split()
    return (
        is_person(name) or not _POSTS.isdisjoint(low) or (len(low) == 1 and name.istitle() and whole.count(name) > 1)
    )


def _full_name(name: str, whole: str) -> str:
    """The name of somebody who goes by a post, where a remark in brackets says it: *Ann Lee (Chair)*."""
    found = (
        re.search(rf"({_CAPITALS}) \({re.escape(name)}\)", whole, re.IGNORECASE) if len(name.split()) == 1 else None
    )
    return found[1] if found and found[1].istitle() else name


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


def with_quotations(found: Sequence[SentenceTuples], analyses: Sequence[Analysis]) -> list[SentenceTuples]:
    """The tuples of sentences; those inside quotation marks are said by the only one who is quoted around them."""
    result, near, marks = list(found), list[int](), [*_quotations(analyses)]
    for number, inside in enumerate(marks):
        near.append(number)
        if inside and inside[-1] and number + 1 < len(marks) and marks[number + 1][:1] != [False]:
            # The quotation goes on in the next sentence.
            continue
        speakers = {one.attribution.speaker for at in near for one in found[at].extractions if one.attribution}
        speaker = speakers.pop() if len(speakers) == 1 else None
        for at in near:
            said = tuple(_said(one, speaker, marks[at]) for one in found[at].extractions)
            result[at] = replace(found[at], extractions=said)
        near = []
    return result


def _said(extraction: Extraction, speaker: str | None, quoted: Sequence[bool]) -> Extraction:
    tokens = [token for part in (extraction.rel, *extraction.arguments) for token in part.tokens or ()]
    is_said = extraction.attribution is None and bool(tokens) and all(quoted[token] for token in tokens)
    return replace(extraction, attribution=Attribution(speaker=speaker, verb="said")) if is_said else extraction


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
