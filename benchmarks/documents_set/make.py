"""Writes the documents and their marks from the sources under `source/`.

    python benchmarks/documents_set/make.py [KIND …]

A source holds many documents. `=== 07.html key=value …` opens one; a line `@tag rest` opens a block of it, whose raw
text goes into the file as it stands and whose tag says the kind in the marks (`TAGS`); `@-` is raw text that is no
block; `@f from who: subject ; relation ; object << quote` states a fact of the block above. Without a quote the
line of the block that holds the object (and the subject, if one does) is taken. PDF and Word files, notebooks and
encoded mails are laid out here. PDF needs reportlab, Word python-docx.
"""

import html
import importlib
import json
import quopri
import re
import sys
from base64 import encodebytes
from dataclasses import dataclass, field
from email.header import Header
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

HERE = Path(__file__).parent
TAGS = {
    "title": "title",
    "h": "heading",
    "p": "paragraph",
    "l": "list",
    "t": "table",
    "q": "quote",
    "c": "code",
    "cap": "caption",
    "mh": "mail-header",
    "turn": "turn",
    "x": "boilerplate",
    "-": "",
    "cell": "",
}
FROM = {"table", "label", "list", "cv", "faq", "heading", "turn", "mail", "prose"}


@dataclass
class Block:
    """One block of a source: its tag, its variant (`@t:grid`) and its raw text."""

    tag: str
    variant: str
    raw: str


@dataclass
class Document:
    """One document of a source with its options, blocks and facts."""

    file: str
    options: dict[str, str]
    blocks: list[Block] = field(default_factory=list)
    facts: list[dict[str, str]] = field(default_factory=list)

    @property
    def extension(self) -> str:
        return self.file.rsplit(".", 1)[1]


class _Text(HTMLParser):
    """The text of a piece of HTML; a row of a table is one line, its cells are parted by ` | `."""

    LINES = frozenset(
        [
            "p",
            "div",
            "li",
            "tr",
            "br",
            "h1",
            "h2",
            "h3",
            "h4",
            "h5",
            "dt",
            "dd",
            "table",
            "ul",
            "ol",
            "section",
            "article",
            "header",
            "footer",
            "nav",
            "option",
        ]
    )

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        cell = any(name == "class" and value and "cell" in value.split() for name, value in attrs)
        if tag in ("script", "style"):
            self.silent += 1
        elif tag in ("td", "th") or cell:
            self.parts.append(" | ")
        elif tag in self.LINES:
            self.parts.append("\n")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("script", "style"):
            self.silent -= 1
        elif tag in self.LINES and tag != "div":
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        if not self.silent:
            self.parts.append(re.sub(r"\s+", " ", data))


def plain(raw: str, extension: str) -> str:
    """The text of a block as a reader sees it: no tags, no Markdown signs at the start of a line."""
    if extension == "html":
        parser = _Text()
        parser.feed(raw)
        parser.close()
        raw = "".join(parser.parts)
    lines = (re.sub(r"\s+", " ", line).strip() for line in raw.split("\n"))
    return "\n".join(cleaned for line in lines if (cleaned := re.sub(r"^\| ?|(?<=\S) \|$", "", line).strip()))


def _rows(raw: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.split("|")] for line in raw.split("\n") if line.strip()]


def html_table(raw: str, variant: str) -> str:
    """Rows of `a | b` as HTML in one of several manners; `^` is a cell merged into the one above it."""
    rows = _rows(raw)
    if variant == "dl":
        return "<dl>\n" + "\n".join(f"<dt>{row[0]}</dt><dd>{row[1]}</dd>" for row in rows) + "\n</dl>"
    if variant == "grid":
        cells = ("".join(f'<div class="cell">{cell}</div>' for cell in row) for row in rows)
        return '<div class="grid">\n' + "\n".join(f'<div class="row">{row}</div>' for row in cells) + "\n</div>"
    out = []
    for number, row in enumerate(rows):
        name = "th" if number == 0 and variant in ("head", "loose", "span") else "td"
        marked = []
        for column, cell in enumerate(row):
            if cell == "^":
                continue
            below = 1
            while (
                number + below < len(rows)
                and column < len(rows[number + below])
                and (rows[number + below][column] == "^")
            ):
                below += 1
            span = f' rowspan="{below}"' if below > 1 else ""
            if len(row) == 1 and len(rows[0]) > 1:
                span += f' colspan="{max(map(len, rows))}"'
            this = "th" if variant == "side" and column == 0 else name
            close = "" if variant == "loose" else f"</{this}>"
            marked.append(f"<{this}{span}>{cell}{close}")
        out.append("<tr>" + "".join(marked) + ("" if variant == "loose" else "</tr>"))
    if variant == "head":
        return "<table>\n<thead>" + out[0] + "</thead>\n<tbody>" + "\n".join(out[1:]) + "</tbody>\n</table>"
    return '<table border="0" cellpadding="2">\n' + "\n".join(out) + "\n</table>"


