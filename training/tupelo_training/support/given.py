"""Claims that come with a text and a label: written for this, or from public sets of pairs."""

from __future__ import annotations

import csv
import gzip
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

from tupelo_training.support.documents import json_lines
from tupelo_training.support.table import NO, REFUTED, SUPPORTED, UNKNOWN, UNSUPPORTED, YES

PAIRS = Path(__file__).with_name("pairs.txt.gz")
MATCHED = Path(__file__).with_name("matched.txt.gz")
SPLICED = Path(__file__).with_name("spliced.tsv.gz")
OLDER = Path(__file__).with_name("written.txt.gz")
RELATIONS = Path(__file__).with_name("relations.tsv.gz")
NAMES = Path(__file__).with_name("names.txt")
SIGNS = {"+": SUPPORTED, "-": REFUTED, "?": UNKNOWN, "!": UNSUPPORTED}
LABELS = {
    "entailment": SUPPORTED,
    "contradiction": REFUTED,
    "neutral": UNKNOWN,
    "not_entailment": UNSUPPORTED,
    "supported": SUPPORTED,
    "unsupported": UNSUPPORTED,
    "refuted": UNSUPPORTED,  # there: not accurate
}
ANSWERS = {"yes": SUPPORTED, "no": REFUTED, "unknown": UNKNOWN}
# Pairs to learn from, all of a licence that allows commercial use.
LEARNED = ("snli", "mnli", "scitail", "paws", "cad", "conjnli", "med")
_BRACES = re.compile(r"[{}]")
_WORD = re.compile(r"\w+|[^\w\s]")
_SENTENCE_END = re.compile(r"(?<=[.!?]) +(?=\S)")

Marks = list[tuple[int, int, int]]


@dataclass(frozen=True, slots=True)
class Given:
    """A claim with its label and the characters of it that are right and wrong, as far as known."""

    claim: str
    marks: Marks
    label: int


@dataclass(frozen=True, slots=True)
class Passage:
    """Claims about a text; `text` is empty where `id` says which of the public texts it is."""

    id: str
    text: str
    claims: tuple[Given, ...]


def written_passages(path: Path) -> Iterator[Passage]:
    """Texts with the claims that were written about them.

    A line `=== ID` begins a text, `>` gives it unless it is public; then claims: `+` supported, `-` refuted, `?` not
    in the text, `!` one of the last two, with what is wrong in braces. `kind |` may come first.
    """
    name, text = "", ""
    claims: list[Given] = []
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        for line in stream:
            sign, _, rest = line.strip().partition(" ")
            if sign == "===":
                if claims:
                    yield Passage(name, text, tuple(claims))
                name, text, claims = rest, "", []
            elif sign == ">":
                text = rest
            elif sign in SIGNS:
                claims.append(written_claim(rest.rpartition(" | ")[2], SIGNS[sign]))
    if claims:
        yield Passage(name, text, tuple(claims))


def written_claim(told: str, label: int) -> Given:
    claim, marks = "", []
    for number, part in enumerate(_BRACES.split(told)):
        if number % 2:
            marks.append((len(claim), len(claim) + len(part), NO))
        claim += part
    if marks or label == SUPPORTED:
        marks.append((0, len(claim), YES))
    return Given(claim, marks, label)


def pairs(data: Path, name: str) -> Iterator[tuple[str, Given]]:
    """Premises and hypotheses of one of the sets of `nli/`."""
    for item in json_lines(data / f"nli/{name}.jsonl.gz"):
        yield item["premise"], given(item["hypothesis"], LABELS[item["label"]])


def given(claim: str, label: int) -> Given:
    return Given(claim, [(0, len(claim), YES)] if label == SUPPORTED else [], label)


def document_claims(data: Path, name: str) -> Iterator[tuple[str, Given]]:
    """Documents and claims of one of the sets of `claims/`."""
    for item in json_lines(data / f"claims/{name}.jsonl.gz"):
        claim = given(item["claim"], LABELS[item["label"]])
        if "unsupported_tokens" in item:
            claim = Given(claim.claim, marks_of(claim.claim, item["unsupported_tokens"]), claim.label)
        yield item["document"], claim


def marks_of(claim: str, wrong: str) -> Marks:
    """Where some words of a claim are, the first time that they come in this order."""
    marks, begin = [], 0
    for word in wrong:
        place = claim.find(word, begin)
        if place >= 0:
            marks.append((place, place + len(word), NO))
            begin = place + len(word)
    return [*marks, (0, len(claim), YES)] if marks else []


def edited_summaries(data: Path) -> Iterator[tuple[str, Given]]:
    """Documents of BUMP with each sentence of the summary, and each that was edited, with the edited words."""
    right: dict[str, list[str]] = {}
    wrong: dict[str, list[str]] = {}
    for item in json_lines(data / "claims/bump.jsonl.gz"):
        kept = right if item["label"] == "supported" else wrong
        kept.setdefault(item["document"], []).extend(_SENTENCE_END.split(item["claim"]))
    for document, sentences in right.items():
        for sentence in dict.fromkeys(sentences):
            yield document, given(sentence, SUPPORTED)
        for sentence in dict.fromkeys(wrong.get(document, ())):
            if sentence not in sentences:
                closest = max(sentences, key=lambda other: SequenceMatcher(None, sentence, other).ratio())
                yield document, Given(sentence, edits(closest, sentence), UNSUPPORTED)


