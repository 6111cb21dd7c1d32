"""BenchIE's gold and system files."""

from __future__ import annotations

import pytest

from tupelo.core import Argument, Extraction, FormatError, InputError, Record, Sentence
from tupelo.io.formats import benchie
from tupelo.io.lines import Lines

SENTENCE = Sentence("The old mill burned down in May .", id="7")


def read_gold(*lines: str) -> list[Record]:
    return list(benchie.BENCHIE_GOLD.read(Lines([f"{line}\n" for line in lines], "gold.txt")))


def triple(group: str | None, *slots: str, sentence: Sentence = SENTENCE) -> Extraction:
    subject, relation, object_ = map(Argument, slots)
    return Extraction(sentence, relation, subject, (object_,), group=group)


HEADER = "sent_id:7\tThe old mill burned down in May ."


class TestGold:
    def test_triples_keep_their_brackets_and_know_their_cluster(self) -> None:
        assert read_gold(
            HEADER,
            "7--> Cluster 1:",
            "[The] mill --> burned down in --> May",
            "[The] mill --> burned down --> in May",
            "7--> Cluster 2:",
            "[The] mill --> was --> old",
        ) == [
            triple("7/1", "[The] mill", "burned down in", "May"),
            triple("7/1", "[The] mill", "burned down", "in May"),
            triple("7/2", "[The] mill", "was", "old"),
        ]

    @pytest.mark.parametrize("header", ["7--> Cluster 2:", "7-->Cluster 2:", "7-> Cluster 9", "Cluster"])
    def test_the_rest_of_a_cluster_header_does_not_matter(self, header: str) -> None:
        records = read_gold(HEADER, "7--> Cluster 1:", "mill --> was --> old", header, "mill --> burned --> down")
        assert [record.group for record in records if isinstance(record, Extraction)] == ["7/1", "7/2"]

    def test_a_triple_may_hold_the_word_cluster(self) -> None:
        assert read_gold(HEADER, "7--> Cluster 1:", "Cluster --> is --> old") == [
            triple("7/1", "Cluster", "is", "old")
        ]

    def test_a_sentence_without_clusters_is_kept(self) -> None:
        assert read_gold(HEADER, "", "sent_id:8\tNora slept .") == [SENTENCE, Sentence("Nora slept .", id="8")]

    def test_lines_are_stripped_but_slots_keep_their_spaces(self) -> None:
        assert read_gold(HEADER, "7--> Cluster 1:", "  mill  --> was -->  old  ") == [
            triple("7/1", "mill ", "was", " old")
        ]

    def test_empty_lines_at_the_end_are_harmless(self) -> None:
        assert len(read_gold(HEADER, "7--> Cluster 1:", "mill --> was --> old", "", "", "")) == 1

    def test_a_line_that_is_no_triple_becomes_a_relation_without_arguments(self) -> None:
        assert read_gold(HEADER, "7--> Cluster 1:", "mill-->was-->old", "mill --> was --> old") == [
            Extraction(SENTENCE, Argument("mill-->was-->old"), group="7/1"),
            triple("7/1", "mill", "was", "old"),
        ]

    @pytest.mark.parametrize("after", [[], ["7--> Cluster 2:", "mill --> was --> old"]])
    def test_a_cluster_without_lines_is_not_lost(self, after: list[str]) -> None:
        records = read_gold(HEADER, "7--> Cluster 1:", *after)
        assert records[0] == Extraction(SENTENCE, Argument(""), group="7/1")
        assert len(records) == 1 + len(after) // 2

    def test_a_surplus_empty_line_is_refused_because_the_original_would_shift_all_facts(self) -> None:
        with pytest.raises(FormatError, match=r"gold\.txt:4: 2 empty line"):
            read_gold(HEADER, "", "", "sent_id:8\tNora slept .", "8--> Cluster 1:", "Nora --> slept --> well")

    @pytest.mark.parametrize("line", ["mill --> was", "mill --> was --> old --> then"])
    def test_a_triple_has_three_slots(self, line: str) -> None:
        with pytest.raises(FormatError, match=r"gold\.txt:3: . slot\(s\), expected subject, relation and object"):
            read_gold(HEADER, "7--> Cluster 1:", line)

    def test_faulty_blocks_can_be_skipped(self) -> None:
        faults: list[FormatError] = []
        text = [HEADER, "mill --> was", "", "sent_id:7\tAgain .", "x --> y --> z", "", "", "sent_id:8\tNora slept ."]
        records = list(benchie.BENCHIE_GOLD.read(Lines([f"{line}\n" for line in text], "gold.txt", faults.append)))
        assert [fault.line for fault in faults] == [2, 4, 8]
        assert records == [SENTENCE, Sentence("Nora slept .", id="8")]


