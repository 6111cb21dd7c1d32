"""A checked text as a page: every sentence coloured by its worst claim, claims and evidence beside it.

The page needs nothing but itself. All text from the data is escaped; without its script, links lead from sentences
to claims and from claims to their evidence.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape

from tupelo.checking.checked import Checked, Claim, Verdict, shown
from tupelo.core.canonical import Canonicalization, Cluster, Doubt, TripleMention
from tupelo.show import asset
from tupelo.web.page import SHELL, page_head

_MOST_CLUSTERS = 2000
_PAGE_STYLE = "body.page { max-width: 96rem }\n"


def checked_page(checked: Checked, title: str) -> str:
    """The page as one file."""
    script = f"<script>\n{asset('checked_page.js')}</script>\n"
    return f"{page_head(title, _PAGE_STYLE + asset('checked_page.css'))}{_body(checked)}{script}</body>\n</html>\n"


def checked_body(checked: Checked) -> str:
    """The view of notebooks."""
    return f"<style>\n{asset('checked_page.css')}</style>\n{_body(checked)}"


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
            evidence = sorted({number for claim in sentence.claims for number in claim.evidence})
            lit = " ".join(f"s{number}" for number in evidence)
            yield (
                f'<a class="sentence {sentence.verdict.value}" href="#n{number}" data-lit="{lit}" '
                f'title="{sentence.verdict.value}">{escape(sentence.text)}</a>'
            )
    yield escape(checked.text[place:])


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


def review_page(found: Canonicalization) -> str:
    """The whole page. Clusters of one form are counted, not listed."""
    parts = [
        f"<h1>Review of {len(found.mentions):,} triples</h1>",
        f"<p class='meta'>Method {escape(found.method)}. {len(found.entities):,} entities, {len(found.relations):,} "
        f"relations, {len(found.types):,} types. Decide what is doubtful, save the corrections, and give the file to "
        "the next run with <code>--corrections</code>.</p>",
        f"<h2 id='doubts'>Borderline merges ({len(found.doubts):,})</h2>",
        *(_doubt(number, doubt) for number, doubt in enumerate(found.doubts)),
        "<h2>Corrections</h2>",
        "<textarea id='corrections' readonly aria-label='Corrections'></textarea>",
        "<p><a id='save' download='corrections.tsv' href='#'>Save as corrections.tsv</a></p>",
        "<h2>Clusters</h2>",
        "<p><input id='filter' type='search' placeholder='Show clusters with these words' aria-label='Filter'></p>",
    ]
    for title, clusters in (("Entities", found.entities), ("Relations", found.relations), ("Types", found.types)):
        if not clusters:
            continue
        several = [cluster for cluster in clusters if len(cluster.forms) > 1]
        several.sort(key=lambda cluster: (cluster.confidence, -len(cluster.members), cluster.id))
        parts.append(f"<h2>{title}</h2>")
        parts.append(
            f"<p class='meta'>{len(several):,} clusters with more than one form, the least certain first; "
            f"{len(clusters) - len(several):,} with one form are not listed.</p>"
        )
        parts.extend(_cluster(cluster, found.mentions) for cluster in several[:_MOST_CLUSTERS])
        if len(several) > _MOST_CLUSTERS:
            parts.append(f"<p class='meta'>{len(several) - _MOST_CLUSTERS:,} more are in the output only.</p>")
    return asset("review.html").replace("/* shell */", SHELL).replace("<!-- body -->", "\n".join(parts))


def _doubt(number: int, doubt: Doubt) -> str:
    state = "joined" if doubt.joined else "kept apart"
    data = " ".join(
        f'data-{name}="{_attribute(value)}"'
        for name, value in (("kind", doubt.kind), ("left", doubt.left[0]), ("right", doubt.right[0]))
    )
    return (
        f'<div class="doubt" id="doubt-{number}" {data}>{_forms(doubt.left)} and {_forms(doubt.right)}'
        f"<div class='meta'>{doubt.kind}, {state}; same with probability {doubt.probability:.2f}</div>"
        "<button data-link='must-link' aria-pressed='false'>Same</button>"
        "<button data-link='cannot-link' aria-pressed='false'>Different</button></div>"
    )


def _cluster(cluster: Cluster, mentions: Mapping[str, TripleMention]) -> str:
    sentences = dict.fromkeys(
        mentions[member.mention].sentence for member in cluster.members if mentions[member.mention].sentence
    )
    quotes = "".join(f"<blockquote>{escape(text)}</blockquote>" for text in list(sentences)[:3])
    evidence = f"<details><summary class='meta'>Evidence</summary>{quotes}</details>" if quotes else ""
    return (
        f'<div class="cluster" id="{_attribute(cluster.id)}"><span class="name">{escape(cluster.name)}</span> '
        f"<span class='meta'>{len(cluster.members):,} occurrences, confidence {cluster.confidence:.2f}</span>"
        f"<div>{_forms(cluster.forms, 40)}</div>{evidence}</div>"
    )


def _forms(forms: Sequence[str], most: int = 6) -> str:
    shown = "".join(f"<span class='form'>{escape(form)}</span>" for form in forms[:most])
    return shown + (f" <span class='meta'>and {len(forms) - most} more</span>" if len(forms) > most else "")


def _attribute(value: str) -> str:
    # Tabs and line ends would break the lines of a corrections file.
    return escape(" ".join(value.split()), quote=True)
