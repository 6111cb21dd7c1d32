"""The prose of wiki pages, and dumps of them."""

from __future__ import annotations

import bz2
import io

import pytest

from tupelo.core import FormatError, InputError
from tupelo.core.document import Document
from tupelo.io.documents import Reading
from tupelo.io.documents.wiki import plain_text, read_mediawiki


def read(stream, source):
    return read_mediawiki(stream, source, Reading())


PAGE = """<page><title>{title}</title><ns>{ns}</ns><id>{number}</id>{more}
<revision><id>9</id><text xml:space="preserve">{text}</text></revision></page>"""


def dump(*pages: str) -> bytes:
    body = "".join(pages)
    return f'<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/">{body}</mediawiki>'.encode()


@pytest.mark.parametrize(
    ("wikitext", "expected"),
    [
        ("'''Ann''' is ''nice''.", "Ann is nice."),
        ("A [[dog]] and a [[Felis catus|cat]].", "A dog and a cat."),
        ("{{Infobox|a={{b|c}}|d=e}}Text.", "Text."),
        ("{| class=x\n| cell {{t}}\n|}\nText.", "Text."),
        ("[[File:a.jpg|thumb|A [[dog]] there]]Text.", "Text."),
        ("Text.[[Category:Dogs]]", "Text."),
        ("Text.<ref name=a>A book</ref><ref name=a /> More.", "Text. More."),
        ("Text.<!-- not {{seen}} -->", "Text."),
        ("== Life ==\nBorn.\n== References ==\nA book.", "Born."),
        ("* a list\nText.", "Text."),
        ("See [https://example.org the page].", "See the page."),
        ("5&nbsp;km &amp; more", "5 km & more"),
        ("Ann ({{lang|fr|Anne}}) is here.", "Ann is here."),
        ("Open {{template that never ends", "Open"),
        ("Open [[link that never ends", "Open link that never ends"),
        ("", ""),
    ],
)
def test_prose_of_wikitext(wikitext: str, expected: str) -> None:
    assert plain_text(wikitext) == expected


def test_articles_of_a_dump_without_redirects_and_talk() -> None:
    pages = dump(
        PAGE.format(title="Ann Lee", ns=0, number=1, more="", text="'''Ann Lee''' is a poet."),
        PAGE.format(
            title="A. Lee", ns=0, number=2, more='<redirect title="Ann Lee" />', text="#REDIRECT [[Ann Lee]]"
        ),
        PAGE.format(title="Talk:Ann Lee", ns=1, number=3, more="", text="Hello."),
    )
    found = list(read(io.BytesIO(pages), "w.xml"))
    assert found == [Document("w.xml#1", "Ann Lee is a poet.", title="Ann Lee")]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (dump(PAGE.format(title="A", ns=0, number=1, more="", text="x"))[:-30], r"w\.xml:\d+: broken XML"),
        (b"<html></html>", "an XML file of <html>, expected a MediaWiki dump"),
        (b'<!DOCTYPE a [<!ENTITY b "c">]><mediawiki/>', "a document type declaration"),
    ],
)
def test_broken_dumps_are_named(content: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        list(read(io.BytesIO(content), "w.xml"))


def test_bzip2_is_told_by_its_content(tmp_path) -> None:  # type: ignore[no-untyped-def]
    from tupelo.io.files import InputFile

    path = tmp_path / "packed"
    path.write_bytes(bz2.compress(b"one\ntwo\n"))
    with InputFile(path) as file:
        assert [line for _, line in file.lines()] == ["one", "two"]
    path.write_bytes(b"BZhang, a name\n")
    with InputFile(path) as file:
        assert [line for _, line in file.lines()] == ["BZhang, a name"]
    path.write_bytes(bz2.compress(b"word " * 9999)[:-9])
    with InputFile(path) as file, pytest.raises(FormatError, match="broken bzip2 data"):
        list(file.lines())
