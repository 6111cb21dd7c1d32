"""How good and how quick is an extractor? Quality by our own scorers on public development sets, speed as ratios.

    python -m benchmarks.extract [--extractor NAME ...] [--data ../shared/data] [--parser NAME]
                                 [--sentences N] [--rounds N] [--no-speed | --no-quality] [--json] [--save]

Quality: CaRB dev (F1 and AUC), BenchIE (its English sentences that are CaRB dev sentences) and WiRe57 (F1), sentences
as given, beside the public outputs of other systems scored in the same run. CaRB gets every candidate
(`--min-confidence 0`); BenchIE and WiRe57 all forms of what is more likely right than wrong (`--all`).

Speed: sentences per second from raw text with two processes on two cores, everything included (splitting, parsing,
extraction, coreference), beside one float32 forward pass of an encoder of BERT-base size in torch over the same
sentences on the same cores. Rounds take turns and the best of each counts. Also per second of CPU of one process with
one thread, which other work on the machine disturbs less.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import tupelo
from benchmarks import results
from benchmarks.nlp_speed import CORES, TORCH_SHARE, sample, seconds, torch_runner
from tupelo.api.text import Toolkit
from tupelo.core import Extraction, Record
from tupelo.extract.options import ExtractionOptions
from tupelo.io.text import read_whole
from tupelo.io.tuples import read_records
from tupelo.nlp.pipeline import Pipeline
from tupelo.scorers.benchie import Benchie
from tupelo.scorers.carb import Carb
from tupelo.scorers.result import Score
from tupelo.scorers.wire57 import Wire57

DATA = Path(__file__).resolve().parents[1] / ".." / "shared" / "data"
CARB_GOLD, CARB_SENTENCES = "carb/gold/dev.tsv", "carb/dev.txt"
BENCHIE_GOLD = "benchie/en/gold_annotations_en.dev.txt"
WIRE57 = "wire57/WiRe57_343-manual-oie.json"
WIRE57_SYSTEMS = "wire57/WiRe57_extractions_by_ollie_clausie_openie_stanford_minie_reverb_props-export.json"
PEER = "BERT-base size, torch fp32"
# Names of the rows on the page.
SYSTEMS = {
    "default": "**default** (rules and judge)",
    "rules": "**rules** alone",
    "openie4": "OpenIE 4",
    "openie5": "OpenIE 5",
    "openie6": "OpenIE 6",
    "clausie": "ClausIE",
    "minie": "MinIE",
    "ollie": "OLLIE",
    "reverb": "ReVerb",
    "props": "PropS",
    "m2oie": "Multi²OIE",
    "stanford": "Stanford",
    "graphene": "Graphene",
    PEER: "one forward pass of a BERT-base-size encoder, torch float32",
}
# Tokens are separated by spaces in all three, so nothing is resolved across sentences.
EVERY_CANDIDATE = ExtractionOptions(coreference=False, min_confidence=0.0)
ALL_FORMS = ExtractionOptions(coreference=False, all=True)


def percent(value: float | None) -> float | None:
    return None if value is None else round(100 * value, 2)


def row(carb: Score | None = None, benchie: Score | None = None, wire57: Score | None = None) -> dict[str, Any]:
    figures = {
        "CaRB F1": carb and percent(carb.f1),
        "CaRB AUC": carb and percent(carb.auc),
        "BenchIE F1": benchie and percent(benchie.f1),
        "WiRe57 F1": wire57 and percent(wire57.f1),
        "CaRB tuples": carb and carb.predicted,
    }
    return {name: value for name, value in figures.items() if value is not None}


def tuples_of(nlp: Toolkit, sentences: Iterable[str], options: ExtractionOptions) -> list[Record]:
    found = nlp.extract_sentences(sentences, lines=True, options=options)
    return [record for item in found for record in (item.extractions or (item.sentence,))]


def sentences_of(records: Iterable[Record]) -> list[str]:
    texts = (record.sentence.text if isinstance(record, Extraction) else record.text for record in records)
    return list(dict.fromkeys(texts))


def quality(data: Path, extractors: list[str], parser: str) -> dict[str, dict[str, Any]]:
    carb_gold = read_records(data / CARB_GOLD, "carb")
    carb_sentences = read_whole(str(data / CARB_SENTENCES)).splitlines()
    benchie_gold = read_records(data / BENCHIE_GOLD, "benchie-gold")
    wire57_gold = read_records(data / WIRE57, "wire57-gold")
    table = {}
    for name in extractors:
        nlp = tupelo.load(parser, extractor=name)
        table[name] = row(
            Carb().evaluate(carb_gold, tuples_of(nlp, carb_sentences, EVERY_CANDIDATE)).score(),
            Benchie().evaluate(benchie_gold, tuples_of(nlp, sentences_of(benchie_gold), ALL_FORMS)).score(),
            Wire57().evaluate(wire57_gold, tuples_of(nlp, sentences_of(wire57_gold), ALL_FORMS)).score(),
        )
    return table | dict(sorted(others(data, carb_gold, benchie_gold, wire57_gold).items()))


def others(
    data: Path, carb_gold: list[Record], benchie_gold: list[Record], wire57_gold: list[Record]
) -> dict[str, dict[str, Any]]:
    """The public outputs, each on the data that its authors or others ran it on."""
    table: dict[str, dict[str, Any]] = {}

    def add(system: str, figures: Mapping[str, Any]) -> None:
        table.setdefault(system, {}).update(figures)

    for path in sorted((data / "oie2016/systems_output/dev").glob("*_tabbed.txt.gz")):
        add(path.name.partition("_")[0], row(carb=Carb().evaluate(carb_gold, read_records(path, "tab")).score()))
    openie5 = data / "carb/system_outputs/dev/openie5_output.txt"
    add("openie5", row(carb=Carb().evaluate(carb_gold, read_records(openie5, "openie5")).score()))
    for path in sorted((data / "benchie/en/system_extractions").iterdir()):
        if path.is_file():
            score = Benchie().evaluate(benchie_gold, read_records(path, "benchie")).score()
            add(path.name.partition("_explicit")[0].lower(), row(benchie=score))
    by_system: dict[str, list[Record]] = {}
    for record in read_records(data / WIRE57_SYSTEMS, "wire57"):
        if isinstance(record, Extraction) and record.extractor:
            by_system.setdefault(record.extractor, []).append(record)
    for system, records in by_system.items():
        add(system.lower(), row(wire57=Wire57().evaluate(wire57_gold, records).score()))
    return table


def speed(extractors: list[str], parser: str, count: int, rounds: int) -> dict[str, dict[str, Any]]:
    sentences = sample(count)
    text = "\n\n".join(sentences)
    few = sentences[: max(32, int(len(sentences) * TORCH_SHARE))]
    toolkits = {name: tupelo.load(parser, extractor=name, workers=CORES) for name in extractors}
    pipeline = next(iter(toolkits.values())).parser
    assert isinstance(pipeline, Pipeline)
    peer = torch_runner(pipeline.model, few, CORES)

    def run(name: str) -> None:
        found[name] = sum(1 for _ in toolkits[name].extract_sentences(text))

    found: dict[str, int] = {}
    best: dict[str, float] = {}
    for name in extractors:
        run(name)  # once for nothing: processes start, weights are read
    for _ in range(rounds):
        for name in extractors:
            took = seconds(lambda name=name: run(name))  # type: ignore[misc]
            best[name] = max(best.get(name, 0.0), found[name] / took)
        if peer is not None:
            best[PEER] = max(best.get(PEER, 0.0), len(few) / seconds(peer))
    for toolkit in toolkits.values():
        toolkit.close()
    per_cpu = cpu_rates(extractors, parser, sentences, few, rounds)
    reference, cpu_reference = best.get(PEER), per_cpu.get(PEER)
    table = {}
    for name, value in best.items():
        table[name] = {"sentences/s": round(value, 1), "per CPU s": round(per_cpu[name], 1)}
        if reference and cpu_reference:
            table[name] |= {
                "ratio": round(value / reference, 2),
                "CPU ratio": round(per_cpu[name] / cpu_reference, 2),
            }
    return table


def cpu_rates(
    extractors: list[str], parser: str, sentences: list[str], few: list[str], rounds: int
) -> dict[str, float]:
    """Sentences per second of CPU, one process with one thread each."""
    text = "\n\n".join(sentences)
    alone = {name: tupelo.load(parser, extractor=name, threads=1) for name in extractors}
    pipeline = next(iter(alone.values())).parser
    assert isinstance(pipeline, Pipeline)
    peer = torch_runner(pipeline.model, few, 1)
    best: dict[str, float] = {}
    for number in range(rounds + 1):
        for name, toolkit in alone.items():
            start = time.process_time()
            count = sum(1 for _ in toolkit.extract_sentences(text))
            if number:  # the first round only warms up
                best[name] = max(best.get(name, 0.0), count / (time.process_time() - start))
        if peer is not None and number:
            start = time.process_time()
            peer()
            best[PEER] = max(best.get(PEER, 0.0), len(few) / (time.process_time() - start))
    return best


def show(title: str, table: Mapping[str, Mapping[str, Any]]) -> None:
    columns = list(dict.fromkeys(column for figures in table.values() for column in figures))
    print(title)
    print(f"{'':28}" + "".join(f"{column:>13}" for column in columns))
    for name, figures in table.items():
        print(f"{name:28}" + "".join(f"{figures.get(column, ''):>13}" for column in columns))
    print()


def save(result: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> None:
    """The tables of the page about extraction."""
    if quality := result.get("quality"):
        columns = ["CaRB F1", "CaRB AUC", "BenchIE F1", "WiRe57 F1"]
        figures = {name: [found.get(column) for column in columns] for name, found in quality.items()}
        best_first = sorted(figures, key=lambda name: [value or 0 for value in figures[name]], reverse=True)
        names = dict.fromkeys([*(name for name in ("default", "rules") if name in quality), *best_first])
        rows: list[list[Any]] = [
            [SYSTEMS.get(name, name), *(value and f"{value:.1f}" for value in figures[name])] for name in names
        ]
        header = ["system", "CaRB dev F1", "CaRB dev AUC", "BenchIE dev F1", "WiRe57 F1"]
        results.save("extraction-yardsticks", header, rows)
    if speed := result.get("speed"):
        columns = ["sentences/s", "ratio", "per CPU s", "CPU ratio"]
        rows = [
            [SYSTEMS.get(name, name), *(found.get(column) for column in columns)] for name, found in speed.items()
        ]
        header = ["", "sentences per second", "ratio", "per CPU second, one thread", "ratio"]
        results.save("extraction-speed", header, rows)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--extractor", action="append", metavar="NAME", help="repeat for several")
    arguments.add_argument("--data", type=Path, default=DATA)
    arguments.add_argument("--parser", default="en")
    arguments.add_argument("--sentences", type=int, default=1500)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--no-quality", action="store_true")
    arguments.add_argument("--no-speed", action="store_true")
    arguments.add_argument("--json", action="store_true")
    results.add_save_option(arguments)
    options = arguments.parse_args()
    extractors = options.extractor or ["default", "rules"]
    result: dict[str, dict[str, dict[str, Any]]] = {}
    if not options.no_quality and options.data.is_dir():
        result["quality"] = quality(options.data, extractors, options.parser)
    if not options.no_speed:
        result["speed"] = speed(extractors, options.parser, options.sentences, options.rounds)
    if options.save:
        save(result)
    if options.json:
        print(json.dumps(result, indent=2))
    else:
        for title, table in result.items():
            show(title, table)


if __name__ == "__main__":
    main()
