"""The page in a real browser: every tab, each flow, keyboard, light and dark, and texts that attack it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from benchmarks.hostile.texts import generated
from tests.browser import Watched, becomes, expect, faults
from tests.serve.serving import Live, live
from tupelo.api.tuples import read
from tupelo.core.extraction import STANCES
from tupelo.serve.service import Service
from tupelo.serve.still import page_files, still_page

READY = "html[data-ready=yes]"
WIDE = "all => all.length && all.every(one => one.naturalWidth > 100)"
TEXT = (
    "Marta Solheim moved to Lindvik in March 2011. She founded the Research Station there. "
    "Ola Brekke said that the council will buy the cannery. It did not sell the harbour."
)
ATTACK = (
    '<script>window.hacked=1;alert(\'hacked\')</script> met "><img src=x onerror="window.hacked=1">. '
    "</textarea><svg onload=window.hacked=1> founded javascript:window.hacked=1//. "
    "__proto__ bought constructor. \u202eevil\u2028 sold {{7*7}}."
)


@contextmanager
def opened(browser: Any, server: Live, fragment: str = "", **options: Any) -> Iterator[Watched]:
    """The page, which must fetch nothing from elsewhere and report no error."""
    watched = Watched(browser, reduced_motion="reduce", **options)
    watched.page.goto(f"{server.address}/{fragment}")
    watched.page.wait_for_selector(READY)
    if not fragment:
        # The first tab is that of the graph, which has a search box of its own.
        choose(watched.page, "tuples")
        watched.page.evaluate("() => { document.getElementById('filters').open = true; }")
    yield watched
    assert watched.trouble == []
    assert [url for url in watched.requests if not url.startswith((server.address, "data:", "blob:"))] == []
    watched.close()


def write(page: Any, text: str) -> None:
    if not page.is_visible("#text"):
        choose(page, "tuples")
    page.fill("#text", text)
    page.press("#text", "Control+Enter")
    page.wait_for_selector(READY)


def drop(page: Any, files: dict[str, str]) -> None:
    """Drop files on the page."""
    dropped = page.evaluate_handle(
        "files => { const given = new DataTransfer(); "
        "for (const [name, text] of Object.entries(files)) given.items.add(new File([text], name)); return given; }",
        files,
    )
    page.dispatch_event("#panels", "drop", {"dataTransfer": dropped})


def choose(page: Any, tab: str) -> None:
    page.click(f"#tab-{tab}")
    page.wait_for_selector(READY)


def test_the_page_is_small_and_needs_nothing_else():
    files = page_files()
    assert sum(map(len, files.values())) < 500_000
    library = files.pop("cytoscape.js")
    assert not re.search(rb"https?://(?!www\.w3\.org/)|innerHTML|eval\(|new Function", library)
    assert sum(map(len, files.values())) < 150_000
    for name, content in files.items():
        assert not re.search(rb"https?://(?!www\.w3\.org/)|@import|innerHTML|eval\(|\sstyle=", content), name
    records = files["records.js"].decode()
    assert dict(re.findall(r"(\w+): '([^']+)'", records.partition("};")[0])) == STANCES


@pytest.mark.model
@pytest.mark.process
@pytest.mark.browser
def test_a_text_becomes_tuples_with_arcs_and_sliders_hide_them(browser, server: Live):
    with opened(browser, server) as watched:
        page = watched.page
        write(page, TEXT)
        expect(page.locator(".sentence")).to_have_count(4)
        first = page.locator(".sentence").first
        expect(first.locator(".tuple").first).to_have_text(re.compile(r"^\s*Marta Solheim"))
        expect(first.locator(".words .rel")).to_have_text(["moved", "to"])
        expect(first.locator(".arcs path:not(.head)")).to_have_count(3)
        expect(page.locator("#panels")).to_contain_text("She = Marta Solheim")
        expect(page.locator("#panel-tuples .chip")).to_have_text(["possible, said by Ola Brekke", "denied"])
        before = page.locator(".tuple").count()
        page.uncheck("input[value=denied]")
        expect(page.locator(".tuple")).to_have_count(before - 1)
        page.locator("#confidence").press("End")
        expect(page.locator(".tuple")).to_have_count(0)
        expect(page.locator("#least")).to_have_text("1.00")
        page.locator("#confidence").press("Home")
        becomes(page, lambda: page.locator(".tuple").count() >= before - 1, True)
        page.evaluate("() => { document.getElementById('text').value = 'a b '.repeat(30000); }")
        page.click("button[type=submit]")
        expect(page.locator("#notice.bad")).to_contain_text("expected at most 100,000")
        # The browser reports the refusal.
        assert all("status of 413" in line for line in watched.trouble)
        watched.trouble.clear()


@pytest.mark.model
@pytest.mark.process
@pytest.mark.browser
def test_trees_entities_and_a_graph_of_the_same_text(browser, server: Live):
    with opened(browser, server) as watched:
        page = watched.page
        write(page, TEXT)
        choose(page, "parse")
        expect(page.locator(".picture img")).to_have_count(2)
        becomes(page, lambda: page.locator(".picture img").evaluate_all(WIDE), True)
        expect(page.locator("tbody tr")).to_have_count(9)
        page.click("text=Next")
        page.wait_for_selector("td:text-is('founded')")
        choose(page, "entities")
        assert "Lindvik" in page.locator(".entity").all_inner_texts()[2]
        page.locator(".chain", has_text="Marta Solheim").focus()
        mentioned = page.locator(".mentioned")
        becomes(page, lambda: {"Marta", "She"} <= {text.split("\n")[0] for text in mentioned.all_inner_texts()}, True)
        choose(page, "graph")
        assert "Marta Solheim — moved to → Lindvik" in page.locator("#panel-graph li").all_inner_texts()
        view = "document.querySelector('.graph').view.cy.nodes().map(one => [one.data('name'), one.data('type')])"
        assert {("Marta Solheim", "person"), ("Lindvik", "place")} <= {tuple(node) for node in page.evaluate(view)}
        # A pronoun that stands for a name is that name; a time is no node.
        assert not {"She", "It", "March 2011"} & {name for name, _ in page.evaluate(view)}
        whole = len(page.evaluate(view))
        page.locator("#panel-graph input[type=range]").press("Home")
        expect(page.locator("#panel-graph li", has_text="Research Station")).to_have_count(0)
        expect(page.locator("#panel-graph li").first).to_be_visible()
        becomes(page, lambda: len(page.evaluate(view)) < whole, True)
        page.locator("#panel-graph input[type=range]").press("End")
        page.wait_for_selector("output:text-is('4 of 4')")
        becomes(page, lambda: len(page.evaluate(view)), whole)
        # Everything was asked for once.
        assert sum(url.endswith("/v1/analyze") for url in watched.requests) == 1
        assert sum(url.endswith("/v1/extract") for url in watched.requests) == 1


@pytest.mark.model
@pytest.mark.process
@pytest.mark.browser
def test_an_example_is_checked_and_a_claim_shows_its_evidence(browser, server: Live):
    with opened(browser, server) as watched:
        page = watched.page
        page.click("text=A checked answer")
        page.wait_for_selector("#panel-check .claims")
        expect(page.locator("#tab-check")).to_have_attribute("aria-selected", "true")
        page.locator(".claims button").first.hover()
        expect(page.locator("mark.evidence")).to_contain_text("left Lindvik at six")
        expect(page.locator(".claim.supported").first).to_be_visible()
        page.fill("#panel-check .field:nth-child(2) textarea", "Jon Berg turned back after an hour.")
        page.click("#run-check")
        page.wait_for_selector(READY)
        expect(page.locator(".claim.supported")).to_have_text(["Jon Berg turned back after an hour."])


@pytest.mark.model
@pytest.mark.process
@pytest.mark.browser
def test_everything_seen_is_exported_and_commands_read_it(browser, server: Live, tmp_path: Path):
    with opened(browser, server, accept_downloads=True) as watched:
        page = watched.page
        expect(page.locator("#export")).to_be_disabled()
        write(page, TEXT)
        choose(page, "entities")
        for button, name in (("#export", "all.json"), ("#export-lines", "tuples.jsonl")):
            with page.expect_download() as download:
                page.click(button)
            download.value.save_as(tmp_path / name)
        saved = json.loads((tmp_path / "all.json").read_text("utf-8"))
        assert saved["extracted"] == server.service.toolkit.extract(TEXT, min_confidence=0).to_dict()
        assert saved["analysis"] == server.service.toolkit.analyze(TEXT, coreference=True).to_dict()
        tuples = [str(one) for one in read(tmp_path / "tuples.jsonl")]
        assert tuples == [str(one) for one in server.service.toolkit.extract(TEXT, min_confidence=0.5)]


@pytest.mark.model
@pytest.mark.process
@pytest.mark.browser
def test_a_link_holds_the_text_and_never_sends_it(browser, server: Live):
    with opened(browser, server, permissions=["clipboard-write"]) as watched:
        page = watched.page
        write(page, "Zoë Ødegård bought Köln Café.")
        choose(page, "entities")
        page.click("#link")
        page.wait_for_selector(".notice:has-text('address of this page'):visible")
        fragment = page.evaluate("location.hash")
    with opened(browser, server, fragment) as watched:
        expect(watched.page.locator("#text")).to_have_value("Zoë Ødegård bought Köln Café.")
        expect(watched.page.locator("#tab-entities")).to_have_attribute("aria-selected", "true")
        expect(watched.page.locator("#panel-entities")).to_contain_text("Zoë")
        assert not [url for url in watched.requests[1:] if "#" in url]
    with opened(browser, server, "#%%%") as watched:
        expect(watched.page.locator("#notice")).to_contain_text("cannot be read")


@pytest.mark.model
@pytest.mark.process
@pytest.mark.browser
def test_a_file_is_opened_or_dropped(browser, server: Live, tmp_path: Path):
    (tmp_path / "note.txt").write_text("Ann Lee founded Acme in Oslo.", "utf-8")
    (tmp_path / "program.bin").write_bytes(b"\0\1\2")
    with opened(browser, server) as watched:
        page = watched.page
        page.set_input_files("#file", tmp_path / "note.txt")
        page.wait_for_selector(".tuple")
        page.set_input_files("#file", tmp_path / "program.bin")
        page.wait_for_selector(".notice.bad:visible")
        drop(page, {"b.txt": "Bo Berg moved to Rome.", "c.txt": "Cy Dahl left Rome."})
        page.wait_for_selector(".tuple:has-text('Cy Dahl')")
        expect(page.locator("#text")).to_have_value("Bo Berg moved to Rome.\n\nCy Dahl left Rome.")


@pytest.mark.model
@pytest.mark.process
@pytest.mark.browser
def test_the_address_of_a_file_stands_for_its_text(browser, server: Live, tmp_path: Path):
    (tmp_path / "notes").mkdir()
    note, secret = tmp_path / "notes" / "a note.md", tmp_path / "secret.txt"
    note.write_text("# A note\n\nAnn Lee founded *Acme* in Oslo.", "utf-8")
    secret.write_text("Bo Berg moved to Rome.", "utf-8")
    with Service(server.service.toolkit, files=tmp_path / "notes") as service, live(service) as other:
        with opened(browser, other) as watched:
            page = watched.page
            write(page, note.as_uri())
            page.wait_for_selector(".tuple:has-text('Ann Lee')")
            assert "Acme in Oslo" in page.input_value("#text")
        assert other.get("/v1/file?address=a+note.md").body["text"].endswith("Ann Lee founded Acme in Oslo.")
        for address in (secret.as_uri(), "../secret.txt", "none.md", "file:", "."):
            reply = other.get(f"/v1/file?address={address}")
            assert (reply.status, "not found" in reply.body["error"]["message"]) == (400, True), address
    with opened(browser, server) as watched:
        write(watched.page, note.as_uri())
        expect(watched.page.locator("#notice")).to_contain_text("--files")
    assert server.get("/v1/file?address=x").status == 404


@pytest.mark.model
@pytest.mark.process
@pytest.mark.browser
def test_of_a_long_text_the_beginning_is_shown_first(browser, server: Live):
    with opened(browser, server) as watched:
        page = watched.page
        seen = []
        page.on("response", lambda reply: seen.append(reply.request) if reply.url.endswith("/v1/extract") else None)
        text = " ".join(f"Ann Lee met Bo Berg in Oslo in {year}." for year in range(1990, 2015))
        write(page, text)
        first, whole = [json.loads(one.post_data)["text"] for one in seen]
        assert (whole, text.startswith(first), 300 < len(first) <= 500) == (text, True, True)
        expect(page.locator(".sentence")).to_have_count(25)


@pytest.mark.model
@pytest.mark.process
@pytest.mark.browser
def test_a_page_without_a_server_shows_one_text_in_every_way(browser, server: Live, tmp_path: Path):
    """From a file, with hostile text: nothing is fetched, no script of the text runs."""
    text = f"{TEXT} {ATTACK}\n\n</script><script>window.hacked=1</script> met Bo Berg."
    page_file = tmp_path / "index.html"
    links = [("Graph", "graph.html")]
    made = still_page(server.service.toolkit, "A <town>", text, answer="Marta Solheim moved to Oslo.", links=links)
    page_file.write_text(made, "utf-8")
    watched = Watched(browser, reduced_motion="reduce")
    page = watched.page
    page.goto(page_file.as_uri())
    page.wait_for_selector(READY)
    assert (page.inner_text("h1"), page.locator("#top a").get_attribute("href")) == ("A <town>", "graph.html")
    expect(page.locator(".graph")).to_have_count(0)
    expect(page.locator("[role=tab]")).to_have_text(["Tuples", "Parse", "Entities", "Graph", "Check"])
    expect(page.locator(".sentence").first.locator(".arcs path:not(.head)")).to_have_count(3)
    assert faults(page) == []
    choose(page, "parse")
    becomes(page, lambda: page.locator(".picture img").evaluate_all(WIDE), True)
    page.click("text=Next")
    page.wait_for_selector("td:text-is('founded')")
    choose(page, "entities")
    assert page.locator(".entity").count() > 3
    choose(page, "graph")
    assert "Marta Solheim — moved to → Lindvik" in page.locator("#panel-graph li").all_inner_texts()
    choose(page, "check")
    expect(page.locator(".claim")).to_have_count(1)
    page.fill("#panel-check .field:nth-child(2) textarea", "Something else.")
    page.click("#run-check")
    page.wait_for_selector(".notice.bad:visible")
    expect(page.locator("#notice")).to_contain_text("tupelo serve")
    assert page.evaluate("window.hacked") is None
    assert watched.trouble == []
    assert [url for url in watched.requests if not url.startswith("data:")] == [page_file.as_uri()]
    watched.close()


@pytest.mark.model
@pytest.mark.process
@pytest.mark.browser
def test_files_are_scored_and_compared(browser, server: Live):
    from tupelo.api.scoring import score
    from tupelo.io.examples import GOLD, SYSTEMS, example_files

    with opened(browser, server) as watched, example_files(GOLD, *SYSTEMS) as (gold, *systems):
        page = watched.page
        choose(page, "scores")
        drop(page, {path.name: path.read_text("utf-8") for path in (*systems, gold)})
        page.click("#panel-scores button")
        page.wait_for_selector("h2:text-is('Do they differ?')")
        row = page.locator("#panel-scores tbody tr").first.inner_text().split()
        assert row[3] == f"{100 * score('carb', gold, systems[0]).f1:.1f}"
        expect(page.locator("polyline")).to_have_count(len(systems))
        with page.expect_download() as download:
            page.click("text=Errors of careful.tsv")
        assert "<h1>" in download.value.path().read_text("utf-8")
        assert faults(page) == []


@pytest.mark.model
@pytest.mark.process
@pytest.mark.browser
def test_a_keyboard_is_enough(browser, server: Live):
    with opened(browser, server) as watched:
        page = watched.page
        page.locator("#text").focus()
        page.keyboard.type("Ann Lee founded Acme in Oslo.")
        page.keyboard.press("Control+Enter")
        page.wait_for_selector(".tuple")
        page.locator("#tab-tuples").focus()
        for name in ("parse", "entities", "graph", "check", "scores", "knowledge", "tuples"):
            page.keyboard.press("ArrowRight")
            page.wait_for_selector(READY)
            expect(page.locator(":focus")).to_have_id(f"tab-{name}")
            expect(page.locator(f"#panel-{name}")).to_be_visible()
        page.keyboard.press("Tab")
        expect(page.locator(":focus")).to_have_class("tuple")


@pytest.mark.model
@pytest.mark.process
@pytest.mark.browser
def test_labels_contrast_and_order_hold_on_every_tab(browser, server: Live):
    with opened(browser, server) as watched:
        page = watched.page
        page.click("text=A checked answer")
        page.wait_for_selector(".claims")
        for tab in ("check", "tuples", "parse", "entities", "graph", "scores", "knowledge"):
            choose(page, tab)
            assert faults(page) == [], tab
        page.goto(f"{server.address}/docs")
        page.wait_for_selector(READY)
        assert faults(page) == []
        page.evaluate(
            "() => { const one = document.createElement('button'); document.body.append(one); "
            "document.querySelector('h1').style.color = '#777'; }"
        )
        # A button without a name in both, and a heading that is too light in one, too dark in the other.
        kinds = [fault.split(": ")[1].split(" ")[0] for fault in faults(page)]
        assert sorted(kind for kind in kinds if kind in ("no", "contrast")) == ["contrast", "contrast", "no", "no"]
        assert {"button-name", "color-contrast"} <= set(kinds)


@pytest.mark.model
@pytest.mark.process
@pytest.mark.browser
def test_a_hostile_text_is_only_text_on_every_tab(browser, server: Live):
    with opened(browser, server) as watched:
        page = watched.page
        corpus = [text for _, text in islice(generated(seed=2, size=60), 4) if "\0" not in text]
        write(page, " ".join([ATTACK, *corpus]))
        for tab in ("tuples", "parse", "entities", "graph"):
            choose(page, tab)
        choose(page, "check")
        page.fill("#panel-check .field:nth-child(2) textarea", ATTACK)
        page.click("#run-check")
        page.wait_for_selector(READY)
        page.click("#link")
        page.wait_for_selector(".notice:has-text('address of this page'):visible")
        fragment = page.evaluate("location.hash")
        assert page.evaluate("window.hacked") is None
    with opened(browser, server, fragment) as watched:
        assert watched.page.evaluate("window.hacked") is None


@pytest.mark.model
@pytest.mark.process
@pytest.mark.browser
def test_the_description_of_the_api_and_the_graph_are_one_click_away(browser, server: Live):
    with opened(browser, server) as watched:
        page = watched.page
        page.click("text=API")
        page.wait_for_selector(READY)
        headings = page.locator("h2").all_inner_texts()
        assert {"POST /v1/extract", "GET /v1/graph/query"} <= set(headings)
        expect(page.locator("main")).to_contain_text("min_confidence")
        page.click("text=Try it")
        page.wait_for_selector(READY)
        page.click("text=Look at the whole graph")
        page.wait_for_selector("html[data-arranging=no]", state="attached")
        page.wait_for_selector("#panel button.row")


@pytest.mark.model
@pytest.mark.process
@pytest.mark.browser
def test_a_graph_is_searched_walked_and_asked_with_one_box(browser, server: Live):
    with opened(browser, server) as watched:
        page = watched.page
        choose(page, "knowledge")
        expect(page.locator("#text")).to_be_hidden()
        expect(page.locator("#panel-knowledge h2 >> nth=0")).to_have_text("In this graph")
        expect(page.locator("#panel-knowledge .figures")).to_contain_text("documents\n3", use_inner_text=True)

        def enter(words: str) -> str:
            page.fill("#knowledge", words)
            page.press("#knowledge", "Enter")
            page.wait_for_selector(READY)
            return str(page.inner_text("#panel-knowledge h2 >> nth=0"))

        # Names come while one types; without choosing one, Enter searches.
        page.locator("#knowledge").focus()
        page.keyboard.type("lindvik")
        expect(page.locator("#named li").first).to_contain_text("Lindvik")
        expect(page.locator(".documents li")).to_have_count(3)
        assert faults(page) == []
        assert enter("lindvik") == "2 entities"
        assert {text.lower() for text in page.locator("mark.found").all_inner_texts()} == {"lindvik"}
        page.click("button.name:text-is('Lindvik Shipping')")
        page.wait_for_selector("h2:text-is('Lindvik Shipping')")
        expect(page.locator("blockquote >> nth=0")).to_contain_text("Ann Watson founded Lindvik Shipping in 1998.")
        expect(page.locator("mark.relation").first).to_have_text("founded")
        assert faults(page) == []
        before = page.locator("#panel-knowledge .facts li").count()
        page.locator("#confidence").press("End")
        becomes(page, lambda: page.locator("#panel-knowledge .facts li").count() < before, True)
        page.locator("#confidence").press("Home")
        page.click("button.name:text-is('Ann Watson') >> nth=0")
        page.wait_for_selector("h2:text-is('Ann Watson')")
        # The link leads to what is looked at, not to what was asked before.
        page.click("#link")
        becomes(page, lambda: '"asked":"Ann Watson"' in page.evaluate("atob(location.hash.slice(1))"), True)
        assert enter("Lindvik Shipping to Ann Watson").startswith("1 path ")
        assert enter("Who founded Lindvik Shipping?") == "1 answer"
        expect(page.locator("#panel-knowledge article button.name >> nth=0")).to_have_text("Ann Watson")
        expect(page.locator("#panel-knowledge blockquote mark >> nth=0")).to_have_text("Ann Watson")
        expect(page.locator("#panel-knowledge blockquote >> nth=0")).to_contain_text(
            "Ann Watson founded Lindvik Shipping"
        )
        page.click("#panel-knowledge summary")
        passages = page.locator("#panel-knowledge details article")
        expect(passages).to_have_count(3)
        expect(passages.first).to_contain_text("Ann Watson founded Lindvik Shipping")
        assert enter("Who sold Lindvik Shipping?") == "0 answers"
        expect(page.locator("#panel-knowledge p.soft >> nth=0")).to_contain_text("not in the graph")
        assert enter("?who founded ?company") == "3 answers"
        page.fill("#confidence", "0.9")
        page.wait_for_selector("#panel-knowledge h2:text-is('1 answer')")
        page.uncheck("input[value=asserted]")
        page.wait_for_selector("#panel-knowledge h2:text-is('0 answers')")
        page.check("input[value=asserted]")
        assert faults(page) == []
        enter("Lindvik Shipping to Nowhere")
        page.wait_for_selector(".notice.bad:visible")
        expect(page.locator("#notice")).to_contain_text("Nowhere")
        assert all("status of 400" in line for line in watched.trouble)
        watched.trouble.clear()


@pytest.mark.model
@pytest.mark.process
@pytest.mark.browser
def test_no_page_scrolls_sideways(browser, server: Live):
    """At the width of a phone, of a tablet and of a desktop."""
    with opened(browser, server) as watched:
        page = watched.page
        page.click("text=A news item")
        page.wait_for_selector(".tuple")
        for width in (390, 768, 1400):
            page.set_viewport_size({"width": width, "height": 844})
            for tab in ("tuples", "parse", "entities", "graph", "check", "scores", "knowledge"):
                choose(page, tab)
                becomes(
                    page, lambda width=width: page.evaluate("document.documentElement.scrollWidth") <= width, True
                )


@pytest.mark.model
@pytest.mark.process
@pytest.mark.browser
def test_the_request_is_copied_as_code(browser, server: Live):
    with opened(browser, server, permissions=["clipboard-read", "clipboard-write"]) as watched:
        page = watched.page
        write(page, 'Ann Lee\'s firm "Acme" is in Oslo.')
        for kind, start in (("python", "import tupelo"), ("curl", "curl ")):
            page.click(".code summary")
            page.click(f"#{kind}")
            expect(page.locator(".code[open]")).to_have_count(0)
            copied = page.evaluate("navigator.clipboard.readText()")
            assert copied.startswith(start)
            assert "Acme" in copied
            if kind == "python":
                compile(copied, "copied", "exec")
