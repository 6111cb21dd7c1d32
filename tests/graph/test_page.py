"""The page of a graph in a real browser: search, click, expand, evidence; and a hostile corpus."""

from __future__ import annotations

import http.client
import re
import socket
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import Any

import pytest

from tests.browser import Watched, becomes, expect, faults
from tests.cli.runner import run
from tests.graph.small import Said, World, write_graph
from tupelo.api.graph import Graph
from tupelo.core import InputError
from tupelo.core.document import Document

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


def town(districts: int = 12, size: int = 14, islands: int = 9) -> World:
    """People and companies of districts that have little to do with each other, and pairs that have nothing to."""
    said, types = [], {}
    for district in range(districts):
        names = [f"{'Person' if at % 2 else 'Company'} {district}-{at}" for at in range(size)]
        types |= {name: "person" if name.startswith("Person") else "organization" for name in names}
        pairs = {(0, at) for at in range(1, size)} | {(at, (3 * at + 1) % size) for at in range(1, size)}
        for a, b in sorted(pair for pair in pairs if pair[0] != pair[1]):
            relation = ("knows", "works for", "is owned by")[(a + b) % 3]
            said.append(Said(names[a], relation, names[b], f"{names[a]} {relation} {names[b]}."))
        said.append(Said(names[1], "pays", f"the rent {district}", f"{names[1]} pays the rent {district}."))
        said.append(Said(names[0], "deals with", f"Company {(district + 1) % districts}-0", f"Deal {district}."))
    said += [Said(f"Lone {at}", "likes", f"Hermit {at}", f"Lone {at} likes Hermit {at}.") for at in range(islands)]
    types |= {f"{name} {at}": "person" for at in range(islands) for name in ("Lone", "Hermit")}
    return World(said, types)


@pytest.fixture(scope="module")
def town_page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("town")
    return shown(write_graph(folder / "town.duckdb", town()), folder)


@pytest.fixture
def watched(browser):
    page = Watched(browser, reduced_motion="reduce")
    yield page
    page.close()


@pytest.fixture(scope="module")
def page_file(harbour, tmp_path_factory):
    return shown(harbour, tmp_path_factory.mktemp("page"))


def shown(graph: Path, folder: Path, *options: str) -> Path:
    from click.testing import CliRunner

    from tupelo.cli.graph import show_graph

    path = folder / "graph.html"
    outcome = CliRunner().invoke(show_graph, [str(graph), "-o", str(path), *options])
    assert outcome.exit_code == 0, outcome.output
    return path


class Serving:
    """A server in a thread of its own."""

    def __init__(self, graph: Path, start: str | None = None) -> None:
        pytest.importorskip("fastapi", reason="needs the extra 'serve'")
        self.graph = Graph.open(graph)
        self.answering: Queue[Any] = Queue()
        options = {"port": 0, "start": start or (), "announce": self.answering.put}
        self.thread = Thread(target=self.graph.serve, kwargs=options)

    def __enter__(self):
        self.thread.start()
        self.server = self.answering.get(timeout=60)
        return self.server

    def __exit__(self, *_):
        self.server.stop()
        self.thread.join()
        self.graph.close()


def counts(page) -> tuple[int, int]:
    """Entities and edges that are shown."""
    found = re.findall(r"(\d+) of \d+", page.text_content("#counts").replace(",", ""))
    return int(found[0]), int(found[1])


def drawn(page, what: str):
    """What the view has drawn; it is asked for once everything stands still."""
    page.wait_for_selector("html[data-arranging=no] #picture[data-still=yes]")
    return page.evaluate(f"(view => {what})(document.getElementById('picture').view)")


def place_of(page, name: str) -> tuple[float, float]:
    """The middle of a node on the screen."""
    place = drawn(page, f"view.cy.nodes().filter(one => one.data('name') === '{name}').renderedPosition()")
    box = page.locator("#picture").bounding_box()
    return box["x"] + place["x"], box["y"] + place["y"]


PLACES = "view.cy.nodes('[name]').map(one => [one.data('name'), one.position('x'), one.position('y')])"


