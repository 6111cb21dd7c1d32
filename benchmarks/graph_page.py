"""How fluid the page of a graph is with all its edges, in the Chromium of this machine: while they find their places,
while the picture is dragged, and at rest.

    python -m benchmarks.graph_page [EDGES]

Needs the test dependencies and Chromium. Prints how long the page takes until all edges have their places, the time
between frames, and the CPU time of the page's main thread per frame, which does not depend on what else the machine
is doing.
"""

from __future__ import annotations

import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.graph_world import write_world
from tupelo.graph.report.views import embedded
from tupelo.graph.store.file import open_graph
from tupelo.show.graph_page import graph_page
from tupelo.web.page import graph_script, graph_style

_FLAGS = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
# Counts the page's own frames and measures the time from one frame to the next.
_WATCH = """
window.drawn = 0; window.frames_ = [];
const ask = window.requestAnimationFrame.bind(window);
window.requestAnimationFrame = call => ask(now => { window.drawn++; call(now); });
let last = performance.now();
const tick = now => { frames_.push(now - last); last = now; ask(tick); };
ask(tick);
"""
_NODES = "document.getElementById('picture').view.nodes"


def measure(page_file: Path) -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=_FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        page.add_init_script(_WATCH)
        begun = time.perf_counter()
        page.goto(page_file.as_uri())
        page.wait_for_selector("html[data-arranging=no]", state="attached", timeout=120_000)
        print(f"first view: {len(page.evaluate(_NODES))} entities after {time.perf_counter() - begun:.2f} s")
        _phase(page, session, "all edges find their places", lambda: _show_all(page))
        page.wait_for_timeout(1_000)
        _phase(page, session, "dragged", lambda: _drag(page))
        page.wait_for_timeout(500)
        _phase(page, session, "at rest", lambda: page.wait_for_timeout(500))
        browser.close()


def _phase(page: Any, session: Any, name: str, act: Callable[[], None]) -> None:
    """Frames and CPU time while something happens."""
    page.evaluate("frames_.length = 0")
    before = _cpu(session), page.evaluate("drawn")
    act()
    used, drawn = _cpu(session) - before[0], page.evaluate("drawn") - before[1]
    times = sorted(page.evaluate("frames_"))
    most = times[int(0.95 * (len(times) - 1))]
    each = f", {1000 * used / drawn:.1f} ms of CPU for each of {drawn} drawn" if drawn else ", nothing drawn"
    print(f"{name}: median {statistics.median(times):.1f} ms between frames, 95 % below {most:.1f} ms{each}")


def _show_all(page: Any) -> None:
    begun = time.perf_counter()
    page.click("#everything")
    page.wait_for_selector("html[data-arranging=no] #picture[data-still=yes]", timeout=300_000)
    print(f"all edges: {len(page.evaluate(_NODES))} entities in place after {time.perf_counter() - begun:.2f} s")


def _drag(page: Any) -> None:
    page.mouse.move(40, 400)
    page.mouse.down()
    for step in range(90):
        page.mouse.move(40 + 2 * step, 400 + step)
    page.mouse.up()


def _cpu(session: Any) -> float:
    metrics = session.send("Performance.getMetrics")["metrics"]
    return float(next(item["value"] for item in metrics if item["name"] == "TaskDuration"))


def main() -> None:
    edges = int(sys.argv[1]) if len(sys.argv) > 1 else 5_000
    with tempfile.TemporaryDirectory() as folder:
        write_world(Path(folder) / "world.duckdb", edges)
        with open_graph(Path(folder) / "world.duckdb") as store:
            data = embedded(store, limit=edges)
        page = Path(folder) / "world.html"
        page.write_text(graph_page("world", data, graph_script(), graph_style()), "utf-8")
        print(f"{edges:,} edges, {len(data['nodes']):,} entities, page of {page.stat().st_size / 1e6:.1f} MB")
        measure(page)


if __name__ == "__main__":
    main()
