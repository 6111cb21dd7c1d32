"""The tables of the judged set: what it holds, how far readers agree, what they said, and whether confidences hold.

    python -m tupelo_training.judged.tables [--folder training/judged] [--splits train dev]
    python -m tupelo_training.judged.tables --splits dev --confidences confidences.tsv --plot reliability.png

Every line of the set is checked. `confidences.tsv` has the number of a tuple (its line in `tuples.jsonl.gz`) and a
probability of being right, separated by a tab; tuples without one are left out of the last table. Counts and
agreement are those of the whole set, everything else of the chosen splits: the test part is for the end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from tupelo.annotate.tasks.judging import PARTS, TUPLE_LABELS
from tupelo.core import FormatError, TupeloError
from tupelo.io.catalogue import markdown_table
from tupelo.io.files import InputFile, open_output
from tupelo.io.lines import Fault, number_of
from tupelo.scorers.agreement import cohen_kappa
from tupelo_training.calibration import CalibrationBin, calibration_bins, calibration_error, wilson_interval
from tupelo_training.judged.stored import FOLDER, SPLITS, JudgedSet, JudgedTuple, numbered, read_judged
from tupelo_training.options import option_parser

ALL = "all"
QUESTIONS: Mapping[str, Callable[[str], object]] = {
    "good, empty or wrong": lambda label: label,
    "good or not": lambda label: label == "good",
    "right or not": lambda label: label != "wrong",
}


def with_all(kinds: Mapping[str, Sequence[JudgedTuple]]) -> dict[str, Sequence[JudgedTuple]]:
    """The kinds, and all of them together."""
    return {**kinds, ALL: [judged for some in kinds.values() for judged in some]}


def counts(judged: JudgedSet) -> str:
    """Documents, sentences with a tuple, and tuples of each kind and split."""
    rows = []
    for kind, tuples in with_all(judged.by_kind()).items():
        cells = []
        for split in SPLITS:
            mine = [each for each in tuples if each.document.split == split]
            sentences = {(each.document.id, each.start) for each in mine}
            cells.append(f"{len({name for name, _ in sentences})} / {len(sentences):,} / {len(mine):,}")
        rows.append((kind, *cells))
    return markdown_table(("documents / sentences / tuples", *SPLITS), rows)


def agreement(tuples: Iterable[JudgedTuple]) -> str:
    """How often second readings agree with the first, and Cohen's kappa."""
    pairs = [(each.label, each.second) for each in tuples if each.second is not None]
    rows = []
    for question, answer in QUESTIONS.items() if pairs else ():
        first, second = [answer(one) for one, _ in pairs], [answer(other) for _, other in pairs]
        same = sum(one == other for one, other in zip(first, second, strict=True))
        kappa = cohen_kappa(first, second)
        rows.append((question, str(len(pairs)), share(same, len(pairs)), "–" if kappa is None else f"{kappa:.2f}"))
    return markdown_table(("question", "read twice", "same answer", "Cohen's kappa"), rows)


def rates(kinds: Mapping[str, Sequence[JudgedTuple]]) -> str:
    """The share of each label in each kind of text, with its 95 % interval."""
    rows = []
    for kind, tuples in with_all(kinds).items():
        labels = Counter(each.label for each in tuples)
        cells = [share(labels[label], len(tuples)) for label in TUPLE_LABELS] if tuples else ["–"] * len(TUPLE_LABELS)
        rows.append((kind, f"{len(tuples):,}", *cells))
    return markdown_table(("kind", "tuples", *TUPLE_LABELS), rows)


def wrong_parts(kinds: Mapping[str, Sequence[JudgedTuple]]) -> str:
    """How many of the wrong tuples of each kind are wrong in which part, and how many have a correction."""
    rows = []
    for kind, tuples in with_all(kinds).items():
        wrong = [each for each in tuples if not each.right]
        parts = Counter(each.part for each in wrong)
        corrected = sum(each.correction is not None for each in wrong)
        rows.append((kind, *(f"{parts[part]:,}" for part in PARTS), f"{corrected:,}"))
    return markdown_table(("wrong in", *PARTS, "corrected"), rows)


def reliability(pairs: Mapping[str, Sequence[tuple[float, bool]]]) -> dict[str, list[CalibrationBin]]:
    """Bins of the confidences and outcomes of each kind, and of all together."""
    together = {**pairs, ALL: [pair for some in pairs.values() for pair in some]}
    return {kind: calibration_bins(*zip(*some, strict=True)) if some else [] for kind, some in together.items()}


def calibration(bins: Mapping[str, Sequence[CalibrationBin]]) -> str:
    rows = []
    for kind, some in bins.items():
        error = calibration_error(some)
        total, right = sum(each.count for each in some), sum(each.right for each in some)
        shown = "–" if error is None else f"{error:.3f}"
        rows.append((kind, f"{total:,}", share(right, total) if total else "–", shown))
    return markdown_table(("kind", "tuples", "right", "expected calibration error"), rows)


def share(count: int, total: int) -> str:
    low, high = wilson_interval(count, total)
    return f"{100 * count / total:.1f} % ({100 * low:.0f} to {100 * high:.0f})"


def read_confidences(path: Path, count: int) -> dict[int, float]:
    """Probabilities by the place of a tuple."""
    found: dict[int, float] = {}
    with InputFile(path) as file:
        for line, place, value in numbered(file, count, "confidence"):
            try:
                confidence = number_of(value)
            except Fault as fault:
                raise FormatError(file.name, line, *fault.args) from fault
            if not 0 <= confidence <= 1:
                raise FormatError(file.name, line, f"confidence {value[:20]}", "0 to 1")
            found[place] = confidence
    return found


def main() -> None:
    parser = option_parser(
        __doc__, confidences="probabilities of being right", plot="a PNG or SVG file to draw them in"
    )
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where the set is")
    parser.add_argument("--splits", nargs="+", choices=SPLITS, default=["train", "dev"], help="what to look at")
    options = parser.parse_args()
    try:
        judged = read_judged(options.folder)
        chosen = judged.of(*options.splits)
        print(*(counts(judged), agreement(judged.tuples)), sep="\n")
        print(*(rates(chosen.by_kind()), wrong_parts(chosen.by_kind())), sep="\n")
        if options.confidences is not None:
            told = read_confidences(options.confidences, len(judged.tuples))
            pairs: dict[str, list[tuple[float, bool]]] = {kind: [] for kind in chosen.by_kind()}
            for place, confidence in told.items():
                if judged.tuples[place].document.split in options.splits:
                    one = judged.tuples[place]
                    pairs[one.document.kind].append((confidence, one.right))
            bins = reliability(pairs)
            print(calibration(bins))
            if options.plot is not None:
                from tupelo_training.calibration import draw_reliability

                image = draw_reliability(bins, options.plot.suffix.removeprefix("."))
                with open_output(options.plot) as file:
                    file.write(image)
    except TupeloError as error:
        parser.exit(2, f"error: {error}\n")


if __name__ == "__main__":
    main()
