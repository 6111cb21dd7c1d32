"""Services outside this process, for the extractors that need them: tuple formats, the parser, language models."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from tupelo.core import Analysis, InputError, Record
from tupelo.core.cache import cache_root
from tupelo.core.protocols import ChatOptions, Likeness
from tupelo.io.chat import ChatClient
from tupelo.io.formats import FORMATS, BinaryFormat
from tupelo.io.lines import Lines
from tupelo.io.tuples import read_records

KEY_VARIABLE = "OPENAI_API_KEY"
BASE_URL_VARIABLE = "OPENAI_BASE_URL"
NO_CACHE = "off"


class LocalServices:
    """Implements `tupelo.core.protocols.Services`. The environment is read here and nowhere else."""

    def __init__(
        self,
        environment: Mapping[str, str],
        analyze: Callable[[Iterable[str]], Iterator[Analysis]] | None = None,
    ) -> None:
        self._environment = environment
        self._analyze = analyze
        self._measure: Callable[[str], Likeness] | None = None
        self._clients: list[ChatClient] = []
        self._notes: list[str] = []

    def compare_with(self, measure: Callable[[str], Likeness]) -> None:
        """Name where measures of syntax come from."""
        self._measure = measure

    def read(self, lines: Iterable[str], format_name: str, source: str) -> Iterator[Record]:
        chosen = FORMATS.get(format_name)
        if isinstance(chosen, BinaryFormat):
            raise InputError(f"{source}: {format_name} is no text format, expected one that is made of lines")
        return chosen.read(Lines(lines, source))

    def read_file(self, name: str, format_name: str) -> Iterable[Record]:
        return read_records(name, format_name)

    def analyze(self, sentences: Iterable[str]) -> Iterator[Analysis]:
        if self._analyze is None:
            raise InputError("no parser to analyse demonstrations with; choose them at random, or name a parser")
        return self._analyze(sentences)

    def likeness(self, name: str) -> Likeness:
        if self._measure is None:
            raise InputError(f"no measure '{name}' to choose demonstrations by; choose them at random")
        return self._measure(name)

    def chat(self, options: ChatOptions) -> ChatClient:
        base_url = options.base_url or self._environment.get(BASE_URL_VARIABLE) or None
        client = ChatClient(
            replace(options, base_url=base_url),
            key=self._environment.get(KEY_VARIABLE) or None,
            memory=None if options.cache == NO_CACHE else self._memory_folder(options.cache),
        )
        self._clients.append(client)
        return client

    def note(self, message: str) -> None:
        self._notes.append(message)

    def report(self) -> list[str]:
        """Messages for the end of the work: notes, and the usage of language models."""
        return [*self._notes, *(client.usage.line(client.options) for client in self._clients)]

    def close(self) -> None:
        """Close all connections."""
        for client in self._clients:
            client.close()

    def _memory_folder(self, named: str | None) -> Path:
        if named:
            return Path(named)
        return cache_root(self._environment) / "llm"
