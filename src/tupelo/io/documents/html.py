"""Web pages: the blocks that a reader sees, and those that are there for the site: menus, notices, footers.

Nothing is run, loaded or followed. The scanner goes through a page once, whatever stands in it; the standard
library's needs time that grows with the square of the size for pages such as a hundred thousand `<!--`, on the older
Pythons that we support. It follows the rules of HTML for tags, comments and quotes; what is opened and never closed
is text.

A block is left out for the element that it is in (`nav`, or a class such as `cookie-banner`; the words are in
`boilerplate.toml`), for being outside the main part of a page that has one, or for being a list of links. The others
are judged by `tupelo.io.documents.boilerplate`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from html import unescape
from importlib import resources
from itertools import groupby

from tupelo.io.documents import day_of
from tupelo.io.documents.boilerplate import without_empty_sections
from tupelo.io.documents.layout import Layout

# Elements that people do not read, or not as sentences.
_HIDDEN = frozenset(["script", "style", "template", "noscript", "svg", "math", "head", "iframe", "object", "select"])
_HIDDEN |= {"textarea", "datalist", "audio", "video", "canvas"}
_BLOCK_TAGS = """
    address article aside blockquote body caption dd details dialog div dl dt fieldset figcaption
    figure footer form h1 h2 h3 h4 h5 h6 header hr html legend li main nav ol p pre section summary
    table tbody td tfoot th thead tr ul option label input button
