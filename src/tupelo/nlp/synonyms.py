"""Other words from WordNet and from clusters of paraphrases (PPDB), for the words of some sentences.

WordNet proposes a word if both have the same most frequent sense, and the sentence does not speak for another one.
The clusters propose one if it has the same head. With both at hand, both must agree on a word, which is safest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from tupelo.core.wordnet import WordNet
from tupelo.nlp.paraphrases import FramedPhrase, Lexicon, by_first_word
from tupelo.nlp.syntax import DependencyTree

_PARTS = {"VERB": "v", "NOUN": "n", "ADJ": "a", "ADV": "r"}
_FRAMES = {"v": ("vt", "vi"), "n": ("n",), "a": ("a",), "r": ("r",)}
# Shorter words are not replaced.
_SHORTEST = 4
# A cluster with more words holds together too little.
_LARGEST = 12


class Synonyms:
    """Proposes other words for those of sentences; the clusters map every phrase to the head of its own."""

    def __init__(self, wordnet: WordNet | None = None, clusters: Mapping[str, str] | None = None) -> None:
        self._wordnet, self._clusters = wordnet, clusters
        self._members: dict[str, list[str]] = {}
        for phrase, head in (clusters or {}).items():
            self._members.setdefault(head, []).append(phrase)

    def wordings(self, trees: Iterable[DependencyTree]) -> Lexicon:
        """Wordings for the verbs, nouns, adjectives and adverbs of sentences."""
        found: dict[tuple[str, str], set[str]] = {}
        for tree in trees:
            for index in range(tree.size):
                part, lemma = _PARTS.get(tree.upos(index)), tree.lemmas[index]
                if part is not None and lemma.isalpha() and len(lemma) >= _SHORTEST:
                    found.setdefault((lemma, part), set()).update(self._proposed(tree, lemma, part))
        source = "ppdb" if self._wordnet is None else "wordnet"
        return by_first_word(
            FramedPhrase(frame, (lemma,), ((other,),), source=source)
            for (lemma, part), others in found.items()
            for other in sorted(others)
            for frame in _FRAMES[part]
        )

    def _proposed(self, tree: DependencyTree, lemma: str, part: str) -> set[str]:
        """What all sources at hand propose for a word of a sentence."""
        proposed = []
        if self._wordnet is not None:
            proposed.append(set(_same_first_sense(self._wordnet, tree, lemma, part)))
        if self._clusters is not None:
            proposed.append(_in_cluster(self._members.get(self._clusters.get(lemma, ""), []), lemma, part))
        return set.intersection(*proposed) if proposed else set()


def _same_first_sense(wordnet: WordNet, tree: DependencyTree, lemma: str, part: str) -> Iterator[str]:
    first = next(iter(wordnet.synsets(lemma, part)), None)
    if first is None or wordnet.lesk(tree.lowered, lemma, part, ties="first") != first:
        return
    for other in first.words:
        if other != lemma and other.isalpha() and other.islower() and wordnet.synsets(other, part)[:1] == (first,):
            yield other


def _in_cluster(cluster: list[str], lemma: str, part: str) -> set[str]:
    """The other words of a cluster, without forms of the same word and, for verbs and nouns, inflected ones."""
    if len(cluster) > _LARGEST:
        return set()
    inflected = ("s", "ed", "ing") if part in "vn" else ()
    return {
        other
        for other in cluster
        if other.isalpha() and not other.startswith(lemma[:4]) and not other.endswith(inflected)
    }
