"""Files of analysed sentences in every format that is known for them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from tupelo.core import Analysis
from tupelo.core.errors import UnknownNameError
from tupelo.io import analysis_json, brackets, conllu
from tupelo.io.files import InputFile, open_output
from tupelo.io.lines import Lines


@dataclass(frozen=True, slots=True)
class AnalysisFormat:
    """`has_constituents` says whether trees of phrases have a place in the format."""

    title: str
    read: Callable[[Lines], Iterator[Analysis]]
    write: Callable[[Iterable[Analysis]], Iterator[str]]
    has_constituents: bool


ANALYSIS_FORMATS = {
    "conllu": AnalysisFormat("CoNLL-U: tags, features, dependencies, entities", conllu.read, conllu.write, False),
    "brackets": AnalysisFormat("bracketed trees, one a line", brackets.read, brackets.write, True),
    "jsonl": AnalysisFormat("JSON Lines: everything", analysis_json.read, analysis_json.write, True),
}


def analysis_format(name: str) -> AnalysisFormat:
    """The format of that name."""
    if name not in ANALYSIS_FORMATS:
        raise UnknownNameError.among("format for analyses", name, ANALYSIS_FORMATS)
    return ANALYSIS_FORMATS[name]


def read_analyses(name: str | os.PathLike[str], format_name: str = "conllu") -> list[Analysis]:
    """All sentences of a file; `-` is standard input, gzip is told by its content."""
    with InputFile(name) as file:
        return list(analysis_format(format_name).read(file.lines()))


def write_analyses(name: str | os.PathLike[str], analyses: Iterable[Analysis], format_name: str) -> None:
    """Write sentences as they come; the file appears only when all could be written."""
    with open_output(name) as stream:
        for text in analysis_format(format_name).write(analyses):
            stream.write(text.encode("utf-8"))
