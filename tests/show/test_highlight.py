from __future__ import annotations

from dataclasses import replace
from html.parser import HTMLParser

from tests.extract.trees import BORN, analysis
from tupelo.cli.tuple_table import tuple_tables
from tupelo.core import Argument, Attribution, Extraction, SentenceTuples
from tupelo.extract.parts import sentence_of
from tupelo.nlp.parts import make_part
from tupelo.show.highlight import document_page

HOSTILE = analysis(
    '<script>alert(1)</script> & "Ann" left.',
    "<script>alert(1)</script> X 4 nsubj",
    "& SYM 4 dep",
    '"Ann" PROPN 4 nsubj',
    "left VERB 0 root",
    ". PUNCT 4 punct",
)
ATTACK = Extraction(
    sentence_of(HOSTILE),
    make_part(HOSTILE, ["<i>did</i>", 3]),
    make_part(HOSTILE, [0, 1, 2]),
    (make_part(HOSTILE, ["</td>"], "time"),),
    0.5,
    attribution=Attribution("<b>", "said"),
    context=Argument("<img>", "<u>"),
    rule="<rule>",
)
PLAIN = Extraction(
    sentence_of(BORN), make_part(BORN, [1, 2, 3]), make_part(BORN, [0]), (make_part(BORN, [4], "location"),), 0.875
)


def no_foreign_tag(html: str) -> bool:
    return not any(tag in html for tag in ("<script", "<i>did", "</td>", "<b>", "<img", "<u>", "<rule>"))


class Balance(HTMLParser):
    """Keeps the elements that are open, and fails on an end that does not fit."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in ("meta", "link"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_every_element_of_a_page_is_closed() -> None:
    found = [SentenceTuples(item.sentence, (item,)) for item in (ATTACK, PLAIN)]
    parser = Balance()
    parser.feed(document_page("x", [*found, SentenceTuples(PLAIN.sentence, ())], explain=True))
    assert parser.open == []


def test_a_notebook_shows_the_parts_and_the_sentence() -> None:
    html = PLAIN._repr_html_()
    assert "was born in</span>" in html
    assert 'title="location"' in html
    assert "0.88" in html
    assert "was  born in</span>" in html


def test_nothing_of_a_text_becomes_markup() -> None:
    assert no_foreign_tag(ATTACK._repr_html_())
    assert no_foreign_tag(document_page("<script>", [SentenceTuples(ATTACK.sentence, (ATTACK,))], explain=True))


def test_parts_that_overlap_are_marked_once_with_both_names() -> None:
    item = replace(PLAIN, args=(make_part(BORN, [3, 4]),))
    html = item.sentence_html()
    assert 'title="rel, arg"' in html
    assert html.count(">in<") == 1


def test_a_part_without_a_place_is_shown_and_nothing_is_marked() -> None:
    item = Extraction.of("Ann left.", "left", ["Ann"])
    assert item.sentence_html() == "Ann left."
    assert "left</span>" in item.tuple_html()


def test_reservations_are_said_in_words() -> None:
    item = replace(
        PLAIN,
        negated=True,
        modality="possible",
        attribution=Attribution("Bo", "said"),
        context=Argument("if it rains", "condition"),
    )
    assert item.reservations() == ["not", "possible", "Bo said", "condition: if it rains"]
    assert replace(PLAIN, attribution=Attribution("the archive", "according to")).reservations() == [
        "according to the archive"
    ]


def test_a_page_counts_sentences_and_tuples_and_explains() -> None:
    page = document_page("Ann", [SentenceTuples(PLAIN.sentence, (replace(PLAIN, rule="passive"),))], explain=True)
    assert "1 sentences, 1 tuples" in page
    assert "<code>passive</code>" in page
    assert page.startswith("<!doctype html>")
    assert page.endswith("</html>\n")


def test_a_plain_table_has_no_colour_and_says_everything_in_words() -> None:
    item = replace(PLAIN, negated=True, rule="passive", arg1=replace(PLAIN.arg1, resolved="Ann Lee"))  # type: ignore[type-var]
    (text,) = tuple_tables([SentenceTuples(item.sentence, (item,))], colour=False, explain=True)
    assert "\x1b" not in text
    for word in (
        "Ann was  born in Oslo.",
        "0.88",
        "Ann = Ann Lee",
        "was born in",
        "Oslo (location)",
        "[not]",
        "passive",
    ):
        assert word in text


def test_a_terminal_gets_colours_and_no_control_characters_of_the_text() -> None:
    nasty = Extraction.of("Ann \x1b[31m left\x07.", "left \x1b[0m", ["Ann\r"])
    (text,) = tuple_tables([SentenceTuples(nasty.sentence, (nasty,))], colour=True)
    assert "\x1b[1m" in text
    assert "\x1b[31m left" not in text
    assert "\x07" not in text
    assert "\r" not in text


def test_implied_words_stand_in_brackets() -> None:
    item = replace(PLAIN, rel=make_part(BORN, ["is", 3]))
    (text,) = tuple_tables([SentenceTuples(item.sentence, (item,))], colour=False)
    assert "[is] in" in text


def test_a_sentence_without_tuples_says_so() -> None:
    (text,) = tuple_tables([SentenceTuples(PLAIN.sentence, ())], colour=False)
    assert "no tuples" in text
