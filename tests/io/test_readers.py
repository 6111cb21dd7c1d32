"""Each reader against the rules of the program whose files it reads: what is stripped, skipped, joined, refused."""

from __future__ import annotations

import json

import pytest

from tupelo.core import Argument, Attribution, Extraction, FormatError, InputError, Record, Sentence, Span
from tupelo.io.formats import FORMATS, TextFormat
from tupelo.io.lines import Lines

SENTENCE = "Nora sold her boat to a fisherman ."


def read(name: str, text: str, collect: list[FormatError] | None = None) -> list[Record]:
    chosen = FORMATS.get(name)
    assert isinstance(chosen, TextFormat)
    return list(chosen.read(Lines(text.split("\n"), "test", None if collect is None else collect.append)))


def read_one(name: str, text: str) -> Extraction:
    (record,) = read(name, text)
    assert isinstance(record, Extraction)
    return record


def write(name: str, *records: Record) -> str:
    chosen = FORMATS.get(name)
    assert isinstance(chosen, TextFormat)
    return "".join(chosen.write(records))


def texts(extraction: Extraction) -> list[str]:
    return [extraction.rel.text, *(part.text for part in extraction.arguments)]


def row(*columns: str) -> str:
    return "\t".join(columns)


class TestTab:
    def test_fields_keep_their_spaces_but_the_line_is_stripped(self) -> None:
        extraction = read_one("tab", row(f" {SENTENCE} ", "0.5", " sold ", " Nora ", " her boat "))
        assert extraction.sentence.text == f"{SENTENCE} "
        assert texts(extraction) == [" sold ", " Nora ", " her boat"]

    def test_blank_lines_are_skipped(self) -> None:
        assert len(read("tab", f"\n  \n{row(SENTENCE, '0.5', 'sold', 'Nora')}\n\t\n")) == 1

    def test_a_tuple_may_have_no_argument(self) -> None:
        assert read_one("tab", row(SENTENCE, "0.5", "sold")).arguments == ()

    def test_an_empty_argument_in_the_middle_stays(self) -> None:
        assert texts(read_one("tab", row(SENTENCE, "0.5", "sold", "", "her boat"))) == ["sold", "", "her boat"]

    @pytest.mark.parametrize("number", ["inf", "-inf", "1e-3", " 0.5 "])
    def test_anything_that_python_calls_a_number_is_a_confidence(self, number: str) -> None:
        assert read_one("tab", row(SENTENCE, number, "sold", "Nora")).confidence == float(number)

    def test_unknown_confidence_is_written_as_certain(self) -> None:
        assert write("tab", Extraction.of("a b", "x", ["y"])) == "a b\t1.0\tx\ty\n"

    def test_a_last_argument_without_words_cannot_be_written(self) -> None:
        with pytest.raises(InputError, match="blank"):
            write("tab", Extraction.of("a b", "x", ["y", " "]))

    def test_a_tab_in_a_text_cannot_be_written(self) -> None:
        with pytest.raises(InputError, match=r"\(y\tz; x\) holds a tab"):
            write("tab", Extraction.of("a b", "x", ["y\tz"]))


