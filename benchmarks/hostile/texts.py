"""Hostile texts of any size: fragments that are repeated, nested and mixed until they fill it.

Everything is deterministic: a name and a size give one text, a seed gives one sequence of texts. Programs that scan
text fail on fragments that begin something and never end it (`<!--`, `"`), that end it in many ways (`a@a.a@`), that
nest, and that are long where everything else is short. `FRAGMENTS` lists such fragments by what they imitate.

    >>> text("nested '('", 12)
    '(((((a)))))'
    >>> name, first = next(generated(seed=1, size=200))
    >>> len(first) <= 200
    True
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping

Maker = Callable[[int], str]

# What is repeated, by what it imitates.
FRAGMENTS: Mapping[str, tuple[str, ...]] = {
    "space": (
        " ",
        "\t",
        "\n",
        " \n",
        "\n ",
        "\r\n",
        "\r",
        "\x0b",
        "\x0c",
        "\x1c",
        "\x85",
        "\u00a0",
        "\u2028",
        "\u3000",
    ),
    "mark": (
        *"!#$%&()*+,-./:;<=>?@[]^_`{|}~\"'\\",
        *"‘’“”«»„…–—•·§¶†",
        "''",
        "``",
        "...",
        ". ",
        '" ',
        "' ",
        "( ",
        ") ",
        "- ",
        ".)",
        "?!",
        '."',
    ),
    "address": (
        "a@",
        "a@a",
        "a.",
        "a.a@",
        "a-",
        "a_",
        "www.",
        "http://",
        "http://a.b/(",
        "a.com",
        "a.co.",
        "@a",
        "#a",
        "a/b/",
        "a&",
        "A&B",
        "A.",
        "Ph.D.",
        "e.g. ",
        "U.S. ",
        "Mr. ",
        ":-) ",
        ":)",
        "^_^",
        "file.txt.",
    ),
    "number": (
        "1",
        "1,",
        "1.",
        "1:",
        "1-",
        "1/",
        "1,000,",
        "1.000.",
        "+1",
        "12-34-",
        "1 ",
        "1st ",
        "$1",
        "1999-01-01 ",
        "in 1999 ",
        "May 5, ",
        "5 million ",
        "(555) 555-5555 ",
        "10%",
        "twenty ",
    ),
    "apostrophe": ("a'", "a’", "'s", "n't", "don't", "don't ", "'s ", "a's ", "s' ", "rock'n'", "I'm ", "'tis "),
    "unicode": (
        "\u0301",
        "e\u0301",
        "\u200b",
        "\u200d",
        "\u202e",
        "\u2066",
        "\ufeff",
        "\ufffd",
        "\u00ad",
        "\ufe0f",
        "\x00",
        "\x7f",
        "ﬁ",
        "İ",
        "ß",
        "Ǆ",
        "汉",
        "かな",
        "한",
        "ا",
        "ש",
        "ก",
        "हि",
        "👍🏽",
        "👩\u200d",
        "🇩",
        "\U0010ffff",
        "𝔘",
    ),
    "letter": ("a", "A", "Aa", "a ", "A ", "A. ", "a. ", "I ", "Aa ", "x1", "1x", "aB"),
    "markup": (
        "<",
        "<a",
        "<a ",
        "<a>",
        "</a>",
        "<!--",
        "<!",
        "<?",
        "<![CDATA[",
        "<script>",
        "<b>",
        "&amp;",
        "&#",
        "&#1",
        "&a",
        "[[",
        "[[a|",
        "{{",
        "{{a|",
        "{|",
        "|-\n",
        "|}",
        "== ",
        "=",
        "'''",
        "[a](",
        "![",
        "[a]: ",
        "**",
        "*a",
        "__",
        "_a ",
        "~~",
        "```",
        "```\n",
        "> ",
        "- a\n",
        "# ",
        "#\n",
        "1. a\n",
        "---\n",
        "\\",
        "\\\\",
        "\\begin{a}",
    ),
    "data": (
        "{",
        "[",
        '{"a":',
        "[1,",
        '"a":',
        '""',
        '","',
        "a,b\n",
        "a\tb\n",
        "\t",
        "a;b;",
        "key: ",
        "  - ",
        "(S ",
        "(a;b;c)",
        "\\u0041",
        "\\x41",
        "%41",
        "null,",
    ),
    "clause": (
        "a and ",
        "Ann and ",
        "Ann, ",
        "Ann or Bob ",
        "and or ",
        "who saw ",
        "the man who saw ",
        "that he said ",
        "which is ",
        "because he left ",
        "if not ",
        "not ",
        "never ",
        "he ",
        "He said. ",
        "She saw him. ",
        "It ",
        "they and them ",
        "his ",
        "of the ",
        "in the house of ",
        "Ann, the president, ",
        "Ann (the president) ",
        "Ann said that ",
        "said ",
        "to be to be ",
        "the old ",
        "very ",
        "Ann saw Bob and ",
        "Ann saw Bob. ",
        "Ann, who saw Bob, ",
        "by the man ",
        '"He left," she said. ',
        "No. ",
        "Yes! ",
        "Ann's ",
        "New York City ",
        "Ann gave Bob a book; ",
        "it was Ann that ",
        "there is ",
        "saw and heard and ",
    ),
}
# What is opened and closed.
PAIRS: tuple[tuple[str, str], ...] = (
    ("(", ")"),
    ("[", "]"),
    ("{", "}"),
    ("<", ">"),
    ('"', '"'),
    ("'", "'"),
    ("“", "”"),
    ("‘", "’"),
    ("«", "»"),
    ("``", "''"),
    ("( ", ") "),
    ('" ', '" '),
    ("“a ", "” "),
    ("‘“", "”’"),
    ("<b>", "</b>"),
    ("<div>", "</div>"),
    ("[[", "]]"),
    ("{{", "}}"),
    ("{|\n", "\n|}"),
    ("**", "**"),
    ("[", "](a)"),
    ("(a and ", " or b)"),
    ("the man that ", " saw "),
    ("Ann said “", ".”"),
    ('{"a":', "}"),
    ("[1,", "]"),
    ("(S (NP a) ", ")"),
    ("> ", "\n"),
)
# Ordinary text before and after, and what may make a long match fail at its end.
_BEFORE = ("", "", "", "Ann left. ", "Ann ", "x", '"', "(", "\n", " ")
_AFTER = ("", "", "", "\x00", "!", " .", " Ann left.", "\n", "x", '"', ")", "\n\nAnn left.")
_PLAIN = "Ann Lee, who was born in Oslo in 1970, founded the company. She said that it would grow. "


def _fill(unit: str, size: int) -> str:
    return unit * (size // len(unit) or 1)


def _repeated(fragment: str) -> Maker:
    return lambda size: _fill(fragment, size)


def _nested(opening: str, closing: str, core: str = "a") -> Maker:
    def make(size: int) -> str:
        depth = (size - len(core)) // (len(opening) + len(closing)) or 1
        return opening * depth + core + closing * depth

    return make


def _between(before: str, unit: str, after: str) -> Maker:
    return lambda size: before + _fill(unit, max(1, size - len(before) - len(after))) + after


def _named() -> dict[str, Maker]:
    makers: dict[str, Maker] = {"ordinary": _repeated(_PLAIN)}
    for fragments in FRAGMENTS.values():
        for fragment in fragments:
            makers[f"{fragment!r} repeated"] = _repeated(fragment)
    for opening, closing in PAIRS:
        makers[f"nested {opening!r}"] = _nested(opening, closing)
    # The shapes of known slow scans: a run, and an end that makes it match or fail.
    makers["spaces, then a line"] = _between("", " ", "\nAnn left.")
    makers["spaces between two lines"] = _between("Ann\n", " ", "\nleft")
    makers["blank lines, then a word"] = _between("", " \n", "Ann")
    makers["one long word"] = _between("Ann saw ", "a", ".")
    makers["one long number"] = _between("It cost ", "1", " euros.")
    makers["one long sentence"] = _between("Ann", " saw the house", ".")
    makers["closing marks, then no stop"] = _between("Ann.", '"', " a")
    makers["opening marks, then a word"] = _between("Ann. ", '"', "Bob left.")
    makers["wrapped lines"] = _repeated("The committee met on Tuesday to discuss the plans for the new bridge\n")
    makers["short lines"] = _repeated("apples\n")
    makers["growing lines"] = _growing_lines
    makers["every character once"] = _every_character
    return makers


def _growing_lines(size: int) -> str:
    lines, total, width = [], 0, 1
    while total + width + 1 <= size:
        lines.append("a" * width)
        total, width = total + width + 1, width + 1
    return "\n".join(lines)


def _every_character(size: int) -> str:
    return "".join(chr(code) for code in range(min(size, 0x11000)) if not 0xD800 <= code < 0xE000)


NAMED: Mapping[str, Maker] = _named()


def text(name: str, size: int) -> str:
    """The hostile text of a name in `NAMED`, of about `size` characters."""
    return NAMED[name](size)


def generated(seed: int, size: int) -> Iterator[tuple[str, str]]:
    """An endless sequence of hostile texts, each with a name that says how it was made."""
    source = random.Random(seed)
    number = 0
    while True:
        number += 1
        name, maker = random_maker(source)
        yield f"{seed}.{number} {name}", maker(size)[:size]


def random_maker(source: random.Random) -> tuple[str, Maker]:
    """A kind of hostile text that `NAMED` does not have: fragments mixed, nested in each other, and ended."""
    shape = source.randrange(4)
    before, after = source.choice(_BEFORE), source.choice(_AFTER)
    units = [_fragment(source) for _ in range(source.randint(1, 3))]
    if shape == 0:
        unit = "".join(units)
        return f"{before!r} + n * {unit!r} + {after!r}", _between(before, unit, after)
    if shape == 1:
        opening, closing = source.choice(PAIRS)
        opening, core = opening + units[0], units[-1]
        return f"n * {opening!r} + {core!r} + n * {closing!r}", _nested(opening, closing, core)
    if shape == 2:
        # Two long runs, one after the other: what the first began, the second does not end.
        def runs(size: int) -> str:
            return before + _fill(units[0], size // 2) + _fill(units[-1], size // 2) + after

        return f"{before!r} + n * {units[0]!r} + n * {units[-1]!r} + {after!r}", runs
    draw = source.getrandbits(32)

    def mixed(size: int) -> str:
        chooser = random.Random(draw)
        parts: list[str] = []
        total = 0
        while total < size:
            parts.append(chooser.choice(units))
            total += len(parts[-1])
        return before + "".join(parts) + after

    return f"{before!r} + any of {units!r} + {after!r}", mixed


def _fragment(source: random.Random) -> str:
    return source.choice(FRAGMENTS[source.choice(list(FRAGMENTS))])
