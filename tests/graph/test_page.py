"""The page of a graph in a real browser: search, click, expand, evidence; and a hostile corpus."""

from __future__ import annotations

import http.client
import re
import socket
from pathlib import Path
from threading import Thread

import pytest

from tests.browser import Watched
from tests.cli.runner import run
from tests.graph.small import Said, World, write_graph
from tupelo.api.graph import Graph
from tupelo.core import InputError
from tupelo.io.page_server import PageServer

ATTACK = "<script>window.hacked=1;alert('hacked')</script>"
IMAGE = '"><img src=x onerror="window.hacked=1">'
LINK = "javascript:window.hacked=1//"
BREAKOUT = "</script><svg onload=window.hacked=1>'\"]]>--><!--"
HOSTILE = World(
    [
        Said(ATTACK, IMAGE, LINK, f"{ATTACK} {IMAGE} {LINK}", f"{BREAKOUT}.html", time=BREAKOUT),
        Said(BREAKOUT, "a[href='javascript:alert(1)']", ATTACK, f"<b>bold</b> {BREAKOUT} ${{7*7}} {{{{7*7}}}}"),
        Said("\u2028\u2029\u0000\u202eevil", "__proto__", "constructor", "\u2028 </SCRIPT > <!--<script>"),
        Said("__proto__", "toString", "constructor", "& &lt; &#60; <style>*{display:none}</style>", "<i>x</i>"),
    ],
    types={ATTACK: IMAGE, LINK: "__proto__", BREAKOUT: "'; background: url(http://evil.example/)"},
)


@pytest.fixture
def watched(browser):
    page = Watched(browser)
    yield page
    page.close()


@pytest.fixture(scope="module")
def page_file(harbour, tmp_path_factory):
    return shown(harbour, tmp_path_factory.mktemp("page"))


def shown(graph: Path, folder: Path, *options: str) -> Path:
    from click.testing import CliRunner

    from tupelo.cli.graph_show import show

    path = folder / "graph.html"
    outcome = CliRunner().invoke(show, [str(graph), "-o", str(path), *options])
    assert outcome.exit_code == 0, outcome.output
    return path


class Serving:
    """A server in a thread of its own."""

    def __init__(self, graph: Path, start: str | None = None) -> None:
        self.graph = Graph.open(graph)
        self.server = self.graph.server(port=0, start=start or ())
        self.thread = Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02})

    def __enter__(self):
        self.thread.start()
        return self.server

    def __exit__(self, *_):
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()
        self.graph.close()


def counts(page) -> tuple[int, int]:
    found = re.findall(r"\d+", page.text_content("#counts"))
    return int(found[0]), int(found[1])


def test_search_click_and_evidence(watched, page_file):
    page = watched.open(page_file.as_uri())
    assert counts(page) == (9, 9)
    page.keyboard.press("/")
    page.keyboard.type("wats")
    page.wait_for_selector("#results li")
    assert page.text_content("#results li .name") == "Ann Watson"
    page.keyboard.press("Enter")
    page.wait_for_selector("#panel h2:has-text('Ann Watson')")
    page.click("#panel .edge:has-text('Lindvik Shipping')")
    page.wait_for_selector("#sentences blockquote")
    assert page.locator("#sentences blockquote").all_text_contents() == [
        "Ann Watson founded Lindvik Shipping in 1998.",
        "In 1998 the company was founded by Watson.",
    ]
    assert page.locator("#sentences li").first.locator("mark").all_text_contents() == [
        "Ann Watson",
        "founded",
        "Lindvik Shipping",
        "1998",
    ]
    assert "news.txt, sentence 1" in page.text_content("#sentences")
    assert "2 sentences" in page.text_content("#said")
    assert watched.trouble == []
    # Nothing but the file itself, and the worker and the icon that are inside it.
    assert [url for url in watched.requests if not url.startswith(("file:", "blob:", "data:"))] == []