def stance(page, *names: str) -> None:
    """Turns stances on or off."""
    page.click("details.menu summary")
    for name in names:
        page.click(f"#stances label:has-text('{name}')")
    page.click("details.menu summary")


@pytest.mark.process
@pytest.mark.browser
def test_search_click_and_evidence(watched, page_file):
    page = watched.open(page_file.as_uri())
    becomes(page, lambda: counts(page), (9, 8))
    # Whoever opens the page can type at once.
    page.keyboard.press("/")
    page.keyboard.type("wats")
    expect(page.locator("#results li .name").first).to_have_text("Ann Watson person · founded Lindvik Shipping")
    page.keyboard.press("Enter")
    page.wait_for_selector("#panel h2:has-text('Ann Watson')")
    page.click("#panel .edge:has-text('Lindvik Shipping')")
    page.wait_for_selector("#sentences blockquote")
    expect(page.locator("#sentences blockquote")).to_have_text(
        ["Ann Watson founded Lindvik Shipping in 1998.", "In 1998 the company was founded by Watson."]
    )
    expect(page.locator("#sentences li").first.locator("mark")).to_have_text(
        ["Ann Watson", "founded", "Lindvik Shipping", "1998"]
    )
    expect(page.locator("#sentences")).to_contain_text("news.txt, sentence 1")
    expect(page.locator("#said")).to_contain_text("2 sentences")
    assert watched.trouble == []
    # Nothing but the file itself, and the icon that is inside it.
    assert [url for url in watched.requests if not url.startswith(("file:", "blob:", "data:"))] == []


@pytest.mark.process
@pytest.mark.browser
def test_a_click_on_the_picture_chooses_a_node_an_edge_and_a_community(watched, page_file):
    page = watched.open(page_file.as_uri())
    box = page.locator("#picture").bounding_box()
    page.mouse.click(*place_of(page, "Skarholm"))
    page.wait_for_selector("#panel h2:has-text('Skarholm')")
    drawn(page, "0")
    page.mouse.click(box["x"] + 3, box["y"] + box["height"] / 2)
    page.wait_for_selector("#panel h2:has-text('In this graph')")
    x, y = drawn(page, "(one => [one.x, one.y])(view.labels.find(label => label.text === 'founded'))")
    page.mouse.click(box["x"] + x, box["y"] + y)
    page.wait_for_selector("#panel h2:has-text('founded')")
    page.wait_for_selector("#sentences blockquote")
    rim = "one => ({ x: one.renderedPosition('x'), y: one.renderedPosition('y') - 0.46 * one.renderedHeight() })"
    x, y = drawn(
        page, f"Object.values(({rim})(view.cy.nodes('.region').filter(one => one.data('label')[0] === 'N')))"
    )
    page.mouse.click(box["x"] + x, box["y"] + y)
    page.wait_for_selector("#panel h2:has-text('North Ferries, Ole Berg')")
    expect(page.locator("#panel")).to_contain_text("community of 4 entities · organizations and people")
    assert watched.trouble == []


@pytest.mark.model
def test_below_a_name_stands_what_a_statement_says_of_it_in_its_own_words(tmp_path):
    text = "Jonas Lie founded Fjord Sensors in 2011."
    with Graph.build([Document("a", text)], tmp_path / "kg.duckdb") as graph:
        graph.show(tmp_path / "kg.html")
    assert "founded Fjord Sensors in 2011" in (tmp_path / "kg.html").read_text("utf-8").replace(text, "")


OUTSIDE = """view.cy.nodes('[name]').filter(one => {
    const { x, y } = one.renderedPosition();
    return x < 0 || y < 0 || x > view.cy.width() || y > view.cy.height();
}).length"""


@pytest.mark.process
@pytest.mark.browser
def test_a_picture_seen_as_a_whole_fits_a_window_of_another_size(watched, page_file):
    page = watched.open(page_file.as_uri())
    becomes(page, lambda: drawn(page, OUTSIDE), 0)
    page.set_viewport_size({"width": 390, "height": 844})
    becomes(page, lambda: drawn(page, "view.cy.width() <= 390"), True)
    becomes(page, lambda: drawn(page, OUTSIDE), 0)
    # Whoever moved the picture keeps the place that was chosen.
    drawn(page, "view.cy.viewport({ zoom: 3, pan: { x: 5, y: 7 } })")
    page.set_viewport_size({"width": 700, "height": 844})
    becomes(page, lambda: drawn(page, "view.cy.width() > 390"), True)
    assert drawn(page, "[view.cy.zoom(), view.cy.pan('x'), view.cy.pan('y')]") == [3, 5, 7]


