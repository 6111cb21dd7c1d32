"""The prose of a wiki page: without templates, tables, pictures, references and marks of style.

Not a parser of the whole language. What it does not know it leaves out rather than in: text that was written by a
template is lost, a link keeps the words that readers see. Headings, lists and captions are no prose and are left out.
"""

from __future__ import annotations

import re
from html import unescape

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_BLOCKS = re.compile(
    r"<(ref|math|gallery|source|syntaxhighlight|code|timeline|score|table|imagemap|chem)\b"
    r"(?:[^<>]*/>|[^<>]*>.*?(?:</\1\s*>|\Z))",
    re.DOTALL | re.IGNORECASE,
)
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_OUTSIDE = re.compile(r"\[(?:https?:|ftp:)?//[^\s\]]+\s*([^\]]*)\]")
_STYLE = re.compile(r"'{2,}")
_SWITCH = re.compile(r"__[A-Z]+__")
_HEADING = re.compile(r"^=+.*=+\s*$")
_PRONUNCIATION = re.compile(r"\(\s*[;,:]*\s*\)")
# Links into these do not stand for words: pictures, categories, other languages.
_NAMESPACES = re.compile(r"\s*:?(?:file|image|category|media|[a-z]{2,3}(?:-[a-z]+)?)\s*:", re.IGNORECASE)
_NO_PROSE = ("*", "#", ":", ";", "|", "!", "{", "}")
# What is listed at the end of an article is no prose either.
_LAST_SECTIONS = frozenset(["references", "external links", "see also", "notes", "further reading", "bibliography"])


def plain_text(wikitext: str) -> str:
    """The paragraphs of a page, one a line, with an empty line between them.

    >>> plain_text("'''Ann Lee''' (born 5 May 1970)<ref>A book</ref> is a [[poet|Swiss poet]].{{stub}}")
    'Ann Lee (born 5 May 1970) is a Swiss poet.'
    """
    text = _COMMENT.sub("", wikitext)
    text = _BLOCKS.sub("", text)
    text = _without_nested(text, "{{", "}}")
    text = _without_nested(text, "{|", "|}")
    text = _links(text)
    text = _OUTSIDE.sub(lambda match: match[1], text)
    text = unescape(_TAG.sub("", _STYLE.sub("", _SWITCH.sub("", text)))).replace("\xa0", " ")
    paragraphs: list[list[str]] = [[]]
    for line in text.split("\n"):
        if _HEADING.match(line):
            if line.strip("= \t").lower() in _LAST_SECTIONS:
                break
            paragraphs.append([])
            continue
        line = " ".join(_PRONUNCIATION.sub("", line).split())
        if line and not line.startswith(_NO_PROSE):
            # A single line break is a space, as on the page.
            paragraphs[-1].append(line.replace(" ,", ",").replace(" .", "."))
        else:
            paragraphs.append([])
    return "\n\n".join(" ".join(lines) for lines in paragraphs if lines)


def _without_nested(text: str, opening: str, closing: str) -> str:
    """Without everything between two marks, which may stand within each other; an open end is cut off."""
    kept: list[str] = []
    depth = place = 0
    for match in re.finditer(f"{re.escape(opening)}|{re.escape(closing)}", text):
        if depth == 0:
            kept.append(text[place : match.start()])
        if match[0] == opening:
            depth += 1
        elif depth:
            depth -= 1
        place = match.end()
    return "".join(kept) + (text[place:] if depth == 0 else "")


def _links(text: str) -> str:
    """`[[page|words]]` to the words; pictures, whose captions hold links themselves, to nothing."""
    # What is open: the text so far, one list for each link that has begun.
    open_links: list[list[str]] = [[]]
    place = 0
    for match in re.finditer(r"\[\[|\]\]", text):
        open_links[-1].append(text[place : match.start()])
        place = match.end()
        if match[0] == "[[":
            open_links.append([])
        elif len(open_links) > 1:
            inside = "".join(open_links.pop())
            open_links[-1].append("" if _NAMESPACES.match(inside) else inside.split("|")[-1])
    open_links[-1].append(text[place:])
    # Links that never end are words.
    return "".join("".join(part) for part in open_links)
