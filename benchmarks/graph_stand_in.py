"""Building graphs without a parser, to measure everything else: reading, rows, joins, aggregation, writing.

The stand-in makes more tuples of a sentence than the real extractors do on treebank text, with words of the sentence
as names and concepts, so that tables have at least their usual sizes.
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
from tupelo.extract.stages import statement_schema
from tupelo.graph.build.builder import BuildReport, Recipe, Resources, build
from tupelo.graph.store.file import create, open_for_update
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
        return statement_schema()

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        for batch in batches:
            rows = [row for passage in batch.to_pylist() for row in _rows(passage, self.tuples)]
            yield pa.RecordBatch.from_pylist(rows, schema=statement_schema())


def _rows(passage: Mapping[str, Any], most: int) -> list[dict[str, Any]]:
    seen: dict[str, int] = {}
    referents: dict[str, dict[str, Any]] = {}
    rows: list[dict[str, Any]] = []
    for found in _SENTENCE.finditer(passage["text"]):
        text = found.group()
        occurrence = seen[text] = seen.get(text, -1) + 1
        words = list(_WORD.finditer(text))
        starts = range(0, max(len(words) - 2, 0), 2)[:most]
        anchors: list[dict[str, Any]] = []
        for word in words[: 2 * most + 1 : 2]:
            anchors.append(_anchor(word, referents))
        rows.append(
            {
                "document_id": passage["document_id"],
                "passage": passage["number"],
                "start_at": passage["start_at"] + found.start(),
                "occurrence": occurrence,
                "text": text,
                "tuples": [_tuple(words[first : first + 3], first // 2) for first in starts],
                "anchors": anchors,
                "links": [_link(words[first + 1].group(), first // 2) for first in starts],
                "referents": [],
            }
        )
    if rows:
        rows[0]["referents"] = list(referents.values())
    return rows


def _anchor(word: re.Match[str], referents: dict[str, dict[str, Any]]) -> dict[str, Any]:
    text = word.group()
    kind = "entity" if text[0].isupper() else "concept"
    about = {"number": len(referents), "kind": kind, "name": text, "label": "other", "mentions": 0}
    naming = {"text": text, "mentions": 0, "reason": "same name", "probability": 1.0}
    referent = referents.setdefault(text, about | {"names": [naming], "descriptions": [], "context": []})
    for counted in (referent, referent["names"][0]):
        counted["mentions"] += 1
    return {
        **{"start": word.start(), "end": word.end(), "kind": kind, "label": "other", "text": text, "name": text},
        "referent": referent["number"],
    }


def _tuple(words: list[re.Match[str]], number: int) -> dict[str, Any]:
    parts = [{"text": word.group(), "spans": [{"start": word.start(), "end": word.end()}]} for word in words]
    about = {"confidence": 0.5, "negated": False, "stance": "asserted", "parts": [number, number + 1]}
    return {"arg1": parts[0], "rel": parts[1], "args": parts[2:], **about}


def _link(relation: str, number: int) -> dict[str, Any]:
    ends = {"tuple": number, "subject": number, "object": number + 1}
    return {**ends, "relation": relation, "key": relation.lower(), "confidence": 0.5, "beside": []}


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
                Resources(engine=open_engine("local", workspace), now=lambda: datetime(2000, 1, 1)),
                keep_others=False,
            )
    workspace.remove()
    return report
