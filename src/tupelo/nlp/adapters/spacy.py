"""spaCy pipelines (https://spacy.io), by the name of an installed package or a folder.

spaCy's English models predict ClearNLP dependencies, which are converted to Universal Dependencies; models that
already predict these are used as they are, and any other label set is rejected. Constituents and vectors are not
available: `Analysis.constituents` and `Analysis.vectors` are `None`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from tupelo.core import Analysis, Entity, InputError, MissingExtraError, Passage, Word
from tupelo.nlp.adapters.clearnlp import CLEARNLP_ONLY, convert
from tupelo.nlp.languages import labels, words
from tupelo.nlp.prepare import documents, given_tokens

DEFAULT = "en_core_web_md"
# OntoNotes types -> ours.
ENTITY_LABELS = labels("dependencies", "entities")
UNIVERSAL = words("dependencies", "universal")


def needs_conversion(labels: Collection[str], model: str, language: str) -> bool:
    """Whether the dependency labels of a model are ClearNLP's; raises for those that are not UD either.

    >>> needs_conversion(["ROOT", "nsubj", "pobj"], "en_core_web_md", "en")
    True
    """
    foreign = sorted({label for label in labels if label.partition(":")[0].lower() not in UNIVERSAL})
    if language == "en" and CLEARNLP_ONLY.intersection(foreign):
        return True
    if foreign:
        raise InputError(
            f"spaCy's model '{model}' labels dependencies as {', '.join(foreign[:5])}, expected Universal "
            "Dependencies or the labels of spaCy's English models"
        )
    return False


class SpacyParser:
    """spacy:MODEL, a pipeline of spaCy by the name of its package or its folder."""

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
        labels = self._nlp.get_pipe("parser").labels if self._nlp.has_pipe("parser") else ()
        self._converts = needs_conversion(labels, argument or DEFAULT, self._nlp.lang)
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
        coreference: bool = False,
    ) -> Iterator[Analysis]:
        """Analysed sentences in order; see `tupelo.core.protocols.Parser`."""
        if coreference:
            raise InputError(f"the parser '{self.name}' has no coreference, expected one that has, such as 'en'")
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
        entities = tuple(
            Entity(ENTITY_LABELS.get(entity.label_, "other"), members[0], members[-1] + 1)
            for entity in span.ents
            if (members := [place[token.i] for token in entity if token.i in place])
        )
        heads = [place.get(token.head.i) if token.head.i != token.i else None for token in kept]
        labels: list[str | None] = [None] * len(kept)
        if span.doc.has_annotation("DEP"):
            heads, labels = self._dependencies(kept, heads, entities)
        words = tuple(
            Word(
                text=token.text,
                start=start,
                end=end,
                lemma=token.lemma_ or None,
                # In UD a copula is an auxiliary, and *be* as the main verb is not.
                upos="AUX" if label == "cop" else token.pos_ or None,
                xpos=token.tag_ or None,
                feats=str(token.morph),
                head=head,
                deprel=label,
            )
            for token, (start, end), head, label in zip(kept, spans, heads, labels, strict=True)
        )
        if given:
            return Analysis(passage.text, words, passage.start, entities=entities, document_id=passage.document_id)
        begin, end = words[0].start, words[-1].end
        text = passage.text[begin - passage.start : end - passage.start]
        return Analysis(text, words, begin, entities=entities, document_id=passage.document_id)

    def _dependencies(
        self, tokens: Sequence[Any], heads: list[int | None], entities: Collection[Entity]
    ) -> tuple[list[int | None], list[str | None]]:
        labels = [token.dep_ for token in tokens]
        if self._converts:
            persons = [(entity.start, entity.end) for entity in entities if entity.label == "person"]
            words = [(token.text, token.pos_, token.tag_) for token in tokens]
            heads, labels = convert(words, heads, labels, persons)
        return heads, [("root" if label == "ROOT" else label) or None for label in labels]
