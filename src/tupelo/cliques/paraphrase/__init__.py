"""Paraphrasers by name: our own rules, a sequence-to-sequence model on disk, a language model behind an endpoint."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from tupelo.cliques.candidates import Paraphraser
from tupelo.cliques.sample import SyntaxSampler
from tupelo.cliques.verify import Thresholds
from tupelo.core import Registry
from tupelo.core.protocols import Parser, Services


@dataclass(frozen=True, slots=True)
class Tools:
    """What a paraphraser may use. `sampler` says which syntax to ask for, where a parallel corpus was given."""

    parser: Parser
    pretokenized: bool = False
    thresholds: Thresholds = field(default_factory=Thresholds)
    sampler: SyntaxSampler | None = None
    services: Services | None = None


class ParaphraserFactory(Protocol):
    """Makes a paraphraser from what follows its name and a colon (`seq2seq:FOLDER`) and from named settings."""

    def __call__(self, argument: str, settings: Mapping[str, str], tools: Tools) -> Paraphraser: ...


PARAPHRASERS: Registry[ParaphraserFactory] = Registry(
    "paraphraser",
    {
        "rewrite": "tupelo.cliques.rewrite.paraphraser:rewrite_paraphraser",
        "seq2seq": "tupelo.cliques.paraphrase.seq2seq:seq2seq_paraphraser",
        "llm": "tupelo.cliques.paraphrase.llm:llm_paraphraser",
    },
)

TITLES = {
    "rewrite": "our own syntactic rules; needs no model besides the parser",
    "seq2seq": "seq2seq:FOLDER, a checkpoint of a sequence-to-sequence model with AESOP's input",
    "llm": "llm:MODEL, a language model behind any OpenAI-compatible endpoint",
}

__all__ = ["PARAPHRASERS", "TITLES", "ParaphraserFactory", "Tools"]
