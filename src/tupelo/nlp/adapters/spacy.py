"""spaCy pipelines (https://spacy.io), by the name of an installed package or a folder.

spaCy's English models use the ClearNLP dependency labels, not Universal
Dependencies; they are passed on as they are. Constituents are passed on where
the pipeline has a component that fills `span._.parse_string`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from tupelo.core import Analysis, Entity, InputError, MissingExtraError, Passage, Word
from tupelo.nlp.prepare import documents, given_tokens

DEFAULT = "en_core_web_md"
# OntoNotes types -> ours; whatever is not listed is "other".
ENTITY_LABELS = {
    "PERSON": "person",
    "ORG": "organization",
    "GPE": "place",
    "LOC": "place",
    "FAC": "place",
    "DATE": "datetime",
    "TIME": "datetime",
    "CARDINAL": "number",
    "ORDINAL": "number",
    "MONEY": "number",
    "PERCENT": "number",
    "QUANTITY": "number",
    "EVENT": "event",
    "WORK_OF_ART": "work",
    "LAW": "work",
    "PER": "person",
}


class SpacyParser:
    """A loaded spaCy pipeline."""

    def __init__(self, argument: str, *, processes: int, batch_size: int, threads: int | None) -> None:
        try:
            import spacy
        except ImportError as error:
            raise MissingExtraError("the spaCy parser", "spacy") from error
        try:
            self._nlp: Any = spacy.load(argument or DEFAULT)
        except OSError as error:
            raise InputError(
                f"spaCy has no model '{argument or DEFAULT}': expected an installed package or a folder"
            ) from error
        self._processes, self._batch_size = processes, batch_size
        self.name = f"spacy:{argument or DEFAULT}"

    def analyze(
        self,
        text: str | Iterable[str | Passage],
        *,
        lines: bool = False,
        pretokenized: bool = False,
        constituents: bool = True,
        vectors: bool = False,
    ) -> Iterator[Analysis]:
        """Analysed sentences in order; see `tupelo.core.protocols.Parser`."""
        whole = lines or pretokenized
        pairs = ((self._document(passage, pretokenized), passage) for passage in documents(text, whole=whole))
        results = self._nlp.pipe(pairs, as_tuples=True, batch_size=self._batch_size, n_process=self._processes)
        for document, passage in results:
            if whole:
                yield (
                    self._sentence(document[:], passage, given=pretokenized)
                    if len(document)
                    else Analysis(passage.text, (), passage.start, document_id=passage.document_id)
                )
            else:
                for span in document.sents:
                    if span.text.strip():
                        yield self._sentence(span, passage, given=False)

    def _document(self, passage: Passage, pretokenized: bool) -> Any:
        if not pretokenized:
            return self._nlp.make_doc(passage.text)
        from spacy.tokens import Doc

        return Doc(self._nlp.vocab, words=list(given_tokens(passage).forms))

    def _sentence(self, span: Any, passage: Passage, *, given: bool) -> Analysis:
        kept = [token for token in span if not token.is_space]
        place = {token.i: index for index, token in enumerate(kept)}
        spans = (
            given_tokens(passage).spans
            if given
            else [(passage.start + token.idx, passage.start + token.idx + len(token.text)) for token in kept]
        )
        parsed = span.doc.has_annotation("DEP")
        words = tuple(
            Word(
                text=token.text,
                start=begin,
                end=end,
                lemma=token.lemma_ or None,
                upos=token.pos_ or None,
                xpos=token.tag_ or None,
                feats=str(token.morph),
                head=place.get(token.head.i) if token.head.i != token.i else None,
                deprel=(("root" if token.dep_ == "ROOT" else token.dep_) or None) if parsed else None,
            )
            for token, (begin, end) in zip(kept, spans, strict=True)
        )
        entities = tuple(
            Entity(ENTITY_LABELS.get(entity.label_, "other"), members[0], members[-1] + 1)
            for entity in span.ents
            if (members := [place[token.i] for token in entity if token.i in place])
        )
        begin = passage.start if given or span.start == 0 else words[0].start
        if given:
            sentence_text = passage.text
        else:
            begin = words[0].start
            sentence_text = passage.text[begin - passage.start : words[-1].end - passage.start]
        return Analysis(sentence_text, words, begin, entities=entities, document_id=passage.document_id)
