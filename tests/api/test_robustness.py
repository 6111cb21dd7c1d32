"""`tupelo.robustness.build` and its companions: what the commands print, objects in memory, views of results."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import tupelo
from tests.cli.runner import run
from tupelo.api.robustness import PARAPHRASERS, RULES, StudyOptions, read_cliques, write_cliques
from tupelo.core import Clique, InputError, Sentence
from tupelo.nlp.syntax import DependencyTree
from tupelo.robustness.candidates import Original, Rewording
from tupelo.robustness.cliques import CliqueBuild
from tupelo.robustness.rewrite.draft import RewriteDraft

COMMANDS = {"cliques analyze", "cliques build", "cliques distance", "cliques filter"}
EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples"
CLIQUES = str(EXAMPLES / "small-cliques.json")
PREDICTIONS = str(EXAMPLES / "small-clique-predictions.json")
GOLD = str(EXAMPLES / "small-gold.tsv")


@pytest.fixture(scope="module")
def trees(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Flat trees for all sentences, so that no model is needed."""
    path = tmp_path_factory.mktemp("trees") / "trees.txt"
    texts = [sentence.text for clique in read_cliques(CLIQUES) for sentence in clique.sentences]
    path.write_text("".join(f"(S {' '.join(f'(NN w{n})' for n, _ in enumerate(text.split()))})\n" for text in texts))
    return str(path)


def test_distances_are_what_the_command_prints(capsys, trees) -> None:
    for measure in ("hws", "kernel"):
        outcome = run(capsys, "cliques", "distance", CLIQUES, "--measure", measure, "--trees", trees, "--json")
        result = tupelo.robustness.distances(CLIQUES, measure, trees=trees)
        assert json.loads(outcome.out) == json.loads(json.dumps(result.to_dict()))
    assert run(capsys, "cliques", "distance", CLIQUES, "--measure", "kernel", "--trees", trees).out == f"{result}\n"
    assert result.to_arrow().num_rows == result.pairs == 10
    assert "<table>" in result._repr_html_()


def test_filter_is_what_the_command_prints(capsys, tmp_path) -> None:
    pytest.importorskip("sacrebleu")
    outcome = run(capsys, "cliques", "filter", CLIQUES, "--keep", "2", "--json")
    result = tupelo.robustness.filter(CLIQUES, keep=2)
    assert json.loads(outcome.out) == result.to_dict()
    assert sum(row["kept"] for row in result.rows()) == 5
    write_cliques(result, tmp_path / "kept.json")
    assert read_cliques(tmp_path / "kept.json") == result.cliques
    # Cliques in memory give the same.
    assert tupelo.robustness.filter(read_cliques(CLIQUES), keep=2).to_dict() == result.to_dict()


def test_analysis_is_what_the_command_prints(capsys, trees) -> None:
    outcome = run(capsys, "cliques", "analyze", CLIQUES, PREDICTIONS, "--trees", trees, "--json")
    result = tupelo.robustness.analyze(CLIQUES, [PREDICTIONS], trees=trees)
    assert json.loads(outcome.out) == json.loads(json.dumps(result.to_dict()))
    assert "cliques, " in str(result)
    assert len(result.rows()) == 2 * len(StudyOptions().weights)


@pytest.mark.model
def test_building_is_what_the_command_prints(capsys) -> None:
    options = ("--format", "carb", "--min-sentences", "2", "--json", "--paraphraser", "rewrite:passive,front-adjunct")
    outcome = run(capsys, "cliques", "build", GOLD, *options)
    chosen = tupelo.robustness.CliqueOptions(min_sentences=2)
    heard: list[str] = []
    result = tupelo.robustness.build(
        GOLD,
        chosen,
        format="carb",
        paraphraser="rewrite:passive,front-adjunct",
        progress=lambda what, done, total: heard.append(what),
    )
    assert isinstance(result, CliqueBuild)
    assert json.loads(outcome.out) == result.to_dict()
    assert heard
    assert "paraphrases of" in str(result)


@pytest.mark.model
def test_records_and_a_paraphraser_of_ones_own() -> None:
    class Shouting:
        name = "shouting"

        def paraphrase(self, sentences: list[Original]) -> list[list[Rewording]]:
            return [[Rewording(each.analysis.text + " !", self.name, each.tuples)] for each in sentences]

    result = tupelo.robustness.build(tupelo.read(GOLD, "carb"), paraphraser=Shouting(), check_with=None)
    assert result.report.candidates == result.report.originals - result.report.without_tuples


def test_cliques_in_memory_keep_their_groups() -> None:
    clique = Clique("one", (Sentence("Ann sang ."), Sentence("It was Ann who sang .")), ((), ()))
    assert [len(each.sentences) for each in read_cliques([clique])] == [2]
    with pytest.raises(InputError, match="no cliques"):
        read_cliques([])


@pytest.mark.model
def test_registered_parts_are_listed_and_used(capsys, monkeypatch) -> None:
    monkeypatch.setattr(RULES, "_registered", {})
    monkeypatch.setattr(PARAPHRASERS, "_registered", {})

    def stress(tree: DependencyTree) -> Iterator[RewriteDraft]:
        """The same with an exclamation mark."""
        yield RewriteDraft((*range(tree.size - 1), tree.size - 1, tree.size - 1))

    RULES.register("stress", stress)
    PARAPHRASERS.register(
        "stressed", lambda argument, settings, tools: PARAPHRASERS.get("rewrite")("stress", {}, tools)
    )
    assert RULES.titles()["stress"] == "The same with an exclamation mark."
    assert "stressed" in PARAPHRASERS.titles()
    assert "stress " in run(capsys, "cliques", "build", GOLD, "--list-rules").out
    for name in ("rewrite:stress", "stressed"):
        outcome = run(
            capsys,
            "cliques",
            "build",
            GOLD,
            "--format",
            "carb",
            "--paraphraser",
            name,
            "--check-with",
            "none",
            "--json",
        )
        assert json.loads(outcome.out)["candidates"] > 0
