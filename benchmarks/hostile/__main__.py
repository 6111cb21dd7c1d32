"""Hostile texts and files for everything that reads, and the growth of every stage on every hostile text.

    python -m benchmarks.hostile [--count N] [--seed N] [--first N] [--jobs N] [--case NUMBER]
    python -m benchmarks.hostile growth [STAGE ...] [--only WORD] [--largest N] [--rounds N] [--all]
                                        [--random N] [--seed N]
    python -m benchmarks.hostile text NAME SIZE

Without a word, cases are drawn by the seed and run; the summary lists what failed, each with the line that runs this
case alone. `growth` prints, per stage, the texts on which it is slowest: the exponent of n (1 is linear) and
microseconds per character. It exits with 1 where an exponent is above the worst that n log n and noise explain.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections.abc import Iterator, Sequence

from benchmarks.hostile.growth import ROUNDS, WORST_EXPONENT, Growth, measure
from benchmarks.hostile.run import COUNT, SECONDS, Tally, run_cases, run_here
from benchmarks.hostile.stages import STAGES
from benchmarks.hostile.texts import NAMED, Maker, random_maker, text

SHOWN = 3


def makers(only: str, count: int, seed: int) -> Iterator[tuple[str, Maker]]:
    yield from ((name, maker) for name, maker in NAMED.items() if only in name)
    source = random.Random(seed)
    for number in range(count):
        name, maker = random_maker(source)
        yield f"{seed}.{number} {name}", maker


def growth(arguments: argparse.Namespace) -> int:
    failures = 0
    print(f"{'stage':<14} {'n':>8} {'exponent':>8} {'us/char':>8}  text")
    for name in arguments.stages or STAGES:
        stage = STAGES[name]
        run = stage.open()
        largest = min(arguments.largest, stage.largest)
        rows: list[tuple[Growth, str]] = []
        for label, maker in makers(arguments.only, arguments.random, arguments.seed):
            found = measure(run, maker, largest=largest, rounds=arguments.rounds)
            if not found.is_linear:
                # Once more, so that one bad moment of the machine is not taken for growth.
                found = min(
                    found, measure(run, maker, largest=largest, rounds=arguments.rounds), key=lambda g: g.exponent
                )
            rows.append((found, label))
        rows.sort(key=lambda row: -row[0].exponent)
        failures += sum(not found.is_linear for found, _ in rows)
        slowest = max(rows, key=lambda row: row[0].microseconds)
        shown = rows if arguments.all else [row for row in rows[:SHOWN] if row is not slowest]
        for found, label in shown if arguments.all else [*shown, slowest]:
            print(
                f"{name:<14} {found.sizes[-1]:>8} {found.exponent:>8.2f} {found.microseconds:>8.2f}  {label}",
                flush=True,
            )
    print(f"{failures} of the measured growths are above n^{WORST_EXPONENT}")
    return int(failures > 0)


def cases(arguments: argparse.Namespace) -> int:
    from rich.console import Console
    from rich.progress import Progress

    if arguments.case is not None:
        ended = run_here(arguments.seed, arguments.case)
        for line in (f"{ended.kind}: {ended.about}", *ended.wrong):
            print(line.encode("utf-8", "backslashreplace").decode())
        return int(bool(ended.wrong))
    tally = Tally()
    numbers = range(arguments.first, arguments.first + arguments.count)
    ended_early = False
    with Progress(console=Console(stderr=True)) as bar:
        task = bar.add_task("hostile cases", total=len(numbers))
        try:
            for number, took, ended in run_cases(iter(numbers), arguments.seed, arguments.jobs, arguments.timeout):
                tally.add(number, took, ended)
                bar.advance(task)
                if ended.wrong:
                    again = f"python -m benchmarks.hostile --seed {arguments.seed} --case {number}"
                    told = ended.wrong[0][:200].encode("utf-8", "backslashreplace").decode()
                    bar.console.print(f"{ended.kind}: {told}\n  {again}", markup=False, soft_wrap=True)
        except KeyboardInterrupt:
            ended_early = True
    if ended_early:
        print(f"interrupted; go on with --first {tally.next_number(arguments.first)}")
    print(tally)
    return 130 if ended_early else int(bool(tally.failed))


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hostile", description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=COUNT, help="how many cases")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, metavar="NUMBER", help="the case to begin with")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--timeout", type=float, default=SECONDS, help="seconds after which a case counts as hanging")
    parser.add_argument("--case", type=int, metavar="NUMBER", help="run one case, here, and say what it was")
    parser.set_defaults(run=cases)
    commands = parser.add_subparsers()
    measured = commands.add_parser("growth", help="time of each stage at sizes n, 2n and 4n")
    measured.add_argument("stages", nargs="*", metavar="STAGE", help=f"of {', '.join(STAGES)}; all by default")
    measured.add_argument("--only", default="", help="texts whose name contains this")
    measured.add_argument("--largest", type=int, default=256_000, help="characters of the largest text")
    measured.add_argument("--random", type=int, default=0, help="how many further texts are made at random")
    measured.add_argument("--rounds", type=int, default=ROUNDS, help="the best of so many counts")
    measured.add_argument("--seed", type=int, default=1)
    measured.add_argument("--all", action="store_true", help="print every text, not only the worst")
    measured.set_defaults(run=growth)
    shown = commands.add_parser("text", help="print one hostile text")
    shown.add_argument("name", choices=NAMED, metavar="NAME")
    shown.add_argument("size", type=int)
    shown.set_defaults(run=lambda given: sys.stdout.write(text(given.name, given.size)) and 0)
    arguments = parser.parse_args(argv)
    return int(arguments.run(arguments))


if __name__ == "__main__":
    sys.exit(main())
