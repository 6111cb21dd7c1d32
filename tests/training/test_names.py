"""Names cut from GUM's mentions, and names that annotators were asked for."""

from __future__ import annotations

import gzip
import subprocess
import sys
from pathlib import Path

import pytest

from tupelo_training.parser.entities import Entity, Mention, named_entities
from tupelo_training.parser.names import candidates, key_of, read_names
from tupelo_training.parser.prepare import entities_of, with_answers
from tupelo_training.parser.treebanks import Example


def example(*rows: str, source: str = "names") -> Example:
    """`word UPOS XPOS head deprel` for every word."""
    words, upos, xpos, heads, deprels = zip(*(row.split() for row in rows), strict=True)
    return Example(source, words, upos, xpos, ("_",) * len(words), tuple(map(int, heads)), deprels)


COLUMBIA = example(
    "Columbia PROPN NNP 2 compound",
    "University PROPN NNP 0 root",
    "in ADP IN 5 case",
    "New ADJ NNP 5 amod",
    "York PROPN NNP 2 nmod",
)
STATES = example("the DET DT 3 det", "United VERB NNP 3 amod", "States PROPN NNPS 4 nsubj", "voted VERB VBD 0 root")


def names(sentence: Example, *mentions: Mention) -> tuple[Entity, ...]:
    tags = sentence.upos or (), sentence.xpos or (), sentence.heads or ()
    return named_entities(mentions, sentence.words, *tags)


def test_a_participle_can_be_a_word_of_a_name() -> None:
    assert names(STATES, Mention(0, 2, "place", (1, 2), "1")) == (Entity(1, 2, "place"),)


def test_a_place_after_in_is_a_name_of_its_own() -> None:
    found = names(COLUMBIA, Mention(0, 4, "organization", (0, 1, 2, 3, 4), "1"), Mention(3, 4, "place", (3, 4), "1"))
    assert found == (Entity(0, 1, "organization"), Entity(3, 4, "place"))


def test_a_title_keeps_what_follows_in() -> None:
    ghost = example("Ghost PROPN NNP 0 root", "in ADP IN 4 case", "the DET DT 4 det", "Shell PROPN NNP 1 nmod")
    assert names(ghost, Mention(0, 3, "abstract", (0, 1, 2, 3), "1")) == (Entity(0, 3, "other"),)


def test_a_person_is_not_the_organization_after_of() -> None:
    member = example("James PROPN NNP 0 root", "To PROPN NNP 1 flat", "of ADP IN 4 case", "Labour PROPN NNP 1 nmod")
    mentions = Mention(0, 3, "person", (0, 1, 2, 3), "1"), Mention(3, 3, "organization", (3,), "1")
    assert names(member, *mentions) == (Entity(0, 1, "person"), Entity(3, 3, "organization"))


def test_candidates_are_cut_like_names() -> None:
    assert [(c.first, c.last) for c in candidates(COLUMBIA)] == [(0, 1), (3, 4)]
    assert [(c.first, c.last) for c in candidates(STATES)] == [(1, 2)]
    assert candidates(example("On ADP IN 2 case", "Monday PROPN NNP 0 root")) == ()


def test_what_nobody_is_sure_of_is_left_out_of_the_loss() -> None:
    answers = Entity(0, 1, "?"), Entity(3, 4, "place")
    entities, doubtful = entities_of(with_answers(COLUMBIA, answers, None), ())
    assert entities == (Entity(3, 4, "place"),)
    assert doubtful == {0, 1}


def test_what_is_no_name_is_learnt_as_none() -> None:
    answers = Entity(0, 1, "none"), Entity(3, 4, "place")
    assert entities_of(with_answers(COLUMBIA, answers, None), ()) == ((Entity(3, 4, "place"),), set())


def test_a_function_is_no_name_but_the_place_in_it_may_be() -> None:
    governor = example("Governor PROPN NNP 0 root", "of ADP IN 3 case", "Maine PROPN NNP 1 nmod")
    mentions = Mention(0, 2, "person", (0, 1, 2), "1"), Mention(2, 2, "place", (2,), "2")
    assert names(governor, *mentions) == (Entity(2, 2, "place"),)
    entities, doubtful = entities_of(with_answers(governor, [Entity(0, 2, "person")], None), ())
    assert (entities, doubtful) == ((), {0, 1, 2})


@pytest.mark.process
def test_sheets_and_answers_make_the_file_that_training_reads(tmp_path: Path) -> None:
    c = COLUMBIA
    lines = [
        "\t".join((str(n), w, "_", u, x, "_", str(h), d, "_", "_"))
        for n, (w, u, x, h, d) in enumerate(
            zip(c.words, c.upos or (), c.xpos or (), c.heads or (), c.deprels or (), strict=True), start=1
        )
    ]
    (tmp_path / "ud_ewt").mkdir()
    parsed = tmp_path / "parsed.conllu"
    parsed.write_text("\n".join(lines) + "\n\n", "utf-8")
    for part in ("train", "dev"):
        (tmp_path / f"ud_ewt/en_ewt-{part}.conllu.gz").write_bytes(gzip.compress(b""))
    run("--data", tmp_path, "--parsed", parsed, "--output", tmp_path / "sheets")
    key = key_of(COLUMBIA.words)
    assert (tmp_path / "sheets/000.txt").read_text("utf-8") == f"{key}\t[1 Columbia University] in [2 New York]\n"
    (tmp_path / "answers").mkdir()
    (tmp_path / "answers/000.txt").write_text(f"{key} ol\n", "utf-8")
    names_file = tmp_path / "names.tsv.gz"
    run("--data", tmp_path, "--parsed", parsed, "--answers", tmp_path / "answers", "--output", names_file)
    assert read_names(names_file) == {key: (Entity(0, 1, "organization"), Entity(3, 4, "place"))}
    (tmp_path / "answers/000.txt").write_text(f"{key} oz\n", "utf-8")
    with pytest.raises(subprocess.CalledProcessError) as refused:
        run("--data", tmp_path, "--parsed", parsed, "--answers", tmp_path / "answers", "--output", names_file)
    assert "000.txt:1: expected" in refused.value.stderr


def test_the_shipped_answers_can_be_read() -> None:
    answers = read_names()
    assert len(answers) > 7000
    assert {"person", "organization", "place", "event", "work", "other"} <= {
        name.kind for marks in answers.values() for name in marks
    }


def run(*arguments: object) -> None:
    command = [sys.executable, "-m", "tupelo_training.parser.names", *map(str, arguments)]
    root = Path(__file__).parents[2]
    subprocess.run(command, check=True, capture_output=True, text=True, cwd=root)