def parse(path: Path) -> list[Document]:
    """The documents of a source."""
    documents: list[Document] = []
    block: Block | None = None
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        if line.startswith("=== "):
            name, *options = line[4:].split()
            documents.append(Document(name, dict(option.split("=", 1) for option in options)))
            block = None
            continue
        if line.startswith("@f "):
            found = re.fullmatch(r"@f (\w+)(?: (I|we|you))?: (.+?) ; (.+?) ; (.+?)(?: << (.+))?", line.rstrip())
            if not found or found[1] not in FROM:
                raise ValueError(f"{path.name}:{number}: not a fact: {line}")
            fact = {"subject": found[3], "relation": found[4], "object": found[5], "from": found[1]}
            if found[2]:
                fact["who"] = found[2]
            fact["quote"] = found[6] or _quote(documents[-1], fact, f"{path.name}:{number}")
            documents[-1].facts.append(fact)
            continue
        opened = re.match(r"@([a-z]+|-)(?::(\w+))?(?: (.*)|$)", line)
        if opened and opened[1] in TAGS:
            block = Block(opened[1], opened[2] or "", opened[3] or "")
            documents[-1].blocks.append(block)
        elif block is not None:
            block.raw += "\n" + line
        elif line.strip():
            raise ValueError(f"{path.name}:{number}: text outside of a block: {line}")
    for document in documents:
        if document.extension == "html":
            for block in document.blocks:
                if block.tag == "t" and block.variant:
                    block.raw = html_table(block.raw, block.variant)
    return documents


def _quote(document: Document, fact: dict[str, str], place: str) -> str:
    """The line of the last block that holds the object, preferably with the subject."""
    last = next(block for block in reversed(document.blocks) if block.tag not in ("-", "cell"))
    lines = plain(last.raw, document.extension).split("\n")
    with_object = [line for line in lines if fact["object"].casefold() in line.casefold()]
    with_both = [line for line in with_object if fact["subject"].casefold() in line.casefold()]
    if not with_object:
        raise ValueError(f"{place}: no line of the block above holds {fact['object']!r}")
    return (with_both or with_object)[0]


def marks(document: Document, file: str) -> dict[str, Any]:
    """The line of the marks for one document."""
    blocks = []
    for block in document.blocks:
        text = re.sub(r"\s+", " ", plain(block.raw, document.extension)).strip()
        if block.tag in ("-", "cell") or not text:
            continue
        short = text if len(text) <= 80 else text[:60].rsplit(" ", 1)[0]
        blocks.append({"text": short, "kind": TAGS[block.tag], "keep": block.tag != "x"})
    pieces = [piece for block in document.blocks for piece in (plain(block.raw, document.extension), block.raw)]
    whole = re.sub(r"\s+", " ", " ".join(pieces))
    for fact in document.facts:
        if re.sub(r"\s+", " ", fact["quote"]).strip() not in whole:
            raise ValueError(f"{file}: the quote is not in the text: {fact['quote']}")
    number = int(document.file[:2])
    split = "develop" if number % 2 else "held"
    return {"file": file, "split": split, "blocks": blocks, "facts": document.facts}


def text_file(document: Document) -> str:
    """The blocks one after the other."""
    return "\n".join(block.raw for block in document.blocks).rstrip("\n") + "\n"


