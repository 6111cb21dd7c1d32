"""Text to analysed sentences. Parsers are registered by name and imported on first use."""

from __future__ import annotations

from functools import lru_cache
from typing import Protocol

from tupelo.core import Registry
from tupelo.core.protocols import Parser
from tupelo.core.spec import split_spec


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


def open_parser(spec: str, *, processes: int = 1, batch_size: int = 32, threads: int | None = 1) -> Parser:
    """The parser that `NAME` or `NAME:ARGUMENT` stands for."""
    name, argument = split_spec(spec)
    return PARSERS.get(name)(argument, processes=processes, batch_size=batch_size, threads=threads)


@lru_cache(maxsize=2)
def worker_parser(spec: str) -> Parser:
    """A parser that is opened once per process. An engine has a process per core, so more threads would compete."""
    return open_parser(spec)


__all__ = ["PARSERS", "open_parser", "worker_parser"]
