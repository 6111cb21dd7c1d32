"""Every Open IE benchmark at once: `tupelo.bench`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any, TypeAlias

from tupelo.api.scoring import describe, score, system_name
from tupelo.api.text import Toolkit, load
from tupelo.api.tuples import Tuples, read
from tupelo.core import InputError, Record, Sentence
from tupelo.core.errors import UnmatchedError, require_name
from tupelo.core.parameters import Among, Count, Input, PathLike, Seed, Spelled, checked
from tupelo.core.progress import Progress, count, track
from tupelo.core.shipped import declared
from tupelo.core.spec import build_part, split_spec
from tupelo.extract import EXTRACTORS
from tupelo.extract.options import ExtractionOptions
from tupelo.io.fetch import cache_folder
from tupelo.io.files import InputFile
from tupelo.io.folders import find_file, list_files
from tupelo.scorers import SCORERS
from tupelo.scorers.bench import BenchCard as BenchCard
from tupelo.scorers.bench import BenchResult, break_down, intervals
from tupelo.scorers.coverage import Aligner, loose_key
from tupelo.scorers.scorer import Alignment, ScoreOptions

# Benchmarks that a message names; of more it says so.
_NAMED = 3
SPLITS = ("test", "dev")


@dataclass(frozen=True, slots=True, kw_only=True)
class Benchmark:
    """A gold standard and how it is scored. `{split}` in a path is dev or test.

    `gold` are places of the file below the folder of datasets, the first one that is there counts. `sources` are
    files of sentences, one a line, by the name of what they come from. `form` are the tuples that an extractor is
    asked for: every candidate where the scorer chooses a threshold, all forms of a tuple where wording counts.
    What is not `fetched` lies in Tupelo's own repository.
    """

    name: str
    title: str
    scorer: str
    gold: tuple[str, ...]
    gold_format: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    sources: Mapping[str, str] = field(default_factory=dict)
    form: Mapping[str, Any] = field(default_factory=dict)
    dataset: str = ""
    fetched: bool = True


def benchmarks() -> dict[str, Benchmark]:
    """All benchmarks by name, in the order of the card."""
    table = declared(__name__, "benchmarks.toml")
    return {name: Benchmark(name=name, **fields | {"gold": tuple(fields["gold"])}) for name, fields in table.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchOptions:
    """Options of the intervals (none without samples), and of the alignment of predictions to gold sentences."""

    samples: Annotated[Count, "For the intervals."] = 1000
    seed: Seed = 12345
    align: Alignment = "exact"


USUAL = BenchOptions()


@checked
def bench(
    system: str | Toolkit | PathLike | Sequence[PathLike] | Mapping[str, PathLike | Iterable[Record]],
    *,
    only: Annotated[Sequence[str], Spelled.of("NAME"), "This benchmark; repeat. [default: all at hand]"] = (),
    data: Annotated[Input | None, "Folder that holds the datasets. [default: the download cache]"] = None,
    split: Annotated[str, Among(SPLITS), "Which part of a benchmark."] = "test",
    options: BenchOptions = USUAL,
    name: Annotated[
        str | None, Spelled.of("NAME"), "What the system is called. [default: the extractor, or the file]"
    ] = None,
    progress: Progress | None = None,
) -> BenchCard:
    """Score a system on every benchmark whose gold standard is at hand.

    `system` is the name of an extractor or a `Toolkit`, which then reads the gold sentences; or its output: files or
    a folder of files, each for one benchmark or several, or files by the name of the benchmark. `data` is the folder
    that holds the datasets, by default the download cache. Benchmarks that cannot be measured are in `.missing`, with
    the reason.
    """
    known = benchmarks()
    for wanted in only:
        require_name("benchmark", wanted, known)
    if split not in SPLITS:
        raise InputError(f"split '{split}', expected {' or '.join(SPLITS)}")
    root = Path(data) if data is not None else cache_folder()
    output = _output(system, name)
    results: list[BenchResult] = []
    missing: dict[str, str] = {}
    absent: list[Benchmark] = []
    for each in known.values():
        if only and each.name not in only:
            continue
        file = find_file(root, [pattern.format(split=split) for pattern in each.gold])
        if file is None:
            how = (
                f"tupelo data get {each.dataset or each.name}"
                if each.fetched
                else "--data benchmarks, in a clone of Tupelo"
            )
            missing[each.name] = f"no gold standard below {root}: {how}"
            absent.append(each)
            continue
        try:
            source = _sources(each, root, split)
            results.append(_measure(_Gold.of(each, file), output, source, options, progress))
        except (UnmatchedError, _NoOutputError) as error:
            missing[each.name] = str(error)
    if missing and len(absent) == len(missing) and not results:
        raise NoGoldError(root, absent)
    if not results:
        reasons = "; ".join(f"{each}: {reason}" for each, reason in missing.items())
        raise InputError(f"no benchmark could be measured ({reasons}), expected at least one")
    return BenchCard(output.name, tuple(results), missing)


class NoGoldError(InputError):
    """There is no gold standard to measure with; `next_step` is how to get one."""

    def __init__(self, root: Path, absent: Sequence[Benchmark]) -> None:
        names = " or ".join(each.name for each in absent) if len(absent) <= _NAMED else "any benchmark"
        fetched = next((each.dataset or each.name for each in absent if each.fetched), "")
        self.next_step = f"tupelo data get {fetched}" if fetched else "--data benchmarks, in a clone of Tupelo"
        super().__init__(f"no gold standard of {names} below {root}, expected at least one")


class _NoOutputError(InputError):
    """There is no output for a benchmark."""


@dataclass(frozen=True, slots=True)
class _Gold:
    """The gold standard of a benchmark, and what its sentences are found by in the output of a system."""

    benchmark: Benchmark
    records: Tuples
    keys: frozenset[str]

    @classmethod
    def of(cls, benchmark: Benchmark, file: str) -> _Gold:
        records = read(file, benchmark.gold_format or describe(benchmark.scorer).gold_format)
        return cls(benchmark, records, frozenset(_keys(records)))


def _sentences(records: Iterable[Record]) -> Iterator[Sentence]:
    return (record.sentence for record in records)


def _keys(records: Iterable[Record]) -> Iterator[str]:
    """Keys of the sentences: their letters and digits, and the id where there is one."""
    for sentence in _sentences(records):
        yield from filter(None, (loose_key(sentence.text), sentence.id and f"id {sentence.id}"))


# The output of a system for a benchmark: a file, or records.
_Predict: TypeAlias = Callable[[_Gold, Progress | None], PathLike | Sequence[Record]]


@dataclass(frozen=True, slots=True)
class _Output:
    name: str
    predict: _Predict


def _output(system: Any, name: str | None) -> _Output:
    """The output of a system on any benchmark, whether it is an extractor or files."""
    if isinstance(system, Toolkit):
        return _Output(name or system.extractor.name, partial(_extracted, system))
    if isinstance(system, Mapping):
        return _Output(name or "system", partial(_given, system))
    places = [system] if isinstance(system, str | os.PathLike) else list(system)
    if len(places) == 1 and split_spec(str(places[0]))[0] in EXTRACTORS:
        return _Output(name or str(places[0]), partial(_extracted, load(extractor=str(places[0]))))
    given = [str(place).partition("=") for place in places]
    named = {before: file for before, equals, file in given if equals and before in benchmarks()}
    if named:
        return _Output(name or system_name(next(iter(named.values()))), partial(_given, named))
    files = {file: read(file) for place in places for file in list_files(place)}
    return _Output(name or system_name(places[0]), partial(_matching, files))


def _extracted(nlp: Toolkit, gold: _Gold, progress: Progress | None) -> list[Record]:
    texts = list(dict.fromkeys(sentence.text for sentence in _sentences(gold.records)))
    options = ExtractionOptions(coreference=False, **gold.benchmark.form)
    # A line break within a sentence would make two of it.
    lines = [" ".join(text.split()) for text in texts]
    found = nlp.extract_sentences(lines, lines=True, options=options)
    advance = track(progress, f"extracting {gold.benchmark.name}", len(texts))
    return [record for each in count(found, advance) for record in each.records]


def _given(
    outputs: Mapping[str, PathLike | Iterable[Record]], gold: _Gold, progress: Progress | None
) -> PathLike | Sequence[Record]:
    if gold.benchmark.name not in outputs:
        raise _NoOutputError("no output was given for it")
    found = outputs[gold.benchmark.name]
    return found if isinstance(found, str | os.PathLike) else list(found)


def _matching(files: Mapping[str, Tuples], gold: _Gold, progress: Progress | None) -> PathLike | Sequence[Record]:
    """The file with predictions for sentences of the gold standard, or the records of several such files."""
    chosen = [file for file, records in files.items() if any(key in gold.keys for key in _keys(records))]
    if not chosen:
        raise _NoOutputError("no file has predictions for its sentences")
    return chosen[0] if len(chosen) == 1 else [record for file in chosen for record in files[file]]


def _measure(
    gold: _Gold, output: _Output, source: Callable[[str], str], options: BenchOptions, progress: Progress | None
) -> BenchResult:
    chosen = gold.benchmark
    predicted = output.predict(gold, progress)
    found = score(
        chosen.scorer,
        gold.records,
        predicted,
        options=ScoreOptions(gold_format=chosen.gold_format, align=options.align),
        keep_records=True,
        **chosen.options,
    )
    assert found.records is not None
    advance = track(progress, f"resampling {chosen.name}", options.samples)
    estimates = (
        intervals(found.evaluation, found, samples=options.samples, seed=options.seed, advance=advance)
        if options.samples
        else {}
    )
    records = found.records[1]
    scorer = build_part(chosen.scorer, SCORERS.get(chosen.scorer), chosen.options)
    aligned = list(Aligner(gold.records).align(records)) if options.align == "loose" else records
    parts, rows = break_down(scorer, gold.records.records, aligned, found, source)
    return BenchResult(chosen.name, chosen.title, replace(found, records=None), estimates, tuple(parts), tuple(rows))


def _sources(benchmark: Benchmark, root: Path, split: str) -> Callable[[str], str]:
    """Origin of a sentence, by the files of sentences that are at hand."""
    known: dict[str, str] = {}
    for name, pattern in benchmark.sources.items():
        file = find_file(root, [pattern.format(split=split)])
        if file is not None:
            with InputFile(file) as stream:
                known.update({loose_key(line): name for _, line in stream.lines() if line.strip()})
    return lambda text: known.get(loose_key(text), "") if known else ""