class TestCarb:
    def test_fields_are_stripped(self) -> None:
        extraction = read_one("carb", row(f"{SENTENCE} ", " sold ", " Nora", "her boat "))
        assert extraction.sentence.text == SENTENCE
        assert texts(extraction) == ["sold", "Nora", "her boat"]

    def test_an_argument_with_the_context_mark_anywhere_is_no_argument(self) -> None:
        extraction = read_one("carb", row(SENTENCE, "sold", "Nora", "stock: C: he said", "her boat"))
        assert texts(extraction) == ["sold", "Nora", "her boat"]
        assert extraction.context == Argument("stock: C: he said")

    def test_the_context_mark_at_the_start_is_removed(self) -> None:
        assert read_one("carb", row(SENTENCE, "sold", "Nora", "C: he said")).context == Argument("he said")

    def test_two_contexts_are_joined(self) -> None:
        extraction = read_one("carb", row(SENTENCE, "sold", "Nora", "C: he said", "C: in May"))
        assert extraction.context == Argument("he said in May")

    def test_the_mark_counts_before_stripping(self) -> None:
        # A field that ends in "C: " is left out by the scorer, which looks before it strips.
        assert texts(read_one("carb", row(SENTENCE, "sold", "Nora C: ", "her boat"))) == ["sold", "her boat"]

    def test_a_mark_without_space_is_plain_text(self) -> None:
        assert texts(read_one("carb", row(SENTENCE, "sold", "Nora", "C:"))) == ["sold", "Nora", "C:"]

    def test_time_and_place_keep_their_marks_as_words(self) -> None:
        extraction = read_one("carb", row(SENTENCE, "sold", "Nora", "T: in May", "L: at sea"))
        assert [(part.text, part.role) for part in extraction.args] == [
            ("T: in May", "time"),
            ("L: at sea", "location"),
        ]

    def test_a_gold_tuple_may_have_no_argument(self) -> None:
        assert read_one("carb", row(SENTENCE, "sold")).arguments == ()

    def test_confidence_is_not_known(self) -> None:
        assert read_one("carb", row(SENTENCE, "sold", "Nora")).confidence is None

    def test_an_argument_with_the_mark_cannot_be_written(self) -> None:
        with pytest.raises(InputError, match="marks a context"):
            write("carb", Extraction.of("a b", "x", ["plan C: failed"]))


class TestBenchmarkGold:
    def test_nothing_is_filtered_and_everything_is_certain(self) -> None:
        extraction = read_one("benchmarkgold", row(SENTENCE, " sold", "Nora ", "C: he said"))
        assert texts(extraction) == ["sold", "Nora", "C: he said"]
        assert extraction.confidence == 1.0

    def test_the_sentence_is_not_stripped(self) -> None:
        assert read_one("benchmarkgold", row(f"{SENTENCE}  ", "sold", "Nora")).sentence.text == f"{SENTENCE}  "

    def test_blank_lines_are_skipped(self) -> None:
        assert len(read("benchmarkgold", f"\n{row(SENTENCE, 'sold', 'Nora')}\n\n")) == 1


class TestClausie:
    TUPLE = row("1", '"Nora"', '"sold"', '"her boat"', "-24.5")

    def test_a_line_with_one_column_sets_the_sentence(self) -> None:
        extraction = read_one("clausie", f"{SENTENCE}\n{self.TUPLE}")
        assert extraction.sentence.text == SENTENCE
        assert texts(extraction) == ["sold", "Nora", "her boat"]
        assert extraction.confidence == -24.5
        assert extraction.extractor == "clausie"

    def test_a_blank_line_sets_the_sentence_to_nothing(self) -> None:
        assert read_one("clausie", f"\n{self.TUPLE}").sentence.text == ""

    def test_lines_with_other_numbers_of_columns_are_ignored(self) -> None:
        short = row("1", '"Nora"', '"sold"', "-24.5")
        assert len(read("clausie", f"{SENTENCE}\n{short}\n{self.TUPLE}\n{self.TUPLE}\textra")) == 1

    def test_first_and_last_characters_go_whatever_they_are(self) -> None:
        extraction = read_one("clausie", f"{SENTENCE}\n{row('1', 'xNorax', 'y', '', '1')}")
        assert texts(extraction) == ["", "Nora", ""]

    def test_a_sentence_without_tuple_is_kept(self) -> None:
        assert read("clausie", f"Quite a summer !\n\n{SENTENCE}\n{self.TUPLE}\nThe end .") == [
            Sentence("Quite a summer !"),
            read_one("clausie", f"{SENTENCE}\n{self.TUPLE}"),
            Sentence("The end ."),
        ]

    def test_a_bare_sentence_before_its_own_tuples_stays_bare(self) -> None:
        records: list[Record] = [Sentence("a b"), Extraction.of("a b", "x", ["y", "z"], confidence=1.0)]
        assert write("clausie", *records) == 'a b\na b\n2\t"y"\t"x"\t"z"\t1.0\n'

    def test_three_arguments_cannot_be_written(self) -> None:
        with pytest.raises(InputError, match=r"\(a; x; b; c\) has 3 argument\(s\), but clausie holds exactly 2"):
            write("clausie", Extraction.of("a b", "x", ["a", "b", "c"]))


