"""Building graphs without a parser, to measure everything else: reading, rows, joins, aggregation, writing.

The stand-in makes as many tuples of a sentence as the real extractors do on treebank text (about six), with words of
the sentence as arguments, so that tables have their usual sizes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tupelo.core.document import passage_schema
from tupelo.engine import open_engine
from tupelo.extract.stages import tuple_schema
from tupelo.graph.build import BuildReport, Recipe, build
from tupelo.graph.store import create, open_for_update
from tupelo.io.documents.find import find_documents
from tupelo.io.documents.stage import DocumentFiles, ReadDocuments
from tupelo.io.workspace import FolderWorkspace, replacement, work_folder

if TYPE_CHECKING:
    import pyarrow as pa

_SENTENCE = re.compile(r"\S.*?[.!?](?=\s|$)|\S.+?$", re.DOTALL)
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class StandIn:
    """A stage with the schemas of the real one."""

    name: str = "stand-in"
    version: str = "1"
    key: str = "source"
    tuples: int = 6

    @property
    def options(self) -> Mapping[str, Any]:
        return {"tuples": self.tuples}

    @property
    def input(self) -> pa.Schema:
        return passage_schema()

    @property
    def output(self) -> pa.Schema:
        return tuple_schema()

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        for batch in batches:
            rows = [row for passage in batch.to_pylist() for row in _rows(passage, self.tuples)]
            yield pa.RecordBatch.from_pylist(rows, schema=tuple_schema())


def _rows(passage: Mapping[str, Any], most: int) -> Iterator[dict[str, Any]]:
    seen: dict[str, int] = {}
    for found in _SENTENCE.finditer(passage["text"]):
        text = found.group()
        occurrence = seen[text] = seen.get(text, -1) + 1
        words = list(_WORD.finditer(text))
        about = {
            "sentence": {"text": text, "document_id": passage["document_id"]},
            "passage": passage["number"],
            "start_at": passage["start_at"] + found.start(),
            "occurrence": occurrence,
        }
        starts = range(0, max(len(words) - 2, 0), 2)[:most]
        if not starts:
            yield about | {"position": 0}
        for position, first in enumerate(starts):
            parts = [
                {"text": word.group(), "spans": [{"start": word.start(), "end": word.end()}]}
                for word in words[first : first + 3]
            ]
            yield about | {
                "position": position,
                "arg1": parts[0],
                "rel": parts[1],
                "args": parts[2:],
                "confidence": 0.5,
                "negated": False,
                "lemmas": [words[first + place].group().lower() for place in (1, 0, 2)],
                "types": [None, None, None],
                "names": [None, None, None],
            }


def build_plainly(corpus: Path, graph: Path, tuples: int = 6) -> BuildReport:
    """What `tupelo graph build` does, with the stand-in."""
    recipe = Recipe(read=ReadDocuments(), extract=StandIn(tuples=tuples), extractor="stand-in 1")
    with replacement(graph) as draft:
        workspace = FolderWorkspace(work_folder(graph))
        store = open_for_update(draft.path) if draft.exists else create(draft.path)
        with store:
            report = build(
                store,
                DocumentFiles(find_documents([str(corpus)]).files),
                recipe,
                open_engine("local", workspace),
                workspace,
                keep_others=False,
                now=lambda: datetime(2000, 1, 1),
            )
    workspace.remove()
    return report
