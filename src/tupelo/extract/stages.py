"""Extraction as a stage: passages of documents in; their sentences, tuples, things and links out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from tupelo.core import Analysis, Passage, SentenceTuples, Span
from tupelo.core.blocks import blocks_of_json, heading_at
from tupelo.core.errors import isolated, shortened
from tupelo.core.garbage import without_garbage_collection
from tupelo.core.protocols import LinkSchema
from tupelo.core.schemas import extraction_schema, record_to_row
from tupelo.core.stages import ERROR_COLUMN, NOTE_COLUMN
from tupelo.core.statement import Anchor, Link, LinkedSentence, Naming, Referent
from tupelo.extract.anchors import find_anchors
from tupelo.extract.links import find_links
from tupelo.extract.links.judge import shipped_link_ranker
from tupelo.extract.links.orders import order_tuples
from tupelo.extract.links.phrases import LinkReader
from tupelo.extract.options import ExtractionOptions
from tupelo.extract.pipeline import ExtractionPipeline, PipelineRecipe
from tupelo.extract.structure import divide
from tupelo.extract.structure.links import link_structured
from tupelo.extract.structure.voices import Voice, Voices, quotations, with_quotations, with_speakers, with_voice
from tupelo.names.proper_names import proper_names
from tupelo.names.referents import find_referents
from tupelo.nlp.prepare import LONGEST_SENTENCE, too_long
from tupelo.nlp.syntax import DependencyTree, tree_of

if TYPE_CHECKING:
    import pyarrow as pa

_RECIPE, _OPTIONS = PipelineRecipe(), ExtractionOptions()
# The columns of a sentence that says nothing.
_SILENT: dict[str, Any] = dict.fromkeys(("tuples", "anchors", "links", "properties"), ())


@dataclass(frozen=True, slots=True)
class ReadStatements:
    """A stage over passages. Each passage is processed independently, so its output depends on nothing else.

    A row is a sentence with its tuples, as in `core.schemas`, and what `core.statement` names in it, places counted
    in characters of the sentence; an anchor has the kind and the `name` of its referent. Further columns are
    `passage`, `start_at` (where the sentence begins in its document), `day` (the one on which it was written) and
    `occurrence` (the number of earlier sentences with its text in the passage). The first row of a passage has its
    `referents`. With a `schema`, `properties` are those that its links share.
    """

    recipe: PipelineRecipe = _RECIPE
    form: ExtractionOptions = _OPTIONS
    schema: LinkSchema | None = None
    name: str = "statements"
    version: str = "3"
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
        divided, broken = isolated(passages, partial(self._divided, pipeline))
        yield from (self._failure(passages[number], passages[number]["text"], broken[number]) for number in broken)
        whole = [row for number, row in enumerate(passages) if number not in broken]
        for row, (passage, sentences) in zip(whole, divided, strict=True):
            (read, referents), failed = isolated(sentences, partial(self._read, pipeline, passage))
            found, seen = iter(read), dict[str, int]()
            columns = [_SILENT if number in failed else next(found) for number in range(len(sentences))]
            order = sorted(range(len(sentences)), key=lambda place: sentences[place].start)
            for number, place in enumerate(order):
                sentence = sentences[place]
                text = sentence.text if isinstance(sentence, Analysis) else sentence.sentence.text
                if sentence.partial:
                    yield self._complaint(row, NOTE_COLUMN, too_long(self.form.longest_sentence))
                if place in failed:
                    yield self._failure(row, text, failed[place])
                occurrence = seen[text] = seen.get(text, -1) + 1
                yield {
                    "document_id": row["document_id"],
                    "passage": row["number"],
                    "start_at": sentence.start,
                    "occurrence": occurrence,
                    "text": text,
                    "heading": heading_at(passage.blocks, sentence.start),
                    **columns[place],
                    "referents": []
                    if number
                    else [_fields(one) | {"names": [_fields(naming) for naming in one.names]} for one in referents],
                }

    def _divided(
        self, pipeline: ExtractionPipeline, passages: Sequence[Mapping[str, Any]]
    ) -> list[tuple[Passage, list[Analysis | SentenceTuples]]]:
        """Passages with their sentences: the analysed ones of their prose, then those of tables and lines."""
        given = [_passage(row, number) for number, row in enumerate(passages)]
        divided = [divide(passage) for passage in given]
        found: list[list[Analysis | SentenceTuples]] = [[] for _ in given]
        for analysis in pipeline.analyses([stretch for prose, _ in divided for stretch in prose], self.form):
            found[int(analysis.document_id or 0)].append(analysis)
        for sentences, (_, structured) in zip(found, divided, strict=True):
            sentences += structured
        return list(zip(given, found, strict=True))

    def _read(
        self, pipeline: ExtractionPipeline, passage: Passage, given: list[Analysis | SentenceTuples]
    ) -> tuple[list[dict[str, Any]], Sequence[Referent]]:
        """The columns of the sentences of a passage, and what they speak of."""
        prose = [sentence for sentence in given if isinstance(sentence, Analysis)]
        structured = [sentence for sentence in given if isinstance(sentence, SentenceTuples)]
        trees = list(map(tree_of, prose))
        voices = Voices(passage, ((name.text, name.label) for tree in trees for name in proper_names(tree)))
        spoken = [voices.at(sentence.start) for sentence in prose] if voices else None
        linked, referents = linked_passage(pipeline, prose, self.form, trees, spoken)
        referents = shipped_link_ranker().described(prose, [one.anchors for one in linked], referents)
        least = self.form.of(pipeline.extractor).min_confidence or 0.0
        own, more, referents = link_structured(structured, referents, least)
        linked, referents = _with_values([*linked, *more], referents)
        properties = list(self.schema(prose, linked[: len(prose)])) if self.schema else [()] * len(prose)
        properties += [()] * len(own)
        known = {referent.number: referent for referent in referents}
        days = [voices.at(start).day for start in [*(one.start for one in prose), *(one.start for one in structured)]]
        rows = [
            {
                **_sentence_row(analysis, sentence, known),
                "day": day,
                "properties": [asdict(known_property) for known_property in shared],
            }
            for day, analysis, sentence, shared in zip(days, [*prose, *own], linked, properties, strict=True)
        ]
        return rows, referents

    def _failure(self, passage: Mapping[str, Any], text: str, reason: str) -> dict[str, Any]:
        return self._complaint(passage, ERROR_COLUMN, f"'{shortened(text)}': {reason}")

    def _complaint(self, passage: Mapping[str, Any], column: str, reason: str) -> dict[str, Any]:
        blank = {"document_id": "", "text": "", "passage": 0, "start_at": 0, "occurrence": 0}
        return {**blank, self.key: passage[self.key], column: reason}


def _passage(row: Mapping[str, Any], number: int) -> Passage:
    """A passage with a name of its own, so that names of one document are not resolved in another."""
    blocks = tuple(blocks_of_json(row.get("blocks")))
    return Passage(row["text"], row["start_at"], str(number), blocks, row.get("published"))


def linked_passage(
    pipeline: ExtractionPipeline,
    analyses: list[Analysis],
    form: ExtractionOptions,
    trees: Sequence[DependencyTree],
    voices: Sequence[Voice] | None = None,
) -> tuple[list[LinkedSentence], Sequence[Referent]]:
    """The sentences of a passage, whose trees are `trees`, with all their ranked links, and what they speak of.

    `voices` say who speaks each sentence.
    """
    tuples = [
        replace(found, extractions=(*found.extractions, *order_tuples(tree, found.sentence)))
        for found, tree in zip(pipeline.tuples(analyses, form), trees, strict=True)
    ]
    if voices is not None:
        spoken = zip(tuples, voices, quotations(analyses), strict=True)
        tuples = [with_voice(found, voice, inside) for found, voice, inside in spoken]
    tuples = with_quotations(tuples, analyses)
    sentences = zip(analyses, tuples, trees, strict=True)
    named = [find_anchors(one, found.extractions, tree) for one, found, tree in sentences]
    house = next((voice.group for voice in voices or () if voice.group), None)
    anchors, referents = find_referents(analyses, named, trees, house)
    anchors, referents = with_speakers(anchors, referents, voices or [Voice()] * len(analyses), analyses)
    before = [None, *(LinkReader(tree, own, referents) for tree, own in zip(trees, anchors, strict=True))]
    ranker = shipped_link_ranker()
    linked = [
        ranker.ranked(find_links(one, found.extractions, own, referents, tree, earlier), tree, referents)
        for one, found, own, tree, earlier in zip(analyses, tuples, anchors, trees, before[:-1], strict=True)
    ]
    return linked, referents


def _with_values(
    linked: Sequence[LinkedSentence], referents: Sequence[Referent]
) -> tuple[list[LinkedSentence], list[Referent]]:
    """The sentences with a number for whatever a tuple speaks of, and all referents: names, and these."""
    values: dict[tuple[str, str], int] = {}
    mentions: Counter[int | None] = Counter()
    numbered = []
    for sentence in linked:
        ends = {end for link in sentence.links for end in (link.subject, link.object)}
        ends |= {part for parts in sentence.parts for part in parts if part is not None}
        anchors = list(sentence.anchors)
        for end in sorted(ends):
            anchor = anchors[end]
            if anchor.referent is None:
                label = _VALUE_LABELS.get(anchor.kind, anchor.label)
                number = values.setdefault((label, anchor.text), len(referents) + len(values))
                anchors[end] = replace(anchor, referent=number, label=label)
            mentions[anchors[end].referent] += 1
        numbered.append(replace(sentence, anchors=anchors))
    kept = [one for one in referents if one.kind == "entity" or one.number in mentions]
    for (label, text), number in values.items():
        kept.append(Referent(number, "value", text, label, (), mentions[number]))
    return numbered, kept


# The labels of values that are clauses or pronouns that nobody resolved.
_VALUE_LABELS = {"statement": "clause", "pronoun": "pronoun"}


def statement_schema() -> pa.Schema:
    """The output rows."""
    import pyarrow as pa

    text, whole, number = pa.string(), pa.int64(), pa.float64()
    texts, numbers = pa.list_(text), pa.list_(whole)

    def rows(given: Sequence[pa.Field] = (), **columns: pa.DataType) -> pa.DataType:
        return pa.list_(pa.struct([*given, *columns.items()]))

    place = {"document_id": text, "passage": whole, "start_at": whole, "occurrence": whole, "text": text}
    link = {"tuple": whole, "subject": whole, "object": whole, "relation": text, "key": text}
    link |= {"confidence": number, "rank": number, "beside": numbers}
    referent = {"number": whole, "kind": text, "name": text, "label": text, "place": text, "key": text}
    referent |= {"names": rows(text=text, mentions=whole, reason=text, probability=number)}
    referent |= {"descriptions": texts, "context": texts, "mentions": whole}
    own = [field for field in extraction_schema() if field.name not in ("sentence", "group", "minor")]
    return pa.schema(
        [
            *(pa.field(name, kind, nullable=False) for name, kind in place.items()),
            ("heading", text),
            ("day", pa.date32()),
            ("tuples", rows(own, stance=text, unlinked=text, text=text, parts=numbers)),
            ("anchors", rows(start=whole, end=whole, referent=whole, kind=text, label=text, text=text, name=text)),
            ("links", rows(**link)),
            ("properties", rows(link=whole, property=text, name=text, turned=pa.bool_(), probability=number)),
            ("referents", rows(**referent)),
        ]
    )


def _sentence_row(analysis: Analysis, linked: LinkedSentence, known: Mapping[int, Referent]) -> dict[str, Any]:
    tuples = zip(linked.tuples.extractions, linked.parts, linked.unlinked, linked.told or linked.texts, strict=True)
    return {
        "text": analysis.text,
        "tuples": [
            {**record_to_row(one), "stance": one.stance, "unlinked": unlinked, "text": text, "parts": list(parts)}
            for one, parts, unlinked, text in tuples
        ],
        "anchors": [_anchor_row(anchor, analysis, known) for anchor in linked.anchors],
        "links": [_fields(link) for link in linked.links],
    }


def _fields(item: Link | Referent | Naming) -> dict[str, Any]:
    """The same as `asdict` of an item without nested ones, at a tenth of its cost."""
    return {name: getattr(item, name) for name in item.__slots__}


def _anchor_row(anchor: Anchor, analysis: Analysis, known: Mapping[int, Referent]) -> dict[str, Any]:
    # An implied part, and the object of a tuple without one, have no words.
    span = analysis.span(anchor.start, anchor.end) if anchor.end > anchor.start else Span(0, 0)
    referent = None if anchor.referent is None else known.get(anchor.referent)
    row = {"start": span.start, "end": span.end, "label": anchor.label, "text": anchor.text}
    if referent is None:
        return {**row, "kind": anchor.kind, "referent": None, "name": None}
    return {**row, "kind": referent.kind, "referent": referent.number, "name": referent.name}
