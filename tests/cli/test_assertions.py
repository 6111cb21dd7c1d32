"""`tupelo assertions`: every command and option, end to end."""

from __future__ import annotations

import gzip
import io
import json
import shutil
from dataclasses import replace

import pytest

from tests.cli.runner import run
from tests.inference.handmade import GOOD, MALFORMED, TOGETHER, line_of
from tests.inference.reference import aggregate, remove_rare_relations
from tests.wordnet import write_wordnet
from tupelo import assertions
from tupelo.core import InputError
from tupelo.core.assertion import Assertion
from tupelo.io.assertions import read_assertions

pytestmark = pytest.mark.model

EXPECTED = aggregate(Assertion(*words, count) for _, _, count, words in GOOD if words is not None)


@pytest.fixture
def good(tmp_path) -> str:
    file = tmp_path / "good.tsv"
    file.write_text("".join(f"{line_of(tokens, count)}\n" for _, tokens, count, _ in GOOD))
    return str(file)


@pytest.fixture
def mixed(tmp_path) -> str:
    """The malformed lines stand between good ones."""
    file = tmp_path / "mixed.tsv"
    lines = [line_of(tokens, count) for _, tokens, count, _ in GOOD]
    for place, (line, _) in enumerate(MALFORMED):
        lines.insert(2 * place + 1, line)
    file.write_text("".join(f"{line}\n" for line in lines))
    return str(file)


def as_text(assertions: list[Assertion]) -> str:
    return "".join(f"{a.subject}\t{a.relation}\t{a.object}\t{a.count}\n" for a in assertions)


def test_hand_made_ngrams_give_the_assertions_worked_out_by_hand(capsys, good):
    done = run(capsys, "assertions", "extract", good, "--min-pairs", "1")
    assert (done.status, done.out) == (0, as_text(EXPECTED))
    assert "26 assertions with 22 relations" in done.err
    for words, count in TOGETHER.items():
        assert "\t".join([*words, str(count)]) in done.out


def test_malformed_lines_stop_the_work_and_nothing_is_written(capsys, tmp_path, mixed):
    output = tmp_path / "a.tsv"
    done = run(capsys, "assertions", "extract", mixed, "--min-pairs", "1", "-o", output)
    assert (done.status, done.out, output.exists()) == (2, "", False)
    assert f"{mixed}:2: an empty line, expected head, tokens" in done.err
    assert "(24 more malformed line(s)). Use --on-error skip" in done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize("make", [assertions.extract, assertions.aggregate])
def test_another_way_with_malformed_lines_is_refused(tmp_path, mixed, make):
    output = tmp_path / "out.tsv"
    with pytest.raises(InputError, match="on_error='fail', expected 'raise' or 'skip'"):
        make([str(mixed)], str(output), on_error="fail")
    assert not output.exists()


def test_malformed_lines_are_skipped_counted_and_named(capsys, mixed):
    done = run(capsys, "assertions", "extract", mixed, "--min-pairs", "1", "--on-error", "skip")
    assert (done.status, done.out) == (0, as_text(EXPECTED))
    assert f"skipped {mixed}:4: 1 field(s), expected head" in done.err
    assert "25 malformed line(s) skipped" in done.err


def test_gzip_standard_input_and_byte_noise(capsys, tmp_path, monkeypatch, good):
    data = (tmp_path / "good.tsv").read_bytes()
    packed = tmp_path / "extended-biarcs.00-of-99.gz"
    packed.write_bytes(gzip.compress(data + b"caf\xe9\tcaf\xe9/NN/nsubj/0\t1\n"))
    (tmp_path / "notes.txt").write_text("not an n-gram\n")
    done = run(capsys, "assertions", "extract", tmp_path, "--min-pairs", "1", "--on-error", "skip")
    assert (done.status, done.out) == (0, as_text(EXPECTED))
    assert f"{packed}:{len(GOOD) + 1}: byte 0xe9 is not UTF-8" in done.err
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data.replace(b"\n", b"\r\n"))))
    done = run(capsys, "assertions", "extract", "-", "--min-pairs", "1")
    assert done.out == as_text(EXPECTED)


def test_a_folder_without_collections_is_refused(capsys, tmp_path):
    done = run(capsys, "assertions", "extract", tmp_path)
    assert done.status == 2
    assert "no file of the right name in this folder" in done.err


def test_figures_as_json(capsys, tmp_path, good):
    output = tmp_path / "a.parquet"
    done = run(capsys, "assertions", "extract", good, "--min-pairs", "1", "-o", output, "--json")
    appearances = sum(a.count for a in EXPECTED)
    assert json.loads(done.out) == {
        "assertions": 26,
        "appearances": appearances,
        "relations": 22,
        "malformed_lines": 0,
    }
    assert list(read_assertions(str(output))) == EXPECTED
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.parquet", "good.tsv"]
    done = run(capsys, "assertions", "extract", good, "--json")
    assert done.status == 2
    assert "cannot both go to standard output" in done.err


