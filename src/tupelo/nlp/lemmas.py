"""The base form of a word: a lexicon first, then English spelling rules in reverse.

If a rule allows several base forms (*hoping*: *hop*, *hope*), the one in the lexicon is chosen, and otherwise the one
that English spelling suggests.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from tupelo.nlp.languages.en.inflection import IRREGULAR

_VOWELS = frozenset("aeiou")
_OBJECT_FORMS = {"me": "I", "i": "I", "him": "he", "her": "she", "us": "we", "them": "they", "whom": "who"}
_PARTICLES = {"n't": "not", "nt": "not", "'": "'s", "s": "'s", "na": "to", "ta": "to"}


@dataclass(frozen=True)
class Lemmatizer:
    """`exceptions` maps a tag and a form to its lemma; `known` lists base forms by tag.

    Forms in `exceptions` are in lower case, or as written where capitals matter.
    """

    exceptions: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    known: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # Words repeat; the cache depends on this lexicon, hence one per instance.
        object.__setattr__(self, "lemma", lru_cache(maxsize=50_000)(self._lemma))

    def lemma(self, form: str, upos: str, xpos: str) -> str:
        """The base form of a word with the given tags."""
        return self._lemma(form, upos, xpos)

    def _lemma(self, form: str, upos: str, xpos: str) -> str:
        exceptions = self.exceptions.get(upos, {})
        if form in exceptions:
            return exceptions[form]
        lower = form.lower().replace("’", "'").replace("`", "'")
        if lower in exceptions:
            return _with_capitals(form, exceptions[lower], upos)
        return _with_capitals(form, self._regular(lower, upos, xpos), "PROPN" if xpos in ("NNP", "NNPS") else upos)

    def _regular(self, lower: str, upos: str, xpos: str) -> str:
        kind = "VERB" if upos == "AUX" else upos
        irregular = IRREGULAR.get(kind, {}).get(lower)
        if upos in ("VERB", "AUX"):
            if xpos in ("VB", "VBP"):
                # "found" and "lay" are base forms too; "am", "'re" and "'ve" are not.
                return irregular if irregular in ("be", "have") else lower
            return irregular or self._verb(lower, xpos)
        if upos == "NOUN" or xpos in ("NNS", "NNPS"):
            if xpos not in ("NNS", "NNPS"):
                return lower
            return irregular or self._plural(lower)
        if xpos in ("JJR", "JJS", "RBR", "RBS"):
            return irregular or self._compared(lower, "er" if xpos.endswith("R") else "est", kind)
        if upos == "NUM":
            return lower.replace(",", "") if lower[0].isdigit() else lower
        if upos == "PRON":
            return _OBJECT_FORMS.get(lower, lower) if xpos in ("PRP", "WP") else lower
        if upos == "PART":
            return _PARTICLES.get(lower, lower)
        return lower

    def _verb(self, lower: str, xpos: str) -> str:
        if lower.endswith("in'") and len(lower) > 4:
            lower = lower[:-1] + "g"
        if xpos == "VBZ" and lower.endswith("s"):
            return self._without_s(lower, "VERB")
        if xpos in ("VBG", "NNP") and lower.endswith("ing") and len(lower) > 4:
            return self._stem(lower[:-3], "VERB")
        if xpos in ("VBD", "VBN", "NNP") and lower.endswith("ed") and len(lower) > 3:
            if lower.endswith("ied") and len(lower) > 4:
                return lower[:-3] + "y"
            return self._stem(lower[:-2], "VERB")
        return lower

    def _plural(self, lower: str) -> str:
        if lower.endswith("'s"):
            return lower[:-2]
        if lower.endswith("men") and len(lower) > 4:
            return lower[:-2] + "an"
        if lower.endswith("s") and len(lower) > 2:
            return self._without_s(lower, "NOUN")
        return lower

    def _without_s(self, lower: str, kind: str) -> str:
        known = self.known.get(kind, frozenset())
        if lower.endswith("ss"):
            return lower
        if lower.endswith("ies") and len(lower) > 4:
            return lower[:-1] if lower[:-1] in known and lower[:-3] + "y" not in known else lower[:-3] + "y"
        if lower.endswith("es") and len(lower) > 3:
            if lower[:-1] in known:
                return lower[:-1]
            if lower[:-2] in known or lower[:-2].endswith(("ss", "x", "ch", "sh", "zz", "o")):
                return lower[:-2]
        return lower[:-1]

    def _compared(self, lower: str, ending: str, kind: str) -> str:
        if not lower.endswith(ending) or len(lower) <= len(ending) + 2:
            return lower
        stem = lower[: -len(ending)]
        if stem.endswith("i"):
            return stem[:-1] + "y"
        return self._stem(stem, kind)

    def _stem(self, stem: str, kind: str) -> str:
        """The base form of a stem without -ing, -ed or -er."""
        known = self.known.get(kind, frozenset())
        doubled = len(stem) > 2 and stem[-1] == stem[-2] and stem[-1] not in _VOWELS
        candidates = [stem[:-1], stem, stem + "e"] if doubled else [stem, stem + "e"]
        if not doubled and _wants_e(stem):
            candidates.reverse()
        for candidate in candidates:
            if candidate in known:
                return candidate
        if doubled and stem[-1] in "slfz":
            return stem
        return candidates[0]


def _wants_e(stem: str) -> bool:
    """Whether a stem lacks the final e that English spelling requires (*liv*, *chang*, *believ*, *creat*)."""
    if not any(letter in "aeiouy" for letter in stem):
        return False
    if stem.endswith(
        ("v", "u", "c", "z", "dg", "ng", "rg", "ls", "ns", "rs", "iat", "uat", "eat", "at", "ur", "iz", "is")
    ):
        return stem.endswith("creat") or not stem.endswith(("ing", "ong", "ang", "ung", "eat", "oat"))
    if len(stem) >= 3 and stem[-1] in "klmnprst" and stem[-2] in "aiou" and stem[-3] not in _VOWELS:
        # One vowel before one consonant: *hop* would have doubled it, so this is *hope*; long words are unstressed.
        return sum(letter in _VOWELS for letter in stem) == 1
    return len(stem) >= 2 and stem[-1] == "l" and stem[-2] in "bcdfgkpt"


def _with_capitals(form: str, lemma: str, upos: str) -> str:
    """Restore the capitals of names, up to the length of the lemma, and of abbreviations."""
    if form == lemma or not lemma:
        return form
    shouted = form.isupper() and len(form) > 1
    if upos == "PROPN" or (shouted and upos in ("NOUN", "X")):
        shared = 0
        while shared < min(len(form), len(lemma)) and form[shared].lower() == lemma[shared]:
            shared += 1
        rest = lemma[shared:]
        return form[:shared] + (rest.upper() if shouted else rest)
    return lemma
