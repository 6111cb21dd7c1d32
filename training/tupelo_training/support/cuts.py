"""A sentence as the parts of a text that it was cut from: the texts are not ours to copy, where they are cut is.

Parts are characters `start-end` of the text, with commas between them: *Rosa left Oslo.* is `0-9,22-26` of *Rosa left
the town of Oslo.* Case does not count, and neither does the mark at the end.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from tupelo_training.support.table import YES

_WORD = re.compile(r"\w+|[^\w\s]")


def cuts_of(sentence: str, text: str) -> str | None:
    """Where a sentence was cut from, each time as much in one piece as possible; `None` where it has other words."""
    found = list(_WORD.finditer(text))
    words = [match[0].lower() for match in found]
    places: dict[str, list[int]] = {}
    for place, word in enumerate(words):
        places.setdefault(word, []).append(place)
    said = [word.lower() for word in _WORD.findall(sentence.removesuffix("."))]
    parts, done = [], 0
    while done < len(said):
        best, length = 0, 0
        for start in places.get(said[done], ()):
            same = 1
            while done + same < len(said) and words[start + same : start + same + 1] == [said[done + same]]:
                same += 1
            if same > length:
                best, length = start, same
        if not length:
            return None
        parts.append(f"{found[best].start()}-{found[best + length - 1].end()}")
        done += length
    return ",".join(parts) or None


def cut(text: str, parts: str) -> str:
    """The sentence that some parts make.

    >>> cut("Rosa left the town of Oslo.", "0-9,22-26")
    'Rosa left Oslo.'
    """
    spans = (part.split("-") for part in parts.split(","))
    made = " ".join(text[int(start) : int(end)] for start, end in spans)
    return made[:1].upper() + made[1:] + "."


def spliced_claims(
    path: Path, texts: Mapping[str, str]
) -> Iterator[tuple[str, str, list[tuple[int, int, int]], bool]]:
    """Part of a text, claim, marks and label, as `written_claims`. A line is an ID, then signs with cuts, after tabs.

    `texts` are whole documents; those that are not there are passed over.
    """
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        for line in stream:
            name, *claims = line.rstrip("\n").split("\t")
            text = texts.get(name.partition("#")[0])
            for claim in claims if text is not None else ():
                made = cut(text or "", claim[1:])
                yield name, made, [(0, len(made), YES)] if claim[0] == "+" else [], claim[0] == "+"
