"""Any program as an extractor: it reads one sentence per line and writes tuples in one of our formats.

The program is started once per block of sentences. It may answer in any order and skip sentences; tuples are matched
to their sentence by its letters and digits, or by its number if the format does not include the sentence.
"""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from tupelo.core import Analysis, Extraction, InputError, Record
from tupelo.core.protocols import Services
from tupelo.core.spec import number, require_known, whole_number
from tupelo.core.version import __version__
from tupelo.extract import extractor_part
from tupelo.extract.parts import locate, sentence_of

# The lines of an answer and their source -> its records.
Read = Callable[[Iterable[str], str], Iterator[Record]]

_SENTENCES_PER_BLOCK = 10_000
_LONGEST_COMPLAINT = 300


class CommandExtractor:
    """Pipes sentences through a program. Parts of its tuples get spans where their words occur in the sentence."""

    needs: frozenset[str] = frozenset()

    def __init__(
        self, command: Sequence[str], read: Read, *, block: int = _SENTENCES_PER_BLOCK, timeout: float | None = None
    ) -> None:
        self._command = list(command)
        self._read = read
        self._block = block
        self._timeout = timeout
        self.name = self._command[0] if command else "command"
        self.version = __version__

    def extract(self, analyses: Iterable[Analysis]) -> Iterator[list[Extraction]]:
        stream = iter(analyses)
        while block := list(islice(stream, self._block)):
            yield from self._run_block(block)

    def _run_block(self, block: Sequence[Analysis]) -> Iterator[list[Extraction]]:
        lines = [" ".join(analysis.text.split()) for analysis in block]
        # Repeated sentences are sent only once.
        asked = [line for line in dict.fromkeys(lines) if _key(line)]
        answers: dict[str, list[Extraction]] = {}
        if asked:
            places = {_key(line): _key(line) for line in asked}
            places |= {f"#{position}": _key(line) for position, line in enumerate(asked, start=1)}
            for record in self._read(self._run(asked), f"output of {self.name}"):
                key = self._place(record, places)
                if isinstance(record, Extraction):
                    answers.setdefault(key, []).append(record)
        for analysis, line in zip(block, lines, strict=True):
            yield [self._located(analysis, item) for item in answers.get(_key(line), ())]

    def _place(self, record: Record, places: Mapping[str, str]) -> str:
        sentence = record.sentence
        key = _key(sentence.text) or f"#{sentence.id}"
        if key not in places:
            shown = sentence.text if sentence.text.strip() else f"number {sentence.id}"
            raise InputError(f"{self.name} answered about a sentence that it was not given: {shown[:80]!r}")
        return places[key]

    def _located(self, analysis: Analysis, item: Extraction) -> Extraction:
        return replace(
            item,
            sentence=sentence_of(analysis),
            rel=locate(analysis, item.rel),
            arg1=None if item.arg1 is None else locate(analysis, item.arg1),
            args=tuple(locate(analysis, argument) for argument in item.args),
            extractor=item.extractor or self.name,
        )

    def _run(self, lines: Sequence[str]) -> list[str]:
        text = "\n".join(lines) + "\n"
        try:
            done = subprocess.run(
                self._command,
                input=text.encode("utf-8", "replace"),
                capture_output=True,
                timeout=self._timeout,
                check=False,
            )
        except OSError as error:
            raise InputError(f"{self.name}: {error.strerror or error}, expected a program that can be run") from error
        except subprocess.TimeoutExpired as error:
            raise InputError(
                f"{self.name} took longer than {self._timeout:g} seconds for {len(lines)} sentence(s)"
            ) from error
        if done.returncode != 0:
            said = done.stderr.decode("utf-8", "replace").strip().splitlines()
            reason = f": {said[-1][:_LONGEST_COMPLAINT]}" if said else ""
            raise InputError(f"{self.name} ended with status {done.returncode}{reason}")
        try:
            return done.stdout.decode("utf-8").splitlines()
        except UnicodeDecodeError as error:
            raise InputError(
                f"output of {self.name}: byte {error.start + 1} is not UTF-8, expected UTF-8 text"
            ) from error


@extractor_part("command:PROGRAM, any program that reads sentences and writes tuples", needs_client=True)
def command_extractor(argument: str, settings: Mapping[str, str], services: Services | None) -> CommandExtractor:
    """`command:PROGRAM ARGUMENTS`, quoted as in a shell. Settings: `format`, `block`, `timeout`."""
    require_known(settings, ("format", "block", "timeout"), "command")
    try:
        command = shlex.split(argument)
    except ValueError as error:
        raise InputError(f"'command:{argument}': {error}, expected a program and its arguments") from error
    if not command:
        raise InputError("'command' names no program, expected command:PROGRAM")
    if services is None:
        raise InputError(
            "the extractor 'command' needs the tuple formats: load(…, services=tupelo.io.services.LocalServices(…))"
        )
    reader, format_name = services, settings.get("format", "tab")
    return CommandExtractor(
        command,
        lambda lines, source: reader.read(lines, format_name, source),
        block=whole_number(settings, "block", _SENTENCES_PER_BLOCK, 1),
        timeout=number(settings, "timeout", 0.0) or None,
    )


def _key(text: str) -> str:
    """The characters of a sentence that survive any spacing, quoting or escaping."""
    for escaped in ("-LRB-", "-RRB-", "-LSB-", "-RSB-", "-LCB-", "-RCB-"):
        text = text.replace(escaped, "")
    kept = "".join(character for character in text if character.isalnum())
    return kept.casefold() or "".join(text.split())
