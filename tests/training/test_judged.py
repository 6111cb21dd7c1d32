"""The judged set: its files are checked, its tables can be summed by hand, and people's answers come in."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tupelo.annotate.exchange import items_of_rows, rows_of_file
from tupelo.annotate.tasks.judging import JUDGEMENTS
from tupelo.core import Argument, Extraction, FormatError, InputError, Sentence, Span
from tupelo.io.files import InputBytes
from tupelo.io.formats import FORMATS
from tupelo_training.judged import readings, tables
from tupelo_training.judged.readings import added, pieces, read_again, referenced_texts, rows
from tupelo_training.judged.stored import JudgedDocument, JudgedSet, read_judged, write_judged
from tupelo_training.judged.tables import (
    agreement,
    calibration,
    counts,
    rates,
    read_confidences,
    reliability,
    wrong_parts,
)

NEWS = "The mayor spoke. Ann Lee, the mayor, did not sell it. She left."
SENTENCE = NEWS.index("Ann"), NEWS.index(" She")
ABOUT = {"source": "ours", "licence": "CC0"}
DOCUMENTS: list[dict[str, Any]] = [
    {"id": "n1", "kind": "news", "split": "train", "text": NEWS, **ABOUT},
    {"id": "t1", "kind": "talk", "split": "dev", **ABOUT},
]
SELLS: dict[str, Any] = {
    "document": "n1",
    "start": SENTENCE[0],
    "end": SENTENCE[1],
    "arg1": [[0, 7]],
    "rel": [[20, 32]],
    "args": [[[33, 35]]],
    "negated": True,
    "attribution": ["Bob", "said"],
    "rule": "clause",
    "extractors": ["rules", "neural"],
    "label": "good",
}
IS: dict[str, Any] = {**SELLS, "rel": ["is"], "args": [[[9, 18]]], "label": "empty", "negated": False}
WRONG: dict[str, Any] = {
    **SELLS,
    "rel": [[28, 32]],
    "label": "wrong",
    "part": "marks",
    "correction": "Ann Lee ; left",
}
TALK: dict[str, Any] = {**SELLS, "document": "t1"}


def folder_of(
    path: Path, tuples: list[Any] | None = None, documents: list[Any] | None = None, second: str = ""
) -> Path:
    tuples, documents = tuples or [SELLS, IS, WRONG, TALK], documents or DOCUMENTS
    lines = ["".join(f"{json.dumps(row)}\n" for row in some).encode() for some in (documents, tuples)]
    (path / "documents.jsonl").write_bytes(lines[0])
    (path / "tuples.jsonl.gz").write_bytes(gzip.compress(lines[1]))
    if second:
        (path / "second.tsv").write_text(second)
    return path


@pytest.fixture
def judged(tmp_path: Path) -> JudgedSet:
    return read_judged(folder_of(tmp_path, second="1\tgood\n2\tgood\n3\twrong\n4\tempty\n"))


def test_tuples_have_their_words_from_the_document(judged: JudgedSet) -> None:
    sells, implied, *_ = (each.extraction() for each in judged.tuples[:3])
    assert str(sells) == "(Ann Lee; did not sell; it)"
    assert sells.reservations() == ["not", "Bob said"]
    assert (str(implied), implied.rel.inferred) == ("(Ann Lee; is; the mayor)", (0,))
    with pytest.raises(InputError, match="'t1' is there by reference"):
        judged.tuples[3].extraction()


def test_splits_are_by_document(judged: JudgedSet) -> None:
    assert [each.document.id for each in judged.of("dev").tuples] == ["t1"]
    assert len(judged.of("train", "dev").tuples) == 4
    assert judged.of("test") == JudgedSet((), ())


def test_what_is_written_is_read_again(judged: JudgedSet, tmp_path: Path) -> None:
    folder = tmp_path / "again"
    folder.mkdir()
    write_judged(judged, folder)
    first = {path.name: path.read_bytes() for path in folder.iterdir()}
    again = read_judged(folder)
    assert again.tuples[0].document.sha256 is not None, "written with the checksum of its text"
    assert [each.extraction() for each in again.tuples[:3]] == [each.extraction() for each in judged.tuples[:3]]
    assert [each.second for each in again.tuples] == ["good", "good", "wrong", "empty"]
    write_judged(again, folder)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == first


def test_texts_by_reference_are_given_checked_and_not_written(judged: JudgedSet, tmp_path: Path) -> None:
    treebank = tmp_path / "talk.conllu"
    treebank.write_text(
        "# newdoc id = t1\n# newpar\n# text = Hello.\n1\tHello\n\n"
        "# text = A long speech about everything there is.\n\n# newpar id = 2\n"
        "# text = The end.\n\n# newdoc id = t2\n# text = Other.\n"
    )
    texts = referenced_texts([treebank])
    assert texts == {"t1": "Hello. A long speech about everything there is.\n\nThe end.", "t2": "Other."}
    assert read_judged(tmp_path, texts).tuples[3].extraction()
    write_judged(read_judged(tmp_path, texts), tmp_path)
    assert b"speech" not in (tmp_path / "documents.jsonl").read_bytes()
    assert read_judged(tmp_path).documents[1].sha256 is not None
    with pytest.raises(FormatError, match=r"documents\.jsonl:2: the text of 't1' has another checksum"):
        read_judged(tmp_path, {"t1": texts["t1"] + " More."})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"document": "n7"}, "document 'n7', expected one of documents.jsonl"),
        ({"end": 900}, "a sentence from 17 to 900, expected characters of the document"),
        ({"start": "0"}, "a sentence from 0 to"),
        ({"rel": [[28, 90]]}, r"'rel' has \[28, 90\], expected \[start, end\] within 36 characters, or a word"),
        ({"rel": []}, r"'rel' is \[\], expected spans and words"),
        ({"args": None}, "no list 'args'"),
        ({"args": [[" "]]}, "'args' has  , expected"),
        ({"label": "fine"}, "'label' is fine, expected one of good, empty, wrong"),
        ({"part": None}, "'part' is None, expected one of subject"),
        ({"label": "good"}, "a wrong part or a correction of what is good, expected none"),
        ({"negated": "no"}, "'negated' is no, expected true, false or null"),
        ({"attribution": ["Ann"]}, r"'attribution' is \['Ann'\], expected 2 texts in a list"),
        ({"correction": 3}, "'correction' is 3, expected a text"),
    ],
)
def test_a_bad_tuple_is_named_with_its_line(change: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=rf"tuples\.jsonl\.gz:2: {message}"):
        read_judged(folder_of(tmp_path, [SELLS, {**WRONG, **change}]))


def test_a_bad_document_or_second_reading_is_named_with_its_line(tmp_path: Path) -> None:
    for change, message in (
        ({"split": "valid"}, "'split' is valid"),
        ({"kind": ""}, "no 'kind'"),
        ({"id": "n1"}, "a second"),
    ):
        with pytest.raises(FormatError, match=rf"documents\.jsonl:2: {message}"):
            read_judged(folder_of(tmp_path, documents=[DOCUMENTS[0], {**DOCUMENTS[1], **change}]))
    for second, message in (
        ("1\tgood\n1\tgood\n", "2: tuple 1"),
        ("9\tgood\n", "1: tuple 9"),
        ("1\tfine\n", "1: label 'fine'"),
    ):
        with pytest.raises(FormatError, match=rf"second\.tsv:{message}"):
            read_judged(folder_of(tmp_path, second=second))
    with pytest.raises(InputError, match=r"documents\.jsonl"):
        read_judged(tmp_path / "nowhere")


def test_tables_by_hand(judged: JudgedSet) -> None:
    assert "| news | 1 / 1 / 3 | 0 / 0 / 0 | 0 / 0 / 0 |" in counts(judged)
    assert "| all | 1 / 1 / 3 | 1 / 1 / 1 | 0 / 0 / 0 |" in counts(judged)
    # Labels good, empty, wrong, good; second good, good, wrong, empty. Seen 2 of 4; by chance (2·2 + 1·1 + 1·1) / 16.
    kappa = (2 / 4 - 6 / 16) / (1 - 6 / 16)
    assert f"| good, empty or wrong | 4 | 50.0 % (15 to 85) | {kappa:.2f} |" in agreement(judged.tuples)
    assert "| right or not | 4 | 100.0 % (51 to 100) | 1.00 |" in agreement(judged.tuples)
    assert "| news | 3 | 33.3 % (6 to 79) |" in rates(judged.by_kind())
    assert "| news | 0 | 0 | 0 | 1 | 0 | 1 |" in wrong_parts(judged.by_kind())
    assert agreement([]).count("\n") == 2, "no row where nobody read twice"


def test_calibration_per_kind(judged: JudgedSet, tmp_path: Path) -> None:
    path = tmp_path / "confidences.tsv"
    path.write_text("1\t0.9\n3\t0.2\n4\t0.6\n")
    told = read_confidences(path, len(judged.tuples))
    pairs: dict[str, list[tuple[float, bool]]] = {"news": [], "talk": []}
    for place, confidence in told.items():
        pairs[judged.tuples[place].document.kind].append((confidence, judged.tuples[place].right))
    table = calibration(reliability(pairs))
    assert f"| news | 2 | 50.0 % (9 to 91) | {(0.1 + 0.2) / 2:.3f} |" in table
    assert f"| all | 3 | 66.7 % (21 to 94) | {(0.1 + 0.2 + 0.4) / 3:.3f} |" in table
    for text, message in (("1\t1.5\n", "1: confidence 1.5"), ("5\t0.5\n", "1: tuple 5"), ("1 0.5\n", "1: 1 field")):
        path.write_text(text)
        with pytest.raises(FormatError, match=rf"confidences\.tsv:{message}"):
            read_confidences(path, 4)


def test_rows_for_another_reading_show_no_label(judged: JudgedSet) -> None:
    made = list(rows(judged, ["train"]))
    assert [row["id"] for row in made] == ["1", "2", "3"]
    assert made[0]["tuple"] == ["Ann Lee", "did not sell", "it"]
    assert (made[0]["before"], made[0]["after"]) == (["The mayor spoke."], ["She left."])
    assert not {"label", "rule", "extractors"} & set(made[0])
    assert list(rows(judged, ["dev"])) == [], "its text is not there"


def test_answers_to_rows_are_second_readings(tmp_path: Path) -> None:
    judged = read_judged(folder_of(tmp_path, second="1\tgood\n"))
    with InputBytes(b'{"id": "3", "label": "good"}\n{"id": "1", "label": "wrong"}\n', "answers.jsonl") as file:
        after, left_out = read_again(judged, file)
    assert ([each.second for each in after.tuples], left_out) == (["good", None, "good", None], 1)
    for line in ('{"id": "5", "label": "good"}', '{"id": "1", "label": "fine"}', '{"label": "good"}'):
        expected = pytest.raises(FormatError, match=r"answers\.jsonl:1: tuple .*, expected the number of one of 4")
        with InputBytes(line.encode(), "answers.jsonl") as file, expected:
            read_again(judged, file)


def run(monkeypatch: pytest.MonkeyPatch, main: Callable[[], None], *words: str | Path) -> None:
    monkeypatch.setattr("sys.argv", ["program", *map(str, words)])
    main()


def test_from_a_text_to_the_set_and_to_its_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What the task exports is added, read again, and counted; a fault stops everything with one line."""
    folder_of(tmp_path)
    text, answers, again = tmp_path / "report.txt", tmp_path / "answers.jsonl", tmp_path / "rows.jsonl"
    text.write_text("News\n\nAnn may leave. Bob sang.\n")
    found = [Extraction.of("Ann may leave.", "may leave", ["Ann"]), Extraction.of("Bob sang.", "sang", ["Bob"])]
    lines = "".join(FORMATS.get("jsonl").write([Sentence("News"), *found]))
    with InputBytes(lines.encode(), "found.jsonl") as file:
        items = items_of_rows(JUDGEMENTS, rows_of_file("extractions", file), {}, "found.jsonl")
    exported = [JUDGEMENTS.export(item, JUDGEMENTS.validate(item, {"label": "good"}, ""))[0] for item in items]
    answers.write_text("".join(f"{json.dumps(row)}\n" for row in exported))
    about = ["--kind", "fiction", "--source", "ours", "--licence", "CC0", "--split", "dev", "--folder", tmp_path]
    run(monkeypatch, readings.main, "add", answers, "--document", text, *about)
    assert [str(each.extraction()) for each in read_judged(tmp_path).tuples[4:]] == [
        "(Ann; may leave)",
        "(Bob; sang)",
    ]
    run(
        monkeypatch, readings.main, "rows", "--splits", "dev", "--output", again, "--folder", tmp_path, "--every", "2"
    )
    (row,) = map(json.loads, again.read_text().splitlines())
    answers.write_text(json.dumps({**row, "label": "empty"}))
    run(monkeypatch, readings.main, "second", answers, "--folder", tmp_path)
    capsys.readouterr()
    run(monkeypatch, tables.main, "--folder", tmp_path, "--splits", "dev")
    shown = capsys.readouterr().out
    assert "| fiction | 0 / 0 / 0 | 1 / 2 / 2 | 0 / 0 / 0 |" in shown
    assert "| good or not | 1 | 0.0 %" in shown
    (tmp_path / "second.tsv").write_text("x\n")
    with pytest.raises(SystemExit) as caught:
        run(monkeypatch, tables.main, "--folder", tmp_path)
    output = capsys.readouterr()
    assert (caught.value.code, output.out, output.err.count("\n")) == (2, "", 1)
    assert "second.tsv:1: 1 field(s), expected number of a tuple and label" in output.err