def edits(before: str, after: str) -> Marks:
    """Words of a sentence that another did not have; nothing where words were only taken away."""
    found = list(_WORD.finditer(after))
    old, new = [match[0] for match in _WORD.finditer(before)], [match[0] for match in found]
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    marks = [
        (found[low].start(), found[high - 1].end(), NO)
        for kind, _, _, low, high in matcher.get_opcodes()
        if kind != "equal" and high > low
    ]
    return [*marks, (0, len(after), YES)] if marks else []


def names_by_type(path: Path = NAMES) -> dict[str, list[str]]:
    """Names to put in the place of `{A}` and `{B}`."""
    lines = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines())
    return {kind: names.split(", ") for kind, names in lines}


@dataclass(frozen=True, slots=True)
class Relation:
    """Two statements about `{A}` and `{B}` of some types, and what follows in each direction.

    A symmetric one may hold with the names exchanged, too.
    """

    types: tuple[str, str]
    statements: tuple[str, str]
    labels: tuple[int, int]
    symmetric: bool

    def told(self, names: tuple[str, str], backward: bool) -> tuple[str, Given]:
        """A premise, and what follows from it or not."""
        first, second = self.statements[::-1] if backward else self.statements
        return sentence(first, *names), given(sentence(second, *names), self.labels[backward])


def read_relations(path: Path = RELATIONS) -> list[Relation]:
    with gzip.open(path, "rt", encoding="utf-8", newline="") as stream:
        return [
            Relation((a, b), (first, second), (ANSWERS[forward], ANSWERS[backward]), bool(note))
            for _, a, b, first, second, forward, backward, _, note in csv.reader(
                stream, delimiter="\t", quoting=csv.QUOTE_NONE
            )
        ]


class Cast:
    """Who and what statements are about."""

    def __init__(self, names: Mapping[str, Sequence[str]], chance: random.Random) -> None:
        self._names, self._chance = names, chance

    def pair(self, relation: Relation) -> tuple[str, str]:
        one, other = relation.types
        a = self._chance.choice(self._names[one])
        return a, self._chance.choice([name for name in self._names[other] if name != a])

    def few(self) -> Cast:
        """Three of each type, so that several statements are about the same ones."""
        drawn = {kind: self._chance.sample(names, 3) for kind, names in self._names.items()}
        return Cast(drawn, self._chance)

    def scene(self, relation: Relation, others: Sequence[Relation]) -> tuple[list[str], Given]:
        """Statements with the same few names, and a claim that follows from one of them, or does not: because of what
        it says, because names are exchanged, or because one is another's."""
        few, backward = self.few(), self._chance.random() < 0.5
        names = few.pair(relation)
        premise, claim = relation.told(names, backward)
        if claim.label == SUPPORTED and self._chance.random() < 0.6:
            changed = self._changed(few, relation, names)
            if changed is not None:
                claim = given(relation.told(changed, backward)[1].claim, UNSUPPORTED)
        told = [premise, *(other.told(few.pair(other), False)[0] for other in others)]
        self._chance.shuffle(told)
        return told, claim

    def _changed(self, few: Cast, relation: Relation, names: tuple[str, str]) -> tuple[str, str] | None:
        """The names exchanged, or one of them replaced; none where this may still be true."""
        a, b = names
        if relation.types[0] == relation.types[1] and self._chance.random() < 0.6:
            return None if relation.symmetric else (b, a)
        place = self._chance.randrange(2)
        free = [name for name in few._names[relation.types[place]] if name not in names]
        other = self._chance.choice(free)
        return (other, b) if place == 0 else (a, other)


def sentence(pattern: str, a: str, b: str) -> str:
    text = pattern.replace("{A}", a).replace("{B}", b)
    return f"{text[0].upper()}{text[1:]}."


def spliced_claims(texts: Mapping[str, str], path: Path = SPLICED) -> Iterator[tuple[str, str, bool]]:
    """Sentences joined from parts of texts, as summarizers make them that copy: text, sentence, whether it holds.

    A line is a text's name, then signs with the characters `start-end` of every part, after tabs. A text that is not
    there is passed over.
    """
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        for line in stream:
            part, *claims = line.rstrip("\n").split("\t")
            name = part.partition("#")[0]
            for claim in claims if name in texts else ():
                yield name, cut(texts[name], claim[1:]), claim[0] == "+"


def cut(text: str, parts: str) -> str:
    """The sentence that some parts make.

    >>> cut("Rosa left the town of Oslo.", "0-9,22-26")
    'Rosa left Oslo.'
    """
    spans = (part.split("-") for part in parts.split(","))
    made = " ".join(text[int(start) : int(end)] for start, end in spans)
    return made[:1].upper() + made[1:] + "."
