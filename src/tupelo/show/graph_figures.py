"""The figures of a graph as text and as one small page. Everything is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from tupelo.core.results import printable
from tupelo.graph.report.coverage import Coverage
from tupelo.graph.report.stats import Statistics
from tupelo.show import asset
from tupelo.web.page import page_head

_STYLE = "\n" + asset("graph_figures.css")


def figures_page(found: Statistics, title: str) -> str:
    """The figures as one HTML document without script."""
    return _page(title, figures_body(found))


def _page(title: str, body: str) -> str:
    policy = (
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
    )
    return f"{page_head(title, _STYLE, policy)}{body}\n</body>\n</html>\n"


def figures_body(found: Statistics) -> str:
    """The body of the page."""
    cards = "".join(f'<div class="card"><b>{count:,}</b>{escape(name)}</div>' for name, count in found.sizes.items())
    cards += f'<div class="card"><b>{_share(found)}</b>below {found.low_confidence_threshold:g}</div>'
    cards += f'<div class="card"><b>{found.contradictions:,}</b>both claimed and denied</div>'
    histogram = [(f"{at / 10:.1f} to {(at + 1) / 10:.1f}", n) for at, n in enumerate(found.confidence_histogram)]
    sections = [
        _section("Edges of an entity", [(degree_range(least), n) for least, n in found.degrees.items()]),
        _section("Confidence of the edges", histogram),
        _section("Most frequent relations", found.relations),
        _section("Best connected entities", found.largest),
        _section("Types", found.types),
        _section("How edges are said", list(found.stances.items())),
        _examples(found),
    ]
    if found.communities is not None:
        groups = [(", ".join(group.names), group.size) for group in found.communities]
        sections.append(_section("Communities", groups))
    if found.failures:
        rows = "".join(f"<tr><td>{escape(failed)}</td></tr>" for failed in _failed(found))
        sections.append(f"<section><h2>Failed</h2><table>{rows}</table></section>")
    inner = "\n".join(sections)
    return f'<div class="cards">{cards}</div>\n<div class="grid">\n{inner}\n</div>'


def coverage_page(found: Coverage, title: str) -> str:
    """Which sentences and tuples are in a graph, and which are not, as one HTML document without script."""
    return _page(title, coverage_body(found))


def coverage_body(found: Coverage) -> str:
    """The body of the page."""
    total = found.total
    share = "–" if total.share is None else f"{total.share:.1%}"
    sizes = {
        "documents": len(found.documents),
        "sentences": total.sentences,
        "sentences with a statement": total.with_statements,
        "tuples": total.tuples,
    }
    cards = "".join(f'<div class="card"><b>{count:,}</b>{name}</div>' for name, count in sizes.items())
    cards += f'<div class="card"><b>{share}</b>of the tuples have a statement</div>'
    rows = "".join(
        f"<tr><td>{escape(item.sentence)}{f'<br><b>{escape(item.tuple)}</b>' if item.tuple else ''}</td>"
        f"<td>{escape(item.source)}:{item.position + 1}</td><td>{escape(item.reason)}</td></tr>"
        for item in found.left_out
    )
    documents = [(one.source, round(100 * one.share)) for one in found.documents if one.share is not None]
    sections = _section("Left out", list(found.reasons.items())) + _section("Tuples with a statement, %", documents)
    left = f"<section><h2>Sentences and tuples</h2><table>{rows}</table></section>"
    return f'<div class="cards">{cards}</div>\n<div class="grid">{sections}</div>\n{left}'


def figures_text(found: Statistics) -> str:
    """The figures as text for a terminal."""
    lines = [", ".join(f"{count:,} {name}" for name, count in found.sizes.items())]
    lines.append(
        f"merged wordings: {found.merged['entity']:,} of {found.wordings['entity']:,} for entities, "
        f"{found.merged['relation']:,} of {found.wordings['relation']:,} for relations"
    )
    lines.append(
        f"below confidence {found.low_confidence_threshold:g}: {_share(found)} of the edges; "
        f"both claimed and denied: {found.contradictions:,}; edges with a time: {found.edges_with_time:,}"
    )
    if found.stated_share is not None:
        lines.append(f"tuples with a statement: {found.stated_share:.1%}")
    lines += _column("how edges are said", found.stances.items())
    lines += _column("edges of an entity", ((degree_range(least), n) for least, n in found.degrees.items()))
    lines += _column("most frequent relations", found.relations)
    lines += _column("best connected entities", found.largest)
    lines += _column("types", found.types)
    if found.communities is not None:
        lines += _column("communities", ((", ".join(group.names), group.size) for group in found.communities))
    lines += ["" for _ in found.failures[:1]]
    lines += (f"failed: {printable(failed)}" for failed in _failed(found))
    lines += (f"problem: {problem}" for problem in found.problems or ())
    return "\n".join(lines)


def _failed(found: Statistics) -> list[str]:
    # Many reasons begin with the place already.
    return [reason if reason.startswith(source) else f"{source}: {reason}" for source, reason in found.failures]


def _share(found: Statistics) -> str:
    return "–" if found.low_confidence_share is None else f"{found.low_confidence_share:.1%}"


def degree_range(least: int) -> str:
    """`4 to 7` for the entities counted under 4."""
    return str(least) if least < 2 else f"{least:,} to {2 * least - 1:,}"


def _column(title: str, pairs: Iterable[tuple[str, int]]) -> list[str]:
    rows = [(printable(name), f"{count:,}") for name, count in pairs]
    if not rows:
        return []
    width = max(len(count) for _, count in rows)
    return ["", f"{title}:", *(f"  {count.rjust(width)}  {name}" for name, count in rows)]


def _section(title: str, pairs: Sequence[tuple[str, int]]) -> str:
    most = max((count for _, count in pairs), default=1) or 1
    rows = "".join(
        f"<tr><td>{escape(name)}</td><td>{count:,}</td>"
        f'<td><svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect width="{100 * count / most:.1f}" height="8" rx="1"/></svg></td></tr>'
        for name, count in pairs
    )
    return f"<section><h2>{escape(title)}</h2><table>{rows}</table></section>"


def _examples(found: Statistics) -> str:
    rows = "".join(
        f"<tr><td>{escape(name)}</td><td>{len(others)}</td>"
        f'<td class="soft">{escape(" · ".join(others[:6]))}</td></tr>'
        for name, others in found.merged_examples
    )
    merged = f"{found.merged['entity']:,} wordings of entities, {found.merged['relation']:,} of relations"
    return f'<section><h2>Merged</h2><p class="soft">{merged}</p><table>{rows}</table></section>'
