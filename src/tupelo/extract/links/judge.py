"""The ranker of statements: how probably a reader would call one right, and worth reading by itself.

A logistic curve over features that every kind of statement has: the confidence of its tuple, the rule that made it,
the kinds of its ends, the pronouns and bare descriptions in it, and how certain the parser is of its words. Another
one reads the parser's vectors of a phrase without a name: would a person keep it as an entry of an index of the text?
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from math import log, log1p
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tupelo.core import Analysis, Extraction
from tupelo.core.numeric import sigmoid
from tupelo.core.statement import Anchor, Link, LinkedSentence, Referent
from tupelo.extract.judge.network import FORMAT, SHIPPED
from tupelo.nlp.folder import CONFIG, ModelFolder, find_model
from tupelo.nlp.languages import language_data, words
from tupelo.nlp.languages.en.grammar import POSSESSIVES, STOP_WORDS
from tupelo.nlp.syntax import DependencyTree

# The last: the log odds from which a thing that a name tells apart is a node; other phrases need even odds.
WEIGHTS, NODE_WEIGHTS, TOLD_APART = "link_weights", "node_weights", "told_apart"
_LEAST = 1e-4
_FAR = 30.0
_DEMONSTRATIVES = frozenset(["this", "that", "these", "those", "such"])
# Words of a sentence that are no words of a language.
_ODD = re.compile(r"[\[\]_^=<>|{}•*#\\~]|\d[a-z]|[a-z]-\s")
_WORD = re.compile(r"[\w’']+")
_POINTING = {name: frozenset(listed.split()) for name, listed in language_data("extraction")["pointing"].items()}
_CONDITIONS = words("extraction", "conditions")
_COMMAS = (",", "(", "–", "—", "-")
_SIGNS = ('"', "“", "(", ":", "–", "-", ",")
# Letters of a word in capitals that is no acronym, and of the beginning of a sentence.
_LONG, _START = 4, 12
_DEPENDENT = ("advcl", "acl", "csubj")
_UNNAMED = ("thing", "concept")
# The label of a value that stands for something, in words that do not say what.
DESCRIPTION = "description"


def features_of(
    linked: LinkedSentence, link: Link, tree: DependencyTree, referents: Sequence[Referent]
) -> dict[str, float]:
    """The features of a statement by name; those that are not named are 0."""
    extraction = linked.tuples.extractions[link.tuple]
    text = linked.texts[link.tuple] if linked.texts else ""
    counted = extraction.counted_confidence
    sure = min(max(counted, 0.01), 0.999)
    found = {
        "constant": 1.0,
        "confidence": log(sure / (1 - sure)),
        "share": log(max((link.confidence or counted) / max(counted, _LEAST), _LEAST)),
        "sentence-size": log1p(tree.size),
        "words": log1p(len(text.split())),
        "inner": float(not {link.subject, link.object} <= {*linked.parts[link.tuple]}) if linked.parts else 0.0,
        "object-none": float(not linked.anchors[link.object].text),
        **dict.fromkeys(_rule(extraction, link), 1.0),
        **dict.fromkeys(_form(extraction, tree, text), 1.0),
        **dict(_wording(text, tree)),
    }
    found |= dict.fromkeys(_subject(linked.anchors[link.subject], tree, referents), 1.0)
    found[f"object-{_kind(linked.anchors[link.object], referents)}"] = 1.0
    tokens = [token for part in extraction.arguments for token in part.tokens or ()]
    found |= _pronouns(linked, tokens, tree)
    ends = [*tokens, *(extraction.rel.tokens or ())]
    found["gap"] = log1p(max(ends) - min(ends) + 1 - len({*ends})) if ends else 0.0
    found["cut-clause"] = _left_out(extraction, tree)
    certainty = tree.analysis.certainty
    if certainty is not None and ends:
        certain = [log(max(float(certainty[word][0]), _LEAST)) for word in ends]
        found |= {"certain-least": min(certain), "certain-mean": sum(certain) / len(certain)}
    names = [tree.text(token)[:1].isupper() for token in tokens if tree.upos(token) == "PROPN"]
    found["names"] = log1p(len(names))
    content = [word for word in text.lower().split() if word.isalpha() and word not in STOP_WORDS]
    found["content"] = log1p(len(content))
    return found


def _rule(extraction: Extraction, link: Link) -> Iterator[str]:
    rule = (extraction.rule or "none").partition("/")[0]
    yield f"rule-{rule}"
    if rule == "path":
        yield "path-noun"
        yield f"path-{link.relation.split()[0] if link.relation else ''}"


def _wording(text: str, tree: DependencyTree) -> Iterator[tuple[str, float]]:
    """Words that point out of a statement, and how much of it is as the sentence has it."""
    said = _WORD.findall(text.lower())
    for name, listed in _POINTING.items():
        yield name, float(sum(map(listed.__contains__, said)))
        yield f"first-{name}", float(said[:1] != [] and said[0] in listed)
    yield from ((f"has-{mark}", float(mark in text)) for mark in _SIGNS)
    yield "list", float("and" in said)
    yield "capitals", float(any(word.isupper() and len(word) > _LONG for word in text.split()))
    sentence = " ".join(tree.analysis.text.split())
    yield "copied", float(text in sentence)
    yield "beginning", float(sentence.lower().startswith(text[:_START].lower()))


def _form(extraction: Extraction, tree: DependencyTree, text: str) -> Iterator[str]:
    """Signs in the words of a statement and its sentence."""
    sentence = tree.analysis.text.strip()
    if _ODD.search(text):
        yield "odd"
    if _ODD.search(sentence):
        yield "odd-sentence"
    if sentence[-1:] not in '.!?”"':
        yield "no-end"
    if sentence[:1].islower():
        yield "no-beginning"
    verb = tree.head_of(extraction.rel.tokens or ())
    if verb is None:
        return
    noun, start = tree.heads[verb], min(tree.subtree(verb))
    if tree.base[verb] == "acl" and noun is not None and tree.text(start - 1) not in _COMMAS:
        # *a heap that smells*: not every one does.
        yield "restricts"
        yield f"restricts-{tree.child_word(noun, 'det') or 'any'}"
    above = next((one for one in (verb, *tree.path(verb)) if tree.base[one] in _DEPENDENT), None)
    if above is not None:
        yield f"under-{tree.base[above]}"
        marks = [*tree.children(above, "mark"), *tree.children(above, "advmod")]
        marks = [mark for mark in marks if tree.base[mark] == "mark" or tree.tag(mark) == "WRB"]
        yield from (f"mark-{tree.lowered[mark]}" for mark in marks)
        yield from ("conditional" for _ in marks[:1] if tree.has_word(marks, _CONDITIONS))


def _referent(anchor: Anchor, referents: Sequence[Referent]) -> Referent | None:
    return None if anchor.referent is None or anchor.referent >= len(referents) else referents[anchor.referent]


def _kind(anchor: Anchor, referents: Sequence[Referent]) -> str:
    referent = _referent(anchor, referents)
    return anchor.kind if referent is None else referent.kind


def _subject(anchor: Anchor, tree: DependencyTree, referents: Sequence[Referent]) -> Iterator[str]:
    """The kind of the subject, and by which words it is described."""
    referent = _referent(anchor, referents)
    yield f"subject-{_kind(anchor, referents)}"
    if anchor.kind == "pronoun":
        yield "subject-unresolved" if anchor.referent is None else "subject-resolved"
    if referent is None or referent.kind == "entity" or anchor.kind != "concept":
        return
    below = {tree.lowered[child] for child in tree.below[anchor.head] if child < anchor.head}
    if "the" in below:
        yield "subject-definite"
    if _DEMONSTRATIVES & below:
        yield "subject-demonstrative"
    if POSSESSIVES & below:
        yield "subject-owned"
    if anchor.end - anchor.start == 1:
        yield "subject-short"
    if not below and tree.tag(anchor.head) == "NN":
        yield "subject-bare"


def _pronouns(linked: LinkedSentence, tokens: Sequence[int], tree: DependencyTree) -> Mapping[str, float]:
    """The number of pronouns that nobody resolved, by person."""
    resolved = {one.head for one in linked.anchors if one.kind == "pronoun" and one.referent is not None}
    pronouns = [token for token in tokens if tree.upos(token) == "PRON" and tree.base[token] != "expl"]
    people = Counter(tree.words[token].feature("Person") or "none" for token in pronouns if token not in resolved)
    return {f"person-{person}": float(count) for person, count in people.items()}


def _left_out(extraction: Extraction, tree: DependencyTree) -> float:
    """The number of parts of the clause that a tuple leaves out."""
    verb = tree.head_of(extraction.rel.tokens or ())
    if verb is None:
        return 0.0
    taken = {token for part in (extraction.rel, *extraction.arguments) for token in part.tokens or ()}
    beside = tree.children(verb, "obl", "obj", "xcomp", "ccomp", "advcl", "advmod")
    return log1p(sum(child not in taken for child in beside))


def node_features(
    analyses: Sequence[Analysis], anchors: Sequence[Sequence[Anchor]], referents: Sequence[Referent]
) -> dict[int, NDArray[np.float64]]:
    """The features of the things and concepts of a passage by number: the mean vector of the words of their phrases,
    whether a name beside the head tells it apart (*lab in Nairobi*, *Ada's team*), its kind, and its mentions.

    What is only a pronoun (*the speaker*) has none.
    """
    words: dict[int, list[NDArray[np.float64]]] = {one.number: [] for one in referents if one.kind in _UNNAMED}
    for analysis, own in zip(analyses, anchors, strict=True):
        names = [(one.start, one.end) for one in own if one.kind == "name"]
        for one in own:
            if analysis.vectors is not None and one.kind == "concept" and one.referent in words:
                beside = any(one.start <= a and b <= one.end and not a <= one.head <= b for a, b in names)
                mean = analysis.vectors[one.start : one.end].mean(0)
                words[one.referent].append(np.concatenate(([np.float32(beside)], mean)))
    return {
        number: np.concatenate(([1.0, referents[number].kind == "thing", log1p(len(found))], np.mean(found, axis=0)))
        for number, found in words.items()
        if found
    }


def _said_of_people(analysis: Analysis, anchors: Sequence[Anchor], referents: Sequence[Referent]) -> Iterator[int]:
    """The concepts that a sentence says a person with a name is: *Ann Lee is a musician*."""
    words = analysis.words
    told = [(one, referents[one.referent]) for one in anchors if one.referent is not None]
    people = {one.head for one, referent in told if (referent.kind, referent.label) == ("entity", "person")}
    being = {word.head for word in words if word.deprel == "cop"}
    nouns = {words[head].head for head in people if words[head].deprel == "nsubj"} & being
    yield from (
        referent.number
        for one, referent in told
        if (referent.kind, referent.label) == ("concept", "person") and one.head in nouns
    )


class LinkRanker:
    """Weights in the folder of the judge of tuples."""

    def __init__(self, path: Path) -> None:
        folder = ModelFolder(path, "a judge of links")
        config = folder.settings(FORMAT)
        with folder.reading(CONFIG):
            self._weights = {name: float(weight) for name, weight in config[WEIGHTS].items()}
            self._node_weights, self._told_apart = np.array(config[NODE_WEIGHTS]), float(config[TOLD_APART])

    def described(
        self, analyses: Sequence[Analysis], anchors: Sequence[Sequence[Anchor]], referents: Sequence[Referent]
    ) -> list[Referent]:
        """The referents; things and concepts that say too little for an entry of an index are values.

        A noun that a sentence says a person is, *musician*, is a class all the same.
        """
        if any(one.vectors is None for one in analyses):
            return list(referents)
        features = node_features(analyses, anchors, referents)
        kept = {
            number
            for number, one in features.items()
            if float(one @ self._node_weights)
            >= (self._told_apart if referents[number].kind == "thing" and one[3] else 0)
        }
        kept.update(one for pair in zip(analyses, anchors, strict=True) for one in _said_of_people(*pair, referents))
        return [
            replace(one, kind="value", label=DESCRIPTION) if one.kind in _UNNAMED and one.number not in kept else one
            for one in referents
        ]

    def ranked(self, linked: LinkedSentence, tree: DependencyTree, referents: Sequence[Referent]) -> LinkedSentence:
        """The sentence with the ranks of its links; one of 0.5 and more is worth reading by itself."""
        links = [
            replace(link, rank=round(self.rank(features_of(linked, link, tree, referents)), 4))
            for link in linked.links
        ]
        return replace(linked, links=links)

    def rank(self, features: Mapping[str, float]) -> float:
        weights = self._weights
        total = sum(weights[name] * value for name, value in features.items() if name in weights)
        return sigmoid(float(total), limit=_FAR)


@lru_cache(maxsize=1)
def shipped_link_ranker() -> LinkRanker:
    """The English ranker inside the package."""
    return LinkRanker(find_model(SHIPPED))
