"""Fits the scorer of who is who, the weights in `names/weights.toml`.

    python -m tupelo_training.names.fit --data ../shared/data --work FOLDER [--output src/tupelo/names/weights.toml]

Articles of Re-DocRED dev, but for the part `held-out`, are divided into halves, which are documents of their own, so
that entities occur in several. The business corpus is `develop`, read from its graph. Sentences and graph are kept in
the folder `work`. `pairs.toml` has pairs that were written for this.

Across documents, each referent that may stand for a fuller name chooses one candidate or none: a conditional logit.
Candidates of other articles are wrong for people, and left out for everything else, since articles share places and
organizations. Five folds by article give the accuracy that is printed.
"""

from __future__ import annotations

import gzip
import json
import pickle
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, TypeVar

import duckdb
import numpy as np
from numpy.typing import NDArray

import tupelo
from benchmarks.graph_redocred import TYPES, plain, raw_text
from benchmarks.who_is_who import NAMED, WORLDS, wording
from tupelo.core import Analysis
from tupelo.names.data import numbers
from tupelo.names.linking import Aliases, StoredReferent
from tupelo.names.linking.clusters import ReferentCluster, divide, grouped
from tupelo.names.linking.link import Choice, FullerNames
from tupelo.names.linking.profiles import profile_of
from tupelo.names.proper_names import proper_names
from tupelo.names.referents import find_referents
from tupelo.nlp.syntax import DependencyTree
from tupelo_training.facts.sources import part_of
from tupelo_training.options import option_parser

FOLDS = 5
# Strength of the prior: weights are normally distributed around zero.
PENALTY = 1.0
# The business corpus and the written pairs are small, and the kind of text that graphs are made of.
BUSINESS_WEIGHT = 4.0
STEPS = 400
# The probability with which names are linked.
LEAST = numbers("link")["least"]
PAIRS = Path(__file__).with_name("pairs.toml")
CARD = """# Weights of the scorer of who is who: logarithms of odds, fitted by `tupelo_training.names.fit` on halves
# of 400 articles of Re-DocRED dev (none of its held-out 100), the business corpus `develop`, and written pairs.
"""

Array = NDArray[np.float64]
Key = TypeVar("Key")


@dataclass(frozen=True, slots=True)
class Decision:
    """Candidates by their features, the number of the right one (-1 for none), its article and its weight."""

    candidates: tuple[Mapping[str, float], ...]
    right: int
    group: str
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Half:
    """Half of an article: its sentences, and the entities of its names."""

    name: str
    analyses: list[Analysis]
    gold: Mapping[str, str]


def halves(data: Path, stored: Path) -> list[Half]:
    """The halves of articles, parsed, or as they were stored."""
    if stored.exists():
        return list(pickle.loads(stored.read_bytes()))  # noqa: S301 - written below
    nlp = tupelo.load()
    with gzip.open(data / "redocred/dev_revised.json.gz", "rt", encoding="utf-8") as stream:
        items = [item for item in json.load(stream) if part_of(item["title"]) != "held-out"]
    found = []
    for number, item in enumerate(items):
        middle = len(item["sents"]) // 2
        for half, sentences in enumerate((range(middle), range(middle, len(item["sents"])))):
            owners: defaultdict[str, set[str]] = defaultdict(set)
            for entity, mentions in enumerate(item["vertexSet"]):
                for mention in mentions:
                    if mention["sent_id"] in sentences and mention["type"] in TYPES:
                        owners[plain(mention["name"])].add(f"{number:03} {entity}")
            text = " ".join(raw_text(item["sents"][place]) for place in sentences)
            analyses = list(nlp.analyze(text, constituents=False, coreference=True))
            gold = {name: next(iter(own)) for name, own in owners.items() if len(own) == 1}
            found.append(Half(f"{number:03}-{half}", analyses, gold))
    stored.write_bytes(pickle.dumps(found))
    return found


def referents_of_half(half: Half) -> Iterator[StoredReferent]:
    trees = [DependencyTree(analysis) for analysis in half.analyses]
    _, referents = find_referents(half.analyses, [list(proper_names(tree)) for tree in trees], trees)
    for one in referents:
        if one.kind == "entity":
            yield StoredReferent(
                f"{half.name} {one.number}",
                half.name,
                one.kind,
                one.name,
                one.label,
                tuple(naming.text for naming in one.names),
                tuple(naming.mentions for naming in one.names),
                tuple(naming.reason for naming in one.names),
                one.descriptions,
                one.place,
                one.context,
            )


