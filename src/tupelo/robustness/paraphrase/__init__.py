"""Paraphrasers by name: syntactic templates, rules alone, a sequence-to-sequence model, a language model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Protocol

from tupelo.core import Registry
from tupelo.core.protocols import Parser, Services, SupportReader
from tupelo.core.wordnet import WordNet
from tupelo.robustness.candidates import Original, Paraphraser, Rewording, TextTuple
from tupelo.robustness.sample import SyntaxSampler
from tupelo.robustness.verify import CONTENT, Thresholds


@dataclass(frozen=True, slots=True)
class Tools:
    """Resources for paraphrasers. `sampler` draws target parses if a parallel corpus was given.

    `sample` makes one from pairs of parses. `support` opens the network that reads whether a text supports a claim,
    `wordnet` the database in a folder (in its usual place if that is empty), `clusters` PPDB's clusters in a file:
    every phrase with the head of its own.
    """

    parser: Parser
    pretokenized: bool = False
    thresholds: Thresholds = field(default_factory=Thresholds)
    sampler: SyntaxSampler | None = None
    sample: Callable[[Iterable[tuple[str, str]]], SyntaxSampler] = SyntaxSampler
    services: Services | None = None
    support: Callable[[], SupportReader] | None = None
    wordnet: Callable[[str], WordNet] | None = None
    clusters: Callable[[str], Mapping[str, str]] | None = None


class ParaphraserFactory(Protocol):
    """Makes a paraphraser from what follows its name and a colon (`seq2seq:FOLDER`) and from named settings.

    The first line of its documentation, or its attribute `title`, is what `tupelo cliques build --list` shows.
    """

    def __call__(self, argument: str, settings: Mapping[str, str], tools: Tools) -> Paraphraser: ...


PARAPHRASERS: Registry[ParaphraserFactory] = Registry(
    "paraphraser",
    {
        "syntactic": "tupelo.robustness.paraphrase.syntactic:syntactic_paraphraser",
        "rewrite": "tupelo.robustness.rewrite.paraphraser:rewrite_paraphraser",
        "seq2seq": "tupelo_training.seq2seq:seq2seq_paraphraser",
        "llm": "tupelo.robustness.paraphrase.llm:llm_paraphraser",
    },
)


def plain_candidates(
    original: Original,
    texts: Iterable[tuple[str, str]],
    replaced: Mapping[str, Mapping[str, str]] = MappingProxyType({}),
) -> list[Rewording]:
    """Candidates from pairs of a text and its origin, without duplicates and without the original itself.

    There is no word alignment, so a tuple is kept if the paraphrase has all its content words, or those in their
    place: `replaced` are old and new words, by text.
    """
    seen = {_folded(original.analysis.text)}
    candidates = []
    for text, origin in texts:
        one_line = " ".join(text.split())
        if one_line and _folded(one_line) not in seen:
            seen.add(_folded(one_line))
            tuples = kept_tuples(original, one_line, replaced.get(text, {}))
            candidates.append(Rewording(one_line, origin, tuples))
    return candidates


def kept_tuples(original: Original, text: str, replaced: Mapping[str, str]) -> tuple[TextTuple, ...]:
    """The tuples of the original, in the words of the paraphrase if it has them all; the rest needs a person."""
    content = {word.text.lower() for word in original.analysis.words if word.upos in CONTENT}
    present = set(_words(text))
    changed = {old: new for old, new in replaced.items() if present.issuperset(_words(new))}

    def renamed(part: str) -> str:
        for old, new in changed.items():
            part = f" {part} ".replace(f" {old} ", f" {new} ").strip()
        return part

    tuples = (tuple(map(renamed, each)) for each in original.tuples)
    return tuple(each for each in tuples if present.issuperset(content.intersection(_words(" ".join(each)))))


def _words(text: str) -> Sequence[str]:
    return [word.strip(".,;:!?\"'`()").lower() for word in text.split()]


def _folded(text: str) -> str:
    return "".join(letter for letter in text.lower() if letter.isalnum())
