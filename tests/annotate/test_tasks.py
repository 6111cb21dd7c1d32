"""Every task: rows become items, answers are checked, graded, counted and exported."""

from __future__ import annotations

import json
from collections.abc import Mapping
from copy import deepcopy
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.annotate.rows import ANSWERS, ROWS, answer_of, item_of, task_of
from tupelo.annotate.tasks import TASKS, AnswerError
from tupelo.annotate.tasks.choices import gather
from tupelo.annotate.tasks.judging import content_words, missing_words, split_sentences
from tupelo.annotate.tasks.words import as_argument, check_part, find_part, part_text, show_words, words_of
from tupelo.core import Extraction, InputError, Sentence
from tupelo.io.clusters import read_clusters
from tupelo.io.formats import FORMATS
from tupelo.io.lines import Lines

EVERY_TASK = sorted(TASKS)


@pytest.mark.parametrize("name", EVERY_TASK)
class TestEveryTask:
    def test_says_what_it_is(self, name: str) -> None:
        task = task_of(name)
        assert (task.name, task.version) == (name, 1)
        assert task.reads in ("sentences", "extractions", "cliques", "paraphrases", "rows", "pairs", "clusters")
        assert task.writes in ("tuples", "rows")
        assert set(task.levels.values()) <= {"nominal", "ordinal"}

    def test_content_and_answers_are_json_and_nothing_hidden_is_shown(self, name: str) -> None:
        item = item_of(name)
        shown = task_of(name).present(item, "seed")
        assert json.loads(json.dumps(shown)) == shown
        for hidden in ("careful", "eager", '"no"'):
            assert hidden not in json.dumps(shown)

    def test_a_checked_answer_is_its_own_normal_form(self, name: str) -> None:
        answer = answer_of(name)
        assert json.loads(json.dumps(answer)) == answer
        assert task_of(name).validate(item_of(name), answer, "another seed") == answer

    def test_an_answer_agrees_with_itself(self, name: str) -> None:
        assert task_of(name).grade(item_of(name), answer_of(name), answer_of(name)) == pytest.approx(1.0)

    def test_units_belong_to_questions_with_a_level(self, name: str) -> None:
        task, units = task_of(name), task_of(name).units(item_of(name), answer_of(name))
        assert {question for question, _ in units} == set(task.levels)
        assert bool(units) == (task.writes == "rows")

    def test_exports_what_it_says(self, name: str) -> None:
        task = task_of(name)
        made = task.export(item_of(name), answer_of(name))
        assert made
        if task.writes == "tuples":
            assert all(isinstance(record, Extraction | Sentence) for record in made)
        else:
            assert json.loads(json.dumps(made)) == made

    def test_ids_come_from_the_row_or_from_the_content(self, name: str) -> None:
        row = {key: value for key, value in ROWS[name].items() if key != "id"}
        made = [task_of(name).items([deepcopy(row)], {})[0].id for _ in range(2)]
        assert made[0] == made[1] != ROWS[name]["id"]
        assert item_of(name).id == ROWS[name]["id"]
        assert item_of(name, id=17).id == "17"

    @pytest.mark.parametrize("answer", [None, [], "yes", {}, {"odd": 1}, 7, {"tuples": None}, {"labels": 3}])
    def test_nonsense_is_no_answer(self, name: str, answer: Any) -> None:
        with pytest.raises(AnswerError, match="expected"):
            task_of(name).validate(item_of(name), answer, "seed")

    def test_a_row_must_have_its_fields_as_texts(self, name: str) -> None:
        for field in ROWS[name]:
            if field in ("id", "controls"):
                continue
            for bad in (None, 3, "", "a\0b" if isinstance(ROWS[name][field], str) else [None], {"x": [None]}):
                with pytest.raises(InputError, match="expected"):
                    task_of(name).items([{**ROWS[name], field: bad}], {})
        with pytest.raises(InputError, match="expected"):
            task_of(name).items([{**ROWS[name], "id": ["x"]}], {})

    @settings(max_examples=40, deadline=None)
    @given(data=st.data())
    def test_no_change_of_an_answer_breaks_anything(self, name: str, data: st.DataObject) -> None:
        """Whatever a browser sends is refused in words or becomes an answer that can be graded and exported."""
        answer = mutated(data, deepcopy(ANSWERS[name]))
        item, task = item_of(name), task_of(name)
        try:
            checked = task.validate(item, answer, "seed")
        except AnswerError:
            return
        assert task.validate(item, checked, "seed") == checked
        assert 0 <= task.grade(item, checked, answer_of(name)) <= 1
        task.export(item, checked)
        task.units(item, checked)
        task.missed(item, checked)


LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 60),
    st.text(max_size=5),
    st.sampled_from(["yes", "equal", "\0", "\ud800"]),
    st.lists(st.integers(-1, 12), max_size=3),
    st.dictionaries(st.sampled_from(["rel", "args", "id"]), st.just([0])),
)


def mutated(data: st.DataObject, value: Any) -> Any:
    """The value with one place changed, added or taken away."""
    if isinstance(value, dict | list) and value and data.draw(st.integers(0, 4)):
        places = sorted(value) if isinstance(value, dict) else range(len(value))
        place = data.draw(st.sampled_from(list(places)))
        if data.draw(st.integers(0, 5)) == 0:
            del value[place]
        else:
            value[place] = mutated(data, value[place])
        return value
    return data.draw(LEAVES)


class TestWords:
    @given(st.text(max_size=60))
    def test_words_are_in_order_and_cover_everything_but_space(self, text: str) -> None:
        words = words_of(text)
        assert all(a[1] <= b[0] for a, b in pairwise(words))
        shown = show_words(text)
        assert "".join(gap + word for gap, word in shown) == text[: words[-1][1] if words else 0]
        assert not "".join(gap for gap, _ in shown).strip()

    @given(st.text(alphabet="ab ,.-'é𝔄", max_size=30), st.text(alphabet="ab ,.-'é𝔄", max_size=15))
    def test_a_wording_becomes_a_part_that_reads_like_it(self, text: str, wording: str) -> None:
        words = words_of(text)
        part = find_part(text, words, wording)
        again = part_text(text, words, part)
        assert again.replace(" ", "") == wording.replace(" ", "")

    def test_neighbours_keep_their_spacing_and_others_get_a_space(self) -> None:
        text = "Ann's shop, the best (of 3)."
        words = words_of(text)
        assert [text[a:b] for a, b in words] == ["Ann's", "shop", ",", "the", "best", "(", "of", "3", ")", "."]
        assert part_text(text, words, [0, 1, 2, 3]) == "Ann's shop, the"
        assert part_text(text, words, [5, 6, 7, 8]) == "(of 3)"
        assert part_text(text, words, [0, "is", 4]) == "Ann's is best"

    def test_places_of_a_part_are_characters_of_the_sentence(self) -> None:
        text = "𝔄nn sold, it seems, the boat."
        words = words_of(text)
        argument = as_argument(text, words, ["probably", 1, 2, 6, 7])
        assert argument.text == "probably sold, the boat"
        assert argument.spans is not None
        assert [span.of(text) for span in argument.spans] == ["sold,", "the boat"]
        assert argument.inferred == (0,)
        assert as_argument(text, words, [0, "also often", 1], "time").inferred == (1, 2)

    @pytest.mark.parametrize("part", [[], None, [99], [-1], [True], [1.5], [""], ["\0"], ["x" * 201], 5, "", [[1]]])
    def test_odd_parts_are_refused(self, part: Any) -> None:
        with pytest.raises(AnswerError, match="expected"):
            check_part(part, "a b", words_of("a b"), "relation", "rel")


