"""What comes out of a project: formats, names, the one answer for an item, and the log."""

from __future__ import annotations

import io
import json
from dataclasses import replace

import pytest

from tests.annotate.serving import make_setting, pairs, sentences
from tests.annotate.test_quality import disagreeing, tuples
from tests.annotate.test_queue import hand_in, take
from tupelo.annotate import review
from tupelo.annotate.exchange import items_of_rows, read_rows, rows_of_file
from tupelo.annotate.export import export, formats_for, with_tokens
from tupelo.annotate.tasks import TASKS
from tupelo.core import Extraction, InputError, Sentence, UnknownNameError
from tupelo.io.files import InputBytes
from tupelo.io.formats import FORMATS, BinaryFormat
from tupelo.io.tuples import stream_records


def lines_of(made):
    return [json.loads(line) for line in made.data.decode().splitlines()]


def marked(tmp_path):
    setting = make_setting(tmp_path, task="tuples", rows=[*sentences(2), {"id": "none", "text": "Yes."}])
    ann = setting.person("Ann")
    assignment = take(setting, ann)
    for answer in (tuples(([1], [[0], [2]])), tuples(([1], [[0], [2], [3, 4]])), tuples()):
        assignment = hand_in(setting, ann, assignment, answer)["next"]
    return setting


@pytest.mark.slow
@pytest.mark.parametrize("name", list(FORMATS))
def test_tuples_come_back_from_every_format(tmp_path, name):
    setting = marked(tmp_path)
    made = setting.read(export, name, what="gold")
    chosen = FORMATS.get(name)
    if isinstance(chosen, BinaryFormat):
        found = list(chosen.read(io.BytesIO(made.data), "export"))
    else:
        with InputBytes(made.data, "export") as file:
            found = list(stream_records(file, name).records)
    kept = [record for record in found if isinstance(record, Extraction)]
    assert len(kept) + made.left_out >= 2
    assert any(record.rel.text == "met" and str(record.arg1) == "Ann" for record in kept)


def test_words_get_numbers_where_a_part_covers_whole_pieces(tmp_path):
    task = TASKS.get("tuples")
    (item,) = task.items([{"id": "s", "text": "Ann met old Bob ."}], {})
    (whole,) = task.export(item, tuples(([1], [[0], [2, 3]])))
    located = with_tokens(whole)
    assert [part.tokens for part in (located.rel, *located.arguments)] == [(1,), (0,), (2, 3)]
    (implied,) = task.export(item, tuples(([1], [[0], ["the", 3]])))
    assert with_tokens(implied) == implied
    (item,) = task.items([{"id": "s", "text": "Ann met Bob."}], {})
    (stop,) = task.export(item, tuples(([1], [[0], [2]])))
    assert with_tokens(stop) == stop


def test_a_sentence_without_tuples_is_not_lost(tmp_path):
    setting = marked(tmp_path)
    made = setting.read(export, "jsonl", what="gold")
    with InputBytes(made.data, "export") as file:
        found = list(stream_records(file, "jsonl").records)
    assert [record.text for record in found if isinstance(record, Sentence)] == ["Yes."]


def test_what_a_format_cannot_hold_is_counted(tmp_path):
    setting = marked(tmp_path)
    made = setting.read(export, "reverb", what="gold")
    assert made.left_out >= 1


def test_names_only_when_asked(tmp_path):
    setting = disagreeing(tmp_path)
    named = {line["annotator"] for line in lines_of(setting.read(export, names=True))}
    nameless = setting.read(export)
    assert named == {"Ann", "Bob"}
    assert b"Ann" not in nameless.data
    assert {line["annotator"] for line in lines_of(nameless)} == {"annotator-1", "annotator-2"}
    log = setting.read(export, what="records")
    assert b"Ann" not in log.data
    assert b"Ann" in setting.read(export, what="records", names=True).data
    # The same person has the same name in every file.
    assert nameless.data == setting.read(export).data


def test_gold_is_the_decision_or_else_the_most_agreed_answer(tmp_path):
    setting = disagreeing(tmp_path)
    setting.write(review.adjudicate, setting.person("Rea", "reviewer"), "p1", "decide-01", 0, {"score": 4}, "")
    gold = lines_of(setting.read(export, what="gold"))
    assert [(line["id"], line["rating"], line["adjudicated"]) for line in gold] == [
        ("p0", 5, False),
        ("p1", 4, True),
        ("p2", 3, False),
    ]


def test_the_log_tells_everything_in_order(tmp_path):
    setting = disagreeing(tmp_path)
    log = lines_of(setting.read(export, what="records", names=True))
    assert [line["kind"] for line in log[:2]] == ["import", "answer"]
    answers = [line for line in log if line["kind"] == "answer"]
    assert [(line["person"], line["item"], line["version"]) for line in answers][:2] == [
        ("Ann", "p0", 1),
        ("Ann", "p1", 1),
    ]
    assert answers[0]["body"]["answer"]["score"] == 5
    assert answers[0]["guidelines"] == setting.desk.guidelines


def test_rows_have_one_format_only(tmp_path):
    setting = disagreeing(tmp_path)
    assert [entry["name"] for entry in formats_for(setting.desk)] == ["jsonl"]
    with pytest.raises(UnknownNameError):
        setting.read(export, "carb")


# Reading


