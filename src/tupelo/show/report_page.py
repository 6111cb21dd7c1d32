"""A report as one HTML page without script, and as Markdown: the same content. Everything is escaped.

Each key fact has a number that leads to its sentence among the sources, and back.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import Any

from tupelo.core.results import printable
from tupelo.graph.report.dossier import (
    CitedDocument,
    CitedSentence,
    CommunityReport,
    DatedStatement,
    EntityReport,
    Report,
)
from tupelo.graph.report.key_facts import KeyFact, Statement
from tupelo.show import asset
from tupelo.show.graph_picture import draw_svg
from tupelo.web.page import SHELL, content_hash, page_head

_STYLE = "\n" + asset("report_page.css")
_ALLOWED = f"style-src '{content_hash(SHELL + _STYLE)}'; img-src data:"
REPORT_POLICY = f"default-src 'none'; {_ALLOWED}; base-uri 'none'; form-action 'none'"
_DEEPEST_HEADING = 5
# Width of a picture in its own units, of which letters have 12.
_PICTURE = 720
_WEB = re.compile(r"https?://[^\s]+")
_MARKUP = re.compile(r"[\\`*_{}\[\]<>#|&~$]")
# Beginnings of a line that would make it a list or a heading.
_LINE_START = re.compile(r"(?:[-+=]|(?P<number>[0-9]{1,9})(?=[.)]))")


def report_html(report: Report) -> str:
    """The whole page."""
    meta = f'<meta http-equiv="Content-Security-Policy" content="{escape(REPORT_POLICY)}">\n'
    head = page_head(report.title, _STYLE, meta)
    return f"{head}{report_body(report)}\n</body>\n</html>\n"


def report_body(report: Report) -> str:
    """The page without its head and title."""
    numbers = _numbers(report)
    pictures = [_picture(data) for data in report.pictures] or [""] * len(report.communities)
    own = pictures.pop(0) if report.entity and report.pictures else ""
    topics = [
        _community(topic, f"c{at}", numbers, 2, picture)
        for at, (topic, picture) in enumerate(zip(report.communities, pictures, strict=False), start=1)
    ]
    links = [f'<li><a href="#c{at}">{_e(topic.title)}</a></li>' for at, topic in enumerate(report.communities, 1)]
    entity = _entity(report.entity, numbers, own) if report.entity else ""
    sources = "".join(_document(document, numbers) for document in report.sources)
    sizes = "".join(f"<div><dt>{_e(name)}</dt><dd>{count:,}</dd></div>" for name, count in report.sizes.items())
    remarks = "".join(f'<p class="soft">{_e(remark)}</p>' for remark in report.remarks)
    return "\n".join(
        filter(
            None,
            [
                '<a class="skip-link" href="#main">To the content</a>\n<main id="main">',
                f'<dl class="figures">{sizes}</dl>{remarks}',
                f'<nav aria-label="Contents"><ol>{"".join(links)}</ol></nav>' if links else "",
                entity,
                _timeline(report),
                _conflicts(report),
                *topics,
                f'<section id="sources"><h2>Sources</h2>{sources}</section>' if sources else "",
                "" if entity or topics else "<p>Nothing is asserted in this graph.</p>",
                "</main>",
            ],
        )
    )


def _e(text: str) -> str:
    return escape(printable(text))


def _numbers(report: Report) -> dict[str, int]:
    """The numbers of the sentences, from 1, in the order of the report."""
    facts = [*(report.entity.facts if report.entity else ()), *(f for c in report.communities for f in c.all_facts())]
    return {key: at for at, key in enumerate(dict.fromkeys(fact.id for fact in facts), start=1)}


def _about(topic: CommunityReport) -> str:
    return f"{topic.importance:.1%} of all importance · {topic.size:,} entities · {topic.edges:,} edges"


def _mentioned(entity: EntityReport) -> str:
    return f"{entity.mentions:,} mentions in {entity.documents:,} document{'' if entity.documents == 1 else 's'}"


def _community(topic: CommunityReport, anchor: str, numbers: Mapping[str, int], level: int, picture: str = "") -> str:
    heading = f"h{min(level, _DEEPEST_HEADING)}"
    entities = "".join(f"<li>{_e(str(entity))}</li>" for entity in topic.entities)
    parts = "".join(
        _community(part, f"{anchor}-{at}", numbers, level + 1) for at, part in enumerate(topic.parts, start=1)
    )
    return (
        f'<section id="{anchor}"><{heading}>{_e(topic.title)}</{heading}><p class="soft">{_about(topic)}</p>'
        f'<ul class="entities" aria-label="Main entities">{entities}</ul>{picture}'
        f"{_facts(topic.facts, numbers)}{parts}</section>"
    )


def _entity(entity: EntityReport, numbers: Mapping[str, int], picture: str) -> str:
    names = f"<p>Also: {_e(', '.join(entity.names))}</p>" if entity.names else ""
    rows = "".join(
        f"<tr><td>{_e(subject)}</td><td>{_e(relation)}</td><td>{_e(', '.join(objects))}</td></tr>"
        for subject, relation, objects in _rows(entity.statements)
    )
    head = '<tr><th scope="col">Subject</th><th scope="col">Relation</th><th scope="col">Object</th></tr>'
    table = f"<h3>Statements</h3><table><thead>{head}</thead><tbody>{rows}</tbody></table>" if rows else ""
    return (
        f'<section id="entity"><h2>{_e(str(entity.entity))}</h2><p class="soft">{_mentioned(entity)}</p>{names}'
        f"{picture}{_facts(entity.facts, numbers)}{table}</section>"
    )


def _rows(statements: Sequence[Statement]) -> Iterator[tuple[str, str, list[str]]]:
    """Statements of one subject and relation together, in the order of the first of them."""
    rows: dict[tuple[str, str], list[str]] = {}
    for said in statements:
        rows.setdefault((said.subject, said.relation), []).append(said.object)
    for (subject, relation), objects in rows.items():
        yield subject, relation, list(dict.fromkeys(objects))


def _facts(facts: Iterable[KeyFact], numbers: Mapping[str, int]) -> str:
    items = "".join(_fact(fact, numbers[fact.id]) for fact in facts)
    return f'<ul class="facts">{items}</ul>' if items else ""


def _fact(fact: KeyFact, number: int) -> str:
    text = "".join(
        _e(piece) + (f' <span class="stands">[{_e(name)}]</span>' if name else "") for piece, name in fact.segments()
    )
    said = "".join(
        f'<li>{_e(said.subject)} – {_e(said.relation)} – {_e(said.object)} <span class="number">{said.confidence:.2f}'
        "</span></li>"
        for said in fact.statements
    )
    count = len(fact.statements)
    return (
        f'<li id="f{number}">{text} <a class="cite" href="#s{number}" aria-label="Source {number}">[{number}]</a>'
        f"<details><summary>{count} statement{'' if count == 1 else 's'}</summary>"
        f'<ul class="soft">{said}</ul></details></li>'
    )


def _document(document: CitedDocument, numbers: Mapping[str, int]) -> str:
    source = _e(document.source)
    if _WEB.fullmatch(document.source):
        source = f'<a href="{source}" rel="noreferrer">{source}</a>'
    title = f'<h3>{_e(document.title)}</h3><p class="soft">{source}</p>' if document.title else f"<h3>{source}</h3>"
    return title + "".join(_quotation(sentence, numbers[sentence.id]) for sentence in document.sentences)


def _quotation(sentence: CitedSentence, number: int) -> str:
    before, after = (f'<span class="soft">{_e(text)}</span>' for text in (sentence.before, sentence.after))
    return (
        f'<blockquote id="s{number}">'
        f'<a class="cite" href="#f{number}" aria-label="Back to fact {number}">[{number}]</a> '
        f"{before} <mark>{_e(sentence.sentence)}</mark> {after} "
        f'<span class="soft">(sentence {sentence.position + 1})</span></blockquote>'
    )


def report_markdown(report: Report) -> str:
    """The report as Markdown, with footnotes (GitHub, Pandoc and others know them)."""
    numbers = _numbers(report)
    sizes = " · ".join(f"{count:,} {name}" for name, count in report.sizes.items())
    lines = [f"# {_m(report.title)}", "", _m(sizes), ""]
    for remark in report.remarks:
        lines += [_m(remark), ""]
    if report.entity:
        entity = report.entity
        lines += [f"## {_m(str(entity.entity))}", "", _mentioned(entity), ""]
        lines += [f"Also: {_m(', '.join(entity.names))}", ""] if entity.names else []
        lines += [*_markdown_facts(entity.facts, numbers), ""]
        if entity.statements:
            lines += ["| Subject | Relation | Object |", "| --- | --- | --- |"]
            for subject, relation, objects in _rows(entity.statements):
                lines.append(f"| {_m(subject)} | {_m(relation)} | {_m(', '.join(objects))} |")
            lines.append("")
    for topic in report.communities:
        lines += _markdown_community(topic, numbers, 2)
    if report.timeline:
        lines += ["## Timeline", ""]
        lines += [f"- {_m(_when(one))}: {_m(one.text)} ({_m(one.source)})" for one in report.timeline]
        lines.append("")
    if report.conflicts:
        lines += ["## Conflicts", ""]
        for one in report.conflicts:
            lines += [
                f"- {_m(one.about)}: {_m(one.reason)}",
                *(f"  - {_m(str(side))}" for side in (one.first, one.second)),
            ]
        lines.append("")
    if not report.entity and not report.communities:
        lines += ["Nothing is asserted in this graph.", ""]
    for document in report.sources:
        where = f"{document.title}, {document.source}" if document.title else document.source
        for said in document.sentences:
            quotation = " ".join(filter(None, [_m(said.before), f"**{_m(said.sentence)}**", _m(said.after)]))
            lines.append(f"[^{numbers[said.id]}]: {_m(where)}, sentence {said.position + 1}: {quotation}")
    return "\n".join(lines).rstrip("\n") + "\n"


def _picture(data: Mapping[str, Any]) -> str:
    """The best edges as a picture that follows light, dark and paper; what it shows is also written beside it."""
    if not data["edges"]:
        return ""
    drawn = b64encode(draw_svg("", data, _PICTURE).encode()).decode()
    return f'<figure><img alt="The main edges as a picture" src="data:image/svg+xml;base64,{drawn}"></figure>'


def _when(one: DatedStatement) -> str:
    if one.valid_until in ("", one.valid_from):
        return one.valid_from
    return f"since {one.valid_from}" if one.valid_until == ".." else f"{one.valid_from} – {one.valid_until}"


def _timeline(report: Report) -> str:
    items = "".join(
        f'<li><time>{_e(_when(one))}</time> {_e(one.text)} <span class="soft">{_e(one.source)}</span></li>'
        for one in report.timeline
    )
    return f'<section id="timeline"><h2>Timeline</h2><ol class="timeline">{items}</ol></section>' if items else ""


def _conflicts(report: Report) -> str:
    items = "".join(
        f'<tr><th scope="row">{_e(one.about)}<br><span>{_e(one.reason)}</span></th>'
        f"<td>{_e(str(one.first))}</td><td>{_e(str(one.second))}</td></tr>"
        for one in report.conflicts
    )
    start = '<section id="conflicts"><h2>Open conflicts</h2><div class="wide" tabindex="0" role="group"'
    return f'{start} aria-label="Conflicts"><table>{items}</table></div></section>' if items else ""


def _markdown_community(topic: CommunityReport, numbers: Mapping[str, int], level: int) -> Iterator[str]:
    yield f"{'#' * level} {_m(topic.title)}"
    yield ""
    yield f"{_about(topic)}: {_m(', '.join(map(str, topic.entities)))}"
    yield ""
    yield from _markdown_facts(topic.facts, numbers)
    yield ""
    for part in topic.parts:
        yield from _markdown_community(part, numbers, level + 1)


def _markdown_facts(facts: Iterable[KeyFact], numbers: Mapping[str, int]) -> Iterator[str]:
    for fact in facts:
        text = "".join(piece + (f" [{name}]" if name else "") for piece, name in fact.segments())
        yield f"- {_m(text)}[^{numbers[fact.id]}]"
        for said in fact.statements:
            yield f"  - {_m(f'{said.subject} – {said.relation} – {said.object}')} {said.confidence:.2f}"


def _m(text: str) -> str:
    """A text within a line of Markdown, where nothing in it is markup."""
    plain = " ".join(printable(text).split())
    started = _LINE_START.match(plain)
    at = 0 if started is None else len(started["number"] or "")
    escaped = _MARKUP.sub(r"\\\g<0>", plain[at:])
    return f"{plain[:at]}\\{escaped}" if started else escaped
