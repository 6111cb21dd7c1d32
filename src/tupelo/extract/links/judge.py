"""The judge of links: the probability that people who read a link alone would call it right and useful.

Its networks read the features of a link and the parser's vectors of both ends and of the word that joins them. Links
that say too little are left out; their tuples stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from tupelo.core.statement import LinkedSentence, Referent
from tupelo.extract.judge.network import FORMAT, SHIPPED, Ensemble, vectors_of
from tupelo.extract.links.features import NAMES, READ, features_of
from tupelo.nlp.folder import CONFIG, ModelFolder, find_model
from tupelo.nlp.syntax import DependencyTree

WEIGHTS = "links.safetensors"
_BOTH_NAMED, _SUBJECT_NAMED = NAMES.index("both-named"), NAMES.index("subject-named")
TOO_LITTLE = "what is left of it says too little"


class LinkJudge:
    """Weights in the folder of the judge of tuples."""

    def __init__(self, path: Path) -> None:
        folder = ModelFolder(path, "a judge of links")
        config = folder.settings(FORMAT)
        with folder.reading(CONFIG):
            self._least_between_names, self._least = map(float, config["least_link"])
            if tuple(config["link_features"]) != NAMES:
                raise ValueError("other features of links than those of this version")
        weights = folder.tensors(WEIGHTS)
        with folder.reading(WEIGHTS):
            self._networks = Ensemble(weights, len(NAMES), READ)

    def judged(self, linked: LinkedSentence, tree: DependencyTree, referents: Sequence[Referent]) -> LinkedSentence:
        """The sentence with the links that are worth keeping, their confidence that of the judge."""
        if not linked.links or tree.analysis.vectors is None:
            # It has not learned to judge without vectors.
            return linked
        features, words = features_of(linked, tree, referents)
        logits = self._networks.logits(features, vectors_of(tree, words))
        probabilities = self._networks.probabilities(logits[:, 0])
        least = np.where(features[:, _BOTH_NAMED] > 0, self._least_between_names, self._least)
        links = []
        about_names = features[:, _SUBJECT_NAMED] > 0
        for link, probability, enough, is_named in zip(
            linked.links, probabilities.tolist(), probabilities >= least, about_names, strict=True
        ):
            if linked.anchors[link.object].referent is not None:
                if enough:
                    links.append(replace(link, confidence=round(probability, 4)))
            elif is_named:
                # Values and clauses were not judged. Of something without a name they tell little.
                links.append(link)
        kept = {link.tuple for link in links}
        unlinked = [
            reason if reason is not None or number in kept else TOO_LITTLE
            for number, reason in enumerate(linked.unlinked)
        ]
        return replace(linked, links=links, unlinked=unlinked)


@lru_cache(maxsize=1)
def shipped_link_judge() -> LinkJudge:
    """The English judge inside the package."""
    return LinkJudge(find_model(SHIPPED))