def test_a_click_on_the_picture_chooses_a_node_and_an_edge(watched, page_file):
    page = watched.open(page_file.as_uri())
    page.fill("#search", "Skarholm")
    page.wait_for_selector("#results li")
    page.keyboard.press("Enter")
    page.wait_for_selector("#panel h2:has-text('Skarholm')")
    page.click("#panel .back")
    page.wait_for_selector("#panel h2:has-text('Entities')")
    # The node was brought to the middle of the picture.
    box = page.locator("#picture").bounding_box()
    page.wait_for_timeout(300)
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_selector("#panel h2:has-text('Skarholm')")
    page.mouse.click(box["x"] + 3, box["y"] + 3)
    page.wait_for_selector("#panel h2:has-text('Entities')")
    assert watched.trouble == []


def test_filters_by_type_confidence_and_stance(watched, page_file):
    page = watched.open(page_file.as_uri())
    page.click("#stances label:has-text('denied')")
    assert counts(page) == (9, 10)
    page.click("#types label:has-text('place')")
    assert counts(page) == (7, 6)
    page.click("#types label:has-text('place')")
    page.fill("#confidence", "0.85")
    page.wait_for_timeout(200)
    assert page.text_content("#least") == "0.85"
    assert counts(page)[1] == 6


def test_neighbours_appear_when_a_node_is_expanded(watched, harbour, tmp_path):
    page = watched.open(shown(harbour, tmp_path, "--start", "Ole Berg").as_uri())
    assert counts(page) == (3, 2)
    page.click("#panel .row:has-text('North Ferries')")
    page.click("#expand")
    page.wait_for_selector("#panel .edge:has-text('Skarholm')")
    assert counts(page)[0] == 5
    box = page.locator("#picture").bounding_box()
    watched.settle()
    page.click("#panel .back")
    page.click("#panel .row:has-text('Ann Watson')")
    page.wait_for_timeout(400)
    page.mouse.dblclick(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_selector("#panel .edge:has-text('Lindvik Shipping')")
    assert watched.trouble == []


def test_the_page_can_be_used_by_keyboard_and_is_labelled(watched, page_file):
    page = watched.open(page_file.as_uri())
    page.focus("#panel button.row")
    page.keyboard.press("Enter")
    page.wait_for_selector("#panel button.edge")
    page.focus("#panel button.edge")
    page.keyboard.press("Enter")
    page.wait_for_selector("#sentences blockquote")
    page.focus("#picture")
    for key in ("ArrowLeft", "+", "-", "0", "Escape"):
        page.keyboard.press(key)
    page.wait_for_selector("#panel h2:has-text('Entities')")
    for selector in ("#search", "#picture", "#results", "#panel"):
        assert page.get_attribute(selector, "aria-label")
    unnamed = page.evaluate(
        "[...document.querySelectorAll('button, input')]"
        ".filter(e => !(e.textContent || e.ariaLabel || e.labels?.length)).length"
    )
    assert unnamed == 0
    assert watched.trouble == []


@pytest.mark.parametrize("served", [False, True])
def test_a_hostile_corpus_stays_text(watched, tmp_path, served):
    graph = write_graph(tmp_path / "hostile.duckdb", HOSTILE)
    page = watched.page
    page.add_init_script(
        "document.addEventListener('securitypolicyviolation', e => (window.blocked ||= []).push(e.blockedURI))"
    )

    def look(address):
        watched.open(address)
        assert counts(page)[1] == 4
        for name in (ATTACK, BREAKOUT, LINK, "__proto__", "constructor"):
            page.fill("#search", name)
            page.wait_for_selector("#results li")
            page.keyboard.press("Enter")
            page.wait_for_selector("#panel button.edge")
            assert name in page.text_content("#panel h2")
            page.click("#panel button.edge")
            page.wait_for_selector("#sentences blockquote")
        page.click("#panel .back")
        everything = page.text_content("#types") + page.text_content("#panel")
        assert "__proto__" in everything
        assert page.evaluate("window.hacked") is None
        assert page.evaluate("window.blocked") is None
        inside = "#panel script, #panel img, #panel a, #panel b, #panel i, #panel style, #panel svg, #types img, h1 *"
        assert page.locator(inside).count() == 0
        assert page.locator("script").count() == 2

    if served:
        with Serving(graph) as server:
            look(server.address)
            assert all(url.startswith((server.address, "blob:", "data:")) for url in watched.requests)
    else:
        look(shown(graph, tmp_path, "--title", ATTACK).as_uri())
        assert page.title() == ATTACK
        assert all(url.startswith(("file:", "blob:", "data:")) for url in watched.requests)
    assert watched.trouble == []


def test_the_served_page_loads_what_is_asked_for(watched, harbour):
    with Serving(harbour, "Ole Berg") as server:
        page = watched.open(server.address)
        assert counts(page) == (3, 2)
        page.fill("#search", "skar")
        page.wait_for_selector("#results li")
        page.keyboard.press("Enter")
        page.wait_for_selector("#panel h2:has-text('Skarholm')")
        page.click("#stances label:has-text('denied')")
        page.click("#panel .edge")
        page.wait_for_selector("#sentences blockquote:has-text('Skarholm')")
    assert watched.trouble == []


def request(server, method="GET", path="/", **headers):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    connection.request(method, path, headers=headers)
    reply = connection.getresponse()
    body = reply.read()
    connection.close()
    return reply, body


def test_the_server_answers_known_paths_by_get_and_nothing_else(harbour):
    with Serving(harbour) as server:
        reply, body = request(server)
        assert (reply.status, body[:15]) == (200, b"<!doctype html>")
        policy = reply.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert reply.headers["X-Content-Type-Options"] == "nosniff"
        assert request(server, "HEAD")[1] == b""
        for path in ("/../../etc/passwd", "/api", "/kg.duckdb", "//x", "/api/sql?q=1"):
            assert request(server, path=path)[0].status == 404
        for method in ("POST", "PUT", "DELETE", "OPTIONS"):
            assert request(server, method)[0].status == 405
        assert request(server, path="/api/neighbours?id=x&offset=-1")[0].status == 400
        assert request(server, path="/api/neighbours?id=%27%20OR%201=1--")[1] == b'{"nodes":[],"edges":[]}'
        assert request(server, path="/api/search?q=" + "x" * 5000)[0].status == 414


@pytest.mark.parametrize("host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "", "[::1]"])
def test_a_request_under_another_name_is_refused(harbour, host):
    with Serving(harbour) as server:
        reply, body = request(server, Host=host.format(port=server.port))
        assert reply.status == 421
        assert b"Watson" not in body


def test_the_server_binds_to_loopback_unless_told_otherwise(harbour, capsys):
    with Serving(harbour) as server:
        assert server.server_address[0] == "127.0.0.1"
        assert server.is_loopback()
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(InputError, match="in use"):
            PageServer({}, port=port)
        outcome = run(capsys, "graph", "serve", harbour, "--port", port)
        assert (outcome.status, outcome.out) == (2, "")


def test_a_page_that_cannot_hold_everything_says_so(harbour, capsys, tmp_path):
    outcome = run(capsys, "graph", "show", harbour, "--limit", 3, "-o", tmp_path / "p.html")
    assert outcome.err == "3 of 10 edges are shown; tupelo graph serve opens all of them\n"
    assert run(capsys, "graph", "show", harbour, "--start", "Nobody").status == 2


def test_the_same_graph_gives_the_same_page(harbour, tmp_path, page_file):
    assert shown(harbour, tmp_path).read_bytes() == page_file.read_bytes()
    assert "http" not in re.sub(r'http-equiv="[^"]*"', "", page_file.read_text("utf-8"))
