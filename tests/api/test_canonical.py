"""`tupelo.canonicalize`: files and triples in memory, views of the result, methods of one's own."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

import tupelo
from tests.cli.runner import run
from tupelo.api import canonical
from tupelo.api.canonical import CanonOptions
from tupelo.core import InputError, UnknownNameError
from tupelo.core.canonical import SUBTASKS, Phrase, TripleMention
from tupelo_training.canon.cuts import FlatCut

# What `pretrain` prints is compared where a model is trained: tests/training.
COMMANDS = {"canonicalize", "pretrain", "rules"}
ROWS = [
    ("Ann Berg", "lives in", "Oslo", "Ann Berg lives in Oslo."),
    ("<Berg>", "resides in", "the city of Oslo", "<Berg> resides in the city of Oslo."),
    ("ann berg", "lives in", "Bergen"),
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "triples.tsv"
    path.write_text("".join("\t".join(row) + "\n" for row in ROWS), encoding="utf-8")
    return path


@pytest.mark.parametrize("method", ["tokens", "surface"])
def test_the_command_prints_what_the_call_returns(
    file: Path, method: str, capsys: pytest.CaptureFixture[str]
) -> None:
    outcome = run(capsys, "canonicalize", file, "--method", method, "--json")
    assert json.loads(outcome.out) == tupelo.canonicalize(file, method).to_dict()


def test_files_and_objects_are_the_same(file: Path) -> None:
    expected = tupelo.canonicalize(file, "surface").to_dict()
    with file.open(encoding="utf-8") as stream:
        assert tupelo.canonicalize(stream, "surface").to_dict() == expected
    assert tupelo.canonicalize(io.BytesIO(file.read_bytes()), "surface", format="tsv").to_dict() == expected
    assert tupelo.canonicalize(ROWS, "surface").to_dict() == expected
    mentions = [TripleMention(str(n), *map(Phrase, row[:3]), *row[3:]) for n, row in enumerate(ROWS, start=1)]
    assert tupelo.canonicalize(mentions, "surface").to_dict() == expected
    bare = tupelo.canonicalize([tupelo.Triple(*row[:3]) for row in ROWS], "surface")
    assert [cluster.forms for cluster in bare.clusters] == [tuple(row["forms"]) for row in expected["clusters"]]


def test_unknown_tasks_and_rules_for_errors_are_named() -> None:
    facts = [("Ann", "lives in", "Oslo")]
    with pytest.raises(UnknownNameError, match="Did you mean 'rpc'"):
        tupelo.canonicalize(facts, "surface", tasks=["rcp"])
    with pytest.raises(InputError, match="on_error='pass', expected 'raise' or 'skip'"):
        tupelo.assertions.mine_rules(facts, on_error="pass")


def test_extractions_can_be_canonicalized() -> None:
    sentence = tupelo.core.Sentence("Ann Berg lives in Oslo.")
    made = tupelo.Extraction(
        sentence,
        arg1=tupelo.Argument("Ann Berg"),
        rel=tupelo.Argument("lives in"),
        args=(tupelo.Argument("Oslo"),),
    )
    found = tupelo.canonicalize([made, ("ann berg", "left", "Oslo")], "surface", tasks=["npc-e"])
    assert {cluster.name for cluster in found.entities} == {"Ann Berg", "Oslo"}
    assert not found.relations


def test_results_have_views() -> None:
    found = tupelo.canonicalize(ROWS, "surface", tasks=["npc-e"])
    assert str(found).splitlines()[0] == "3 triples: 5 entities, 0 relations, 0 types"
    assert "entity    1.00  Ann Berg: Ann Berg | ann berg" in str(found)
    assert found.to_arrow().column("name").to_pylist() == [cluster.name for cluster in found.clusters]
    assert "<Berg>" not in found._repr_html_()
    assert "&lt;Berg&gt;" in found._repr_html_()


def test_faulty_lines_are_collected(tmp_path: Path) -> None:
    path = tmp_path / "bad.tsv"
    path.write_text("a\tb\tc\na\tb\n", encoding="utf-8")
    with pytest.raises(tupelo.TupeloError, match=r"bad\.tsv:2"):
        tupelo.canonicalize(path, "surface", format="tsv")
    found = tupelo.canonicalize(path, "surface", format="tsv", options=CanonOptions(on_error="skip"))
    assert [error.line for error in found.skipped] == [2]


@pytest.mark.parametrize("item", [("a", "b"), "abc", ("a", "b", "c", "d", "e")])
def test_what_is_no_triple_is_refused(item: Any) -> None:
    with pytest.raises(InputError, match=r"triple 1 is .* expected subject, relation, object"):
        tupelo.canonicalize([item], "surface")


@dataclass(frozen=True)
class SameInitial:
    """Phrases with the same first letter are one."""

    length: int = 1

    name: ClassVar[str] = "initial"
    thresholds: ClassVar[dict[str, float]] = dict.fromkeys(SUBTASKS, 0.5)

    def prepare(self, mentions: Any, resources: Any, *, seed: int = 0, advance: Any = None) -> SameInitial.Prepared:
        return self.Prepared(self.length, mentions)

    @dataclass(frozen=True)
    class Prepared:
        length: int
        mentions: Any

        def subtask(self, name: str) -> FlatCut:
            texts = [mention.phrase(SUBTASKS[name]).text[: self.length].lower() for mention in self.mentions]
            return FlatCut(lambda threshold: np.unique(texts, return_inverse=True)[1])


@pytest.fixture
def initial() -> Iterator[None]:
    canonical.METHODS.register("initial", SameInitial)
    yield
    del canonical.METHODS._registered["initial"]


def test_a_registered_method_is_one_class(initial: None, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = tupelo.canonicalize(file, "initial", tasks=["rpc"], settings={"length": 2})
    assert [set(cluster.forms) for cluster in found.relations] == [{"lives in"}, {"resides in"}]
    outcome = run(capsys, "canonicalize", file, "--method", "initial", "--set", "length=1", "--json")
    assert json.loads(outcome.out) == tupelo.canonicalize(file, SameInitial()).to_dict()
    listed = run(capsys, "canonicalize", "--help").out
    assert "Phrases with the same first letter are one." in listed


def test_a_method_without_thresholds_needs_one() -> None:
    class Bare(SameInitial):
        thresholds: ClassVar[dict[str, float]] = {}

    with pytest.raises(InputError, match="no threshold ships for 'subject' of method 'initial': give --threshold"):
        tupelo.canonicalize(ROWS, Bare())
    assert tupelo.canonicalize(ROWS, Bare(), threshold=0.5).entities


def test_progress_is_reported() -> None:
    seen: list[tuple[str, int, int | None]] = []
    tupelo.canonicalize(ROWS, "ngrams", progress=lambda *step: seen.append(step))
    assert seen[-1][0] == "canonicalizing by ngrams"


def test_a_page_for_review_is_written(tmp_path: Path) -> None:
    canonical.write_review(tupelo.canonicalize(ROWS, "tokens"), tmp_path / "review.html")
    assert "Review of 3 triples" in (tmp_path / "review.html").read_text("utf-8")


@pytest.mark.model
def test_an_encoder_is_a_folder_or_a_name_of_ours(tmp_path: Path) -> None:
    named = tupelo.canonicalize(ROWS, method="encoder", options=CanonOptions(encoder="en-encoder"))
    assert named.clusters == tupelo.canonicalize(ROWS, method="encoder").clusters
    (tmp_path / "SHA256SUMS").write_text(f"{'0' * 64}  layers.onnx\n", "utf-8")
    with pytest.raises(InputError, match=r"layers\.onnx: no such file, but SHA256SUMS names it"):
        tupelo.canonicalize(ROWS, method="encoder", options=CanonOptions(encoder=tmp_path))


def test_rules_are_printed_as_the_call_returns_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    facts = [(who, relation, "Oslo") for who in ("Ann", "Bo") for relation in ("lives in", "resides in")]
    facts.append(("Cem", "lives in", "Lima"))
    path = tmp_path / "facts.tsv"
    path.write_text("".join("\t".join(fact) + "\n" for fact in facts), encoding="utf-8")
    found = tupelo.assertions.mine_rules(facts)
    assert run(capsys, "rules", path).out == f"{found}\n"
    # Two of three pairs; Cem is not known to reside anywhere.
    assert "2\t1.000\t0.667\t1.000\tlives in(x, y) => resides in(x, y)" in str(found).splitlines()
    assert json.loads(run(capsys, "rules", path, "--json").out) == json.loads(json.dumps(found.to_dict()))
    assert found.equal == [("lives in", "resides in", 1.0)]
    outcome = run(capsys, "rules", path, "--atoms", "3")
    assert (outcome.status, outcome.out) == (2, "")


def test_pre_training_without_torch_names_the_extra(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tupelo_training.calls.find_spec", lambda name: None if name == "torch" else name)
    with pytest.raises(tupelo.TupeloError, match=r"tupelo\[train\]"):
        tupelo.training.pretrain_encoder([tmp_path / "triples.tsv"], tmp_path)
    monkeypatch.setattr("tupelo_training.calls.find_spec", lambda name: None if name == "transformers" else name)
    with pytest.raises(tupelo.TupeloError, match=r"tupelo\[transformers\]"):
        tupelo.training.pretrain_encoder([tmp_path / "triples.tsv"], tmp_path)


def test_no_triples_have_no_rules() -> None:
    assert list(canonical.mine_rules([])) == []
    assert tupelo.canonicalize([], "surface").clusters == ()
