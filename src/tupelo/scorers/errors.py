"""What went wrong, sentence by sentence, in words people use; and the page that shows it.

Gold and predicted tuples of a sentence are paired one to one by how many
words they share slot by slot (relation, first argument, the rest), the best
pair first; a prediction may also be compared with its arguments swapped.
Pairs that share too little are no pairs. Then:

* a gold tuple without partner is *missed*, a prediction without partner *spurious*;
* a pair that fits better with the arguments swapped has *swapped arguments*;
* a pair whose relations share no word has a *wrong relation*;
* an argument with more words too many than missing is *too long*, one with
  more missing than too many *too short* (as many of both: too long and too short).

The rules look at words only and do not depend on the scorer in use.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from html import escape

from tupelo.core import Extraction, Record, Sentence
from tupelo.core.deadline import in_time
from tupelo.scorers.carb import Unit, sentence_figures, sentence_key
from tupelo.scorers.carb_matchers import PlainTuple, build_matcher
from tupelo.scorers.result import Score, harmonic_mean
from tupelo.scorers.tables import page, table

# Below this share of common words (F1 over the whole tuple) two tuples are not about the same thing.
_LEAST_SIMILARITY = 0.35
# Swapping must explain clearly more, or every short tuple with two alike arguments would count.
_SWAP_MARGIN = 0.1
_SENTENCE_MATCHER = build_matcher("binary-lenient", frozenset())


class ErrorClass(StrEnum):
    """The classes of the report, in the order in which it lists them."""

    MISSED = "missed"
    SPURIOUS = "spurious"
    WRONG_RELATION = "wrong relation"
    ARGUMENT_TOO_LONG = "argument too long"
    ARGUMENT_TOO_SHORT = "argument too short"
    SWAPPED_ARGUMENTS = "swapped arguments"


@dataclass(frozen=True, slots=True)
class TuplePair:
    """A gold tuple, a prediction, or both; `errors` is empty when they agree."""

    gold: PlainTuple | None
    predicted: PlainTuple | None
    errors: tuple[ErrorClass, ...]


@dataclass(frozen=True, slots=True)
class SentenceReport:
    """One sentence with its figures (CaRB's default rule) and its pairs, best pair first."""

    sentence: str
    precision: float
    recall: float
    pairs: tuple[TuplePair, ...]

    @property
    def f1(self) -> float:
        return harmonic_mean(self.precision, self.recall)


def analyse_errors(
    gold: Iterable[Record], predicted: Iterable[Record], threshold: float | None = None
) -> list[SentenceReport]:
    """Reports for all gold sentences, worst F1 first, longer lists of errors first on ties.

    Only predictions with at least `threshold` confidence are looked at.
    """
    reports = [report_sentence(unit) for unit in gather_units(gold, predicted, threshold)]
    return sorted(reports, key=lambda report: (report.f1, -sum(len(pair.errors) for pair in report.pairs)))


def count_errors(reports: Iterable[SentenceReport]) -> dict[ErrorClass, int]:
    """How often each class occurs."""
    counts = Counter(error for report in reports for pair in report.pairs for error in pair.errors)
    return {error: counts[error] for error in ErrorClass}


def gather_units(gold: Iterable[Record], predicted: Iterable[Record], threshold: float | None = None) -> list[Unit]:
    """Gold sentences with their predictions; they meet on the sentence id where both have one, else on the text."""
    texts: dict[str, str] = {}
    gold_items: dict[str, list[PlainTuple]] = {}
    key_of_id: dict[str, str] = {}
    for record in gold:
        sentence = record if isinstance(record, Sentence) else record.sentence
        key = sentence_key(sentence.text)
        texts.setdefault(key, sentence.text)
        items = gold_items.setdefault(key, [])
        if sentence.id is not None:
            key_of_id[sentence.id] = key
        if isinstance(record, Extraction):
            items.append(PlainTuple.of(record))
    predicted_items: dict[str, list[PlainTuple]] = {}
    for record in predicted:
        if not isinstance(record, Extraction):
            continue
        item = PlainTuple.of(record)
        if threshold is None or item.confidence >= threshold:
            key = key_of_id.get(record.sentence.id or "") or sentence_key(record.sentence.text)
            predicted_items.setdefault(key, []).append(item)
    return [Unit(text, gold_items[key], predicted_items.get(key, [])) for key, text in texts.items()]


def report_sentence(unit: Unit) -> SentenceReport:
    """Figures and pairs of one sentence."""
    pairs = tuple(pair_tuples(unit.gold, unit.predicted))
    return SentenceReport(unit.sentence, *sentence_figures(unit, _SENTENCE_MATCHER), pairs)


def pair_tuples(gold: Sequence[PlainTuple], predicted: Sequence[PlainTuple]) -> list[TuplePair]:
    """One-to-one pairs, then what is left on both sides."""
    candidates = [
        (max(similarity(g, p), similarity(g, _swap(p))), row, column)
        for row, g in enumerate(in_time(gold))
        for column, p in enumerate(predicted)
    ]
    candidates.sort(key=lambda candidate: (-candidate[0], candidate[1], candidate[2]))
    free_gold, free_predicted = dict(enumerate(gold)), dict(enumerate(predicted))
    pairs = []
    for value, row, column in candidates:
        if value >= _LEAST_SIMILARITY and row in free_gold and column in free_predicted:
            g, p = free_gold.pop(row), free_predicted.pop(column)
            pairs.append(TuplePair(g, p, classify(g, p)))
    pairs += [TuplePair(item, None, (ErrorClass.MISSED,)) for item in free_gold.values()]
    pairs += [TuplePair(None, item, (ErrorClass.SPURIOUS,)) for item in free_predicted.values()]
    return pairs


def classify(gold: PlainTuple, predicted: PlainTuple) -> tuple[ErrorClass, ...]:
    """Every class that applies to a pair."""
    if similarity(gold, _swap(predicted)) > similarity(gold, predicted) + _SWAP_MARGIN:
        return (ErrorClass.SWAPPED_ARGUMENTS,)
    errors: list[ErrorClass] = []
    slots = list(zip(slot_words(gold), slot_words(predicted), strict=True))
    relation_gold, relation_predicted = slots[0]
    if (relation_gold or relation_predicted) and not relation_gold & relation_predicted:
        errors.append(ErrorClass.WRONG_RELATION)
    for wanted, given in slots[1:]:
        extra, missing = (given - wanted).total(), (wanted - given).total()
        if extra and extra >= missing and ErrorClass.ARGUMENT_TOO_LONG not in errors:
            errors.append(ErrorClass.ARGUMENT_TOO_LONG)
        if missing and missing >= extra and ErrorClass.ARGUMENT_TOO_SHORT not in errors:
            errors.append(ErrorClass.ARGUMENT_TOO_SHORT)
    return tuple(errors)


def similarity(gold: PlainTuple, predicted: PlainTuple) -> float:
    """F1 of the words that two tuples share slot by slot."""
    slots = list(zip(slot_words(gold), slot_words(predicted), strict=True))
    common = sum((wanted & given).total() for wanted, given in slots)
    size = sum(wanted.total() + given.total() for wanted, given in slots)
    return 2 * common / size if size else 0.0


def slot_words(item: PlainTuple) -> tuple[Counter[str], Counter[str], Counter[str]]:
    """Words of the relation, of the first argument and of the other arguments together."""
    first, rest = (item.args[0] if item.args else ""), " ".join(item.args[1:])
    return Counter(item.rel.split()), Counter(first.split()), Counter(rest.split())


def _swap(item: PlainTuple) -> PlainTuple:
    return item._replace(args=(" ".join(item.args[1:]), item.args[0])) if len(item.args) >= 2 else item


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
