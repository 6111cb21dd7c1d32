"""Thousands of hostile texts and files, each to one reader, text function or command, in processes that are watched.

A case is a seed and a number; both together give the same case on every machine. It fails when it ends in another
way than with a result or one line of complaint: a traceback, a death of the process, a file half-written, no end
within the time limit, a gigabyte of memory, or time that grows faster than the text does.
"""

from __future__ import annotations

import os
import random
import resource
import shutil
import sys
import tempfile
import time
import traceback
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from multiprocessing import connection, get_context
from pathlib import Path
from typing import Any

from benchmarks.hostile.commands import (
    SERVERS,
    WORKING,
    Case,
    all_cases,
    all_commands,
    input_case,
    run_case,
    write_samples,
)
from benchmarks.hostile.documents import DOCUMENTS, read_document
from benchmarks.hostile.faults import mutate
from benchmarks.hostile.growth import measure
from benchmarks.hostile.stages import STAGES
from benchmarks.hostile.texts import random_maker
from tupelo.cli.options import InputPath
from tupelo.core import TupeloError
from tupelo.io.formats import FORMATS

COUNT = 20_000
SECONDS = 60
MEMORY = 1 << 30
# Commands that take seconds whatever they read, or need more than files.
SLOW = {"facts train", "facts dataset", "graph build", "demo", "cliques analyze", "cliques build", "reproduce facts"}
SLOW |= {"extract", "analyze", "show", "check", "facts extract", "assertions ngrams", "data get", "reproduce carb"}
SMALL, LARGE = 3_000, 12_000


@dataclass(frozen=True, slots=True)
class Ended:
    """How a case ended: `refused` means one line of complaint, which is as good as a result."""

    kind: str
    about: str
    wrong: tuple[str, ...] = ()
    refused: bool = False
    # The process went with it.
    lost: bool = False


@dataclass(frozen=True, slots=True)
class Bench:
    """A folder with samples, in which cases run."""

    folder: Path
    samples: dict[str, Path]

    @classmethod
    def at(cls, folder: Path) -> Bench:
        samples = {path.name.split(".")[0]: path for path in (folder / "samples").iterdir()}
        return cls(folder, samples)

    def run(self, seed: int, number: int) -> Ended:
        """Run one case."""
        kind, source = draw(seed, number)
        place = Path(tempfile.mkdtemp(dir=self.folder, prefix=f"{number}-"))
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        try:
            about, wrong, refused = KINDS[kind][0](self, source, place)
        except TupeloError as error:
            about, wrong, refused = str(error), [], True
        except Exception:  # what the benchmark looks for
            about, refused = traceback.format_exc(), False
            wrong = [about.strip().splitlines()[-1]]
        finally:
            shutil.rmtree(place, ignore_errors=True)
        more = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
        if more > MEMORY:
            wrong = [*wrong, f"{more >> 20} MB of memory"]
        return Ended(kind, about, tuple(wrong), refused)


def draw(seed: int, number: int) -> tuple[str, random.Random]:
    """The kind of a case, and the source of all else about it."""
    source = random.Random(f"{seed}.{number}")
    return source.choices(list(KINDS), [weight for _, weight in KINDS.values()])[0], source


# What a case is about, what is wrong, and whether it was refused.
Told = tuple[str, list[str], bool]


def _format(bench: Bench, source: random.Random, place: Path) -> Told:
    """A file of a tuple format, converted."""
    name = source.choice(list(FORMATS))
    done, data = mutate((bench.samples[f"sample-{name}"]).read_bytes(), source)
    words = ("{folder}/bad.txt", "{folder}/out.jsonl", "--from", name, "--on-error", source.choice(("raise", "skip")))
    case = Case("convert", f"{name}: {done}", words, named="bad.txt")
    return str(case), run_case(case, bench.samples, place, data), False


@cache
def _inputs() -> list[tuple[str, str, str]]:
    """Every input of every quick command: command, parameter, good sample."""
    found = []
    for name, command in all_commands():
        if name in SLOW or name in SERVERS or name not in WORKING:
            continue
        for each in command.params:
            if isinstance(each.type, InputPath) and each.name in WORKING[name].inputs:
                found.append((name, each.name, WORKING[name].inputs[each.name]))
    return found


def _command(bench: Bench, source: random.Random, place: Path) -> Told:
    """A command with an input that was damaged."""
    name, parameter, good = source.choice(_inputs())
    sample = bench.samples[good]
    if not sample.is_file():
        sample = min(sample.iterdir())
    done, data = mutate(sample.read_bytes(), source)
    case = input_case(name, parameter, done)
    return str(case), run_case(case, bench.samples, place, data), False


@cache
def _swept() -> list[Case]:
    return [case for case in all_cases() if case.command not in SLOW and "encoder" not in case.fault]


def _sweep(bench: Bench, source: random.Random, place: Path) -> Told:
    """A case of the sweep: faults of the corpus, outputs that cannot be written, options out of range."""
    case = source.choice(_swept())
    return str(case), run_case(case, bench.samples, place), False


def _document(bench: Bench, source: random.Random, place: Path) -> Told:
    """A document of any kind, damaged or made of hostile text."""
    name = source.choice(list(DOCUMENTS))
    if source.random() < 0.3:
        done, maker = random_maker(source)
        data = DOCUMENTS[name](maker(LARGE))
        done = f"made of {done}"
    else:
        done, data = mutate(DOCUMENTS[name](""), source)
    file = place / name
    file.write_bytes(data)
    complaints = read_document(file)
    unclear = [line for line in complaints if "Error" in line.split(":")[0] or not line.strip()]
    return f"{name}: {done}", unclear, bool(complaints)


