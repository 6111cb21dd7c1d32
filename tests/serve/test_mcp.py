"""Tools for assistants, called by the protocol's own client: in this process, and over standard input and output."""

from __future__ import annotations

import io
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

import tupelo
from tests.extras import needs

# Imported by what uses it: every process that collects tests would take a second.
pytestmark = [pytest.mark.model, needs("mcp", "mcp")]


def run(use, *arguments):
    """In a thread of its own: a browser of other tests may have a loop in this one."""
    import anyio

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(anyio.run, use, *arguments).result()


@pytest.fixture(scope="module")
def kg(tmp_path_factory):
    path = tmp_path_factory.mktemp("mcp") / "kg.duckdb"
    tupelo.Graph.build({"a": "Ann Lee founded Acme in Oslo in 1998."}, path).close()
    return path


def test_tools_return_what_the_library_returns_and_change_nothing(kg):
    from mcp.client import Client

    from tupelo.serve.mcp import make_server

    async def use(graph):
        async with Client(make_server(graph)) as client:
            tools = (await client.list_tools()).tools
            assert [tool.name for tool in tools] == ["search", "entities", "neighbours", "retrieve", "ask", "check"]
            assert all(tool.annotations.read_only_hint and tool.description for tool in tools)
            called = await client.call_tool("neighbours", {"name": "Acme"})
            assert called.structured_content == graph.neighbours("Acme", evidence=1, limit=20).to_dict()
            called = await client.call_tool("retrieve", {"question": "Who founded Acme?"})
            assert called.structured_content == graph.retrieve("Who founded Acme?", evidence=1).to_dict()
            called = await client.call_tool("ask", {"question": "Who founded Acme?"})
            assert called.structured_content == graph.ask("Who founded Acme?").to_dict()
            called = await client.call_tool("search", {"words": "Acme"})
            assert called.structured_content["answers"][0]["source"] == "a"
            called = await client.call_tool("entities", {"name": "acm"})
            assert [node["name"] for node in called.structured_content["entities"]] == ["Acme"]
            called = await client.call_tool("check", {"text": "Ann Lee founded Acme in 1999."})
            assert called.structured_content["refuted"] == 1
            assert called.structured_content["sources"] == ["a"]
            for name, wrong in (("neighbours", {"name": "Nobody"}), ("retrieve", {"question": "who", "top": 0})):
                assert (await client.call_tool(name, wrong)).is_error

    before = kg.read_bytes()
    with tupelo.Graph.open(kg) as graph:
        run(use, graph)
    assert kg.read_bytes() == before


@pytest.mark.process
def test_the_command_talks_over_standard_input_and_output(kg):
    from mcp.client import Client
    from mcp.client.stdio import StdioServerParameters, stdio_client

    async def use():
        server = StdioServerParameters(command=sys.executable, args=["-m", "tupelo", "mcp", str(kg)])
        async with Client(stdio_client(server)) as client:
            return await client.call_tool("search", {"words": "Oslo"})

    found = run(use)
    assert found.structured_content["answers"][0]["sentence"] == "Ann Lee founded Acme in Oslo in 1998."


def test_half_a_surrogate_pair_gets_a_reply_too():
    from tupelo.serve.mcp import WholeCharacters

    lines = rb'{"a": "\ud800", "b": "\ud83d\ude00", "c": "\\ud800", "d": "\udc00!"}' + b"\n{}\n"
    read = io.BufferedReader(WholeCharacters(io.BytesIO(lines))).read()
    assert read == rb'{"a": "\ufffd", "b": "\ud83d\ude00", "c": "\\ud800", "d": "\ufffd!"}' + b"\n{}\n"
