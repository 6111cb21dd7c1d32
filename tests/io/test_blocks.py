"""Documents in blocks: every format, what is left out and why, and that the blocks are places of the text."""

from __future__ import annotations

import io
import json
import mailbox
import random
import zipfile
from contextlib import suppress
from email.message import EmailMessage

import pytest

from tests.extras import needs
from tupelo.core import TupeloError
from tupelo.core.blocks import BLOCK_KINDS, Block, blocks_between, blocks_of_json, blocks_to_json, table_rows
from tupelo.core.document import Document
from tupelo.io.documents import READERS, Reading
from tupelo.io.documents.boilerplate import SHARED, without_shared
from tupelo.io.documents.layout import Layout
from tupelo.io.documents.lines import iso_time, line_blocks
from tupelo.io.documents.markup import text_document

PAGE = """<!doctype html><title>Oslo Harbour - City Guide</title><body>
<div class="cookie-banner"><p>We use cookies.</p></div>
<nav><ul><li><a href=/>Home</a><li><a href=/x>News</a></ul></nav>
<h1>Oslo Harbour</h1>
<p>The harbour was <b>founded</b> in 1048.<br>It is large.</p>
<table class="infobox"><tr><th>Country<td>Norway<tr><th>Berths<td>42</table>
<h2>Ferries</h2>
<table><caption>Ferries in 2020</caption><thead><tr><th>Ferry<th>Built<th>Length (m)</thead>
<tr><td rowspan=2>Bastø<td>1997<td>109<tr><td>2003<td>143<tr><td>Color<td>2004<td>224</table>
<dl><dt>Owner<dd>City of Oslo<dt>Area<dd>3 km²</dl>
<ul><li>Ferries sail daily.</li></ul><pre>x = 1
y = 2</pre>
<details><summary>How much is it?</summary><p>5 euros.</p></details>
<h2>Related articles</h2><ul><li><a href=a>Bergen</a><li><a href=b>Moss</a><li><a href=c>Horten</a></ul>
<h2>References</h2><ol><li>Lee, A. (2001). Harbours. https://x.example/1</ol>
<footer><p>© 2020 City Guide. All rights reserved.</p></footer></body>"""


def one(kind: str, data: bytes | str, name: str = "a.x", **options: object) -> Document:
    content = data.encode() if isinstance(data, str) else data
    (found,) = READERS.get(kind)(io.BytesIO(content), name, Reading(**options))
    assert isinstance(found, Document)
    check(found)
    return found


def check(document: Document) -> None:
    """Blocks are in order, within the text, do not overlap, and are not blank."""
    end = 0
    for block in document.blocks:
        assert end <= block.start <= block.end <= len(document.text)
        assert block.kind in BLOCK_KINDS
        assert block.of(document.text).strip()
        end = block.end
    assert blocks_of_json(blocks_to_json(document.blocks)) == list(document.blocks)
    for out in document.left_out:
        assert out.reason
        assert out.text.strip()
        assert 0 <= out.at <= len(document.text)


def kinds(document: Document) -> list[tuple[str, str]]:
    return [(block.kind, block.of(document.text)) for block in document.blocks]


def reasons(document: Document) -> dict[str, str]:
    return {out.text: out.reason for out in document.left_out}


def test_a_page_has_blocks_and_its_site_is_left_out():
    page = one("html", PAGE)
    assert kinds(page) == [
        ("title", "Oslo Harbour"),
        ("paragraph", "The harbour was founded in 1048.\nIt is large."),
        ("table", "Country\tNorway\nBerths\t42"),
        ("heading", "Ferries"),
        ("caption", "Ferries in 2020"),
        ("table", "Ferry\tBuilt\tLength (m)\nBastø\t1997\t109\nBastø\t2003\t143\nColor\t2004\t224"),
        ("definition", "Owner\tCity of Oslo"),
        ("definition", "Area\t3 km²"),
        ("item", "Ferries sail daily."),
        ("code", "x = 1\ny = 2"),
        ("heading", "How much is it?"),
        ("paragraph", "5 euros."),
    ]
    assert page.blocks[2].labels == ()
    assert (page.blocks[5].labels, page.blocks[5].header) == (("Ferry", "Built", "Length (m)"), 1)
    assert page.blocks[5].path == ("Oslo Harbour - City Guide", "Ferries")
    assert reasons(page) == {
        "We use cookies.": "cookie notice",
        "Home": "menu",
        "News": "menu",
        "Related articles": "list of links",
        "Bergen": "list of links",
        "Moss": "list of links",
        "Horten": "list of links",
        "References": "list of references",
        "Lee, A. (2001). Harbours. https://x.example/1": "list of references",
        "© 2020 City Guide. All rights reserved.": "footer",
    }


