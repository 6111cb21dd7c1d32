"""PDF files, with the packages of the extra `documents`, Word files and e-books."""

from __future__ import annotations

import logging
import posixpath
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import IO, Any
from urllib.parse import unquote
from xml.etree.ElementTree import Element, ParseError, XMLParser

from tupelo.core import InputError, MissingExtraError
from tupelo.core.blocks import is_number
from tupelo.core.limits import LimitError
from tupelo.io.archives import Allowance, entries
from tupelo.io.documents import UTF8, Found, Reading, day_of
from tupelo.io.documents.html import Page
from tupelo.io.documents.layout import Layout
from tupelo.io.documents.markup import decode

_HYPHEN = re.compile(r"(?<=[a-z])-\n(?=[a-z])")
# A gap between the columns of a page that is laid out with spaces.
_GAP = re.compile(r" {3,}")
_BULLET = re.compile(r"\s*(?:[•‣◦▪●–*-]|\(?\d{1,2}[.)])\s+(?=\S)")
_PAGE_NUMBER = re.compile(
    r"[-–]? ?\d{1,4}(?: ?/ ?\d{1,4})? ?[-–]?|.{0,60}\bpage \d{1,4}\b.{0,60}|(?:.{1,60}  )?\d{1,3} of \d{1,3}",
    re.IGNORECASE,
)
_SECTION = re.compile(r"\d{1,2}(?:\.\d{1,2})*\.? [A-Z][^.!?:;]{0,60}(?<!,)")
_LABEL = re.compile(r"[A-Z][\w ]{1,25}: \S")
_DIGITS = re.compile(r"\d+|\s{2,}")
_EDGE_LINES = 3
# Small print is smaller than this share of the usual size.
_SMALL = 0.92
_HEADING = re.compile(r"heading (\d)")
# Kinds of paragraphs by the first words of the name of their style.
_STYLES = {
    "list": "item",
    "bullet": "item",
    "quote": "quote",
    "intense quote": "quote",
    "caption": "caption",
    "toc": "contents",
    "table of": "contents",
}
# Two columns of text, not of a table: long on both sides of the same gap.
_LONG_CELL = 28
_RUNNING = "running header or footer"
# Names in Word files: of elements, characters that are elements, running headers, properties, styles; parts to read.
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_SPACES = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_MARGINS = re.compile(r"word/(?:header|footer)\d*\.xml")
_STYLE = re.compile(rb'<w:style (?>[^<>]*?w:styleId="([^"<>]*)")[^<>]*>\s*<w:name w:val="([^"<>]*)"')
_WORD_PARTS = re.compile(r"^(?:word/(?:document|styles|header|footer)\d*|docProps/core)\.xml\Z")
_BOOK_PARTS = re.compile(r"(?i)\.(?:opf|xml|x?html?)\Z")
_CORE = ("title", "created")
_MOST_COLUMNS = 100
# Characters of a cell that is told again in each of its rows and columns.
_LONGEST_REPEATED = 200


@contextmanager
def naming_broken(source: str, what: str, expected: str) -> Iterator[None]:
    """Name the file where a library raises whatever it likes."""
    try:
        yield
    except LimitError:
        raise
    except InputError as error:
        raise InputError(str(error).replace("broken archive", f"broken {what}")) from error
    except Exception as error:  # the libraries pass on whatever zip, XML and broken objects raise, even recursion
        reason = f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
        raise InputError(f"{source}: broken {what} ({reason}), expected {expected}") from error


def read_pdf(stream: IO[bytes], source: str, reading: Reading) -> Iterator[Found]:
    """The text layer of all pages; a scan without one is complained about."""
    try:
        import pypdf
    except ImportError as error:
        raise MissingExtraError(f"{source}: PDF", "documents") from error
    # Its warnings about a broken file come as exceptions, too.
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    layout = Layout(source, reading)
    with naming_broken(source, "PDF", "a complete one"):
        pdf = pypdf.PdfReader(stream)
        if pdf.is_encrypted and not pdf.decrypt(""):
            raise InputError(f"{source}: needs a password, expected a PDF that anybody can read")
        pages, margins = zip(*(_page_lines(page) for page in pdf.pages), strict=True) if pdf.pages else ((), ())
        information = pdf.metadata
        title = information.title if information else None
        created = information.creation_date if information else None
    if not any(map(str.strip, (line for page in pages for line in page))):
        raise InputError(f"{source}: no text in {len(pages)} page(s), expected a PDF with a text layer")
    _lay_out_pages(layout, pages, margins)
    yield layout.document(
        "application/pdf", (title or "").strip() or None, created.date().isoformat() if created else None
    )