@cache
def _stage(name: str) -> Callable[[str], object]:
    return STAGES[name].open()


def _text(bench: Bench, source: random.Random, place: Path) -> Told:
    """A hostile text at two sizes; where the larger takes too long for its size, both are measured again."""
    name = source.choice(list(STAGES))
    run = _stage(name)
    done, maker = random_maker(source)
    large = min(LARGE, STAGES[name].largest)
    seconds = []
    for size in (large // 4, large):
        began = time.process_time()
        run(maker(size))
        seconds.append(time.process_time() - began)
    wrong = []
    if seconds[1] > 0.2 and seconds[1] > 8 * seconds[0]:
        found = measure(run, maker, smallest=large // 4, largest=large)
        if not found.is_linear:
            wrong.append(f"time grows as n^{found.exponent:.2f}")
    return f"{name}: {done}", wrong, False


@cache
def _pipeline() -> Any:
    from tupelo.api.text import load

    return load(extractor="rules")


def _extraction(bench: Bench, source: random.Random, place: Path) -> Told:
    """The whole way of a short hostile text: sentences, parses, tuples."""
    done, maker = random_maker(source)
    list(_pipeline().extract(maker(400)))
    return done, [], False


# Kinds of cases with their weights.
KINDS: dict[str, tuple[Callable[[Bench, random.Random, Path], Told], int]] = {
    "tuple formats": (_format, 6),
    "inputs of commands": (_command, 6),
    "faults of commands": (_sweep, 2),
    "documents": (_document, 6),
    "text functions": (_text, 5),
    "extraction": (_extraction, 1),
}


def _work(pipe: connection.Connection, folder: str, seed: int) -> None:
    bench = Bench.at(Path(folder))
    os.chdir(folder)
    # What a library prints is not for the table.
    sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115, until the process ends
    with suppress(EOFError, KeyboardInterrupt):
        while True:
            pipe.send(bench.run(seed, pipe.recv()))


@dataclass(slots=True)
class _Worker:
    """A process and the case that it is at."""

    folder: str
    seed: int
    number: int = -1
    began: float = 0.0
    pipe: Any = field(init=False)
    process: Any = field(init=False)

    def __post_init__(self) -> None:
        context = get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=_work, args=(theirs, self.folder, self.seed), daemon=True)
        self.process.start()
        theirs.close()

    def give(self, number: int) -> None:
        self.number, self.began = number, time.monotonic()
        self.pipe.send(number)

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


def lost(worker: _Worker, reason: str) -> Ended:
    return Ended(draw(worker.seed, worker.number)[0], "", (reason,), lost=True)


def run_cases(numbers: Iterator[int], seed: int, jobs: int, limit: float) -> Iterator[tuple[int, float, Ended]]:
    """Run cases in processes; one that does not end is killed, and a process that dies is replaced."""
    with tempfile.TemporaryDirectory(prefix="tupelo-hostile-") as folder:
        (Path(folder) / "samples").mkdir()
        write_samples(Path(folder) / "samples")
        workers = [_Worker(folder, seed) for _ in range(jobs)]
        try:
            busy = {}
            for worker in workers:
                if (number := next(numbers, None)) is not None:
                    worker.give(number)
                    busy[worker.pipe] = worker
            while busy:
                ready = connection.wait(list(busy), timeout=1)
                for pipe in list(busy):
                    worker = busy[pipe]
                    took = time.monotonic() - worker.began
                    if pipe in ready:
                        try:
                            ended = pipe.recv()
                        except EOFError:
                            worker.process.join()
                            ended = lost(worker, f"the process died ({worker.process.exitcode})")
                    elif took > limit:
                        ended = lost(worker, f"no end after {limit:.0f} seconds")
                    else:
                        continue
                    del busy[pipe]
                    yield worker.number, took, ended
                    if ended.lost:
                        worker.end()
                        worker = _Worker(folder, seed)
                        workers.append(worker)
                    if (number := next(numbers, None)) is not None:
                        worker.give(number)
                        busy[worker.pipe] = worker
        finally:
            for worker in workers:
                if worker.process.is_alive():
                    worker.end()


def run_here(seed: int, number: int) -> Ended:
    """One case in this process, to look at it."""
    with tempfile.TemporaryDirectory(prefix="tupelo-hostile-") as folder:
        (Path(folder) / "samples").mkdir()
        write_samples(Path(folder) / "samples")
        return Bench.at(Path(folder)).run(seed, number)


@dataclass(slots=True)
class Tally:
    """The summary: how many cases of each kind, and what failed."""

    rows: dict[str, list[Any]] = field(default_factory=lambda: defaultdict(lambda: [0, 0, 0, 0.0]))
    failed: list[tuple[int, Ended]] = field(default_factory=list)

    def next_number(self, first: int) -> int:
        """The case to go on with; a few after it may have been run."""
        return first + int(sum(row[0] for row in self.rows.values()))

    def add(self, number: int, took: float, ended: Ended) -> None:
        row = self.rows[ended.kind]
        row[0] += 1
        row[1] += ended.refused
        row[2] += bool(ended.wrong)
        row[3] = max(row[3], took)
        if ended.wrong:
            self.failed.append((number, ended))

    def __str__(self) -> str:
        lines = [f"{'kind':<20} {'cases':>7} {'failed':>7} {'slowest':>9}"]
        for kind, (cases, _, failed, slowest) in sorted(self.rows.items()):
            lines.append(f"{kind:<20} {cases:>7,} {failed:>7,} {slowest:>7.1f} s")
        total = sum(row[0] for row in self.rows.values())
        lines.append(f"{'all':<20} {total:>7,} {len(self.failed):>7,}")
        return "\n".join(lines)
