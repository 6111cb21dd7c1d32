"""Text to analysed sentences. Parsers are registered by name and imported on first use."""

from __future__ import annotations

from typing import Protocol

from tupelo.core import Registry
from tupelo.core.protocols import Parser


class ParserFactory(Protocol):
    """Opens a parser from the text after its name and a colon (`spacy:en_core_web_md`), empty for the default."""

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
