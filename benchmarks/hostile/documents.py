"""Small good documents of every kind that `graph build` reads, made around a text, and reading one."""

from __future__ import annotations

import gzip
import html
import io
import json
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

from tupelo.core import TupeloError
from tupelo.io.documents.find import find_documents
from tupelo.io.documents.stage import ReadDocuments, partition_files

_TEXT = "Ann Watson founded Lindvik Shipping in 1998. She lives in Oslo.\n"


def _plain(text: str) -> bytes:
    return (text or _TEXT).encode("utf-8", "replace")


def _html(text: str) -> bytes:
    body = text or "<p>Ann &amp; Bob left <b>Oslo</b>.<!-- no --><table><tr><td>1</table><script>x()</script>"
    return f"<!DOCTYPE html><html><head><title>T</title></head><body>{body}</body></html>".encode("utf-8", "replace")


def _markdown(text: str) -> bytes:
    return (text or "# Ann\n\n* left [Oslo](http://a.example)\n\n> said *Bob*\n\n```\ncode\n```\n").encode(
        "utf-8", "replace"
    )


def _jsonl(text: str) -> bytes:
    rows = [{"id": "1", "title": "Ann", "text": text or _TEXT}, {"id": "2", "text": "Bob left."}]
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def _parquet(text: str) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    stream = io.BytesIO()
    clean = (text or _TEXT).encode("utf-8", "replace").decode()
    pq.write_table(pa.table({"id": ["1"], "text": [clean]}), stream)
    return stream.getvalue()


def _wiki(text: str) -> bytes:
    words = html.escape(text or "'''Ann''' was born in [[Oslo|the city]]. {{cite|a}}\n{| class=x\n|-\n| 1\n|}")
    clean = "".join(letter for letter in words if letter in "\t\n" or " " <= letter < "\ud800" or letter > "\ue000")
    page = f"<page><title>Ann</title><ns>0</ns><id>1</id><revision><text>{clean}</text></revision></page>"
    return f"<mediawiki>{page}</mediawiki>".encode("utf-8", "replace")


def _docx(text: str) -> bytes:
    words = html.escape("".join(letter for letter in text if letter >= " ") or _TEXT)
    body = f"<w:p><w:r><w:t>{words}</w:t></w:r></w:p>"
    name = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    document = f'<w:document xmlns:w="{name}"><w:body>{body}</w:body></w:document>'
    return _zip({"word/document.xml": document.encode("utf-8", "replace"), "[Content_Types].xml": b"<Types/>"})


def _pdf(text: str) -> bytes:
    shown = (text[:300] or _TEXT).encode("latin-1", "replace").translate(None, b"()\\")
    content = b"BT /F1 12 Tf 72 720 Td (" + shown + b") Tj ET"
    objects = (
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R"
        b" /Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    )
    made = b"%PDF-1.4\n"
    places = []
    for number, each in enumerate(objects, start=1):
        places.append(len(made))
        made += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return made + (
        b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n"
        % (len(objects) + 1, table, len(objects) + 1, len(made))
    )


def _zip(members: Mapping[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def _tar(text: str) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name, data in (("a.txt", _plain(text)), ("b/c.html", _html(text))):
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return packed.getvalue()


# A name with the ending that says the kind -> the bytes of a document around a text, or around our own.
DOCUMENTS: Mapping[str, Callable[[str], bytes]] = {
    "a.txt": _plain,
    "a.md": _markdown,
    "a.html": _html,
    "a.jsonl": _jsonl,
    "a.parquet": _parquet,
    "a.xml": _wiki,
    "a.docx": _docx,
    "a.pdf": _pdf,
    "a.zip": lambda text: _zip({"a.txt": _plain(text), "b/c.html": _html(text), "../d.txt": _plain(text)}),
    "a.tar": _tar,
    "a.tar.gz": lambda text: gzip.compress(_tar(text), mtime=0),
    "a.txt.gz": lambda text: gzip.compress(_plain(text), mtime=0),
}


def read_document(file: Path) -> list[str]:
    """Read a file as `graph build` does and return its complaints."""
    found: list[str] = []
    try:
        for partition in partition_files(find_documents([str(file)]).files):
            for batch in ReadDocuments()(partition.read()):
                found += [row["error"] for row in batch.to_pylist() if row["error"] is not None]
    except TupeloError as error:
        found.append(str(error))
    return found