@pytest.mark.process
@pytest.mark.browser
def test_edges_between_the_same_two_are_one_line_that_lists_them(watched, page_file):
    page = watched.open(page_file.as_uri())
    stance(page, "reported", "denied")
    becomes(page, lambda: counts(page), (9, 10))
    lines = "view.cy.edges().map(one => [one.data('edges').length, one.hasClass('unsure')])"
    becomes(page, lambda: sorted(drawn(page, lines))[-2:], [[2, False], [2, False]])
    box = page.locator("#picture").bounding_box()
    both = "one => one.data('edges').length > 1 && one.data('text').includes('reported')"
    place = drawn(page, f"view.cy.edges().filter({both}).renderedMidpoint()")
    page.mouse.click(box["x"] + place["x"], box["y"] + place["y"])
    page.wait_for_selector("#panel h2:has-text('Ann Watson')")
    expect(page.locator("#panel button.edge")).to_have_text(
        ["Ann Watson set up North Ferries0.80", "Ann Watson is chairman of North Ferriesreported0.80"]
    )
    # Beside a chosen node the line opens: one for each edge.
    page.mouse.click(*place_of(page, "Ann Watson"))
    page.wait_for_selector("#panel .edge:has-text('reported')")
    near = lines.replace("edges()", "edges('.near')")
    becomes(page, lambda: {count for count, _ in drawn(page, near)}, {1})
    assert watched.trouble == []


@pytest.mark.process
@pytest.mark.browser
def test_filters_by_type_confidence_and_stance_move_nothing(watched, page_file):
    page = watched.open(page_file.as_uri())
    before = drawn(page, PLACES)
    stance(page, "denied")
    becomes(page, lambda: counts(page), (9, 9))
    page.click("#types label:has-text('place')")
    becomes(page, lambda: counts(page), (7, 5))
    page.click("#types label:has-text('place')")
    assert sorted(drawn(page, PLACES)) == sorted(before)
    page.click(".filters summary")
    page.fill("#confidence", "0.85")
    page.wait_for_selector("#counts:has-text('6 of 14 edges')")
    expect(page.locator("#least")).to_have_text("0.85")
    page.fill("#confidence", "0")
    page.wait_for_selector("#counts:has-text('9 of 14 edges')")
    page.select_option("#source", "news.txt")
    becomes(page, lambda: 0 < counts(page)[1] < 9, True)
    page.select_option("#source", "")
    page.fill("#until", "1999")
    page.wait_for_selector("#counts:has-text(' 8 of 14 edges')")
    expect(page.locator("#until-shown")).to_have_text("1999")
    page.fill("#until", "2004")
    page.fill("#rank", "1")
    page.wait_for_selector("#counts:has-text(' 0 of 14 edges')")
    page.fill("#rank", "0")
    page.wait_for_selector("#counts:has-text('9 of 14 edges')")
    page.click(".filters summary")
    stance(page, "asserted", "asked", "conditional", "believed", "possible")
    expect(page.locator("#stances-shown")).to_have_text("denied, asked, conditional, believed, possible")
    becomes(page, lambda: counts(page)[1], 5)
    # What is not asserted says so, on the line and in the panel.
    assert {one["text"] for one in drawn(page, "view.labels") if one["kind"] == "relation"} <= {
        "sails to (denied)",
        "bought (asked)",
        "would buy (conditional)",
        "is chairman of (believed)",
        "may buy (possible)",
    }
    page.fill("#search", "Berg Cranes")
    page.wait_for_selector("#results li")
    page.keyboard.press("Enter")
    page.click("#panel .edge:has-text('conditional')")
    page.wait_for_selector("#sentences blockquote")
    expect(page.locator("#sentences")).to_contain_text("conditional · where: if it were sold")


