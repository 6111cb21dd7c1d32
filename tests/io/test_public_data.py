"""The readers on the real files: detection, counts, the tuples that the original program read, lossless rewriting."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tupelo.core import Extraction
from tupelo.io.files import split_lines
from tupelo.io.formats import TextFormat
from tupelo.io.lines import Lines
from tupelo.io.tuples import open_records, read_records

# Pattern in the shared folder, format, and how many records the files have together.
FILES = [
    ("data/carb/gold/dev.tsv", "carb", 2548),
    ("data/carb/expert/expert_gold.tsv", "carb", 172),
    ("data/carb/said_type/*.tsv", "carb", 218),
    ("data/carb/system_outputs/dev/openie5_output.txt", "openie5", 1579),
    ("data/oie2016/*.oie", "oie2016", 1673 + 5078),
    ("data/oie2016/*/*.oie.conll.gz", "oie2016-conll", 727 + 946 + 2173 + 2905),
    ("data/oie2016/snapshot*/*.oie", "oie2016-snapshot", 1673 + 5078 + 2048 + 6208),
    ("data/oie2016/systems_output/dev/*.gz", "tab", 2681 + 4123 + 1785 + 1460 + 1675 + 864),
    # Twins: the plain form of OIE2016 looks like CaRB's gold.
    ("data/oie2016/*.oie.orig", "carb", 1673 + 5076),
    ("data/lsoie/*.oie", "lsoie", 5374 + 11628),
    ("data/wire57/*manual-oie.json", "wire57-gold", 343),
    ("data/wire57/*export.json", "wire57", 1355),
    ("data/benchie/en/gold_annotations_en.dev.txt", "benchie-gold", 5007),
    ("data/benchie/en/carb_explicit.dev.txt", "carb", 421),
    ("data/benchie/en/system_extractions/*.txt", "benchie", 347 + 353 + 294 + 455 + 484 + 523 + 328 + 143 + 1209),
    # 2681 tuples and 3 sentences without any.
    ("oracles/carb/inputs/clausie.clausie.txt", "clausie", 2684),
    ("oracles/carb/inputs/openie4.openiefour.txt", "openie4", 1785),
    ("oracles/carb/inputs/props.props.txt", "props", 1498),
    ("oracles/carb/inputs/reverb.reverb.txt", "reverb", 864),
    ("oracles/robust/gold.json", "robust", 16),
]


@pytest.mark.parametrize(("pattern", "name", "count"), FILES)
def test_a_public_file_is_recognised_and_read(shared: Path, pattern: str, name: str, count: int) -> None:
    paths = sorted(shared.glob(pattern))
    assert paths
    found = 0
    for path in paths:
        with open_records(path) as stream:
            assert stream.format.name == name
            found += sum(1 for _ in stream.records)
    assert found == count


@pytest.mark.slow
@pytest.mark.parametrize(("pattern", "name", "_"), FILES)
def test_a_public_file_survives_being_written(shared: Path, pattern: str, name: str, _: int) -> None:
    for path in sorted(shared.glob(pattern))[:2]:
        with open_records(path) as stream:
            records = list(stream.records)
            chosen = stream.format
        assert isinstance(chosen, TextFormat)
        assert list(chosen.read(Lines(split_lines("".join(chosen.write(records)))))) == records


def test_gold_and_predictions_are_the_tuples_that_the_original_program_read(shared: Path) -> None:
    oracle = json.loads((shared / "oracles/carb/match_matrix_openie5_40.json").read_text(encoding="utf-8"))
    gold = by_sentence(shared / "data/carb/gold/dev.tsv", "carb")
    predicted = by_sentence(shared / "data/carb/system_outputs/dev/openie5_output.txt", "openie5")
    for item in oracle["sentences"]:
        sentence = item["sentence"]
        assert list(plain(gold[sentence])) == [(each["pred"], each["args"], None) for each in item["gold"]]
        assert list(plain(predicted[sentence])) == [
            (each["pred"], each["args"], each["confidence"]) for each in item["predicted"]
        ]


def by_sentence(path: Path, name: str) -> dict[str, list[Extraction]]:
    sentences: dict[str, list[Extraction]] = {}
    for record in read_records(path, name):
        assert isinstance(record, Extraction)
        sentences.setdefault(record.sentence.text, []).append(record)
    return sentences


def plain(extractions: list[Extraction]) -> Iterator[tuple[str, list[str], float | None]]:
    for each in extractions:
        yield each.rel.text, [part.text for part in each.arguments], each.confidence


@pytest.mark.parametrize("system", ["clausie", "openie4", "openie5", "props", "reverb"])
def test_as_many_tuples_are_read_as_the_original_program_counted(shared: Path, system: str) -> None:
    oracle = json.loads((shared / f"oracles/carb/{system}.json").read_text(encoding="utf-8"))
    inputs = {path.stem.split(".")[0]: path for path in (shared / "oracles/carb/inputs").iterdir()}
    inputs["openie5"] = shared / "data/carb/system_outputs/dev/openie5_output.txt"
    run = next(run for run in oracle["runs"] if run["status"] == "ok" and not run["binary"])
    sentences = [record.sentence for record in read_records(inputs[system], system) if isinstance(record, Extraction)]
    assert len(sentences) == run["n_predicted"]
    assert len({sentence.text for sentence in sentences}) == run["n_predicted_sentences"]


def test_spans_point_at_the_words(shared: Path) -> None:
    records = read_records(shared / "data/carb/system_outputs/dev/openie5_output.txt", "openie5")
    count = 0
    for record in records:
        assert isinstance(record, Extraction)
        for part in record.args:
            if part.spans is not None:
                assert " ".join(span.of(record.sentence.text) for span in part.spans).split() == part.text.split()
                count += 1
    # Of 2,234; the others have "null", or count in a sentence that the system rewrote.
    assert count == 1304
