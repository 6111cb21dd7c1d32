"""Text to analysed sentences. Parsers are known by name and imported when they are asked for."""

from __future__ import annotations

from tupelo.core import Registry
from tupelo.core.protocols import ParserFactory

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