class TestWritingGold:
    def test_clusters_are_numbered_within_their_sentence(self) -> None:
        nora = Sentence("Nora slept .", id="8")
        records = [
            triple("b", "mill", "was", "old"),
            triple("a", "mill", "burned", "down"),
            nora,
            triple("b", "[the] mill", "was", "old"),
            triple(None, "mill", "is", "a mill"),
            triple(None, "mill", "has", "[a] roof"),
        ]
        assert "".join(benchie.BENCHIE_GOLD.write(records)) == (
            f"{HEADER}\n"
            "7--> Cluster 1:\nmill --> was --> old\n[the] mill --> was --> old\n"
            "7--> Cluster 2:\nmill --> burned --> down\n"
            "7--> Cluster 3:\nmill --> is --> a mill\n"
            "7--> Cluster 4:\nmill --> has --> [a] roof\n"
            "\nsent_id:8\tNora slept .\n"
        )

    @pytest.mark.parametrize(
        "record",
        [
            Sentence("No id ."),
            Sentence("", id="7"),
            Sentence("A tab\tinside .", id="7"),
            triple("1", "", "was", "old"),
            triple("1", "mill", "was", ""),
            triple("1", "mill --> x", "was", "old"),
            triple("1", "mill\nx", "was", "old"),
            triple("1", "sent_id:8", "was", "old"),
            Extraction(SENTENCE, Argument("Cluster 2")),
            Extraction(SENTENCE, Argument("a --> b")),
            Extraction.of(SENTENCE, "burned", ["mill"]),
            Extraction.of(SENTENCE, "burned", ["mill", "down", "in May"]),
        ],
    )
    def test_what_would_not_be_read_back_is_refused(self, record: Record) -> None:
        with pytest.raises(InputError):
            list(benchie.BENCHIE_GOLD.write([record]))

    def test_two_sentences_with_one_id_are_refused(self) -> None:
        with pytest.raises(InputError, match="two different sentences have the id '7'"):
            list(benchie.BENCHIE_GOLD.write([SENTENCE, Sentence("Nora slept .", id="7")]))


class TestSystemFile:
    def read(self, *lines: str) -> list[Record]:
        return list(benchie.BENCHIE.read(Lines([f"{line}\n" for line in lines], "system.tsv")))

    def test_four_columns_make_a_triple_of_a_sentence_known_by_id(self) -> None:
        assert self.read("7\tmill\tburned\tdown") == [
            triple(None, "mill", "burned", "down", sentence=Sentence("", id="7"))
        ]

    def test_further_columns_are_ignored_and_inner_spaces_kept(self) -> None:
        assert self.read("7\tmill \tburned\t down\t0.9", "") == [
            triple(None, "mill ", "burned", " down", sentence=Sentence("", id="7"))
        ]

    def test_a_sentence_without_id_cannot_be_written(self) -> None:
        with pytest.raises(InputError, match="has no id, which benchie needs"):
            list(benchie.BENCHIE.write([triple(None, "mill", "was", "old", sentence=Sentence("The mill ."))]))
