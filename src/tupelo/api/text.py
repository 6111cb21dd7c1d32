"""What `tupelo.load()` returns: a parser and an extractor by name, ready to use."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from tupelo.core import Analysis, Extraction, Passage
from tupelo.core.protocols import Extractor, Parser, Services
from tupelo.extract import EXTRACTORS, needs_client
from tupelo.nlp import PARSERS

# `tupelo.extract.run` brings all rules along: who only analyses does not wait for them.
if TYPE_CHECKING:
    from tupelo.extract.run import Form, SentenceTuples


class Toolkit:
    """Text to analysed sentences, and to tuples. Models are opened when they are first needed."""

    def __init__(
        self,
        parser: Parser,
        extractor: str | Extractor = "default",
        *,
        settings: Mapping[str, str] | None = None,
        services: Services | None = None,
    ) -> None:
        self.parser = parser
        # A toolkit can stand wherever a parser can.
        self.name = parser.name
        self._settings = dict(settings or {})
        self._given_services = services
        self._chosen: Extractor | None = None
        self._name, self._argument = "", ""
        if isinstance(extractor, str):
            name, _, self._argument = extractor.partition(":")
            self._name = EXTRACTORS.resolve(name)
        else:
            self._chosen = extractor

    @cached_property
    def services(self) -> Services:
        """What an extractor that needs a client gets; by default from this machine and its environment."""
        if self._given_services is not None:
            return self._given_services
        from tupelo.io.services import LocalServices

        return LocalServices(os.environ, lambda sentences: self.analyze(sentences, lines=True))

    @cached_property
    def extractor(self) -> Extractor:
        """The extractor itself."""
        if self._chosen is not None:
            return self._chosen
        if needs_client(self._name):
            return EXTRACTORS.get(self._name)(self._argument, self._settings, self.services)
        from tupelo.extract.run import open_extractor

        return open_extractor(self._name, self._argument, tuple(sorted(self._settings.items())))

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
        return self.parser.analyze(
            text, lines=lines, pretokenized=pretokenized, constituents=constituents, vectors=vectors
        )

    def close(self) -> None:
        """End the processes of a pool, if there are any."""
        close = getattr(self.parser, "close", None)
        if close is not None:
            close()

    def __enter__(self) -> Toolkit:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def extract(
        self,
        text: str | Iterable[str | Passage],
        *,
        lines: bool = False,
        pretokenized: bool = False,
        width: str = "standard",
        prepositions: str = "relation",
        coreference: bool = True,
        least_confidence: float | None = None,
    ) -> Iterator[Extraction]:
        """The tuples of a text, sentence by sentence.

        `width` is `minimal`, `standard` or `maximal`; `prepositions` go to the
        end of the `relation` or to the start of the `argument`;
        `coreference=False` leaves pronouns and short names alone.
        """
        from tupelo.extract.run import Form

        form = Form(
            width=width, prepositions=prepositions, coreference=coreference, least_confidence=least_confidence
        )
        for found in self.extract_sentences(text, lines=lines, pretokenized=pretokenized, form=form):
            yield from found.extractions

    def extract_sentences(
        self,
        text: str | Iterable[str | Passage],
        *,
        lines: bool = False,
        pretokenized: bool = False,
        form: Form | None = None,
    ) -> Iterator[SentenceTuples]:
        """Every sentence with its tuples, those without any included."""
        from tupelo.extract.run import Extracting, Form, extract_all
        from tupelo.nlp.pipeline import Options, Pipeline

        form = form or Form()
        needs = self.extractor.needs

        if not isinstance(self.parser, Pipeline):
            analyses = self.analyze(
                text,
                lines=lines,
                pretokenized=pretokenized,
                constituents="constituents" in needs,
                vectors="vectors" in needs,
            )
            return extract_all(self.extractor, analyses, form)
        options = Options(
            lines, pretokenized, "constituents" in needs, "vectors" in needs, syntax=bool(needs) or form.reads_syntax
        )
        if self._chosen is not None or needs_client(self._name):
            return extract_all(self.extractor, self.parser.map(text, list, options), form)
        work = Extracting(self._name, self._argument, tuple(sorted(self._settings.items())), form)
        return self.parser.map(text, work, options)


def load(
    parser: str = "en",
    *,
    extractor: str | Extractor = "default",
    settings: Mapping[str, str] | None = None,
    services: Services | None = None,
    processes: int = 1,
    batch_size: int = 32,
    threads: int | None = None,
) -> Toolkit:
    """The shipped English model with the default extractor, or others.

    `parser` is a registered name, with an argument after a colon where the
    parser takes one: `model:FOLDER` for weights that you trained,
    `spacy:en_core_web_md`, `stanza:en`, or `conllu` for text that somebody
    else's parser has analysed. `extractor` is `default`, `rules`, `neural`,
    `command:PROGRAM`, `llm:MODEL` or an object of yours; `settings` are its
    named options and `services` what the last two need (`tupelo.io.services`).

    >>> nlp = load()  # doctest: +SKIP
    >>> for sentence in nlp.analyze("Dogs bark. Cats sleep."):  # doctest: +SKIP
    ...     print([(word.text, word.upos, word.deprel) for word in sentence.words])
    >>> for t in nlp.extract("Ann, who was born in Oslo, teaches history."):  # doctest: +SKIP
    ...     print(t.arg1, "|", t.rel, "|", t.args, t.confidence)
    """
    name, _, argument = parser.partition(":")
    made = PARSERS.get(name)(argument, processes=processes, batch_size=batch_size, threads=threads)
    return Toolkit(made, extractor, settings=settings, services=services)
