"""How fluid the page of a graph is, in the Chromium of this machine, while it arranges itself and afterwards.

    python -m benchmarks.graph_page [EDGES]

Needs the test dependencies and Chromium. Prints the time between frames, and the CPU time of the page's main
thread per frame, which does not depend on what else the machine is doing.
"""

from __future__ import annotations

import shutil
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.graph_world import write_world
from tupelo.graph.page import graph_page
from tupelo.graph.store import open_graph
from tupelo.graph.views import embedded
from tupelo.io.web import graph_script, graph_style

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
const state = () => document.documentElement.dataset.arranging;
const tick = now => { frames_.push([now - last, state()]); last = now; ask(tick); };
ask(tick);
"""


def measure(page_file: Path) -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=_FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        page.add_init_script(_WATCH)
        page.goto(page_file.as_uri())
        page.wait_for_timeout(300)
        before = _cpu(session), page.evaluate("drawn")
        page.wait_for_timeout(1_500)
        after = _cpu(session), page.evaluate("drawn")
        page.wait_for_selector("html[data-arranging=no]", state="attached", timeout=120_000)
        page.wait_for_timeout(500)
        times = page.evaluate("frames_")
        browser.close()
    for state, name in (("yes", "while arranging"), ("no", "at rest")):
        found = sorted(time for time, arranging in times if arranging == state)
        if found:
            most = found[int(0.95 * (len(found) - 1))]
            print(f"{name}: {len(found)} frames, median {statistics.median(found):.1f} ms, 95 % below {most:.1f} ms")
    frames = max(1, after[1] - before[1])
    print(f"main thread while arranging: {1000 * (after[0] - before[0]) / frames:.1f} ms of CPU per frame")


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
