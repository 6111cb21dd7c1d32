"""Resources that several parts of the library use, opened when they are needed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tupelo.io.files import InputFile

if TYPE_CHECKING:
    from tupelo.core.protocols import Engine, SupportReader
    from tupelo.core.wordnet import WordNet
    from tupelo.io.workspace import FolderWorkspace


@contextmanager
def open_engine(name: str, workspace: FolderWorkspace, workers: int | None) -> Iterator[Engine]:
    """An engine, by default with a worker for each core, over a workspace that it clears of unfinished work."""
    from tupelo import engine
    from tupelo.nlp.pipeline import available_cores

    workspace.sweep()
    opened = engine.open_engine(name, workspace, workers=workers or available_cores())
    try:
        yield opened
    finally:
        opened.close()


def open_support() -> SupportReader:
    """The shipped network that reads whether a text supports a claim."""
    from tupelo.checking.network import load_network

    return load_network()


def open_wordnet(folder: str | os.PathLike[str] | None = None) -> WordNet:
    """WordNet from a folder, or from its usual places if that is empty."""
    from tupelo.io import wordnet

    return wordnet.open_wordnet(folder)


def read_paraphrases(path: str | os.PathLike[str]) -> dict[str, str]:
    """PPDB's clusters: every phrase with the head of its own."""
    from tupelo.io.clusters import read_paraphrase_clusters

    with InputFile(path) as file:
        return read_paraphrase_clusters(file.lines())
