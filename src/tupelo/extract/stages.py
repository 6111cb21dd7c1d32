"""Extraction as a stage: passages of documents in, their sentences and tuples out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from tupelo.core import Analysis, Argument, Entity, Extraction, Passage, Record
from tupelo.core.protocols import Parser
from tupelo.core.schemas import extraction_schema, record_to_row
from tupelo.core.stages import NOTE_COLUMN
from tupelo.extract.parts import sentence_of
from tupelo.extract.run import Form, finish, open_extractor
from tupelo.nlp import PARSERS
from tupelo.nlp.pipeline import AnalysisOptions, Pipeline
from tupelo.nlp.prepare import LONGEST_SENTENCE, too_long

if TYPE_CHECKING:
    import pyarrow as pa

# Words that change the tense, degree or truth of a relation, but not its identity.
_PASSING = frozenset(["ADV", "PART", "PUNCT", "DET", "INTJ"])
_AUXILIARIES = frozenset(["aux", "mark", "discourse"])


_FORM = Form()


@dataclass(frozen=True, slots=True)
class ExtractTuples:
    """A stage over passages. Each passage is processed independently, so its output depends on nothing else.

    A row is a tuple, or a sentence without tuples, as in `core.schemas`. Further columns are `passage`, `start_at`
    (where the sentence begins in its document), `occurrence` (how often its text occurred earlier in the passage) and
    the `position` of the tuple in the sentence; and for each part, the relation first, then the arguments, `lemmas`,
    `types` and `names`: its lemmatized words, its named-entity type, and the name alone if the part also describes it
    (*Nordlys* in *the company Nordlys*).
    """

    parser: str = "en"
    extractor: str = "default"
    settings: tuple[tuple[str, str], ...] = ()
    form: Form = _FORM
    longest_sentence: int = LONGEST_SENTENCE
    name: str = "extract"
    version: str = "4"
    key: str = "source"

    @property
    def options(self) -> Mapping[str, Any]:
        from tupelo.core.version import __version__

        form = self.form
        return {
            "tupelo": __version__,
            "parser": self.parser,
            "extractor": self.extractor,
            "settings": dict(self.settings),
            "form": [form.width, form.prepositions, form.coreference, form.least_confidence, form.all],
            **({} if self.longest_sentence == LONGEST_SENTENCE else {"longest_sentence": self.longest_sentence}),
        }

    @property
    def input(self) -> pa.Schema:
        from tupelo.core.document import passage_schema

        return passage_schema()

    @property
    def output(self) -> pa.Schema:
        return tuple_schema()

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        schema = self.output
        for name in (self.key, NOTE_COLUMN):
            schema = schema.append(pa.field(name, pa.string()))
        for batch in batches:
            rows = batch.to_pylist()
            yield pa.RecordBatch.from_pylist(list(self._rows(rows)), schema=schema)

    def _rows(self, passages: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
        name, _, argument = self.extractor.partition(":")
        extractor = open_extractor(name, argument, self.settings)
        needs = extractor.needs
        # Each passage has its own number, so that names of one document are not resolved in another.
        named = [Passage(row["text"], row["start_at"], str(number)) for number, row in enumerate(passages)]
        analyses: list[list[Analysis]] = [[] for _ in passages]
        parser = _open_parser(self.parser)
        options = AnalysisOptions(
            constituents="constituents" in needs,
            vectors="vectors" in needs,
            longest=self.longest_sentence,
            coreference=self.form.coreference and isinstance(parser, Pipeline) and parser.has_coreference,
        )
        analysed: Iterable[Analysis]
        if isinstance(parser, Pipeline):
            analysed = parser.map(named, list, options)
        else:
            analysed = parser.analyze(named, constituents=options.constituents, vectors=options.vectors)
        for analysis in analysed:
            analyses[int(analysis.document_id or 0)].append(analysis)
        for row, sentences in zip(passages, analyses, strict=True):
            found = finish(sentences, list(extractor.extract(sentences)), self.form.of(extractor))
            seen: dict[str, int] = {}
            for analysis, tuples in zip(sentences, found, strict=True):
                if analysis.partial:
                    yield self._note(row, analysis)
                occurrence = seen[analysis.text] = seen.get(analysis.text, -1) + 1
                records: Sequence[Record] = tuples.extractions or (tuples.sentence,)
                for position, record in enumerate(records):
                    yield _row(record, analysis, row) | {"occurrence": occurrence, "position": position}

    def _note(self, passage: Mapping[str, Any], analysis: Analysis) -> dict[str, Any]:
        blank = {**record_to_row(sentence_of(analysis)), "passage": 0, "start_at": 0, "occurrence": 0, "position": 0}
        return {**blank, self.key: passage[self.key], NOTE_COLUMN: too_long(self.longest_sentence)}


def tuple_schema() -> pa.Schema:
    """The output rows."""
    import pyarrow as pa

    added = [
        pa.field("passage", pa.int64(), nullable=False),
        pa.field("start_at", pa.int64(), nullable=False),
        pa.field("occurrence", pa.int64(), nullable=False),
        pa.field("position", pa.int64(), nullable=False),
        pa.field("lemmas", pa.list_(pa.string())),
        pa.field("types", pa.list_(pa.string())),
        pa.field("names", pa.list_(pa.string())),
    ]
    return pa.schema([*extraction_schema(), *added])


@lru_cache(maxsize=2)
def _open_parser(name: str) -> Parser:
    """One per process. The engine has a process per core, so more threads would compete."""
    kind, _, argument = name.partition(":")
    return PARSERS.get(kind)(argument, processes=1, batch_size=32, threads=1)


def _row(record: Record, analysis: Analysis, passage: Mapping[str, Any]) -> dict[str, Any]:
    row = record_to_row(record)
    # Words can be recovered from the text, since spans are character offsets.
    row["sentence"] = {"text": analysis.text, "document_id": passage["document_id"]}
    row |= {"passage": passage["number"], "start_at": analysis.start}
    if isinstance(record, Extraction):
        row["lemmas"] = [relation_lemma(record.rel, analysis), *(lemma(part, analysis) for part in record.arguments)]
        found = [named(part, analysis) for part in record.arguments]
        row["types"] = [None, *(label for label, _ in found)]
        row["names"] = [None, *(name for _, name in found)]
    return row


def lemma(part: Argument, analysis: Analysis) -> str:
    """The lemmas of a part."""
    words = [analysis.words[token] for token in part.tokens or ()]
    return " ".join((word.lemma or word.text).lower() for word in words) or part.text.lower()


def relation_lemma(rel: Argument, analysis: Analysis) -> str:
    """The lemmas that identify the relation.

    Tense, modal verbs, negation and adverbs are omitted; passive auxiliaries and the copula of a noun are kept, since
    the roles of the arguments depend on them. Implied words keep their positions.
    """
    kept: list[str] = []
    tokens = iter(rel.tokens or ())
    pieces = rel.text.split()
    if len(pieces) != len(rel.tokens or ()) + len(rel.inferred):
        # Tokens can differ from space-separated words (`does n't`); then implied words go first.
        kept += [pieces[index].lower() for index in rel.inferred if index < len(pieces)]
        order: list[int | str] = list(rel.tokens or ())
    else:
        order = [pieces[index].lower() if index in rel.inferred else next(tokens) for index in range(len(pieces))]
    for item in order:
        if isinstance(item, str):
            kept.append({"is": "be", "was": "be", "are": "be", "were": "be", "has": "have"}.get(item, item))
            continue
        word = analysis.words[item]
        base = (word.deprel or "").partition(":")[0]
        if word.deprel == "aux:pass":
            kept.append("be")
        elif base in _AUXILIARIES or (word.upos in _PASSING and base != "compound"):
            continue
        else:
            kept.append((word.lemma or word.text).lower())
    return " ".join(kept) or rel.text.lower()


# Words that may precede a name without changing its referent.
_SMALL = frozenset(["DET", "ADP", "PUNCT", "PART"])
_DESCRIBING = frozenset(["DET", "ADJ", "NOUN", "PROPN", "PUNCT"])
# *Northern Italy* is not Italy, but *the company Nordlys* is Nordlys.
_DESCRIBED = frozenset(["person", "organization", "work", "event"])


def named(part: Argument, analysis: Analysis) -> tuple[str | None, str | None]:
    """The type of the entity that a part names, and the name alone if descriptive words precede it.

    "Ann, a nurse" and "the mayor of Oslo" are not names; "the United States", "in Oslo" and "the mayor Ann Lee" are.
    """
    tokens = part.tokens or ()
    inside = set(tokens)
    kind = name = None
    for entity in analysis.entities or ():
        if not inside.issuperset(range(entity.start, entity.end)):
            continue
        outside = [token for token in tokens if not entity.start <= token < entity.end]
        tags = [analysis.words[token].upos for token in outside]
        if _SMALL.issuperset(tags):
            kind, name = entity.label, None
        elif entity.label in _DESCRIBED and max(outside) < entity.start and _describes(outside, entity, analysis):
            kind, name = entity.label, analysis.phrase(entity)
    return kind, name


def _describes(before: Sequence[int], entity: Entity, analysis: Analysis) -> bool:
    """Whether these words describe the single entity named after them."""
    words = [analysis.words[token] for token in before]
    nouns = [word for word in words if word.upos == "NOUN"]
    alone = analysis.words[entity.end - 1].xpos != "NNPS"  # *young Americans* are some of them
    together = list(before) == list(range(before[0], entity.start))
    return alone and together and bool(nouns) and all(word.upos in _DESCRIBING for word in words)