def test_everything_stays_on_request():
    page = one("html", PAGE, boilerplate=True)
    assert page.left_out == ()
    assert "We use cookies." in page.text
    assert Reading.of(Reading(boilerplate=True).options) == Reading(boilerplate=True)


def test_the_main_part_of_a_page_is_believed_when_it_holds_enough():
    words = "<p>Ann Lee founded Acme in Oslo.</p>" * 8
    page = one("html", f"<div><p>It rained in the hills</p></div><main><h1>Acme</h1>{words}</main><p>Call now</p>")
    assert set(reasons(page).values()) == {"outside the main part"}
    assert "rained" in one("html", f"<main></main><p>It rained in the hills</p>{words}").text


def test_tables_that_lay_out_a_page_are_paragraphs():
    page = one("html", f"<table><tr><td>Menu<td><p>{'Long words. ' * 90}<tr><td>x<td>y</table>")
    assert {kind for kind, _ in kinds(page)} == {"paragraph"}


def test_markdown_has_lists_tables_code_and_quotes():
    found = one(
        "markdown",
        "Title\n=====\n[![b](x)](y)\n\n- one\n  more\n- two\n\n|A|B (m)|\n|-|-|\n|x|1|\n\n~~~\nc\n~~~\n> q\n",
    )
    assert kinds(found) == [
        ("title", "Title"),
        ("item", "one\nmore"),
        ("item", "two"),
        ("table", "A\tB (m)\nx\t1"),
        ("code", "c"),
        ("quote", "q"),
    ]
    assert found.left_out[0].reason == "picture"


def test_plain_text_stays_as_it_is():
    text = "ANN LEE\n\nEmail: a@b.org\nPhone: 12\n\nWORK\n2015–2019  Engineer, Acme\n\n- one\n  more\n\n"
    text += "Item   Price\nPump   400\nRod    20\n> q\n"
    found = text_document("a", text)
    check(found)
    assert found.text == text
    assert kinds(found) == [
        ("title", "ANN LEE"),
        ("paragraph", "Email: a@b.org\nPhone: 12"),
        ("heading", "WORK"),
        ("paragraph", "2015–2019  Engineer, Acme"),
        ("item", "one\n  more"),
        ("table", "Item   Price\nPump   400\nRod    20"),
        ("quote", "> q"),
    ]
    assert [[cell for cell, _ in row] for row in table_rows(found.blocks[5], text)][1] == ["Pump", "400"]
    assert found.blocks[3].path == ("ANN LEE", "WORK")


CHATS = [
    "[12/03/2024, 10:15:32] Ann Lee: I moved.\n[12/03/2024, 10:16:00] Bob: Great!\nwhen?\n"
    "[13/03/2024, 09:00] Ann Lee: Now\n",
    "10:15 - Ann Lee: I moved.\n10:16 - Bob: Great!\nwhen?\n10:17 - Ann Lee: Now\n",
    "<AnnLee> I moved.\n<Bob> Great!\n<Bob> when?\n<AnnLee> Now\n",
    "Ann Lee: I moved.\nBob: Great!\nBob: when?\nAnn Lee: Now\n",
]