"""
_BLOCKS = frozenset(_BLOCK_TAGS.split())
_VOID = frozenset(["hr", "input", "option"])
_KINDS = {"li": "item", "blockquote": "quote", "pre": "code", "figcaption": "caption", "caption": "caption"}
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_DATE_NAMES = frozenset(["article:published_time", "date", "dc.date", "dcterms.date", "datepublished"])
_SPACE = re.compile(r"[^\S\n]+")
# No character has a number of more digits; Python refuses to read thousands of them.
_LONG_NUMBER = re.compile(r"&#(?:\d{8,}+|[xX][0-9a-fA-F]{7,}+);?")
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_INVISIBLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_SECTION_TAGS = {"nav": "menu", "footer": "footer", "aside": "beside the text", "form": "form", "dialog": "notice"}
_CONTENT_TAGS = frozenset(["main", "article"])
_HEADING_WORDS = frozenset(["title", "headline", "heading"])
_PAGE_WORDS = frozenset(["post", "page", "entry", "article", "main"])
OUTSIDE, LINKS = "outside the main part", "list of links"
# A main part with fewer characters, or a smaller share of the page, is not believed.
_LEAST_MAIN, _MAIN_SHARE = 200, 0.2
# A block is a link where links are this share of its characters.
_LINKED = 0.6
_ALL_LINKS = 0.75
_BUTTON_LEVEL = 4
# A table with a longer cell lays out a page.
_LONGEST_CELL = 1000
# Rows of a list of terms that is laid out with plain elements, and the longest of its texts.
_LEAST_PAIRS, _LONGEST_PAIR = 3, 100
# Deeper elements are ignored: their parents say what they are.
_DEEPEST = 400


@dataclass(slots=True)
class _Element:
    """An open element; `reason` is why what is in it is left out, `content` whether it is the main part."""

    name: str
    reason: str | None
    content: bool
    level: int = 0
    number: int = 0


@dataclass(slots=True)
class _Part:
    """A stretch of text between tags of blocks, or a whole table."""

    kind: str
    text: str
    reason: str | None
    content: bool
    level: int = 0
    linked: int = 0
    links: int = 0
    # Number of the list that an item belongs to.
    of_list: int = 0
    rows: list[list[str]] = field(default_factory=list)
    header: int | None = None
    # Numbers of the element around its own, and of the one around that.
    around: tuple[int, int] = (0, 0)


@dataclass(slots=True)
class _Table:
    """A table that is open: the texts of its cells, their columns and rows, and which of them are `th`."""

    rows: list[list[str]] = field(default_factory=list)
    sizes: list[list[tuple[int, int]]] = field(default_factory=list)
    labels: list[list[bool]] = field(default_factory=list)
    caption: str = ""
    nested: bool = False
    place: int = 0

    def add_row(self) -> None:
        self.rows.append([])
        self.sizes.append([])
        self.labels.append([])

    def add_cell(self, is_label: bool, attributes: dict[str, str]) -> None:
        if not self.rows:
            self.add_row()
        self.rows[-1].append("")
        self.labels[-1].append(is_label)
        columns, rows = (_count(attributes.get(name, "")) for name in ("colspan", "rowspan"))
        self.sizes[-1].append((columns, rows))

    def grid(self) -> list[list[str]]:
        """The rows with a cell per column; one that covers several is in the first column, and in all its rows."""
        made: list[list[str]] = []
        # Column -> text of a cell above and the number of rows that it still covers.
        above: dict[int, tuple[str, int]] = {}
        for row, sizes in zip(self.rows, self.sizes, strict=True):
            line: list[str] = []
            for text, (columns, rows) in [*zip(row, sizes, strict=True), (None, (0, 0))]:
                while len(line) in above:
                    covering, left = above.pop(len(line))
                    if left > 1:
                        above[len(line)] = covering, left - 1
                    line.append(covering)
                if text is not None:
                    if rows > 1:
                        above[len(line)] = text, rows - 1
                    line += [text, *[""] * (columns - 1)]
            made.append(line)
        return made

    def header(self) -> int | None:
        """The number of first rows that are labels; `None` where the markup does not say."""
        count = 0
        for labels in self.labels:
            if labels and not all(labels):
                break
            count += 1
        if 0 < count < len(self.rows):
            return count
        return 0 if any(labels[:1] == [True] for labels in self.labels) and count == 0 else None


def _count(text: str) -> int:
    return min(int(text), 50) if text.isascii() and text.isdigit() and int(text[:3]) else 1


@cache
def _known_words() -> dict[str, str]:
    """Words of classes, each with a reason."""
    data = tomllib.loads(resources.files(__package__).joinpath("boilerplate.toml").read_text("utf-8"))
    return {word: reason for reason, names in data["classes"].items() for word in names.split()}


class Page:
    """Collects parts, title and date while tags go by; what is nested wrongly does no harm."""

    def __init__(self, markup: str) -> None:
        self._pieces: list[str] = []
        self._linked = self._links = self._lists = self._begun = self._elements = 0
        # The hidden elements that are open, in the order in which the first of each kind was opened.
        self._hidden: dict[str, None] = {}
        self._open: list[_Element] = []
        self._counts: dict[str, int] = {}
        self._tables: list[_Table] = []
        self._title: list[str] | None = None
        self.title: str | None = None
        self.published: str | None = None
        self.parts: list[_Part] = []
        for token in _Scanner(markup).tokens():
            if isinstance(token, str):
                self._data(token)
            elif token.is_end:
                self._end(token.name)
            elif token.name not in _HIDDEN or not token.is_empty:
                self._start(token)
        self._flush()
        while self._tables:
            self._close_table()

    def _start(self, tag: _Tag) -> None:
        name = tag.name
        if name == "title" and self.title is None and "svg" not in self._hidden:
            self._title = []
        elif name == "meta":
            self._meta(dict(tag.attributes()))
        elif name in _HIDDEN:
            self._hidden.setdefault(name)
        elif name == "body":
            # A head that nobody closed ends here.
            self._hidden.clear()
            self._flush()
        elif name == "br":
            self._pieces.append("\n")
        elif name == "a":
            self._links += 1
            self._begun += 1
        elif name in _BLOCKS:
            self._open_block(tag)

    def _open_block(self, tag: _Tag) -> None:
        name = tag.name
        self._flush()
        if name in ("td", "th", "tr", "li", "dt", "dd", "p", "option"):
            # These end where the next one begins.
            self._pop(name, within=("table", "ul", "ol", "dl", "div", "section"))
        if name in ("ul", "ol", "dl"):
            self._lists += 1
        if name in _VOID or len(self._open) > _DEEPEST:
            return
        above = self._open[-1] if self._open else _Element("", None, False)
        reason, content = above.reason, above.content
        attributes = dict(tag.attributes()) if tag.has_attributes else {}
        if name in _CONTENT_TAGS or attributes.get("role") == "main":
            content = True
        if reason is None:
            reason = _reason_of(name, attributes, content)
        self._elements += 1
        self._open.append(_Element(name, reason, content, _level_of(name, attributes), self._elements))
        self._counts[name] = self._counts.get(name, 0) + 1
        if name == "table":
            if self._tables:
                self._tables[-1].nested = True
            self._tables.append(_Table(place=len(self.parts)))
        elif self._tables and name == "tr":
            self._tables[-1].add_row()
        elif self._tables and name in ("td", "th"):
            self._tables[-1].add_cell(name == "th", attributes)

    def _end(self, name: str) -> None:
        if name == "title" and self._title is not None:
            self.title = " ".join("".join(self._title).split()) or None
            self._title = None
        elif name in self._hidden:
            while self._hidden.popitem()[0] != name:
                pass
        elif name == "a":
            self._links = max(0, self._links - 1)
        elif name in _BLOCKS:
            self._flush()
            self._pop(name)
            if name == "table" and self._tables:
                self._close_table()

    def _pop(self, name: str, within: Sequence[str] = ()) -> None:
        """Close the last open element of a name, with all in it; not beyond one of `within`."""
        if not self._counts.get(name):
            return
        place = len(self._open) - 1
        while place >= 0 and self._open[place].name != name:
            if self._open[place].name in within:
                return
            place -= 1
        for element in self._open[place:]:
            self._counts[element.name] -= 1
        del self._open[place:]

    def _data(self, text: str) -> None:
        if self._title is not None:
            self._title.append(text)
        elif not self._hidden:
            if not self._counts.get("pre"):
                # Line breaks in the source are mere spaces.
                text = text.replace("\n", " ")
            self._pieces.append(text)
            if self._links:
                self._linked += len(text)

    def _meta(self, values: dict[str, str]) -> None:
        name = (values.get("property") or values.get("name") or values.get("itemprop") or "").lower()
        if name in _DATE_NAMES and self.published is None:
            self.published = day_of(values.get("content", ""))

    def _flush(self) -> None:
        """End the text of a block."""
        raw = "".join(self._pieces)
        linked, self._linked = self._linked, 0
        links, self._begun = self._begun, 0
        self._pieces.clear()
        if not raw.strip():
            return
        kind, level, element = self._kind()
        if self._counts.get("button"):
            # The text of a button belongs to the program, but for questions that open their answers.
            if not raw.rstrip().endswith("?") or len(raw) > _LONGEST_PAIR:
                return
            kind, level = "heading", level or _BUTTON_LEVEL
        if kind == "code":
            text = raw.strip("\n").rstrip()
        else:
            text = "\n".join(line.strip() for line in _SPACE.sub(" ", raw).split("\n")).strip()
        if self._tables and element is not None and self._tables[-1].rows and self._tables[-1].rows[-1]:
            row = self._tables[-1].rows[-1]
            row[-1] = f"{row[-1]} {text}".strip()
        elif self._tables and self._counts.get("caption") and kind == "caption":
            self._tables[-1].caption = text
            return
        reason = self._open[-1].reason if self._open else None
        content = self._open[-1].content if self._open else False
        of_list = self._lists if kind == "item" else 0
        part = _Part(kind, text, reason, content, level, linked, links, of_list)
        if len(self._open) > 2:
            part.around = self._open[-2].number, self._open[-3].number
        self.parts.append(part)

    def _kind(self) -> tuple[str, int, _Element | None]:
        """The kind of the text here, by the innermost element that has one, its level, and its cell."""
        cell = None
        kind, level = "", 0
        for element in reversed(self._open):
            if element.name in ("td", "th"):
                cell = element
                break
            if element.name == "table":
                break
            if not kind and element.level:
                kind, level = "heading", element.level
            elif not kind and element.name in _KINDS:
                kind = _KINDS[element.name]
            elif not kind and element.name in ("dt", "dd", "summary"):
                kind = element.name
        return kind or "paragraph", level, cell

    def _close_table(self) -> None:
        """A table with rows and columns is one part; one that only lays out a page is the parts in it."""
        table = self._tables.pop()
        rows = table.grid()
        width = max(map(len, rows), default=0)
        sizes = [len(cell) for row in rows for cell in row]
        is_data = not table.nested and len(rows) > 1 and width > 1 and max(sizes) < _LONGEST_CELL
        inside = self.parts[table.place :]
        if not is_data or not inside:
            return
        del self.parts[table.place :]
        first, linked = inside[0], sum(part.linked for part in inside)
        part = _Part("table", table.caption, first.reason, first.content, linked=linked)
        part.rows, part.header = rows, table.header()
        self.parts.append(part)

    def lay_out(self, layout: Layout) -> None:
        """Add the blocks to a layout, and what is left out."""
        parts = _paired(_with_pairs(self.parts))
        judged = _judged(parts, self.title)
        for part, reason in zip(parts, judged, strict=True):
            if reason is not None:
                rows = "\n".join("\t".join(row) for row in part.rows)
                layout.leave_out(rows or part.text, reason, part.kind)
            elif part.kind == "heading":
                layout.heading(part.text, part.level)
            elif part.kind == "table":
                layout.table(part.rows, part.header, part.text)
            else:
                layout.add(part.kind, part.text, part.linked / max(1, len(part.text)))


def _level_of(name: str, attributes: dict[str, str]) -> int:
    """The level of a heading, 0 for what is none; a class may say so: `post-title`."""
    if name in _HEADINGS:
        return _HEADINGS[name]
    if name not in ("div", "p") or "class" not in attributes:
        return 0
    named = {word.lower() for word in _WORDS.findall(attributes["class"])}
    if not named & _HEADING_WORDS:
        return 0
    return 1 if named & _PAGE_WORDS else 3


def _reason_of(name: str, attributes: dict[str, str], content: bool) -> str | None:
    """Why an element is left out, by its name, its role and its class."""
    if "hidden" in attributes or attributes.get("aria-hidden") == "true":
        return "hidden"
    if _INVISIBLE.search(attributes.get("style", "")):
        return "hidden"
    if name in _SECTION_TAGS and not (content and name in ("footer", "aside")):
        return _SECTION_TAGS[name]
    if name in ("body", "html", "main", "article"):
        return None
    known = _known_words()
    named = " ".join(attributes.get(key, "") for key in ("class", "id", "role"))
    if not named:
        return None
    found = [known[word] for word in map(str.lower, _WORDS.findall(named)) if word in known]
    return found[0] if found else None


def _with_pairs(parts: Sequence[_Part]) -> list[_Part]:
    """With rows of two short texts each, at least three of them in one element, as terms and definitions."""
    rows = [list(group) for _, group in groupby(parts, key=lambda part: part.around)]
    found: list[_Part] = []
    for (_, outer), run in groupby(rows, key=lambda row: (_is_pair(row), row[0].around[1] if _is_pair(row) else 0)):
        own = list(run)
        for row in own:
            if outer and len(own) >= _LEAST_PAIRS:
                row[0].kind, row[1].kind = "dt", "dd"
            found += row
    return found


def _is_pair(row: Sequence[_Part]) -> bool:
    texts = [part.text for part in row]
    return (
        len(row) == 2
        and all(part.kind == "paragraph" and not part.linked for part in row)
        and max(map(len, texts)) < _LONGEST_PAIR
        and len(texts[0].split()) < 6
        and texts[0][-1] not in ".!?"
    )


def _paired(parts: Sequence[_Part]) -> list[_Part]:
    """With terms and their definitions as one part each; a question that is unfolded is a heading."""
    found: list[_Part] = []
    # A term, and whether it has been defined.
    term: _Part | None = None
    defined = False
    for part in parts:
        if part.kind == "dd" and term is not None:
            text = f"{' '.join(term.text.split())}\t{' '.join(part.text.split())}"
            found.append(_Part("definition", text, part.reason, part.content, linked=part.linked))
            defined = True
            continue
        if term is not None and not defined:
            term.kind = "paragraph"
            found.append(term)
        term, defined = (part, False) if part.kind == "dt" else (None, False)
        if part.kind == "summary":
            part.kind, part.level = "heading", 5
        elif part.kind == "dd":
            part.kind = "paragraph"
        if term is None:
            found.append(part)
    if term is not None and not defined:
        term.kind = "paragraph"
        found.append(term)
    return found


def _judged(parts: Sequence[_Part], title: str | None) -> list[str | None]:
    """Why each part is left out, `None` for those that stay."""
    reasons = [part.reason for part in parts]
    sizes = [len(part.text) + sum(len(cell) for row in part.rows for cell in row) for part in parts]
    kept = sum(size for size, reason in zip(sizes, reasons, strict=True) if reason is None)
    main = sum(
        size for size, part, reason in zip(sizes, parts, reasons, strict=True) if part.content and reason is None
    )
    has_main = main >= _LEAST_MAIN and main >= _MAIN_SHARE * kept
    for number, part in enumerate(parts):
        if reasons[number] is not None:
            continue
        if has_main and not part.content and not (part.kind == "heading" and part.level == 1):
            reasons[number] = OUTSIDE
        elif (
            part.kind != "heading"
            and part.links > 2
            and part.linked > _ALL_LINKS * sizes[number]
            and part.text[-1:] != "."
        ):
            reasons[number] = LINKS
        elif part.kind == "table" and part.linked > _LINKED * sizes[number] and sizes[number] < 2000:
            reasons[number] = LINKS if all(len(row) == 1 for row in part.rows) else None
    _leave_out_link_lists(parts, reasons)
    return without_empty_sections([(part.kind, part.level) for part in parts], reasons)


def _leave_out_link_lists(parts: Sequence[_Part], reasons: list[str | None]) -> None:
    """Runs of parts that are nothing but links: menus without a name, related pages."""
    run: list[int] = []

    def end() -> None:
        if len(run) >= 3 or (len(run) == 2 and parts[run[0]].of_list):
            for place in run:
                reasons[place] = reasons[place] or LINKS
        run.clear()

    for number, part in enumerate(parts):
        is_link = (
            part.kind in ("item", "paragraph") and part.linked > _LINKED * len(part.text) and len(part.text) < 150
        )
        if is_link:
            run.append(number)
        elif part.kind != "table" or run:
            end()
    end()


def visible_text(markup: str) -> str:
    """The text of all parts of a piece of markup, paragraphs apart."""
    page = Page(markup)
    texts = (part.text or "\n".join("\t".join(row) for row in part.rows) for part in page.parts)
    return "\n\n".join(texts)


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

    @property
    def has_attributes(self) -> bool:
        return "=" in self._attributes or "hidden" in self._attributes

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
