"""Time and memory of reading large documents: do they grow as the size does?

Every input is made up and read in a process of its own, at a quarter and at the whole of its size: a page of 5 MB,
prose of 5 MB, a table of 200,000 rows, a list of 200,000 lines, 3,000 small files. Statements without sentences are
taken out as `extract` does; a stand-in for the parser skips the prose. With `--parser N`, lists of N / 4 and N lines
go through the parser, too.

    python -m benchmarks.documents_growth [--parser N] [--save]
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import tupelo
from benchmarks import results
from tupelo.extract.structure import divide

MEGABYTES = 1_000_000
WORDS = ("harbour", "ferry", "bridge", "council", "market", "garden", "winter", "station", "museum", "valley")


def _sentence(number: int) -> str:
    first, second = WORDS[number % 10], WORDS[number // 10 % 10]
    return f"The {first} of town {number} was built near the {second} in {1800 + number % 200}."


def _line(number: int) -> str:
    if number % 3:
        return f"- {WORDS[number % 10]} {number}, {WORDS[number // 10 % 10]}"
    return f"- {WORDS[number % 10].title()} {number}: {number % 97} km"


def _page(path: Path, size: int) -> None:
    count = size // 110
    body = "".join(f"<h2>Part {n}</h2>" * (n % 20 == 0) + f"<div><p>{_sentence(n)}</p></div>\n" for n in range(count))
    path.with_suffix(".html").write_text(f"<title>Towns</title><body><nav><a href=/>Home</a></nav>{body}</body>")


def _prose(path: Path, size: int) -> None:
    sentences = (_sentence(number) + ("\n\n" if number % 5 == 4 else " ") for number in range(size // 70))
    path.with_suffix(".txt").write_text("".join(sentences))


def _table(path: Path, size: int) -> None:
    rows = (f"Town {number},{WORDS[number % 10]},{number % 977}\n" for number in range(size))
    path.with_suffix(".csv").write_text("Name,Sight,Distance (km)\n" + "".join(rows))


def _list(path: Path, size: int) -> None:
    path.with_suffix(".md").write_text("# Towns\n\n## Sights\n\n" + "\n".join(map(_line, range(size))) + "\n")


def _files(path: Path, size: int) -> None:
    path.mkdir()
    for number in range(size):
        (path / f"{number}.html").write_text(f"<h1>Town {number}</h1><p>Town guide</p><p>{_sentence(number)}</p>")


CASES: dict[str, tuple[Callable[[Path, int], None], int, str]] = {
    "page": (_page, 5 * MEGABYTES, "bytes"),
    "prose": (_prose, 5 * MEGABYTES, "bytes"),
    "table": (_table, 200_000, "rows"),
    "list": (_list, 200_000, "lines"),
    "small files": (_files, 3_000, "files"),
}


def _measure(path: str, with_parser: bool) -> tuple[float, float, int]:
    """CPU seconds, peak megabytes, and the number of tuples."""
    nlp = tupelo.load() if with_parser else None
    if nlp is not None:
        list(nlp.extract_sentences("Ann left."))
    started = time.process_time()
    tuples = 0
    for document in tupelo.documents.read(path):
        for passage in document.passages():
            found = divide(passage)[1] if nlp is None else nlp.extract_sentences([passage])
            tuples += sum(len(one.extractions) for one in found)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return time.process_time() - started, peak, tuples


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parser", type=int, default=0, help="lines of a list that go through the parser")
    results.add_save_option(parser)
    given = parser.parse_args()
    cases = [(name, make, whole, unit, False) for name, (make, whole, unit) in CASES.items()]
    if given.parser:
        cases.append(("list, with the parser", _list, given.parser, "lines", True))
    table: list[list[object]] = []
    context = multiprocessing.get_context("spawn")
    for name, make, whole, unit, with_parser in cases:
        for size in (whole // 4, whole):
            with tempfile.TemporaryDirectory() as folder, context.Pool(1) as pool:
                path = Path(folder, "input")
                make(path, size)
                (file,) = Path(folder).iterdir()
                seconds, peak, tuples = pool.apply(_measure, (str(file), with_parser))
            row = [name, f"{size:,} {unit}", f"{seconds:.1f}", f"{1e6 * seconds / size:.1f}", f"{peak:.0f}", tuples]
            print(*row, sep="\t", flush=True)
            table.append(row)
    if given.save:
        header = ["input", "size", "CPU s", "µs per unit", "peak MB", "tuples without sentences"]
        results.save("documents-growth", header, table)


if __name__ == "__main__":
    main()
