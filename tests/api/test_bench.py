"""`tupelo bench`: all benchmarks that are at hand, and the card that goes round."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

import tupelo
from tests.cli.runner import run
from tupelo.api.bench import BenchOptions, benchmarks
from tupelo.api.scoring import scorers
from tupelo.core import Extraction, InputError, Sentence, UnknownNameError
from tupelo.io.formats import FORMATS
from tupelo.scorers.bench import flat
from tupelo.scorers.carb import Carb
from tupelo.scorers.oie2016 import Oie2016

COMMANDS = {"bench"}
TEXTS = [f"Ann{number} sold {'very ' * (3 * number)}old boats to Bo ." for number in range(8)]


def gold():
    return [
        Extraction.of(text, "sold", [text.split()[0], "boats", *(["to Bo"] if number % 2 else [])])
        for number, text in enumerate(TEXTS)
    ]


@pytest.fixture
def data(tmp_path):
    """Datasets in the layout of the cache, and a file with the output of a system for some of their sentences."""
    folder = tmp_path / "data"
    places = {
        "carb/024/gold/dev.tsv": "carb",
        "oie2016/0e9/dev.oie.orig": "oie2016-orig",
        "robust/205/robust.json": "robust",
    }
    for place, format in places.items():
        (folder / place).parent.mkdir(parents=True)
        tupelo.write([replace(r, group=TEXTS[0]) for r in gold()], folder / place, format)
    sources = folder / "oie2016/raw_sentences/wiki"
    sources.mkdir(parents=True)
    (sources / "wiki1.dev.txt").write_text("\n".join(TEXTS[:3]) + "\n")
    found = [replace(r, confidence=1 - n / 10) for n, r in enumerate(gold())]
    wrong = [Extraction.of(text, "bought", ["Bo"], confidence=0.05) for text in TEXTS]
    tupelo.write([*found[:6], *wrong], tmp_path / "system.tsv", "tab")
    return folder, tmp_path / "system.tsv"


def test_every_benchmark_names_a_scorer_a_dataset_and_known_options():
    for each in benchmarks().values():
        assert each.scorer in scorers("tuples")
        assert each.gold_format is None or each.gold_format in FORMATS
        assert not each.fetched or tupelo.datasets().info(each.dataset).entry.name == each.dataset


def test_a_card_is_what_the_command_prints(capsys, data):
    folder, file = data
    card = tupelo.bench(file, data=folder, split="dev", options=BenchOptions(samples=5))
    status, out, _ = run(capsys, "bench", file, "--data", folder, "--split", "dev", "--samples", 5, "--json")
    assert (status, json.loads(out)) == (0, json.loads(card.json()))
    assert [result.benchmark for result in card.results] == ["carb", "carb-1-1", "oie2016", "robust"]
    assert card.missing["wire57"].endswith("tupelo data get wire57")
    assert card.missing["cliques"].endswith("--data benchmarks, in a clone of Tupelo")
    shown = run(capsys, "bench", file, "--data", folder, "--split", "dev", "--samples", 5)
    assert shown.out == f"{card}\n"
    assert card.to_arrow().num_rows == 4


def test_figures_are_those_of_the_scorer_and_parts_add_up(data):
    folder, file = data
    card = tupelo.bench(file, data=folder, split="dev", options=BenchOptions(samples=5), only=["carb"])
    (result,) = card.results
    alone = tupelo.score("carb", folder / "carb/024/gold/dev.tsv", file)
    assert alone.to_dict().items() <= result.to_dict().items()
    assert alone.threshold == pytest.approx(0.5)
    low, value, high = (getattr(result.intervals["f1"], name) for name in ("low", "value", "high"))
    assert low <= value <= high
    for kind in ("words", "arity"):
        assert sum(part.gold for part in result.parts if part.by == kind) == alone.gold
    assert {(part.name, part.sentences) for part in result.parts if part.by == "source"} == {("wikipedia", 3)}
    # The threshold of the whole corpus leaves the wrong tuples out.
    assert [row.f1 for row in result.sentences] == [1.0] * 6 + [0.0] * 2
    assert card.sentence_csv().startswith("benchmark,sentence,length,gold,precision,recall,f1\ncarb,Ann0 sold")


def test_a_leaderboard_reads_a_card_back(capsys, data, tmp_path):
    folder, file = data
    gold_file = folder / "carb/024/gold/dev.tsv"
    card = tmp_path / "ours.json"
    arguments = ["--data", folder, "--split", "dev", "--samples", 5, "--name", "ours", "--card", card]
    outputs = [option for name in ("markdown", "latex", "html") for option in (f"--{name}", tmp_path / name)]
    assert run(capsys, "bench", f"carb={file}", *arguments, *outputs).status == 0
    assert "| carb |" in (tmp_path / "markdown").read_text()
    assert r"\begin{tabular}" in (tmp_path / "latex").read_text()
    assert "<table>" in (tmp_path / "html").read_text()
    board = tupelo.leaderboard("carb", gold_file, [file, card])
    assert list(board.scores) == ["ours", "system"]
    assert board.scores["ours"].f1 == board.scores["system"].f1
    with pytest.raises(InputError, match="a card without a score by carb on"):
        tupelo.leaderboard("carb", gold_file, [card], matcher="exact")
    card.write_text(card.read_text()[:400])
    with pytest.raises(InputError, match="a damaged card"):
        tupelo.leaderboard("carb", gold_file, [card])


@pytest.mark.model
def test_an_extractor_reads_the_gold_sentences(data):
    class Echo:
        name, version, needs = "echo", "1", frozenset()

        def extract(self, analyses):
            for analysis in analyses:
                yield [Extraction.of(Sentence(analysis.text), "sold", [analysis.text.split()[0], "boats"])]

    card = tupelo.bench(
        tupelo.load(extractor=Echo()), data=data[0], split="dev", options=BenchOptions(samples=2), only=["carb"]
    )
    assert card.system == "echo"
    assert card.results[0].score.coverage.gold_matched == 8
    assert card.results[0].score.precision == 1.0


def test_what_cannot_be_measured_is_said(capsys, data, tmp_path):
    folder, file = data
    with pytest.raises(UnknownNameError, match=r"no benchmark named .crab.\. Did you mean .carb."):
        tupelo.bench(file, only=["crab"])
    with pytest.raises(InputError, match="no gold standard of any benchmark below"):
        tupelo.bench(file, data=tmp_path / "nothing")
    first, then = run(capsys, "bench", file, "--data", tmp_path / "nothing", "--only", "carb").err.splitlines()
    assert (first, then) == (
        f"tupelo: no gold standard of carb below {tmp_path / 'nothing'}, expected at least one",
        "Next: tupelo data get carb",
    )
    with pytest.raises(InputError, match="expected test or dev"):
        tupelo.bench(file, data=folder, split="train")
    listed = run(capsys, "bench", "--list")
    assert (listed.status, "benchie-zh" in listed.out) == (0, True)
    other = tupelo.bench({"carb": file}, data=folder, split="dev", options=BenchOptions(samples=2))
    assert other.missing["oie2016"] == "no output was given for it"


def test_normalized_thresholds_keep_what_the_scorer_keeps():
    predicted = [replace(r, confidence=-40.0 + n) for n, r in enumerate(gold())]
    wrong = [Extraction.of(text, "x", ["y"], confidence=-60.0) for text in TEXTS]
    scorer = Oie2016(normalize_confidence=True)
    score = scorer.evaluate(gold(), [*predicted, *wrong]).score()
    assert flat([*predicted, *wrong], score) == [replace(r, confidence=1.0) for r in predicted]
    assert len(flat(predicted, Carb().evaluate(gold(), predicted).score())) == 8
