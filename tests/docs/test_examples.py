"""Python examples run, print what the pages show, and the worked examples give the figures of the pages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.pages import DOCS, EXAMPLES, PAGES, fill_folder, run_python
from tests.docs.shell import run_script
from tests.extras import skip_without_extra
from tupelo.core import Record
from tupelo.io.tuples import read_records
from tupelo.scorers.benchie import Benchie
from tupelo.scorers.carb import Carb
from tupelo.scorers.carb_matchers import PlainTuple
from tupelo.scorers.errors import ErrorClass, pair_tuples
from tupelo.scorers.oie2016 import Oie2016
from tupelo.scorers.result import Score
from tupelo.scorers.wire57 import Wire57

# These add a scorer or a format, which other tests would see, or start processes that load the script again; they
# have an interpreter of their own. All others share that of the tests, where frameworks and models are loaded once.
ALONE = {"own_format", "own_scorer", "stage"}


@pytest.mark.model
@pytest.mark.process
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_prints_what_is_shown_beside_it(example: Path, tmp_path: Path):
    fill_folder(tmp_path)
    run = run_python if example.stem in ALONE else run_script
    done = run(example, tmp_path)
    skip_without_extra(done.stderr)
    assert (done.returncode, done.stderr) == (0, "")
    shown = example.with_suffix(".out").read_text("utf-8")
    assert without_figures(done.stdout) == without_figures(shown)
    assert [*map(float, _FIGURE.findall(done.stdout))] == pytest.approx(
        [*map(float, _FIGURE.findall(shown))], abs=_LAST_DIGIT
    )


@pytest.mark.process
def test_a_script_ends_the_same_inside_the_process_and_in_its_own(tmp_path: Path):
    for code in ("print('ä')", "import sys; print('out'); sys.exit(3)", "import warnings; warnings.warn('old')"):
        script = tmp_path / "script.py"
        script.write_text(code, "utf-8")
        inside, outside = run_script(script, tmp_path), run_python(script, tmp_path)
        assert (inside.returncode, inside.stdout) == (outside.returncode, outside.stdout)
        assert inside.stderr.splitlines()[-1:] == outside.stderr.splitlines()[-1:]


_FIGURE = re.compile(r"\b\d\.\d+\b")
# Processors round the sums of eight-bit products differently.
_LAST_DIGIT = 0.002


def without_figures(text: str) -> str:
    return _FIGURE.sub("0.0", text)


def test_every_example_file_is_on_a_page():
    pages = "".join(page.read_text("utf-8") for page in PAGES)
    files = (path.name for path in (DOCS / "examples").iterdir() if path.is_file())
    assert [name for name in files if f"<!-- begin generated: file examples/{name} -->" not in pages] == []


def small(name: str, format_name: str) -> list[Record]:
    return read_records(DOCS / "examples" / name, format_name)


@pytest.fixture
def gold() -> list[Record]:
    return small("small-gold.tsv", "carb")


@pytest.fixture
def predicted() -> list[Record]:
    return small("small-predictions.tsv", "tab")


def figures(score: Score) -> tuple[float, float, float]:
    return score.precision, score.recall, score.f1


def f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall)


def test_carb_by_hand(gold, predicted):
    score = Carb().evaluate(gold, predicted).score()
    precision, recall = (3 / 5 + 4 / 5) / 2, (1 + 1 + 4 / 7) / 5
    assert figures(score) == pytest.approx((precision, recall, f1(precision, recall)))
    assert score.auc == pytest.approx(0.4 * (1 + 0.6) / 2 + (recall - 0.4) * (0.6 + 0.7) / 2)
    by_threshold = {point.threshold: point[:2] for point in score.curve}
    assert by_threshold[0.9] == pytest.approx((3 / 5, (1 + 1) / 5))
    assert by_threshold[0.6] == pytest.approx((precision, recall))
    assert by_threshold[0.3] == pytest.approx(((3 / 5 + 4 / 5 + 0) / 3, recall))
    shown = [f"{f1(*by_threshold[threshold]):.3f}" for threshold in (0.9, 0.6, 0.3)]
    assert_shown("carb.md", *shown, f"{precision:.3f}", f"{recall:.3f}", f"{score.auc:.3f}")


def test_oie2016_by_hand(gold, predicted):
    score = Oie2016().evaluate(gold, predicted).score()
    assert figures(score) == pytest.approx((2 / 2, 2 / 7, f1(1, 2 / 7)))
    assert score.auc == pytest.approx(2 / 7 * 1)
    every_point = Oie2016(keep_all_thresholds=True).evaluate(gold, predicted).score()
    by_threshold = {point.threshold: point[:2] for point in every_point.curve}
    assert by_threshold[0.9] == pytest.approx((1 / 1, 1 / 7))
    assert by_threshold[0.3] == pytest.approx((2 / 3, 2 / 7))
    assert (every_point.f1, every_point.auc) == (score.f1, score.auc)
    shown = [f"{f1(*by_threshold[threshold]):.3f}" for threshold in (0.9, 0.6, 0.3)]
    assert_shown("oie2016.md", *shown, f"{2 / 7:.3f}")


def test_wire57_by_hand(gold, predicted):
    score = Wire57().evaluate(gold, predicted).score()
    precision, recall = (3 / 5 + 4 / 5) / 3, (3 / 3 + 4 / 7) / 5
    assert figures(score) == pytest.approx((precision, recall, f1(precision, recall)))
    assert_shown("wire57.md", *(f"{value:.3f}" for value in figures(score)))


def test_benchie_by_hand(predicted):
    score = Benchie().evaluate(small("small-benchie.txt", "benchie-gold"), predicted).score()
    assert figures(score) == pytest.approx((1 / (1 + 2), 1 / 5, 1 / 4))
    assert_shown("benchie.md", *(f"{value:.3f}" for value in figures(score)))


def test_the_table_of_four_scorers_is_right(gold, predicted):
    facts = small("small-benchie.txt", "benchie-gold")
    scores = [
        Carb().evaluate(gold, predicted).score(),
        Oie2016().evaluate(gold, predicted).score(),
        Wire57().evaluate(gold, predicted).score(),
        Benchie().evaluate(facts, predicted).score(),
    ]
    rows = [" | ".join(f"{100 * value:.1f}" for value in figures(score)) for score in scores]
    assert_shown("benchie.md", *rows)


def assert_shown(page: str, *texts: str) -> None:
    content = (DOCS / "scorers" / page).read_text("utf-8")
    for text in texts:
        assert text in content, f"{page} does not show {text}"


@pytest.mark.parametrize(
    ("gold_text", "predicted_text", "error"),
    [
        ("(Rosa; bought; pears)", None, ErrorClass.MISSED),
        (None, "(The mill; was; old)", ErrorClass.SPURIOUS),
        ("(Ruiz; planted; 4,000 trees)", "(Ruiz; had; 4,000 trees)", ErrorClass.WRONG_RELATION),
        ("(Rosa; bought; apples)", "(Rosa; bought; apples and pears)", ErrorClass.ARGUMENT_TOO_LONG),
        (
            "(the mail; arrived; three days late)",
            "(the mail; arrived; late)",
            ErrorClass.ARGUMENT_TOO_SHORT,
        ),
        (
            "(The bridge; was closed by; the council)",
            "(the council; was closed by; The bridge)",
            ErrorClass.SWAPPED_ARGUMENTS,
        ),
    ],
)
def test_the_examples_of_error_classes_get_their_class(gold_text, predicted_text, error):
    pairs = pair_tuples(
        [] if gold_text is None else [parse(gold_text)], [] if predicted_text is None else [parse(predicted_text)]
    )
    assert [pair.errors for pair in pairs] == [(error,)]
    cells = [f"*{text}*" if text else "nothing" for text in (gold_text, predicted_text)]
    row = next(
        line for line in (DOCS / "scorers/errors.md").read_text().splitlines() if line.startswith(f"| {error} |")
    )
    assert row.endswith(f"| {' → '.join(cells)} |")


def parse(text: str) -> PlainTuple:
    first, relation, *others = text.strip("()").split("; ")
    return PlainTuple(relation, (first, *others), 1.0)
