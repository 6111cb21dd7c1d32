"""Fits the scorers of who is who, the weights in `names/weights.toml`.

    python -m tupelo_training.names.fit --data ../shared/data --work FOLDER [--output src/tupelo/names/weights.toml] \
        [--sections pronouns descriptions]

Every decision is one of choosing between candidates or none of them, a conditional logit: a name of a document and
the fuller names that it may be a form of; a pronoun and its antecedents; a description of an
organization and the names before it; a name of one document and fuller names of
others. Documents are halves of articles of Re-DocRED dev, but for its part `held-out`; worlds (`worlds.py`); for
pronouns, GUM train and dev, as far as the licence allows commercial use, and GAP development, of which the parser has
learned its clusters from all but GUM dev. `pairs.toml` has further pairs, `judged.tsv` those that readers judged,
with the features that they had. Sentences are kept in the folder `work`. Decisions across documents depend on those
within, so that a second run, with the first one's weights in place, is needed.

Of other articles, candidates across documents are wrong for people, and for everything else where the articles share
no name; others are left out, since articles share places and organizations. Printed are precision, recall and
calibration of folds: each written world by itself, and all else in five parts by document.
"""

from __future__ import annotations

import tomllib
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb
import numpy as np
from numpy.typing import NDArray

from benchmarks.worlds import World
from tupelo import Graph
from tupelo.graph.build.assign import FIELDS
from tupelo.graph.build.assign import referents_of as referents_of_rows
from tupelo.names.antecedents import Antecedent, Antecedents
from tupelo.names.data import numbers, sections
from tupelo.names.linking import Aliases, StoredReferent
from tupelo.names.linking.clusters import ReferentCluster, divide, grouped
from tupelo.names.linking.link import Choice, FullerNames
from tupelo.names.linking.profiles import profile_of
from tupelo.names.namesakes import NamePairs, PassageName, find_names, gathered, mentions_of_anchors
from tupelo.names.referents import find_referents
from tupelo.names.wordings import make_wording
from tupelo.nlp.syntax import DependencyTree
from tupelo_training.names.labelled import (
    LabelledDocument,
    ambiguous_pronouns,
    articles,
    documents_of,
    source_of,
    starts_of,
    treebank,
)
from tupelo_training.names.worlds import filled_world, written_worlds
from tupelo_training.options import option_parser

SECTIONS = ("within", "pronouns", "across", "descriptions")
FOLDS = 5
# Strength of the prior by section: weights are normally distributed around zero.
PENALTY = {"within": 2.0, "pronouns": 2.0, "descriptions": 2.0, "across": 5.0}
FILLED = (0, 2, 4, 6)
# Written worlds are the kind of text that graphs are made of. Chosen with one of them left out at a time.
WEIGHTS = {"articles": 0.5, "world": 3.0, "filled": 1.0, "pair": 3.0, "judged": 2.0, "gum": 1.0, "gap": 0.5}
WEIGHTS_ACROSS = WEIGHTS | {"articles": 1.0, "filled": 0.2, "pair": 6.0}
STEPS = 400
# Smaller weights are left out.
LEAST_WEIGHT = 0.02
PAIRS = Path(__file__).with_name("pairs.toml")
JUDGED = Path(__file__).with_name("judged.tsv")
CARD = """# Weights of the scorers of who is who: logarithms of odds, fitted by `tupelo_training.names.fit`, whose
# opening says on what. Within documents, for pronouns, and across documents.
"""
# Kinds of forms of which two articles may well mean the same thing, whatever else they name.
_SURE_KINDS = frozenset(["company", "stated"])
# The least probability of each decision.
LEAST = {
    "within": numbers("namesakes")["least"],
    "pronouns": numbers("antecedents")["least"],
    "descriptions": numbers("antecedents")["described"],
    "across": numbers("link")["least"],
}

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Decision:
    """Candidates by their features, the numbers of the right ones, if any, its document and its source."""

    candidates: tuple[Mapping[str, float], ...]
    right: frozenset[int]
    group: str
    source: str


def within(document: LabelledDocument) -> Iterator[Decision]:
    """The decisions on the names of a document."""
    mentions = mentions_of_anchors(document.trees, document.anchors)
    _, pairs = gathered(document.trees, document.anchors, mentions)

    def entity(name: PassageName) -> str | None:
        found = {document.entity(text) for text in name.spellings} - {None}
        return found.pop() if len(found) == 1 else None

    for name in pairs.names:
        own, found = entity(name), pairs.of(name)
        known = [(pair, entity(pair.other)) for pair in found]
        if own is not None and found and all(other is not None for _, other in known):
            right = frozenset(number for number, (_, other) in enumerate(known) if other == own)
            yield Decision(tuple(pair.features for pair, _ in known), right, document.name, document.source)