def mail_file(document: Document) -> str:
    """A mail with encoded header words, its body encoded as the option `enc` says, in one or two parts (`alt`)."""
    if document.extension == "mbox":
        return text_file(document)
    head, body = text_file(document).split("\n\n", 1)
    head = re.sub(
        r"(?m)^(Subject|From|To|Cc): (.*[^\x00-\x7f].*)$",
        lambda found: (
            f"{found[1]}: "
            + re.sub(
                r"[^<>,]*[^\x00-\x7f<>,][^<>,]*",
                lambda words: Header(words[0].strip(' "'), "utf-8").encode() + " ",
                found[2],
            )
        ),
        head,
    )
    encoding = document.options.get("enc", "8bit")

    def encoded(text: str) -> str:
        if encoding == "qp":
            return quopri.encodestring(text.encode()).decode("ascii")
        return encodebytes(text.encode()).decode("ascii") if encoding == "b64" else text

    transfer = {"qp": "quoted-printable", "b64": "base64", "8bit": "8bit"}[encoding]
    lines = f"charset=utf-8\nContent-Transfer-Encoding: {transfer}\n"
    if "alt" not in document.options:
        return f"{head}\nMIME-Version: 1.0\nContent-Type: text/plain; {lines}\n{encoded(body)}"
    paragraphs = "".join(
        f"<p>{html.escape(part)}</p>\n".replace("\n", "<br>\n") for part in body.strip().split("\n\n")
    )
    page = f"<html><body style=3D>{paragraphs}</body></html>".replace(" style=3D", ' style="font-family:Calibri"')
    return (
        f'{head}\nMIME-Version: 1.0\nContent-Type: multipart/alternative; boundary="b1_{document.file[:2]}"\n\n'
        f"--b1_{document.file[:2]}\nContent-Type: text/plain; {lines}\n{encoded(body)}\n"
        f"--b1_{document.file[:2]}\nContent-Type: text/html; {lines}\n{encoded(page)}\n--b1_{document.file[:2]}--\n"
    )


