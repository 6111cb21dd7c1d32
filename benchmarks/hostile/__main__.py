"""Growth of every stage on every hostile text, the worst first.

    python -m benchmarks.hostile growth [STAGE ...] [--only WORD] [--largest N] [--random N] [--seed N] [--all]
    python -m benchmarks.hostile text NAME SIZE

`growth` prints, per stage, the texts on which it is slowest: the exponent of n (1 is linear) and microseconds per
character. It exits with 1 where an exponent is above the worst that n log n and noise explain.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Sequence

from benchmarks.hostile.growth import WORST_EXPONENT, Growth, measure
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
            found = measure(run, maker, largest=largest)
            if not found.is_linear:
                # Once more, so that one bad moment of the machine is not taken for growth.
                found = min(found, measure(run, maker, largest=largest), key=lambda g: g.exponent)
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


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hostile", description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(required=True)
    measured = commands.add_parser("growth", help="time of each stage at sizes n, 2n and 4n")
    measured.add_argument("stages", nargs="*", metavar="STAGE", help=f"of {', '.join(STAGES)}; all by default")
    measured.add_argument("--only", default="", help="texts whose name contains this")
    measured.add_argument("--largest", type=int, default=256_000, help="characters of the largest text")
    measured.add_argument("--random", type=int, default=0, help="how many further texts are made at random")
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