@pytest.mark.parametrize("text", CHATS)
def test_a_chat_has_turns(text):
    blocks = line_blocks(text)
    assert [block.of(text) for block in blocks] == ["I moved.", "Great!", "when?", "Now"]
    assert [(block.speaker or "").replace(" ", "") for block in blocks] == ["AnnLee", "Bob", "Bob", "AnnLee"]
    assert {block.kind for block in blocks} == {"turn"}


def test_times_of_chats():
    assert [block.time for block in line_blocks(CHATS[0])][:2] == ["2024-03-12T10:15:32", "2024-03-12T10:16:00"]
    assert iso_time("3/31/24, 9:05 pm", day_first=False) == "2024-03-31T21:05"
    assert iso_time("99/99/2024, 10:00") == "10:00"


@pytest.mark.parametrize(
    "text", ["Cuisine: Italian", "Price: 4\nPrice: 5\nName: x\n", "Q: Why?\nA: So.\nQ: How?\nA: Thus.\n"]
)
def test_labels_are_no_speakers(text):
    assert "turn" not in {block.kind for block in line_blocks(text)}


MAIL = """From: Ann Lee <ann.lee@acme.com>
To: Bob Ray <bob@ex.org>
Date: Mon, 4 Mar 2024 10:15:00 +0100
Subject: Re: Launch

Hi Bob,

We ship tomorrow.

On Sun, 3 Mar 2024 at 09:00, Bob Ray <bob@ex.org> wrote:
> I visited the plant.

Best regards,
Ann Lee
Acme Ltd, Oslo
"""


def test_a_mail_has_writers_dates_and_a_signature():
    mail = one("mail", MAIL)
    assert (mail.title, mail.published) == ("Launch", "2024-03-04")
    header, greeting, own, wrote, quoted, *signature = mail.blocks
    assert (wrote.kind, wrote.speaker) == ("caption", None)
    assert header.kind == "mail header"
    assert (own.speaker, own.group, own.audience, own.time) == (
        "Ann Lee",
        "Acme Ltd",
        ("Bob Ray",),
        "2024-03-04T10:15+01:00",
    )
    assert (quoted.kind, quoted.speaker, quoted.of(mail.text)) == ("quote", "Bob Ray", "I visited the plant.")
    assert greeting.of(mail.text) == "Hi Bob,"
    assert [line.of(mail.text) for line in signature] == ["Best regards,", "Ann Lee", "Acme Ltd, Oslo"]


def test_a_mail_of_html_and_a_forwarded_one():
    message = EmailMessage()
    message["From"], message["Subject"] = "ann@acme.com", "Grüße"
    message.set_content("<p>We moved to <b>Oslo</b>.</p><footer>Acme 2020</footer>", subtype="html")
    assert kinds(one("mail", bytes(message)))[1:] == [("paragraph", "We moved to Oslo.")]
    body = (
        "See below.\n\n-----Original Message-----\nFrom: Bob Ray <b@x.org>\nSent: Mon, 4 Mar 2024 09:00\n\nI left.\n"
    )
    found = one("mail", f"From: Ann <a@x.org>\nSubject: Fwd: S\n\n{body}")
    assert (found.blocks[-1].kind, found.blocks[-1].speaker) == ("quote", "Bob Ray")


def test_a_mailbox_has_a_document_per_mail(tmp_path):
    box = mailbox.mbox(tmp_path / "a.mbox")
    for number in range(3):
        message = EmailMessage()
        message["From"], message["Subject"] = f"P{number} <p@x.org>", f"Mail {number}"
        message.set_content("From here it goes on.\nIt is fine.")
        box.add(message)
    box.close()
    with (tmp_path / "a.mbox").open("rb") as stream:
        found = list(READERS.get("mailbox")(stream, "a.mbox", Reading()))
    assert [document.source for document in found] == ["a.mbox#1", "a.mbox#2", "a.mbox#3"]
    assert "From here it goes on." in found[0].text


def test_tables_of_values():
    table = one("csv", 'name;age\nAnn;31\n"Bo; jr";40\n\n', "people_2024.csv")
    assert (table.title, kinds(table)) == ("people 2024", [("table", "name\tage\nAnn\t31\nBo; jr\t40")])
    assert table.blocks[0].labels == ("name", "age")
    assert one("csv", "a\tb\n1\t2\n", "x.tsv").text == "a\tb\n1\t2"


