"""Notes on the parameters of a call that commands, and other skins, can offer.

A parameter whose type is `Annotated` with its help is an option of the command that makes the call:

    def mine_rules(triples: Triples, *, atoms: Annotated[int, Between(1, 2), "The longest body."] = 2) -> Rules:

Name, type and default come from the signature. What a type does not say is in further notes: a range, the allowed
values, what is read or written under a path, another name of the option. Where two notes of one kind meet, the last
one holds, so that a shared type can get its own help: `Annotated[Seed, "For the choice of negative examples."]`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Literal

from tupelo.core.errors import OnError
from tupelo.core.limits import Limits, LimitsGiven


@dataclass(frozen=True, slots=True)
class Between:
    """A number in a range; `None` is no bound. The lower bound itself is excluded if `above`."""

    low: float | None = None
    high: float | None = None
    above: bool = False


@dataclass(frozen=True, slots=True)
class Among:
    """One of these values. A function returns them when they are asked for."""

    values: Sequence[str] | Callable[[], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Spelled:
    """Names of the option, where they are not the name of the parameter, and the name of its value in the help."""

    options: tuple[str, ...] = ()
    value: str | None = None

    @classmethod
    def of(cls, *words: str) -> Spelled:
        """`--` words are names of the option, another one names the value.

        >>> Spelled.of("--json").options, Spelled.of("FMT").value
        (('--json',), 'FMT')
        """
        value = next((word for word in words if not word.startswith("-")), None)
        return cls(tuple(word for word in words if word.startswith("-")), value)


@dataclass(frozen=True, slots=True)
class Environment:
    """The variable of the environment that a value comes from if it is not given."""

    variable: str


class At(Enum):
    """The use of a path: a file or folder to read, a file to write, a folder to fill, or either to write."""

    INPUT = "input"
    OUTPUT = "output"
    FOLDER = "folder"
    PLACE = "place"


PathLike = str | os.PathLike[str]
Input = Annotated[PathLike, At.INPUT]
Output = Annotated[PathLike, At.OUTPUT, Spelled.of("FILE"), "Where to write. [default: standard output]"]
Folder = Annotated[PathLike, At.FOLDER, Spelled.of("FOLDER")]
Count = Annotated[int, Between(1)]
Whole = Annotated[int, Between(0)]
Share = Annotated[float, Between(0, 1)]
Seed = Annotated[int, Between(0), "Same seed, same result."]

Format = Annotated[str, Spelled.of("FMT"), "Format of the input; `tupelo formats` lists them."]
ParserName = Annotated[
    str, Spelled.of("NAME"), "The shipped model, or model:FOLDER, spacy:MODEL, stanza:LANGUAGE, conllu."
]
ExtractorName = Annotated[str, Spelled.of("NAME"), "default, rules or another one of `tupelo extract --list`."]
EngineName = Annotated[
    str, Spelled.of("NAME"), "local, or a Spark master such as spark://HOST:7077, local[2] or yarn."
]
Workers = Annotated[int, Between(1), Spelled.of("--workers", "N"), "Processes to work in."]
Work = Annotated[
    PathLike | None,
    At.FOLDER,
    Spelled.of("FOLDER"),
    "Where finished parts are kept; the same call resumes. [default: beside the output, removed at the end]",
]
Threads = Annotated[int | None, Between(1), "Threads of each process. [default: all cores; 1 in a pool]"]
BatchSize = Annotated[int, Between(1), "Sentences per batch."]
Device = Annotated[str, "cpu, cuda, or auto: a GPU where there is one."]
Lines = Annotated[bool, "Every line is one sentence."]
Pretokenized = Annotated[bool, "Every line is one sentence, its words separated by single spaces."]
Skipping = Annotated[OnError, "What to do with a faulty line: stop, or skip it and list it on standard error."]
Coreference = Annotated[bool, Spelled.of("--no-coref"), "Leave pronouns and short names unresolved."]
MinConfidence = Annotated[float, Between(0, 1), Spelled.of("C"), "Only edges with at least this confidence."]
MinRank = Annotated[
    float, Between(0, 1), Spelled.of("R"), "Only edges of at least this rank; 0.5: worth reading by themselves."
]
WalkRank = Annotated[
    float | None, Between(0, 1), Spelled.of("R"), "Follow only edges of at least this rank; by default 0.5."
]
About = Annotated[
    Literal["names", "all"], "Statements about things with names only, or about described things and concepts, too."
]
Host = Annotated[str, "The address to listen on."]
Port = Annotated[int, Between(0, 65535), "0 takes a free one."]
AllowedHosts = Annotated[Iterable[str], Spelled.of("--allow-host", "NAME"), "Another name of this machine."]
Settings = Annotated[Mapping[str, str] | None, Spelled.of("--set", "NAME=VALUE")]
Fixes = Annotated[
    Sequence[str],
    Spelled.of("--fix", "QUIRK"),
    "Correct a defect of the original program; repeat, or 'all'. `--list-quirks` names them.",
]
SizeLimits = Annotated[
    LimitsGiven,
    Spelled.of("--max", "NAME=VALUE"),
    f"Change what is too large to be read, such as document=200MB: {', '.join(Limits.meanings())}. Repeat for more.",
]
