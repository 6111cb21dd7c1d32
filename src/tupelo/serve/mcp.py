"""A server of the Model Context Protocol: tools with which an assistant uses a graph on its user's machine.

Standard input and output only; nothing is written, and nothing is sent anywhere else. Tools return what `to_dict()`
of the calls of `tupelo.Graph` returns.
"""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from threading import Lock
from typing import Annotated, Any, BinaryIO, ParamSpec

from tupelo.api.checking import Checker
from tupelo.api.graph import Graph
from tupelo.core import TupeloError
from tupelo.core.errors import needs_extra
from tupelo.core.version import __version__

with needs_extra("the server for assistants", "mcp"):
    from mcp.server import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
    from mcp_types import ToolAnnotations
    from pydantic import Field

Arguments = ParamSpec("Arguments")
Limit = Annotated[int, Field(ge=1, le=100, description="At most N answers.")]
Words = Annotated[str, Field(min_length=1, max_length=1000)]
# The longest text that is checked, in characters, and the passages that it is checked against.
_LONGEST = 20_000
_PASSAGES = 10
_INSTRUCTIONS = """\
A knowledge graph built from the documents of {name}: entities, what sentences say between them, and the sentences.
Use ask or retrieve for a question, search for words, neighbours for what is said of one entity, and check before you
state something about these documents. Every answer names its sources; cite them.
"""


def make_server(graph: Graph) -> MCPServer:
    """The server with its tools, all of them read-only."""
    name = Path(graph.file).stem
    server: MCPServer = MCPServer("tupelo", version=__version__, instructions=_INSTRUCTIONS.format(name=name))
    checker = Checker()
    # One request at a time: indexes and models are loaded by the first that needs them.
    alone = Lock()

    def tool(work: Callable[Arguments, dict[str, Any]]) -> None:
        @wraps(work)
        def called(*arguments: Arguments.args, **options: Arguments.kwargs) -> dict[str, Any]:
            try:
                with alone:
                    return work(*arguments, **options)
            except TupeloError as error:
                raise ToolError(str(error)) from error

        server.add_tool(called, annotations=ToolAnnotations(read_only_hint=True, open_world_hint=False))

    def search(words: Words, limit: Limit = 10) -> dict[str, Any]:
        """Sentences with any of the words, best first; found* matches a prefix, "in quotes" a phrase."""
        return graph.search(words, limit=limit).to_dict()

    def entities(name: Words, limit: Limit = 10) -> dict[str, Any]:
        """Entities whose name contains the text: how the graph spells a name that other tools need."""
        return {"entities": [node.to_dict() for node in graph.entities(name, limit=limit)]}

    def neighbours(name: Words, depth: Annotated[int, Field(ge=1, le=3)] = 1, limit: Limit = 20) -> dict[str, Any]:
        """Statements about an entity and, with more depth, about its neighbours, with a sentence for each."""
        return graph.neighbours(name, depth, evidence=1, limit=limit).to_dict()

    def retrieve(question: Words, top: Annotated[int, Field(ge=1, le=50)] = 5) -> dict[str, Any]:
        """Passages that help to answer a question, best first, each with the path of facts that leads to it."""
        return graph.retrieve(question, limit=top, evidence=1).to_dict()

    def ask(question: Words) -> dict[str, Any]:
        """Answers to a question in plain English, each with the sentences that state it; or the closest passages."""
        return graph.ask(question).to_dict()

    def check(
        text: Annotated[str, Field(min_length=1, max_length=_LONGEST)],
        source: Annotated[str, Field(description="What to check against, instead of the graph.")] = "",
    ) -> dict[str, Any]:
        """Check a text claim by claim against passages of the documents: supported, refuted or unverifiable."""
        passages = [] if source else list(graph.retrieve(text, limit=_PASSAGES))
        checked = checker(text, source or [passage.text for passage in passages])
        return {**checked.to_dict(), "sources": [passage.source for passage in passages]}

    for work in (search, entities, neighbours, retrieve, ask, check):
        tool(work)
    return server


def serve_mcp(graph: str | os.PathLike[str]) -> None:
    """Serve the tools over standard input and output until the client goes."""
    given = sys.stdin
    sys.stdin = io.TextIOWrapper(io.BufferedReader(WholeCharacters(given.buffer)), encoding="utf-8", errors="replace")
    try:
        with Graph.open(graph) as opened:
            make_server(opened).run("stdio")
    finally:
        sys.stdin = given


# A surrogate pair, half of one, or another escape of JSON.
_ESCAPE = re.compile(rb"\\u[dD][89abAB]..\\u[dD][c-fC-F]..|(?P<half>\\u[dD][89a-fA-F]..)|\\.", re.DOTALL)


class WholeCharacters(io.RawIOBase):
    """Lines of JSON in which half a surrogate pair is a replacement character; else they would get no reply."""

    def __init__(self, lines: BinaryIO) -> None:
        self._lines, self._rest = lines, b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not self._rest:
            line = self._lines.readline()
            self._rest = _ESCAPE.sub(lambda found: rb"\ufffd" if found["half"] else found[0], line)
        size = min(len(buffer), len(self._rest))
        buffer[:size], self._rest = self._rest[:size], self._rest[size:]
        return size