@needs("openpyxl", "documents")
def test_sheets_of_a_workbook():
    import openpyxl

    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Staff"
    for row in (["Staff of Acme"], ["Name", "Age", "Pay"], ["Ann", 31, 10.5], ["Bo", 40.0, 9]):
        sheet.append(row)
    book.create_sheet("Rooms").append(["R1", "big"])
    stream = io.BytesIO()
    book.save(stream)
    assert kinds(one("xlsx", stream.getvalue(), "x.xlsx")) == [
        ("heading", "Staff"),
        ("paragraph", "Staff of Acme"),
        ("table", "Name\tAge\tPay\nAnn\t31\t10.5\nBo\t40\t9"),
        ("heading", "Rooms"),
        ("table", "R1\tbig"),
    ]


def test_subtitles_are_turns():
    srt = "1\n00:00:01,000 --> 00:00:03,000\nANN: We founded the\n\n"
    srt += "2\n00:00:03,000 --> 00:00:05,000\n<i>company</i> in Oslo.\n\n"
    srt += "3\n00:00:06,000 --> 00:00:08,000\n[applause]\n\n4\n00:01:09,000 --> 00:01:10,000\nBOB: I joined.\n"
    found = one("subtitles", srt)
    assert [(block.speaker, block.time, block.of(found.text)) for block in found.blocks] == [
        ("ANN", "00:00:01", "We founded the\ncompany in Oslo."),
        ("BOB", "00:01:09", "I joined."),
    ]
    assert reasons(found) == {"[applause]": "sound"}
    vtt = "WEBVTT\n\nNOTE x\n\n00:01.000 --> 00:02.000\n<v Ann Lee>Hello.\n"
    assert [block.speaker for block in one("subtitles", vtt).blocks] == ["Ann Lee"]


@pytest.mark.parametrize(
    "data",
    [
        {
            "name": "Team",
            "messages": [{"from": "Ann", "date": "2024-03-01T10:00:00", "text": ["Hi ", {"text": "x.org"}]}],
        },
        [{"user_profile": {"real_name": "Ann"}, "ts": "1709287200.0", "text": "Hi x.org"}],
        [{"role": "Ann", "content": "Hi x.org"}, {"type": "service", "text": "Ann joined"}],
    ],
)
def test_chats_as_json(data):
    found = one("chat", json.dumps(data))
    assert (found.blocks[0].speaker, found.text) == ("Ann", "Hi x.org")


def test_notebooks():
    cells = [
        {"cell_type": "markdown", "source": ["# Title\n", "Words."]},
        {
            "cell_type": "code",
            "source": "1 + 1",
            "outputs": [
                {"output_type": "execute_result", "data": {"text/plain": ["2"]}},
                {"output_type": "error", "traceback": ["boom"]},
                {"data": {"text/html": "<table><tr><th>a<th>b<tr><td>1<td>2</table>"}},
            ],
        },
        {"cell_type": "raw", "source": "raw"},
    ]
    found = one("notebook", json.dumps({"cells": cells}))
    assert kinds(found) == [
        ("title", "Title"),
        ("paragraph", "Words."),
        ("code", "1 + 1"),
        ("code", "2"),
        ("table", "a\tb\n1\t2"),
    ]
    assert reasons(found) == {"boom": "error of the code", "raw": "raw cell"}


def epub(**parts: str) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as book:
        book.writestr("META-INF/container.xml", parts.get("container", '<c><rootfile full-path="o/b.opf"/></c>'))
        opf = (
            "<package><metadata><title>Tales</title><date>2001-02-03</date></metadata><manifest>"
            '<item id="b" href="b.xhtml"/><item id="a" href="a%20b.xhtml"/></manifest>'
            '<spine><itemref idref="a"/><itemref idref="b"/><itemref idref="none"/></spine></package>'
        )
        book.writestr("o/b.opf", parts.get("opf", opf))
        book.writestr("o/a b.xhtml", "<h1>One</h1><p>Ann left.</p>")
        book.writestr("o/b.xhtml", "<h1>Two</h1><p>Bo came.</p>")
    return stream.getvalue()