def notebook_file(document: Document) -> str:
    """A notebook; `@cell md`, `@cell code` and `@cell out` (`out-html`, `out-stream`) open its cells."""
    cells: list[dict[str, Any]] = []
    kind = ""
    pieces: list[str] = []

    def close() -> None:
        source = "\n\n".join(pieces).strip("\n")
        if not source:
            return
        if kind == "md":
            cells.append({"cell_type": "markdown", "metadata": {}, "source": source.splitlines(True)})
        elif kind == "code":
            count = sum(cell["cell_type"] == "code" for cell in cells) + 1
            cells.append(
                {
                    "cell_type": "code",
                    "execution_count": count,
                    "metadata": {},
                    "outputs": [],
                    "source": source.splitlines(True),
                }
            )
        elif kind == "out-stream":
            cells[-1]["outputs"].append({"name": "stdout", "output_type": "stream", "text": source.splitlines(True)})
        else:
            data: dict[str, list[str]] = {"text/plain": re.sub(r" *\| *", "  ", source).splitlines(True)}
            if kind == "out-html":
                data["text/html"] = html_table(source, "head").splitlines(True)
            cells[-1]["outputs"].append(
                {
                    "data": data,
                    "execution_count": cells[-1]["execution_count"],
                    "metadata": {},
                    "output_type": "execute_result",
                }
            )

    for block in document.blocks:
        if block.tag == "cell":
            close()
            kind, pieces = block.raw.strip(), []
        else:
            pieces.append(block.raw.strip("\n"))
    close()
    metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python", "version": "3.11.4"},
    }
    book = {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    for number, cell in enumerate(cells):
        cell["id"] = f"c{document.file[:2]}{number:03d}"
    return json.dumps(book, ensure_ascii=False, indent=1) + "\n"


def word_file(document: Document, path: Path) -> None:
    """A Word file. `look`: `styles` uses Word's own styles, `bold` formats by hand as many people do."""
    docx = importlib.import_module("docx")
    shared = importlib.import_module("docx.shared")
    word = docx.Document()
    by_hand = document.options.get("look") == "bold"
    word.styles["Normal"].font.name = document.options.get("font", "Calibri").replace("_", " ")
    for block in document.blocks:
        raw = block.raw.strip("\n")
        text = re.sub(r"\n(?!\n)", " ", raw)
        if block.tag == "x" and block.variant in ("header", "footer"):
            getattr(word.sections[0], block.variant).paragraphs[0].text = text
        elif block.tag in ("title", "h") and by_hand:
            run = word.add_paragraph().add_run(text)
            run.bold = True
            run.font.size = shared.Pt(20 if block.tag == "title" else 13)
        elif block.tag == "title":
            word.add_heading(text, 0)
        elif block.tag == "h":
            word.add_heading(text, int(block.variant or 1))
        elif block.tag == "l":
            for line in raw.split("\n"):
                if by_hand or block.variant == "hand":
                    word.add_paragraph(line)
                else:
                    numbered = re.match(r"\d+[.)] ", line)
                    words = re.sub(r"^([-*•]|\d+[.)]) ", "", line)
                    word.add_paragraph(words, style="List Number" if numbered else "List Bullet")
        elif block.tag == "t":
            _word_table(word, _rows(raw), block.variant)
        elif block.tag == "q":
            word.add_paragraph(text, style="Intense Quote")
        elif block.tag == "cap":
            word.add_paragraph(text, style="Caption")
        elif block.variant == "lines":
            word.add_paragraph(raw)
        else:
            word.add_paragraph(text)
    word.core_properties.title = ""
    word.core_properties.author = "documents_set"
    word.save(str(path))
    _small_zip(path)


def _small_zip(path: Path) -> None:
    """Packs a Word file again, without the picture of the template and with a fixed date."""
    with ZipFile(path) as packed:
        parts = {name: packed.read(name) for name in packed.namelist() if "thumbnail" not in name}
    parts["_rels/.rels"] = re.sub(rb"<Relationship [^>]*thumbnail[^>]*/>", b"", parts["_rels/.rels"])
    with ZipFile(path, "w", ZIP_DEFLATED, compresslevel=9) as packed:
        for name, data in parts.items():
            packed.writestr(ZipInfo(name), data, ZIP_DEFLATED, 9)


def _word_table(word: Any, rows: list[list[str]], variant: str) -> None:
    width = max(map(len, rows))
    table = word.add_table(len(rows), width, style="Table Grid" if variant != "plain" else None)
    for number, row in enumerate(rows):
        for column, cell in enumerate(row):
            if cell == "^":
                table.cell(number - 1, column).merge(table.cell(number, column))
            else:
                table.cell(number, column).text = cell
                if number == 0 and variant != "side":
                    for run in table.cell(number, column).paragraphs[0].runs:
                        run.bold = True
        if len(row) == 1 and width > 1:
            table.cell(number, 0).merge(table.cell(number, width - 1))


PDF_LOOKS = {
    "serif": ("Times-Roman", "Times-Bold", 11, "A4", "rules"),
    "sans": ("Helvetica", "Helvetica-Bold", 10, "A4", "grid"),
    "letter": ("Helvetica", "Helvetica-Bold", 11, "LETTER", "none"),
    "dejavu": ("DejaVuSerif", "DejaVuSerif", 10, "A4", "rules"),
    "columns": ("Times-Roman", "Times-Bold", 10, "A4", "grid"),
    "mono": ("Courier", "Courier-Bold", 10, "LETTER", "none"),
}


def pdf_file(document: Document, path: Path) -> None:
    """A PDF in one of several looks, with the running head and foot of each page."""
    load = importlib.import_module
    platypus, styles, sizes = (
        load("reportlab.platypus"),
        load("reportlab.lib.styles"),
        load("reportlab.lib.pagesizes"),
    )
    colors, fonts, ttf = (
        load("reportlab.lib.colors"),
        load("reportlab.pdfbase.pdfmetrics"),
        load("reportlab.pdfbase.ttfonts"),
    )
    look = document.options.get("look", "sans")
    font, bold, size, paper, rules = PDF_LOOKS[look]
    if look == "dejavu":
        fonts.registerFont(ttf.TTFont(font, f"/usr/share/fonts/truetype/dejavu/{font}.ttf"))
    page = getattr(sizes, paper)
    running = {block.variant: block.raw.strip() for block in document.blocks if block.tag == "x" and block.variant}

    def style(of: str, points: float, **more: Any) -> Any:
        return styles.ParagraphStyle(str(points), fontName=of, fontSize=points, leading=points * 1.3, **more)

    body, small = style(font, size, spaceAfter=7), style(font, size - 2, spaceAfter=9)
    story: list[Any] = []
    for block in document.blocks:
        raw = block.raw.strip("\n")
        text = html.escape(re.sub(r"\s*\n\s*", "<br/>" if block.variant == "lines" else " ", raw), quote=False)
        text = text.replace("&lt;br/&gt;", "<br/>")
        if block.tag == "-" and block.variant == "page":
            story.append(platypus.PageBreak())
        elif block.tag == "-" or (block.tag == "x" and block.variant):
            continue
        elif block.tag == "title":
            story.append(platypus.Paragraph(text, style(bold, size + 8, spaceAfter=12)))
        elif block.tag == "h":
            story.append(platypus.Paragraph(text, style(bold, size + 2.5, spaceBefore=8, spaceAfter=5)))
        elif block.tag == "l":
            for line in raw.split("\n"):
                words = re.sub(r"^- ", "\u2022 ", line)
                story.append(platypus.Paragraph(html.escape(words, quote=False), style(font, size, leftIndent=14)))
            story.append(platypus.Spacer(1, 7))
        elif block.tag == "t":
            story.append(_pdf_table(platypus, colors, _rows(raw), rules, font, bold, size - 1))
            story.append(platypus.Spacer(1, 9))
        elif block.tag == "q":
            story.append(platypus.Paragraph(text, style(font, size, leftIndent=26, rightIndent=26, spaceAfter=8)))
        else:
            story.append(platypus.Paragraph(text, small if block.tag in ("cap", "x") else body))

    def running_lines(canvas: Any, made: Any) -> None:
        canvas.setFont(font, 8)
        if "header" in running:
            canvas.drawString(56, page[1] - 34, running["header"])
        if "footer" in running:
            canvas.drawString(56, 28, running["footer"])
        canvas.drawRightString(page[0] - 56, 28, str(made.page))

    height = page[1] - 116
    if look == "columns":
        width = (page[0] - 112 - 18) / 2
        frames = [
            platypus.Frame(56 + column * (width + 18), 56, width, height, 0, 0, 0, 0, id=str(column))
            for column in (0, 1)
        ]
    else:
        frames = [platypus.Frame(56, 56, page[0] - 112, height, 0, 0, 0, 0, id="all")]
    template = platypus.BaseDocTemplate(str(path), pagesize=page, invariant=1, title="", author="documents_set")
    template.addPageTemplates([platypus.PageTemplate(id="page", frames=frames, onPage=running_lines)])
    template.build(story)


def _pdf_table(
    platypus: Any, colors: Any, rows: list[list[str]], rules: str, font: str, bold: str, size: float
) -> Any:
    width = max(map(len, rows))
    commands: list[tuple[Any, ...]] = [
        ("FONT", (0, 0), (-1, -1), font, size),
        ("FONT", (0, 0), (-1, 0), bold, size),
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
    ]
    if rules == "grid":
        commands.append(("GRID", (0, 0), (-1, -1), 0.5, colors.grey))
    elif rules == "rules":
        commands.extend(
            [("LINEBELOW", (0, 0), (-1, 0), 0.7, colors.black), ("LINEBELOW", (0, -1), (-1, -1), 0.7, colors.black)]
        )
    full = []
    for number, row in enumerate(rows):
        if len(row) == 1 and width > 1:
            commands.append(("SPAN", (0, number), (-1, number)))
        full.append(["" if cell == "^" else cell.replace("\\n", "\n") for cell in row] + [""] * (width - len(row)))
        for column, cell in enumerate(row):
            if cell == "^":
                above = number
                while rows[above][column] == "^":
                    above -= 1
                commands.append(("SPAN", (column, above), (column, number)))
    return platypus.Table(full, style=platypus.TableStyle(commands), hAlign="LEFT", repeatRows=1)


def write(document: Document, path: Path) -> None:
    """Writes one document in the format of its name."""
    if document.extension == "docx":
        word_file(document, path)
    elif document.extension == "pdf":
        pdf_file(document, path)
    else:
        form = {"eml": mail_file, "mbox": mail_file, "ipynb": notebook_file}.get(document.extension, text_file)
        path.write_text(form(document), encoding=document.options.get("charset", "utf-8"), newline="")


def main(kinds: list[str]) -> None:
    """Writes the documents and the marks of the kinds; prints the counts."""
    for kind in kinds or sorted({path.stem for path in HERE.glob("source/[dh]e*/*.txt")}):
        documents = [document for path in sorted(HERE.glob(f"source/[dh]e*/{kind}.txt")) for document in parse(path)]
        documents.sort(key=lambda document: document.file)
        (HERE / kind).mkdir(exist_ok=True)
        lines = []
        for document in documents:
            lines.append(marks(document, f"{kind}/{document.file}"))
            write(document, HERE / kind / document.file)
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        (HERE / f"{kind}.jsonl").write_text(text, encoding="utf-8")
        words = [
            sum(len(re.split(r"[\s,;]+", plain(b.raw, d.extension))) for b in d.blocks if b.tag != "-")
            for d in documents
        ]
        facts = [fact for line in lines for fact in line["facts"]]
        people = sum("who" in fact for fact in facts)
        short = [document.file for document, count in zip(documents, words, strict=True) if count < 150]
        counts = f"{len(lines)} documents, {sum(words)} words, {len(facts)} facts, {people} of I/we/you"
        print(f"{kind}: {counts}; short: {short}")


if __name__ == "__main__":
    main(sys.argv[1:])
