"""Words and phrases of a language that can replace each other, and where.

`languages/en/paraphrases.txt` has phrases for any sentence. For the words of given sentences, `Synonyms` proposes
others from WordNet and from clusters of paraphrases (PPDB). WordNet proposes a word if both have the same most
frequent sense, and the sentence is no evidence for another one; the clusters propose one if it has the same head.
With both at hand, both must agree on a word, which is safest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from tupelo.core.wordnet import WordNet
from tupelo.nlp.languages import language_text
from tupelo.nlp.syntax import DependencyTree


@dataclass(frozen=True, slots=True)
class FramedPhrase:
    """A phrase in a frame, and what can replace it there; `nouns` restrict its subject or object unless empty.

    `source` names where it comes from.
    """

    frame: str
    words: tuple[str, ...]
    others: tuple[tuple[str, ...], ...]
    nouns: frozenset[str] = frozenset()
    source: str = "table"


# The wordings by their first word.
Lexicon = Mapping[str, tuple[FramedPhrase, ...]]


@lru_cache(maxsize=1)
def shipped_lexicon() -> Lexicon:
    """The table that ships."""
    return by_first_word(
        wording for line in language_text("paraphrases.txt").splitlines() for wording in read_line(line)
    )


def by_first_word(wordings: Iterable[FramedPhrase]) -> dict[str, tuple[FramedPhrase, ...]]:
    found: dict[str, list[FramedPhrase]] = {}
    for wording in wordings:
        found.setdefault(wording.words[0], []).append(wording)
    return {word: tuple(each) for word, each in found.items()}


def read_line(line: str) -> list[FramedPhrase]:
    """The wordings of a line; none of a note.

    >>> [(each.words, each.others) for each in read_line("vt: buy; purchase > get")]
    [(('buy',), (('purchase',), ('get',))), (('purchase',), (('buy',), ('get',)))]
    """
    head, colon, rest = line.partition(":")
    if not colon or line.startswith("#"):
        return []
    frame, _, nouns = head.partition("{")
    both, _, only = rest.partition(">")
    first, last = (
        tuple(tuple(phrase.split()) for phrase in part.split(";") if phrase.strip()) for part in (both, only)
    )
    return [
        FramedPhrase(
            frame.strip(),
            words,
            (*(other for other in first if other != words), *last),
            frozenset(nouns.strip(" }").split()),
        )
        for words in first
    ]


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
        """The words that all sources at hand propose for a word of a sentence."""
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
