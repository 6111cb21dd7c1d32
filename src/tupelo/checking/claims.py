"""The claims of a text: its sentences as a network reads them, and what each of them claims.

Pronouns are replaced by the names that they stand for; a short answer is read after its question.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from tupelo.checking.plain import HEADING
from tupelo.core import Analysis, Extraction, Span, Word
from tupelo.extract.marks.operators import is_order
from tupelo.names.coreference import NamedReference
from tupelo.nlp.languages import language_data
from tupelo.nlp.pipeline import shipped_vocabulary
from tupelo.nlp.subwords import straight
from tupelo.nlp.syntax import DependencyTree


def _abstention() -> str:
    data = language_data("abstentions")
    text = f"{data['opening']}(?:{'|'.join(data['sentences'])})"
    for name, part in data["parts"].items():
        text = text.replace(f"<{name}>", part)
    return text


_ABSTAINS = re.compile(_abstention())
# After these the sentence says something after all.
_GOES_ON = re.compile(r"\b(?:but|however|although|though|except)\b")
_APOLOGY = re.compile(r"(?:i'm|i am|we are)? ?sorry,? but")


def abstains(sentence: str) -> bool:
    """Whether a sentence only says that the answer is not known.

    >>> abstains("I'm sorry, but I don't know."), abstains("I don't know him, but he is Danish.")
    (True, False)
    """
    plain = " ".join(straight(sentence).lower().split())
    if '"' in plain or _ABSTAINS.match(plain) is None:
        return False
    return _GOES_ON.search(_APOLOGY.sub("", plain, count=1)) is None


_REMARK = re.compile("|".join(f"(?:{remark})" for remark in language_data("abstentions")["remarks"]))


def is_remark(sentence: str) -> bool:
    """Whether a sentence only greets, thanks or offers help, which claims nothing.

    >>> is_remark("Thanks for asking!"), is_remark("I hope this helps."), is_remark("Thanks to Rosa it was saved.")
    (True, True, False)
    """
    return _REMARK.fullmatch(" ".join(straight(sentence).lower().split()).rstrip(" .!,")) is not None


# What follows *I* where an answer hedges: it is no claim, what it is about is one.
_HEDGES = re.compile(
    r"(?:also |do |only )?(?:think|believe|guess|suppose|assume|suspect)\b|(?:am|'m) (?:not|fairly|quite)\b"
)
# A sentence without tuples is a claim if it has a word of these kinds.
_CLAIMING = frozenset(["VERB", "AUX", "PROPN", "NUM"])


@dataclass(frozen=True, slots=True)
class ClaimedSentence:
    """A sentence of the text, as it is `written` from character `start` on, and as the network reads it.

    `places` are the characters of each word in what is `read`; `spoken` its words with names for pronouns; `answers`
    says whether there is a question, `is_heading` whether it is a heading of Markdown.
    """

    analysis: Analysis
    written: str
    start: int
    read: str
    places: tuple[tuple[int, int], ...]
    spoken: tuple[str, ...]
    answers: bool
    is_heading: bool = False

    @classmethod
    def of(
        cls, analysis: Analysis, referents: Mapping[int, NamedReference], text: str, before: int, question: str
    ) -> ClaimedSentence:
        start = analysis.start - before
        # A short answer means nothing without its question.
        is_fragment = bool(question) and not any(word.upos in ("VERB", "AUX") for word in analysis.words)
        read, place = f"{question} " if is_fragment else "", 0
        places, spoken = [], []
        for number, word in enumerate(analysis.words):
            begin, end = word.start - analysis.start, word.end - analysis.start
            shown = _name(word, referents.get(number)) or analysis.text[begin:end]
            read += analysis.text[place:begin]
            places.append((len(read), len(read) + len(shown)))
            read, place = read + shown, end
            spoken.extend(shown.split())
        return cls(
            analysis,
            text[start : start + len(analysis.text)],
            start,
            read + analysis.text[place:],
            tuple(places),
            tuple(spoken),
            bool(question),
            HEADING.match(text, text.rfind("\n", 0, start) + 1) is not None,
        )

    def part(self, words: Sequence[int]) -> ClaimedSentence:
        """The same, where a network reads only some of its words as a sentence."""
        read, places = "", [(0, 0)] * len(self.places)
        for place, word in enumerate(words):
            start, end = self.places[word]
            is_next = place > 0 and words[place - 1] == word - 1
            between = self.read[self.places[word - 1][1] : start] if is_next else " " if read else ""
            # The words of one number share a place if they are read in another wording.
            if is_next and self.places[word - 1] == (start, end):
                places[word] = places[word - 1]
                continue
            read += between
            places[word] = (len(read), len(read) + end - start)
            read += self.read[start:end]
        return replace(self, read=f"{read}.", places=tuple(places))

    def reworded(self, wordings: Mapping[tuple[int, int], str]) -> ClaimedSentence:
        """The same, where a network reads other wordings for some of its words, `[start, end)`."""
        read, places = self.read, list(self.places)
        for (first, last), wording in sorted(wordings.items()):
            start, end = places[first][0], places[last - 1][1]
            longer = len(wording) - (end - start)
            read = read[:start] + wording + read[end:]
            places[first:last] = [(start, start + len(wording))] * (last - first)
            places[last:] = [(low + longer, high + longer) for low, high in places[last:]]
        return replace(self, read=read, places=tuple(places)) if wordings else self

    @property
    def words(self) -> list[str]:
        return [word.text for word in self.analysis.words]

    @property
    def abstains(self) -> bool:
        return abstains(self.analysis.text)

    def spans(self, words: Sequence[int]) -> tuple[Span, ...]:
        """The characters of some words in the whole text; neighbours share a span."""
        runs: list[tuple[int, int]] = []
        for word in words:
            if runs and runs[-1][1] == word:
                runs[-1] = (runs[-1][0], word + 1)
            else:
                runs.append((word, word + 1))
        found = [self.analysis.span(first, last) for first, last in runs]
        return tuple(Span(span.start + self.start, span.end + self.start) for span in found)


def _name(word: Word, referent: NamedReference | None) -> str:
    """The name that a pronoun stands for; nothing for other words."""
    if referent is None or word.upos != "PRON" or referent.end - referent.start != 1:
        return ""
    return f"{referent.name}'s" if word.deprel == "nmod:poss" else referent.name


def claims_of(sentence: ClaimedSentence, tuples: Iterable[Extraction]) -> list[tuple[str, tuple[int, ...]]]:
    """The claims of a sentence: text and words of its widest tuples, or of all of it."""
    analysis = sentence.analysis
    if sentence.is_heading or analysis.text.rstrip().endswith(("?", ":")) or is_remark(analysis.text):
        return []
    # "See the table below."
    if not sentence.answers and analysis.root is not None and is_order(DependencyTree(analysis), analysis.root):
        return []
    claims: dict[tuple[int, ...], str] = {}
    for one in tuples:
        parts = [part for part in (one.arg1, one.rel, *one.args) if part is not None]
        if one.arg1 is not None and one.arg1.text == "I" and _HEDGES.match(one.rel.text):
            continue
        own = {token for part in parts for token in part.tokens or () if token < len(analysis.words)}
        claims[tuple(sorted(own))] = "; ".join(part.text for part in parts)
    kept: list[tuple[int, ...]] = []
    for words in sorted(claims, key=lambda words: -len(words)):
        # One whose words are all in another only repeats a part of it.
        if _says_something(analysis, words) and not any(set(words) <= set(other) for other in kept):
            kept.append(words)
    if kept:
        return [(claims[words], words) for words in sorted(kept)]
    whole = tuple(range(len(analysis.words)))
    is_statement = any(word.upos in _CLAIMING for word in analysis.words) and has_words(sentence.words)
    # An answer to a question is a claim, even a name or a number alone.
    is_claim = (sentence.answers or is_statement) and _says_something(analysis, whole)
    return [(sentence.written, whole)] if is_claim else []


def has_words(words: Iterable[str]) -> bool:
    """Whether there are several words of the vocabulary, at least half of all that have letters."""
    written = {word.lower() for word in words if len(word) > 1 and any(map(str.isalpha, word))}
    known = sum(word in shipped_vocabulary() for word in written)
    return known > 1 and 2 * known >= len(written)


def _says_something(analysis: Analysis, words: Iterable[int]) -> bool:
    return any(analysis.words[word].text[:1].isalnum() for word in words)