REPORTED = "he said Nora sold her boat then in May ."
CONTEXT = "Context(he said,List([0, 7)))"
ARG1 = "SimpleArgument(Nora,List([8, 12)))"
REL = "Relation(sold,List([13, 17)))"
ARG2 = "SimpleArgument(her boat,List([18, 26)))"
ARG3 = "TemporalArgument(in May,List([32, 34), [35, 38)))"


@pytest.mark.parametrize("name", ["openie4", "openie5"])
class TestBothOpenies:
    def test_parts_give_words_spans_and_roles(self, name: str) -> None:
        extraction = read_one(name, row("0.5", "", ARG1, REL, ARG3, REPORTED))
        assert texts(extraction) == ["sold", "Nora", "in May"]
        assert extraction.rel.spans == (Span(13, 17),)
        assert extraction.args[0] == Argument("in May", "time", spans=(Span(32, 34), Span(35, 38)))
        assert extraction.extractor == name

    @pytest.mark.parametrize("column", [2, 3, 4])
    def test_a_line_with_an_empty_part_is_skipped_even_with_a_bad_confidence(self, name: str, column: int) -> None:
        columns = ["?", "", ARG1, REL, ARG2, REPORTED]
        columns[column] = ""
        assert read(name, row(*columns)) == []

    def test_words_end_at_the_first_list(self, name: str) -> None:
        part = "SimpleArgument(a (b), c,List([0, 4)))"
        assert texts(read_one(name, row("1", "", part, REL, ARG2, REPORTED))) == ["sold", "a (b), c", "her boat"]

    @pytest.mark.parametrize("list_", ["[8, 99)", "[12, 8)", "[8; 12)", "[-1, 12)", "[0, 7)", "null", ""])
    def test_intervals_that_make_no_sense_are_dropped_and_the_words_kept(self, name: str, list_: str) -> None:
        part = f"SimpleArgument(Nora,List({list_})))"
        assert read_one(name, row("1", "", part, REL, ARG2, REPORTED)).arg1 == Argument("Nora")

    def test_a_text_with_the_end_mark_cannot_be_written(self, name: str) -> None:
        with pytest.raises(InputError, match="ends a text"):
            write(name, Extraction.of("a b", "x", ["y", "a,List(b"]))


class TestOpenie4:
    def test_only_the_first_argument_of_the_column_counts(self) -> None:
        assert texts(read_one("openie4", row("1", "", ARG1, REL, f"{ARG2}; {ARG3}", REPORTED))) == [
            "sold",
            "Nora",
            "her boat",
        ]

    def test_the_context_does_not_touch_arg1(self) -> None:
        extraction = read_one("openie4", row("1", CONTEXT, ARG1, REL, ARG2, REPORTED))
        assert extraction.context == Argument("he said", spans=(Span(0, 7),))
        assert texts(extraction) == ["sold", "Nora", "her boat"]

    def test_a_context_that_is_none_is_ignored(self) -> None:
        assert read_one("openie4", row("1", "he said", ARG1, REL, ARG2, REPORTED)).context is None


