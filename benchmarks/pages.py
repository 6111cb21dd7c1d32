"""What a browser waits for and loads on the pages of a graph: first paint, weight, and requests to other hosts.

    python -m benchmarks.pages [--entities 50000] [--save]

A server with a made graph of so many entities, in the Chromium of this machine with an empty cache at every visit;
the server has answered the same page before. Nothing is said of other machines.
"""

from __future__ import annotations

import argparse
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.graph_world import write_world
from benchmarks.results import add_save_option, save

TURNS, EDGES_EACH, PATIENCE = 5, 3, 300_000
PAGES = {
    "/": "html[data-ready=yes]",
    "/graph/": "html[data-arranging=no] #picture[data-still=yes]",
}
_PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime / 1000"
_READY = "performance.now() / 1000"


def visit(browser: Any, address: str, ready: str) -> tuple[float, float, int, int]:
    """Seconds to the first paint and until all stands still; bytes of what was loaded; requests to other hosts."""
    page = browser.new_context(viewport={"width": 1400, "height": 900}).new_page()
    loaded: list[Any] = []
    page.on("response", lambda reply: loaded.append(reply))
    page.goto(address)
    page.wait_for_selector(ready, timeout=PATIENCE)
    seconds = page.evaluate(_PAINT), page.evaluate(_READY)
    host = re.match(r"https?://[^/]+", address)
    assert host is not None
    size = sum(len(one.body()) for one in loaded if "/api/" not in one.url and "/v1/" not in one.url)
    elsewhere = sum(not one.url.startswith((host[0], "data:", "blob:")) for one in loaded)
    page.context.close()
    return *seconds, size, elsewhere


def main() -> None:
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entities", type=int, default=50_000)
    add_save_option(parser)
    given = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "world.duckdb"
        write_world(path, EDGES_EACH * given.entities, given.entities)
        command = [sys.executable, "-m", "tupelo", "serve", "--port", "0", "--graph", str(path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server, sync_playwright() as driver:
            assert server.stdout is not None
            [address] = re.findall(r"http://[\d.:]+", server.stdout.readline())
            browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
            for name, ready in PAGES.items():
                # The first visit is that of a cold server.
                seen = [visit(browser, address + name, ready) for _ in range(TURNS + 1)][1:]
                paints, stills, sizes, elsewhere = zip(*seen, strict=True)
                middle, most, still = statistics.median(paints), max(paints), statistics.median(stills)
                shown = [f"{middle:.2f} s", f"{most:.2f} s", f"{still:.2f} s", f"{max(sizes) / 1000:.0f} kB"]
                rows.append([f"`{name}`", *shown, str(sum(elsewhere))])
            browser.close()
            server.terminate()
    header = ["page", "first paint, median", "most", "all in place", "loaded", "requests to other hosts"]
    for row in [header, *rows]:
        print("\t".join(row))
    if given.save:
        save("serve-pages", header, rows)


if __name__ == "__main__":
    main()