def test_an_e_book_in_the_order_of_reading():
    book = one("epub", epub(), "a.epub")
    assert (book.title, book.published) == ("Tales", "2001-02-03")
    assert [text for _, text in kinds(book)] == ["One", "Ann left.", "Two", "Bo came."]
    assert book.blocks[-1].path == ("Tales", "Two")


def test_word_files_keep_their_order():
    docx = pytest.importorskip("docx")
    word = docx.Document()
    word.add_heading("Report", 0)
    word.add_paragraph("Ann left.")
    table = word.add_table(2, 2)
    for place, text in enumerate(["Name", "Age", "Ann", "31"]):
        table.rows[place // 2].cells[place % 2].text = text
    word.add_heading("Plans", 1)
    word.add_paragraph("Go on", style="List Bullet")
    word.sections[0].footer.paragraphs[0].text = "Page 1"
    stream = io.BytesIO()
    word.save(stream)
    found = one("docx", stream.getvalue(), "a.docx")
    assert kinds(found) == [
        ("title", "Report"),
        ("paragraph", "Ann left."),
        ("table", "Name\tAge\nAnn\t31"),
        ("heading", "Plans"),
        ("item", "Go on"),
    ]
    assert reasons(found) == {"Page 1": "running header or footer"}


def test_sections_of_pdf_by_number_and_a_title_that_is_a_footer_too():
    from tupelo.io.documents.layout import Layout
    from tupelo.io.documents.office import _lay_out_pages, _small_print

    layout = Layout("a", Reading())
    page = ["By: Jo Lee, harbour office of Oslo", "1 Summary", "All is well here, as it was in the year before."]
    page += ["2 Traffic", "The ferries came in time, but for those from Moss.", "Oslo"]
    _lay_out_pages(layout, [[*page, "Oslo harbour 2024       1"], [*page[2:3], "Oslo harbour 2024         2"]])
    found = layout.document("application/pdf")
    assert [block.of(found.text) for block in found.blocks if block.kind == "heading"] == ["1 Summary", "2 Traffic"]
    printed = [(9, "Report 2024"), (18, "Report 2024"), (9, "Page 2"), (12, "All is well here, they say.")]
    assert _small_print(printed) == {"Page 2"}


def test_lines_of_a_page_of_pdf():
    from tupelo.io.documents.layout import Layout
    from tupelo.io.documents.office import _lay_out_pages

    wide = "The company was founded by Ann Lee in 1990 and makes pumps for the chemical indus-"
    page = [
        "Acme Report",
        "",
        wide,
        "try and others.",
        "",
        "Region         Revenue     Staff",
        "",
        "North          12          140",
    ]
    page += ["Asia           30          300", "", "The words go on here.", "Acme Ltd - page 1"]
    layout = Layout("a.pdf", Reading())
    _lay_out_pages(layout, [page, ["More words follow here.", "Acme Ltd - page 2"]])
    found = layout.document("application/pdf")
    check(found)
    assert kinds(found) == [
        ("title", "Acme Report"),
        ("paragraph", f"{wide[:-1]}try and others."),
        ("table", "Region\tRevenue\tStaff\nNorth\t12\t140\nAsia\t30\t300"),
        ("paragraph", "The words go on here."),
        ("paragraph", "More words follow here."),
    ]
    assert {out.reason for out in found.left_out} == {"running header or footer"}


@pytest.mark.parametrize(
    ("kind", "data", "message"),
    [
        ("mail", b"just words", "a.x: no From, Date or Subject, expected a mail"),
        ("mailbox", b"just words", "a.x: no line that begins with 'From ', expected a mailbox"),
        ("csv", b"a,b\n\xff,c", "a.x:2: byte 0xff"),
        ("csv", b'a,b\n"' + b"x" * (1 << 21), "a.x:"),
        ("subtitles", b"just words", "a.x: no line such as '00:00:01,000 -->"),
        ("chat", b"{}", "a.x: no list of messages with a text"),
        ("chat", b"{oops", "a.x:1: not JSON"),
        ("notebook", b"[]", "a.x: no list of cells"),
        ("notebook", b"nothing", "a.x:1: not JSON"),
        ("epub", b"PK no", "a.x: broken e-book"),
        ("epub", epub(container="<c"), "a.x: broken XML"),
        ("epub", epub(opf="<!DOCTYPE x><a/>"), "a.x: a document type declaration"),
    ],
)
def test_bad_files_are_named_in_one_line(kind, data, message):
    with pytest.raises(TupeloError) as error:
        list(READERS.get(kind)(io.BytesIO(data), "a.x", Reading()))
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)