class TestOpenie5:
    def test_every_argument_of_the_column_counts(self) -> None:
        extraction = read_one("openie5", row("1", "", ARG1, REL, f"{ARG2}; {ARG3}", REPORTED))
        assert texts(extraction) == ["sold", "Nora", "her boat", "in May"]
        assert [part.role for part in extraction.args] == [None, "time"]
        assert extraction.args[0].spans == (Span(18, 26),)

    def test_the_context_goes_before_arg1(self) -> None:
        extraction = read_one("openie5", row("1", CONTEXT, ARG1, REL, ARG2, REPORTED))
        assert extraction.arg1 == Argument("he said Nora", spans=(Span(0, 7), Span(8, 12)))
        assert extraction.context == Argument("he said", spans=(Span(0, 7),))

    @pytest.mark.parametrize("context", ["Nora", "Nora so", "Nora sold"])
    def test_unless_arg1_and_relation_begin_with_it(self, context: str) -> None:
        extraction = read_one("openie5", row("1", f"Context({context},List())", ARG1, REL, ARG2, REPORTED))
        assert texts(extraction) == ["sold", "Nora", "her boat"]

    @pytest.mark.parametrize(("context", "list_"), [("he said", "[0, 7)"), ("Nora sold", "[8, 17)")])
    def test_a_context_is_written_so_that_it_comes_back(self, context: str, list_: str) -> None:
        line = row("1.0", f"Context({context},List({list_}))", ARG1, REL, f"{ARG2}; {ARG3}", REPORTED)
        assert write("openie5", read_one("openie5", line)) == line + "\n"

    def test_a_context_that_would_change_arg1_is_not_written(self) -> None:
        extraction = Extraction(
            Sentence(REPORTED),
            Argument("sold"),
            Argument("Nora"),
            (Argument("it"),),
            1.0,
            context=Argument("he said"),
        )
        (back,) = read("openie5", write("openie5", extraction).rstrip("\n"))
        assert isinstance(back, Extraction)
        assert texts(back) == ["sold", "Nora", "it"]
        assert back.context is None

    def test_an_argument_with_the_separator_cannot_be_written(self) -> None:
        with pytest.raises(InputError, match="ends an argument"):
            write("openie5", Extraction.of("a b", "x", ["y", "z); w"]))


class TestProps:
    def test_arguments_have_roles_and_keep_the_space_behind(self) -> None:
        extraction = read_one("props", row("-28.5", SENTENCE, "sold", "subj", "Nora ", "dobj", "her boat "))
        assert extraction.arguments == (Argument("Nora ", "subj"), Argument("her boat", "dobj"))
        assert extraction.confidence == -28.5

    def test_a_role_without_argument_is_ignored(self) -> None:
        assert texts(read_one("props", row("1", SENTENCE, "sold", "subj", "Nora", "dobj"))) == ["sold", "Nora"]

    def test_a_tuple_may_have_no_argument(self) -> None:
        assert read_one("props", row("1", SENTENCE, "sold")).arguments == ()


class TestOllie:
    HEADER = "whatever stands here\n"

    def test_the_first_line_is_skipped_whatever_it_holds(self) -> None:
        line = row("0.5", "Nora", "sold", "her boat", "None", "None", SENTENCE)
        assert len(read("ollie", f"{line}\n{line}")) == 1

    def test_enabler_and_attribution_are_kept(self) -> None:
        line = row("0.5", "Nora", "sold", "her boat", "if asked", "he said", SENTENCE, "more")
        extraction = read_one("ollie", self.HEADER + line)
        assert texts(extraction) == ["sold", "Nora", "her boat"]
        assert extraction.context == Argument("if asked")
        assert extraction.attribution == Attribution(text="he said")

    @pytest.mark.parametrize("nothing", ["None", ""])
    def test_none_and_empty_stand_for_nothing(self, nothing: str) -> None:
        line = row("0.5", "Nora", "sold", "her boat", nothing, nothing, SENTENCE)
        extraction = read_one("ollie", self.HEADER + line)
        assert (extraction.context, extraction.attribution) == (None, None)