class TestTuples:
    def test_answers_become_extractions_with_roles_and_places(self) -> None:
        first, second = task_of("tuples").export(item_of("tuples"), answer_of("tuples"))
        assert str(first) == "(Ann Berg; painted; the harbour; 1998)"
        assert first.args[-1].role == "time"
        assert str(second) == "(Ann Berg; sold; the harbour)"
        assert second.args[0].inferred == (0,)
        assert first.sentence.id == "s1"

    def test_every_format_of_io_takes_them(self) -> None:
        records = task_of("tuples").export(item_of("tuples"), answer_of("tuples"))
        text = "".join(FORMATS.get("tab").write(records))
        assert text.splitlines()[0].split("\t")[2:] == ["painted", "Ann Berg", "the harbour", "1998"]

    def test_a_sentence_without_tuples_is_kept(self) -> None:
        answer = answer_of("tuples", tuples=[], none=True)
        assert task_of("tuples").export(item_of("tuples"), answer) == [Sentence(ROWS["tuples"]["text"], "s1")]
        with pytest.raises(AnswerError, match="there is none"):
            answer_of("tuples", tuples=[], none=False)
        with pytest.raises(AnswerError, match="there is none"):
            answer_of("tuples", none=True)

    def test_files_may_hold_wordings(self) -> None:
        written = answer_of("tuples", tuples=[["Ann Berg", "painted", "the harbour", "in 1998"]])
        assert written["tuples"][0] == {"rel": [2], "args": [[0, 1], [3, 4], [5, 6]]}

    def test_the_grade_is_the_f1_of_carb(self) -> None:
        item, gold = item_of("tuples"), answer_of("tuples", tuples=[["Ann Berg", "painted", "the harbour"]])
        half = answer_of("tuples", tuples=[["Ann Berg", "painted", "the harbour in 1998"]])
        # Precision: 5 of 7 words; recall: all.
        precision, recall = 5 / 7, 1.0
        expected = 2 * precision * recall / (precision + recall)
        assert task_of("tuples").grade(item, half, gold) == pytest.approx(expected)
        none = answer_of("tuples", tuples=[], none=True)
        assert task_of("tuples").grade(item, none, gold) == 0
        assert task_of("tuples").grade(item, none, none) == 1

    def test_a_tuple_that_is_there_twice_is_refused(self) -> None:
        with pytest.raises(AnswerError, match="twice") as caught:
            answer_of("tuples", tuples=[["Ann", "sold", "it"], {"rel": [8], "args": [[0], [9]]}])
        assert caught.value.field == "tuples.1"

    def test_the_place_of_a_mistake_is_named(self) -> None:
        with pytest.raises(AnswerError) as caught:
            answer_of("tuples", tuples=[{"rel": [2], "args": [[0], [99]]}])
        assert caught.value.field == "tuples.0.args.1"

    def test_given_tuples_are_suggested_and_else_the_extractor_is_asked(self) -> None:
        task, item = task_of("tuples"), item_of("tuples", tuples=[["Ann Berg", "sold", "it"]])
        given = task.suggest(item, never)
        assert given == {"tuples": [{"rel": [8], "args": [[0, 1], [9]], "suggested": True}], "none": False}
        text = ROWS["tuples"]["text"]
        found = [Extraction.of(text, "painted", ["Ann Berg", "the harbour"])] * 2
        asked = task.suggest(item_of("tuples"), lambda texts: [found for _ in texts])
        assert asked is not None
        assert [each["rel"] for each in asked["tuples"]] == [[2]]
        assert task.suggest(item_of("tuples"), lambda texts: [[] for _ in texts]) is None

    def test_reported_speech_needs_its_speaker(self) -> None:
        record = task_of("reported").export(item_of("reported"), answer_of("reported"))[0]
        assert (record.attribution.speaker, record.attribution.verb) == ("Ann Berg", "said")
        with pytest.raises(AnswerError, match="speaker"):
            answer_of("reported", tuples=[{"rel": [6], "args": [[4, 5]]}])
        with pytest.raises(AnswerError, match="speaker"):
            answer_of("tuples", tuples=[{"rel": [2], "args": [[0]], "speaker": [0]}])


class TestClique:
    def test_sentences_share_a_group(self) -> None:
        records = task_of("clique").export(item_of("clique"), answer_of("clique"))
        assert str(records[0]) == "(Ann; sold to; the boat; Tom)"
        assert records[0].group == "c1"
        assert records[1].document_id == "c1"

    def test_the_number_of_answers_is_that_of_the_sentences(self) -> None:
        with pytest.raises(AnswerError, match="a list of 2 to 2"):
            answer_of("clique", sentences=[])
        with pytest.raises(AnswerError) as caught:
            answer_of("clique", sentences=[{"tuples": [], "none": True}, {"tuples": [{"rel": [77], "args": [[0]]}]}])
        assert caught.value.field == "sentences.1.tuples.0.rel"

    def test_given_tuples_must_fit_the_sentences(self) -> None:
        with pytest.raises(InputError, match="one for each of 2"):
            item_of("clique", tuples=[[]])
        made = task_of("clique").suggest(item_of("clique", tuples=[[["Ann", "sold", "the boat"]], []]), never)
        assert [len(each["tuples"]) for each in made["sentences"]] == [1, 0]


