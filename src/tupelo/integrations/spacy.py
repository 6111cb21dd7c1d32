"""spaCy: a component `tupelo` of a pipeline (extra `spacy`).

    nlp = spacy.blank("en")
    nlp.add_pipe("tupelo")
    doc = nlp("Ann Lee founded Acme in Oslo.")
    doc._.triples, doc[0:4]._.triples

`Doc._.triples` are all triples, `Span._.triples` those with both ends in the span; `Doc._.tupelo` are the same as
plain rows, which are stored with the `Doc`. The component has its own parser: it works alone, and after any other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import tee
from typing import Any

from tupelo.api.triples import TripleReader
from tupelo.core.errors import needs_extra
from tupelo.core.triples import CLAIMS

with needs_extra("the adapter to spaCy", "spacy"):
    from spacy.language import Language
    from spacy.tokens import Doc, Span

__all__ = ["SpacyTriple", "Tupelo"]


@dataclass(frozen=True, slots=True)
class SpacyTriple:
    """A triple whose ends are spans: the tokens that mention the subject and the object, perhaps pronouns.

    `row` has everything that is known, such as the `subject` by its name and the `sentence`.
    """

    subject: Span
    relation: str
    object: Span
    confidence: float | None
    stance: str
    row: Mapping[str, Any]

    def __str__(self) -> str:
        return f"({self.row['subject']}; {self.relation}; {self.row['object']})"


class Tupelo:
    """The component; `reader` finds the triples."""

    def __init__(self, reader: TripleReader) -> None:
        self._reader = reader

    def __call__(self, doc: Doc) -> Doc:
        doc._.tupelo = self._reader(doc.text).rows()
        return doc

    def pipe(self, stream: Iterable[Doc], batch_size: int = 32) -> Iterator[Doc]:
        """Many at a time; `batch_size` is spaCy's and not used."""
        read, given = tee(stream)
        for doc, text in zip(given, self._reader.pipe(doc.text for doc in read), strict=True):
            doc._.tupelo = text.rows()
            yield doc


@Language.factory(
    "tupelo",
    assigns=["doc._.triples", "span._.triples"],
    default_config={
        "parser": "en",
        "extractor": "default",
        "min_confidence": None,
        "stances": list(CLAIMS),
        "values": True,
    },
)
def make_component(
    nlp: Language,
    name: str,
    parser: str,
    extractor: str,
    min_confidence: float | None,
    stances: Sequence[str],
    values: bool,
) -> Tupelo:
    """The options of the component are those of `tupelo.integrations.TripleReader`."""
    if not Doc.has_extension("tupelo"):
        Doc.set_extension("tupelo", default=None)
        Doc.set_extension("triples", getter=_of_doc)
        Span.set_extension("triples", getter=_of_span)
    return Tupelo(
        TripleReader(
            parser=parser, extractor=extractor, min_confidence=min_confidence, stances=stances, values=values
        )
    )


def _of_doc(doc: Doc) -> list[SpacyTriple]:
    return [
        SpacyTriple(
            _span(doc, row, "subject"),
            row["relation"],
            _span(doc, row, "object"),
            row["confidence"],
            row["stance"],
            row,
        )
        for row in doc._.tupelo or ()
    ]


def _of_span(span: Span) -> list[SpacyTriple]:
    return [
        triple
        for triple in _of_doc(span.doc)
        if all(span.start <= end.start and end.end <= span.end for end in (triple.subject, triple.object))
    ]


def _span(doc: Doc, row: Mapping[str, Any], role: str) -> Span:
    # Whole tokens, if spaCy's tokens end elsewhere than ours.
    return doc.char_span(row[f"{role}_start"], row[f"{role}_end"], alignment_mode="expand")