@pytest.mark.parametrize("name", ["reverb", "stanford"])
class TestReverbColumns:
    def columns(self, *intervals: str) -> str:
        return row("f.txt", "7", "Nora", "sold", "her boat", *intervals, "0.5", SENTENCE, "NNP …")

    def test_everything_has_its_column(self, name: str) -> None:
        extraction = read_one(name, self.columns("0", "1", "1", "2", "2", "4"))
        assert extraction.sentence == Sentence(SENTENCE, id="7", document_id="f.txt")
        assert [part.tokens for part in (extraction.rel, *extraction.arguments)] == [(1,), (0,), (2, 3)]
        assert extraction.confidence == 0.5
        assert extraction.extractor == name

    @pytest.mark.parametrize("end", ["1", "-1", "99", "4000000000", "x", "²"])
    def test_an_interval_of_other_words_is_dropped(self, name: str, end: str) -> None:
        extraction = read_one(name, self.columns("0", "1", "1", "2", "2", end))
        assert extraction.args == (Argument("her boat"),)

    def test_unknown_places_are_written_as_dashes(self, name: str) -> None:
        line = write(name, Extraction.of("a b", "x", ["y", "z"], confidence=1.0))
        assert line == "-\t-\ty\tx\tz" + "\t-" * 6 + "\t1.0\ta b\n"
        assert read_one(name, line.rstrip("\n")).sentence == Sentence("a b")


class TestAllenNlp:
    def line(self, tagged: str, confidence: str = "0.5") -> str:
        return row(SENTENCE, tagged, confidence)

    def test_texts_keep_the_spaces_inside_the_tags(self) -> None:
        tagged = "<arg1> Nora </arg1> <rel>sold</rel> <arg2> her boat </arg2> <arg2> it </arg2>"
        assert texts(read_one("allennlp", self.line(tagged))) == ["sold", " Nora ", " her boat "]

    def test_a_missing_tag_is_an_empty_text(self) -> None:
        assert texts(read_one("allennlp", self.line("<rel>sold</rel> <arg2>x"))) == ["sold", "", ""]

    def test_a_line_without_any_text_is_skipped_even_with_a_bad_confidence(self) -> None:
        assert read("allennlp", self.line("Nora sold", "?")) == []


class TestLsoie:
    def test_nothing_is_stripped(self) -> None:
        extraction = read_one("lsoie", row(f"{SENTENCE} ", " sold", "Nora "))
        assert extraction.sentence.text == f"{SENTENCE} "
        assert texts(extraction) == [" sold", "Nora "]


class TestOie2016:
    def test_parts_have_token_numbers(self) -> None:
        extraction = read_one("oie2016", row(SENTENCE, "('sold', [1])", '("her boat", [2, 3])'))
        assert extraction.rel == Argument("sold", tokens=(1,))
        assert extraction.arg1 == Argument("her boat", tokens=(2, 3))

    def test_an_empty_list_is_an_unknown_place(self) -> None:
        assert read_one("oie2016", row(SENTENCE, "('sold', [])")).rel == Argument("sold")

    @pytest.mark.parametrize(
        ("literal", "text"),
        [
            (r"'\xe2\x80\x9cJohn\xe2\x80\x9d'", "“John”"),  # Python 2 wrote bytes
            (r"'a\xadb'", "a\xadb"),
            (r"'it\'s'", "it's"),
            ('"it\'s"', "it's"),
            (r"u'a\u20ac\U0001f600'", "a€😀"),
            (r"'1\/2 \\ \t'", "1\\/2 \\ \t"),
        ],
    )
    def test_texts_are_python_literals(self, literal: str, text: str) -> None:
        assert read_one("oie2016", row(SENTENCE, f"({literal}, [0])")).rel.text == text

    def test_token_numbers_of_another_tokenisation_are_not_written(self) -> None:
        sentence = Sentence("don't", tokens=("do", "n't"))
        assert write("oie2016", Extraction(sentence, Argument("do", tokens=(0,)))) == "don't\t('do', [])\n"


