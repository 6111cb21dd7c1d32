"""Web pages: what a reader sees, and that no page takes more than one pass."""

from __future__ import annotations

import io
import re

import pytest

from tupelo.io.documents import Reading, html
from tupelo.io.documents.html import Page, visible_text
from tupelo.io.documents.markup import read_html, read_markdown


def text(markup: str) -> str:
    return visible_text(markup)


@pytest.mark.model
@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<p>One<!-- no <p> -->two", "Onetwo"),
        ("<!-->a<!--->b<!--c--!>d", "abd"),
        ("<p>One<!-- never closed <p>two</p>", "One"),
        ("a <![CDATA[ <p> x > y ]]> b", "a b"),
        ("a <?php echo 1 ?> b</> c</ d> e", "a b c e"),
        ("1 < 2 and 3 > 2, a<b", "1 < 2 and 3 > 2, a<b"),
        ("<p title='a > b' class=c>x", "x"),
        ('<p title="a > b>x', "b>x"),
        ('<p a="x" b="y>z', "z"),
        ("<a href=x?a=1&b=2>link</a>", "link"),
        ("<SCRIPT>if (a < b) '</p>'</SCRIPT >x", "x"),
        ("a<script>never closed <p>b", "a"),
        ("<script/>a<script src=x/>b</script>c", "ac"),
        ("<svg><math><svg></math>a</svg>b", "b"),
        ("<head><title>t</title><body>a", "a"),
        ("&lt;b&gt; &amp &copy; &#65;&#x42; &nosuch; &", "<b> & © AB &nosuch; &"),
        (f"a &#{'9' * 5000}; b", "a \ufffd b"),
        ("end <b", "end <b"),
        ("<", "<"),
        ("", ""),
    ],
)
def test_tags_comments_quotes_and_characters(markup, expected):
    assert text(markup) == expected


def test_a_day_that_does_not_exist_is_no_day():
    assert Page('<meta name="date" content="2020-13-45"><meta name="date" content="2020-02-03T04">').published == (
        "2020-02-03"
    )
    (document,) = read_markdown(io.BytesIO(b"---\ntitle: 'A'\ndate: 2021-02-30\n---\nx"), "a.md", Reading())
    assert (document.title, document.published) == ("A", None)


@pytest.mark.parametrize("name", ["zlib", "punycode", "idna", "undefined", "no-such", "\xe4"])
def test_what_is_no_encoding_of_text_is_not_used(name):
    page = f'<meta charset="{name}"><p>Käse'.encode()
    (document,) = read_html(io.BytesIO(page), "a.html", Reading())
    assert document.text == "Käse"


class Counted(str):
    """A page that counts the characters that are looked at."""

    looked = 0

    def find(self, mark, start=0, end=None):
        found = super().find(mark, start)
        Counted.looked += (len(self) if found < 0 else found) - start
        return found

    def index(self, mark, start=0, end=None):
        found = super().index(mark, start)
        Counted.looked += found - start
        return found


class CountedPattern:
    def __init__(self, pattern: re.Pattern[str]) -> None:
        self._pattern = pattern

    def _counted(self, found, text, start):
        Counted.looked += (found.end() if found else len(text)) - start
        return found

    def search(self, text, start=0):
        return self._counted(self._pattern.search(text, start), text, start)

    def match(self, text, start=0):
        found = self._pattern.match(text, start)
        return self._counted(found, text, start) if found else None


FRAGMENTS = [
    "<!--", "<!", "<![CDATA[", "<?", "</", "</a", "<a", "<a ", "<a b=", '<a b="', "<a b='", '<a b=">"', "<a b='>",
    "<", ">", '"', "'", "=", "&", "&#", "&#1", "&a", "<script>", "<script", "</script", "<style><!--", "-->", "]]>",
    "<svg>", "</math>", "<title>", "<p>", "<br/>", "<meta content='", "\n", " ", "\0",
]  # fmt: skip


@pytest.mark.model
@pytest.mark.parametrize("after", ["", ">", '">"', "'>'", "-->"])
def test_every_page_is_scanned_in_one_pass(monkeypatch, after):
    for name in ("_NAME", "_ATTRIBUTE", "_UNTIL_MARK", "_EQUALS", "_COMMENT_END"):
        if name != "_ATTRIBUTE":
            monkeypatch.setattr(html, name, CountedPattern(getattr(html, name)))
    raw = {name: CountedPattern(pattern) for name, pattern in html._RAW_END.items()}
    monkeypatch.setattr(html, "_RAW_END", raw)
    for first in FRAGMENTS:
        for second in ("", *FRAGMENTS):
            page = Counted((first + second) * 200 + after)
            Counted.looked = 0
            list(html._Scanner(page).tokens())
            # A page may be gone through a second time, without its quotation marks, and every tag twice.
            assert Counted.looked <= 6 * len(page), (first, second, after)


def test_the_count_sees_a_scan_that_is_repeated(monkeypatch):
    page = Counted("<a" * 300)
    Counted.looked = 0
    for place in range(0, len(page), 2):
        page.find(">", place)
    assert Counted.looked > 6 * len(page)
