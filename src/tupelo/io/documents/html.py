"""Web pages: the words that a reader sees, paragraphs apart. Nothing is run, loaded or followed.

The scanner goes through a page once, whatever stands in it; the standard library's needs time that grows with the
square of the size for pages such as a hundred thousand `<!--`, on the older Pythons that we support. It follows the
rules of HTML for tags, comments and quotes; what is opened and never closed is text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

from tupelo.io.documents import day_of

# Elements that people do not read, or not as sentences.
_HIDDEN = frozenset(["script", "style", "template", "noscript", "svg", "math", "head", "iframe", "object", "select"])
_BLOCK_TAGS = """
    address article aside blockquote body caption dd details dialog div dl dt fieldset figcaption
    figure footer form h1 h2 h3 h4 h5 h6 header hr html legend li main nav ol p pre section summary
    table td th tr ul
"""
_BLOCKS = frozenset(_BLOCK_TAGS.split())
_DATE_NAMES = frozenset(["article:published_time", "date", "dc.date", "dcterms.date", "datepublished"])
_BLANK_LINES = re.compile(r"\n{2,}")
_SPACE = re.compile(r"[^\S\n]+")
# No character has a number of more digits; Python refuses to read thousands of them.
_LONG_NUMBER = re.compile(r"&#(?:\d{8,}+|[xX][0-9a-fA-F]{7,}+);?")


class Page:
    """Collects text, title and date while tags go by; what is nested wrongly does no harm."""

    def __init__(self, markup: str) -> None:
        self._pieces: list[str] = []
        # The hidden elements that are open, in the order in which the first of each kind was opened.
        self._hidden: dict[str, None] = {}
        self._title: list[str] | None = None
        self.title: str | None = None
        self.published: str | None = None
        for token in _Scanner(markup).tokens():
            if isinstance(token, str):
                self._data(token)
            elif token.is_end:
                self._end(token.name)
            elif token.name not in _HIDDEN or not token.is_empty:
                self._start(token)

    def _start(self, tag: _Tag) -> None:
        if tag.name == "title" and self.title is None and "svg" not in self._hidden:
            self._title = []
        elif tag.name == "meta":
            self._meta(dict(tag.attributes()))
        elif tag.name in _HIDDEN:
            self._hidden.setdefault(tag.name)
        elif tag.name == "body":
            # A head that nobody closed ends here.
            self._hidden.clear()
        elif tag.name == "br":
            self._pieces.append("\n")
        elif tag.name in _BLOCKS:
            self._pieces.append("\n\n")

    def _end(self, name: str) -> None:
        if name == "title" and self._title is not None:
            self.title = " ".join("".join(self._title).split()) or None
            self._title = None
        elif name in self._hidden:
            while self._hidden.popitem()[0] != name:
                pass
        elif name in _BLOCKS:
            self._pieces.append("\n\n")

    def _data(self, text: str) -> None:
        if self._title is not None:
            self._title.append(text)
        elif not self._hidden:
            # Line breaks in the source are mere spaces.
            self._pieces.append(text.replace("\n", " "))

    def _meta(self, values: dict[str, str]) -> None:
        name = (values.get("property") or values.get("name") or values.get("itemprop") or "").lower()
        if name in _DATE_NAMES and self.published is None:
            self.published = day_of(values.get("content", ""))

    def text(self) -> str:
        paragraphs = _BLANK_LINES.split(_SPACE.sub(" ", "".join(self._pieces)))
        lines = ("\n".join(line.strip() for line in paragraph.split("\n")).strip() for paragraph in paragraphs)
        return "\n\n".join(line for line in lines if line)


class _Tag:
    """A tag; its attributes are looked at only when somebody asks."""

    __slots__ = ("_attributes", "is_end", "name")

    def __init__(self, name: str, attributes: str = "", *, is_end: bool = False) -> None:
        self.name, self._attributes, self.is_end = name.lower(), attributes, is_end

    @property
    def is_empty(self) -> bool:
        """Whether it ends in `/>`, and the slash does not belong to a value."""
        if not self._attributes.endswith("/"):
            return False
        last = self._attributes.rsplit(None, 1)[-1]
        return "=" not in last or last[-2] in "\"'"

    def attributes(self) -> Iterator[tuple[str, str]]:
        for found in _ATTRIBUTE.finditer(self._attributes):
            value = found[2] or ""
            quoted = value[:1] in ("'", '"') and value[:1] == value[-1:]
            yield found[1].lower(), _characters(value[1:-1] if quoted else value)


# Each takes what it can get and never gives it back, so that no scan is repeated.
_NAME = re.compile(r"[a-zA-Z][^\s/>\0]*+")
_ATTRIBUTE = re.compile(r"([^\s/>][^\s/=>]*+)(?:\s*+=++\s*+('[^']*+'|\"[^\"]*+\"|[^>\s]*+))?")
_UNTIL_MARK = re.compile(r"[^>=]*+")
_EQUALS = re.compile(r"=[=\s]*+")
_COMMENT_END = re.compile(r"--!?>")
# Elements whose content is no markup.
_RAW_END = {name: re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE) for name in ("script", "style")}


class _Scanner:
    """Tags and text of a page in one pass: no search begins where an earlier one has failed."""

    def __init__(self, markup: str) -> None:
        self._markup = markup
        # Behind the last of each there is no use in looking for another.
        self._last = {mark: markup.rfind(mark) for mark in (">", '"', "'", "]]>")}

    def tokens(self) -> Iterator[_Tag | str]:
        markup, place = self._markup, 0
        while place < len(markup):
            opening = markup.find("<", place)
            if not place <= opening <= self._last[">"]:
                # Nothing more is a tag.
                comment = markup.find("<!--", place)
                yield _characters(markup[place : comment if comment >= 0 else len(markup)])
                return
            if opening > place:
                yield _characters(markup[place:opening])
            token, place = self._token(opening)
            if token is None:
                continue
            yield token
            if isinstance(token, _Tag) and token.name in _RAW_END and not (token.is_end or token.is_empty):
                end = _RAW_END[token.name].search(markup, place)
                place = end.start() if end else len(markup)

    def _token(self, place: int) -> tuple[_Tag | str | None, int]:
        """The tag that begins with the `<` at a place (`None` for comments), and its end. There is a `>`."""
        markup = self._markup
        following = markup[place + 1]
        if following == "!":
            return None, self._declaration_end(place)
        is_end = following == "/"
        name = _NAME.match(markup, place + 1 + is_end)
        if name is None:
            # `</>`, `</ a>` and `<?a>` are nothing, `<` before anything else is itself.
            return (None, markup.index(">", place) + 1) if following in "/?" else ("<", place + 1)
        if is_end:
            return _Tag(name[0], is_end=True), markup.index(">", name.end()) + 1
        end = self._tag_end(name.end())
        return _Tag(name[0], markup[name.end() : end]), end + 1

    def _declaration_end(self, place: int) -> int:
        markup = self._markup
        if markup.startswith("<![CDATA[", place) and place < self._last["]]>"]:
            return markup.index("]]>", place) + 3
        if not markup.startswith("<!--", place) or markup.startswith((">", "->"), place + 4):
            return markup.index(">", place) + 1
        end = _COMMENT_END.search(markup, place + 4)
        # A comment that nobody closed takes everything.
        return end.end() if end else len(markup)

    def _tag_end(self, start: int) -> int:
        """The `>` of a tag; one within a quoted value is not it."""
        markup, place = self._markup, start
        while place <= self._last[">"]:
            place = _end(_UNTIL_MARK, markup, place)
            if markup.startswith(">", place):
                return place
            place = _end(_EQUALS, markup, place)
            quote = markup[place : place + 1]
            if self._last.get(quote, -1) > place and quote != ">":
                place = markup.index(quote, place + 1) + 1
        # A quotation mark has no partner from here on, so none of them means anything.
        self._last |= {'"': -1, "'": -1}
        return markup.index(">", start)


def _end(pattern: re.Pattern[str], text: str, place: int) -> int:
    found = pattern.match(text, place)
    return found.end() if found else place


def _characters(text: str) -> str:
    """The text with its character references resolved."""
    if "&#" in text:
        text = _LONG_NUMBER.sub("\ufffd", text)
    return unescape(text) if "&" in text else text
