"""Fit the heads of the default method of canonicalization, choose its thresholds, and measure it two-fold.

    python -m tupelo_training.canon.fit --data combo.dev.json --documents DATA --report
    python -m tupelo_training.canon.fit --data combo.dev.json --documents DATA --output src/tupelo/models/en-canon
    python -m tupelo_training.canon.fit --data combo.dev.json --documents DATA --output … --entities

The report fits on one half of the file and measures on the other, in both directions. Halves share no sentence and
no subject entity, as COMBO's own parts do; they share relations and classes, as those do. Thresholds come from
inside the half that is fitted on: it is halved again, heads of each inner half cut the other one, and the threshold
with the best mean is taken. For relations, whose distributions grow sharper with more data, five inner parts each
get their vectors from heads of the other four, and are cut together. `--unseen` also measures relations when the
halves share no relation at all, `--judged` those that never saw a label of COMBO, the default and the wide ones.
Entities have no threshold to choose: pairs that are more probably one than two are merged. Their head is also fitted
on names of running text (`canon.documents`), with weights of its own for text with capitals; DATA is the folder of
these. `--entities` writes their head alone, `entities.json`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from benchmarks import results
from papers.combo import clusters_of, gold_clusters, rate_flat, rate_tree
from papers.folds import folds, two_folds
from papers.hierarchies import tree_of
from tupelo.api.resources import open_support
from tupelo.canon.context import Array, Context, read_context
from tupelo.canon.cuts import VectorCut
from tupelo.canon.heads import ENTITIES, ENTITY_ARRAYS, FORMAT, Heads
from tupelo.canon.methods.tupelo import JUDGED, NOUNS, WIDE, JointMentions
from tupelo.canon.relations import LARGEST_DOUBT, WIDE_THRESHOLD, JudgedRelations, wide_relations
from tupelo.core.canonical import SUBTASKS, GoldLabels
from tupelo.io.triples import read_triples
from tupelo.nlp.encoder import load_encoder
from tupelo_training.canon.documents import document_pools
from tupelo_training.canon.heads import Arrays, Pool, as_shipped, fit_all, fit_entities, fit_relations
from tupelo_training.options import option_parser, write_checksums
from tupelo_training.vector_files import tensor_parts

VERSION = "1.0.0"
# How much the plain states count beside the heads' own vectors, and how much an entity's mentions share their types.
WEIGHTS = {"relation_plain": 0.3, "type_plain": 0.6, "type_entity": 0.5}
VECTOR_GRID = tuple(round(0.02 * step, 2) for step in range(5, 48))
# Before thresholds are known, types need some clustering of entities to share among.
PROVISIONAL = {"subject": 0.5, "object": 0.5}
# Entities are cut where a merge is as likely right as wrong. The slope makes certainty about 1 - distance.
ENTITY_THRESHOLD = 0.5
ENTITY_SLOPE = 0.38
# That two names are of one thing, by why (`nlp.naming.same`): the share of right pairs in COMBO's development part,
# in 140 documents of Re-DocRED's and in GUM's training part, with one right and one wrong pair added.
BY_NAME = {
    "spelling": 0.95,
    "alias": 0.85,
    "acronym": 0.94,
    "place": 0.71,
    "initials": 0.91,
    "nickname": 0.75,
    "short name": 0.8,
    "surname": 0.7,
}
# Neighbouring thresholds vote: a single high value is luck.
_WINDOW = 2


def make_heads(arrays: Arrays, thresholds: dict[str, float], slopes: dict[str, float] | None = None) -> Heads:
    """Heads as the package would read them: in half precision."""
    rounded = {name: array.astype(np.float32) for name, array in as_shipped(arrays).items()}
    settings = {"version": VERSION, "thresholds": thresholds, "slopes": slopes or {}, "by_name": BY_NAME} | WEIGHTS
    return Heads(rounded, settings)


def part_of(context: Context, ids: Sequence[str]) -> Context:
    places = {mention.id: row for row, mention in enumerate(context.mentions)}
    return context.part([places[number] for number in ids])


def halves(context: Context, gold: GoldLabels) -> tuple[Context, Context]:
    left, right = (part_of(context, [m.id for m in part]) for part in two_folds(context.mentions, gold))
    return left, right


def curve(prepared: JointMentions, context: Context, gold: GoldLabels, subtask: str) -> Array:
    """The average that the paper reports, at every threshold of the grid."""
    members = [mention.id for mention in context.mentions]
    truth = gold_clusters({member: gold[subtask][member] for member in members})
    cut = prepared.subtask(subtask)
    values = [
        rate_flat(subtask, truth, clusters_of(cut.labels(threshold), members))["average"] for threshold in VECTOR_GRID
    ]
    return np.array(values)


def choose_thresholds(context: Context, gold: GoldLabels, documents: Sequence[Pool] = ()) -> dict[str, float]:
    """From heads of each half, cutting the other half."""
    parts = halves(context, gold)
    curves: dict[str, list[Array]] = {subtask: [] for subtask in SUBTASKS if subtask not in NOUNS}
    for fitted, held in (parts, parts[::-1]):
        prepared = JointMentions(held, make_heads(fit_all(fitted, gold, documents), PROVISIONAL))
        for subtask in curves:
            if subtask != "relation":
                curves[subtask].append(curve(prepared, held, gold, subtask))
    curves["relation"] = [relation_curve(context, gold)]
    chosen = {
        subtask: float(VECTOR_GRID[int(np.argmax(smooth(np.mean(found, axis=0))))])
        for subtask, found in curves.items()
    }
    return chosen | dict.fromkeys(NOUNS, ENTITY_THRESHOLD)


def relation_curve(context: Context, gold: GoldLabels, count: int = 5) -> Array:
    """The average at every threshold when each part gets its vectors from heads of the other parts."""
    members = [mention.id for mention in context.mentions]
    classes = sorted({min(gold["relation"][member]) for member in members})
    rows: dict[str, Array] = {}
    for held in folds(context.mentions, gold, count):
        ids = {mention.id for mention in held}
        rest = part_of(context, [member for member in members if member not in ids])
        heads = make_heads(fit_relations(rest, gold, classes=classes), {})
        own = part_of(context, [mention.id for mention in held])
        rows |= {m.id: row for m, row in zip(own.mentions, heads.relation_vectors(own), strict=True)}
    cut = VectorCut(np.stack([rows[member] for member in members]))
    truth = gold_clusters({member: gold["relation"][member] for member in members})
    values = [
        rate_flat("relation", truth, clusters_of(cut.labels(threshold), members))["average"]
        for threshold in VECTOR_GRID
    ]
    return np.array(values)


def smooth(values: Array) -> Array:
    padded = np.pad(values, _WINDOW, mode="edge")
    return np.convolve(padded, np.ones(2 * _WINDOW + 1) / (2 * _WINDOW + 1), mode="valid")


def choose_slopes(context: Context, gold: GoldLabels, heads: Heads) -> dict[str, float]:
    """How quickly pairs stop being right with distance: a logistic curve over pairs of mentions of each subtask."""
    from tupelo_training.canon.heads import logistic

    prepared = JointMentions(context, heads)
    random = np.random.default_rng(0)
    slopes = {}
    for subtask, slot in SUBTASKS.items():
        if subtask in NOUNS:
            slopes[subtask] = ENTITY_SLOPE
            continue
        vectors = prepared.relation_vectors if subtask == "relation" else prepared.type_vectors(slot)
        first, second = random.integers(0, len(vectors), (2, 60_000))
        lengths = np.linalg.norm(vectors, axis=1)
        cosines = np.einsum("ij,ij->i", vectors[first], vectors[second]) / lengths[first] / lengths[second]
        ids = [mention.id for mention in context.mentions]
        same = [bool(gold[subtask][ids[a]] & gold[subtask][ids[b]]) for a, b in zip(first, second, strict=True)]
        weights, _ = logistic((1 - cosines).astype(np.float32)[:, None], np.array(same, dtype=np.float32), 1e-6)
        slopes[subtask] = round(float(1 / max(-weights[0], 1e-3)) / heads.threshold(subtask), 4)
    return slopes


def measure(prepared: JointMentions, context: Context, gold: GoldLabels, heads: Heads) -> dict[str, dict[str, Any]]:
    members = [mention.id for mention in context.mentions]
    found = {}
    for subtask in SUBTASKS:
        truth = gold_clusters({member: gold[subtask][member] for member in members})
        cut = prepared.subtask(subtask)
        threshold = heads.threshold(subtask)
        found[subtask] = rate_flat(subtask, truth, clusters_of(cut.labels(threshold), members))
        found[subtask]["threshold"] = threshold
        if subtask.endswith("-type"):
            tree = tree_of(cut)
            assert tree is not None
            found[subtask] |= rate_tree(truth, members, tree.children())
    return found


def report(context: Context, gold: GoldLabels, documents: Sequence[Pool] = ()) -> dict[str, dict[str, Any]]:
    """Fitted on one half, measured on the other, the mean of both directions."""
    parts = halves(context, gold)
    ways = []
    for fitted, held in (parts, parts[::-1]):
        heads = make_heads(fit_all(fitted, gold, documents), choose_thresholds(fitted, gold, documents))
        ways.append(measure(JointMentions(held, heads), held, gold, heads))
    return {
        subtask: {name: float(np.mean([way[subtask][name] for way in ways])) for name in ways[0][subtask]}
        for subtask in SUBTASKS
    }


def report_untaught(context: Context, gold: GoldLabels) -> dict[str, dict[str, float]]:
    """Relations without a label of COMBO, judged (the default) and wide: the mean of both halves."""
    found: dict[str, list[dict[str, Any]]] = {JUDGED: [], WIDE: []}
    for held in halves(context, gold):
        members = [mention.id for mention in held.mentions]
        truth = gold_clusters({member: gold["relation"][member] for member in members})
        judged = JudgedRelations(held.mentions, held.block("relation:6"), open_support()).labels(LARGEST_DOUBT)
        wide = wide_relations(held).labels(WIDE_THRESHOLD)
        for name, labels in ((JUDGED, judged), (WIDE, wide)):
            found[name].append(rate_flat("relation", truth, clusters_of(labels, members)))
    return {
        kind: {name: float(np.mean([way[name] for way in ways])) for name in ways[0]} for kind, ways in found.items()
    }


def report_unseen(context: Context, gold: GoldLabels) -> dict[str, float]:
    """Relations when no relation of one half is in the other; the threshold is the one of the fitted half."""
    names = sorted({min(labels) for labels in gold["relation"].values()})
    sides = (set(names[::2]), set(names[1::2]))
    parts = [
        part_of(context, [m.id for m in context.mentions if min(gold["relation"][m.id]) in side]) for side in sides
    ]
    grid = VECTOR_GRID
    learned, plain = [], []
    curves = []
    for fitted, held in (parts, parts[::-1]):
        heads = make_heads(fit_relations(fitted, gold), {})
        members = [mention.id for mention in held.mentions]
        truth = gold_clusters({member: gold["relation"][member] for member in members})
        rows = []
        for vectors in (
            heads.relation_vectors(held),
            held.block("relation:6") - held.block("relation:6").mean(axis=0),
        ):
            cut = VectorCut(vectors)
            rows.append([rate_flat("relation", truth, clusters_of(cut.labels(t), members))["average"] for t in grid])
        curves.append(np.array(rows))
    for mine, other in (curves, curves[::-1]):
        best = other.argmax(axis=1)
        learned.append(mine[0, best[0]])
        plain.append(mine[1, best[1]])
    return {"fitted heads": float(np.mean(learned)), "plain states": float(np.mean(plain))}


def write_entities(folder: Path, arrays: Arrays, checksum: str) -> None:
    """The head of entities as `canon.heads` reads it."""
    content = {
        "data_sha256": checksum,
        "threshold": ENTITY_THRESHOLD,
        "slope": ENTITY_SLOPE,
        "by_name": BY_NAME,
        **{name: [round(float(value), 5) for value in arrays[f"entity.{name}"]] for name in ENTITY_ARRAYS},
    }
    (folder / ENTITIES).write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    write_checksums(folder)


def main() -> None:
    parser = option_parser(__doc__)
    parser.add_argument("--data", type=Path, required=True, help="COMBO's JSON with gold labels")
    parser.add_argument("--documents", type=Path, help="the data folder with Re-DocRED dev and GUM's training part")
    parser.add_argument("--output", type=Path, help="folder for the heads")
    parser.add_argument("--entities", action="store_true", help="write the head of entities alone")
    parser.add_argument("--report", action="store_true", help="print the two-fold table")
    parser.add_argument(
        "--judged", action="store_true", help="also measure relations without any label of COMBO, judged and wide"
    )
    results.add_save_option(parser)
    parser.add_argument("--unseen", action="store_true", help="also measure relations that training never saw")
    options = parser.parse_args()
    torch.manual_seed(0)
    torch.set_num_threads(1)
    data = read_triples(options.data)
    encoder = load_encoder()
    context = read_context(data.mentions, encoder)
    pools = document_pools(options.documents) if options.documents else []
    documents = [(read_context(mentions, encoder), gold) for mentions, gold in pools]
    if options.output and options.entities:
        write_entities(options.output, fit_entities(context, data.gold, documents), data.checksum)
    elif options.output:
        thresholds = choose_thresholds(context, data.gold, documents)
        arrays = fit_all(context, data.gold, documents)
        slopes = choose_slopes(context, data.gold, make_heads(arrays, thresholds))
        options.output.mkdir(parents=True, exist_ok=True)
        labels = sorted({min(labels) for labels in data.gold["relation"].values()})
        config = {
            "format": FORMAT,
            "name": "tupelo-en-canon",
            "version": VERSION,
            "encoder": "en-encoder",
            "data_sha256": data.checksum,
            **WEIGHTS,
            "thresholds": thresholds,
            "slopes": slopes,
            "relations": labels,
        }
        (options.output / "config.json").write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")
        (options.output / "heads.safetensors").write_bytes(b"".join(tensor_parts(as_shipped(arrays))))
        write_entities(options.output, arrays, data.checksum)
    if options.report:
        for subtask, figures in report(context, data.gold, documents).items():
            shown = "  ".join(f"{name} {value:.4f}" for name, value in figures.items())
            print(f"{subtask:13} {shown}", flush=True)
    if options.judged:
        untaught = report_untaught(context, data.gold)
        print(json.dumps(untaught), flush=True)
        if options.save:
            columns = ("micro", "pair", "average")
            rows = [
                [f"`{kind}`", *(f"{100 * found[column]:.1f}" for column in columns)]
                for kind, found in untaught.items()
            ]
            results.save("canonicalization-relations-untaught", ["relations", *columns], rows)
    if options.unseen:
        print(json.dumps(report_unseen(context, data.gold)))


if __name__ == "__main__":
    main()