@pytest.mark.process
@pytest.mark.browser
def test_a_node_has_facts_and_names_with_their_reasons(watched, page_file):
    page = watched.open(page_file.as_uri())
    page.click("#panel .row:has-text('Lindvik'):has-text('4,200')")
    page.click("#panel .edge:has-text('has population of 4,200')")
    page.wait_for_selector("#sentences blockquote")
    marks = page.locator("#sentences mark")
    expect(marks).to_have_text(["Lindvik", "4,200"])
    expect(marks).to_have_class(["subject", "object"])
    page.click("#panel .back")
    page.click("#panel .back")
    page.click("#panel .row:has-text('Ann Watson')")
    page.wait_for_selector("#panel .names")
    expect(page.locator("#panel .names").first).to_contain_text("Watson short name")
    assert "4,200" not in str(drawn(page, PLACES))
    expect(page.locator("#panel .sentences blockquote").first).to_contain_text("Watson")
    # What somebody says against the names is kept until it is saved as a file for `graph review`.
    page.click("#panel summary:has-text('Correct the names')")
    page.get_by_label("Another name of Ann Watson").fill("A. Watson")
    page.keyboard.press("Enter")
    expect(page.locator(".corrections")).to_contain_text("A. Watson is Ann Watson")
    with page.expect_download() as download:
        page.click(".corrections button.main")
    assert Path(download.value.path()).read_text() == "same\tA. Watson\tAnn Watson\n"
    page.click(".corrections button:has-text('undo')")
    expect(page.locator(".corrections")).to_be_hidden()
    assert watched.trouble == []


@pytest.mark.process
@pytest.mark.browser
def test_neighbours_appear_when_a_node_is_expanded(watched, harbour, tmp_path):
    page = watched.open(shown(harbour, tmp_path, "--start", "Ole Berg").as_uri())
    becomes(page, lambda: counts(page), (3, 2))
    page.click("#panel .row:has-text('North Ferries')")
    page.wait_for_selector("#panel .edge:has-text('Skarholm')")
    becomes(page, lambda: counts(page)[0], 5)
    watched.settle()
    page.mouse.dblclick(*place_of(page, "Ann Watson"))
    page.wait_for_selector("#panel .edge:has-text('Lindvik Shipping')")
    assert watched.trouble == []


def overlap(one, other) -> bool:
    """Whether two texts cover each other."""
    return all(abs(one[at] - other[at]) * 2 < one[size] + other[size] - 4 for at, size in (("x", "w"), ("y", "h")))


@pytest.mark.process
@pytest.mark.browser
def test_a_large_graph_opens_on_the_main_entities_of_its_communities(watched, town_page):
    page = watched.open(town_page.as_uri())
    expect(page.locator(":focus")).to_have_id("search")
    entities, edges = counts(page)
    assert 20 <= entities <= 50
    assert edges >= entities - 10
    shown_nodes = drawn(page, "view.nodes")
    assert {node["type"] for node in shown_nodes} == {"person", "organization"}
    assert len({node["community"] for node in shown_nodes}) == len(drawn(page, "view.regions")) == 6
    listed = page.locator("#panel .row .name").all_text_contents()
    # The centres of the districts come first, and name their communities.
    assert all(re.match(r"Company \d+-0", name) for name in listed[:12])
    groups = page.locator("#panel .community").all_text_contents()
    assert len(groups) == 12
    assert all(re.match(r"Company \d+-0, .*(people|organizations)", name) for name in groups)
    names = [label["text"] for label in drawn(page, "view.labels") if label["kind"] == "name"]
    assert len(names) >= 0.8 * entities
    assert watched.trouble == []


@pytest.mark.process
@pytest.mark.browser
def test_labels_never_cover_each_other_and_relations_appear_with_room(watched, town_page):
    page = watched.open(town_page.as_uri())

    def labels() -> list[dict]:
        found = drawn(page, "view.labels")
        assert not [(a["text"], b["text"]) for at, a in enumerate(found) for b in found[:at] if overlap(a, b)]
        return [label for label in found if label["kind"] == "relation"]

    labels()
    page.click("#everything")
    page.wait_for_selector("#counts:has-text('198 of')")
    far = len(labels())
    box = page.locator("#picture").bounding_box()
    place = drawn(page, "view.cy.nodes('.region').first().renderedPosition()")
    page.mouse.move(box["x"] + place["x"], box["y"] + place["y"])
    for _ in range(6):
        page.mouse.wheel(0, -250)
    becomes(page, lambda: len(labels()) > max(3, far), True)
    assert {label["text"] for label in labels()} <= {"knows", "works for", "is owned by", "deals with", "pays"}


