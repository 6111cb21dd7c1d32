"""Resources that several parts of the library use, opened when they are needed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from tupelo.core.canonical import SLOTS, normal_form
from tupelo.core.parameters import EngineName, PathLike, Work
from tupelo.engine.local import LocalEngine
from tupelo.engine.partition import finished_table
from tupelo.io.assertions import read_rows
from tupelo.io.clusters import read_paraphrase_clusters
from tupelo.io.files import STANDARD_STREAM, InputFile
from tupelo.io.workspace import open_workspace
from tupelo.relations.rules import RelationRule, RuleOptions, rule_steps

if TYPE_CHECKING:
    from tupelo.canon.methods import Mentions
    from tupelo.checking.network import SupportNetwork
    from tupelo.core.protocols import Engine
    from tupelo.core.wordnet import WordNet
    from tupelo.io.workspace import FolderWorkspace


# Memory of DuckDB for rules; joins that need more use a temporary folder.
_MEMORY = "2GB"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """Engine and folder of a long job. Finished parts are kept, from which the same call resumes."""

    engine: EngineName = "local"
    workers: Annotated[int | None, "Processes of the local engine. [default: one per core]"] = None
    work: Work = None
    keep_work: Annotated[bool, "Do not remove that folder when the work is done."] = False


@contextmanager
def open_engine(name: str, workspace: FolderWorkspace, workers: int | None, memory: str = "2GB") -> Iterator[Engine]:
    """An engine, by default with a worker for each core, over a workspace that it clears of unfinished work.

    `memory` is that of DuckDB in the local engine.
    """
    from tupelo import engine
    from tupelo.nlp.pipeline import available_cores

    workspace.sweep()
    opened = engine.open_engine(name, workspace, workers=workers or available_cores(), memory=memory)
    try:
        yield opened
    finally:
        opened.close()


def open_support() -> SupportNetwork:
    """The shipped network that reads whether a text supports a claim."""
    from tupelo.checking.network import load_network

    return load_network()


def open_wordnet(folder: PathLike | None = None) -> WordNet:
    """WordNet from a folder, or from its usual places if that is empty."""
    from tupelo.io import wordnet

    return wordnet.open_wordnet(folder)


def read_paraphrases(path: PathLike) -> dict[str, str]:
    """PPDB's clusters: every phrase with the head of its own."""
    with InputFile(path) as file:
        return read_paraphrase_clusters(file.lines())


def rules_of_mentions(mentions: Mentions, options: RuleOptions | None = None) -> list[RelationRule]:
    """Rules between relations in their normal forms."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    facts = {tuple(normal_form(mention.phrase(slot).text) for slot in SLOTS) for mention in mentions}
    with open_workspace(None, STANDARD_STREAM) as workspace:
        table = pa.Table.from_pylist(
            [dict(zip(SLOTS, fact, strict=True)) for fact in sorted(facts)],
            schema=pa.schema([(slot, pa.string()) for slot in SLOTS]),
        )
        with workspace.draft("steps", "facts") as draft:
            pq.write_table(table, draft.path)
            draft.about |= {"step": "facts", "rows": table.num_rows}
        engine = LocalEngine(workspace, memory=_MEMORY)
        found = engine.query(
            rule_steps(options or RuleOptions()), {"facts": finished_table(workspace, "facts")}, ["rules"]
        )
        return [RelationRule.of_row(row) for row in read_rows(found["rules"])]
