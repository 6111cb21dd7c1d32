"""Time and memory of reading large documents: do they grow as the size does?

Every input is made up and read in a process of its own, at a quarter and at the whole of its size: a page of 5 MB,
prose of 5 MB, a table of 200,000 rows, lists of 200,000 lines, 3,000 small files. Statements without sentences are
taken out as `extract` does; a stand-in for the parser skips the prose. With `--build`, each becomes a graph with all
that belongs to it, the parser among it; rows of inputs that are not named stay in the saved table.

    python -m benchmarks.documents_growth [--build [INPUT …]] [--parts 4 1] [--workers 1] [--save]
"""

from __future__ import annotations

import argparse
import resource
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import tupelo
from benchmarks import results
from tupelo.api.graph import BuildOptions
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


def _mixed_line(number: int) -> str:
    forms = (
        _sentence(number),
        _line(number),
        f"{WORDS[number % 10].title()} office: {WORDS[number // 10 % 10]} {number % 90}",
        f"{1 + number % 28} March {1990 + number % 30}, room {number % 60}b, {WORDS[number % 10]} and harbour",
    )
    return forms[number % 4]


def _page(path: Path, size: int) -> None:
    count = size // 110
    body = "".join(f"<h2>Part {n}</h2>" * (n % 20 == 0) + f"<div><p>{_sentence(n)}</p></div>\n" for n in range(count))
    path.with_suffix(".html").write_text(f"<title>Towns</title><body><nav><a href=/>Home</a></nav>{body}</body>")


def _prose(path: Path, size: int) -> None:
    sentences = (_sentence(number) + ("\n\n" if number % 5 == 4 else " ") for number in range(size // 70))
    path.with_suffix(".txt").write_text("".join(sentences))


def _rows(path: Path, size: int) -> None:
    rows = (f"Town {number},{WORDS[number % 10]},{number % 977}\n" for number in range(size))
    path.with_suffix(".csv").write_text("Name,Sight,Distance (km)\n" + "".join(rows))


def _list(path: Path, size: int) -> None:
    path.with_suffix(".md").write_text("# Towns\n\n## Sights\n\n" + "\n".join(map(_line, range(size))) + "\n")


def _mixed(path: Path, size: int) -> None:
    path.with_suffix(".txt").write_text("\n".join(map(_mixed_line, range(size))) + "\n")


def _files(path: Path, size: int) -> None:
    path.mkdir()
    for number in range(size):
        (path / f"{number}.html").write_text(f"<h1>Town {number}</h1><p>Town guide</p><p>{_sentence(number)}</p>")


CASES: dict[str, tuple[Callable[[Path, int], None], int, str]] = {
    "page": (_page, 5 * MEGABYTES, "bytes"),
    "prose": (_prose, 5 * MEGABYTES, "bytes"),
    "table": (_rows, 200_000, "rows"),
    "list": (_list, 200_000, "lines"),
    "mixed lines": (_mixed, 200_000, "lines"),
    "small files": (_files, 3_000, "files"),
}


def _read(path: str) -> int:
    """The number of tuples without sentences."""
    return sum(
        len(one.extractions)
        for document in tupelo.documents.read(path)
        for passage in document.passages()
        for one in divide(passage)[1]
    )


def _build(path: str, workers: int) -> int:
    """The number of tuples of a whole graph."""
    with tupelo.Graph.build(path, options=BuildOptions(workers=workers)) as graph:
        assert graph.changes is not None
        assert not graph.changes.failures, graph.changes.failures[0]
        return graph.changes.counts["tuples"]


def _measured(path: str, workers: int | None) -> tuple[float, float, int]:
    """CPU seconds, peak megabytes of a process, and the number of tuples; without `workers`, nothing is built."""
    if workers is not None:
        list(tupelo.load().extract_sentences("Ann left."))
    started = _seconds()
    tuples = _read(path) if workers is None else _build(path, workers)
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return _seconds() - started, max(resource.getrusage(kind).ru_maxrss for kind in kinds) / 1024, tuples


def _seconds() -> float:
    used = [resource.getrusage(kind) for kind in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def _table(names: Sequence[str], parts: Sequence[int], workers: int | None) -> Iterator[list[str]]:
    for name in names:
        make, whole, unit = CASES[name]
        for size in (whole // part for part in parts):
            # Not a pool, whose processes may not have workers of their own.
            with tempfile.TemporaryDirectory() as folder, ProcessPoolExecutor(1, get_context("spawn")) as pool:
                path = Path(folder, "input")
                make(path, size)
                (file,) = Path(folder).iterdir()
                seconds, peak, tuples = pool.submit(_measured, str(file), workers).result()
            row = [name, f"{size:,} {unit}", f"{seconds:.1f}", f"{1e6 * seconds / size:.1f}", f"{peak:.0f}"]
            print(*row, tuples, sep="\t", flush=True)
            yield [*row, str(tuples)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", nargs="*", choices=list(CASES), help="build graphs, of all inputs or of these")
    parser.add_argument("--parts", nargs="*", type=int, default=[4, 1], help="measure at whole / N, for each N")
    parser.add_argument("--workers", type=int, default=1)
    results.add_save_option(parser)
    given = parser.parse_args()
    is_build = given.build is not None
    names = given.build or list(CASES)
    rows = list(_table(names, given.parts, given.workers if is_build else None))
    if given.save:
        saved, what = ("documents-growth-builds", "tuples") if is_build else ("documents-growth", _WITHOUT)
        earlier = results.load(saved).rows if is_build and (results.FOLDER / f"{saved}.json").exists() else []
        rows = [*(row for row in earlier if row[0] not in names), *rows]
        results.save(saved, ["input", "size", "CPU s", "µs per unit", "peak MB", what], rows)


_WITHOUT = "tuples without sentences"

if __name__ == "__main__":
    main()