def business() -> dict[tuple[str, str], str]:
    """The entities of the names in the business corpus `develop`."""
    owners: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for line in (WORLDS / "develop/entities.jsonl").read_text("utf-8").splitlines():
        entity = json.loads(line)
        for mention in entity["mentions"]:
            if mention["kind"] in NAMED:
                owners[mention["doc"], wording(mention["text"])].add(entity["id"])
    return {place: next(iter(found)) for place, found in owners.items() if len(found) == 1}


def referents_of(graph: Path) -> tuple[list[StoredReferent], dict[str, str]]:
    """The referents of a graph with a name, and the file names of its documents."""
    columns = ", ".join(field.name for field in fields(StoredReferent))
    with duckdb.connect(str(graph), read_only=True) as connection:
        rows = connection.execute(f"SELECT {columns} FROM referents WHERE kind = 'entity'").fetchall()
        sources = dict(connection.execute("SELECT document_id, source FROM documents").fetchall())
    values: list[list[Any]] = [[tuple(one) if isinstance(one, list) else one for one in row] for row in rows]
    referents = [StoredReferent(*row) for row in values]
    return referents, {key: Path(source).name for key, source in sources.items()}


def entity_of(names: Iterable[Key], gold: Mapping[Key, str]) -> str | None:
    """The entity of most names of a referent."""
    found = Counter(gold[name] for name in names if name in gold)
    return found.most_common(1)[0][0] if found else None


def written() -> Iterator[Decision]:
    """The decisions of `pairs.toml`."""
    for number, pair in enumerate(tomllib.loads(PAIRS.read_text("utf-8"))["pair"]):
        around = [pair.get("beside", []), *pair.get("around", [[]] * len(pair["candidates"]))]
        also = [[], *pair.get("also", [[]] * len(pair["candidates"]))]
        found = [
            StoredReferent(
                f"{number} {place}",
                "0" if place - 1 in pair.get("same", ()) else str(place),
                "entity",
                name,
                label,
                (name, *also[place]),
                (1,) * (1 + len(also[place])),
                ("same name", *["short name"] * len(also[place])),
                context=tuple(around[place]),
            )
            for place, (name, label) in enumerate([pair["name"], *pair["candidates"]])
        ]
        entities = {one.referent_id: "" for one in found}
        entities |= {found[0].referent_id: "right"}
        if pair["right"] >= 0:
            entities[found[pair["right"] + 1].referent_id] = "right"
        sources = {one.document_id: f"pair {number}" for one in found}
        yield from list(across(found, entities, sources, True))[:1]


def across(
    referents: Sequence[StoredReferent],
    entities: Mapping[str, str | None],
    sources: Mapping[str, str],
    is_business: bool,
) -> Iterator[Decision]:
    """The decisions of linking, each made rightly before the next."""
    documents: defaultdict[str, list[str]] = defaultdict(list)
    for one in referents:
        documents[one.document_id] += [one.name, *one.context]
    profiles = sorted((profile_of(one, Aliases()) for one in referents), key=lambda one: one.id)
    people = {name for profile in profiles for name in profile.names_of_person}
    clusters = [c for key, own in grouped(profiles, lambda one: one.key) for c in divide(key, own, key in people)]
    fuller = FullerNames(clusters, documents)

    def is_of(cluster: ReferentCluster, entity: str) -> bool:
        found = Counter(entities[one.id] for one in cluster.members)
        return found.most_common(1)[0][0] == entity

    for _ in range(2):
        for profile, choices in fuller.choices():
            entity = entities[profile.id]
            if not entity:
                continue
            article = sources[profile.document_id][:3]
            kept = choices if is_business else [one for one in choices if _is_judged(one, article, sources)]
            right = next((place for place, one in enumerate(kept) if is_of(one.cluster, entity)), -1)
            if not kept:
                continue
            weight = BUSINESS_WEIGHT if is_business else 1.0
            yield Decision(
                tuple(one.features for one in kept),
                right,
                f"{is_business} {sources[profile.document_id][:8]}",
                weight,
            )
            if right >= 0:
                fuller.assign(profile, kept[right], 1.0)


def _is_judged(choice: Choice, article: str, sources: Mapping[str, str]) -> bool:
    is_own = any(sources[one.document_id][:3] == article for one in choice.cluster.members)
    return is_own or choice.cluster.thing == "person"


