"""Documents in files, folders and archives, by the ending of the name. A new kind is a function and a line here."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import PurePath
from typing import IO, Any, TypeAlias

from tupelo.core import FormatError, InputError, Registry
from tupelo.core.document import Document
from tupelo.core.limits import LimitError, Limits

UTF8 = "utf-8"
# Python's names of the encodings that text has. It has others: some do not decode text, one takes quadratic time.
_ENCODINGS = re.compile(r"utf-(8|16)|ascii|cp\d|iso8859|koi8|mac-|gb|big5|euc_|shift_jis|iso2022|tis|hz")


def text_encoding(name: str) -> str | None:
    """The name that Python has for an encoding of text.

    >>> text_encoding("Latin-1"), text_encoding("zip")
    ('iso8859-1', None)
    """
    try:
        found = codecs.lookup(name).name
    except (LookupError, ValueError):
        return None
    return found if _ENCODINGS.match(found) else None


@dataclass(frozen=True, slots=True)
class Reading:
    """Options of reading documents. `encoding` is that of text which does not name its own and is not UTF-8.

    With `links`, pages of MediaWiki keep their links as `[[page|words]]`, and redirects are documents too. With
    `boilerplate`, nothing is left out: menus, notices and footers are text like any other.
    """

    limits: Limits = field(default_factory=Limits)
    encoding: str = UTF8
    links: bool = False
    boilerplate: bool = False

    def __post_init__(self) -> None:
        if text_encoding(self.encoding) is None:
            raise InputError(f"encoding '{self.encoding}' is not known, expected a name such as cp1252 or latin-1")

    @property
    def options(self) -> dict[str, Any]:
        """Values that differ from the defaults."""
        chosen = {
            "limits": self.limits.changes,
            "encoding": self.encoding if self.encoding != UTF8 else "",
            "links": self.links,
            "boilerplate": self.boilerplate,
        }
        return {name: value for name, value in chosen.items() if value}

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Reading:
        """The opposite of `options`."""
        others = {name: options[name] for name in ("encoding", "links", "boilerplate") if name in options}
        return cls(Limits.of(options.get("limits")), **others)

    def whole(self, stream: IO[bytes], source: str) -> bytes:
        """All of a document at once, if it is not too large."""
        most = self.limits.document
        data = stream.read(most + 1)
        if len(data) > most:
            raise LimitError(source, "document", "a larger document", most)
        return data


@dataclass(frozen=True, slots=True)
class NoDocument:
    """Something that holds no document, such as a picture in an archive, and why it is not read."""

    source: str
    reason: str


UNKNOWN_KIND = "not a known kind of document"
# Formats whose readers jump about in a file; the others read from start to end.
SEEKING = frozenset(["parquet", "archive", "pdf", "docx", "xlsx", "epub"])

# Results of a reader: documents, and complaints about those that cannot be read. It raises when nothing more can be.
Found: TypeAlias = Document | NoDocument | InputError | FormatError
Reader: TypeAlias = Callable[[IO[bytes], str, Reading], Iterator[Found]]

# Formats by name: the reader, and the endings of file names.
_FORMATS = """
    text       markup:read_text      .txt .text
    markdown   markup:read_markdown  .md .markdown
    html       markup:read_html      .html .htm .xhtml
    epub       office:read_epub      .epub
    mail       mail:read_mail        .eml
    mailbox    mail:read_mailbox     .mbox
    csv        sheets:read_csv       .csv .tsv
    xlsx       sheets:read_xlsx      .xlsx
    subtitles  talk:read_subtitles   .srt .vtt
    chat       talk:read_chat        .json
    notebook   markup:read_notebook  .ipynb
    jsonl      records:read_jsonl    .jsonl .ndjson
    parquet    records:read_parquet  .parquet
    pdf        office:read_pdf       .pdf
    docx       office:read_docx      .docx
    archive    records:read_archive  .zip .tar .tar.gz .tgz
    mediawiki  wiki:read_mediawiki   .xml
"""
_ROWS = [row.split() for row in _FORMATS.strip().split("\n")]
READERS: Registry[Reader] = Registry(
    "document format", {name: f"tupelo.io.documents.{reader}" for name, reader, *_ in _ROWS}
)
ENDINGS = {ending: name for name, _, *endings in _ROWS for ending in endings}


def day_of(text: str) -> str | None:
    """The day that a text begins with, if there is such a day.

    >>> day_of("2020-02-29T10:00"), day_of("2021-02-29"), day_of("May 5")
    ('2020-02-29', None, None)
    """
    try:
        return date.fromisoformat(text[:10]).isoformat() if text[4:5] == text[7:8] == "-" else None
    except ValueError:
        return None


_DAY = (
    r"(\d{1,2}(?:st|nd|rd|th)? [A-Z][a-z]{2,8}\.?,? \d{4}"
    r"|[A-Z][a-z]{2,8}\.? \d{1,2}(?:st|nd|rd|th)?, \d{4}|\d{4}-\d\d-\d\d)"
)
# Lines at the head of a text that give its day: *Updated …*, a dateline, a line that ends or begins with it.
_HEAD_DAYS = tuple(
    re.compile(form, re.MULTILINE)
    for form in (
        rf"^[^\n!?]{{0,60}}\b(?:(?i:dated?|published|updated|held|issued|posted|page of)):?(?: on)? {_DAY}",
        rf"^[A-Z][A-Za-z .'’-]{{2,40}},? \(?{_DAY}[^\n]{{0,30}} ?[—–-] ",
        rf"^(?:[^\n.!?]{{0,70}}, )?[^\w\n]{{0,8}}{_DAY}(?:, \d\d:\d\d)?[^\w\n]{{0,8}}$",
        rf"^[^\w\n]{{0,8}}{_DAY}, [^\n.]{{0,60}}$",
    )
)
_ORDINAL = re.compile(r"(?<=\d)(?:st|nd|rd|th)|[.,]")
# Characters and lines at the head of a text.
_HEAD, _HEAD_LINES = 500, 6


def head_day(text: str) -> str | None:
    """The day that the first lines of a text give for it.

    >>> head_day("Ferries merge\\n\\nBy Ann Lee, 14 May 2019\\n\\nThe ferries"), head_day("He left on 3 May 2019.")
    ('2019-05-14', None)
    """
    lines = [line for line in text[:_HEAD].split("\n") if line.strip()][:_HEAD_LINES]
    head = "\n".join(lines)
    found = next(filter(None, (form.search(head) for form in _HEAD_DAYS)), None)
    written = _ORDINAL.sub("", found[1]) if found else ""
    for form in ("%d %B %Y", "%d %b %Y", "%B %d %Y", "%b %d %Y", "%Y-%m-%d"):
        try:
            return datetime.strptime(written, form).date().isoformat()
        except ValueError:
            continue
    return None


def format_of(name: str) -> str | None:
    """The format that the ending of a file name stands for; `.gz` or `.bz2` after it does not matter.

    >>> format_of("notes/May.MD"), format_of("news.jsonl.gz"), format_of("wiki.xml.bz2"), format_of("photo.png")
    ('markdown', 'jsonl', 'mediawiki', None)
    """
    suffixes = [suffix.lower() for suffix in PurePath(name).suffixes[-2:]]
    for ending in ("".join(suffixes), suffixes[-1] if suffixes else ""):
        if ending in ENDINGS:
            return ENDINGS[ending]
    if len(suffixes) == 2 and suffixes[1] in (".gz", ".bz2"):
        return ENDINGS.get(suffixes[0])
    return None