WORDS = [
    "Ann",
    "left",
    "Oslo:",
    "5",
    "-",
    "\n",
    "\n\n",
    "\t",
    "  ",
    "|",
    ">",
    "# ",
    "===",
    "10:15",
    "?",
    "1.",
    "<p>",
    "<table>",
]
WORDS += [
    "<tr>",
    "<td>",
    "</table>",
    "<li>",
    "<dl><dt>",
    "<dd>",
    "<nav>",
    "</nav>",
    "From ",
    "Subject: x\n",
    "-->",
    "00:01",
    ",",
    ";",
    '"',
]


@pytest.mark.parametrize("kind", ["text", "markdown", "html", "mail", "mailbox", "csv", "subtitles"])
def test_any_text_is_read_or_refused(kind):
    chance = random.Random(5)
    for _ in range(150):
        text = "".join(chance.choice(WORDS) + chance.choice(["", " "]) for _ in range(chance.randrange(60)))
        with suppress(TupeloError):
            for found in READERS.get(kind)(io.BytesIO(text.encode()), "a.x", Reading()):
                if isinstance(found, Document):
                    check(found)


def test_blocks_of_a_passage_are_clipped():
    table = Block("table", 10, 50, labels=("a",), header=1)
    assert blocks_between([Block("item", 0, 5), table], 20, 40) == [Block("table", 20, 40, labels=("a",))]
    assert blocks_between([table], 0, 10) == []
    with pytest.raises(ValueError, match="expected a known kind"):
        Block("nothing", 0, 1)


def test_boilerplate_is_judged_by_words_and_place():
    talk = "\n".join(
        f"0{hour}/05/2025, 18:0{hour} - {name}: we meet at the mill"
        for hour, name in ((1, "Jo"), (2, "Al"), (3, "Jo"))
    )
    chat = text_document("a.txt", f'01/05/2025, 18:00 - Jo created group "Boats"\n{talk}\n')
    assert [block.speaker for block in chat.blocks] == ["Jo", "Al", "Jo"]
    assert [out.reason for out in chat.left_out] == ["message of the system"]
    note = text_document(
        "b.txt",
        "The mill was built in 1890.\nIt burnt down in 1912.\nPrinted on 3 May 2024, form M-7, keep for ten years",
    )
    assert [block.of(note.text) for block in note.blocks] == ["The mill was built in 1890.\nIt burnt down in 1912."]
    assert [out.text for out in note.left_out] == ["Printed on 3 May 2024, form M-7, keep for ten years"]


@pytest.mark.parametrize("text", ["Home", "Page 3", "Cookies", "All rights reserved."])
def test_a_document_is_not_all_boilerplate(text):
    assert [block.of(text) for block in text_document("a.txt", text).blocks] == [text]


def test_blocks_of_many_pages_belong_to_the_site():
    words = ("north", "south", "lake", "mill")
    pages = [
        one(
            "html",
            f"<p>A path by the water in the hills</p><h1>To the {word}</h1><p>The path leads to the {word}.</p>",
            f"site/{word}.html",
        )
        for word in words
    ]
    found = without_shared(pages)
    for page, word in zip(found, words, strict=True):
        check(page)
        assert "A path by the water in the hills" not in page.text
        assert f"The path leads to the {word}." in page.text
        assert ("A path by the water in the hills", SHARED) in [(out.text, out.reason) for out in page.left_out]
    assert without_shared(pages[:2]) == pages[:2]


