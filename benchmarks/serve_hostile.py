"""Hostile texts through `tupelo serve`: what is replied, and how the server's time grows with the text.

    python -m benchmarks.serve_hostile --texts 300 --size 1500

Texts of the hostile corpus go to `/v1/extract`, `/v1/analyze`, `/v1/check` and `/v1/draw`; any status but 200, 400,
413 and 422 is a failure. Then some clauses that are repeated without an end go to `/v1/extract` at two sizes; time is
that of the server's CPU, and an exponent of 1 is linear growth.
"""

from __future__ import annotations

import argparse
import http.client
import json
import math
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any

from benchmarks.hostile.texts import generated

ALLOWED = {200, 400, 413, 422}
SIZES = (2_000, 8_000)
# Of the corpus; all of them, with larger sizes, take minutes.
CLAUSES = ("Ann, ", "Ann, the president, ", "Ann saw Bob and ", "the man who saw ", "She saw him. ")


class Server:
    """A client of the one server, which also reads how much CPU the server has used."""

    def __init__(self, process: int, port: int) -> None:
        self._stat = Path(f"/proc/{process}/stat")
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)

    def post(self, path: str, body: dict[str, Any]) -> int:
        headers = {"Content-Type": "application/json"}
        self._connection.request("POST", path, json.dumps(body).encode("utf-8", "replace"), headers)
        reply = self._connection.getresponse()
        reply.read()
        return reply.status

    def cpu(self) -> float:
        fields = self._stat.read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def replies(server: Server, texts: int, size: int) -> tuple[Counter[int], float]:
    """How often each status was replied, and the longest wait."""
    statuses: Counter[int] = Counter()
    longest = 0.0
    for _, text in islice(generated(seed=1, size=size), texts):
        half = len(text) // 2
        for path, body in (
            ("/v1/extract", {"text": text}),
            ("/v1/analyze", {"text": text, "coreference": True}),
            ("/v1/check", {"text": text[:half], "source": text[half:]}),
            ("/v1/draw", {"text": text[:500]}),
        ):
            start = time.monotonic()
            statuses[server.post(path, body)] += 1
            longest = max(longest, time.monotonic() - start)
    return statuses, longest


def growth(server: Server, fragment: str) -> tuple[float, float]:
    """The exponent of the growth of time with size, and the seconds of CPU at the larger size."""
    seconds = []
    for size in SIZES:
        before = server.cpu()
        server.post("/v1/extract", {"text": (fragment * size)[:size]})
        seconds.append(max(server.cpu() - before, 0.01))
    return math.log(seconds[1] / seconds[0]) / math.log(SIZES[1] / SIZES[0]), seconds[1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=int, default=300)
    parser.add_argument("--size", type=int, default=1500)
    given = parser.parse_args()
    command = [sys.executable, "-m", "tupelo", "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        port = int(process.stdout.readline().partition("127.0.0.1:")[2].partition("/")[0])
        server = Server(process.pid, port)
        statuses, longest = replies(server, given.texts, given.size)
        print(f"statuses {dict(sorted(statuses.items()))}, longest {longest:.1f} s")
        grown = {fragment: growth(server, fragment) for fragment in CLAUSES}
        process.send_signal(signal.SIGINT)
    for fragment, (exponent, seconds) in sorted(grown.items(), key=lambda one: -one[1][1]):
        print(f"{exponent:5.2f}  {seconds:5.2f} s  {fragment!r}")
    print(f"worst exponent {max(exponent for exponent, _ in grown.values()):.2f} of {len(grown)} clauses")
    failures = set(statuses) - ALLOWED
    sys.exit(f"failures: {failures}" if failures else 0)


if __name__ == "__main__":
    main()
