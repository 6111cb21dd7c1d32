"""How long a reader of the page waits: from pasting 20 sentences to the first tuple, in Chromium.

python -m benchmarks.serve_page
"""

from __future__ import annotations

import re
import shutil
import signal
import statistics
import subprocess
import sys
import time

from benchmarks.serve_load import SENTENCES

TURNS = 10


def main() -> None:
    from playwright.sync_api import sync_playwright

    command = [sys.executable, "-m", "tupelo", "serve", "--port", "0"]
    seconds = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server, sync_playwright() as driver:
        assert server.stdout is not None
        [address] = re.findall(r"http://\S+", server.stdout.readline())
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page()
        for turn in range(TURNS):
            page.goto(address)
            page.wait_for_selector("html[data-ready=yes]")
            start = time.monotonic()
            page.fill("#text", f"Turn {turn}. " + " ".join(SENTENCES * 5))
            page.press("#text", "Control+Enter")
            page.wait_for_selector(".tuple")
            seconds.append(time.monotonic() - start)
        browser.close()
        server.send_signal(signal.SIGINT)
    print(
        f"first {seconds[0]:.2f} s; of {TURNS} median {statistics.median(seconds):.2f} s, most {max(seconds):.2f} s"
    )


if __name__ == "__main__":
    main()
