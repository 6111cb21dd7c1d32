"""Mails: who wrote to whom and when, what is new, what is quoted from whom, and the signature."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.errors import MessageError
from email.message import EmailMessage
from email.utils import getaddresses, parsedate_to_datetime
from typing import IO
from unicodedata import combining, normalize

from tupelo.core import InputError
from tupelo.core.limits import LimitError
from tupelo.io.documents import UTF8, Found, Reading
from tupelo.io.documents.html import Page
from tupelo.io.documents.layout import Layout
from tupelo.io.documents.lines import line_blocks

_SHOWN = ("From", "To", "Cc", "Date", "Subject")
_MARKED = re.compile(r"^\s{0,3}>")
_MARKS = re.compile(r"^(?:\s{0,3}>\s?)+")
# "On Mon, 3 Mar 2024 at 10:00, Ann Lee <ann@acme.com> wrote:", which may take two lines.
_WROTE = re.compile(r"(?:On|Am|Le) (?P<said>[^\n]{6,160}?) ?(?:wrote|schrieb|a écrit) ?:$")
_ADDRESS = re.compile(r"<([^<>\s@]++@[^<>\s]++)>")
_REPLY = re.compile(r"(?:(?:re|fwd?|aw|wg) ?: ?)+", re.IGNORECASE)
_HOST = re.compile(r"\w{2}\.\w{2}")
_COMMAS = re.compile(r"[,|·•]")
_NO_LETTER = re.compile(r"[^a-z0-9]+")
_ORIGINAL = re.compile(
    r"^\s*(?:-{2,}\s*(?:Original Message|Forwarded message|Ursprüngliche Nachricht)\s*-{2,}|_{10,})\s*$", re.M | re.I
)
_LIST_FIELDS = ("List-Id", "List-Unsubscribe", "List-Post", "Mailing-List")
# Words of addresses that belong to nobody in person.
_OFFICES = frozenset(
    ["admin", "billing", "club", "contact", "customer", "desk", "hello", "help", "info", "news", "team"]
)
_OFFICES |= {"newsletter", "noreply", "office", "order", "orders", "post", "sales", "service", "shop", "support"}
_SIGNATURE_LINES = 15
_FIELD = re.compile(r"^\s*\*?(From|Sent|Date|To|Cc|Subject)\*?:\*?\s*(.*)$", re.IGNORECASE)
_SIGNATURE = re.compile(r"^-- ?$|^—$")
_CLOSING = re.compile(
    r"^(?:(?:kind|best|warm|many|with)\s+)?(?:regards|wishes|thanks|best|cheers|sincerely|yours(?: \w+)?|thank you|"
    r"all the best|take care|love)\b[\w ,]{0,20}[,.!]?$",
    re.IGNORECASE,
)
_FORWARDED_LINES = 8
# A line of a signature that is longer goes on in the next one.
_WRAPPED = 55
_SHORT_LINES = 4


@dataclass(frozen=True, slots=True)
class _Writer:
    name: str | None
    time: str | None = None


def read_mail(stream: IO[bytes], source: str, reading: Reading) -> Iterator[Found]:
    """One mail as one document; its title is the subject."""
    yield _document(reading.whole(stream, source), source, reading)


def read_mailbox(stream: IO[bytes], source: str, reading: Reading) -> Iterator[Found]:
    """One document per mail of a mailbox; a mail that cannot be read does not harm the others."""
    number = 0
    for data in _mails(stream, source, reading):
        number += 1
        name = f"{source}#{number}"
        try:
            yield _document(data, name, reading)
        except InputError as error:
            yield error
    if not number:
        raise InputError(f"{source}: no line that begins with 'From ', expected a mailbox")


def _mails(stream: IO[bytes], source: str, reading: Reading) -> Iterator[bytes]:
    """The mails of a mailbox: each begins with a line `From …` after a blank one."""
    lines: list[bytes] | None = None
    size, blank = 0, True
    for line in iter(lambda: stream.readline(reading.limits.document + 1), b""):
        if blank and line.startswith(b"From "):
            if lines is not None:
                yield b"".join(lines)
            lines, size = [], 0
        elif lines is not None:
            lines.append(line[1:] if line.startswith(b">From ") else line)
            size += len(line)
            if size > reading.limits.document:
                raise LimitError(source, "document", "a larger mail", reading.limits.document)
        blank = not line.strip()
    if lines is not None:
        yield b"".join(lines)


def _document(data: bytes, source: str, reading: Reading) -> Found:
    try:
        mail = message_from_bytes(data, policy=policy.default)
        fields = {name: " ".join(str(mail[name]).split()) for name in (*_SHOWN, "Organization") if mail[name]}
        body, markup = _body(mail, reading)
    except (MessageError, ValueError, LookupError, IndexError, AttributeError, RecursionError) as error:
        # The package raises all kinds of errors on headers that no program wrote.
        raise InputError(f"{source}: broken mail ({type(error).__name__}), expected headers and a text") from error
    if "From" not in fields and "Date" not in fields and "Subject" not in fields:
        raise InputError(f"{source}: no From, Date or Subject, expected a mail")
    layout = Layout(source, reading)
    time = _time(fields.get("Date", ""))
    sender = _names(fields.get("From", ""))
    writer = _Writer(sender[0] if sender else None, time)
    shown = [f"{name}: {fields[name]}" for name in _SHOWN if name in fields]
    layout.add("mail header", "\n".join(shown), speaker=writer.name, time=time)
    subject = _REPLY.sub("", fields.get("Subject", ""), count=1).strip()
    group = fields.get("Organization") or _organization(body, fields.get("From", ""))
    if group is None and writer.name and not _is_person(fields.get("From", "")):
        group = writer.name
    # *You* is somebody, not a list that many read.
    audience = () if any(mail[name] for name in _LIST_FIELDS) else tuple(_names(fields.get("To", "")))
    layout.voice = {"speaker": writer.name, "time": time, "audience": audience, "group": group}
    if markup:
        page = Page(body)
        page.lay_out(layout)
    else:
        _lay_out_body(layout, body)
    return layout.document("message/rfc822", subject or None, time[:10] if time else None)


def _body(mail: EmailMessage, reading: Reading) -> tuple[str, bool]:
    """The text of a mail, and whether it is HTML."""
    part = mail.get_body(preferencelist=("plain", "html"))
    if part is None:
        return "", False
    payload = part.get_payload(decode=True)
    data = payload if isinstance(payload, bytes) else b""
    text = ""
    declared = part.get_content_charset() or UTF8
    # Text that is right in UTF-8 is nothing else, whatever an alphabet of single bytes was declared.
    first = (UTF8,) if declared.startswith(("iso-8859", "windows-125", "us-ascii")) else ()
    for encoding in (*first, declared, reading.encoding, "cp1252"):
        try:
            text = data.decode(encoding)
            break
        except (UnicodeError, LookupError):
            continue
    text = (text or data.decode("latin-1")).replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
    return text, part.get_content_subtype() == "html"


def _names(field: str) -> list[str]:
    """The people of a header, by name or else by address."""
    pairs = getaddresses([field])
    return [" ".join((name or address).strip("'\" ").split()) for name, address in pairs if name or address]


def _time(text: str) -> str | None:
    try:
        return parsedate_to_datetime(text).isoformat(timespec="minutes") if text else None
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def _is_person(field: str) -> bool:
    """Whether the address of a header begins as a part of the name before it does: *Ann Lee <ann.lee@acme.org>*."""
    for name, address in getaddresses([field]):
        parts = [part for part in _NO_LETTER.split(_plain(address.partition("@")[0])) if part]
        names = [word for word in _NO_LETTER.split(_plain(name)) if word]
        shared = any(
            part.startswith(word[:3]) and len(word) > 1 and word not in _OFFICES for part in parts for word in names
        )
        initials = "".join(word[:1] for word in names)
        if name and not shared and not (len(initials) > 1 and any(initials in part for part in parts)):
            return False
    return bool(field)


def _plain(text: str) -> str:
    return "".join(mark for mark in normalize("NFKD", text.lower()) if not combining(mark))


def _organization(body: str, sender: str) -> str | None:
    """The line of the signature that names the organization of the sender's address."""
    addresses = getaddresses([sender])
    domain = addresses[0][1].rpartition("@")[2].lower() if addresses else ""
    stem = _NO_LETTER.sub("", domain.split(".")[-2]) if domain.count(".") else ""
    if len(stem) < 3:
        return None
    own = [line.strip() for line in _ORIGINAL.split(body)[0].split("\n") if line.strip() and not _MARKED.match(line)]
    for line in reversed(own[-_SIGNATURE_LINES:]):
        for words in map(str.strip, _COMMAS.split(line)):
            parts = [letters for part in words.split() if (letters := _NO_LETTER.sub("", _plain(part)))]
            letters, rest = "".join(parts), stem
            for part in parts:
                rest = rest.removeprefix(part)
            # *edenvalleytrust* for *Eden Valley Hospitals Trust*
            is_named = letters and (letters.startswith(stem) or not rest or stem.startswith(letters))
            if is_named and "@" not in words and not _HOST.search(words) and "list" not in words.lower():
                return words
    return None


