"""A checker to keep: a toolkit, and texts checked against their sources one after the other.

>>> import tupelo
>>> checker = Checker(tupelo.load())
>>> checked = checker("Rosa bought six apples.", "On Monday Rosa bought five apples at the market.")
>>> [(claim.verdict.value, claim.reason) for claim in checked.claims]
[('refuted', 'the source has five, not six')]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Protocol

from tupelo.core import Analysis
from tupelo.core.protocols import Extractor, Parser
from tupelo.facts.check import Checked, CheckedSentence, Network, check_text
from tupelo.facts.network import load_network
from tupelo.facts.quotes import straight
from tupelo.nlp.languages.recognize import is_english

# A batch often holds several texts about one source; analysing it once is enough.
_SOURCES_KEPT = 8


class Toolkit(Parser, Protocol):
    """What `tupelo.load()` returns: a parser with an extractor."""

    @property
    def extractor(self) -> Extractor: ...


class Checker:
    """Checks texts against sources. Also a metric for evaluation loops: `checker.score(predictions, references)`.

    `network` is the shipped support model, a folder with another one, or `None` to do without.
    """

    def __init__(self, toolkit: Toolkit, network: Network | str | None = "shipped") -> None:
        self._toolkit = toolkit
        self._network = (
            load_network(None if network == "shipped" else network) if isinstance(network, str) else network
        )
        self._source = lru_cache(maxsize=_SOURCES_KEPT)(self._analyse)

    def _analyse(self, text: str) -> tuple[Analysis, ...]:
        # Analysed with straight quotation marks, and shown as it was written.
        return tuple(
            replace(found, text=text[found.start : found.start + len(found.text)])
            for found in self._toolkit.analyze(straight(text), constituents=False)
        )

    def __call__(self, generated: str, source: str) -> Checked:
        """One text, with the verdict on each of its claims; none where the text or its source is not in English."""
        sentences, known = self._analyse(generated), self._source(source)
        for analyses, name in ((sentences, "text"), (known, "source")):
            if not is_english(word.text for analysis in analyses for word in analysis.words):
                return _unread(sentences, known, f"the {name} does not look like English")
        tuples = list(self._toolkit.extractor.extract(sentences))
        return check_text(sentences, tuples, known, self._network)

    def check_all(self, pairs: Iterable[tuple[str, str]]) -> Iterator[Checked]:
        """Generated texts with their sources, one by one."""
        for generated, source in pairs:
            yield self(generated, source)

    def score(self, predictions: Iterable[str], references: Iterable[str]) -> list[float | None]:
        """The scores alone, in the form that evaluation harnesses call metrics in."""
        return [checked.score for checked in self.check_all(zip(predictions, references, strict=True))]


def _unread(generated: Sequence[Analysis], source: Sequence[Analysis], reason: str) -> Checked:
    """What parser and extractor would make of these sentences means nothing: no claims, no figures."""
    sentences = tuple(CheckedSentence(one.text, one.start, None, (), ()) for one in generated)
    return Checked(None, None, sentences, tuple(one.text for one in source), reason)
