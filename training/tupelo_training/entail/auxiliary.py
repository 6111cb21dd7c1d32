"""Judged and half-judged pairs from elsewhere, for a first stage of training.

WordNet: a verb entails what it is a way of doing (*stroll* entails *walk*), and what it cannot be without (*snore*,
*sleep*); not the reverse, and not its sisters or opposites. Synonyms entail each other. PPDB: pairs of words that
translate alike, taken as entailing both ways. RTE: sentences and what people conclude from them. Nobody judged the
pairs that are drawn from assertions of a corpus: they are what a larger network teaches a smaller one on.
"""

from __future__ import annotations

import random
import re
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import numpy as np

from tupelo.core.assertion import Assertion
from tupelo.core.extraction import Triple
from tupelo.core.wordnet import NOUN, VERB, Synset, WordNet
from tupelo.nlp.encoder import Encoder
from tupelo.nlp.languages import word_set
from tupelo_training.kinds import HYPERNYM

ENTAILS, ANTONYM = "*", "!"
# Rarer senses of a word are hardly what a reader of the bare word thinks of.
MOST_SENSES = 2
_WORD = re.compile(r"[a-z]+(_(up|down|out|off|in|on|over|away|back|for|to|with|of|at|from|into|about|after))?\Z")


@dataclass(frozen=True, slots=True)
class Example:
    premise: Triple
    hypothesis: Triple
    entailed: bool


def _all_synsets(wordnet: WordNet, pos: str) -> list[Synset]:
    """Every synset of a part of speech, in the order of the file."""
    found = {synset.offset: synset for lemma in wordnet.lemmas(pos) for synset in wordnet.synsets(lemma, pos)}
    return [found[offset] for offset in sorted(found)]


def wordnet_examples(wordnet: WordNet, seed: int) -> Iterator[Example]:
    """About two pairs that do not entail for each that does."""
    draw = random.Random(seed)
    phrases = _Phrases(wordnet, draw)
    verbs = [(synset, words) for synset in _all_synsets(wordnet, VERB) if (words := phrases.usual(synset))]
    usual = {synset.offset: words for synset, words in verbs}
    children: dict[int, list[int]] = {}
    for synset, _ in verbs:
        for pointer in synset.pointers:
            if pointer.symbol == HYPERNYM and pointer.offset in usual:
                children.setdefault(pointer.offset, []).append(synset.offset)
    every = [word for _, words in verbs for word in words]
    for synset, words in verbs:
        word = draw.choice(words)
        for other in words:
            if other != word:
                yield phrases.example(word, other, True)
                yield phrases.example(other, word, True)
        for pointer in synset.pointers:
            if pointer.pos != VERB or pointer.offset not in usual:
                continue
            other = draw.choice(usual[pointer.offset])
            if other == word:
                continue
            if pointer.symbol in (HYPERNYM, ENTAILS):
                yield phrases.example(word, other, True)
                yield phrases.example(other, word, False)
            elif pointer.symbol == ANTONYM:
                yield phrases.example(word, other, False)
            if pointer.symbol == HYPERNYM:
                sister = draw.choice(children[pointer.offset])
                shared = set(usual[sister]) & set(words)
                if sister != synset.offset and not shared:
                    yield phrases.example(word, draw.choice(usual[sister]), False)
        yield phrases.example(word, draw.choice(every), False)


def ppdb_examples(path: Path, wordnet: WordNet, seed: int, most: int) -> Iterator[Example]:
    """Pairs of verbs from the archive `mwa_ppdb.zip`, and as many drawn at random."""
    draw = random.Random(seed)
    phrases = _Phrases(wordnet, draw)
    couples = []
    with zipfile.ZipFile(path) as archive:
        name = next(name for name in archive.namelist() if "synonyms" in name)
        for line in archive.read(name).decode("utf-8").splitlines():
            one, _, other = line.partition("\t")
            if all(re.fullmatch(r"[a-z]{3,}(s|ed)", word) and phrases.is_verb(word) for word in (one, other)):
                bases = [wordnet.base_forms(word, VERB) for word in (one, other)]
                if not set(bases[0]) & set(bases[1]) and one.endswith("s") == other.endswith("s"):
                    couples.append((one, other))
    draw.shuffle(couples)
    couples = couples[:most]
    words = [word for couple in couples for word in couple]
    for couple in couples:
        yield phrases.of_forms(*draw.sample(couple, 2), True)
        yield phrases.of_forms(draw.choice(couple), draw.choice(words), False)


