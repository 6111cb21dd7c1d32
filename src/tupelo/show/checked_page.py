"""A checked text as a page: every sentence coloured by its worst claim, claims and evidence beside it.

The page needs nothing but itself. All text from the data is escaped; without its script, links lead from sentences
to claims and from claims to their evidence.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from pathlib import Path

from tupelo.checking.checked import Checked, CheckedSentence, Claim, Verdict, shown
from tupelo.web.page import page_head

_PAGE_STYLE = "body.page { max-width: 96rem }\n"
_STYLE, _SCRIPT = (Path(__file__).with_name(name) for name in ("checked_page.css", "checked_page.js"))


def checked_page(checked: Checked, title: str) -> str:
    """The page as one file."""
    script = f"<script>\n{_SCRIPT.read_text('utf-8')}</script>\n"
    return f"{page_head(title, _PAGE_STYLE + _STYLE.read_text('utf-8'))}{_body(checked)}{script}</body>\n</html>\n"


def checked_body(checked: Checked) -> str:
    """The view of notebooks."""
    return f"<style>\n{_STYLE.read_text('utf-8')}</style>\n{_body(checked)}"


def _body(checked: Checked) -> str:
    legend = " ".join(f'<span class="kind {verdict.value}">{verdict.value}</span>' for verdict in Verdict)
    figures = f"score {shown(checked.score)}, supported {shown(checked.supported)}; {checked.summary()}."
    return (
        f'<div class="checked">\n<p>{escape(figures)} {legend}</p>\n<main>\n'
        f'<section class="answer" aria-label="Text"><h2>Text</h2>\n<p>{"".join(_text(checked))}</p></section>\n'
        f'<section class="claims" aria-label="Claims"><h2>Claims</h2>\n{"".join(_claims(checked))}</section>\n'
        f'<section class="source" aria-label="Source"><h2>Source</h2>\n{"".join(_source(checked))}</section>\n'
        "</main>\n</div>\n"
    )


def _text(checked: Checked) -> Iterator[str]:
    """The whole text as it was written; a sentence with claims links to them."""
    place = 0
    for number, sentence in enumerate(checked.sentences):
        yield escape(checked.text[place : sentence.start])
        place = sentence.start + len(sentence.text)
        if sentence.verdict is None:
            yield escape(sentence.text)
        else:
            lit = " ".join(f"s{one}" for one in _evidence(sentence))
            yield (
                f'<a class="sentence {sentence.verdict.value}" href="#n{number}" data-lit="{lit}" '
                f'title="{sentence.verdict.value}">{escape(sentence.text)}</a>'
            )
    yield escape(checked.text[place:])


def _evidence(sentence: CheckedSentence) -> list[int]:
    return sorted({number for claim in sentence.claims for number in claim.evidence})


def _claims(checked: Checked) -> Iterator[str]:
    for number, sentence in enumerate(checked.sentences):
        if sentence.claims:
            claims = "".join(_claim(claim, checked) for claim in sentence.claims)
            yield f'<article id="n{number}">{claims}</article>\n'


def _claim(claim: Claim, checked: Checked) -> str:
    chance = "" if claim.probability is None else f" {claim.probability:.2f}"
    note = f" – {escape(claim.reason)}" if claim.reason else ""
    links = "".join(
        f'<a class="evidence" href="#s{number}">{escape(checked.source[number].text)}</a>'
        for number in claim.evidence
    )
    return (
        f'<div class="claim {claim.verdict.value}">{escape(claim.text)} '
        f"<small>{claim.verdict.value}{chance}{note}</small>{links}</div>"
    )


def _source(checked: Checked) -> Iterator[str]:
    several = len(checked.passages) > 1
    for number, passage in enumerate(checked.passages):
        if several:
            yield f"<h3>{number + 1}</h3>\n"
        place = 0
        yield "<p>"
        for index, sentence in enumerate(checked.source):
            if sentence.passage == number:
                end = sentence.start + len(sentence.text)
                yield escape(passage[place : sentence.start])
                yield f'<span id="s{index}" tabindex="-1">{escape(sentence.text)}</span>'
                place = end
        yield f"{escape(passage[place:])}</p>\n"