class TestJudgements:
    def test_what_proposed_a_tuple_is_kept_and_not_shown(self) -> None:
        kept = {"document": "d1", "sentence": 4, "extractors": ["careful"], "extraction": {"confidence": 0.25}}
        item = item_of("judgements", **kept)
        assert set(task_of("judgements").present(item, "")) == {"text", "before", "after", "tuple", "marks"}
        row = task_of("judgements").export(item, answer_of("judgements", item))[0]
        assert kept.items() <= row.items()
        assert row["correction"] == "She ; did not sell ; it {not}"

    def test_the_settings_say_how_much_of_the_text_is_shown(self) -> None:
        row = {**ROWS["judgements"], "before": ["a", "b", "c"], "after": ["d", "e", "f"]}
        for context, before, after in ((2, "bc", "de"), (0, "", ""), (10, "abc", "def")):
            content = task_of("judgements").items([row], {"context": context})[0].content
            assert (content["before"], content["after"]) == (list(before), list(after))
        assert task_of("judgements").items([row], {})[0].content["before"] == ["b", "c"]
        for bad in (-1, 11, "2", True):
            with pytest.raises(InputError, match="a number of sentences from 0 to 10"):
                task_of("judgements").items([row], {"context": bad})

    def test_wrong_tuples_have_a_part_and_right_ones_have_none(self) -> None:
        with pytest.raises(AnswerError, match="one of subject, relation, argument, marks, several") as caught:
            answer_of("judgements", part="verb")
        assert caught.value.field == "part"
        assert answer_of("judgements", label="empty") == {"label": "empty", "part": None, "corrected": None}
        assert answer_of("judgements", corrected=None)["corrected"] is None
        assert task_of("judgements").export(item_of("judgements"), answer_of("judgements", corrected=None))

    def test_a_correction_is_another_tuple(self) -> None:
        with pytest.raises(AnswerError, match="the tuple itself"):
            answer_of("judgements", corrected={"tuple": ["She", "sell", "it"]})
        assert answer_of("judgements", corrected={"tuple": ["She", "sell", "it"], "marks": ["not"]})
        with pytest.raises(AnswerError) as caught:
            answer_of("judgements", corrected={"tuple": ["She", " "]})
        assert caught.value.field == "corrected.tuple.1"

    def test_half_a_grade_for_right_alone(self) -> None:
        task, item = task_of("judgements"), item_of("judgements")
        good, empty, wrong = (answer_of("judgements", label=label) for label in ("good", "empty", "wrong"))
        otherwise = answer_of("judgements", part="several", corrected=None)
        assert task.grade(item, empty, good) == 0.5
        assert task.grade(item, wrong, good) == task.grade(item, wrong, empty) == 0
        assert task.grade(item, otherwise, wrong) == 1
        assert task.units(item, empty) == {("right", ""): True, ("good", ""): False}


class TestParaphrase:
    def test_names_and_numbers_are_content(self) -> None:
        assert content_words("Ann Berg said: In 1998 I saw Oslo's U.S. ferry.") == ["Berg", "1998", "Oslo's", "U.S."]
        assert missing_words(["Oslo's", "1998"], "oslo in 1998") == []
        assert missing_words(["Oslo", "1998"], "Bergen, 1999") == ["Oslo", "1998"]

    def test_lost_content_needs_a_confirmation(self) -> None:
        with pytest.raises(AnswerError, match="has lost Oslo") as caught:
            answer_of("paraphrase", text="On 3 May the ferry departed.")
        assert caught.value.field == "kept"
        assert answer_of("paraphrase", text="On 3 May the ferry departed.", kept=True)["kept"] is True

    def test_a_correction_differs_from_both_sides(self) -> None:
        with pytest.raises(AnswerError, match="not changed"):
            answer_of("paraphrase", text=" On 3 May  from Oslo the ferry leaved.")
        with pytest.raises(AnswerError, match="words of the original"):
            answer_of("paraphrase", text="the ferry left Oslo on 3 May")
        same = item_of("paraphrase", paraphrase="The ferry left Oslo on 3 May")
        with pytest.raises(AnswerError, match="words of the original"):
            task_of("paraphrase").validate(same, {"verdict": "good"}, "")

    def test_exports_what_can_be_used(self) -> None:
        task, item = task_of("paraphrase"), item_of("paraphrase")
        assert task.export(item, answer_of("paraphrase"))[0]["corrected"] == "On 3 May the ferry departed from Oslo."
        assert answer_of("paraphrase")["kinds"] == ["grammar", "phrase"]
        good = task.validate(item, {"verdict": "good"}, "")
        assert task.export(item, good)[0]["corrected"] == ROWS["paraphrase"]["paraphrase"]
        hopeless = task.validate(item, {"verdict": "hopeless", "text": "x"}, "")
        assert task.export(item, hopeless)[0]["corrected"] is None
        assert task.grade(item, good, hopeless) == 0

    def test_corrections_are_compared_word_by_word(self) -> None:
        task, item = task_of("paraphrase"), item_of("paraphrase")
        other = answer_of("paraphrase", text="On 3 May the boat departed from Oslo.")
        # 8 of 9 pieces on either side are the same.
        assert task.grade(item, other, answer_of("paraphrase")) == pytest.approx(2 * 8 / (9 + 9))


