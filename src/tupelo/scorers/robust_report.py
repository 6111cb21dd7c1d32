"""Cliques one by one: a table for other programs, and a page that shows where a wording makes a system fail."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from tupelo.core.results import csv_text
from tupelo.scorers.errors import pair_table, pair_tuples
from tupelo.scorers.robust import CliqueResult, RobustScore, SentenceResult
from tupelo.scorers.tables import page

_COLUMNS = ("clique", "sentences", "f1_original", "f1_worst", "drop", "variance", "worst_sentence")

# Order and search; the numbers come from data attributes that we wrote ourselves.
_SCRIPT = """
const list = document.getElementById('cliques');
const sections = [...list.children];
const order = document.getElementById('order'), words = document.getElementById('words');
const update = () => {
  const key = order.value, sign = key === 'worst' ? 1 : -1;
  sections.sort((a, b) => sign * (a.dataset[key] - b.dataset[key]) || a.dataset.number - b.dataset.number);
  const wanted = words.value.toLowerCase();
  for (const section of sections) {
    section.hidden = wanted !== '' && !section.textContent.toLowerCase().includes(wanted);
    list.append(section);
  }
};
order.addEventListener('change', update);
words.addEventListener('input', update);
"""


def by_drop(cliques: Iterable[CliqueResult]) -> list[CliqueResult]:
    """The cliques that were scored, the largest drop of F1 from the original first."""
    return sorted((clique for clique in cliques if clique.sentences), key=lambda clique: -clique.drop)


def clique_rows(cliques: Iterable[CliqueResult]) -> str:
    """CSV with a row per clique."""
    rows: list[tuple[object, ...]] = []
    for clique in by_drop(cliques):
        original, worst = clique.sentences[0], clique.worst
        assert worst is not None
        figures = (original.f1, worst.f1, clique.drop, clique.variance)
        rows.append((clique.name, len(clique.sentences), *figures, worst.unit.sentence))
    return csv_text(_COLUMNS, rows)


def clique_page(title: str, score: RobustScore, cliques: Sequence[CliqueResult], limit: int = 100) -> str:
    """HTML of both lines and of the `limit` cliques with the largest drop."""
    ranked = by_drop(cliques)
    body = [
        f"<p><code>{escape(score.signature)}</code></p>",
        score.table().fragment(with_notes=False),
        f"<p>{len(ranked):,} cliques; the {min(limit, len(ranked)):,} with the largest drop are shown. "
        "Open a sentence to see its tuples.</p>",
        '<p><label>order <select id="order"><option value="drop">largest drop</option>'
        '<option value="worst">lowest F1</option><option value="variance">largest variance</option>'
        '<option value="size">most sentences</option></select></label>'
        '<label>words <input id="words" type="search"></label></p>',
        '<div id="cliques">',
        *(_section(number, clique) for number, clique in enumerate(ranked[:limit], start=1)),
        "</div>",
    ]
    return page(title, "\n".join(body), _SCRIPT)


def _section(number: int, clique: CliqueResult) -> str:
    original, worst = clique.sentences[0], clique.worst
    assert worst is not None
    sentences = "\n".join(_sentence(each, is_worst=each is worst) for each in clique.sentences)
    return (
        f'<section data-number="{number}" data-drop="{clique.drop}" data-worst="{worst.f1}" '
        f'data-variance="{clique.variance}" data-size="{len(clique.sentences)}">\n'
        f"<h2>{number}. {escape(clique.name)}</h2>\n"
        f'<p class="figures">F1 {original.f1:.1%} → {worst.f1:.1%} · variance {clique.variance:.4f}</p>\n'
        f"{sentences}\n</section>"
    )


def _sentence(result: SentenceResult, *, is_worst: bool) -> str:
    unit = result.unit
    marks = ('<span class="error fine">original</span>' if result.is_original else "") + (
        '<span class="error">worst</span>' if is_worst else ""
    )
    figures = f"P {result.precision:.1%} · R {result.recall:.1%} · F1 {result.f1:.1%}"
    return (
        f"<details{' open' if is_worst else ''}><summary>{escape(unit.sentence)} "
        f'<span class="figures">{figures}</span> {marks}</summary>\n'
        f"{pair_table(pair_tuples(unit.gold, unit.predicted))}</details>"
    )