class TestOie2016Conll:
    def block(self, *labels: str, pred: str = "might sell") -> str:
        words = ["Nora", "sold", "her", "boat"]
        return "".join(
            row(str(i), word, pred, "[1]", "1", "5", "0", label) + "\n"
            for i, (word, label) in enumerate(zip(words, labels, strict=True))
        )

    def test_labels_give_places_and_the_pred_column_gives_the_relation(self) -> None:
        extraction = read_one("oie2016-conll", self.block("A0-B", "P-B", "A1-B", "A1-I"))
        assert extraction.sentence == Sentence("Nora sold her boat", id="5", tokens=("Nora", "sold", "her", "boat"))
        assert extraction.rel == Argument("might sell", tokens=(1,))
        assert extraction.arguments == (Argument("Nora", tokens=(0,)), Argument("her boat", tokens=(2, 3)))

    def test_an_argument_may_be_in_pieces(self) -> None:
        extraction = read_one("oie2016-conll", self.block("A0-B", "P-B", "O", "A0-I"))
        assert extraction.arg1 == Argument("Nora boat", tokens=(0, 3))

    def test_a_gap_in_the_numbers_is_closed(self) -> None:
        assert read_one("oie2016-conll", self.block("A2-B", "P-B", "O", "O")).arg1 == Argument("Nora", tokens=(0,))

    def test_a_faulty_block_is_skipped_as_a_whole(self) -> None:
        skipped: list[FormatError] = []
        text = self.block("A0-B", "P-B", "X", "Y") + "\n" + self.block("A0-B", "P-B", "O", "O")
        assert len(read("oie2016-conll", text, skipped)) == 1
        assert [error.line for error in skipped] == [3]

    def test_headers_inside_joined_files_are_skipped(self) -> None:
        header = row("word_id", "word", "pred", "pred_id", "head_pred_id", "sent_id", "run_id", "label")
        block = self.block("A0-B", "P-B", "O", "O")
        assert len(read("oie2016-conll", f"{header}\n{block}\n{header}\n{block}")) == 2

    @pytest.mark.parametrize(
        ("rel", "argument", "complaint"),
        [
            (Argument("sold"), Argument("Nora", tokens=(0,)), "no place"),
            (Argument("sold", tokens=(1,)), Argument("Nora", tokens=(9,)), "no place"),
            (Argument("sold", tokens=(1,)), Argument("sold", tokens=(1,)), "share token 1"),
            (Argument("sold", tokens=(1,)), Argument("She", tokens=(0,)), "not its tokens"),
        ],
    )
    def test_parts_without_a_place_of_their_own_cannot_be_written(
        self, rel: Argument, argument: Argument, complaint: str
    ) -> None:
        with pytest.raises(InputError, match=complaint):
            write("oie2016-conll", Extraction(Sentence("Nora sold her boat"), rel, argument))


class TestOie2016Snapshot:
    def test_the_relation_is_the_whole_predicate(self) -> None:
        assert texts(read_one("oie2016-snapshot", row(SENTENCE, "sold", "had sold", "Nora"))) == ["had sold", "Nora"]


class TestRobust:
    def test_a_clique_is_named_after_its_first_sentence(self) -> None:
        text = '[{"ori_sent": "a b", "ori_args": [["x", "a"]], "paraphrases": [{"sent": "b a", "args": []}]}]'
        first, second = read("robust", text)
        assert isinstance(first, Extraction)
        assert (first.group, first.sentence.document_id) == ("a b", "a b")
        assert second == Sentence("b a", document_id="a b")

    def test_a_repeated_clique_or_sentence_replaces_the_earlier_one(self) -> None:
        text = """[
          {"ori_sent": "a", "ori_args": [["old", "a"]], "paraphrases": []},
          {"ori_sent": "a", "ori_args": [["new", "a"]], "paraphrases": [
            {"sent": "b", "args": [["old", "b"]]}, {"sent": "b", "args": [["new", "b"]]}]}
        ]"""
        assert [texts(record) for record in read("robust", text) if isinstance(record, Extraction)] == [
            ["new", "a"],
            ["new", "b"],
        ]

    def test_groups_with_the_same_first_sentence_lose_no_tuple(self) -> None:
        sentence = Sentence("a b")
        records = [Extraction(sentence, Argument(rel), group=group) for rel, group in [("x", "1"), ("y", "2")]]
        assert write("robust", *records) == (
            '[\n{"ori_sent": "a b", "ori_args": [["x"], ["y"]], "paraphrases": []}\n]\n'
        )


