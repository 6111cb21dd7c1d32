"""The ranker of links: how probably people who read a link alone would call it right and useful.

Its networks read the features of a link and the parser's vectors of both ends and of the word that joins them. They
learned from links between things; statements with a value have a rank by their confidence and their subject.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from math import log, log1p
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tupelo.core import Extraction
from tupelo.core.numeric import sigmoid
from tupelo.core.statement import Anchor, Link, LinkedSentence, Referent
from tupelo.extract.judge.features import FEATURES, RULES
from tupelo.extract.judge.network import FORMAT, SHIPPED, Ensemble, vectors_of
from tupelo.nlp.folder import CONFIG, ModelFolder, find_model
from tupelo.nlp.languages import words
from tupelo.nlp.languages.en.grammar import ARGUMENT_PREPOSITIONS
from tupelo.nlp.syntax import DependencyTree

Array = NDArray[np.float32]

_GROUPS = FEATURES["link"]
_SHAPES, _LABELS, _ROLES, _TAGS = (_GROUPS[name] for name in ("shapes", "labels", "roles", "tags"))
# Other dependents of the word where both paths meet: a link without them may be incomplete.
_OMITTED = _GROUPS["omitted"]
NAMES = (
    *(f"rule-{name}" for name in (*RULES, "other")),
    *(f"shape-{name}" for name in _SHAPES),
    *(f"opens-{name}" for name in _GROUPS["openings"]),
    *(f"ends-{name}" for name in _GROUPS["openings"]),
    *(f"{end}-{name}" for end in ("subject", "object") for name in _GROUPS["kinds"]),
    *(f"{end}-is-{name}" for end in ("subject", "object") for name in (*_LABELS, "unknown")),
    *(f"{end}-as-{name}" for end in ("subject", "object") for name in (*_ROLES, "elsewhere")),
    *(f"{end}-with-{name}" for end in ("subject", "object") for name in _GROUPS["determiners"]),
    *(f"{end}-named" for end in ("subject", "object")),
    *(f"omits-{name}" for name in _OMITTED),
    *(f"meets-{name}" for name in _TAGS),
    *_GROUPS["counts"],
)
_PLACES = {name: place for place, name in enumerate(NAMES)}
_IS = words("extraction", "forms_of_be")
_HAS = words("extraction", "forms_of_have")
_CLAUSES = frozenset(["ccomp", "advcl", "acl", "csubj", "xcomp", "parataxis", "conj"])
_LEAST = 1e-4


# The words whose vectors the judge reads, in this order: subject, object, and where their paths meet.
READ = 3


def features_of(
    linked: LinkedSentence, tree: DependencyTree, referents: Sequence[Referent]
) -> tuple[Array, NDArray[np.int64]]:
    """One row of `NAMES` per link, and the words whose vectors are read, -1 for none."""
    known = {referent.number: referent for referent in referents}
    rows = np.zeros((len(linked.links), len(NAMES)), dtype=np.float32)
    words = np.full((len(linked.links), READ), -1, dtype=np.int64)
    for place, link in enumerate(linked.links):
        subject, target = linked.anchors[link.subject].head, linked.anchors[link.object].head
        meeting = _meeting(tree, subject, target)
        for name, value in _features(linked, link, tree, known, meeting).items():
            rows[place, _PLACES[name]] = value
        words[place] = (subject, target, -1 if meeting is None else meeting)
    return rows, words


def _features(
    linked: LinkedSentence, link: Link, tree: DependencyTree, known: Mapping[int, Referent], meeting: int | None
) -> Mapping[str, float]:
    extraction = linked.tuples.extractions[link.tuple]
    ends = {"subject": linked.anchors[link.subject], "object": linked.anchors[link.object]}
    found = {**_rule(extraction), **_wording(link.relation)}
    for end, anchor in ends.items():
        found |= _end(end, anchor, tree, known)
    subject, target = ends.values()
    way = _way(tree, subject.head, target.head)
    counted = extraction.counted_confidence
    certainty = tree.analysis.certainty
    certain = [log(max(float(certainty[word][0]), _LEAST)) for word in way] if certainty is not None else [0.0]
    labels = [tree.base[word] for word in way]
    found |= {
        "confidence": _logit(counted),
        "share": log(max((link.confidence or counted) / max(counted, _LEAST), _LEAST)),
        "steps": len(way),
        "clauses-between": sum(label in _CLAUSES for label in labels),
        "coordinations-between": labels.count("conj"),
        "distance": log1p(abs(subject.head - target.head)),
        "sentence-size": log1p(tree.size),
        "arguments": len(extraction.arguments),
        "left-out": len(extraction.arguments) - 2 - len(link.beside),
        "modal": extraction.modality is not None,
        "attributed": extraction.attribution is not None,
        "both-named": found["subject-named"] * found["object-named"],
        "object-first": float(target.head < subject.head),
        "certain-way": min(certain, default=0.0),
        "capitals": sum(word[:1].isupper() for word in link.relation.split()),
        "same-start": float(subject.text.split()[:1] == target.text.split()[:1]),
    }
    if meeting is not None:
        found |= {f"omits-{label}": 1.0 for label in _omitted(tree, meeting, {*way, subject.head, target.head})}
        if tree.upos(meeting) in _TAGS:
            found[f"meets-{tree.upos(meeting)}"] = 1.0
    return found


def _meeting(tree: DependencyTree, first: int, second: int) -> int | None:
    """The lowest word above both, or one of them."""
    above = {first, *tree.path(first)}
    return next((word for word in (second, *tree.path(second)) if word in above), None)


def _omitted(tree: DependencyTree, meeting: int, told: Collection[int]) -> set[str]:
    return {tree.base[child] for child in tree.below[meeting] if child not in told} & set(_OMITTED)


def _rule(extraction: Extraction) -> dict[str, float]:
    rule, _, shape = (extraction.rule or "").partition("/")
    found = {f"rule-{rule if rule in RULES else 'other'}": 1.0}
    if rule == "path":
        found["shape-path"] = 1.0
        found["shape-clause" if "^" in shape else "shape-described"] = 1.0
    elif shape in _SHAPES:
        found[f"shape-{shape}"] = 1.0
    return found


def _wording(relation: str) -> dict[str, float]:
    words = relation.lower().split()
    return {
        f"opens-{_family(words[0])}": 1.0,
        f"ends-{_family(words[-1])}": 1.0,
        "relation-size": len(words),
        "prepositions": sum(word in ARGUMENT_PREPOSITIONS for word in words),
        "repeated-words": len(words) - len(set(words)),
    }


def _family(word: str) -> str:
    if word in _IS:
        return "is"
    if word in _HAS:
        return "has"
    if word == "of":
        return "of"
    return "preposition" if word in ARGUMENT_PREPOSITIONS else "other"


def _end(end: str, anchor: Anchor, tree: DependencyTree, known: Mapping[int, Referent]) -> dict[str, float]:
    referent = None if anchor.referent is None else known[anchor.referent]
    label = tree.words[anchor.head].deprel or "root"
    role = label if label in _ROLES else label.partition(":")[0]
    certainty = tree.analysis.certainty
    found = {
        f"{end}-{anchor.kind}": 1.0,
        f"{end}-is-{anchor.label if anchor.label in _LABELS else 'unknown'}": 1.0,
        f"{end}-as-{role if role in _ROLES else 'elsewhere'}": 1.0,
        f"{end}-with-{_determiner(anchor, tree)}": 1.0,
        f"{end}-named": float(referent is not None and referent.kind == "entity"),
        f"{end}-mentions": log1p(0 if referent is None else referent.mentions),
        f"{end}-size": log1p(anchor.end - anchor.start),
    }
    if certainty is not None:
        found[f"certain-{end}"] = log(max(float(certainty[anchor.head][0]), _LEAST))
    return found


def _determiner(anchor: Anchor, tree: DependencyTree) -> str:
    for child in tree.below[anchor.head]:
        if tree.base[child] == "det":
            word = tree.words[child].text.lower()
            if word == "the":
                return "the"
            if word in ("a", "an"):
                return "a"
            return "this" if word in ("this", "that", "these", "those") else "other"
        if tree.words[child].deprel == "nmod:poss":
            return "possessive"
    return "none"


def _way(tree: DependencyTree, first: int, second: int) -> list[int]:
    """The words whose links lead from one word to another, without the word where both paths meet."""
    above = [first, *tree.path(first)]
    other = [second, *tree.path(second)]
    shared = set(above) & set(other)
    return [word for word in (*above, *other) if word not in shared]


def _logit(probability: float) -> float:
    clipped = min(max(probability, 0.01), 0.999)
    return log(clipped / (1 - clipped))


WEIGHTS = "links.safetensors"
_BOTH_NAMED = NAMES.index("both-named")
_NAMED = [NAMES.index("subject-named"), NAMES.index("object-named")]
# Readers judged few links without names: half of their rank is their confidence, up to this.
_SURE = 0.6
# Ranks of statements with a value, from least to most certain: a time, a number or a clause about a name, any other
# one, and one with a pronoun that nobody resolved.
_OF_NAMES, _OF_OTHERS, _OF_PRONOUNS = (0.5, 0.4), (0.1, 0.35), (0.0, 0.1)


class LinkRanker:
    """Weights in the folder of the judge of tuples."""

    def __init__(self, path: Path) -> None:
        folder = ModelFolder(path, "a judge of links")
        config = folder.settings(FORMAT)
        with folder.reading(CONFIG):
            least = np.array([float(least) for least in config["least_link"]])
            if tuple(config["link_features"]) != NAMES:
                raise ValueError("other features of links than those of this version")
        # The logits at which readers would keep a link between names, and another one.
        self._between_names, self._other = np.log(least / (1 - least)).tolist()
        weights = folder.tensors(WEIGHTS)
        with folder.reading(WEIGHTS):
            self._networks = Ensemble(weights, len(NAMES), READ)

    def ranked(self, linked: LinkedSentence, tree: DependencyTree, referents: Sequence[Referent]) -> LinkedSentence:
        """The sentence with the ranks of its links; one of 0.5 and more is worth reading by itself."""
        ranks = [_by_kind(link, linked.anchors, referents) for link in linked.links]
        judged = [place for place, rank in enumerate(ranks) if rank is None]
        if judged and tree.analysis.vectors is not None:
            some = replace(linked, links=[linked.links[place] for place in judged])
            features, words = features_of(some, tree, referents)
            logits = self._networks.logits(features, vectors_of(tree, words))
            probabilities = self._networks.probabilities(logits[:, 0]).clip(1e-6, 1 - 1e-6)
            least = np.where(features[:, _BOTH_NAMED] > 0, self._between_names, self._other)
            found = sigmoid(np.log(probabilities / (1 - probabilities)) - least, limit=30)
            nameless = (features[:, _NAMED] == 0).all(axis=1)
            for place, rank, alone in zip(judged, found.tolist(), nameless, strict=True):
                sure = _SURE * _certain(linked.links[place])
                ranks[place] = (rank + sure) / 2 if alone else rank
        return replace(
            linked,
            links=[
                # Without vectors nothing is known but the confidence.
                replace(link, rank=round(_certain(link) if rank is None else rank, 4))
                for link, rank in zip(linked.links, ranks, strict=True)
            ],
        )


def _by_kind(link: Link, anchors: Sequence[Anchor], referents: Sequence[Referent]) -> float | None:
    """The rank of a statement with a value or an unresolved pronoun; `None` for one between things."""
    subject, target = anchors[link.subject], anchors[link.object]
    if subject.referent is not None and target.referent is not None:
        return None
    if "pronoun" in (one.kind for one in (subject, target) if one.referent is None):
        least, more = _OF_PRONOUNS
    elif _is_of_name(subject, referents) and (target.kind == "statement" or target.label in ("datetime", "number")):
        least, more = _OF_NAMES
    else:
        least, more = _OF_OTHERS
    return least + more * _certain(link)


def _is_of_name(subject: Anchor, referents: Sequence[Referent]) -> bool:
    return subject.referent is not None and referents[subject.referent].kind == "entity"


def _certain(link: Link) -> float:
    return 0.5 if link.confidence is None else link.confidence


@lru_cache(maxsize=1)
def shipped_link_ranker() -> LinkRanker:
    """The English ranker inside the package."""
    return LinkRanker(find_model(SHIPPED))
