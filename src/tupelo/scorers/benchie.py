"""BenchIE (Gashteovski et al., ACL 2022), written from the paper and from the behaviour of its program.

How it works. A gold sentence has clusters; each cluster is one fact and lists every acceptable wording as a triple.
There is no partial credit: a predicted triple is one of these wordings, or it is wrong.

* Words in square brackets are optional: `[the] old mill [by the river]` stands for four strings. A bracket spans from
  its word to the next word with a closing bracket. The forms of a triple are all combinations of its slots.
* A prediction matches a form when all three slots are equal (`slot`), or when the three slots joined with spaces are
  equal (`lexical`). White space at the ends of a slot is removed; case counts.
* A prediction that matches sets the first cluster, in file order, that has an equal form. A cluster set twice counts
  once, and the second prediction costs nothing. A prediction that matches no form is a false positive.

precision = clusters set / (clusters set + false positives); recall = clusters
set / all clusters. Predictions for unknown sentences are left out.

A worked example. One sentence with two clusters, `[the] mill → burned → down` and `[the] mill → stood by → [the]
river`. Of the predictions (mill; burned; down), (the mill; burned; down) and (mill; stood; by the river) the first
two set the first cluster and the third is wrong: precision 1/2, recall 1/2. Under `lexical` the third is right as
well, and both are 1.

Mode `minimal` asks for the shortest form only: in slots that have optional
words, everything in square or round brackets is deleted.

Gold from other formats works too: a tuple that belongs to no cluster is a
cluster of its own, and arguments after the second are joined to it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from math import prod
from typing import ClassVar, NamedTuple

import numpy as np

from tupelo.core import InputError, Record, Triple
from tupelo.core.deadline import in_time
from tupelo.core.garbage import without_garbage_collection
from tupelo.scorers.result import Figures, Floats, Score, ratio
from tupelo.scorers.scorer import MarkedScorer, choose_fixes, group_by_sentence
from tupelo.scorers.signature import FIXES, Mark

# A triple and the cluster it belongs to.
GroupedTriple = tuple[str | None, Triple]

# A slot with k optional parts stands for 2^k strings; a typing error must not fill the memory.
MAX_OPTIONAL_PARTS = 20
_OPENING = re.compile(r"[\[(]")
_SPACES = re.compile(" +")
_WITHOUT_BRACKETS = str.maketrans("", "", "[]")


class Benchie(MarkedScorer):
    """The BenchIE scorer."""

    name: ClassVar[str] = "benchie"
    gold_format: ClassVar[str] = "benchie-gold"
    marks: ClassVar[tuple[Mark, ...]] = (Mark("match", "matcher"), Mark("mode", "mode"), FIXES)

    def __init__(self, *, matcher: str = "slot", mode: str = "full", fixes: Iterable[str] = ()) -> None:
        self.matcher = self.choose("matcher", matcher, "BenchIE matcher")
        self.mode = self.choose("mode", mode, "BenchIE mode")
        self.fixes = choose_fixes(self.quirks, fixes)

    @without_garbage_collection()
    def evaluate(self, gold: Iterable[Record], predicted: Iterable[Record]) -> BenchieEvaluation:
        groups = group_by_sentence(gold, predicted, lambda item: (item.group, item.triple()))
        counts = [self._count(*parts) for parts in zip(groups.units, groups.gold, groups.predicted, strict=True)]
        return BenchieEvaluation(
            units=groups.units,
            counts=counts,
            predicted=groups.total,
            signature=self.signature,
        )

    def _count(self, name: str, gold: Sequence[GroupedTriple], predicted: Sequence[GroupedTriple]) -> SentenceCounts:
        """The counts of one sentence."""
        facts: dict[str | int, list[Triple]] = {}
        for number, (group, triple) in enumerate(gold):
            # A tuple without a cluster is a fact of its own.
            facts.setdefault(number if group is None else group, []).append(triple)
        clusters = list(facts.values())
        slots = {slot for cluster in clusters for triple in cluster for slot in slots_of(triple)}
        parts = {slot: self._parse(slot) for slot in slots}
        stands_for = {slot: 2 ** sum(part.optional for part in parts[slot]) for slot in slots}
        triples = [triple for cluster in clusters for triple in cluster]
        forms = sum(prod([stands_for[slot] for slot in slots_of(triple)]) for triple in triples)
        hit: set[int] = set()
        false_positives = whitespace_only = 0
        if predicted:
            if slots and max(stands_for.values()) > 2**MAX_OPTIONAL_PARTS:
                raise InputError(
                    f"sentence '{name}' has a gold slot with more than {MAX_OPTIONAL_PARTS} optional parts, "
                    f"which would stand for over {2**MAX_OPTIONAL_PARTS:,} strings"
                )
            written = {slot: expand(parts[slot]) for slot in slots}
            stripped = {slot: frozenset([form.strip() for form in written[slot]]) for slot in slots}
            find = partial(first_cluster, clusters, EQUAL[self.matcher])
            for _, triple in in_time(predicted):
                given = slots_of(triple)
                cluster = find(stripped, [slot.strip() for slot in given])
                if cluster is None:
                    false_positives += 1
                    continue
                exact = find(written, given)
                whitespace_only += exact is None
                if "whitespace-cluster" not in self.fixes:
                    cluster = len(clusters) - 1 if exact is None else exact
                hit.add(cluster)
        return SentenceCounts(
            clusters=len(clusters),
            hit=len(hit),
            false_positives=false_positives,
            triples=len(triples),
            forms=forms,
            predicted=len(predicted),
            whitespace_only=whitespace_only,
        )

    def _parse(self, slot: str) -> list[SlotPart]:
        if self.mode == "minimal" and "[" in slot:
            slot = _SPACES.sub(" ", _without_brackets(slot)).strip()
        return parse_slot(slot, keep_unpaired="unpaired-brackets" in self.fixes)


def _without_brackets(slot: str) -> str:
    """A slot without its brackets and the text inside them; a bracket that is never closed stays."""
    kept: list[str] = []
    position, unclosed = 0, ""
    for opening in _OPENING.finditer(slot):
        if opening.start() < position or opening[0] in unclosed:
            continue
        end = slot.find("]" if opening[0] == "[" else ")", opening.end())
        if end < 0:
            unclosed += opening[0]
            continue
        kept.append(slot[position : opening.start()])
        position = end + 1
    return "".join(kept) + slot[position:]


class SlotPart(NamedTuple):
    """A stretch of a slot that is there or left out as a whole."""

    text: str
    optional: bool


def parse_slot(slot: str, keep_unpaired: bool = False) -> list[SlotPart]:
    """Take a slot apart at its spaces and brackets.

    >>> [part.text for part in parse_slot("[the] mill [by the river]") if part.optional]
    ['the', 'by the river']
    """
    if "[" not in slot and "]" not in slot:
        return [SlotPart(slot, optional=False)]
    words = slot.split(" ")
    parts: list[SlotPart] = []
    position = 0
    while position < len(words):
        word = words[position]
        end = position + 1
        if "[" in word:
            last = next((at for at in range(position, len(words)) if "]" in words[at]), None)
            end = end if last is None else last + 1
            is_paired = last is not None
        else:
            is_paired = "]" not in word
        if is_paired or keep_unpaired:
            text = " ".join(words[position:end]).translate(_WITHOUT_BRACKETS)
            parts.append(SlotPart(text, optional=is_paired and "[" in word))
        position = end
    return parts


def expand(parts: Sequence[SlotPart]) -> frozenset[str]:
    """Every string that the slot stands for."""
    choices = [(part.text, None) if part.optional else (part.text,) for part in parts]
    return frozenset(" ".join([text for text in chosen if text is not None]) for chosen in product(*choices))


Slots = Sequence[str]
Forms = Sequence[frozenset[str]]


def slots_of(triple: Triple) -> tuple[str, str, str]:
    return triple.subject, triple.relation, triple.object


def equal_by_slot(given: Slots, forms: Forms) -> bool:
    return given[0] in forms[0] and given[1] in forms[1] and given[2] in forms[2]


def equal_when_joined(given: Slots, forms: Forms) -> bool:
    """The borders between slots do not matter; only splits that begin like a form are tried."""
    text = " ".join(given)
    for subject in forms[0]:
        if text.startswith(f"{subject} "):
            rest = text[len(subject) + 1 :]
            for relation in forms[1]:
                if rest.startswith(f"{relation} ") and rest[len(relation) + 1 :] in forms[2]:
                    return True
    return False


EQUAL: Mapping[str, Callable[[Slots, Forms], bool]] = {"slot": equal_by_slot, "lexical": equal_when_joined}


def first_cluster(
    clusters: Sequence[Sequence[Triple]],
    equal: Callable[[Slots, Forms], bool],
    forms: Mapping[str, frozenset[str]],
    given: Slots,
) -> int | None:
    """The first cluster in which a triple has a form equal to `given`."""
    for number, cluster in enumerate(clusters):
        for triple in cluster:
            if equal(given, [forms[slot] for slot in slots_of(triple)]):
                return number
    return None


class SentenceCounts(NamedTuple):
    """The counts of one sentence. `forms` are all strings that the gold triples stand for."""

    clusters: int
    hit: int
    false_positives: int
    triples: int
    forms: int
    predicted: int
    whitespace_only: int


@dataclass(eq=False, repr=False)
class BenchieEvaluation:
    """One system against one gold standard: counts per sentence, figures divide last."""

    units: Sequence[str]
    counts: Sequence[SentenceCounts]
    predicted: int
    signature: str

    def __post_init__(self) -> None:
        self._table = np.array(self.counts, dtype=np.float64).reshape(len(self.counts), len(SentenceCounts._fields))

    def score(self, weights: Floats | None = None) -> Score:
        """Figures of the corpus, or of a resample of it when each unit has a weight."""
        drawn = np.ones(len(self.units)) if weights is None else weights
        sums: SentenceCounts = SentenceCounts._make((drawn @ self._table).tolist())
        precision = ratio(sums.hit, sums.hit + sums.false_positives)
        return Score(
            scorer=Benchie.name,
            signature=self.signature,
            **Figures.of(precision, ratio(sums.hit, sums.clusters))._asdict(),
            auc=None,
            gold=round(sums.clusters),
            predicted=self.predicted,
            details={
                "clusters": round(sums.clusters),
                "gold_triples": round(sums.triples),
                "clusters_hit": round(sums.hit),
                "false_positives": round(sums.false_positives),
                "matching": round(sums.predicted - sums.false_positives),
                "predicted_in_gold_sentences": round(sums.predicted),
                "gold_forms": round(sums.forms),
                "whitespace_only_matches": round(sums.whitespace_only),
            },
        )
