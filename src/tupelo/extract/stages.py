"""Extraction as a stage: passages of documents in; their sentences, tuples, things and links out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from tupelo.core import Analysis, Passage
from tupelo.core.errors import isolated, shortened
from tupelo.core.garbage import without_garbage_collection
from tupelo.core.protocols import LinkSchema
from tupelo.core.schemas import extraction_schema, record_to_row
from tupelo.core.stages import ERROR_COLUMN, NOTE_COLUMN
from tupelo.core.statement import Anchor, Link, LinkedSentence, Naming, Referent
from tupelo.extract.anchors import find_anchors
from tupelo.extract.links import find_links
from tupelo.extract.links.judge import shipped_link_judge
from tupelo.extract.pipeline import ExtractionOptions, ExtractionPipeline, PipelineRecipe
from tupelo.names.referents import find_referents
from tupelo.nlp.prepare import LONGEST_SENTENCE, too_long
from tupelo.nlp.syntax import DependencyTree

if TYPE_CHECKING:
    import pyarrow as pa

_RECIPE, _OPTIONS = PipelineRecipe(), ExtractionOptions()
# The columns of a sentence that says nothing.
_SILENT: dict[str, Any] = dict.fromkeys(("tuples", "anchors", "links", "properties"), ())


@dataclass(frozen=True, slots=True)
class ReadStatements:
    """A stage over passages. Each passage is processed independently, so its output depends on nothing else.

    A row is a sentence with its tuples, as in `core.schemas`, and what `core.statement` names in it, places counted
    in characters of the sentence; an anchor has the `name` of its referent. Further columns are `passage`, `start_at`
    (where the sentence begins in its document) and `occurrence` (the number of earlier
    sentences with its text in the passage). The first row of a passage has its `referents`. With a `schema`,
    `properties` are those that its links share.
    """

    recipe: PipelineRecipe = _RECIPE
    form: ExtractionOptions = _OPTIONS
    schema: LinkSchema | None = None
    name: str = "statements"
    version: str = "1"
    key: str = "source"

    @property
    def options(self) -> Mapping[str, Any]:
        from tupelo.core.version import __version__

        form, longest = self.form, self.form.longest_sentence
        return {
            "tupelo": __version__,
            "parser": self.recipe.parser,
            "extractor": self.recipe.extractor,
            "settings": dict(self.recipe.settings),
            "form": [form.width, form.prepositions, form.coreference, form.min_confidence, form.all],
            **({"schema": [self.schema.name, self.schema.version]} if self.schema else {}),
            **({} if longest == LONGEST_SENTENCE else {"longest_sentence": longest}),
        }

    @property
    def input(self) -> pa.Schema:
        from tupelo.core.document import passage_schema

        return passage_schema()

    @property
    def output(self) -> pa.Schema:
        return statement_schema()

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        schema = self.output
        for name in (self.key, ERROR_COLUMN, NOTE_COLUMN):
            schema = schema.append(pa.field(name, pa.string()))
        for batch in batches:
            with without_garbage_collection():
                result = pa.RecordBatch.from_pylist(list(self.rows(batch.to_pylist())), schema=schema)
            yield result

    def rows(self, passages: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
        """The sentences of passages as rows, notes about those that were split, and complaints about failures.

        A sentence that fails is a row without tuples; what the others say does not depend on it.
        """
        pipeline = self.recipe.pipeline()
        analysed, broken = isolated(passages, partial(self._analysed, pipeline))
        yield from (self._failure(passages[number], passages[number]["text"], broken[number]) for number in broken)
        whole = [row for number, row in enumerate(passages) if number not in broken]
        for row, sentences in zip(whole, analysed, strict=True):
            (read, referents), failed = isolated(sentences, partial(self._read, pipeline))
            found, seen = iter(read), dict[str, int]()
            for number, analysis in enumerate(sentences):
                if analysis.partial:
                    yield self._complaint(row, NOTE_COLUMN, too_long(self.form.longest_sentence))
                if number in failed:
                    yield self._failure(row, analysis.text, failed[number])
                occurrence = seen[analysis.text] = seen.get(analysis.text, -1) + 1
                yield {
                    "document_id": row["document_id"],
                    "passage": row["number"],
                    "start_at": analysis.start,
                    "occurrence": occurrence,
                    **(_SILENT | {"text": analysis.text} if number in failed else next(found)),
                    "referents": [] if number else [_referent_row(referent) for referent in referents],
                }

    def _read(
        self, pipeline: ExtractionPipeline, sentences: list[Analysis]
    ) -> tuple[list[dict[str, Any]], Sequence[Referent]]:
        """The columns of the sentences of a passage, and what they speak of."""
        trees = [DependencyTree(sentence) for sentence in sentences]
        linked, referents = _worth_keeping(trees, *linked_passage(pipeline, sentences, self.form, trees))
        names = {referent.number: referent.name for referent in referents}
        properties = self.schema(sentences, linked) if self.schema else [()] * len(linked)
        rows = [
            {**_sentence_row(analysis, sentence, names), "properties": [asdict(one) for one in known]}
            for analysis, sentence, known in zip(sentences, linked, properties, strict=True)
        ]
        return rows, referents

    def _analysed(self, pipeline: ExtractionPipeline, passages: Sequence[Mapping[str, Any]]) -> list[list[Analysis]]:
        # Each passage has its own number, so that names of one document are not resolved in another.
        named = [Passage(row["text"], row["start_at"], str(number)) for number, row in enumerate(passages)]
        found: list[list[Analysis]] = [[] for _ in passages]
        for analysis in pipeline.analyses(named, self.form):
            found[int(analysis.document_id or 0)].append(analysis)
        return found

    def _failure(self, passage: Mapping[str, Any], text: str, reason: str) -> dict[str, Any]:
        return self._complaint(passage, ERROR_COLUMN, f"'{shortened(text)}': {reason}")

    def _complaint(self, passage: Mapping[str, Any], column: str, reason: str) -> dict[str, Any]:
        blank = {"document_id": "", "text": "", "passage": 0, "start_at": 0, "occurrence": 0}
        return {**blank, self.key: passage[self.key], column: reason}


def linked_passage(
    pipeline: ExtractionPipeline, analyses: list[Analysis], form: ExtractionOptions, trees: Sequence[DependencyTree]
) -> tuple[list[LinkedSentence], Sequence[Referent]]:
    """The sentences of a passage, whose trees are `trees`, with all their links, and what they speak of."""
    tuples = pipeline.tuples(analyses, form)
    anchors, referents = find_referents(
        analyses,
        [
            find_anchors(one, found.extractions, tree)
            for one, found, tree in zip(analyses, tuples, trees, strict=True)
        ],
        trees,
    )
    linked = [
        find_links(one, found.extractions, own, referents, tree)
        for one, found, own, tree in zip(analyses, tuples, anchors, trees, strict=True)
    ]
    return linked, referents


def _worth_keeping(
    trees: Sequence[DependencyTree], linked: Sequence[LinkedSentence], referents: Sequence[Referent]
) -> tuple[list[LinkedSentence], list[Referent]]:
    """The links that say enough, and what a graph should know: everything with a name, and concepts with a link."""
    judge = shipped_link_judge()
    judged = [judge.judged(sentence, tree, referents) for tree, sentence in zip(trees, linked, strict=True)]
    told = {
        sentence.anchors[end].referent
        for sentence in judged
        for link in sentence.links
        for end in (link.subject, link.object)
    }
    kept = [referent for referent in referents if referent.kind == "name" or referent.number in told]
    numbers = {referent.number for referent in kept}
    for place, sentence in enumerate(judged):
        anchors = [
            anchor if anchor.referent is None or anchor.referent in numbers else replace(anchor, referent=None)
            for anchor in sentence.anchors
        ]
        judged[place] = replace(sentence, anchors=anchors)
    return judged, kept


def statement_schema() -> pa.Schema:
    """The output rows."""
    import pyarrow as pa

    text, whole = pa.string(), pa.int64()
    own = [field for field in extraction_schema() if field.name not in ("sentence", "group", "minor")]
    anchor = [
        ("start", whole),
        ("end", whole),
        ("referent", whole),
        *((name, text) for name in ("kind", "label", "text", "name")),
    ]
    link = [("tuple", whole), ("subject", whole), ("object", whole), ("relation", text), ("key", text)]
    property_ = [("link", whole), ("property", text), ("name", text), ("turned", pa.bool_())]
    naming = pa.struct([("text", text), ("mentions", whole), ("reason", text), ("probability", pa.float64())])
    referent = [("number", whole), *((name, text) for name in ("kind", "name", "label", "place"))]
    referent += [("names", pa.list_(naming)), ("descriptions", pa.list_(text)), ("context", pa.list_(text))]
    return pa.schema(
        [
            pa.field("document_id", text, nullable=False),
            pa.field("passage", whole, nullable=False),
            pa.field("start_at", whole, nullable=False),
            pa.field("occurrence", whole, nullable=False),
            pa.field("text", text, nullable=False),
            (
                "tuples",
                pa.list_(pa.struct([*own, ("stance", text), ("unlinked", text), ("parts", pa.list_(whole))])),
            ),
            ("anchors", pa.list_(pa.struct(anchor))),
            ("links", pa.list_(pa.struct([*link, ("confidence", pa.float64()), ("beside", pa.list_(whole))]))),
            ("properties", pa.list_(pa.struct([*property_, ("probability", pa.float64())]))),
            ("referents", pa.list_(pa.struct([*referent, ("generic", pa.bool_()), ("defined", pa.bool_())]))),
        ]
    )


def _sentence_row(analysis: Analysis, linked: LinkedSentence, names: Mapping[int, str]) -> dict[str, Any]:
    tuples = zip(linked.tuples.extractions, linked.parts, linked.unlinked, strict=True)
    return {
        "text": analysis.text,
        "tuples": [
            {**record_to_row(one), "stance": one.stance, "unlinked": unlinked, "parts": list(parts)}
            for one, parts, unlinked in tuples
        ],
        "anchors": [_anchor_row(anchor, analysis, names) for anchor in linked.anchors],
        "links": [_fields(link) for link in linked.links],
    }


def _referent_row(referent: Referent) -> dict[str, Any]:
    return _fields(referent) | {"names": [_fields(naming) for naming in referent.names]}


def _fields(item: Link | Referent | Naming) -> dict[str, Any]:
    """The same as `asdict` of an item without nested ones, at a tenth of its cost."""
    return {name: getattr(item, name) for name in item.__slots__}


def _anchor_row(anchor: Anchor, analysis: Analysis, names: Mapping[int, str]) -> dict[str, Any]:
    span = analysis.span(anchor.start, anchor.end)
    return {
        "start": span.start,
        "end": span.end,
        "kind": anchor.kind,
        "label": anchor.label,
        "text": anchor.text,
        "referent": anchor.referent,
        "name": None if anchor.referent is None else names[anchor.referent],
    }
