"""What happens to a graph when things go wrong while it is built?

    python -m benchmarks.graph_faults [--kills 20] [--only NAME ...] [--seed 1] [--data ../shared/data]

kill       kill -9 at random moments, half of them in a first build, half in an update: the graph is the old one, or
           none, and sound; the same command then ends with the rows of a build that nobody killed
worker     one of two Spark workers is killed in mid-run: the run ends with the same rows
disk       the disk is full (a small tmpfs): one clear line, no half-written graph; goes on when there is room
corrupt    documents that cannot be read are named, the others are in the graph
big        a document of 50 MB of prose (with a stand-in for the parser, which would take an hour), and one of 5 MB
           without a single space (with the parser)
together   two builds on one output: the second is refused, the first is not disturbed
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.graph_corpus import DATA, documents, write_corpus
from benchmarks.graph_rows import checksums, differences
from benchmarks.spark_cluster import cluster, small_data_settings
from tupelo.graph.store.file import open_graph

QUICK = ("--extractor", "rules", "--partition-size", "3000")


def command(corpus: Path, graph: Path, *more: str) -> list[str]:
    return [
        sys.executable,
        "-m",
        "tupelo",
        "graph",
        "build",
        str(corpus),
        "-o",
        str(graph),
        "--json",
        *QUICK,
        *more,
    ]


def run(corpus: Path, graph: Path, *more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(corpus, graph, *more), capture_output=True, text=True, check=False)


def expect(holds: bool, what: str) -> None:
    if not holds:
        raise AssertionError(what)


def sound(graph: Path) -> bool:
    with open_graph(graph) as store:
        return store.problems() == []


def leftovers(graph: Path) -> list[str]:
    return sorted(path.name for path in graph.parent.iterdir() if path.name.startswith(f".{graph.name}"))


def small_corpus(folder: Path, sentences: int, data: Path) -> Path:
    write_corpus(folder / "corpus", sentences, data)
    return folder / "corpus"


def kill(folder: Path, data: Path, kills: int, seed: int) -> dict[str, Any]:
    corpus = small_corpus(folder, 150, data)
    extra = corpus / "000" / "extra.txt"
    chance = random.Random(seed)
    base = folder / "base.duckdb"
    expect(run(corpus, base).returncode == 0, "the first build ends")
    extra.write_text(" ".join(list(documents(400, data))[-1]), "utf-8")
    whole = folder / "whole.duckdb"
    started = time.monotonic()
    expect(run(corpus, whole).returncode == 0, "the whole build ends")
    seconds = time.monotonic() - started
    wanted, before = checksums(whole), checksums(base)
    moments: list[float] = []
    resumed = number = 0
    while len(moments) < kills:
        # A run that ends before its moment does not count.
        number += 1
        graph = folder / "killed" / f"{number}.duckdb"
        graph.parent.mkdir(exist_ok=True)
        update = number % 2 == 1
        if update:
            graph.write_bytes(base.read_bytes())
        process = subprocess.Popen(
            command(corpus, graph, "--workers", "2"),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        moment = chance.uniform(0.05, 1.0) * seconds
        try:
            process.wait(moment)
        except subprocess.TimeoutExpired:
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
            moments.append(round(moment / seconds, 2))
        if graph.exists():
            now = checksums(graph)
            expect(
                now == wanted or (update and now == before),
                f"after kill {number} the graph is the old or the new one",
            )
            expect(sound(graph), f"after kill {number} the graph is sound")
        else:
            expect(not update, f"kill {number} did not lose the old graph")
        resumed += any(path.endswith(".work") for path in leftovers(graph))
        done = run(corpus, graph, "--workers", "1")
        expect(done.returncode == 0, f"after kill {number} the build goes on: {done.stderr[-500:]}")
        expect(differences(wanted, checksums(graph)) == [], f"after kill {number} the rows are the same")
        expect(leftovers(graph) == [], f"after kill {number} nothing is left behind: {leftovers(graph)}")
        graph.unlink()
    return {"kills": len(moments), "with work left to resume": resumed, "at shares of the run": sorted(moments)}


def worker(folder: Path, data: Path) -> dict[str, Any]:
    corpus = small_corpus(folder, 200, data)
    small_data_settings(folder / "settings")
    plain = folder / "plain.duckdb"
    expect(run(corpus, plain, "--workers", "2").returncode == 0, "the local build ends")
    graph, work = folder / "spark.duckdb", folder / "work"
    with cluster(folder / "cluster") as made:
        process = subprocess.Popen(
            command(corpus, graph, "--engine", made.address, "--work", str(work)),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        finished = 0
        while process.poll() is None and finished < 3:
            finished = len(list(work.glob("statements-*/[!.]*.json")))
            time.sleep(0.2)
        expect(process.poll() is None, "the run is under way when the worker is killed")
        made.kill_worker()
        _, errors = process.communicate(timeout=1500)
    expect(process.returncode == 0, f"the run ends: {errors[-1000:]}")
    expect(differences(checksums(plain), checksums(graph)) == [], "the rows are the same")
    return {"partitions finished before the kill": finished}


def disk(folder: Path, data: Path) -> dict[str, Any]:
    corpus = small_corpus(folder, 150, data)
    plain = folder / "plain.duckdb"
    expect(run(corpus, plain).returncode == 0, "the build ends")
    place = folder / "small"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(place)], capture_output=True, text=True, check=False
    )
    if mounted.returncode:
        return {"skipped": f"no right to mount a tmpfs: {mounted.stderr.strip()}"}
    messages = []
    try:
        graph = place / "kg.duckdb"
        for size in ("64k", "400k", "1m", "3m", "6m"):
            subprocess.run(["mount", "-o", f"remount,size={size}", str(place)], check=True)
            done = run(corpus, graph, "--workers", "1")
            if done.returncode == 0:
                break
            expect(done.returncode == 2, f"exit status at {size}: {done.returncode}: {done.stderr[-500:]}")
            lines = done.stderr.strip().splitlines()
            expect(len(lines) == 1 and "Traceback" not in done.stderr, f"one line at {size}: {done.stderr[-800:]}")
            expect(not graph.exists(), f"no graph at {size}")
            messages.append(lines[0].replace(str(place), "DISK"))
        subprocess.run(["mount", "-o", "remount,size=200m", str(place)], check=True)
        expect(run(corpus, graph, "--workers", "1").returncode == 0, "with room, the build goes on")
        expect(differences(checksums(plain), checksums(graph)) == [], "the rows are the same")
    finally:
        subprocess.run(["umount", str(place)], check=False)
    return {"times full": len(messages), "messages": sorted(set(messages))}


def corrupt(folder: Path, data: Path) -> dict[str, Any]:
    corpus = small_corpus(folder, 60, data)
    plain = folder / "plain.duckdb"
    expect(run(corpus, plain).returncode == 0, "the build ends")
    faults = {
        "bytes.txt": b"caf\xe9 broken",
        "cut.pdf": b"%PDF-1.7 and no more",
        "cut.docx": b"PK\x03\x04",
        "cut.parquet": b"PAR1",
        "bad.jsonl": b'{"text": \n',
        "evil.tar.gz": b"\x1f\x8b\x08\x00",
        "cut.txt.gz": b"\x1f\x8b\x08",
    }
    for name, content in faults.items():
        (corpus / name).write_bytes(content)
    graph = folder / "corrupt.duckdb"
    done = run(corpus, graph)
    failed = {failure["record"] for failure in json.loads(done.stdout)["failures"]}
    expect(failed == {f"corpus/{name}" for name in faults}, f"all faults are named: {failed}")
    expect(differences(checksums(plain), checksums(graph)) == [], "all other documents are in the graph")
    return {"documents": len(faults), "messages": done.stderr.strip().splitlines()}


def big(folder: Path, data: Path) -> dict[str, Any]:
    from benchmarks.graph_stand_in import build_plainly

    corpus = folder / "corpus"
    corpus.mkdir(parents=True)
    text = "\n\n".join(" ".join(document) for document in documents(20_000, data))
    (corpus / "big.txt").write_text((text * (50_000_000 // len(text) + 1))[:50_000_000], "utf-8")
    started = time.process_time()
    report = build_plainly(corpus, folder / "big.duckdb", tuples=1)
    seconds = time.process_time() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    expect(report.sentences > 300_000 and not report.failures, "all of it is in the graph")
    expect(sound(folder / "big.duckdb"), "the graph is sound")
    (corpus / "big.txt").write_text("x" * 5_000_000, "utf-8")
    done = run(corpus, folder / "blob.duckdb", "--workers", "1", "--partition-size", "1000000")
    expect(done.returncode == 0, f"5 MB without a space: {done.stderr[-500:]}")
    return {
        "sentences": report.sentences,
        "tuples": report.tuples,
        "CPU seconds, without parser": round(seconds),
        "peak MB of this process": peak,
        "without spaces": json.loads(done.stdout)["graph"],
        "peak MB of children": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024,
    }


def together(folder: Path, data: Path) -> dict[str, Any]:
    corpus = small_corpus(folder, 150, data)
    graph = folder / "kg.duckdb"
    first = subprocess.Popen(command(corpus, graph), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    lock = folder / ".kg.duckdb.lock"
    while not lock.exists() and first.poll() is None:
        time.sleep(0.05)
    second = run(corpus, graph)
    _, errors = first.communicate()
    expect(second.returncode == 2, f"the second is refused: {second.returncode}")
    expect(first.returncode == 0, f"the first ends: {errors}")
    expect(sound(graph), "the graph is sound")
    return {"message": second.stderr.strip().replace(str(folder), "FOLDER")}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--only", nargs="*", default=["kill", "worker", "disk", "corrupt", "big", "together"])
    arguments = parser.parse_args()
    faults: dict[str, Callable[[Path, Path], dict[str, Any]]] = {
        "kill": lambda folder, data: kill(folder, data, arguments.kills, arguments.seed),
        "worker": worker,
        "disk": disk,
        "corrupt": corrupt,
        "big": big,
        "together": together,
    }
    for name in arguments.only:
        with tempfile.TemporaryDirectory(prefix=f"tupelo-{name}-") as place:
            result = faults[name](Path(place), arguments.data)
        print(json.dumps({"fault": name, "holds": "skipped" not in result, **result}), flush=True)


if __name__ == "__main__":
    main()