class TestPreference:
    def test_sides_change_from_person_to_person_but_the_answer_means_the_same(self) -> None:
        task, item = task_of("preference"), item_of("preference")
        orders = {task.present(item, f"person {number}")["options"][0]["id"] for number in range(20)}
        assert orders == {"one", "two"}
        assert task.present(item, "a") == task.present(item, "a")
        assert task.export(item, answer_of("preference"))[0]["better"] == "careful"
        assert task.units(item, answer_of("preference")) == {("choice", ""): "careful"}

    def test_first_place_is_fair(self) -> None:
        first = [item_of("preference", id=str(number)).hidden["systems"]["one"] for number in range(200)]
        assert 70 < first.count("eager") < 130

    def test_equal_is_an_answer_and_a_third_system_is_not(self) -> None:
        assert answer_of("preference", system="equal")["choice"] == "equal"
        with pytest.raises(AnswerError, match="one of careful, eager, equal"):
            answer_of("preference", system="third")
        with pytest.raises(InputError, match="expected two"):
            item_of("preference", systems={"a": []})
        with pytest.raises(InputError, match="tuple"):
            item_of("preference", systems={"a": [["x"]], "b": []})
        assert item_of("preference", systems={"a": [{"rel": "r", "args": ["x", "y"]}], "b": []})


class TestCandidates:
    def test_controls_look_like_the_others_and_are_not_exported(self) -> None:
        task, item = task_of("candidates"), item_of("candidates")
        shown = task.present(item, "seed")["candidates"]
        assert {each["text"] for each in shown} == {"cars", "whales", "passengers", "the moon"}
        assert len({tuple(sorted(each)) for each in shown}) == 1
        rows = task.export(item, answer_of("candidates"))
        assert sorted(row["candidate"] for row in rows) == ["cars", "whales"]
        assert {row["id"] for row in rows if row["candidate"] == "cars"} == {"k1"}
        assert len(task.units(item, answer_of("candidates"))) == 2

    def test_a_missed_control_is_noticed(self) -> None:
        task, item = task_of("candidates"), item_of("candidates")
        every = dict.fromkeys(["cars", "whales", "passengers", "the moon"], "yes")
        assert len(task.missed(item, answer_of("candidates", labels=every))) == 1
        assert len(task.missed(item, answer_of("candidates", labels=dict.fromkeys(every, "unclear")))) == 2
        assert task.missed(item, answer_of("candidates")) == []

    def test_every_candidate_needs_a_label(self) -> None:
        ids = [each["id"] for each in item_of("candidates").content["candidates"]]
        with pytest.raises(AnswerError, match="no label for") as caught:
            answer_of("candidates", labels={ids[0]: "yes"})
        assert caught.value.field.startswith("labels.")
        with pytest.raises(AnswerError, match="a candidate of the question"):
            answer_of("candidates", labels={"sharks": "yes"})
        with pytest.raises(InputError, match="twice"):
            item_of("candidates", candidates=["cars", "cars"])


class TestAccuracy:
    def test_a_text_without_claims_gets_one(self) -> None:
        assert answer_of("accuracy", score=1, no_claims=True)["no_claims"] is True
        with pytest.raises(AnswerError, match="expected 1"):
            answer_of("accuracy", score=2, no_claims=True)
        for bad in (0, 6, "3", 3.0, True):
            with pytest.raises(AnswerError, match="one of 1, 2, 3, 4, 5"):
                answer_of("accuracy", score=bad)

    def test_distance_on_the_scale_decides(self) -> None:
        task, item = task_of("accuracy"), item_of("accuracy")
        assert task.grade(item, answer_of("accuracy", score=1), answer_of("accuracy", score=5)) == 0
        assert task.grade(item, answer_of("accuracy", score=4), answer_of("accuracy", score=5)) == 0.75
        assert task.export(item, answer_of("accuracy", score=5))[0]["score"] == 1.0