@pytest.mark.process
@pytest.mark.browser
def test_communities_keep_apart(watched, town_page):
    page = watched.open(town_page.as_uri())
    page.click("#everything")
    page.wait_for_selector("#counts:has-text('198 of')")
    regions, stretch = drawn(page, "view.regions"), drawn(page, "view.stretch")
    assert len(regions) == 12

    def inside(name: str, x: float, y: float) -> set[int]:
        return {
            region["group"]
            for region in regions
            if ((x - region["x"]) / stretch) ** 2 + (y - region["y"]) ** 2 <= region["r"] ** 2
        }

    places = {name: inside(name, x, y) for name, x, y in drawn(page, PLACES)}
    homes = dict(drawn(page, "view.nodes.map(node => [node.name, node.community])"))
    lonely = [name for name in places if name.startswith(("Lone", "Hermit"))]
    assert all(homes[name] in places[name] for name in places if name not in lonely)
    strangers = [name for name in places if places[name] - {homes[name]}]
    assert len(strangers) <= 0.05 * len(places)


@pytest.mark.process
@pytest.mark.browser
def test_a_community_opens_with_all_its_entities(watched, town_page):
    page = watched.open(town_page.as_uri())
    before = counts(page)[0]
    page.click("#panel .community >> nth=0")
    page.wait_for_selector("#panel p:has-text('community of')")
    watched.settle()
    becomes(page, lambda: counts(page)[0] > before, True)
    size = int(re.search(r"community of (\d+)", page.text_content("#panel"))[1])
    expect(page.locator("#panel .row")).to_have_count(size)


@pytest.mark.process
@pytest.mark.browser
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
    page.wait_for_selector("#panel h2:has-text('In this graph')")
    for selector in ("#search", "#picture", "#results", "#panel"):
        assert page.get_attribute(selector, "aria-label")
    unnamed = page.evaluate(
        "[...document.querySelectorAll('button, input')]"
        ".filter(e => !(e.textContent || e.ariaLabel || e.labels?.length)).length"
    )
    assert unnamed == 0
    assert watched.trouble == []


@pytest.mark.process
@pytest.mark.browser
@pytest.mark.parametrize("served", [False, True])
def test_a_hostile_corpus_stays_text(watched, tmp_path, served):
    graph = write_graph(tmp_path / "hostile.duckdb", HOSTILE)
    page = watched.page
    page.add_init_script(
        "document.addEventListener('securitypolicyviolation', e => (window.blocked ||= []).push(e.blockedURI))"
    )

    def look(address):
        watched.open(address)
        becomes(page, lambda: counts(page)[1], 4)
        for name in (ATTACK, BREAKOUT, LINK, "__proto__", "constructor"):
            page.fill("#search", name)
            page.wait_for_selector("#results li")
            page.keyboard.press("Enter")
            page.wait_for_selector("#panel button.edge")
            expect(page.locator("#panel h2")).to_contain_text(name)
            # By keyboard: what else is said of it comes later, above the edges, and moves them.
            page.focus("#panel button.edge")
            page.keyboard.press("Enter")
            page.wait_for_selector("#sentences blockquote")
        page.click("#panel .back")
        page.click("#panel .back")
        everything = page.text_content("#types") + page.text_content("#panel")
        assert "__proto__" in everything
        assert page.evaluate("window.hacked") is None
        assert page.evaluate("window.blocked") is None
        inside = "#panel script, #panel img, #panel a, #panel b, #panel i, #panel style, #panel svg, #types img, h1 *"
        expect(page.locator(inside)).to_have_count(0)
        expect(page.locator("script")).to_have_count(2)

    if served:
        with Serving(graph) as server:
            look(server.address)
            assert all(url.startswith((server.address, "blob:", "data:")) for url in watched.requests)
    else:
        look(shown(graph, tmp_path, "--title", ATTACK).as_uri())
        expect(page).to_have_title(ATTACK)
        assert all(url.startswith(("file:", "blob:", "data:")) for url in watched.requests)
    assert watched.trouble == []


