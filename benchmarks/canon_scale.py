"""How does clustering grow from ten thousand to a million distinct phrases? And what does the shortcut cost?

    python -m benchmarks.canon_scale [--sizes 10000 100000 1000000] [--threshold 0.35] [--json]
    python -m benchmarks.canon_scale --method tupelo [--exact] [--recall] [--stand-in] [--triples FILE]

End to end: phrases as text, duplicates removed, vectors from characters
(method `ngrams`), a graph of near neighbours, complete linkage, labels. Each
size runs in a process of its own, so that its peak memory is its own. The recall of the
graph is measured afterwards, on 500 phrases that are compared with all others.

With `--method tupelo` the default method with `--approximate` (`--exact`: without), on half as many made-up triples
as phrases, each with a short sentence, or on those of a file: reading, entities, relations and types. `--recall`: the
share of probable pairs of entities that blocks find, among those of all pairs. `--stand-in`: the encoder and the
support model are not run; subwords have random vectors, and one pair of relations in ten is supported.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar
from zlib import crc32

import numpy as np

from benchmarks.hnsw import edge_recall
from benchmarks.phrases import phrases
from tupelo.api.canonical import CanonOptions, open_resources, read_mentions
from tupelo.canon.canonicalizer import MethodCanonicalizer
from tupelo.canon.cluster.distances import check_vectors
from tupelo.canon.cluster.neighbours import neighbour_pairs
from tupelo.canon.cluster.sparse import agglomerate
from tupelo.canon.context import Context
from tupelo.canon.forms import Forms
from tupelo.canon.heads import load_heads
from tupelo.canon.methods.tupelo import JointMentions, TupeloMethod
from tupelo.core.canonical import Phrase, TripleMention
from tupelo.core.extraction import Span
from tupelo.nlp.encoder import EncodedText, States, load_encoder
from tupelo.relations.forms import families
from tupelo_training.canon.vocabulary import ngram_vectors


def peak_megabytes() -> int:
    """Of this process alone: what `resource` reports may be that of the process which started it."""
    try:
        lines = Path("/proc/self/status").read_text("utf-8").splitlines()
        return round(next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1000)
    except (OSError, StopIteration):
        return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000)


def distinct_phrases(count: int) -> list[str]:
    """About two and a half occurrences of a form are made for every distinct one."""
    made: list[str] = []
    tried = int(2.4 * count)
    while len(made) < count:
        made = list(dict.fromkeys(phrases(tried)))[:count]
        tried = int(1.2 * tried)
    return made


def measure(count: int, threshold: float) -> dict[str, Any]:
    made = distinct_phrases(count)
    laps = Laps(count)
    forms = list(dict.fromkeys(" ".join(phrase.lower().split()) for phrase in made))
    laps.lap("duplicates")
    vectors = check_vectors(ngram_vectors(forms))
    laps.lap("vectors")
    pairs = neighbour_pairs(vectors, threshold)
    laps.lap("graph")
    labels = agglomerate(len(vectors), pairs, threshold).labels(threshold)
    laps.lap("linkage")
    row: dict[str, Any] = {"phrases": len(made), "threshold": threshold, "peak_mb": peak_megabytes(), **laps.row}
    row["cpu_s"] = round(sum(laps.row.values()), 1)
    row |= {"close_pairs": len(pairs.units), "clusters": int(labels.max()) + 1}
    row["edge_recall"] = edge_recall(vectors, pairs, threshold)
    return row


RELATIONS_SEED = 1
TASK_NAMES = {"npc-e": "entities", "rpc": "relations", "npc-o": "types"}


def triples(count: int) -> list[TripleMention]:
    """Made-up names with relations of the table of families, frequent ones more often, as short sentences."""
    names = phrases(2 * count)
    relations = sorted(families().of)
    draw = random.Random(RELATIONS_SEED)
    draw.shuffle(relations)
    found = []
    for number in range(count):
        words = [names[2 * number], relations[int(len(relations) * draw.random() ** 2)], names[2 * number + 1]]
        sentence = f"{' '.join(words)}."
        starts = [0, len(words[0]) + 1, len(words[0]) + len(words[1]) + 2]
        said = [Phrase(w, Span(start, start + len(w))) for w, start in zip(words, starts, strict=True)]
        found.append(TripleMention(f"{number:07}", said[0], said[1], said[2], sentence))
    return found


class StandIn:
    """Instead of the encoder: every subword has a random vector, with the means and deviations of real states."""

    name = "stand-in"
    layers = 6

    def __init__(self) -> None:
        self._encoder = load_encoder()
        self.cut, self.join = self._encoder.cut, self._encoder.join
        self._vectors = np.random.default_rng(0).standard_normal((40_000, self._encoder.dimensions), dtype=np.float32)
        moments = load_heads().moments()
        # Layers of which nothing is known are like the fourth.
        near = [moments.get(f"own:{layer}", moments["own:4"]) for layer in range(self.layers + 1)]
        self._mean, self._deviation = (np.stack([pair[part] for pair in near]) for part in (0, 1))

    def read(self, inputs: Iterable[EncodedText]) -> Iterator[States]:
        for pieces in inputs:
            own = self._vectors[np.array(pieces.ids) % len(self._vectors)]
            # All texts have the marks at both ends.
            own[[0, -1]] = 0
            # Means over the subwords of a phrase vary less than they do.
            mixed = 3 * own + 1.5 * own.mean(axis=0)
            yield States(self._mean[:, None] + self._deviation[:, None] * mixed, pieces.offsets)


class StandInSupport:
    """Instead of the support model: one pair in ten is supported."""

    def outcomes(self, pairs: Sequence[tuple[str, str]]) -> list[tuple[float, float, float]]:
        return [(0.99, 0.0, 0.01) if crc32("\t".join(pair).encode()) % 10 == 0 else (0.0, 0.0, 1.0) for pair in pairs]


class Ready:
    """The default method, whose mentions were prepared before."""

    name: ClassVar[str] = TupeloMethod.name
    needs: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, method: TupeloMethod, prepared: JointMentions) -> None:
        self._prepared, self.thresholds, self.slope = prepared, method.thresholds, method.slope

    def prepare(self, *_: Any, **__: Any) -> JointMentions:
        return self._prepared


def measure_tupelo(count: int, options: argparse.Namespace) -> dict[str, Any]:
    mentions = list(read_mentions(options.triples, "auto", "raise")[0].mentions) if options.triples else []
    mentions = mentions[: count // 2] or triples(count // 2)
    laps = Laps(count)
    method = TupeloMethod(approximate=not options.exact)
    resources = open_resources(method, options=CanonOptions(encoder=StandIn() if options.stand_in else None))
    if options.stand_in:
        resources = replace(resources, support=StandInSupport)
    row: dict[str, Any] = {"phrases": 2 * len(mentions), "exact": options.exact, "stand_in": options.stand_in}
    mentions.sort(key=lambda mention: mention.id)
    prepared = method.prepare(mentions, resources)
    # States that are needed no more are let go, unless recall is to be measured.
    whole = prepared.context if options.recall else None
    laps.lap("reading")
    for task, name in TASK_NAMES.items():
        found = MethodCanonicalizer(Ready(method, prepared), resources, tasks=(task,)).canonicalize(mentions)
        row[name] = sum(bool(cluster.members) for cluster in found.clusters)
        laps.lap(name)
    row |= laps.row | {"peak_mb": peak_megabytes()}
    if whole is not None:
        row["pair_recall"] = pair_recall(whole)
    return row


def pair_recall(context: Context) -> float:
    """The share of pairs that are more probably one entity than two, among all pairs, that blocks find."""
    heads = load_heads()
    forms = Forms(context, ("subject", "object"), heads.moments())
    every, found = (
        set(zip(*(side.tolist() for side in heads.entity_pairs(forms, 0.5, approximate)[:2]), strict=True))
        for approximate in (False, True)
    )
    return len(every & found) / max(1, len(every))


class Laps:
    """CPU seconds of stages, by name."""

    def __init__(self, count: int) -> None:
        self.row: dict[str, float] = {}
        self._count, self._before = count, time.process_time()

    def lap(self, stage: str) -> None:
        now = time.process_time()
        self.row[f"{stage}_cpu_s"] = round(now - self._before, 2)
        print(self._count, stage, self.row[f"{stage}_cpu_s"], peak_megabytes(), "MB", file=sys.stderr, flush=True)
        self._before = now


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--threshold", type=float, default=0.35)
    parser.add_argument("--method", choices=("ngrams", "tupelo"), default="ngrams")
    parser.add_argument("--exact", action="store_true")
    parser.add_argument("--recall", action="store_true")
    parser.add_argument("--stand-in", action="store_true")
    parser.add_argument("--triples", metavar="FILE")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--here", action="store_true", help="Measure one size in this process.")
    options = parser.parse_args()
    if options.here:
        size = options.sizes[0]
        row = measure_tupelo(size, options) if options.method == "tupelo" else measure(size, options.threshold)
        print(json.dumps(row))
        return
    # Everything but the sizes is the same for each process.
    given = [argument for argument in sys.argv[1:] if argument not in ("--sizes", *map(str, options.sizes))]
    for size in options.sizes:
        command = [sys.executable, "-m", "benchmarks.canon_scale", *given, "--here", "--sizes", str(size)]
        row = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
        if options.json or options.method == "tupelo":
            print(json.dumps(row), flush=True)
        else:
            print(
                f"{row['phrases']:>9,} phrases: {row['cpu_s']:>6.1f} CPU s (vectors {row['vectors_cpu_s']}, graph "
                f"{row['graph_cpu_s']}, linkage {row['linkage_cpu_s']}), {row['peak_mb']:,} MB, "
                f"{row['close_pairs']:,} close pairs, {row['clusters']:,} clusters, "
                f"edge recall {row['edge_recall']:.4f}"
            )


if __name__ == "__main__":
    main()
