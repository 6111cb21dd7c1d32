"""Texts to triples of two entities and a label: what graph libraries of others take in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from tupelo.core import InputError
from tupelo.core.document import Document
from tupelo.core.extraction import STANCES
from tupelo.core.spec import split_spec
from tupelo.core.triples import CLAIMS
from tupelo.core.triples import LinkedEntity as LinkedEntity
from tupelo.core.triples import LinkedText as LinkedText
from tupelo.core.triples import LinkedTriple as LinkedTriple
from tupelo.extract import needs_client
from tupelo.extract.options import ExtractionOptions

if TYPE_CHECKING:
    from tupelo.extract.stages import ReadStatements


class TripleReader:
    """Reads triples from texts; models are opened on first use.

    `parser` and `extractor` are names, as in `tupelo.load`. Triples below `min_confidence` are discarded, by default
    those more likely wrong than right. `stances` says which triples count: by default what the text claims or
    reports, so that nothing that it denies or only supposes is taken for a fact. Without `values`, objects are
    entities only, neither dates nor amounts.

    >>> found = TripleReader()("Ann Lee founded Acme in Oslo.")
    >>> print(found)
    (Ann Lee; founded; Acme)
    (Ann Lee; founded in; Oslo)
    (Acme; was founded in; Oslo)
    >>> triple = found.triples[0]
    >>> triple.subject.type, triple.object.start, triple.object.end, triple.stance
    ('person', 16, 20, 'asserted')
    """

    def __init__(
        self,
        *,
        parser: str = "en",
        extractor: str = "default",
        min_confidence: float | None = None,
        stances: Iterable[str] = CLAIMS,
        values: bool = True,
    ) -> None:
        self.parser, self.extractor, self.min_confidence = parser, extractor, min_confidence
        self.stances, self.values = tuple(stances), values
        for stance in self.stances:
            if stance not in STANCES:
                raise InputError(f"'{stance}' is no stance, expected {', '.join(STANCES)}")

    def __call__(self, text: str) -> LinkedText:
        """The entities and triples of one text."""
        return next(self.pipe([text]))

    def pipe(self, texts: Iterable[str | Document]) -> Iterator[LinkedText]:
        """One result per text, in order, as a stream; its id is the source of a document, or a number from 0."""
        from tupelo.extract.triples import read_triples

        documents = (
            text if isinstance(text, Document) else Document(str(number), text) for number, text in enumerate(texts)
        )
        return read_triples(self._stage(), documents, stances=self.stances, values=self.values)

    def _stage(self) -> ReadStatements:
        from tupelo.extract.pipeline import PipelineRecipe
        from tupelo.extract.stages import ReadStatements

        if needs_client(split_spec(self.extractor)[0]):
            raise InputError(f"extractor '{self.extractor}' needs a client, expected one that runs in this process")
        recipe = PipelineRecipe(self.parser, self.extractor)
        return ReadStatements(recipe, ExtractionOptions(min_confidence=self.min_confidence))
