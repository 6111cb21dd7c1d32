"""The reservations of a source about a thing that a claim states plainly.

A source may say a thing as possible, planned, believed, alleged, conditional or denied. Then it supports only claims
with a reservation of their own; a claim without one is *overstated*, or contradicted where the source denies the
thing. Only sentences with words of reservation are parsed; the tuple that shares most with the claim decides by its
marks (`tupelo.extract.marks`). What somebody plainly *said* counts as reported fact, unless the claim vouches for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from tupelo.checking.evidence import stems
from tupelo.core import Extraction
from tupelo.nlp.languages import words as listed
from tupelo.nlp.languages.en.grammar import BELIEF_VERBS, SPEECH_VERBS
from tupelo.nlp.languages.en.inflection import gerund, participle, past, third_person
from tupelo.nlp.syntax import DependencyTree

_VERBS = listed("modality", "reserving_verbs")
_RESERVING = (
    listed("modality", "reserving_words")
    | _VERBS
    | {form(verb) for verb in _VERBS for form in (past, participle, gerund, third_person)}
)
_CERTAINTY = listed("modality", "certainty")
_HEARSAY = frozenset(["alleg", "repor", "rumou", "rumor", "purpo", "accus", "suppo", "claim"])
_WEAK = frozenset(["possible", "probable", "hypothetical", "intended", "necessary", "alternative"])
_UNREAL = {
    "condition": "on a condition",
    "hypothesis": "as a condition",
    "belief": "as a belief",
    "question": "as a question",
}
# A tuple is about a claim if it shares this part of the claim's words.
_ABOUT = 0.5
_SAME = 2 / 3


def has_reservation(words: Iterable[str]) -> bool:
    """Whether words express a reservation: *may*, *planned*, *if*, *denied*.

    >>> has_reservation("The bridge could close".split()), has_reservation("The bridge closed".split())
    (True, False)
    """
    return any(word.lower() in _RESERVING for word in words)


def vouches(words: Iterable[str]) -> list[str]:
    """The words that vouch for a thing: *certainly*, *proven*."""
    return [word for word in words if word.lower() in _CERTAINTY]


@dataclass(frozen=True, slots=True)
class Reservation:
    """A reservation of sentence number `sentence` of the source; `denies` if it says that the claim is not so."""

    text: str
    sentence: int
    denies: bool = False


@dataclass(frozen=True)
class StatedClaim:
    """A claim as the words of its tree, and its stems."""

    tree: DependencyTree
    words: tuple[int, ...]

    @cached_property
    def stems(self) -> frozenset[str]:
        return stems(self.tree.words[word].text for word in self.words)

    @property
    def is_reserved(self) -> bool:
        """Whether the sentence of the claim has a reservation itself, or names who says or believes so."""
        tree = self.tree
        reports = SPEECH_VERBS | BELIEF_VERBS
        said = any(tree.lemmas[word] in reports and tree.upos(word) == "VERB" for word in range(tree.size))
        return said or has_reservation(tree.lowered)

    @property
    def is_past(self) -> bool:
        tags = {self.tree.tag(word) for word in self.words}
        return bool(tags & {"VBD", "VBN"}) and not tags & {"MD"}

    def reservation(self, sentence: int, words: Sequence[str], tuples: Iterable[Extraction]) -> Reservation | None:
        """The reservation with which a parsed sentence has the claim; `None` if it has none."""
        own = self.stems
        about = [(len(own & _stems_of(one)), one) for one in _innermost(tuples) if self._is_about(one)]
        most, known = max((shared for shared, _ in about), default=0), len(own & stems(words))
        best = [one for shared, one in about if shared == most and most >= _ABOUT * known]
        # With no plain sentence, other words of the claim are not plain either: "450 jobs could be at risk".
        best = best or _innermost(tuples)
        if not best:
            return None
        reserved = [found for one in best if (found := self._of(one, most / max(known, 1)))]
        # One tuple of several that states it plainly is enough.
        if len(reserved) < len(best):
            vouched = [word for word in vouches(word.text for word in self.tree.words) if word.lower() not in words]
            if not vouched or not any(one.attribution or one.context for one in best):
                return None
            return Reservation(f"the source only reports it, not as {vouched[0].lower()}", sentence)
        text, denies = reserved[0]
        return Reservation(text, sentence, denies)

    def _is_about(self, found: Extraction) -> bool:
        """Whether a tuple shares at least half of the claim beyond its first argument."""
        beyond = self.stems - stems(found.arg1.text.split() if found.arg1 else ())
        shared = beyond & stems(word for part in (found.rel, *found.args) for word in part.text.split())
        return bool(shared) and len(shared) >= _ABOUT * len(beyond)

    def _of(self, found: Extraction, share: float) -> tuple[str, bool] | None:
        """The reservation of a tuple in words, and whether it is a denial; it has a `share` of the claim's words."""
        role = found.context.role if found.context is not None else None
        words = f": {found.rel.text}"
        if role in _UNREAL and found.context is not None:
            return f"the source has it only {_UNREAL[role]}: {found.context.text}", False
        if found.modality in _WEAK or (found.modality == "future" and self.is_past):
            return f"the source has it only as {found.modality}{words}", False
        relation = stems(found.rel.text.split())
        is_same = share >= _SAME and 2 * len((told := _stems_of(found)) & self.stems) > len(told)
        if found.negated and is_same and (not relation or relation & self.stems):
            said = f", {found.attribution}" if found.attribution else words
            return f"the source denies it{said}", True
        if found.attribution is not None and stems([(found.attribution.verb or "").split(" ")[-1]]) & _HEARSAY:
            return f"the source has it only as hearsay: {found.attribution}", False
        return None


def _innermost(tuples: Iterable[Extraction]) -> list[Extraction]:
    """Tuples without those that have the relation of another one in an argument: *the mayor; said; it would open*."""
    found = list(tuples)
    relations = [(one, set(one.rel.tokens or ())) for one in found]
    return [
        one
        for one in found
        if not any(
            inner and inner <= {token for part in one.args for token in part.tokens or ()}
            for other, inner in relations
            if other is not one
        )
    ]


def _stems_of(found: Extraction) -> frozenset[str]:
    parts = [part for part in (found.arg1, found.rel, *found.args) if part is not None]
    own = stems(word for part in parts for word in f"{part.text} {part.resolved or ''}".split())
    # "Halden denied that it had made an offer": the pronoun mostly stands for the speaker.
    is_pronoun = found.arg1 is not None and not stems(found.arg1.text.split())
    speaker = found.attribution.speaker if found.attribution is not None and is_pronoun else None
    return own | stems((speaker or "").split())
