"""How quick is the shipped parser? Ratios to two peers, measured in one run, and its cold start and memory.

    python -m benchmarks.nlp_speed [--spacy FOLDER] [--sentences N] [--rounds N] [--json]

Peers: one float32 forward pass of an encoder of the size of BERT-base in torch, over the same batches (what systems
on top of BERT pay at least), and spaCy's `en_core_web_md` with tags, dependencies and entities. Everybody gets two
cores: the parser and spaCy as two processes with one thread each, torch as one process with two threads. Rounds take
turns, so that a busy machine is busy for all; the best round of each counts. A second table counts sentences per
second of CPU of one process with one thread, which other work on the machine disturbs less. Peers that are not
installed are left out. Sentences come from `../shared/data/gum` where that is present, else a few are repeated.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import tupelo
from tupelo.core import Passage
from tupelo.io.analyses import read_analyses
from tupelo.nlp.model import Model, batches
from tupelo.nlp.pipeline import Pipeline
from tupelo.nlp.prepare import whole_sentence

CORES = 2
TREEBANK = Path(__file__).resolve().parents[1] / ".." / "shared" / "data" / "gum" / "gum-dev.conllu.gz"
SPARE = ["The committee, which met on Tuesday, has approved the new bridge over the river.", "Nobody came."]
# Torch needs a second per sixty sentences; a part of the sample is enough for it.
TORCH_SHARE = 0.15


def sample(count: int) -> list[str]:
    texts = [analysis.text for analysis in read_analyses(TREEBANK)] if TREEBANK.is_file() else SPARE
    return (texts * (count // len(texts) + 1))[:count]


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def piece_batches(model: Model, sentences: list[str]) -> Iterator[Any]:
    """The sub-words of the batches that the parser makes of these sentences."""
    stretches = [
        stretch for index, text in enumerate(sentences) for stretch in model.cut(index, whole_sentence(Passage(text)))
    ]
    for batch in batches(stretches, 32):
        yield [stretch.subword_ids for stretch in batch]


def torch_runner(model: Model, sentences: list[str], threads: int) -> Callable[[], object] | None:
    """A pass of a BERT-base-size encoder (12 layers, width 768) with random weights over the same batches."""
    try:
        import torch
    except ImportError:
        return None
    torch.manual_seed(0)
    layer = torch.nn.TransformerEncoderLayer(768, 12, 3072, activation="gelu", batch_first=True)
    encoder = torch.nn.TransformerEncoder(layer, 12, enable_nested_tensor=False).eval()
    embedding = torch.nn.Embedding(30522, 768)
    inputs = [torch.tensor(batch) for batch in piece_batches(model, sentences)]

    def run() -> None:
        torch.set_num_threads(threads)
        with torch.inference_mode():
            for batch in inputs:
                encoder(embedding(batch))

    return run


_spacy: Any = None


def _load_spacy(folder: str) -> None:
    global _spacy
    import spacy

    _spacy = spacy.load(folder, exclude=["lemmatizer", "attribute_ruler"])


def _run_spacy(sentences: list[str]) -> int:
    return sum(len(document) for document in _spacy.pipe(sentences, batch_size=256))


def cpu_rates(parser: str, spacy_folder: str | None, sentences: list[str], rounds: int) -> dict[str, float]:
    """Sentences per second of CPU, one process with one thread each."""
    alone = tupelo.load(parser, threads=1).parser
    assert isinstance(alone, Pipeline)
    few = sentences[: max(32, len(sentences) // 8)]
    runners: dict[str, tuple[Callable[[], object], int]] = {
        "tupelo": (lambda: list(alone.analyze(sentences, lines=True, constituents=False)), len(sentences)),
        "tupelo with constituents": (lambda: list(alone.analyze(sentences, lines=True)), len(sentences)),
    }
    if spacy_folder is not None:
        _load_spacy(spacy_folder)
        runners["spaCy en_core_web_md"] = (lambda: _run_spacy(sentences), len(sentences))
    torch_run = torch_runner(alone.model, few, 1)
    if torch_run is not None:
        runners["BERT-base size, torch fp32"] = (torch_run, len(few))
    best: dict[str, float] = {}
    for number in range(rounds + 1):
        for name, (run, count) in runners.items():
            start = time.process_time()
            run()
            if number:  # the first round only warms up
                best[name] = max(best.get(name, 0.0), count / (time.process_time() - start))
    return best


def spacy_runner(folder: str | None, sentences: list[str]) -> Callable[[], object] | None:
    if folder is None:
        return None
    os.environ["OMP_NUM_THREADS"] = "1"
    pool = ProcessPoolExecutor(CORES, multiprocessing.get_context("spawn"), _load_spacy, (folder,))
    # Small parts, so that no process waits long for the other at the end.
    parts = [sentences[start : start + 128] for start in range(0, len(sentences), 128)]
    return lambda: list(pool.map(_run_spacy, parts))


def child_seconds(command: list[str], text: bytes) -> float:
    return seconds(lambda: subprocess.run(command, input=text, stdout=subprocess.DEVNULL, check=True))


def cold_start(parser: str, rounds: int) -> tuple[float, float]:
    """Best seconds of Python with onnxruntime alone, and of a whole `tupelo analyze` of one sentence."""
    bare = [sys.executable, "-c", "import onnxruntime"]
    whole = [sys.executable, "-m", "tupelo", "analyze", "--parser", parser]
    times = [(child_seconds(bare, b""), child_seconds(whole, b"Dogs bark.\n")) for _ in range(rounds)]
    return min(first for first, _ in times), min(second for _, second in times)


def peak_megabytes(text: str, *options: str) -> float:
    """The largest memory of one `tupelo analyze` over a text, in a process of its own so that its peak is known."""
    program = (
        "import resource, subprocess, sys;"
        "subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True);"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        command = [sys.executable, "-c", program, sys.executable, "-m", "tupelo", "analyze", file.name, *options]
        return int(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout) / 1024


def measure(options: argparse.Namespace) -> dict[str, Any]:
    sentences = sample(options.sentences)
    few = sentences[: max(32, int(len(sentences) * TORCH_SHARE))]
    parser = tupelo.load(options.parser, workers=CORES).parser
    assert isinstance(parser, Pipeline)

    def ours() -> None:
        for _ in parser.analyze(sentences, lines=True, constituents=False):
            pass

    def ours_with_trees() -> None:
        for _ in parser.analyze(sentences, lines=True):
            pass

    runners = {
        "tupelo": (ours, len(sentences)),
        "tupelo with constituents": (ours_with_trees, len(sentences)),
        "spaCy en_core_web_md": (spacy_runner(options.spacy, sentences), len(sentences)),
        "BERT-base size, torch fp32": (torch_runner(parser.model, few, CORES), len(few)),
    }
    present = {name: (run, count) for name, (run, count) in runners.items() if run is not None}
    for run, _ in present.values():
        run()  # once for nothing: processes start, weights are read
    best: dict[str, float] = {}
    for _ in range(options.rounds):
        for name, (run, count) in present.items():
            best[name] = max(best.get(name, 0.0), count / seconds(run))
    parser.close()
    per_cpu = cpu_rates(options.parser, options.spacy, sentences[:500], options.rounds)
    text = "\n\n".join(sentences)
    everything = ("--parser", options.parser, "--format", "jsonl")
    bare, whole = cold_start(options.parser, 7)
    return {
        "sentences": len(sentences),
        "sentences per second, two cores": best,
        "ratios of tupelo": {name: best["tupelo"] / value for name, value in best.items()},
        "sentences per second of CPU, one thread": per_cpu,
        "ratios of tupelo per second of CPU": {name: per_cpu["tupelo"] / value for name, value in per_cpu.items()},
        "cold start, seconds": {"python and onnxruntime": bare, "tupelo analyze": whole, "ratio": whole / bare},
        "peak memory, MB": {
            "the sample": peak_megabytes(text, *everything),
            "one line of 5,000 words": peak_megabytes("word , " * 2500, *everything, "--pretokenized"),
            "300 kB without a line break": peak_megabytes(" ".join(sentences * 20)[:300_000], *everything),
        },
    }


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--spacy", metavar="FOLDER", help="a spaCy model: the name of a package, or a folder")
    arguments.add_argument("--sentences", type=int, default=1000)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--parser", default="en", help="the model to measure")
    arguments.add_argument("--json", action="store_true")
    options = arguments.parse_args()
    result = measure(options)
    if options.json:
        print(json.dumps(result, indent=2))
        return
    for title, figures in result.items():
        if isinstance(figures, dict):
            print(title)
            for name, figure in figures.items():
                print(f"  {name:34} {figure:10.2f}")
        else:
            print(f"{title}: {figures}")


if __name__ == "__main__":
    main()