def test_rare_relations_go(capsys, good):
    done = run(capsys, "assertions", "extract", good, "--min-pairs", "3")
    assert done.out == as_text(remove_rare_relations(EXPECTED, 3))
    assert {line.split("\t")[1] for line in done.out.splitlines()} == {"chase"}
    done = run(capsys, "assertions", "extract", good)
    assert (done.status, done.out) == (0, "")
    assert "No relation has 10 different pairs of arguments; see --min-pairs" in done.err


def test_parts_are_added_up(capsys, tmp_path, good):
    lines = (tmp_path / "good.tsv").read_text().splitlines(keepends=True)
    for number in range(3):
        (tmp_path / f"part{number}.tsv").write_text("".join(lines[number::3]))
    names = [tmp_path / name for name in ("a.parquet", "b.tsv", "c.tsv.gz")]
    for number, name in enumerate(names):
        run(capsys, "assertions", "extract", tmp_path / f"part{number}.tsv", "--min-pairs", "1", "-o", name)
    done = run(capsys, "assertions", "aggregate", *names, "--min-pairs", "1")
    assert (done.status, done.out) == (0, as_text(EXPECTED))
    twice = run(capsys, "assertions", "aggregate", *names, *names[1:2], "--min-pairs", "3")
    assert twice.status == 0


def test_a_malformed_file_of_assertions(capsys, tmp_path):
    file = tmp_path / "a.tsv"
    file.write_text("dogs\tchase\tcats\t1\ndogs\tchase\n")
    done = run(capsys, "assertions", "aggregate", file)
    assert done.status == 2
    assert "a.tsv:2: 2 field(s), expected subject, relation, object and count" in done.err
    done = run(capsys, "assertions", "aggregate", file, "--on-error", "skip", "--min-pairs", "1")
    assert done.out == "dogs\tchase\tcats\t1\n"


def test_work_that_is_finished_is_not_done_again(capsys, tmp_path, monkeypatch, good):
    from tupelo_training.assertions import stage

    work, output = tmp_path / "work", tmp_path / "a.tsv"
    options = ("--min-pairs", "1", "--work", work, "-o", output)
    assert run(capsys, "assertions", "extract", good, *options).status == 0
    monkeypatch.setattr(stage, "extract_block", lambda block: pytest.fail("the block was done before"))
    other = ("--min-pairs", "3", "--work", work, "-o", output)
    assert run(capsys, "assertions", "extract", good, *other).status == 0
    assert output.read_text() == as_text(remove_rare_relations(EXPECTED, 3))
    assert work.is_dir()


@pytest.mark.process
@pytest.mark.spark
@pytest.mark.skipif(shutil.which("java") is None, reason="needs Java 17 for Spark")
def test_spark_gives_the_same_bytes(capsys, tmp_path, mixed, spark_settings):
    pytest.importorskip("pyspark")
    outputs = []
    for engine, name in (("local", "one"), ("local[2]", "two")):
        output = tmp_path / f"{name}.tsv"
        done = run(
            capsys,
            "assertions",
            "extract",
            mixed,
            "--min-pairs",
            "2",
            "--on-error",
            "skip",
            "--engine",
            engine,
            "-o",
            output,
        )
        assert done.status == 0, done.err
        outputs.append((output.read_bytes(), done.err))
    assert outputs[0] == outputs[1]
    assert outputs[0][0] == as_text(remove_rare_relations(EXPECTED, 2)).encode()


CONLLU = """\
1\tDogs\tdog\tNOUN\tNNS\t_\t2\tnsubj\t_\t_
2\tchase\tchase\tVERB\tVBP\t_\t0\troot\t_\t_
3\tcats\tcat\tNOUN\tNNS\t_\t2\tobj\t_\t_
4\tin\tin\tADP\tIN\t_\t5\tcase\t_\t_
5\tOslo\tOslo\tPROPN\tNNP\t_\t2\tobl\t_\tSpaceAfter=No
6\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_

"""


def test_a_bad_line_at_the_start_stops_the_work_there(capsys, tmp_path, good):
    names = []
    for number in range(4):
        path = tmp_path / f"part{number}.tsv"
        shutil.copy(good, path)
        names.append(path)
    with names[0].open("a") as first:
        first.write("broken\n")
    work = tmp_path / "work"
    done = run(capsys, "assertions", "extract", *names, "--work", work, "-o", tmp_path / "out.tsv")
    assert (done.status, done.out) == (2, "")
    assert "part0.tsv:" in done.err
    assert len(list(work.rglob("*.parquet"))) == 1
    done = run(capsys, "assertions", "extract", *names, "--work", work, "--min-pairs", "1", "--on-error", "skip")
    assert (done.status, done.out) == (0, as_text([replace(a, count=4 * a.count) for a in EXPECTED]))


