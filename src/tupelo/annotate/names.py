"""Names that people choose, and which of them are too easily taken for another.

After Unicode's UTS #39: the letters of a name come from one script (or are those of Japanese, Chinese or Korean, with
Latin among them), and no two names have the same skeleton, which is what is left when every character is replaced by
the one it looks like. The table of look-alikes is ours: `data/lookalikes.txt`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import cache

from tupelo.io.folders import packaged_files
from tupelo.web.refusals import Refusal

# Scripts that are written together; "highly restrictive" in UTS #39.
_TOGETHER = (
    {"LATIN", "CJK", "HIRAGANA", "KATAKANA"},
    {"LATIN", "CJK", "BOPOMOFO"},
    {"LATIN", "CJK", "HANGUL"},
)
# Printable for Python, but drawn as nothing: joiners, fillers and variation selectors.
_UNSEEN = frozenset(
    map(chr, (0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, *range(0x180B, 0x1810), *range(0xFE00, 0xFE10)))
) | frozenset(map(chr, range(0xE0100, 0xE01F0)))
# Within Latin: what the eye takes for `l` and `o`, and two letters for one.
_CLOSE = {"I": "l", "1": "l", "|": "l", "0": "o", "O": "o", "m": "rn"}


def name_key(name: str) -> str:
    """The form in which names are compared; it finds the person at sign-in."""
    return unicodedata.normalize("NFKC", " ".join(name.split())).casefold()


def usable_name(name: str) -> str:
    """A chosen name in its normal form; refused if it holds what cannot be seen or letters of several scripts."""
    name = unicodedata.normalize("NFKC", " ".join(name.split()))
    if not name or not name.isprintable() or not _UNSEEN.isdisjoint(name):
        raise Refusal("invalid", "The name needs visible characters only.", field="name")
    scripts = {_script(letter) for letter in name if unicodedata.category(letter) in ("Lu", "Ll", "Lt", "Lo")}
    if len(scripts) > 1 and not any(scripts <= together for together in _TOGETHER):
        found = " and ".join(sorted(script.capitalize() for script in scripts))
        raise Refusal("invalid", f"The name mixes letters of {found}; write it in one alphabet.", field="name")
    return name


def check_distinct(name: str, others: Iterable[str]) -> None:
    """Refuse a name that is, or looks like, one of `others`."""
    key, own = name_key(name), _skeletons(name)
    for other in others:
        if key == name_key(other) or any(map(str.__eq__, own, _skeletons(other))):
            message = "This name is taken, or looks like one that is. Choose another one."
            raise Refusal("conflict", message, field="name")


def _script(letter: str) -> str:
    """The script of a letter, which is the first word of its name in Unicode."""
    word = unicodedata.name(letter, "unknown").partition(" ")[0]
    return "CJK" if word == "IDEOGRAPHIC" else word


def _skeletons(name: str) -> tuple[str, str]:
    """The shapes of a name as it is written, and in whatever case."""
    shape = "".join(_lookalikes().get(one, one) for one in unicodedata.normalize("NFKD", name))
    return "".join(_CLOSE.get(one, one) for one in shape), shape.casefold()


@cache
def _lookalikes() -> dict[str, str]:
    lines = packaged_files("tupelo.annotate", "data")["lookalikes.txt"].decode("utf-8").splitlines()
    rows = [line.split() for line in lines if not line.startswith("#")]
    return {like: plain for plain, likes in rows for like in likes}