class TestClaims:
    def test_claims_come_from_the_row_or_from_the_generated_text(self) -> None:
        made = item_of("claims", claims=None, generated="Mr. Berg paints. He lives in Oslo.")
        assert made.content["claims"] == ["Mr. Berg paints.", "He lives in Oslo."]
        with pytest.raises(InputError, match="expected one of them"):
            item_of("claims", claims=None)

    def test_sentences(self) -> None:
        text = "He met J. K. Rowling in 1998. “Fine!” She left?  Yes.\nNew line"
        assert split_sentences(text) == ["He met J. K. Rowling in 1998.", "“Fine!”", "She left?", "Yes.", "New line"]

    def test_evidence_is_quoted(self) -> None:
        rows = task_of("claims").export(item_of("claims"), answer_of("claims"))
        assert rows[0]["evidence"] == ["She paints."]
        for bad in ([[5], []], [[True], []], [["x"], []], ["", []]):
            with pytest.raises(AnswerError, match="expected"):
                answer_of("claims", evidence=bad)


class TestClusters:
    def test_every_member_stands_in_one_cluster(self) -> None:
        for clusters, word in (
            ([{"name": "a", "members": ["1", "2"]}], "in no cluster"),
            ([{"name": "a", "members": ["1", "2", "3"]}, {"name": "b", "members": ["1"]}], "is there twice"),
            ([{"name": "a", "members": ["1", "2", "3", "9"]}], "expected"),
            ([{"name": " ", "members": ["1", "2", "3"]}], "expected a text"),
        ):
            with pytest.raises(AnswerError, match=word):
                answer_of("clusters", clusters=clusters)

    def test_grade_is_f1_over_pairs(self) -> None:
        task, item = task_of("clusters"), item_of("clusters")
        merged = answer_of("clusters", clusters=[{"name": "all", "members": ["1", "2", "3"]}])
        # One right pair of three, and of one.
        assert task.grade(item, merged, answer_of("clusters")) == pytest.approx(2 * 1 / (3 + 1))

    def test_lines_of_canonicalize_come_in_and_go_out(self) -> None:
        lines = [
            {"kind": "entity", "name": "Ann", "members": [member("m1", "Ann Berg"), member("m2", "Ann")]},
            {"kind": "entity", "name": "Oslo", "members": [member("m3", "Oslo")], "evidence": ["Oslo is big."]},
            {
                "kind": "relation",
                "name": "paints",
                "members": [{"mention": "m1", "slot": "relation", "text": "paints"}],
            },
        ]
        task = task_of("clusters")
        items = task.items(lines, {})
        assert [item.content["kind"] for item in items] == ["entity", "relation"]
        entity = items[0]
        answer = {
            "clusters": [
                {"name": each["name"], "members": [m["id"] for m in each["members"]]}
                for each in entity.content["clusters"]
            ]
        }
        rows = task.export(entity, task.validate(entity, answer, ""))
        text = [json.dumps(row) for row in rows]
        read = [cluster for cluster, _ in read_clusters(Lines(text, "out.jsonl"))]
        assert {cluster.name for cluster in read} == {"Ann", "Oslo"}
        assert sum(len(cluster.members) for cluster in read) == 3
        with pytest.raises(InputError, match="above 0"):
            task.items(lines, {"per_item": 0})
        with pytest.raises(InputError, match="one of the two"):
            task.items([*lines, ROWS["clusters"]], {})

    def test_groups_share_words_and_are_not_too_big(self) -> None:
        names = ["Ann Berg", "river Vorma", "A. Berg", "the Vorma", "Berg, Ann", "Lake X"]
        groups = gather([{"members": [{"text": name}]} for name in names], 3)
        assert max(map(len, groups)) <= 3
        assert sum(map(len, groups)) == len(names)


def member(mention: str, text: str) -> Mapping[str, str]:
    return {"mention": mention, "slot": "subject", "text": text}


def never(texts: Any) -> Any:
    raise AssertionError("the extractor is not asked")