def written_within() -> Iterator[Decision]:
    """The decisions of the section `within` of `pairs.toml`, two names, perhaps of one sentence."""
    for number, (full, label, short, other, is_one, *said) in enumerate(_pairs()["within"]):
        names = []
        for place, wording in enumerate([make_wording(full, label), make_wording(short, other)]):
            at = [(0 if said else place, 0)]
            names.append(PassageName(wording, Counter([wording.label]), Counter([wording.text]), places=at))
        both = names[0], names[1]
        for pair in NamePairs(names, dict.fromkeys([both], said[0]) if any(said) else {}).of(names[1]):
            yield Decision((pair.features,), frozenset([0]) if is_one else frozenset(), f"pair {number}", "pair")


def judged_within() -> Iterator[Decision]:
    """The pairs of `judged.tsv`."""
    for number, line in enumerate(JUDGED.read_text("utf-8").splitlines()):
        if not line.startswith("#"):
            source, label, _, _, *features = line.split("\t")
            values = {name: float(value or 1) for name, _, value in (one.partition("=") for one in features)}
            right = frozenset([0]) if label == "same" else frozenset[int]()
            yield Decision((values,), right, f"judged {number}", f"judged {source}")


def _pairs() -> Mapping[str, Any]:
    return tomllib.loads(PAIRS.read_text("utf-8"))


def pronouns(document: LabelledDocument, has_clusters: bool, descriptions: bool = False) -> Iterator[Decision]:
    """The decisions on the pronouns or `descriptions` of a document, each made rightly before the next."""
    trees = document.trees
    if not has_clusters:
        trees = [DependencyTree(replace(tree.analysis, mentions=None)) for tree in trees]
    mentions = mentions_of_anchors(trees, document.anchors)
    names = find_names(trees, document.anchors, mentions)
    known = Antecedents(trees, document.anchors, names, mentions)
    ends = {end: entity for (_, end), entity in document.places.items()}
    starts = starts_of(document.analyses) if document.source.startswith("gum") else None

    def place(number: int, first: int, last: int) -> tuple[int, int]:
        analysis = document.analyses[number]
        span = analysis.span(first, last)
        if starts is None:
            return analysis.start + span.start, analysis.start + span.end
        ink = [sum(not letter.isspace() for letter in analysis.text[:at]) for at in (span.start, span.end)]
        return starts[number] + ink[0], starts[number] + ink[1]

    def entities(one: Antecedent) -> Counter[str]:
        found = Counter[str]()
        for number, word in one.places:
            for last in range(word + 1, min(word + 5, trees[number].size + 1)):
                if (entity := ends.get(place(number, word, last)[1])) is not None:
                    found[entity] += 1
                    break
        return found

    for number, mention in list(known.descriptions()) if descriptions else ():
        own, choices = ends.get(place(number, mention.head, mention.head + 1)[1]), known.names_for(number, mention)
        counted = [Counter[str]() if own is None else entities(one) for one, _ in choices]
        right = frozenset(at for at, one in enumerate(counted) if one and one.most_common(1)[0][0] == own)
        if choices:
            yield Decision(tuple(features for _, features in choices), right, document.name, document.source)
        if right:
            known.describe(number, mention, choices[min(right)][0])
    for number, index in () if descriptions else known.pronouns():
        own = document.places.get(place(number, index, index + 1))
        if own is None:
            continue
        found = known.candidates((number, index))
        right = frozenset(
            at
            for at, (one, _) in enumerate(found)
            if (counts := entities(one)) and counts.most_common(1)[0][0] == own
        )
        if found:
            yield Decision(tuple(features for _, features in found), right, document.name, document.source)
        if right:
            known.assign((number, index), found[min(right)][0])


