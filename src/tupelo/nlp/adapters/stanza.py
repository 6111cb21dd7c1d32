"""Stanza pipelines (https://stanfordnlp.github.io/stanza), by language and optionally a folder of models.

`stanza:en` uses Stanza's own folder, `stanza:en:FOLDER` another one. Models must already be installed: nothing is
downloaded. Every processor that has a model is used; the others are skipped, and their annotations are `None`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Unpack

from tupelo.core import Analysis, Constituent, Entity, InputError, Passage, Word
from tupelo.core.errors import needs_extra
from tupelo.core.protocols import AnalysisWishes
from tupelo.core.spec import split_spec
from tupelo.nlp.adapters.spacy import ENTITY_LABELS
from tupelo.nlp.model import AnalysisOptions
from tupelo.nlp.prepare import documents, given_tokens

DEFAULT = "en"


class StanzaParser:
    """Stanza's pipelines for plain text, for split sentences and for given words."""

    def __init__(self, argument: str, *, processes: int, batch_size: int, threads: int | None) -> None:
        with needs_extra("the Stanza parser", "stanza"):
            import stanza
        if processes > 1:
            raise InputError("the Stanza parser runs in one process; expected processes 1")
        language, folder = split_spec(argument or DEFAULT)
        self._stanza = stanza
        self._settings: dict[str, Any] = {
            "lang": language,
            "download_method": None,
            "allow_unknown_language": False,
            "verbose": False,
            "use_gpu": False,
        }
        if folder:
            self._settings["dir"] = folder
        self._pipelines: dict[tuple[bool, bool], Any] = {}
        self.name = f"stanza:{language}"

    def analyze(self, text: str | Iterable[str | Passage], **wishes: Unpack[AnalysisWishes]) -> Iterator[Analysis]:
        """Analysed sentences in order; see `tupelo.core.protocols.Parser`."""
        wanted = AnalysisOptions(**wishes)
        if wanted.coreference:
            raise InputError(f"the parser '{self.name}' has no coreference, expected one that has, such as 'en'")
        pretokenized, whole = wanted.pretokenized, wanted.lines or wanted.pretokenized
        pipeline = self._pipeline(wanted.lines, pretokenized)
        for passage in documents(text, whole=whole):
            if not passage.text.strip():
                if whole:
                    yield Analysis(passage.text, (), passage.start, document_id=passage.document_id)
                continue
            document = pipeline([list(given_tokens(passage).forms)] if pretokenized else passage.text)
            for sentence in document.sentences:
                yield _analysis(sentence, passage, given=pretokenized)

    def _pipeline(self, lines: bool, pretokenized: bool) -> Any:
        key = (lines, pretokenized)
        if key not in self._pipelines:
            try:
                self._pipelines[key] = self._stanza.Pipeline(
                    **self._settings, tokenize_no_ssplit=lines, tokenize_pretokenized=pretokenized
                )
            # Stanza raises errors of many classes, some its own, when models are missing.
            except Exception as error:
                raise InputError(
                    f"Stanza cannot load '{self.name}': {error}; expected models on this machine"
                ) from error
        return self._pipelines[key]


def _analysis(sentence: Any, passage: Passage, *, given: bool) -> Analysis:
    words: list[Word] = []
    contractions: list[tuple[int, int]] = []
    spans = given_tokens(passage).spans if given else None
    for number, token in enumerate(sentence.tokens):
        first = len(words)
        begin, end = spans[number] if spans else (passage.start + token.start_char, passage.start + token.end_char)
        position = begin
        spelled = "".join(word.text for word in token.words) == token.text
        for word in token.words:
            place = (position, position + len(word.text)) if spelled else (begin, end)
            position += len(word.text)
            words.append(
                Word(
                    text=word.text,
                    start=place[0],
                    end=place[1],
                    lemma=word.lemma,
                    upos=word.upos,
                    xpos=word.xpos,
                    feats=word.feats or "",
                    head=word.head - 1 if word.head else None,
                    deprel=word.deprel,
                )
            )
        if len(token.words) > 1:
            contractions.append((first, len(words)))
    start = passage.start if given else words[0].start
    return Analysis(
        text=passage.text if given else passage.text[start - passage.start : words[-1].end - passage.start],
        words=tuple(words),
        start=start,
        constituents=_constituents(getattr(sentence, "constituency", None)),
        entities=_entities(sentence),
        contractions=tuple(contractions),
        document_id=passage.document_id,
    )


def _entities(sentence: Any) -> tuple[Entity, ...] | None:
    if getattr(sentence, "ents", None) is None:
        return None
    found: list[Entity] = []
    for entity in sentence.ents:
        numbers = [word.id for token in entity.tokens for word in token.words]
        found.append(Entity(ENTITY_LABELS.get(entity.type, "other"), min(numbers) - 1, max(numbers)))
    return tuple(found)


def _constituents(tree: Any) -> tuple[Constituent, ...] | None:
    """Phrases in pre-order from Stanza's nested trees, without recursion."""
    if tree is None:
        return None
    found: list[Constituent | None] = []
    # Pre-order: a phrase is added on the way down; its end is set on the way up.
    position = 0
    pending: list[tuple[Any, int | None, int]] = [(tree, None, 0)]
    while pending:
        node, slot, start = pending.pop()
        if slot is not None:
            found[slot] = Constituent(node.label, start, position)
        elif node.is_preterminal() or node.is_leaf():
            position += 1
        else:
            found.append(None)
            pending.append((node, len(found) - 1, position))
            pending.extend((child, None, 0) for child in reversed(node.children))
    return tuple(part for part in found if part is not None)
