"""Every seam on one page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from tupelo.core.analysis import Analysis, Passage
from tupelo.core.sentence import Record

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Weights = NDArray[np.float64]


class ScoreLike(Protocol):
    """The figures of one run; `score.Score` is the only implementation."""

    precision: float
    recall: float
    f1: float
    auc: float | None


class Evaluation(Protocol):
    """One system measured against one gold standard, kept sentence by sentence.

    `score` divides last: with `weights` (one per unit, how often the unit is
    drawn) it gives the score of a resampled corpus, which is what makes
    confidence intervals and paired tests come for free.
    """

    @property
    def units(self) -> Sequence[str]:
        """What is resampled: the gold sentences, in order."""

    def score(self, weights: Weights | None = None) -> ScoreLike: ...


class Metric(Protocol):
    """A yardstick. Constructors take keyword options only, store them and do no work."""

    name: ClassVar[str]
    # Rules of the original program that are defects: name and one-line explanation. Each is
    # reproduced unless it is named in the `fixes` option of the constructor.
    quirks: ClassVar[Mapping[str, str]]

    def evaluate(self, gold: Iterable[Record], predicted: Iterable[Record]) -> Evaluation: ...

    def options(self) -> Mapping[str, Any]:
        """Everything that can change the figures, for the signature."""


class Parser(Protocol):
    """Anything that analyses sentences: the shipped model, another program, a file of finished analyses."""

    name: str

    def analyze(
        self,
        text: str | Iterable[str | Passage],
        *,
        lines: bool = False,
        pretokenized: bool = False,
        constituents: bool = True,
        vectors: bool = False,
    ) -> Iterator[Analysis]:
        """Sentences in order. A string is one document, any other iterable a document per item.

        Documents are numbered from 1 in `document_id`; a `Passage` brings its
        own, and offsets that go on from an earlier passage.

        With `lines` every item is one sentence, with `pretokenized` one
        sentence whose words are separated by single spaces; the result has
        then one analysis per item, an empty item included. `constituents` and
        `vectors` are wishes: a parser that has none leaves them `None`.
        """


class ParserFactory(Protocol):
    """Makes a parser from what follows its name and a colon (`spacy:en_core_web_md`), empty for the default."""

    def __call__(self, argument: str, *, processes: int, batch_size: int, threads: int | None) -> Parser: ...