def fit(decisions: Sequence[Decision]) -> dict[str, float]:
    """Weights of a conditional logit with the choice of none, whose score is zero."""
    names = sorted({name for one in decisions for features in one.candidates for name in features})
    places = {name: place for place, name in enumerate(names)}
    rows = [features for one in decisions for features in one.candidates]
    matrix = np.zeros((len(rows), len(names)))
    for number, features in enumerate(rows):
        for name, value in features.items():
            matrix[number, places[name]] = value
    owner = np.repeat(np.arange(len(decisions)), [len(one.candidates) for one in decisions])
    chosen = np.zeros(len(rows))
    at = 0
    for one in decisions:
        if one.right >= 0:
            chosen[at + one.right] = 1.0
        at += len(one.candidates)
    weight = np.array([one.weight for one in decisions])[owner]
    from scipy.optimize import minimize

    def loss(values: Array) -> tuple[float, Array]:
        scores = np.clip(matrix @ values, -30, 30)
        total = 1.0 + np.bincount(owner, np.exp(scores), len(decisions))
        likely = np.exp(scores) / total[owner]
        sizes = np.array([one.weight for one in decisions])
        value = float(sizes @ np.log(total) - (weight * chosen) @ scores + PENALTY / 2 * values @ values)
        return value, matrix.T @ (weight * (likely - chosen)) + PENALTY * values

    found = minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B", options={"maxiter": STEPS})
    return {name: round(float(value), 3) for name, value in zip(names, found.x, strict=True)}


def chosen_by(weights: Mapping[str, float], decision: Decision) -> tuple[int, float]:
    """The choice, and its probability."""
    scores = [
        np.exp(min(sum(weights.get(name, 0.0) * value for name, value in one.items()), 30.0))
        for one in decision.candidates
    ]
    best = int(np.argmax(scores))
    probability = float(scores[best] / (1 + sum(scores)))
    return (best, probability) if probability >= LEAST else (-1, 1 - float(sum(scores) / (1 + sum(scores))))


def report(title: str, decisions: Sequence[Decision]) -> None:
    """Print precision, recall and calibration of five folds by article."""
    counts: Counter[str] = Counter()
    bins: defaultdict[int, list[bool]] = defaultdict(list)
    for fold in range(FOLDS):
        inside = [hash_of(one.group) % FOLDS == fold for one in decisions]
        weights = fit([one for one, held in zip(decisions, inside, strict=True) if not held])
        for one, held in zip(decisions, inside, strict=True):
            if not held:
                continue
            choice, probability = chosen_by(weights, one)
            counts["right"] += choice >= 0 and choice == one.right
            counts["chosen"] += choice >= 0
            counts["possible"] += one.right >= 0
            if choice >= 0:
                bins[int(probability * 10)].append(choice == one.right)
    print(
        f"{title}: {len(decisions)} decisions, precision {counts['right'] / max(1, counts['chosen']):.3f}, "
        f"recall {counts['right'] / max(1, counts['possible']):.3f}"
    )
    for number, found in sorted(bins.items()):
        print(f"  {number / 10:.1f}: {len(found)} links, {np.mean(found):.2f} right")


def hash_of(group: str) -> int:
    return sum(ord(letter) * (place + 1) for place, letter in enumerate(group))


def main() -> None:
    parser = option_parser(__doc__, "data", "work", output="file of weights")
    given = parser.parse_args()
    parts = halves(given.data, given.work / "halves.pickle")
    referents = [one for half in parts for one in referents_of_half(half)]
    known = {half.name: half.gold for half in parts}
    entities = {one.referent_id: entity_of(map(plain, one.names), known[one.document_id]) for one in referents}
    decisions = [*across(referents, entities, {name: name for name in known}, False)]
    graph = given.work / "develop.duckdb"
    if not graph.exists():
        tupelo.Graph.build(str(WORLDS / "develop/documents"), str(graph))
    gold = business()
    referents, sources = referents_of(graph)
    entities = {
        one.referent_id: entity_of(((sources[one.document_id], wording(name)) for name in one.names), gold)
        for one in referents
    }
    decisions += across(referents, entities, sources, True)
    decisions += written()
    report("across documents", decisions)
    weights = fit(decisions)
    if given.output is not None:
        lines = [f'"{name}" = {value}\n' for name, value in sorted(weights.items()) if value]
        given.output.write_text(f"{CARD}[across]\n{''.join(lines)}", "utf-8")


if __name__ == "__main__":
    main()