def test_parses_become_ngrams_and_assertions(capsys, tmp_path):
    parses, ngrams = tmp_path / "x.conllu", tmp_path / "x.tsv"
    parses.write_text(CONLLU * 2)
    done = run(capsys, "assertions", "ngrams", parses, "--parser", "conllu")
    assert done.out.splitlines() == [
        "chase\tchase/VBP/ROOT/0 cats/NNS/dobj/1 in/IN/prep/1 Oslo/NNP/pobj/3\t2",
        "chase\tdogs/NNS/nsubj/2 chase/VBP/ROOT/0 cats/NNS/dobj/2\t2",
        "chase\tdogs/NNS/nsubj/2 chase/VBP/ROOT/0 cats/NNS/dobj/2 in/IN/prep/2 Oslo/NNP/pobj/4\t2",
        "chase\tdogs/NNS/nsubj/2 chase/VBP/ROOT/0 in/IN/prep/2 Oslo/NNP/pobj/3\t2",
    ]
    run(capsys, "assertions", "ngrams", parses, "--parser", "conllu", "--kind", "biarcs", "--verbs", "-o", ngrams)
    done = run(capsys, "assertions", "extract", ngrams, "--min-pairs", "1")
    assert done.out == "dogs\tchase\tcats\t2\ndogs\tchase in\tOslo\t2\n"


def test_text_is_parsed_by_the_shipped_model(capsys, tmp_path):
    text = tmp_path / "x.txt"
    text.write_text("The king lives in Oslo.\n")
    done = run(capsys, "assertions", "ngrams", text, "--kind", "biarcs", "--lines")
    assert done.out == "lives\tthe/DT/det/2 king/NN/nsubj/3 lives/VBZ/ROOT/0 in/IN/prep/3 Oslo/NNP/pobj/4\t1\n"


def test_documents_are_counted_on_an_engine(capsys, tmp_path):
    library, output = tmp_path / "library", tmp_path / "ngrams.tsv"
    library.mkdir()
    for name in ("a.txt", "b.txt"):
        (library / name).write_text("The king lives in Oslo.\n")
    line = "lives\tthe/DT/det/2 king/NN/nsubj/3 lives/VBZ/ROOT/0 in/IN/prep/3 Oslo/NNP/pobj/4\t2\n"
    options = ("--engine", "local", "--kind", "biarcs", "--verbs")
    done = run(capsys, "assertions", "ngrams", library, *options, "-o", output)
    assert (done.status, output.read_text()) == (0, line), done.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["library", "ngrams.tsv"]
    done = run(capsys, "assertions", "ngrams", library, *options, "--work", tmp_path / "work")
    assert done.out == line
    assert (tmp_path / "work").is_dir()
    done = run(capsys, "assertions", "ngrams", library, "--engine", "local", "--lines")
    assert done.status == 2
    assert "--engine reads documents" in done.err


@pytest.fixture
def question(tmp_path) -> list[object]:
    file = tmp_path / "a.tsv"
    file.write_text(
        "aspirin\tprevents\theadaches\t50\naspirin\thelps against\tthe headache\t40\nFrance\tcauses\theadaches\t30\n"
        "dope\tis\ta headache\t20\n"
    )
    return [file, "--wordnet", write_wordnet(tmp_path / "wordnet")]


def test_candidates_for_a_question(capsys, question):
    asked = ["--argument", "headache", "--relation", "prevents", "--type", "drug"]
    done = run(capsys, "assertions", "candidates", *question, *asked)
    assert done.out == "headache\tprevents\tdrug\taspirin\thelps against\tthe headache\t40\tsubject\n"
    assert done.err == "1 candidates for 1 question(s)\n"
    done = run(capsys, "assertions", "candidates", *question, *asked, "--json", "--ties", "first")
    assert json.loads(done.out) == {
        "argument": "headache",
        "question_relation": "prevents",
        "type": "drug",
        "subject": "aspirin",
        "relation": "helps against",
        "object": "the headache",
        "count": 40,
        "answer": "subject",
    }


def test_candidates_for_a_file_of_questions(capsys, tmp_path, question):
    questions, output = tmp_path / "q.tsv", tmp_path / "c.tsv"
    questions.write_text("headache\tprevents\tdrug\nheadaches\tends\tcountry\n")
    done = run(capsys, "assertions", "candidates", *question, "--questions", questions, "-o", output)
    assert done.status == 0
    assert [line.split("\t")[3] for line in output.read_text().splitlines()] == ["aspirin", "France"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--argument", "x"], "a question needs --argument, --relation and --type"),
        (["--questions", "q.tsv", "--type", "drug"], "not both"),
        (["--argument", "x", "--relation", "y", "--type", "xyz"], "WordNet has no noun 'xyz'"),
    ],
)
def test_bad_questions(capsys, question, options, message):
    done = run(capsys, "assertions", "candidates", *question, *options)
    assert done.status == 2
    assert message in done.err