def test_exported_tuples_can_be_imported_as_suggestions(tmp_path):
    setting = marked(tmp_path)
    path = tmp_path / "gold.jsonl"
    path.write_bytes(setting.read(export, "jsonl", what="gold").data)
    rows = read_rows("sentences", str(path))
    assert [row["text"] for row in rows][:1] == ["Ann met Bob number 0."]
    assert rows[0]["tuples"] == [{"rel": "met", "args": ["Ann", "Bob"]}]
    assert len(items_of_rows(TASKS.get("tuples"), rows, {}, "gold.jsonl")) == 3


@pytest.mark.parametrize(
    ("data", "texts"),
    [
        (b"Ann met Bob.\n\nDogs bark.\n", ["Ann met Bob.", "Dogs bark."]),
        (b'{"id": "a", "text": "Ann met Bob."}\n', ["Ann met Bob."]),
        (b"Ann met Bob.\t0.5\tmet\tAnn\tBob\n", ["Ann met Bob."]),
        (b"\xef\xbb\xbfDogs bark.\r\n", ["Dogs bark."]),
    ],
)
def test_sentences_are_read_from_whatever_holds_them(data, texts):
    with InputBytes(data, "upload") as file:
        assert [row["text"] for row in rows_of_file("sentences", file)] == texts


def tuple_file():
    """A heading, two sentences of a document, one of another; two extractors, of which one marks a tuple."""
    heading, first, second = (Sentence(text, document_id="d") for text in ("News", "Ann may leave.", "Bob sang."))
    leaves = replace(Extraction.of(first, "leave", ["Ann"], confidence=0.25), extractor="eager")
    marks = replace(leaves, modality="possible", extractor="careful")
    sang = replace(Extraction.of(second, "sang", ["Bob"]), extractor="eager")
    other = Extraction.of(Sentence("Dogs bark.", document_id="e"), "bark", ["Dogs"])
    records = [heading, leaves, marks, sang, replace(sang, extractor="careful"), other]
    return "".join(FORMATS.get("jsonl").write(records)).encode()


def test_tuples_are_read_with_the_sentences_around_them():
    with InputBytes(tuple_file(), "upload") as file:
        rows = rows_of_file("extractions", file)
    assert [(row["document"], row["sentence"], row["tuple"], row["marks"], row["extractors"]) for row in rows] == [
        ("d", 1, ["Ann", "leave"], [], ["eager"]),
        ("d", 1, ["Ann", "leave"], ["possible"], ["careful"]),
        ("d", 2, ["Bob", "sang"], [], ["eager", "careful"]),
        ("e", 0, ["Dogs", "bark"], [], []),
    ]
    assert [(row["before"], row["after"]) for row in rows[1:]] == [
        (["News"], ["Bob sang."]),
        (["News", "Ann may leave."], []),
        ([], []),
    ]
    assert rows[0]["extraction"]["confidence"] == 0.25


def test_judged_tuples_can_be_given_to_a_second_reader(tmp_path):
    with InputBytes(tuple_file(), "upload") as file:
        setting = make_setting(tmp_path, task="judgements", rows=rows_of_file("extractions", file))
    ann = setting.person("Ann")
    assignment = take(setting, ann)
    assert set(assignment["content"]) == {"text", "before", "after", "tuple", "marks"}
    wrong = {"label": "wrong", "part": "marks", "corrected": {"tuple": ["Ann", "leave"], "marks": ["probable"]}}
    for answer in (wrong, {"label": "good"}, {"label": "empty"}, {"label": "good"}):
        assignment = hand_in(setting, ann, assignment, answer)["next"]
    path = tmp_path / "first.jsonl"
    path.write_bytes(setting.read(export, what="answers").data)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert sorted((line["label"], line["part"], line["correction"]) for line in lines if line["part"]) == [
        ("wrong", "marks", "Ann ; leave {probable}")
    ]
    again = items_of_rows(TASKS.get("judgements"), read_rows("extractions", str(path)), {}, "first.jsonl")
    assert {item.id for item in again} == {line["id"] for line in lines}
    assert all(item.gold is None for item in again)


def test_judged_texts_of_public_collections_become_items(tmp_path):
    path = tmp_path / "qags.jsonl"
    path.write_text(
        '{"article": "Ann sang.", "summary_sentences": [{"sentence": "Ann sang.", "responses": '
        '[{"response": "yes"}]}]}\n'
    )
    rows = read_rows("pairs", str(path), "qags")
    assert rows == [{"id": "0", "source": "Ann sang.", "generated": "Ann sang.", "system": None}]


def test_a_format_that_the_task_cannot_read_is_named():
    with InputBytes(b"{}", "upload") as file, pytest.raises(InputError, match="expected one of rows"):
        rows_of_file("rows", file, "carb")


def test_answers_among_rows_that_are_joined_are_refused():
    line = {"kind": "entity", "name": "a", "members": ["a", "b"], "answer": {"clusters": []}}
    with pytest.raises(InputError):
        items_of_rows(TASKS.get("clusters"), [line, {**line, "members": ["a c", "b"]}], {}, "rows")


def test_items_with_other_content_under_a_known_id_are_refused(tmp_path):
    from tupelo.annotate.items import add_items

    setting = make_setting(tmp_path, rows=pairs(2))
    task = setting.desk.task
    assert add_items(setting.desk, items_of_rows(task, pairs(3), {}, "rows")) == (1, 2)
    changed = [{"id": "p0", "source": "Other.", "generated": "Text."}]
    with pytest.raises(InputError, match="'p0' is there with other content"):
        add_items(setting.desk, items_of_rows(task, changed, {}, "rows"))
