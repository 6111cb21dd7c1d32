"""Fact checking of a text against its source: `check` for one, `check_pairs` for a collection, `Checker` to reuse."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from tupelo.api.text import load
from tupelo.core import InputError, UnknownNameError
from tupelo.core.judgement import JudgedText
from tupelo.core.limits import Limits, LimitsGiven
from tupelo.core.progress import Progress, track
from tupelo.core.protocols import ExtractingParser
from tupelo.facts.checked import Checked, CheckedPair, mean
from tupelo.io.judgements import FORMATS, completed, read_by_id, read_judgements
from tupelo.io.text import read_whole
from tupelo.score.rouge import rouge

if TYPE_CHECKING:
    from tupelo.facts.check import ClaimChecker
    from tupelo.facts.metric import FactMetric
    from tupelo.facts.network import ClaimReader

__all__ = ["PAIR_FORMATS", "Checked", "CheckedPair", "Checker", "check", "check_pairs", "mean"]

PAIR_FORMATS = sorted(FORMATS)
Text = str | Path | TextIO
Pairs = str | Path | Iterable[JudgedText | tuple[str, str] | Mapping[str, str]]


class Checker:
    """Checks texts against sources; models are loaded once, on first use.

    `network` is the shipped support model (`True`), a folder with another one, or `False` for syntax, names and
    values alone. `extractor` finds the claims. `fact_accuracy` names methods for which Equation 1 of Goodrich et al.
    (2019) is computed as well, such as `classifier`, or `classifier=FOLDER` for a model of your own. `limits` says
    how much of a file is read (`{"document": "200MB"}`).

    >>> checker = Checker(network=False)
    >>> checked = checker("Rosa bought six apples.", "On Monday Rosa bought five apples at the market.")
    >>> [(claim.verdict.value, claim.reason) for claim in checked.claims]
    [('refuted', 'the source has five, not six')]
    """

    def __init__(
        self,
        *,
        network: bool | str | Path | ClaimReader = True,
        extractor: str = "default",
        fact_accuracy: Sequence[str] = (),
        toolkit: ExtractingParser | None = None,
        limits: LimitsGiven = None,
    ) -> None:
        self._limits = Limits.of(limits)
        self._network = network
        self._methods = dict(_method_and_folder(given) for given in fact_accuracy)
        self.toolkit = toolkit or load(extractor=extractor)

    @cached_property
    def _checker(self) -> ClaimChecker:
        from tupelo.facts.check import ClaimChecker
        from tupelo.facts.network import load_network

        given = self._network
        if isinstance(given, bool):
            return ClaimChecker(self.toolkit, load_network() if given else None)
        return ClaimChecker(self.toolkit, load_network(given) if isinstance(given, str | Path) else given)

    @cached_property
    def _metrics(self) -> dict[str, FactMetric]:
        from tupelo.facts.metric import fact_metric

        return {name: fact_metric(name, self.toolkit, model=folder) for name, folder in self._methods.items()}

    def __call__(self, text: Text, source: Text) -> Checked:
        """Check one text, with a verdict on each claim. A string is the text itself; a path or file is read."""
        metrics = self._metrics if self._methods else {}
        generated, known = _read(text, self._limits), _read(source, self._limits)
        return replace(
            self._checker(generated, known),
            rouge={name: overlap.f1 for name, overlap in rouge(generated, known).items()},
            fact_accuracy={name: metric(generated, known) for name, metric in metrics.items()},
        )

    def pairs(
        self,
        pairs: Pairs,
        *,
        format: str = "pairs",
        sources: str | Path | None = None,
        progress: Progress | None = None,
    ) -> Iterator[CheckedPair]:
        """Check the texts of a collection, one by one; see `check_pairs`."""
        texts = _read_pairs(pairs, format, sources)
        advance = track(progress, "checking", len(texts))
        for text in texts:
            generated = " ".join(text.sentences) or text.generated
            yield CheckedPair(text.id, None if text.source is None else self(generated, text.source))
            advance(1)

    def score(self, predictions: Iterable[str], references: Iterable[str]) -> list[float | None]:
        """Only the scores, in the form that evaluation harnesses expect of a metric."""
        return [self(text, source).score for text, source in zip(predictions, references, strict=True)]


def check(
    text: Text,
    source: Text,
    *,
    network: bool | str | Path = True,
    extractor: str = "default",
    fact_accuracy: Sequence[str] = (),
    limits: LimitsGiven = None,
    progress: Progress | None = None,
) -> Checked:
    """Check a text against its source, claim by claim. Use a `Checker` to check many.

    >>> print(check("Rosa bought six apples.", "Rosa bought five apples.", network=False))
    Rosa bought six apples.
      x 0.11  Rosa; bought; six apples  (the source has five, not six)
                source: Rosa bought five apples.
    score 0.319  accuracy 0.000   (0 supported, 1 refuted, 0 unverifiable)
    """
    advance = track(progress, "checking", 1)
    checker = Checker(network=network, extractor=extractor, fact_accuracy=fact_accuracy, limits=limits)
    checked = checker(text, source)
    advance(1)
    return checked


def check_pairs(
    pairs: Pairs,
    *,
    format: str = "pairs",
    sources: str | Path | None = None,
    network: bool | str | Path = True,
    extractor: str = "default",
    fact_accuracy: Sequence[str] = (),
    progress: Progress | None = None,
) -> Iterator[CheckedPair]:
    """Check the texts of a collection: a file in one of `PAIR_FORMATS`, or texts with their sources in memory.

    In memory, a pair is `(text, source)` or a mapping with `generated`, `source` and optionally `id`. `sources` is a
    file with sources by id, for collections without them.
    """
    checker = Checker(network=network, extractor=extractor, fact_accuracy=fact_accuracy)
    return checker.pairs(pairs, format=format, sources=sources, progress=progress)


def _read(text: Text, limits: Limits) -> str:
    if isinstance(text, str):
        return text
    return read_whole(str(text), limits) if isinstance(text, Path) else text.read()


def _method_and_folder(given: str) -> tuple[str, str | None]:
    from tupelo.facts.metric import metric_names

    name, _, folder = given.partition("=")
    if name not in metric_names():
        raise UnknownNameError.among("method of fact accuracy", name, metric_names())
    return name, folder or None


def _read_pairs(pairs: Pairs, format: str, sources: str | Path | None) -> list[JudgedText]:
    if not isinstance(pairs, str | Path):
        return [_judged(place, pair) for place, pair in enumerate(pairs)]
    texts, _ = read_judgements(str(pairs), format)
    if sources is not None:
        found, _ = completed(texts, read_by_id(str(sources), "source"), {})
        by_id = {text.id: text for text in found}
        return [by_id.get(text.id, text) for text in texts]
    without = next((text.id for text in texts if text.source is None), None)
    if without is not None:
        raise InputError(
            f"{pairs}: text '{without}' comes without its source, expected a collection with sources, or a file with "
            "them (--sources)"
        )
    return texts


def _judged(place: int, pair: JudgedText | tuple[str, str] | Mapping[str, str]) -> JudgedText:
    if isinstance(pair, JudgedText):
        return pair
    if isinstance(pair, Mapping):
        return JudgedText(str(pair.get("id", place)), pair["generated"], pair.get("source"))
    generated, source = pair
    return JudgedText(str(place), generated, source)
