"""Ordinary texts without end: lines and paragraphs of files, the same changed a little, and generated forms."""

from __future__ import annotations

import gzip
import html
import random
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

# Folders with documentation, where a machine has them.
PLACES = ("/usr/share/doc", "/usr/share/perl", "/usr/share/common-licenses", "/usr/share/man", "/usr/lib/python3")
ENDINGS = (".txt", ".md", ".rst", ".html", ".tsv", ".csv", ".jsonl", ".json", ".conllu", ".pod", ".1", ".3", ".7", "")
SMALLEST, LARGEST = 2, 1_200
_TAGS = re.compile(r"<(?:script|style)\b.*?</(?:script|style)>|<[^>]*>", re.DOTALL | re.IGNORECASE)
_PARAGRAPH = re.compile(r"\n[ \t]*\n")

_PEOPLE = (
    "Ann Lee",
    "José",
    "Dr. Müller",
    "O'Brien",
    "Aleksey",
    "Queen Elizabeth II",
    "van der Berg",
    "Li Wei",
    "J. R.",
)
_PLACES = (
    "Oslo",
    "New York",
    "Czech",
    "the Hague",
    "São Paulo",
    "St. Louis",
    "U.S.",
    "Côte d'Ivoire",
    "German",
    "Asia",
)
_THINGS = (
    "cuisine",
    "Languages",
    "Nationality",
    "price",
    "Room 4b",
    "invoice",
    "HTTP/2",
    "the bridge",
    "C++",
    "e-mail",
)
_VERBS = ("founded", "is", "was born in", "says", "moved to", "won't", "has been sold by", "likes", "cost", "and")
_TIMES = (
    "4 March 2010",
    "Thu Mar  4 2010",
    "1999",
    "10:30",
    "yesterday",
    "2005-06",
    "Q3/21",
    "the 1990s",
    "5–7 May",
    "ca. 300 BC",
)
_SIZES = ("12", "3.5 kg", "$1,200.50", "50 %", "№ 7", "IV", "1/2", "−4 °C", "1e-9", "two dozen")
_FORMS = (
    "{thing}: {place}",
    "{thing}: {place}, {place}, {place}",
    "{person}, {place}, {time}",
    "{time} {person}",
    "{time} – {time} {thing}, {place}",
    "{size} {thing} {size}",
    "{number}. {thing}",
    "- {person} {verb} {place}",
    "* {thing} ({size})",
    "{person}: {verb} {thing}?",
    "[{time}] <{person}> {verb} {place} :-)",
    "Fig. {number}: {thing} of {place}, {time}",
    "{number} {place} Street, {place} {size}",
    "Tel. +47 {number} {number}, {person}@example.org",
    "| {thing} | {size} | {place} |",
    "{thing}\t{size}\t{place}",
    "if {thing} == {number}: return {place}",
    "# {thing} {verb} {place}",
    '"{thing} {verb} {place}", {person} said',
    "{person} {verb} {place} in {time}.",
    "{person} {verb} {place}, {place} and {place}; {person} {verb} {thing}.",
    "Re: {thing} {time}",
    "From: {person} <{person}@example.org>",
    "> {person} {verb} {thing}",
    "{place} {place} {place} {place}",
    "{person}'s {thing}'s {thing}",
    "The {thing} that {person} {verb} {verb} {place}",
    "{person} (born {time}; died {time}) {verb} {thing}",
    "https://example.org/{number}?q={thing} {verb}",
    "{thing}…{thing}—{thing}",
    "👍 {person} {verb} {place} 🎉",
    "{person} né à {place} le {time}, était un peintre.",
    "{person} wurde {time} in {place} geboren und lebte dort.",
    "{person}は{time}に{place}で生まれた。",
    "{person} родился в {place} в {time} году.",
    "ولد {person} في {place} عام {time}",
)


def generated(random_: random.Random) -> str:
    """An everyday form with random content."""
    slots: dict[str, Sequence[str]] = {
        "person": _PEOPLE, "place": _PLACES, "thing": _THINGS, "verb": _VERBS, "time": _TIMES, "size": _SIZES
    }  # fmt: skip

    def filled(found: re.Match[str]) -> str:
        name = found[1]
        return str(random_.randrange(10_000)) if name == "number" else random_.choice(slots[name])

    return re.sub(r"\{(\w+)\}", filled, random_.choice(_FORMS))


def changed(text: str, other: str, random_: random.Random) -> str:
    """The text as somebody else might have typed it, or a part of it, or both texts."""
    words = text.split()
    ways: tuple[Callable[[], str], ...] = (
        text.upper,
        text.lower,
        text.title,
        lambda: re.sub(r"[.!?,;:]", "", text),
        lambda: "  ".join(words),
        lambda: " ".join(words[: random_.randint(1, max(len(words), 1))]),
        lambda: " ".join(words[random_.randrange(max(len(words), 1)) :]),
        lambda: f"{text} {other}",
        lambda: f"{text}\n{other}",
        lambda: f"{text}: {other}",
        lambda: "\n".join(words),
        lambda: "\n".join(f"- {word}" for word in words),
        lambda: " ".join(word.capitalize() if random_.random() < 0.3 else word for word in words),
        lambda: f"({text})",
        lambda: f'"{text}"',
    )
    return random_.choice(ways)()


def files_below(folders: Sequence[str | Path]) -> list[Path]:
    """Readable text files below folders, by name."""
    found = {
        path
        for folder in folders
        for path in sorted(Path(folder).rglob("*"))
        if path.is_file()
        and Path(path.name.removesuffix(".gz")).suffix in ENDINGS
        and 0 < path.stat().st_size < 5_000_000
    }
    return sorted(found)


def _content(path: Path) -> str:
    raw = path.read_bytes()
    if path.suffix == ".gz":
        try:
            raw = gzip.decompress(raw)
        except (OSError, EOFError):
            return ""
    if b"\0" in raw[:4096]:
        return ""
    text = raw.decode("utf-8", "replace")
    return html.unescape(_TAGS.sub(" ", text)) if "<html" in text[:2000].lower() else text


def drawn(folders: Sequence[str | Path], random_: random.Random) -> Iterator[str]:
    """Distinct lines and paragraphs of all files, file by file in random order, a sample of long files."""
    files = files_below(folders)
    random_.shuffle(files)
    seen: set[int] = set()
    for path in files:
        text = _content(path)
        pieces = text.splitlines() if random_.random() < 0.6 else _PARAGRAPH.split(text)
        pieces = [piece for piece in pieces if SMALLEST <= len(piece.strip()) <= LARGEST]
        if len(pieces) > 3_000:
            pieces = random_.sample(pieces, 3_000)
        for piece in pieces:
            if (key := hash(piece)) not in seen:
                seen.add(key)
                yield piece


def texts(folders: Sequence[str | Path], seed: int) -> Iterator[str]:
    """Texts without end, the same for a seed and the same files: drawn ones, changed ones, and generated ones."""
    random_ = random.Random(seed)
    source = drawn(folders, random.Random(seed))
    last = "Label: Demonym"
    while True:
        kind = random_.random()
        text = next(source, None) if kind < 0.6 else None
        if text is None:
            text = generated(random_)
        elif kind > 0.45:
            text = changed(text, last, random_)
        last = text[:LARGEST]
        yield text
