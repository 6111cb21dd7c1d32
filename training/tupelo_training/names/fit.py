"""Fits the scorers of who is who, the weights in `names/weights.toml`.

    python -m tupelo_training.names.fit --data ../shared/data --work FOLDER [--output src/tupelo/names/weights.toml]

Every decision is one of choosing between candidates or none of them, a conditional logit: a name of a document and
the fuller names that it may be a form of; a pronoun and its antecedents; a name of one document and fuller names of
others. Documents are halves of articles of Re-DocRED dev, but for its part `held-out`; worlds (`worlds.py`), of which
those with an odd number are never fitted on; for pronouns, the dev part of GUM, as far as its licence allows
commercial use. `pairs.toml` has further pairs. Sentences are kept in the folder `work`. Decisions across documents
depend on those within, so that a second run, with the first one's weights in place, is needed.

Of other articles, candidates across documents are wrong for people, and left out for everything else, since articles
share places and organizations. Printed are precision, recall and calibration of five folds by document, and on worlds
that were not fitted on.
"""

from __future__ import annotations

import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tupelo.names.antecedents import Antecedent, Antecedents
from tupelo.names.data import numbers
from tupelo.names.linking import Aliases, StoredReferent
from tupelo.names.linking.clusters import ReferentCluster, divide, grouped
from tupelo.names.linking.link import Choice, FullerNames
from tupelo.names.linking.profiles import profile_of
from tupelo.names.namesakes import NamePairs, PassageName, find_names, gathered, mentions_of_anchors
from tupelo.names.referents import find_referents
from tupelo.names.wordings import make_wording
from tupelo.nlp.syntax import DependencyTree
from tupelo_training.names.labelled import LabelledDocument, articles, starts_of, treebank, worlds
from tupelo_training.options import option_parser