class TestReOie2016:
    def text(self, **members: object) -> str:
        item = {"pred": "sold", "arg0": "Nora", "arg1": "", "arg2": "", "arg3": "", "temp": "", "loc": ""}
        return json.dumps({SENTENCE: [{**item, **members}]})

    def test_empty_texts_are_no_arguments_and_time_and_place_come_last(self) -> None:
        extraction = read_one("reoie2016", self.text(arg2="her boat", loc="at sea", temp="in May"))
        assert texts(extraction) == ["sold", "Nora", "her boat", "in May", "at sea"]
        assert [part.role for part in extraction.args] == [None, "time", "location"]

    def test_a_predicate_that_is_only_the_mark_is_an_inferred_is(self) -> None:
        assert read_one("reoie2016", self.text(pred="<be> ")).rel == Argument("[is]", inferred=(0,))

    def test_the_mark_before_other_words_is_dropped(self) -> None:
        assert read_one("reoie2016", self.text(pred="<be> born in")).rel.text == "born in"

    def test_indexes_are_first_and_last_token(self) -> None:
        extraction = read_one("reoie2016", self.text(arg1="her boat", arg1_index=[2, 3], pred_index=[-1, 1, 1]))
        assert extraction.rel.tokens == (1,)
        assert extraction.args[0].tokens == (2, 3)

    def test_a_sentence_without_tuple_is_kept(self) -> None:
        assert read("reoie2016", '{"Quite a summer !": []}') == [Sentence("Quite a summer !")]

    def test_roles_in_another_order_are_written_as_plain_arguments(self) -> None:
        extraction = Extraction(
            Sentence("a"), Argument("x"), Argument("p", "location"), (Argument("t", "time"), Argument("y"))
        )
        (back,) = read("reoie2016", write("reoie2016", extraction))
        assert isinstance(back, Extraction)
        assert texts(back) == ["x", "p", "t", "y"]

    def test_too_many_arguments_cannot_be_written(self) -> None:
        with pytest.raises(InputError, match="more arguments"):
            write("reoie2016", Extraction.of("a", "x", list("abcde")))


class TestJsonl:
    def test_blank_lines_are_skipped(self) -> None:
        assert read("jsonl", '\n{"sentence": {"text": "a"}}\n\n') == [Sentence("a")]

    def test_null_means_unknown(self) -> None:
        text = '{"sentence": {"text": "a", "id": null}, "rel": {"text": "x", "tokens": null}, "arg1": null}'
        assert read("jsonl", text) == [Extraction.of("a", "x")]

    @pytest.mark.parametrize(("written", "value"), [('"inf"', float("inf")), ('"-inf"', float("-inf")), ("1", 1.0)])
    def test_confidences_are_numbers_or_spelled_infinities(self, written: str, value: float) -> None:
        extraction = read_one(
            "jsonl", f'{{"sentence": {{"text": "a"}}, "rel": {{"text": "x"}}, "confidence": {written}}}'
        )
        assert extraction.confidence == value
        assert type(extraction.confidence) is float

    def test_whole_surrogate_pairs_are_characters(self) -> None:
        assert read("jsonl", '{"sentence": {"text": "\\ud83d\\ude00"}}') == [Sentence("😀")]


def test_minie_gives_negation_possibility_and_speakers() -> None:
    chosen = FORMATS.get("minie")
    assert isinstance(chosen, TextFormat)
    first, empty, second = chosen.read(Lines(chosen.sample_bytes().decode("utf-8").split("\n")))
    assert isinstance(first, Extraction)
    assert isinstance(second, Extraction)
    assert str(first) == "(ferry; did leave; Dover)"
    assert (first.negated, first.modality, first.attribution) == (True, None, Attribution(speaker="harbour master"))
    assert empty == Sentence("Quite a summer !")
    assert (second.negated, second.modality, second.attribution, second.args) == (False, "possible", None, ())
