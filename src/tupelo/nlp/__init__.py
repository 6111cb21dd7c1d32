"""Text to analysed sentences. Parsers are known by name and imported when they are asked for."""

from __future__ import annotations

from typing import Protocol

from tupelo.core import Registry
from tupelo.core.protocols import Parser


class ParserFactory(Protocol):
    """Makes a parser from what follows its name and a colon (`spacy:en_core_web_md`), empty for the default."""

    def __call__(self, argument: str, *, processes: int, batch_size: int, threads: int | None) -> Parser: ...


PARSERS: Registry[ParserFactory] = Registry(
    "parser",
    {
        "en": "tupelo.nlp.pipeline:shipped_model",
        "model": "tupelo.nlp.pipeline:model_in_folder",
        "spacy": "tupelo.nlp.adapters.spacy:SpacyParser",
        "stanza": "tupelo.nlp.adapters.stanza:StanzaParser",
    },
)

__all__ = ["PARSERS"]
