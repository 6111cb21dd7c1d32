"""Pages of a score: the worst sentences with their errors, and the cliques on which a wording makes a system fail."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from html import escape

from tupelo.scorers.carb_matchers import PlainTuple
from tupelo.scorers.errors import SentenceReport, TuplePair, analyse_errors, count_errors, pair_tuples, slot_words
from tupelo.scorers.result import Score
from tupelo.scorers.robust import CliqueResult, RobustScore, SentenceResult, by_drop
from tupelo.show import asset
from tupelo.show.tables import page, report_fragment, table

# Shows and hides sentences by error class; the classes come from data attributes that we wrote ourselves.
_FILTER = "\n" + asset("error_page.js")


def error_page(score: Score, title: str, limit: int = 100) -> str:
    """HTML of the summary and of the `limit` worst sentences of a score that kept its records."""
    assert score.records is not None
    reports = analyse_errors(*score.records, score.threshold)
    counts = count_errors(reports)
    figures = f"P {score.precision:.1%} · R {score.recall:.1%} · F1 {score.f1:.1%}"
    if score.auc is not None:
        figures += f" · AUC {score.auc:.1%}"
    kept = f"tuples with confidence {score.threshold:.4g} or more" if score.threshold is not None else "all tuples"
    boxes = "".join(
        f'<label><input type="checkbox" name="error" value="{escape(name, quote=True)}"> {escape(name)}</label>'
        for name in counts
    )
    body = [
        f'<p class="figures">{figures}</p><p><code>{escape(score.signature)}</code></p>',
        f"<p>{len(reports)} sentences, {kept}. Sentence figures follow CaRB's default rule. "
        f"The {min(limit, len(reports))} worst sentences are shown.</p>",
        table(["error", "tuples"], [[name, str(count)] for name, count in counts.items()], frozenset({1})),
        f"<p>Show only sentences with: {boxes}</p>",
        *(_section(number, report) for number, report in enumerate(reports[:limit], start=1)),
    ]
    return page(title, "\n".join(body), _FILTER)


def _section(number: int, report: SentenceReport) -> str:
    errors = sorted({error for pair in report.pairs for error in pair.errors})
    return (
        f'<section data-errors="{escape("|".join(errors), quote=True)}">\n'
        f"<h2>{number}. {escape(report.sentence)}</h2>\n"
        f'<p class="figures">P {report.precision:.1%} · R {report.recall:.1%} · F1 {report.f1:.1%}</p>\n'
        f"{pair_table(report.pairs)}\n</section>"
    )


def pair_table(pairs: Iterable[TuplePair]) -> str:
    """A row for each pair: gold, predicted, what is wrong."""
    rows = "\n".join(map(_pair_row, pairs)) or '<tr><td colspan="3">no tuples</td></tr>'
    head = "<thead><tr><th>gold</th><th>predicted</th><th>error</th></tr></thead>"
    return f"<table>{head}\n<tbody>{rows}</tbody></table>"


def _pair_row(pair: TuplePair) -> str:
    if pair.errors:
        labels = "".join(f'<span class="error">{escape(error)}</span>' for error in pair.errors)
    else:
        labels = '<span class="error fine">fine</span>'
    gold, predicted = _tuple(pair.gold, pair.predicted), _tuple(pair.predicted, pair.gold)
    return f"<tr><td>{gold}</td><td>{predicted}</td><td>{labels}</td></tr>"


def _tuple(item: PlainTuple | None, other: PlainTuple | None) -> str:
    """The parts of a tuple, arg1 first; words that the other one has in the same slot are marked."""
    if item is None:
        return ""
    relation, first, rest = (
        slot_words(other) if other is not None else (Counter[str](), Counter[str](), Counter[str]())
    )
    parts = [f'<span class="slot">{_marked(item.args[0], first)}</span>'] if item.args else []
    parts.append(f'<span class="slot relation">{_marked(item.rel, relation)}</span>')
    parts += [f'<span class="slot">{_marked(text, rest)}</span>' for text in item.args[1:]]
    return "".join(parts)


def _marked(text: str, common: Counter[str]) -> str:
    """Each common word is marked as often as the other side has it; `common` is used up."""
    words = []
    for word in text.split():
        if common[word] > 0:
            common[word] -= 1
            words.append(f"<mark>{escape(word)}</mark>")
        else:
            words.append(escape(word))
    return " ".join(words)


# Order and search; the numbers come from data attributes that we wrote ourselves.
_ORDER = "\n" + asset("clique_page.js")


def clique_page(score: RobustScore, title: str, limit: int = 100) -> str:
    """HTML of both lines and of the `limit` cliques with the largest drop."""
    ranked = by_drop(score.evaluation.cliques)
    body = [
        f"<p><code>{escape(score.signature)}</code></p>",
        report_fragment(score.table(), with_notes=False),
        f"<p>{len(ranked):,} cliques; the {min(limit, len(ranked)):,} with the largest drop are shown. "
        "Open a sentence to see its tuples.</p>",
        '<p><label>order <select id="order"><option value="drop">largest drop</option>'
        '<option value="worst">lowest F1</option><option value="variance">largest variance</option>'
        '<option value="size">most sentences</option></select></label>'
        '<label>words <input id="words" type="search"></label></p>',
        '<div id="cliques">',
        *(_clique(number, clique) for number, clique in enumerate(ranked[:limit], start=1)),
        "</div>",
    ]
    return page(title, "\n".join(body), _ORDER)


def _clique(number: int, clique: CliqueResult) -> str:
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