def _lay_out_body(layout: Layout, body: str) -> None:
    """The new part, then the quoted ones, each with its writer."""
    voice = dict(layout.voice)
    lines = body.split("\n")
    place = 0
    pending: list[str] = []
    quoted_writer = _Writer(None)

    def end() -> None:
        _lay_out_own(layout, "\n".join(pending))
        pending.clear()

    while place < len(lines):
        line = lines[place]
        two = f"{line.rstrip()} {lines[place + 1].strip()}" if place + 1 < len(lines) else line
        wrote = _WROTE.match(line.strip()) or (_WROTE.match(two.strip()) if not _MARKED.match(line) else None)
        if wrote:
            end()
            taken = 1 if _WROTE.match(line.strip()) else 2
            layout.add("caption", line if taken == 1 else two, speaker=None, group=None, audience=())
            place += taken
            quoted = []
            while place < len(lines) and (_MARKED.match(lines[place]) or not lines[place].strip()):
                quoted.append(lines[place])
                place += 1
            if not any(map(str.strip, quoted)):
                # The quoted mail has no marks: it is all the rest.
                quoted, place = lines[place:], len(lines)
            quoted_writer = _writer(wrote["said"])
            _lay_out_quote(layout, quoted, quoted_writer, voice["speaker"])
            layout.voice = dict(voice)
        elif _ORIGINAL.match(line) and (fields := _forwarded(lines[place + 1 : place + _FORWARDED_LINES])):
            end()
            found = {name.lower(): value for name, value in fields}
            names = _names(found.get("from", ""))
            time = _time(found.get("sent") or found.get("date") or "")
            layout.voice = {"speaker": names[0] if names else None, "time": time}
            layout.add("mail header", "\n".join(lines[place : place + 1 + len(fields)]))
            _lay_out_quote(layout, lines[place + 1 + len(fields) :], _Writer(names[0] if names else None, time))
            place = len(lines)
            layout.voice = dict(voice)
        elif _MARKED.match(line):
            end()
            quoted = []
            while place < len(lines) and _MARKED.match(lines[place]):
                quoted.append(lines[place])
                place += 1
            _lay_out_quote(layout, quoted, quoted_writer, voice["speaker"])
            layout.voice = dict(voice)
        else:
            pending.append(line)
            place += 1
    end()


