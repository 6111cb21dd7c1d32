from __future__ import annotations

import gzip
import io
import json
import os
import tarfile
import zipfile

import pytest

from tests.extras import needs
from tupelo.core import InputError, TupeloError
from tupelo.core.document import PASSAGE, Document, cut
from tupelo.core.limits import Limits
from tupelo.io.documents import ENDINGS, READERS, Reading, format_of
from tupelo.io.documents.find import find_documents
from tupelo.io.documents.stage import ReadDocuments, partition_files


def read(path):
    """All rows of the reading stage for a file or folder, and its complaints."""
    rows, errors = [], []
    for partition in partition_files(find_documents([str(path)]).files):
        for batch in ReadDocuments()(partition.read()):
            for row in batch.to_pylist():
                if row.pop("error") is None:
                    if row.pop("note") is None:
                        rows.append(row)
                else:
                    errors.append(row["source"])
                    assert row["text"] == ""
    return rows, errors


def complaints(path):
    found = []
    for partition in partition_files(find_documents([str(path)]).files):
        for batch in ReadDocuments()(partition.read()):
            found += [row["error"] for row in batch.to_pylist() if row["error"] is not None]
    return found


@pytest.mark.model
@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"One.\r\nTwo.\rThree.\n", "One.\nTwo.\nThree.\n"),
        (b"\xef\xbb\xbfHi.", "Hi."),
        ("Früh.".encode("utf-16"), "Früh."),
        (gzip.compress(b"Packed.", mtime=0), "Packed."),
        (b"", ""),
    ],
)
def test_plain_text_in_the_encodings_that_say_so(tmp_path, data, text):
    (tmp_path / "a.txt").write_bytes(data)
    (row,), errors = read(tmp_path / "a.txt")
    assert (row["text"], row["characters"], row["number"], errors) == (text, len(text), 0, [])
    assert row["document_id"] == Document("a.txt", "other").id


