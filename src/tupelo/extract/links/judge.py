"""The ranker of links: how probably people who read a link alone would call it right and useful.

Its networks read the features of a link and the parser's vectors of both ends and of the word that joins them. They
learned from links between things; statements with a value have a rank by their confidence and their subject.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from tupelo.core.numeric import sigmoid
from tupelo.core.statement import Anchor, Link, LinkedSentence, Referent
from tupelo.extract.judge.network import FORMAT, SHIPPED, Ensemble, vectors_of
from tupelo.extract.links.features import NAMES, READ, features_of
from tupelo.nlp.folder import CONFIG, ModelFolder, find_model
from tupelo.nlp.syntax import DependencyTree

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
