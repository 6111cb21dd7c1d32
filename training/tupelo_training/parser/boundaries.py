"""Gaps between words that treebanks hold too few of, made from their sentences: mostly abbreviations.

A word is put into a sentence, or after its last one, and the gap after the word is an example: no sentence ends after
*Dr.* before a name, one does after *Inc.* where the sentence ended before. What is put where follows from the tags.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from tupelo.core import Analysis
from tupelo.nlp.languages import word_set
from tupelo.nlp.prepare import Gaps
from tupelo.nlp.tokens import ABBREVIATION_KINDS, AbbreviationKind, tokenize

Example = tuple[list[str], bool]

_CLEAN_END = re.compile(r"[^\W\d_]{2,}\.$")
_OFFICES = ("CEO", "CFO", "COO", "CTO", "MP", "MEP", "PM", "VP", "DJ", "NBA", "FBI", "US", "UK", "EU", "UN")
_LEADERS = ("CEO", "CFO", "Chairman", "President", "Chief Executive", "Director", "Vice President")
_COMPANIES = ("Inc.", "Corp.", "Co.", "Ltd.", "Bros.", "U.S.", "U.K.")
_DOTTED = ("U.S.", "U.K.", "D.C.", "N.Y.", "L.A.", "U.N.", "Ph.D.", "M.D.", "B.A.", "a.m.", "p.m.", "B.C.", "A.D.")
_SHOUTED = ("Yahoo!", "Jeopardy!", "Oklahoma!", "Mamma Mia!", "Panic!", "Wham!", "Guess?", "Who?")
_SAYING = ("said", "asked", "cried", "shouted", "replied", "answered", "whispered", "wondered", "added", "thought")
_SPEAKERS = ("he", "she", "I", "they", "the man", "her mother", "Ann", "Mr. Hall")
_QUOTES = ('""', '""', "“”", "''", "‘’")
_ITEMS = ("1)", "2)", "(a)", "a)", "b)", "A.")
_CITIES = ("LONDON", "NEW YORK", "Paris", "BEIJING, China", "WASHINGTON", "Tokyo", "KABUL, Afghanistan")
_AGENCIES = ("(Reuters)", "(AP)", "(AFP)", "(CNN)", "(UPI)")
_DAYS = word_set("Monday Tuesday Wednesday Thursday Friday Saturday Sunday EST EDT GMT ET PT")
_LED = 0.1
_LETTERS = "ABCDEFGHJKLMNPRSTVWXYZ"


def made_examples(analyses: Iterable[Analysis], share: float, seed: int) -> Iterator[Example]:
    """Examples from a share of the neighbouring sentences of the same document."""
    choose = random.Random(seed)
    for first, second in pairwise(analyses):
        if first.document_id == second.document_id and second.text[:1].isupper() and choose.random() < share:
            for before, after, is_end in _changed(first, second, choose):
                features = _features(f"{before} {after}", len(before))
                if features is not None:
                    yield features, is_end


def _features(text: str, place: int) -> list[str] | None:
    """Features of the gap after the word that ends at `place`, in a sentence that begins the text."""
    tokens = tokenize(text)
    gaps = Gaps([text[start:end] for start, end, _ in tokens], tokens)
    for index, (_, end, _) in enumerate(tokens[:-1]):
        if end == place:
            return gaps.features(index, 0)
    return None


# The text before and after a gap, and whether a sentence ends there.
Made = tuple[str, str, bool]


def _changed(first: Analysis, second: Analysis, choose: random.Random) -> Iterator[Made]:
    """Gaps made from two sentences."""
    if _CLEAN_END.search(first.text):
        kinds = _of("any", choose), _of("any", choose), choose.choice(_DOTTED), _letter(choose), _of("number", choose)
        yield f"{first.text[:-1]} {choose.choice(kinds)}", second.text, True
    for make, share in _SHARES.items():
        if choose.random() < share:
            yield from make(first, second, choose)
    inside = [index for index in range(1, len(first.words)) if _is_apart(first, index)]
    choose.shuffle(inside)
    for index in inside[:3]:
        word, rest = _fitting(first, index, choose)
        if word:
            place = first.words[index].start - first.start
            yield f"{first.text[:place]}{word}", f"{rest}{first.text[place:]}", False


def _said(first: Analysis, second: Analysis, choose: random.Random) -> Iterator[Made]:
    """A sentence in quotes, who said it before or after, and the next sentence."""
    opening, closing = choose.choice(_QUOTES)
    quoted = f"{opening}{first.text}{closing}"
    who, verb = choose.choice(_SPEAKERS), choose.choice(_SAYING)
    if first.text[-1] in "?!":
        yield quoted, f"{who} {verb}.", False
        if who[0].isupper() and who != "I":
            yield quoted, f"{verb} {who}.", False
    if first.text[-1] in ".?!":
        yield f"{who[0].upper()}{who[1:]} {verb},", quoted, False
        yield quoted, second.text, True
        yield quoted, f"{opening}{second.text}{closing}", True


def _opened(first: Analysis, second: Analysis, choose: random.Random) -> Iterator[Made]:
    """A sentence in quotes after one without."""
    if first.text[-1] in ".?!" and second.text[-1] in ".?!":
        opening, closing = choose.choice(_QUOTES)
        yield first.text, f"{opening}{second.text}{closing}", True


def _listed(first: Analysis, second: Analysis, choose: random.Random) -> Iterator[Made]:
    yield choose.choice(_ITEMS), first.text, False


def _reported(first: Analysis, second: Analysis, choose: random.Random) -> Iterator[Made]:
    """The line of place and agency with which news begins."""
    city, agency = choose.choice(_CITIES), choose.choice(_AGENCIES)
    dash = choose.choice(("-", "--", "—", "–"))
    yield f"{city} {agency}", f"{dash} {first.text}", False
    yield choose.choice((f"{city} {agency} {dash}", f"{city} {dash}")), first.text, False
    yield agency, first.text, False


def _is_apart(analysis: Analysis, index: int) -> bool:
    before, word = analysis.words[index - 1 : index + 1]
    return before.end < word.start and before.text[-1].isalnum() and word.text[0].isalnum()


def _fitting(analysis: Analysis, index: int, choose: random.Random) -> tuple[str, str]:
    """A word that may stand before word `index` within a sentence, and what stands between; empty if none fits."""
    before, word = analysis.words[index - 1 : index + 1]
    if word.text in _DAYS:
        return choose.choice(("5 p.m.", "8 a.m.", "11:30 p.m.", "3:15 a.m.")), ""
    if word.text[0].isdigit():
        return choose.choice((_of("number", choose), _of("rest", choose), _month(choose))), ""
    if word.upos == "PROPN" and word.text[0].isupper():
        if before.upos == "PROPN":
            return _letter(choose), ""
        if choose.random() < _LED:
            return f"Acme {choose.choice(_COMPANIES)}", f"{choose.choice(_LEADERS)} "
        named = _of("name", choose), _letter(choose), choose.choice(_OFFICES), _of("rest", choose)
        return choose.choice((*named, choose.choice(_DOTTED[:6]))), ""
    if word.text[0].islower():
        after_name = _of("any", choose), choose.choice(_DOTTED), choose.choice(_SHOUTED)
        others = _of("rest", choose), _of("any", choose)
        return choose.choice(after_name if before.upos in ("PROPN", "NUM") else others), ""
    return "", ""


_SHARES = {_said: 0.2, _opened: 0.1, _listed: 0.05, _reported: 0.05}
_BY_KIND: dict[AbbreviationKind, Sequence[str]] = {
    kind: sorted(word for word, its in ABBREVIATION_KINDS.items() if its == kind)
    for kind in ("name", "number", "rest", "any")
}


def _of(kind: AbbreviationKind, choose: random.Random) -> str:
    word = choose.choice(_BY_KIND[kind])
    return f"{word if kind == 'rest' or len(word) == 1 or choose.random() < 0.3 else word.capitalize()}."


def _letter(choose: random.Random) -> str:
    return f"{choose.choice(_LETTERS)}."


def _month(choose: random.Random) -> str:
    return choose.choice(("Jan.", "Feb.", "Sept.", "Oct.", "Nov.", "Dec."))