@pytest.mark.model
@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.txt", b"ok\nbad \xff", "a.txt:2: byte 0xff at position 7 is not UTF-8, expected UTF-8 text"),
        ("a.txt", b"ok\n\nnul \0", "a.txt:3: a NUL character, expected text"),
        ("a.txt.gz", gzip.compress(b"word " * 9999, mtime=0)[:-20], "a.txt.gz: broken gzip data"),
        ("a.md", b"\xc3(", "a.md:1: byte 0xc3 at position 0 is not UTF-8"),
        ("a.jsonl", b'{"text": "fine"}\n{"text": 1}\n', "a.jsonl:2: no text, expected a field 'text' with a string"),
        ("a.jsonl", b"[1]\n", "a.jsonl:1: a JSON list, expected one JSON object"),
        ("a.jsonl", b"{oops\n", "a.jsonl:1: not JSON (Expecting property name"),
        ("a.jsonl", b'{"id": 1, "text": "a"}\n{"id": 1, "text": "b"}', "a.jsonl:2: id '1' comes twice"),
        ("a.jsonl", b'{"text": "\\ud800"}', "a.jsonl:1: a NUL character or half a surrogate pair, expected text"),
        ("a.parquet", b"PAR1 no", "a.parquet: broken Parquet file"),
        pytest.param("a.pdf", b"%PDF-1.4 no", "a.pdf: broken PDF", marks=needs("pypdf", "documents")),
        ("a.docx", b"PK no", "a.docx: broken Word file"),
        ("a.zip", b"PK no", "a.zip: broken archive"),
        ("a.tar.gz", b"no", "a.tar.gz: broken archive"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_place(tmp_path, name, data, message):
    (tmp_path / name).write_bytes(data)
    (found,) = complaints(tmp_path / name)
    # The engine puts the name before a reason that does not begin with it.
    assert (found if found.startswith(name) else f"{name}: {found}").startswith(message)


@pytest.mark.model
def test_a_bad_line_of_jsonl_leaves_the_others(tmp_path):
    lines = ['{"text": "One.", "id": "x", "title": "T", "date": "2001-02-03T04"}', "oops", '{"text": "Two."}', ""]
    (tmp_path / "a.jsonl").write_text("\n".join(lines))
    rows, errors = read(tmp_path / "a.jsonl")
    assert [(row["text"], row["title"], row["published"]) for row in rows] == [
        ("One.", "T", "2001-02-03"),
        ("Two.", None, None),
    ]
    assert rows[0]["source"] == "a.jsonl#x"
    assert errors == ["a.jsonl"]
    # A document without an id is known by its content, wherever it stands.
    (tmp_path / "a.jsonl").write_text("\n".join(reversed(lines)))
    assert {row["document_id"] for row in read(tmp_path / "a.jsonl")[0]} == {row["document_id"] for row in rows}


@pytest.mark.model
def test_parquet_has_a_document_per_row(tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.table({"url": ["a", "b"], "body": ["One.", "Two."], "size": [1, 2]})
    pq.write_table(table, tmp_path / "a.parquet")
    rows, _ = read(tmp_path / "a.parquet")
    assert [(row["source"], row["text"]) for row in rows] == [("a.parquet#a", "One."), ("a.parquet#b", "Two.")]


@pytest.mark.model
def test_a_page_gives_what_a_reader_sees(tmp_path):
    page = """<!doctype html><html><head><title>The &amp; title</title><script>evil("<p>x</p>")</script>
    <meta property="article:published_time" content="2020-05-06T10:00"></head><body><nav>Home</nav>
    <h1>Head</h1><p>One <b>bold</b> word.<br>Next line.</p><style>p {}</style>
    <ul><li>Item &lt;script&gt;</li><li>Other</li></ul><svg><title>no</title></svg><p>Last.</body></html>"""
    (tmp_path / "a.html").write_text(page)
    (row,), _ = read(tmp_path / "a.html")
    assert row["text"].split("\n\n") == [
        "Head",
        "One bold word.\nNext line.",
        "Item <script>",
        "Other",
        "Last.",
    ]
    assert (row["title"], row["published"], row["media_type"]) == ("The & title", "2020-05-06", "text/html")


@pytest.mark.model
def test_a_page_says_its_encoding(tmp_path):
    (tmp_path / "a.html").write_bytes('<meta charset="latin-1"><p>Käse'.encode("latin-1"))
    assert read(tmp_path / "a.html")[0][0]["text"] == "Käse"


@pytest.mark.model
def test_markdown_gives_its_prose(tmp_path):
    text = """---
title: "Notes"
date: 2019-08-07
---
# A *heading* #

Some **bold**, _thin_ and `code` with a [link](http://x) and snake_case_name.
> Quoted words.

- First
- Second <b>one</b>

```python
print("no")
```
![picture](x.png)

| a | b |
|---|---|
[ref]: http://x
"""
    (tmp_path / "a.md").write_text(text)
    (row,), _ = read(tmp_path / "a.md")
    assert row["text"].split("\n\n") == [
        "A heading",
        "Some bold, thin and code with a link and snake_case_name.",
        "Quoted words.",
        "First",
        "Second one",
        'print("no")',
        "a\tb",
    ]
    assert (row["title"], row["published"]) == ("Notes", "2019-08-07")


@pytest.mark.model
def test_word_files(tmp_path):
    docx = pytest.importorskip("docx")
    word = docx.Document()
    word.add_paragraph("Ann founded Acme.")
    word.add_table(1, 1).rows[0].cells[0].text = "A cell."
    word.core_properties.title = "Report"
    word.save(str(tmp_path / "a.docx"))
    (row,), _ = read(tmp_path / "a.docx")
    assert (row["text"], row["title"]) == ("Ann founded Acme.\n\nA cell.", "Report")


def pdf_of(text: str) -> bytes:
    """A PDF of one page, written by hand."""
    stream = f"BT /F1 12 Tf 72 700 Td ({text}) Tj ET".encode()
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
        b"/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
    ]
    body, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, start=1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"trailer << /Size 5 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % len(body)
    return body + b"xref\n0 5\n0000000000 65535 f \n" + table + end


@pytest.mark.model
def test_pdf_files(tmp_path):
    pytest.importorskip("pypdf")
    (tmp_path / "a.pdf").write_bytes(pdf_of("Ann founded Acme."))
    assert read(tmp_path / "a.pdf")[0][0]["text"] == "Ann founded Acme."
    (tmp_path / "a.pdf").write_bytes(pdf_of(""))
    assert "no text in 1 page(s)" in complaints(tmp_path / "a.pdf")[0]


def archive(path, members):
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w") as packed:
            for name, data in members:
                packed.writestr(name, data)
    else:
        with tarfile.open(path, "w:gz") as packed:
            for name, data in members:
                info = tarfile.TarInfo(name)
                info.size = len(data)
                packed.addfile(info, io.BytesIO(data))


@pytest.mark.model
@pytest.mark.parametrize("name", ["a.zip", "a.tar.gz"])
def test_archives_hold_documents(tmp_path, name):
    jsonl = json.dumps({"text": "Two.", "id": 7}).encode()
    archive(tmp_path / name, [("in/a.txt", b"One."), ("b.jsonl", jsonl), ("c.png", b"x"), ("d.txt", b"\xff")])
    rows, errors = read(tmp_path / name)
    assert [(row["source"], row["text"]) for row in rows] == [
        (f"{name}/in/a.txt", "One."),
        (f"{name}/b.jsonl#7", "Two."),
    ]
    assert errors == [name]


@pytest.mark.model
@pytest.mark.parametrize("member", ["../a.txt", "/etc/a.txt", "in/../../a.txt", "C:\\a.txt"])
def test_names_in_archives_cannot_escape(tmp_path, member):
    (tmp_path / "in").mkdir()
    archive(tmp_path / "in" / "a.tar.gz", [(member, b"One.")])
    assert "is not allowed, expected a plain path below a folder" in complaints(tmp_path / "in" / "a.tar.gz")[0]
    assert sorted(os.listdir(tmp_path)) == ["in"]


@pytest.mark.model
def test_folders_are_searched_and_what_is_no_document_is_listed(tmp_path):
    top = tmp_path / "top"
    for name in ("b.txt", "sub/a.md", "sub/photo.png", ".hidden.txt", ".git/c.txt"):
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text("x")
    (tmp_path / "outside.txt").write_text("secret")
    (top / "link.txt").symlink_to(tmp_path / "outside.txt")
    listing = find_documents([str(top)])
    assert [file.source for file in listing.files] == ["top/b.txt", "top/sub/a.md"]
    assert [(found.source, found.reason) for found in listing.passed_over] == [
        ("top/link.txt", "a link that leads out of the folder"),
        ("top/sub/photo.png", "not a known kind of document"),
    ]
    assert find_documents([str(top), f"{top}/"]).files == listing.files


@pytest.mark.model
def test_what_is_named_must_be_a_document(tmp_path):
    (tmp_path / "a.png").write_text("x")
    with pytest.raises(InputError, match=r"a\.png: not a known kind of document, expected a folder or \.txt"):
        find_documents([str(tmp_path / "a.png")])
    with pytest.raises(InputError, match=r"none\.txt: No such file"):
        find_documents([str(tmp_path / "none.txt")])


@pytest.mark.model
def test_two_documents_cannot_have_one_name(tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.txt").write_text(name)
    with pytest.raises(InputError, match=r"would both be called 'a\.txt'"):
        find_documents([str(tmp_path / "one" / "a.txt"), str(tmp_path / "two" / "a.txt")])


@pytest.mark.model
def test_a_long_document_is_partial_into_passages_that_are_its_text(tmp_path):
    text = "\n\n".join(f"Paragraph {number}. " + "word " * 400 for number in range(250))
    (tmp_path / "a.txt").write_text(text)
    rows, _ = read(tmp_path / "a.txt")
    assert len(rows) > 4
    assert "".join(row["text"] for row in rows) == text
    assert all(text.startswith(row["text"], row["start_at"]) for row in rows)
    assert all(len(row["text"]) <= PASSAGE for row in rows)
    assert len({row["checksum"] for row in rows}) == 1


@pytest.mark.parametrize("text", ["", "x" * 95, "a b " * 40, "one\ntwo " * 30, "y" * 20])
def test_cutting_loses_nothing(text):
    pieces = list(cut(text, 20))
    assert "".join(piece for _, piece in pieces) == text
    assert all(text.startswith(piece, start) and len(piece) <= 20 for start, piece in pieces)


def test_every_ending_has_a_reader():
    assert set(ENDINGS.values()) == set(READERS)
    for name in READERS:
        assert callable(READERS.get(name))
    assert format_of("x.TXT.gz") == "text"
    assert format_of("x") is None


def found(kind, data, **options):
    """What a reader finds in some bytes; the error that ends it comes last."""
    made = []
    try:
        made += READERS.get(kind)(io.BytesIO(data), "x", Reading(**options))
    except TupeloError as error:
        made.append(error)
    return made


def test_text_that_is_not_utf8_is_read_in_the_encoding_that_is_named():
    data = "Zoë".encode("cp1252")
    for kind in ("text", "markdown", "html"):
        assert [item.text for item in found(kind, data, encoding="cp1252")] == ["Zoë"]
    assert found("jsonl", b'{"text": "Zo\xeb"}', encoding="latin-1")[0].text == "Zoë"
    # What is UTF-8 is read as UTF-8, and a page may know better.
    assert found("text", "Zoë".encode(), encoding="cp1252")[0].text == "Zoë"
    assert found("html", '<meta charset="utf-8">Zoë'.encode(), encoding="cp1252")[0].text == "Zoë"
    assert "byte 0x81 at position 2 is not CP1252" in str(found("text", b"Zo\x81", encoding="cp1252")[0])


@pytest.mark.parametrize("name", ["klingon", "zlib", "punycode", ""])
def test_an_encoding_must_be_one_of_text(name):
    with pytest.raises(InputError, match=r"encoding '.*' is not known, expected a name such as cp1252"):
        Reading(encoding=name)


def test_a_line_of_json_that_is_too_long_leaves_the_others():
    lines = [b'{"text": "One."}', b'{"text": "' + b"x" * 500 + b'"}', b'{"text": "Two."}']
    first, long, last = found("jsonl", b"\n".join(lines), limits=Limits(document=100))
    assert (first.text, last.text) == ("One.", "Two.")
    assert str(long) == "x:2: a longer line, expected at most 100 (limit document)"


def test_rows_of_parquet_that_share_a_long_text_are_counted_one_by_one():
    import pyarrow as pa
    import pyarrow.parquet as pq

    text = pa.array([" " * 1_000_000]).dictionary_encode().dictionary
    rows = pa.DictionaryArray.from_arrays(pa.array([0] * 5000, pa.int32()), text)
    stream = io.BytesIO()
    pq.write_table(pa.table({"text": rows}), stream, compression="zstd")
    *others, last = found("parquet", stream.getvalue())
    assert len(others) == 10
    assert "unpacks to far more than its size" in str(last)
    # Columns that pack well, but hold every text: the file says how much that is.
    stream = io.BytesIO()
    table = pa.table({"text": [f"{' ' * 1_000_000}{number}" for number in range(20)]})
    pq.write_table(table, stream, compression="zstd", use_dictionary=False)
    (error,) = found("parquet", stream.getvalue())
    assert "unpacks to far more than its size" in str(error)


def word_file(body: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("word/document.xml", body)
    return stream.getvalue()


def test_a_word_file_that_unpacks_to_very_much_is_not_opened():
    (error,) = found("docx", word_file(b" " * 30_000_000))
    assert "unpacks to far more than its size" in str(error)


def test_entities_of_a_word_file_are_not_expanded():
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10 if n else "ha" * 50}">' for n in range(9))
    body = (
        f'<!DOCTYPE a [{entities}]><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">'
        "<w:body><w:p><w:r><w:t>&e8;</w:t></w:r></w:p></w:body></w:document>"
    )
    (item,) = found("docx", word_file(body.encode()))
    assert isinstance(item, InputError) or len(item.text) < 1000


def test_a_dump_with_a_page_that_is_too_large_or_a_late_declaration():
    page = "<page><title>{}</title><revision><text>{}</text></revision></page>"
    dump = f"<mediawiki>{page.format('A', 'x' * 5000)}{page.format('B', 'Short.')}</mediawiki>"
    error, document = found("mediawiki", dump.encode(), limits=Limits(document=1000))
    assert "x#A: a larger page, expected at most 1,000 (limit document)" in str(error)
    assert document.text == "Short."
    # A tag that never ends is given up as soon as it is longer than any document.
    (error,) = found("mediawiki", b'<mediawiki a="' + b"x" * 2_000_000, limits=Limits(document=100_000))
    assert "a larger tag or comment" in str(error)
    late = f'<!-- {"x" * 10_000} --><!DOCTYPE a [<!ENTITY b "c">]><mediawiki/>'.encode()
    assert "a document type declaration" in str(found("mediawiki", late)[0])