def test_pieces_are_spans_and_implied_words_in_order() -> None:
    sentence = "Ann, a painter, left."
    found = Argument("Ann is painter", spans=(Span(0, 3), Span(7, 14)), inferred=(1,))
    assert pieces(sentence, found) == [[0, 3], "is", [7, 14]]
    assert pieces(sentence, Argument("painter Ann Lee")) == [[7, 14], [0, 3], "Lee"]


def test_answers_of_people_are_added(judged: JudgedSet) -> None:
    document = JudgedDocument("n2", "news", "ours", "CC0", "train", "Yes. Ann sang. Yes. Bob sang.")
    record = {"rel": {"text": "sang", "spans": [{"start": 4, "end": 8}]}, "arg1": {"text": "Bob", "spans": None}}
    answer = {
        "id": "b",
        "sentence": 3,
        "text": "Bob sang.",
        "tuple": ["Bob", "sang"],
        "label": "good",
        "extraction": record,
    }
    lines = [
        {**answer, "time": "2", "extractors": ["rules"]},
        {**answer, "time": "3", "label": "wrong", "part": "subject"},
        {**answer, "time": "4"},
        {"id": "a", "sentence": 2, "text": "Yes.", "tuple": ["Ann", "sang"], "label": "wrong", "part": "several"},
        {"id": "c", "sentence": 1, "text": "Ann sang.", "tuple": ["Ann", "sang"], "label": "empty"},
    ]
    data = "".join(f"{json.dumps(line)}\n" for line in lines).encode()
    with InputBytes(data, "answers.jsonl") as file:
        after, left_out = added(judged, document, file)
    new = after.tuples[len(judged.tuples) :]
    assert [(each.start, each.label, each.second) for each in new] == [
        (5, "empty", None),
        (15, "wrong", None),
        (20, "good", "wrong"),
    ]
    assert str(new[2].extraction()) == "(Bob; sang)"
    assert left_out == 1
    with InputBytes(data, "answers.jsonl") as file, pytest.raises(InputError, match="'n2' is in the set already"):
        added(after, document, file)
    for line, message in (
        ({"text": "No."}, "no 'id'"),
        ({**answer, "text": "No."}, "the sentence 'No.'"),
        ({**answer, "label": 1}, "'label'"),
    ):
        expected = pytest.raises(FormatError, match=rf"answers\.jsonl:1: {message}")
        with InputBytes(json.dumps(line).encode(), "answers.jsonl") as file, expected:
            added(judged, document, file)