@pytest.mark.process
@pytest.mark.browser
def test_the_served_page_loads_what_is_asked_for(watched, harbour):
    with Serving(harbour, "Ole Berg") as server:
        page = watched.open(server.address)
        becomes(page, lambda: counts(page), (3, 2))
        page.fill("#search", "skar")
        page.wait_for_selector("#results li")
        page.keyboard.press("Enter")
        page.wait_for_selector("#panel h2:has-text('Skarholm')")
        stance(page, "denied")
        page.click("#panel .edge")
        page.wait_for_selector("#sentences blockquote:has-text('Skarholm')")
    assert watched.trouble == []


def request(server, method="GET", path="/", **headers):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
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
        assert server.host == "127.0.0.1"
        assert server.is_loopback()
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(InputError, match="in use"), Graph.open(harbour) as graph:
            graph.serve(port=port)
        outcome = run(capsys, "graph", "serve", harbour, "--port", port)
        assert (outcome.status, outcome.out) == (2, "")


def test_a_page_that_cannot_hold_everything_says_so(harbour, capsys, tmp_path):
    outcome = run(capsys, "graph", "show", harbour, "--limit", 3, "-o", tmp_path / "p.html")
    assert outcome.err == "3 of 14 edges are shown; tupelo graph serve opens all of them\n"
    assert run(capsys, "graph", "show", harbour, "--start", "Nobody").status == 2


def test_the_same_graph_gives_the_same_page(harbour, tmp_path, page_file):
    assert shown(harbour, tmp_path).read_bytes() == page_file.read_bytes()
    assert "http" not in re.sub(r'http-equiv="[^"]*"|http://www.w3.org/2000/svg', "", page_file.read_text("utf-8"))


@pytest.mark.process
@pytest.mark.browser
def test_labels_contrast_and_headings_hold(watched, page_file):
    page = watched.open(page_file.as_uri())
    assert faults(page) == []
    page.fill("#search", "Lindvik")
    page.wait_for_selector("#results li")
    page.keyboard.press("Enter")
    page.wait_for_selector("#panel .edge")
    assert faults(page) == []
    page.click("#panel .edge")
    page.wait_for_selector("#sentences blockquote mark")
    assert faults(page) == []


@pytest.mark.process
@pytest.mark.browser
def test_a_path_a_pin_an_undo_a_link_and_pictures(watched, page_file, tmp_path):
    page = watched.open(page_file.as_uri())
    before = counts(page)
    page.click("#panel .row:has-text('has its seat')")
    page.wait_for_selector("#panel h2:has-text('Lindvik Shipping')")
    page.click("text=Path to …")
    page.keyboard.type("skarholm")
    expect(page.locator("#results li").first).to_contain_text("Skarholm")
    page.keyboard.press("Enter")
    page.wait_for_selector("#panel h2:has-text('Lindvik Shipping to Skarholm')")
    expect(page.locator("#panel button.edge")).to_have_count(3)
    x, y = place_of(page, "Skarholm")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y + 30, steps=4)
    page.mouse.up()
    becomes(page, lambda: drawn(page, "view.pinned.size"), 1)
    while page.is_enabled("#undo"):
        page.click("#undo")
    becomes(page, lambda: counts(page), before)
    page.click("#panel .row:has-text('Ole Berg')")
    page.wait_for_selector("#panel .edge")
    page.click("#types label:has-text('place')")
    other = Watched(page.context.browser)
    other.open(page.url)
    other.page.wait_for_selector("#panel h2:has-text('Ole Berg')")
    expect(other.page.locator("#types label:has-text('place') input")).not_to_be_checked()
    other.close()
    for name, start in (("#png", b"\x89PNG"), ("#svg", b"<svg")):
        with page.expect_download() as download:
            page.click(name)
        download.value.save_as(tmp_path / "picture")
        assert (tmp_path / "picture").read_bytes().startswith(start)
    assert watched.trouble == []


