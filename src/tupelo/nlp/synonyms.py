"""Other words from WordNet and from clusters of paraphrases (PPDB), for the words of some sentences.

WordNet proposes a word if both have the same most frequent sense, and the sentence does not speak for another one.
The clusters propose one if it has the same head. With both at hand, both must agree on a word, which is safest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from tupelo.core.wordnet import WordNet
from tupelo.nlp.paraphrases import Lexicon, Wording, by_first_word
from tupelo.nlp.syntax import DependencyTree

_PARTS = {"VERB": "v", "NOUN": "n", "ADJ": "a", "ADV": "r"}
_FRAMES = {"v": ("vt", "vi"), "n": ("n",), "a": ("a",), "r": ("r",)}
# A cluster with more words holds together too little.
_LARGEST = 12


def looked_up(
    trees: Iterable[DependencyTree], wordnet: WordNet | None, clusters: Mapping[str, str] | None
) -> Lexicon:
    """Wordings for the verbs, nouns, adjectives and adverbs of sentences."""
    members: dict[str, list[str]] = {}
    for phrase, head in (clusters or {}).items():
        members.setdefault(head, []).append(phrase)
    found: dict[tuple[str, str], set[str]] = {}
    source = "ppdb" if wordnet is None else "wordnet"
    for tree in trees:
        for index in range(tree.size):
            part, lemma = _PARTS.get(tree.upos(index)), tree.lemmas[index]
            if part is None or not lemma.isalpha() or len(lemma) < 4:
                continue
            proposed = [] if wordnet is None else [set(_same_first_sense(wordnet, tree, lemma, part))]
            if clusters is not None:
                proposed.append(_in_cluster(members.get(clusters.get(lemma, ""), []), lemma, part))
            if proposed:
                found.setdefault((lemma, part), set()).update(set.intersection(*proposed))
    return by_first_word(
        Wording(frame, (lemma,), ((other,),), source=source)
        for (lemma, part), others in found.items()
        for other in sorted(others)
        for frame in _FRAMES[part]
    )


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
