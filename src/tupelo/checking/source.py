"""The source of a check: one or several passages, split into sentences and indexed. Nothing of it is parsed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from tupelo.checking.calculations import Ledger
from tupelo.checking.checked import SourceSentence
from tupelo.checking.claims import has_words
from tupelo.checking.evidence import EvidenceIndex
from tupelo.checking.network import ClaimReader
from tupelo.checking.plain import plain_text
from tupelo.core import Analysis
from tupelo.nlp.languages.recognize import is_english
from tupelo.nlp.pipeline import shipped_vocabulary, split_text
from tupelo.nlp.subwords import straight


class Source:
    """The sentences of some passages, in order, with what a check looks up in them."""

    def __init__(self, passages: Sequence[str], network: ClaimReader) -> None:
        found = [(number, one) for number, text in enumerate(passages) for one in _split(text) if one.words]
        self.sentences = tuple(
            SourceSentence(passages[number][one.start : one.start + len(one.text)], number, one.start)
            for number, one in found
        )
        self.words = [[word.text for word in one.words] for _, one in found]
        # Sentences are split into subwords once, for every text that is checked against this source.
        self.subwords = [network.cut(one.text)[: network.room] for _, one in found]
        self.index = EvidenceIndex(self.words, list(map(len, self.subwords)))
        self.ledger = Ledger(self.words)

    @cached_property
    def fault(self) -> str:
        """The reason why nothing can be checked against it; empty if something can."""
        words = [word for sentence in self.words for word in sentence]
        if not self.sentences:
            return "the source is empty"
        if not is_english(words, shipped_vocabulary()):
            return "the source does not look like English"
        return "" if has_words(words) else "the source has no words"


def _split(passage: str) -> list[Analysis]:
    return split_text(straight(plain_text(passage, code=True)))