def rte_examples(path: Path) -> Iterator[Example]:
    """The pairs of the first three RTE challenges, as NLTK packs them; a text stands where a relation would."""
    with zipfile.ZipFile(path) as archive:
        for name in sorted(archive.namelist()):
            if not name.endswith(".xml"):
                continue
            for pair in ElementTree.fromstring(archive.read(name)).iter("pair"):
                texts = [" ".join((pair.findtext(tag) or "").split()) for tag in ("t", "h")]
                label = pair.get("value") or pair.get("entailment") or ""
                yield Example(Triple("", texts[0], ""), Triple("", texts[1], ""), label.upper() in ("TRUE", "YES"))


_PLAIN = re.compile(r"[a-z]{2,}( [a-z]{2,}){0,4}")
_PRONOUNS = word_set("i me you he him she her it we us they them this that these those who which what there one all")


def drawn_pairs(
    assertions: Iterable[Assertion], encoder: Encoder, seed: int, most: int
) -> Iterator[tuple[Triple, Triple]]:
    """With `most` relations one that is very near, one that is near and any one; half of them the other way round."""
    draw = random.Random(seed)
    found: dict[str, list[Assertion]] = {}
    for assertion in assertions:
        # Phrases in base form ("be bear in") come from sources without inflection.
        if _PLAIN.fullmatch(assertion.relation) and not assertion.relation.startswith("be "):
            found.setdefault(assertion.relation, []).append(assertion)
    usual = sorted(
        (name for name, seen in found.items() if len(seen) > 1), key=lambda name: (-len(found[name]), name)
    )
    names = usual[:most]
    ends = sorted(
        {
            end
            for name in names
            for a in found[name]
            for end in (a.subject, a.object)
            if _PLAIN.fullmatch(end) and end not in _PRONOUNS
        }
    )
    vectors = encoder.encode(names)
    for start in range(0, len(names), 1_000):
        near = np.argsort(-(vectors[start : start + 1_000] @ vectors.T), axis=1, kind="stable")[:, 1:60]
        for name, row in zip(names[start : start + 1_000], near.tolist(), strict=True):
            others = draw.choice(row[:8]), draw.choice(row[8:]), draw.randrange(len(names))
            for number in others:
                seen = draw.choice(found[name])
                first, second = (
                    end if end in found or (_PLAIN.fullmatch(end) and end not in _PRONOUNS) else draw.choice(ends)
                    for end in (seen.subject, seen.object)
                )
                pair = Triple(first, name, second), Triple(first, names[number], second)
                if draw.random() < 0.15:
                    pair = pair[0], Triple(second, names[number], first)
                yield pair if draw.random() < 0.5 else (pair[1], pair[0])


class _Phrases:
    """Verbs as relation phrases between things: the same two in both statements."""

    def __init__(self, wordnet: WordNet, draw: random.Random) -> None:
        self._wordnet = wordnet
        self._draw = draw
        self._past = {}
        for form, bases in wordnet._tables.exceptions(VERB).items():
            if not form.endswith(("s", "ing")) and bases:
                self._past.setdefault(bases[0], form)
        nouns = (synset.words[0] for synset in _all_synsets(wordnet, NOUN))
        self._nouns = sorted({word for word in nouns if re.fullmatch(r"[a-z]{4,9}", word)})

    def usual(self, synset: Synset) -> list[str]:
        """The words for which this is one of their most usual senses."""
        return [
            word
            for word in synset.words
            if _WORD.match(word) and synset.offset in self._wordnet._tables.senses(word, VERB)[:MOST_SENSES]
        ]

    def is_verb(self, word: str) -> bool:
        return bool(self._wordnet.base_forms(word, VERB)) and not self._wordnet.base_forms(word, NOUN)

    def example(self, word: str, other: str, entailed: bool) -> Example:
        forms = self._draw.choice((self._third, self._third, self._second, self._infinitive))
        return self.of_forms(forms(word), forms(other), entailed)

    def of_forms(self, one: str, other: str, entailed: bool) -> Example:
        first, second = ("x", "y") if self._draw.random() < 0.3 else self._draw.sample(self._nouns, 2)
        return Example(Triple(first, one, second), Triple(first, other, second), entailed)

    def _third(self, word: str) -> str:
        verb, _, rest = word.partition("_")
        if verb.endswith(("s", "x", "z", "ch", "sh", "o")):
            verb += "es"
        elif verb.endswith("y") and verb[-2:-1] not in "aeiou":
            verb = verb[:-1] + "ies"
        else:
            verb += "s"
        return f"{verb} {rest}".strip()

    def _second(self, word: str) -> str:
        verb, _, rest = word.partition("_")
        if verb in self._past:
            verb = self._past[verb]
        elif verb.endswith("e"):
            verb += "d"
        elif verb.endswith("y") and verb[-2:-1] not in "aeiou":
            verb = verb[:-1] + "ied"
        else:
            verb += "ed"
        return f"{verb} {rest}".strip()

    def _infinitive(self, word: str) -> str:
        return f"{self._draw.choice(('can', 'may', 'will'))} {word.replace('_', ' ')}"
