"""Conversations: subtitles of recordings, and chats that were exported as JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from itertools import pairwise
from typing import IO, Any

from tupelo.core import FormatError, InputError
from tupelo.io.documents import UTF8, Found, Reading
from tupelo.io.documents.boilerplate import Candidate, reasons
from tupelo.io.documents.html import visible_text
from tupelo.io.documents.layout import Layout
from tupelo.io.documents.markup import decode
from tupelo.io.json_items import json_value
from tupelo.io.lines import Fault

_CUE = re.compile(r"(?P<from>(?:\d+:)?\d{1,2}:\d{2}[,.]\d{1,3})\s*-->\s*(?:\d+:)?\d{1,2}:\d{2}[,.]\d{1,3}.*")
_VOICE = re.compile(r"<v(?:\.[\w.]*)?\s+([^>]{1,60})>")
_SPEAKER = re.compile(
    r"^(?:[-–>]{1,2}\s*)?(?:\[(?P<bracket>[^\]]{1,40})\]:?"
    r"|(?P<name>[A-Z][\w.'’-]{0,20}(?: [A-Z\d][\w.'’-]{0,20}){0,2}):)\s+(?=\S)"
)
_SOUND = re.compile(r"^\s*(?:[\[(♪][^\])]*[\])♪]?|♪.*)\s*$")
# Fields of messages in exports of chats.
_TEXT, _NAMES, _TIMES = (
    ("text", "content", "message", "body"),
    ("from", "user_name", "username", "name", "author", "sender", "speaker", "user", "role"),
    ("date", "timestamp", "time", "ts", "created_at", "datetime"),
)
_INTRODUCED = re.compile(r"\b[Mm]y name(?: is|['’]s) ([A-Z][\w’'-]+(?: [A-Z][\w’'-]+){0,2})")
_DASHES = ("- ", "– ", "— ", "-")
_PAUSE = 60
_ISO = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d")


def read_subtitles(stream: IO[bytes], source: str, reading: Reading) -> Iterator[Found]:
    """Turns of a recording: cues of one speaker are one turn, until a pause or another speaker."""
    text = decode(reading.whole(stream, source), source, (UTF8, reading.encoding))
    layout = Layout(source, reading)
    layout.is_judged = True
    pending: list[str] = []
    speaker: str | None = None
    began = ended = 0.0
    is_empty = True

    def end() -> None:
        if pending:
            kind = "turn" if speaker else "paragraph"
            layout.add(kind, "\n".join(pending), speaker=speaker, time=_clock(began))
            pending.clear()

    cues = list(_cues(text))
    introduced = {found[1] for _, words in cues if (found := _INTRODUCED.search(words))}
    # Whoever says their name is the speaker of what no name is before.
    unnamed = introduced.pop() if len(introduced) == 1 else None
    judged = reasons([Candidate("turn", visible_text(words) if "<" in words else words) for _, words in cues], "chat")
    for (start, words), reason in zip(cues, judged, strict=True):
        is_empty = False
        if _SOUND.match(words) or (reason is not None and not reading.boilerplate):
            layout.leave_out(words, "sound" if _SOUND.match(words) else reason or "")
            continue
        named, words = _spoken(words)
        named = named or unnamed
        if (named and named != speaker) or start - ended > _PAUSE or sum(map(len, pending)) > 2000:
            end()
            speaker, began = named or speaker, start
        if not pending:
            began = start
        ended = start
        pending.append(words)
    end()
    if is_empty:
        raise InputError(f"{source}: no line such as '00:00:01,000 --> 00:00:02,000', expected subtitles")
    yield layout.document("text/vtt")


def _cues(text: str) -> Iterator[tuple[float, str]]:
    """The start of each cue in seconds, and its words on one line."""
    start: float | None = None
    words: list[str] = []
    for line in [*text.split("\n"), ""]:
        if found := _CUE.match(line.strip()):
            start, words = _seconds(found["from"]), []
        elif not line.strip():
            if start is not None and words:
                yield from ((start, " ".join(part)) for part in _parts(words))
            start, words = None, []
        elif start is not None:
            words.append(line.strip())


def _parts(words: list[str]) -> Iterator[list[str]]:
    """The lines of a cue by speaker: each begins with a dash where there are two."""
    starts = [number for number, line in enumerate(words) if line.startswith(_DASHES)]
    if len(starts) < 2 or starts[0]:
        yield words
        return
    for begin, end in pairwise([*starts, len(words)]):
        first, *others = words[begin:end]
        yield [first.lstrip("-–— "), *others]


def _spoken(words: str) -> tuple[str | None, str]:
    """The speaker of a cue, if it names one, and what is said."""
    voice = _VOICE.search(words)
    named = voice[1].strip() if voice else None
    plain = " ".join(visible_text(words).split()) if "<" in words else words
    if named is None and (found := _SPEAKER.match(plain)):
        return (found["name"] or found["bracket"]).strip(), plain[found.end() :]
    return named, plain


def _seconds(time: str) -> float:
    parts = [float(part) for part in time.replace(",", ".").split(":")]
    return sum(part * 60.0**power for power, part in enumerate(reversed(parts)))


def _clock(seconds: float) -> str:
    whole = int(seconds)
    return f"{whole // 3600:02}:{whole // 60 % 60:02}:{whole % 60:02}"


def read_chat(stream: IO[bytes], source: str, reading: Reading) -> Iterator[Found]:
    """A chat that was exported as JSON: a list of messages with a text, and perhaps who wrote it and when."""
    try:
        data = json_value(decode(reading.whole(stream, source), source, (UTF8,)))
    except Fault as fault:
        raise FormatError(source, fault.line or 1, *fault.args) from None
    title = data.get("name") or data.get("title") if isinstance(data, Mapping) else None
    messages = data.get("messages") if isinstance(data, Mapping) else data
    if not isinstance(messages, list) or not any(_words(item) for item in messages):
        raise InputError(f"{source}: no list of messages with a text, expected a chat that was exported as JSON")
    layout = Layout(source, reading)
    first = None
    for item in messages:
        words = _words(item)
        if not words:
            continue
        if item.get("type") in ("service", "system") or item.get("subtype"):
            layout.leave_out(words, "message of the system")
            continue
        time = _time(next((item[name] for name in _TIMES if item.get(name)), None))
        first = first or time
        layout.add("turn", words, speaker=_name(item), time=time)
    published = first[:10] if first and "T" in first else None
    yield layout.document("application/json", title if isinstance(title, str) else None, published)


def _words(item: Any) -> str:
    if not isinstance(item, Mapping):
        return ""
    found = next((item[name] for name in _TEXT if item.get(name)), "")
    if isinstance(found, list):
        # Telegram and assistants write a list of strings and of links with a text.
        parts = [part.get("text", "") if isinstance(part, Mapping) else part for part in found]
        found = "".join(part for part in parts if isinstance(part, str))
    return found.replace("\0", "") if isinstance(found, str) else ""


def _name(item: Mapping[str, Any]) -> str | None:
    profile = item.get("user_profile")
    if isinstance(profile, Mapping) and isinstance(profile.get("real_name"), str):
        return str(profile["real_name"]) or None
    for name in _NAMES:
        value = item.get(name)
        value = value.get("name") if isinstance(value, Mapping) else value
        if isinstance(value, str) and value:
            return value
    return None


def _time(value: Any) -> str | None:
    """A time as ISO 8601; numbers are seconds since 1970."""
    if isinstance(value, str) and _ISO.match(value):
        return value.replace(" ", "T")[:16]
    try:
        seconds = float(value)
        return datetime.fromtimestamp(seconds / (1000 if seconds > 1e11 else 1), UTC).isoformat(timespec="minutes")[
            :16
        ]
    except (TypeError, ValueError, OverflowError, OSError):
        return None