def test_a_slogan_of_a_phone_below_a_name_is_left_out():
    mail = one("mail", "From: Ann <a@x.org>\nSubject: Keys\n\nThe keys are with Bo.\n\nAnn\nSent from my phone\n")
    assert [block.of(mail.text) for block in mail.blocks[1:]] == ["The keys are with Bo.", "Ann"]
    assert [out.text for out in mail.left_out] == ["Sent from my phone"]


def test_short_lines_above_indented_ones_are_headings():
    text = "Rules of the house\n\nKitchen\n  wash your cup\n  close the window\nGarden\n  - no dogs\n"
    found = [(block.kind, block.of(text)) for block in line_blocks(text) if block.kind == "heading"]
    assert found == [("heading", "Kitchen"), ("heading", "Garden")]


def test_columns_of_years_may_leave_the_names_without_a_label():
    text = "Accounts\n\n                2024      2023\n                 £         £\n"
    text += "Rents        812,400   790,150\nGrants        64,000    12,000\n"
    (table,) = [block for block in line_blocks(text) if block.kind == "table"]
    assert (table.labels, table.header) == (("", "2024", "2023"), 2)


def test_speakers_who_go_by_a_role_have_the_name_that_the_opening_says():
    text = "Agent: Bo Ek | Customer: Mrs Ann Lee\n\nBo (10:15): Hello.\nCustomer (10:16): I lost my card.\n"
    text += "Bo (10:17): I see.\nCustomer (10:18): In Oslo.\n" * 3
    assert {block.speaker for block in line_blocks(text) if block.of(text) == "In Oslo."} == {"Mrs Ann Lee"}


def test_the_first_line_may_be_boilerplate_and_the_title_comes_after_it():
    text = "Page 1 of 3\nRIVER CLUB\nNotes of May\n\nThe boats were painted in May.\n"
    note = text_document("b.txt", text)
    assert [out.text for out in note.left_out] == ["Page 1 of 3"]
    assert note.blocks[0].of(text).startswith("RIVER CLUB")


def test_whom_we_and_you_stand_for_in_mails():
    bulk = b"From: Acme News <news@acme.org>\nTo: friends <all@acme.org>\nList-Id: <f>\nSubject: Hi\n\nWe grow.\n"
    ((*_, own),) = [one("mail", bulk).blocks]
    assert (own.group, own.audience) == ("Acme News", ())
    private = b"From: Ann Lee <a.lee@x.org>\nTo: Bo Ek <boek@y.org>\nSubject: Hi\n\nWe came.\n"
    ((*_, own),) = [one("mail", private).blocks]
    assert (own.speaker, own.group, own.audience) == ("Ann Lee", None, ("Bo Ek",))
    for address, name in (("redvalleytrust", "Red Valley Hospitals Trust"), ("orbell", "Orbell Delft B.V.")):
        signed = f"From: Ann Lee <a.lee@{address}.org>\nSubject: Hi\n\nWe came.\n\n--\nAnn Lee\n{name}, 8 Mill Road\n"
        assert {block.group for block in one("mail", signed).blocks[1:2]} == {name}


def test_turns_below_a_line_with_name_and_time():
    text = "Ann Lee  8:41 AM\nI opened it.\nBo Ek  8:44 AM\nMine is red.\nand old\n"
    blocks = line_blocks(text)
    assert [(block.kind, block.speaker) for block in blocks if block.kind == "turn"] == [
        ("turn", "Ann Lee"),
        ("turn", "Bo Ek"),
        ("turn", "Bo Ek"),
    ]