def referents_of(document: LabelledDocument) -> Iterator[StoredReferent]:
    _, referents = find_referents(document.analyses, document.anchors, document.trees)
    for one in referents:
        if one.kind == "entity":
            yield StoredReferent(
                f"{document.name} {one.number}",
                document.name,
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


def linked(
    documents: Sequence[LabelledDocument], referents: Sequence[StoredReferent], source: str
) -> Iterator[Decision]:
    """The decisions on the names of some documents, which are linked together."""
    known = {document.name: document for document in documents}
    entities: dict[str, str | None] = {}
    for one in referents:
        found = Counter(entity for name in one.names if (entity := known[one.document_id].entity(name)))
        entities[one.referent_id] = found.most_common(1)[0][0] if found else None
    groups = {name: name if source == "articles" else source for name in known}
    yield from across(referents, entities, groups, source)


def in_graph(world: World) -> list[StoredReferent]:
    """The referents of the documents of a world as a graph of them has them, with headers, tables and speakers."""
    with TemporaryDirectory() as folder:
        world.write(Path(folder, "documents"))
        with Graph.build(Path(folder, "documents"), Path(folder, "kg.duckdb")):
            pass
        with duckdb.connect(str(Path(folder, "kg.duckdb")), read_only=True) as connection:
            names = dict(connection.execute("SELECT document_id, source FROM documents").fetchall())
            rows = connection.execute(f"SELECT {FIELDS} FROM referents WHERE kind = 'entity'").fetchall()
    found = referents_of_rows(rows)
    return [replace(one, document_id=f"{world.name} {Path(names[one.document_id]).name}") for one in found]


def written() -> Iterator[Decision]:
    """The decisions of `pairs.toml`."""
    for number, pair in enumerate(_pairs()["pair"]):
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
                # Of equal names, that with fewer mentions is compared.
                (1 + min(place, 1),) * (1 + len(also[place])),
                ("same name", *["short name"] * len(also[place])),
                context=tuple(around[place]),
            )
            for place, (name, label) in enumerate([pair["name"], *pair["candidates"]])
        ]
        entities: dict[str, str | None] = {one.referent_id: "" for one in found}
        entities |= {found[0].referent_id: "right"}
        if pair["right"] >= 0:
            entities[found[pair["right"] + 1].referent_id] = "right"
        yield from list(across(found, entities, {one.document_id: f"pair {number}" for one in found}, "pair"))[:1]


def across(
    referents: Sequence[StoredReferent], entities: Mapping[str, str | None], sources: Mapping[str, str], source: str
) -> Iterator[Decision]:
    """The decisions of linking, each made rightly before the next."""
    documents: defaultdict[str, list[str]] = defaultdict(list)
    for one in referents:
        documents[one.document_id] += [one.name, *one.context]
    profiles = sorted((profile_of(one, Aliases()) for one in referents), key=lambda one: one.id)
    clusters = [c for key, own in grouped(profiles, lambda one: one.key) for c in divide(key, own)]
    fuller = FullerNames(clusters, documents)

    def is_of(cluster: ReferentCluster, entity: str) -> bool:
        found = Counter(entities[one.id] for one in cluster.members)
        return found.most_common(1)[0][0] == entity

    def is_judged(choice: Choice, article: str) -> bool:
        is_own = any(sources[one.document_id][:3] == article for one in choice.cluster.members)
        is_apart = bool(choice.features[f"{choice.kind}, no name shared"]) and choice.kind not in _SURE_KINDS
        return source != "articles" or is_own or choice.cluster.thing == "person" or is_apart

    for _ in range(2):
        for profile, choices in fuller.choices():
            entity, name = entities[profile.id], sources[profile.document_id]
            kept = [one for one in choices if entity and is_judged(one, name[:3])]
            if not entity or not kept:
                continue
            right = next((place for place, one in enumerate(kept) if is_of(one.cluster, entity)), -1)
            chosen = frozenset([right]) if right >= 0 else frozenset[int]()
            yield Decision(tuple(one.features for one in kept), chosen, name, source)
            if right >= 0:
                fuller.assign(profile, kept[right], 1.0)


def fit(found: Sequence[Decision], section: str) -> dict[str, float]:
    """Weights of a conditional logit with the choice of none, whose score is zero."""
    from scipy.optimize import minimize

    names = sorted({name for one in found for features in one.candidates for name in features})
    places = {name: place for place, name in enumerate(names)}
    rows = [features for one in found for features in one.candidates]
    matrix = np.zeros((len(rows), len(names)))
    for number, features in enumerate(rows):
        for name, value in features.items():
            matrix[number, places[name]] = value
    owner = np.repeat(np.arange(len(found)), [len(one.candidates) for one in found])
    is_right = np.array([place in one.right for one in found for place in range(len(one.candidates))])
    is_none = np.array([not one.right for one in found])
    weights, penalty = WEIGHTS_ACROSS if section == "across" else WEIGHTS, PENALTY[section]
    weight = np.array([weights[one.source.split(" ")[0]] for one in found])

    def loss(values: Array) -> tuple[float, Array]:
        odds = np.exp(np.clip(matrix @ values, -30, 30))
        total = 1.0 + np.bincount(owner, odds, len(found))
        right = is_none + np.bincount(owner, odds * is_right, len(found))
        value = float(weight @ (np.log(total) - np.log(right)) + penalty / 2 * values @ values)
        slope = weight[owner] * odds * (1 / total[owner] - is_right / right[owner])
        return value, matrix.T @ slope + penalty * values

    result = minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B", options={"maxiter": STEPS})
    return {name: round(float(value), 3) for name, value in zip(names, result.x, strict=True)}