def _page_lines(page: Any) -> tuple[list[str], set[str]]:
    """The lines of a page with its columns apart, and the words in small print at its edges.

    A page of two columns of text is in reading order.
    """
    printed: list[tuple[float, str]] = []
    plain = page.extract_text(
        visitor_text=lambda text, _, matrix, __, size: printed.append((round(abs(size * matrix[3]), 1), text))
    )
    lines = page.extract_text(extraction_mode="layout").replace("\0", "").split("\n")
    rows = [_GAP.split(line.strip()) for line in lines if line.strip()]
    two = [row for row in rows if len(row) == 2 and min(map(len, row)) >= _LONG_CELL]
    if len(two) > max(5, 0.4 * len(rows)):
        lines = plain.replace("\0", "").split("\n")
    return [line.replace("\x7f", "•").rstrip() for line in lines], _small_print(printed)


def _small_print(printed: Sequence[tuple[float, str]]) -> set[str]:
    """Lines that are printed smaller than most of a page, and not elsewhere as a title."""
    sizes = Counter[float]()
    for size, text in printed:
        sizes[size] += len(text.strip())
    usual = sizes.most_common(1)[0][0] if sizes else 0.0
    large = {" ".join(text.split()) for size, text in printed if size >= _SMALL * usual}
    return {" ".join(text.split()) for _, text in printed if text.strip()} - large


