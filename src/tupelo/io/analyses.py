"""Files of analysed sentences in every format that is known for them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from tupelo.core import Analysis, Constituent, Entity, Mention, Word
from tupelo.core.analysis import WORD_FIELDS
from tupelo.core.errors import require_name
from tupelo.io import brackets, conll, conllu
from tupelo.io.files import InputFile, open_output
from tupelo.io.json_items import json_value
from tupelo.io.lines import Fault, Lines

_EXPECTED = 'an object with "text" and "words"'


def write_jsonl(analyses: Iterable[Analysis]) -> Iterator[str]:
    for analysis in analyses:
        yield json.dumps(analysis.to_dict(), ensure_ascii=False, separators=(",", ":")) + "\n"


def read_jsonl(lines: Lines) -> Iterator[Analysis]:
    return lines.values(lines.filled(), _parse)


def _parse(line: str) -> Analysis:
    try:
        return row_to_analysis(json_value(line, _EXPECTED))
    except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        raise Fault(f"no analysis ({type(error).__name__}: {error})", _EXPECTED) from error


def row_to_analysis(row: dict[str, Any]) -> Analysis:
    """The opposite of `Analysis.to_dict`."""
    entities, constituents, mentions = row.get("entities"), row.get("constituents"), row.get("mentions")
    return Analysis(
        text=row["text"],
        words=tuple(Word(**{name: word.get(name) for name in WORD_FIELDS}) for word in row["words"]),
        start=row.get("start", 0),
        constituents=None if constituents is None else tuple(Constituent(*part) for part in constituents),
        entities=None if entities is None else tuple(Entity(e["label"], e["start"], e["end"]) for e in entities),
        contractions=tuple((start, end) for start, end in row.get("contractions", ())),
        id=row.get("id"),
        document_id=row.get("document_id"),
        mentions=None if mentions is None else tuple(_mention(mention, len(row["words"])) for mention in mentions),
    )


def _mention(row: dict[str, Any], size: int) -> Mention:
    mention = Mention(row["entity"], row["start"], row["end"], row["head"], row["label"])
    if not 0 <= mention.start <= mention.head < mention.end <= size:
        raise ValueError(f"mention [{mention.start}, {mention.end}) with head {mention.head} in {size} words")
    return mention


@dataclass(frozen=True, slots=True)
class AnalysisFormat:
    """`has_constituents` says whether trees of phrases have a place in the format."""

    title: str
    read: Callable[[Lines], Iterator[Analysis]]
    write: Callable[[Iterable[Analysis]], Iterator[str]]
    has_constituents: bool


ANALYSIS_FORMATS = {
    "conllu": AnalysisFormat(
        "CoNLL-U: tags, features, dependencies, entities, mentions", conllu.read, conllu.write, False
    ),
    "conll": AnalysisFormat("CoNLL-2012: words and mentions, document by document", conll.read, conll.write, False),
    "brackets": AnalysisFormat("bracketed trees, one a line", brackets.read, brackets.write, True),
    "jsonl": AnalysisFormat("JSON Lines: everything", read_jsonl, write_jsonl, True),
}


def analysis_format(name: str) -> AnalysisFormat:
    """The format of that name."""
    require_name("format for analyses", name, ANALYSIS_FORMATS)
    return ANALYSIS_FORMATS[name]


def detect_format(file: InputFile) -> str:
    """The name of the format that a file begins like."""
    head = file.head()
    begins = {"{": "jsonl", "(": "brackets", "#begin document": "conll"}
    return next((name for mark, name in begins.items() if head.startswith(mark)), "conllu")


def read_analyses(name: str | os.PathLike[str], format_name: str = "conllu") -> list[Analysis]:
    """All sentences of a file; `-` is standard input, gzip is recognised by its content."""
    with InputFile(name) as file:
        return list(analysis_format(format_name).read(file.lines()))


def write_analyses(name: str | os.PathLike[str], analyses: Iterable[Analysis], format_name: str) -> None:
    """Write sentences as they come; the file appears only when all could be written."""
    with open_output(name) as stream:
        for text in analysis_format(format_name).write(analyses):
            stream.write(text.encode("utf-8"))


# Both sides of a line of a parallel corpus of paraphrases.
AnalysisPair = tuple[Analysis, Analysis]


def parallel_pairs(lines: Lines, analyze: Callable[[Iterable[str]], Iterable[Analysis]]) -> Iterator[AnalysisPair]:
    """Both sides of each line with their trees; sentences are parsed, trees are taken as they are."""
    sentences: list[str] = []
    trees: list[Analysis] = []
    for number, line in lines:
        fields = line.split("\t")
        if len(fields) != 2 or not all(field.strip() for field in fields):
            lines.fault(number, f"{len(fields)} field(s)", "a sentence, a tab and its paraphrase")
            continue
        if all(field.lstrip().startswith("(") for field in fields):
            pair = [tree for field in fields for tree in _tree(lines, number, field)]
            if len(pair) != 2:
                lines.fault(number, f"{len(pair)} tree(s)", "one tree before the tab and one behind it")
                continue
            trees.extend(pair)
        else:
            sentences.extend(field.strip() for field in fields)
    both = [*trees, *analyze(sentences)]
    yield from zip(both[::2], both[1::2], strict=True)


def _tree(lines: Lines, number: int, text: str) -> list[Analysis]:
    """The trees of one field; a fault in it is reported with the line of the corpus."""
    faults: list[tuple[str, str]] = []
    found = list(
        brackets.read(Lines([text], lines.source, lambda error: faults.append((error.found, error.expected))))
    )
    for what, expected in faults[:1]:
        lines.fault(number, what, expected)
    return found


def read_parallel(
    name: str | os.PathLike[str], analyze: Callable[[Iterable[str]], Iterable[Analysis]]
) -> list[AnalysisPair]:
    """A whole corpus; `-` is standard input, gzip is recognised by its content."""
    with InputFile(name) as file:
        return list(parallel_pairs(file.lines(), analyze))
