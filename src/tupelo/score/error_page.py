"""The page of the worst sentences: gold and predicted tuples side by side, common words marked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from html import escape

from tupelo.score.carb_matchers import PlainTuple
from tupelo.score.errors import Pair, SentenceReport, count_errors, slot_words
from tupelo.score.html import page, table
from tupelo.score.result import Score

# Shows and hides sentences by error class; the classes come from data attributes that we wrote ourselves.
_FILTER = """
const boxes = [...document.querySelectorAll('input[name=error]')];
const update = () => {
  const wanted = boxes.filter(box => box.checked).map(box => box.value);
  for (const section of document.querySelectorAll('section[data-errors]')) {
    const found = section.dataset.errors.split('|');
    section.hidden = wanted.length > 0 && !wanted.some(name => found.includes(name));
  }
};
boxes.forEach(box => box.addEventListener('change', update));
"""


def error_page(title: str, score: Score, reports: Sequence[SentenceReport], limit: int = 100) -> str:
    """HTML of the summary and of the `limit` worst sentences; `reports` come worst first."""
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
    rows = "\n".join(pair_row(pair) for pair in report.pairs) or '<tr><td colspan="3">no tuples</td></tr>'
    return (
        f'<section data-errors="{escape("|".join(errors), quote=True)}">\n'
        f"<h2>{number}. {escape(report.sentence)}</h2>\n"
        f'<p class="figures">P {report.precision:.1%} · R {report.recall:.1%} · F1 {report.f1:.1%}</p>\n'
        f"<table><thead><tr><th>gold</th><th>predicted</th><th>error</th></tr></thead>\n<tbody>{rows}</tbody></table>\n"
        "</section>"
    )


def pair_row(pair: Pair) -> str:
    """A row of a table: gold, predicted, what is wrong."""
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