def _lay_out_pages(layout: Layout, pages: Sequence[Sequence[str]], margins: Sequence[set[str]] | None = None) -> None:
    edges = Counter(key for page in pages for key in {_DIGITS.sub("0", line.strip()) for line in _edge(page)})
    pending: list[str] = []
    for page, small in zip(pages, margins or [set()] * len(pages), strict=True):
        edge = {line for line in _edge(page) if edges[_DIGITS.sub("0", line.strip())] > max(1, len(pages) // 2)}
        edge |= {line for line in _edge(page) if _PAGE_NUMBER.fullmatch(line.strip())}
        edge |= set(_margin(page, small)) | set(_margin(page[::-1], small))
        for line in page:
            if line in edge:
                layout.leave_out(line, _RUNNING)
            else:
                pending.append(line)
        pending.append("")
    _lay_out_lines(layout, pending)


def _margin(page: Sequence[str], small: set[str]) -> list[str]:
    """The first lines of a page in small print, which are no rows of a table."""
    filled = [line for line in page if line.strip()][:_EDGE_LINES]
    found: list[str] = []
    for line in filled:
        parts = [" ".join(part.split()) for part in _GAP.split(line.strip())]
        if not all(part in small for part in parts) or (len(parts) > 1 and not is_number(parts[-1])):
            break
        found.append(line)
    return found


def _edge(page: Sequence[str]) -> list[str]:
    filled = [line for line in page if line.strip()]
    return [*filled[:_EDGE_LINES], *filled[-_EDGE_LINES:]] if len(filled) > 2 * _EDGE_LINES else filled[-1:]


def _lay_out_lines(layout: Layout, lines: Sequence[str]) -> None:
    """Rows of a table are lines with wide gaps; a blank line or a short one ends a paragraph."""
    widest = sorted(len(line.strip()) for line in lines if line.strip())[-max(1, len(lines) // 20) :][0]
    paragraph: list[str] = []
    rows: list[list[tuple[int, str]]] = []
    numbered = [line.strip() for line in lines if _SECTION.fullmatch(line.strip())]
    firsts = [int(_DIGITS.findall(one)[0]) for one in numbered]
    sections = set(numbered if len({*firsts}) > 1 and sorted({*firsts}) == [*dict.fromkeys([1, *firsts])] else ())

    def end_paragraph() -> None:
        if paragraph and paragraph[0] in sections:
            layout.heading(paragraph[0], 2)
        elif paragraph:
            _add_paragraph(layout, paragraph)
        paragraph.clear()

    def end_table() -> None:
        if len(rows) > 1:
            layout.table(_aligned(rows))
        else:
            for row in rows:
                layout.add("paragraph", "  ".join(cell for _, cell in row))
        rows.clear()

    for line in lines:
        cells = _cells(line)
        if len(cells) > 1 and not _BULLET.fullmatch(f"{cells[0][1]} "):
            end_paragraph()
            rows.append(cells)
        elif not line.strip():
            end_paragraph()
        elif (
            rows
            and cells
            and rows[-1][0][0] < cells[0][0]
            and len(line.strip()) < 60
            and any(abs(place - cells[0][0]) < 3 for place, _ in rows[-1][1:])
        ):
            # A cell that goes on in the next line.
            place = min(range(len(rows[-1])), key=lambda at: abs(rows[-1][at][0] - cells[0][0]))
            rows[-1][place] = rows[-1][place][0], f"{rows[-1][place][1]} {cells[0][1]}"
        else:
            end_table()
            text = line.strip()
            is_short = paragraph and len(paragraph[-1]) < 0.6 * widest and text[:1].isupper()
            is_new = _BULLET.match(line) or text in sections or not sections.isdisjoint(paragraph)
            if is_new or is_short or (paragraph and _LABEL.match(paragraph[-1]) and text[0].isupper()):
                end_paragraph()
            paragraph.append(text)
    end_paragraph()
    end_table()


def _cells(line: str) -> list[tuple[int, str]]:
    """The cells of a line with their columns of characters."""
    found: list[tuple[int, str]] = []
    place = len(line) - len(line.lstrip())
    text = line.strip()
    begin = 0
    for gap in [*_GAP.finditer(text), None]:
        end = gap.start() if gap else len(text)
        if end > begin:
            found.append((place + begin, text[begin:end]))
        begin = gap.end() if gap else end
    return found


def _aligned(rows: Sequence[Sequence[tuple[int, str]]]) -> list[list[str]]:
    """Rows with a cell per column; the row with most cells says where the columns are."""
    model = max(rows, key=len)
    spans = [(place, place + len(cell)) for place, cell in model]
    made = []
    for row in rows:
        if len(row) == len(model):
            made.append([cell for _, cell in row])
            continue
        line = [""] * len(model)
        for place, cell in row:
            middle = place + len(cell) / 2
            nearest = min(
                range(len(spans)), key=lambda at: min(abs(spans[at][0] - place), abs(sum(spans[at]) / 2 - middle))
            )
            line[nearest] = f"{line[nearest]} {cell}".strip()
        made.append(line)
    return made


def _add_paragraph(layout: Layout, lines: Sequence[str]) -> None:
    text = _HYPHEN.sub("", "\n".join(lines)).replace("\n", " ")
    if item := _BULLET.match(text):
        if len(text) < 80 and item[0].strip()[0].isdigit() and text[-1] not in ".,;" and len(lines) == 1:
            layout.heading(text, 2)
        else:
            layout.add("item", text[item.end() :])
    elif len(lines) == 1 and _looks_like_heading(text):
        layout.heading(text, 1 if not layout.path else 2)
    else:
        layout.add("paragraph", text)


def _looks_like_heading(text: str) -> bool:
    words = text.split()
    if len(text) > 80 or text[-1] in ".!?,;:" or len(words) > 12 or is_number(text) or ":" in text or "@" in text:
        return False
    return text[0].isupper() or text[0].isdigit()


def read_docx(stream: IO[bytes], source: str, reading: Reading) -> Iterator[Found]:
    """Paragraphs, lists and tables in their order, with the headings above them."""
    layout = Layout(source, reading)
    with naming_broken(source, "Word file", "a complete .docx"):
        parts = _parts(stream, source, reading, _WORD_PARTS)
        main = min(name for name in parts if name.startswith("word/document"))
        body = _xml(parts[main], source).find(f"{_W}body")
        # As text: the styles are often a hundred times longer than the document.
        styles = {
            one[1].decode(): one[2].decode().lower() for one in _STYLE.finditer(parts.get("word/styles.xml", b""))
        }
        if body is None:
            raise InputError(f"{source}: no body, expected a .docx, not one of Strict Open XML")
        for part in _word_blocks(body, "p", "tbl"):
            if part.tag == f"{_W}tbl":
                layout.table(_word_rows(part))
            else:
                _add_word_paragraph(layout, part, styles.get(_value(part, "pPr", "pStyle"), ""))
        for name in sorted(parts, reverse=True):
            if _MARGINS.fullmatch(name):
                layout.leave_out("\n".join(map(_word_text, _xml(parts[name], source).iter(f"{_W}p"))), _RUNNING)
        about = _xml(parts["docProps/core.xml"], source) if "docProps/core.xml" in parts else None
        title, created = ("", "") if about is None else (about.findtext(f"{{*}}{name}") or "" for name in _CORE)
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    yield layout.document(kind, title or None, day_of(created))


def _parts(stream: IO[bytes], source: str, reading: Reading, wanted: re.Pattern[str]) -> dict[str, bytes]:
    """The parts of a file that is an archive, by name."""
    every = entries(stream, source, Allowance(stream, source, reading.limits))
    return {one.name: one.opened().read() for one in every if one.is_plain and wanted.search(one.name)}


def _word_blocks(parent: Iterable[Element], *names: str) -> Iterator[Element]:
    """The parts with such names right below another one, those of content controls, too."""
    for part in parent:
        if part.tag.removeprefix(_W) in names:
            yield part
        elif part.tag in (f"{_W}sdt", f"{_W}sdtContent", f"{_W}customXml", f"{_W}ins"):
            yield from _word_blocks(part, *names)


def _word_text(paragraph: Element) -> str:
    """The words of a paragraph. Alternatives for older programs and boxes beside the text are ignored."""
    said = []
    waiting = [paragraph]
    while waiting:
        part = waiting.pop()
        name = part.tag.rpartition("}")[2]
        said.append(part.text or "" if part.tag == f"{_W}t" else _SPACES.get(name, ""))
        if name not in ("Fallback", "pPr", "rPr", "moveFrom", "txbxContent"):
            waiting += reversed(part)
    return "".join(said)


def _value(element: Element, *path: str) -> str:
    """The value of an element below another one, empty without any."""
    found = element.find("/".join(_W + name for name in path))
    return "" if found is None else found.get(f"{_W}val", "1")


def _cell_text(part: Element) -> str:
    """The words of a paragraph, or of a table inside another one."""
    return _word_text(part) if part.tag == f"{_W}p" else "\n".join(map(" ".join, _word_rows(part)))


def _word_rows(table: Element) -> list[list[str]]:
    """The cells of a table; a cell that spans several columns or rows is in all of them, unless it is long."""
    rows: list[list[str]] = []
    for row in _word_blocks(table, "tr"):
        cells: list[str] = []
        for cell in _word_blocks(row, "tc"):
            text = "\n".join(map(_cell_text, _word_blocks(cell, "p", "tbl")))
            merged = _value(cell, "tcPr", "vMerge")
            if merged and merged != "restart" and rows and len(cells) < len(rows[-1]):
                text = _repeated(rows[-1][len(cells)])
            columns = min(_MOST_COLUMNS, int(_value(cell, "tcPr", "gridSpan") or 1))
            cells += [text, *[_repeated(text)] * (columns - 1)]
        rows.append(cells)
    return rows


def _repeated(text: str) -> str:
    """The words of a cell for its further rows and columns; long ones could fill any memory."""
    return text if len(text) <= _LONGEST_REPEATED else ""


def _add_word_paragraph(layout: Layout, paragraph: Element, style: str) -> None:
    text = _word_text(paragraph).replace("\t", "    ").strip()
    level = _HEADING.fullmatch(style)
    kind = next((kind for start, kind in _STYLES.items() if style.startswith(start)), None)
    runs = [run for run in paragraph.findall(f"{_W}r") if _word_text(run).strip()]
    if style == "title" or level:
        layout.heading(text, int(level[1]) if level else 0)
    elif kind == "item" or paragraph.find(f"{_W}pPr/{_W}numPr") is not None:
        layout.add("item", text)
    elif kind == "contents":
        layout.leave_out(text, kind)
    elif kind is not None:
        layout.add(kind, text)
    elif (
        text
        and len(text) < 80
        and runs
        and all(_value(run, "rPr", "b") not in ("", "0", "false", "off") for run in runs)
        and text[-1] not in ".,;!?"
    ):
        layout.heading(text.rstrip(":"), 3)
    else:
        layout.add("paragraph", text)


def read_epub(stream: IO[bytes], source: str, reading: Reading) -> Iterator[Found]:
    """An e-book: its chapters in the order of reading, as one document."""
    with naming_broken(source, "e-book", "a complete .epub"):
        parts = _parts(stream, source, reading, _BOOK_PARTS)
        root = _xml(parts.get("META-INF/container.xml", b""), source).find(".//{*}rootfile")
        name = root.get("full-path", "") if root is not None else ""
        package = _xml(parts.get(name, b""), source)
        items = {item.get("id"): item for item in package.iterfind(".//{*}manifest/{*}item")}
        layout = Layout(source, reading)
        for reference in package.iterfind(".//{*}spine/{*}itemref"):
            item = items.get(reference.get("idref"))
            if item is None or "nav" in item.get("properties", "").split():
                continue
            path = posixpath.normpath(posixpath.join(posixpath.dirname(name), unquote(item.get("href", ""))))
            if path in parts:
                Page(decode(parts[path], f"{source}/{path}", (UTF8, reading.encoding))).lay_out(layout)
        about = {tag: package.findtext(f".//{{*}}{tag}") or "" for tag in ("title", "date")}
    yield layout.document("application/epub+zip", about["title"] or None, day_of(about["date"].strip()))


def _xml(data: bytes, source: str) -> Element:
    """A small XML file without declarations, which can be made to need endless memory."""
    if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
        raise InputError(f"{source}: a document type declaration, expected XML without one")
    if b"\0" in data:
        # A declaration could hide there.
        raise InputError(f"{source}: XML in UTF-16, expected UTF-8")
    parser = XMLParser()
    try:
        parser.feed(data)
        return parser.close()
    except ParseError as error:
        raise InputError(f"{source}: broken XML ({error}), expected parts that are XML") from error