def chosen_by(weights: Mapping[str, float], decision: Decision, least: float) -> tuple[int, float]:
    """The choice, -1 for none, and its probability; several right candidates of one decision count together."""
    odds = [
        np.exp(min(sum(weights.get(name, 0.0) * value for name, value in one.items()), 30.0))
        for one in decision.candidates
    ]
    best = int(np.argmax(odds))
    alike = [place for place in decision.right if best in decision.right] or [best]
    probability = float(sum(odds[place] for place in alike) / (1 + sum(odds)))
    return (best, probability) if probability >= least else (-1, 1 - float(sum(odds) / (1 + sum(odds))))


def report(title: str, section: str, judged: Iterable[tuple[Mapping[str, float], Decision]]) -> None:
    """Print precision, recall and calibration of decisions by weights that were fitted on others."""
    counts: Counter[str] = Counter()
    bins: defaultdict[int, list[bool]] = defaultdict(list)
    for weights, one in judged:
        choice, probability = chosen_by(weights, one, LEAST[section])
        counts.update(all=1, right=choice in one.right, chosen=choice >= 0, possible=bool(one.right))
        if choice >= 0:
            bins[min(int(probability * 10), 9)].append(choice in one.right)
    print(
        f"{title}: {counts['all']} decisions, precision {counts['right'] / max(1, counts['chosen']):.3f}, "
        f"recall {counts['right'] / max(1, counts['possible']):.3f}; "
        + ", ".join(
            f"{number / 10:.1f}: {np.mean(found):.2f} of {len(found)}" for number, found in sorted(bins.items())
        )
    )


def folds(found: Sequence[Decision], section: str) -> Iterator[tuple[Mapping[str, float], Decision]]:
    """Each decision with weights that were fitted on other worlds, or on other documents."""
    folds_of = [one.source if one.source.startswith("world") else sum(map(ord, one.group)) % FOLDS for one in found]
    for fold in dict.fromkeys(folds_of):
        weights = fit([one for one, other in zip(found, folds_of, strict=True) if other != fold], section)
        yield from ((weights, one) for one, other in zip(found, folds_of, strict=True) if other == fold)


def decisions(data: Path, work: Path, sections: Collection[str]) -> Iterator[tuple[str, list[Decision]]]:
    """The decisions of each of these sections."""
    halves = list(articles(data, work)) if {"within", "across"} & {*sections} else []
    found = [*written_worlds(), *map(filled_world, FILLED)]
    inside = {world.name: list(documents_of(world, work)) for world in found}
    every = [one for own in inside.values() for one in own]
    if "within" in sections:
        of_documents = (one for document in (*halves, *every) for one in within(document))
        yield "within", [*of_documents, *written_within(), *judged_within()]
    if {"pronouns", "descriptions"} & {*sections}:
        bank = [one for part in ("train", "dev") for one in treebank(data, part, work)]
        every = [*bank, *ambiguous_pronouns(data, work), *every]
    if "pronouns" in sections:
        yield "pronouns", [one for document in every for has in (True, False) for one in pronouns(document, has)]
    if "descriptions" in sections:
        yield "descriptions", [one for each in every for one in pronouns(each, True, descriptions=True)]
    if "across" in sections:
        of_articles = linked(halves, [one for document in halves for one in referents_of(document)], "articles")
        of_worlds = (linked(inside[world.name], in_graph(world), source_of(world)) for world in found)
        yield "across", [*of_articles, *chain.from_iterable(of_worlds), *written()]


def lines_of(section: str, weights: Mapping[str, float]) -> Iterator[str]:
    """The lines of a section of the file of weights."""
    yield f"[{section}]\n"
    yield from (f'"{name}" = {value}\n' for name, value in sorted(weights.items()) if abs(value) >= LEAST_WEIGHT)


def main() -> None:
    parser = option_parser(__doc__, "data", "work", output="file of weights")
    parser.add_argument("--sections", nargs="+", choices=SECTIONS, default=SECTIONS, help="others stay as they are")
    given = parser.parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    fitted = {name: list(lines_of(name, weights)) for name, weights in sections("weights.toml").items()}
    for section, found in decisions(given.data, given.work, given.sections):
        judged = list(folds(found, section))
        for source in sorted({one.source for one in found}):
            report(f"{section}, {source}", section, (pair for pair in judged if pair[1].source == source))
        fitted[section] = list(lines_of(section, fit(found, section)))
    if given.output is not None:
        lines = chain.from_iterable(fitted[name] for name in SECTIONS)
        given.output.write_text("".join([CARD, *lines]), "utf-8")


if __name__ == "__main__":
    main()
