"""Facts of a fixed schema: `tupelo.facts`, and the metrics of factual accuracy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

from tupelo.api.text import load
from tupelo.canon.methods import METHODS as CANON_METHODS
from tupelo.canon.methods import CanonResources
from tupelo.core import Passage, TupeloError
from tupelo.core.errors import skips
from tupelo.core.parameters import At, ParserName, SkippingDocuments, Spelled, checked
from tupelo.core.progress import Progress, track
from tupelo.factmodels.extract import FACT_FORMATS as FACT_FORMATS
from tupelo.factmodels.extract import METHODS, FactExtractor, FactOptions, Facts
from tupelo.io.text import read_passages, text_of

if TYPE_CHECKING:
    from tupelo.core.protocols import Canonicalizer
    from tupelo.factmodels.metric import FactMetrics

USUAL = FactOptions()


@checked
def facts(
    text: str | Path | TextIO,
    *,
    method: str | None = None,
    model: str | Path | None = None,
    parser: str = "en",
    options: FactOptions = USUAL,
) -> Facts:
    """The facts of a text, most confident first. A string is the text itself, a path or an open file is read.

    `method`: `end-to-end` (facts that point at names), `classifier` (all pairs of entities), `sentence`, `binary`;
    by default that of `model`, a folder of `train_facts` or `webnlg` (non-commercial), or `end-to-end` without one.

    >>> for fact in facts("Marie Curie was born in Warsaw, the capital of Poland."):  # doctest: +SKIP
    ...     print(fact, round(fact.confidence, 2))
    """
    whole = text_of(text)
    return _extractor(method, model, parser, options)(whole)


def facts_of_files(
    files: Sequence[str] = ("-",),
    *,
    method: Annotated[
        str | None,
        Spelled.of("NAME"),
        "end-to-end: write facts, pointing at names; classifier: all pairs of entities; sentence: pairs within one, "
        "as the paper does; binary: only what is related; or installed ones. [default: end-to-end, or the model's]",
    ] = None,
    model: Annotated[
        str | Path | None,
        At.INPUT,
        Spelled.of("FOLDER"),
        "A model of your own or of a package; for end-to-end also webnlg (WebNLG's relations, non-commercial). "
        "[default: that of tupelo-facts-en]",
    ] = None,
    parser: Annotated[ParserName, "What finds sentences and entities."] = "en",
    options: FactOptions = USUAL,
    on_error: SkippingDocuments = "raise",
    progress: Progress | None = None,
) -> Iterator[Facts]:
    """The facts of each file, a file being one document; those that cannot be read come last, with the reason."""
    failures: list[TupeloError] = []
    failed = failures.append if skips(on_error) else None
    extractor = _extractor(method, model, parser, options)
    advance = track(progress, "documents", len(files))
    passages: Iterable[str | Passage] = read_passages(files, lines=False, failed=failed)
    for found in extractor.documents(passages):
        yield found if len(files) > 1 else replace(found, document=None)
        advance(1)
    yield from (Facts((), failure=str(error)) for error in failures)


def _extractor(method: str | None, model: str | Path | None, parser: str, options: FactOptions) -> FactExtractor:
    from tupelo.factmodels.methods import usual_method

    # Before the parser: errors in the folder of a model come first.
    opened = METHODS.get(method or usual_method(model))(model, options)
    return FactExtractor(load(parser), opened)


def fact_metrics(methods: Iterable[tuple[str, str | None]]) -> FactMetrics:
    """Metrics of factual accuracy by name (`tupelo.factmodels.metric`), each with the folder of its model, if any."""
    from tupelo.factmodels.metric import FactMetrics

    return FactMetrics(tuple(methods), relation_canonicalizer)


def relation_canonicalizer() -> Canonicalizer:
    """The shipped canonicalization method, for relations only."""
    from tupelo.canon.canonicalizer import MethodCanonicalizer
    from tupelo.canon.methods.tupelo import TAUGHT
    from tupelo.nlp.encoder import load_encoder

    method = CANON_METHODS.get("tupelo")(relations=TAUGHT)
    return MethodCanonicalizer(method, CanonResources(encoder=load_encoder()), tasks=("rpc",))