def test_speakers_of_subtitles_who_say_their_names():
    text = b"1\n00:00:01,000 --> 00:00:02,000\nMy name is Zeynel Aksoy.\n\n"
    text += b"2\n00:00:03,000 --> 00:00:04,000\n- HOST: You climb it?\n- I do.\n"
    found = one("subtitles", text)
    assert [(block.speaker, block.of(found.text)) for block in found.blocks] == [
        ("Zeynel Aksoy", "My name is Zeynel Aksoy."),
        ("HOST", "You climb it?"),
        ("Zeynel Aksoy", "I do."),
    ]


def test_we_on_a_page_of_an_organization():
    page = b"<title>About us - Acme Ltd</title><p>We build bicycles of good steel.</p><p>Our shop is in Oslo.</p>"
    found = one("html", page)
    assert {block.group for block in found.blocks} == {"Acme Ltd"}
    quoted = b'<title>News - Acme Ltd</title><p>Ann said: "We build bicycles, and our shop is in Oslo."</p>'
    assert {block.group for block in one("html", quoted).blocks} == {None}


def test_sheets_with_several_tables():
    league = "League,season 24/25,,,\nPos,Team,P,W,Pts\n1,Spoon,9,7,15\n2,Lochside,9,6,13\n,,,,\nBest averages,,,,\n"
    league += "Player,Team,M,Avg,\nDarya Mackie,Lochside,9,68.41,\nOllie B.,Spoon,8,66.02,\n"
    (found,) = READERS.get("csv")(io.BytesIO(league.encode()), "league.csv", Reading())
    tables = [block.labels for block in found.blocks if block.kind == "table"]
    assert tables == [("Pos", "Team", "P", "W", "Pts"), ("Player", "Team", "M", "Avg")]
    (found,) = READERS.get("csv")(io.BytesIO(b"Home,Score,Away,Score\nLund,3,Voss,2\n"), "games.csv", Reading())
    assert found.blocks[0].labels == ("Home", "Score", "Away", "Score")


@pytest.mark.parametrize(
    "rows",
    [
        "Town,Mayor,Pop\nLund,Ann Lee,12000\nVoss,,\nMoss,Bo Berg,unknown\nOslo,Cy Dahl,500\n",
        "Town,Pop\nLund,12000\nVoss,\nMoss,n/a\nOslo,500\nBergen,700\n",
        "Town,Pop\nLund,12000\n,\nVoss,\nMoss,n/a\nOslo,500\nBergen,700\n",
        "Town,Pop\nLund,12000\n,\nMoss,closed\nOslo,500\nBergen,700\n",
    ],
)
def test_rows_with_few_cells_divide_no_sheet(rows):
    (found,) = READERS.get("csv")(io.BytesIO(rows.encode()), "towns.csv", Reading())
    assert [block.kind for block in found.blocks] == ["table"]


@pytest.mark.parametrize(
    ("left_out", "reason", "title"),
    [
        (
            "Harbour Authority of Port Annan",
            "running header or footer",
            "Report 2024 – Harbour Authority of Port Annan",
        ),
        ("Lantern Street Dental – staff only", "running header or footer", "Report 2024 – Lantern Street Dental"),
        ("Report 2024      Page 3", "page number", "Report 2024"),
        ("© 2024 Mill Lane Trust | Press", "footer", "Report 2024 – Mill Lane Trust"),
        ("Plan Your Visit", "footer", "Report 2024"),
        ("a board of volunteers", "running header or footer", "Report 2024"),
        ("Field notes of the Barrow Digs Society", "running header or footer", "Report 2024 – Barrow Digs Society"),
        ("Unaudited. All figures in EUR million", "page number", "Report 2024 – All figures in EUR million"),
    ],
)
def test_whose_document_it_is_follows_its_title(left_out, reason, title):
    layout = Layout("a", Reading())
    layout.heading("Report 2024", 1)
    layout.add("paragraph", "Mill Lane Trust had a good year, and so had its members in the valley.")
    layout.leave_out(left_out, reason)
    document = layout.document("text/markdown")
    assert document.title == "Report 2024"
    assert {block.path[0] for block in document.blocks} == {title}