FOLDS = 5
# Strength of the prior: weights are normally distributed around zero.
PENALTY = 1.0
FITTED, CHOSEN = (0, 2, 4, 6), (1, 3, 5)
# Worlds and written pairs are few, and the kind of text that graphs are made of. Worlds repeat their documents.
WEIGHTS = {"articles": 1.0, "world": 1.0, "pair": 4.0, "gum": 1.0}
STEPS = 400
PAIRS = Path(__file__).with_name("pairs.toml")
CARD = """# Weights of the scorers of who is who: logarithms of odds, fitted by `tupelo_training.names.fit`, whose
# opening says on what. Within documents, for pronouns, and across documents.
"""
# The least probability of each decision.
LEAST = {
    "within": numbers("namesakes")["least"],
    "pronouns": numbers("antecedents")["least"],
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

    @property
    def weight(self) -> float:
        return WEIGHTS[self.source.split(" ")[0]]


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
    """The decisions of the section `within` of `pairs.toml`, two names, perhaps equated in a sentence."""
    for number, (full, label, short, other, is_one, *said) in enumerate(_pairs()["within"]):
        names = []
        for place, wording in enumerate([make_wording(full, label), make_wording(short, other)]):
            at = [(0 if said else place, 0)]
            names.append(PassageName(wording, Counter([wording.label]), Counter([wording.text]), places=at))
        both = names[0], names[1]
        for pair in NamePairs(names, dict.fromkeys([both], said[0]) if said else {}).of(names[1]):
            yield Decision((pair.features,), frozenset([0]) if is_one else frozenset(), f"pair {number}", "pair")


def _pairs() -> Mapping[str, Any]:
    return tomllib.loads(PAIRS.read_text("utf-8"))


def pronouns(document: LabelledDocument, has_clusters: bool) -> Iterator[Decision]:
    """The decisions on the pronouns of a document, each made rightly before the next."""
    trees = document.trees
    if not has_clusters:
        trees = [DependencyTree(replace(tree.analysis, mentions=None)) for tree in trees]
    mentions = mentions_of_anchors(trees, document.anchors)
    names = find_names(trees, document.anchors, mentions)
    known = Antecedents(trees, document.anchors, names, mentions)
    ends = {end: entity for (_, end), entity in document.places.items()}
    starts = starts_of(document.analyses) if document.source == "gum" else None

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

    for number, index in known.pronouns():
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


def linked(documents: Sequence[LabelledDocument], source: str) -> Iterator[Decision]:
    """The decisions on the names of some documents, which are linked together."""
    referents = [one for document in documents for one in referents_of(document)]
    known = {document.name: document for document in documents}
    entities: dict[str, str | None] = {}
    for one in referents:
        found = Counter(entity for name in one.names if (entity := known[one.document_id].entity(name)))
        entities[one.referent_id] = found.most_common(1)[0][0] if found else None
    yield from across(referents, entities, {name: name for name in known}, source)


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
                (1,) * (1 + len(also[place])),
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
    people = {name for profile in profiles for name in profile.names_of_person}
    clusters = [c for key, own in grouped(profiles, lambda one: one.key) for c in divide(key, own, key in people)]
    fuller = FullerNames(clusters, documents)

    def is_of(cluster: ReferentCluster, entity: str) -> bool:
        found = Counter(entities[one.id] for one in cluster.members)
        return found.most_common(1)[0][0] == entity

    def is_judged(choice: Choice, article: str) -> bool:
        is_own = any(sources[one.document_id][:3] == article for one in choice.cluster.members)
        return source != "articles" or is_own or choice.cluster.thing == "person"

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


def fit(decisions: Sequence[Decision]) -> dict[str, float]:
    """Weights of a conditional logit with the choice of none, whose score is zero."""
    from scipy.optimize import minimize

    names = sorted({name for one in decisions for features in one.candidates for name in features})
    places = {name: place for place, name in enumerate(names)}
    rows = [features for one in decisions for features in one.candidates]
    matrix = np.zeros((len(rows), len(names)))
    for number, features in enumerate(rows):
        for name, value in features.items():
            matrix[number, places[name]] = value
    owner = np.repeat(np.arange(len(decisions)), [len(one.candidates) for one in decisions])
    is_right = np.array([place in one.right for one in decisions for place in range(len(one.candidates))])
    is_none = np.array([not one.right for one in decisions])
    weight = np.array([one.weight for one in decisions])

    def loss(values: Array) -> tuple[float, Array]:
        odds = np.exp(np.clip(matrix @ values, -30, 30))
        total = 1.0 + np.bincount(owner, odds, len(decisions))
        right = is_none + np.bincount(owner, odds * is_right, len(decisions))
        value = float(weight @ (np.log(total) - np.log(right)) + PENALTY / 2 * values @ values)
        slope = weight[owner] * odds * (1 / total[owner] - is_right / right[owner])
        return value, matrix.T @ slope + PENALTY * values

    found = minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B", options={"maxiter": STEPS})
    return {name: round(float(value), 3) for name, value in zip(names, found.x, strict=True)}


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


def folds(decisions: Sequence[Decision]) -> Iterator[tuple[Mapping[str, float], Decision]]:
    """Each decision with weights that were fitted on other documents."""
    for fold in range(FOLDS):
        inside = [sum(map(ord, one.group)) % FOLDS == fold for one in decisions]
        weights = fit([one for one, held in zip(decisions, inside, strict=True) if not held])
        yield from ((weights, one) for one, held in zip(decisions, inside, strict=True) if held)


def together(found: Sequence[list[LabelledDocument]]) -> Iterator[list[LabelledDocument]]:
    """Two worlds at a time, whose people, towns and companies may have the same names."""
    for place in range(0, len(found), 2):
        yield [one for world in found[place : place + 2] for one in world]


def main() -> None:
    parser = option_parser(__doc__, "data", "work", output="file of weights")
    given = parser.parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    halves = list(articles(given.data, given.work))
    fitted, chosen = ([list(worlds([number], given.work)) for number in which] for which in (FITTED, CHOSEN))
    inside, others = ([one for world in found for one in world] for found in (fitted, chosen))
    bank = list(treebank(given.data, "dev", given.work))
    both = (True, False)
    parts = {
        "within": (
            [*(one for document in (*halves, *inside) for one in within(document)), *written_within()],
            [one for document in others for one in within(document)],
        ),
        "pronouns": (
            [one for document in (*bank, *inside) for has in both for one in pronouns(document, has)],
            [one for document in others for has in both for one in pronouns(document, has)],
        ),
        "across": (
            [
                *linked(halves, "articles"),
                *(one for some in together(fitted) for one in linked(some, "world")),
                *written(),
            ],
            [one for some in together(chosen) for one in linked(some, "world")],
        ),
    }
    lines = [CARD]
    for section, (decisions, unseen) in parts.items():
        judged = list(folds(decisions))
        for source in WEIGHTS:
            own = [pair for pair in judged if pair[1].source.startswith(source)]
            if own:
                report(f"{section}, {source}", section, own)
        weights = fit(decisions)
        report(f"{section}, other worlds", section, ((weights, one) for one in unseen))
        lines += [f"[{section}]\n", *(f'"{name}" = {value}\n' for name, value in sorted(weights.items()) if value)]
    if given.output is not None:
        given.output.write_text("".join(lines), "utf-8")


if __name__ == "__main__":
    main()