def _writer(said: str) -> _Writer:
    """The writer and the time of *Mon, 3 Mar 2024 at 10:00, Ann Lee <ann@acme.com>*."""
    address = _ADDRESS.search(said)
    before = said[: address.start()] if address else said
    when, _, who = before.strip(" ,").rpartition(",")
    if not when:
        when, who = "", before
    if any(map(str.isdigit, who)):
        # The time is last: "Ann Lee, 3 Mar 2024 10:00", or there is no comma before the name.
        words = who.split()
        last = max(
            (number for number, word in enumerate(words) if word[:1].isdigit() or word in ("AM", "PM")), default=-1
        )
        when, who = f"{when}, {' '.join(words[: last + 1])}", " ".join(words[last + 1 :])
    name = who.strip(" ,\"'") or (address[1] if address else "")
    return _Writer(name or None, _time(when.replace(" at ", " ").strip(" ,")))


def _forwarded(lines: list[str]) -> list[tuple[str, str]]:
    """The header lines of a mail that is quoted as a whole."""
    found: list[tuple[str, str]] = []
    for line in lines:
        match = _FIELD.match(line)
        if match is None:
            break
        found.append((match[1], match[2]))
    return found


def _lay_out_quote(layout: Layout, lines: list[str], writer: _Writer, listener: str | None = None) -> None:
    layout.voice = {"speaker": writer.name, "time": writer.time}
    if writer.name and listener:
        # Whoever answers a mail has received it.
        layout.voice["audience"] = (listener,)
    text = "\n".join(_MARKS.sub("", line) for line in lines)
    for block in line_blocks(text):
        words = block.of(text)
        if _SIGNATURE.match(words) or _WROTE.match(words):
            layout.leave_out(words, "signature of a quoted mail")
        elif block.kind in ("title", "heading", "turn", "paragraph", "item"):
            layout.add("quote", words)
        else:
            layout.add(block.kind, words, labels=block.labels, header=block.header)


def _lay_out_own(layout: Layout, text: str) -> None:
    """The text of the sender and the signature, without notices."""
    lines = text.rstrip().split("\n")
    signature = next((place for place, line in enumerate(lines) if _SIGNATURE.match(line.rstrip("\n"))), None)
    if signature is None:
        closing = next((place for place, line in enumerate(lines) if _CLOSING.match(line.strip())), None)
        if (
            closing is not None
            and 1 < len(lines) - closing <= 12
            and all(len(line) < 100 for line in lines[closing:])
        ):
            signature = closing
    if signature is None:
        # The last paragraph is read line by line where its lines are short: a name, and what a program adds.
        last = len(lines)
        while last and lines[last - 1].strip() and len(lines[last - 1]) < _WRAPPED:
            last -= 1
        if 1 < len(lines) - last <= _SHORT_LINES and not (last and lines[last - 1].strip()):
            signature = last
    own = "\n".join(lines[:signature])
    for block in line_blocks(own):
        words = block.of(own)
        if block.kind == "table":
            layout.add("table", words, labels=block.labels, header=block.header)
        elif block.kind == "turn":
            # Comments of several people, as in the mails of a help desk.
            layout.add("turn", words, speaker=block.speaker, audience=())
        else:
            layout.add("paragraph" if block.kind in ("title", "heading") else block.kind, words)
    if signature is not None:
        for paragraph in _unwrapped(lines[signature:]):
            layout.add("paragraph", paragraph.strip("- "))


def _unwrapped(lines: list[str]) -> Iterator[str]:
    """The lines of a signature, each by itself but for those that go on a long line."""
    pending: list[str] = []
    for line in [*lines, ""]:
        if pending and (not line.strip() or len(pending[-1]) < _WRAPPED):
            yield "\n".join(pending)
            pending.clear()
        if line.strip():
            pending.append(line)
