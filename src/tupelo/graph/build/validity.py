"""The time for which a statement holds, as far as the words of its tuple and the day of its document say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple

from tupelo.graph.store.validity import OPEN, Validity
from tupelo.nlp.dates import TimeExpression, earlier, moment_days, time_expressions
from tupelo.nlp.languages.en.grammar import FORMS_OF_BE, FORMS_OF_HAVE
from tupelo.relations.forms import is_former, lasts
from tupelo.relations.phrases import read_phrase

# Modalities of what has not happened yet.
_AHEAD = frozenset(["future", "intended", "necessary", "possible", "hypothetical"])
# Between a tuple and the time right after it.
_NEXT = re.compile(r"[\s,(—–-]{0,3}")
_SPACE = re.compile(" ")
_BACK = re.compile(r"\b(?:before|until|prior to) (?:that|then|this|him|her|it|them)\b", re.IGNORECASE)
_FORMER = re.compile(r"\b(?:former|formerly|ex)\b", re.IGNORECASE)


class _Tense(NamedTuple):
    ahead: bool
    past: bool
    perfect: bool
    state: bool
    former: bool
    copular: bool


@lru_cache(maxsize=20_000)
def _tense(relation: str, modality: str | None) -> _Tense:
    phrase = read_phrase(relation)
    have = next((place for place, word in enumerate(phrase.words) if word in FORMS_OF_HAVE), None)
    perfect = have is not None and phrase.words[have] in ("has", "have") and have + 1 < len(phrase.words)
    ahead = modality in _AHEAD
    past = phrase.past and not ahead
    is_be = bool(phrase.words) and phrase.words[0] in FORMS_OF_BE and phrase.copular
    state = is_be or lasts(relation) or (len(phrase.words) == 1 and have == 0)
    return _Tense(ahead or not past, past and not perfect, perfect, state, is_former(relation), is_be)


def validities(row: Mapping[str, Any], before: str = "") -> list[Validity]:
    """The times of the tuples of a sentence, whose parts have places in it; `before` is the sentence before it."""
    text, day = row["text"], row["day"]
    tuples = row["tuples"] or ()
    tenses = [_tense(found["rel"]["text"], found["modality"]) for found in tuples]
    times = [_times(found, row["anchors"] or ()) for found in tuples]
    # *Ann Lee, mayor since 2012, cut a cake*: she is the mayor since 2012.
    words = [_spans([found["rel"], found["arg1"], *(found["args"] or ())]) for found in tuples]
    verbs = [_spans([found["rel"]]) for found in tuples]
    appositions = [
        spans
        for found, verb, spans in zip(tuples, verbs, words, strict=True)
        if found["rel"]["text"] in FORMS_OF_BE and spans and not verb and not _around(spans, chain(*verbs))
    ]
    taken = [span for own in times for span in own]
    found_times = []
    for verb, tense, own, spans in zip(verbs, tenses, times, words, strict=True):
        known = time_expressions(text, day, tense.ahead)
        # *since the pier burned down in 1998*: of the pier, in 1998.
        known = tuple(
            one._replace(sense="at") if one.sense in ("since", "until") and _within(verb, one) else one
            for one in known
        )
        apposed = [one for one in known if any(_belongs(one, spans, text, _SPACE) for spans in appositions)]
        known = tuple(one for one in known if one not in apposed or not verb)
        free = [one for one in known if one in apposed or not _touches(one, taken)]
        chosen = [one for one in known if _touches(one, own)]
        chosen = chosen or [one for one in free if _belongs(one, spans, text)]
        chosen = [*chosen, *_told_by_another(chosen, verb, text, before, day)]
        if tense.copular and spans and _FORMER.search(text, *_extent(spans)):
            tense = tense._replace(former=True, past=True)
        found_times.append(_validity(chosen, tense, day))
    return found_times


def _told_by_another(
    chosen: Sequence[TimeExpression], verb: Sequence[tuple[int, int]], text: str, before: str, day: date | None
) -> list[TimeExpression]:
    """The time that *before that* or *lasted six weeks* counts from: the last one before it, here or before."""
    lasting = next((one for one in chosen if one.sense == "lasting"), None)
    back = next((one.start() for one in _BACK.finditer(text) if verb and one.end() <= max(verb)[0]), None)
    if lasting is None and (back is None or any(one.sense not in ("for", "after") for one in chosen)):
        return []
    at = back or 0 if lasting is None else lasting.start
    here = [one for one in time_expressions(text, day) if one.first and one.end <= at]
    dated = here or [one for one in time_expressions(before, day) if one.first]
    return [one._replace(sense="since" if lasting else "until", last=one.first) for one in dated[-1:]]


def _spans(parts: Iterable[Mapping[str, Any] | None]) -> list[tuple[int, int]]:
    return [(span["start"], span["end"]) for part in parts if part for span in part["spans"] or ()]


def _times(found: Mapping[str, Any], anchors: Sequence[Mapping[str, Any]]) -> list[tuple[int, int]]:
    """The places of the arguments that are times."""
    arguments = [] if found["arg1"] is None else [found["arg1"], *(found["args"] or ())]
    dated = [
        part
        for part, anchor in zip(arguments, found["parts"], strict=False)
        if part["role"] == "time" or (anchor is not None and anchors[anchor]["label"] == "datetime")
    ]
    return _spans(dated)


def _within(spans: Sequence[tuple[int, int]], one: TimeExpression) -> bool:
    return bool(spans) and all(one.start < start and end < one.end for start, end in spans)


def _extent(spans: Sequence[tuple[int, int]]) -> tuple[int, int]:
    return min(spans)[0], max(end for _, end in spans)


def _around(spans: Sequence[tuple[int, int]], inner: Iterable[tuple[int, int]]) -> bool:
    first, last = _extent(spans)
    return any(first <= start < last for start, _ in inner)


def _touches(one: TimeExpression, spans: Iterable[tuple[int, int]]) -> bool:
    return any(one.start < end and start < one.end for start, end in spans)


def _belongs(
    one: TimeExpression, words: Sequence[tuple[int, int]], text: str, between: re.Pattern[str] = _NEXT
) -> bool:
    """Whether an expression is among the words of a tuple, or follows them at once."""
    if not words:
        return False
    first, last = _extent(words)
    return one.start >= first if one.start < last else between.fullmatch(text, last, one.start) is not None


def _validity(times: Sequence[TimeExpression], tense: _Tense, day: date | None) -> Validity:
    now = day.isoformat() if day else None
    by_sense = {one.sense: one for one in reversed(times)}
    kind = "state" if tense.state else "event"
    begins = now if tense.ahead and not tense.past else None
    if one := by_sense.get("between"):
        return Validity(one.first, one.last, "state")
    lasting = by_sense.get("for") or by_sense.get("lasting") or by_sense.get("after")
    if (one := by_sense.get("until")) and not ("since" in by_sense and by_sense["since"].first > one.last):
        if "since" in by_sense:
            return Validity(by_sense["since"].first, one.last, "state")
        return Validity(_back(one.last, lasting) if lasting else begins, one.last, "state")
    if one := by_sense.get("since"):
        return Validity(one.first, _ending(one.first, lasting) if lasting else OPEN, "state")
    if one := by_sense.get("by"):
        return Validity(begins, one.last, "event")
    if one := by_sense.get("before"):
        return Validity(begins, earlier(one.first, days=1), kind)
    if one := by_sense.get("at"):
        return (
            Validity(_back(one.last, lasting), one.last, "state") if lasting else Validity(one.first, one.last, kind)
        )
    if lasting and lasting.sense == "after" and (tense.ahead or tense.past) and now:
        # *leaves after seven years*: a state that ends.
        return Validity(_back(now, lasting), now, "state")
    if lasting and lasting.sense != "lasting" and now:
        if lasting.days + lasting.months < 0 or (begins and not tense.perfect):
            return Validity(now, earlier(now, days=-abs(lasting.days), months=-abs(lasting.months)), "state")
        if tense.past or tense.perfect:
            return Validity(_back(now, lasting), OPEN if tense.perfect else now, "state")
    if tense.former or (tense.past and not tense.perfect):
        return Validity(None, now, "state" if tense.former else kind)
    if tense.perfect:
        return Validity(None, OPEN if tense.state else now, kind)
    return Validity(None, OPEN, "state") if tense.state else Validity(None, None, None)


def _back(moment: str, lasting: TimeExpression) -> str:
    return earlier(moment, days=lasting.days, months=lasting.months)


def _ending(moment: str, lasting: TimeExpression) -> str:
    """The last moment of a time that begins at one: *for five years from 1 July 2020* ends on 30 June 2025."""
    days, months = -abs(lasting.days), -abs(lasting.months)
    if months and len(moment) == 10:
        month = earlier(moment[:7], months=months)
        last = str(moment_days(None, month)[1])
        # *for a month from 31 January* ends on the last day of February.
        return last if moment[8:] > last[8:] else earlier(f"{month}-{moment[8:]}", days=1)
    return earlier(moment, days=days + (days and len(moment) == 10), months=months)