def tab_to(page, selector: str) -> None:
    """Presses Tab until this has the focus."""
    for _ in range(80):
        if page.evaluate("selector => !!document.activeElement?.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab never leads to {selector}")


@pytest.mark.process
@pytest.mark.browser
def test_ten_jobs_are_done_with_the_keyboard_alone(watched, page_file):
    page, press = watched.open(page_file.as_uri()), watched.page.keyboard.press
    # 1, 2: an entity by its name; the sentences of one of its edges.
    page.keyboard.type("ann wat")
    page.wait_for_selector("#results li")
    press("Enter")
    page.wait_for_selector("#panel h2:has-text('Ann Watson')")
    tab_to(page, "#panel button.edge")
    press("Enter")
    page.wait_for_selector("#sentences blockquote")
    # 3, 4: the document of a sentence; what was not read of it.
    tab_to(page, "#sentences .link")
    press("Enter")
    page.wait_for_selector("#panel .document")
    # 5: back to the overview. 6: the path between two.
    tab_to(page, "#panel .back")
    press("Enter")
    page.wait_for_selector("#panel h2:has-text('In this graph')")
    press("/")
    page.keyboard.type("lindvik shipping")
    page.wait_for_selector("#results li")
    press("Enter")
    page.wait_for_selector("#panel h2:has-text('Lindvik Shipping')")
    tab_to(page, "#panel .doing button:nth-child(2)")
    press("Enter")
    page.keyboard.type("skarholm")
    expect(page.locator("#results li").first).to_contain_text("Skarholm")
    press("Enter")
    page.wait_for_selector("#panel h2:has-text('Lindvik Shipping to Skarholm')")
    # 7: a step back. 8: a type less. 9: only what is sure.
    tab_to(page, "#undo")
    press("Enter")
    expect(page.locator("#said")).to_have_text("undone")
    before = counts(page)
    tab_to(page, "#types label:nth-of-type(3) input")
    press("Space")
    becomes(page, lambda: counts(page) < before, True)
    tab_to(page, "details.filters summary")
    press("Enter")
    tab_to(page, "#confidence")
    press("End")
    becomes(page, lambda: counts(page)[1], 0)
    # 10: the picture, nearer.
    near = page.evaluate("document.getElementById('picture').view.cy.zoom()")
    tab_to(page, "#picture")
    press("+")
    becomes(page, lambda: page.evaluate("document.getElementById('picture').view.cy.zoom()") > near, True)
    assert watched.trouble == []


@pytest.mark.process
@pytest.mark.browser
def test_one_search_box_finds_words_documents_and_answers(watched, page_file, harbour):
    page = watched.open(page_file.as_uri())
    page.fill("#search", "chairman of")
    page.keyboard.press("Enter")
    page.wait_for_selector("#panel mark.found")
    with Serving(harbour) as server:
        page = watched.open(server.address)
        for words, found in (("?who founded ?company", "Ann Watson"), ("harbour", "")):
            page.fill("#search", words)
            page.keyboard.press("Enter")
            # The panel of the words before has quotations too.
            page.wait_for_selector(f"#panel h2:text-is('{words}')")
            page.wait_for_selector("#panel blockquote")
            expect(page.locator("#panel")).to_contain_text(found)
        page.click("#panel .link >> nth=0")
        page.wait_for_selector("#panel .document mark")
        expect(page.locator("#panel")).to_contain_text("nothing was read from")
        assert faults(page) == []
    assert watched.trouble == []


def test_the_library_is_the_one_that_was_weighed():
    """The page with its library stays below 500 kB, and the library is the file named in NOTICE."""
    from hashlib import sha256
    from importlib.resources import files

    from tupelo.web.page import graph_script, graph_style

    library = files("tupelo.web").joinpath("cytoscape.js").read_bytes()
    notice = (Path(__file__).parents[2] / "NOTICE").read_text("utf-8")
    assert sha256(library).hexdigest() in notice
    assert len((graph_script() + graph_style()).encode()) < 500_000
