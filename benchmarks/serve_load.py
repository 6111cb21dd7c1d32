"""Many clients at once on `tupelo serve`: what they are answered, how long they wait, and what memory it takes.

    python -m benchmarks.serve_load --clients 50 --seconds 60
    python -m benchmarks.serve_load --clients 50 --seconds 60 --queue 16

Every client asks `/v1/extract` for the tuples of a few sentences, again and again; one that is told to come back
(429) waits as long as it is told. Any other status is a failure. The memory of the server is read from the kernel.
"""

from __future__ import annotations

import argparse
import http.client
import json
import random
import re
import signal
import statistics
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

SENTENCES = (
    "Marta Solheim, a marine biologist from Bergen, moved to Lindvik in March 2011.",
    "She founded the Coastal Research Station there two years later and has directed it ever since.",
    "According to the local archive, the merchants never paid the builders.",
    "If the state agrees, the council may buy the old cannery next year.",
)


class Clients:
    """Their answers by status, and the seconds that each took."""

    def __init__(self, port: int, end: float) -> None:
        self.port, self.end = port, end
        self.statuses: Counter[int | str] = Counter()
        self.seconds: list[float] = []

    def one(self, number: int) -> None:
        draw = random.Random(number)
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        while time.monotonic() < self.end:
            body = json.dumps({"text": " ".join(draw.choices(SENTENCES, k=draw.randint(1, 5)))})
            start = time.monotonic()
            try:
                connection.request("POST", "/v1/extract", body, {"Content-Type": "application/json"})
                reply = connection.getresponse()
                reply.read()
            except (OSError, http.client.HTTPException) as error:
                self.statuses[type(error).__name__] += 1
                connection.close()
                continue
            self.statuses[reply.status] += 1
            if reply.status == 429:
                time.sleep(float(reply.headers["Retry-After"]))
            else:
                self.seconds.append(time.monotonic() - start)
        connection.close()


def memory(process: int) -> float:
    """Megabytes that a process has in memory."""
    return int(re.findall(r"VmRSS:\s+(\d+)", Path(f"/proc/{process}/status").read_text())[0]) / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--queue", default="64")
    given = parser.parse_args()
    command = [sys.executable, "-m", "tupelo", "serve", "--port", "0", "--queue", given.queue]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        port = int(server.stdout.readline().partition("127.0.0.1:")[2].partition("/")[0])
        Clients(port, time.monotonic() + 1).one(0)
        clients, seen = Clients(port, time.monotonic() + given.seconds), [memory(server.pid)]
        threads = [threading.Thread(target=clients.one, args=(number,)) for number in range(given.clients)]
        for thread in threads:
            thread.start()
        while time.monotonic() < clients.end:
            seen.append(memory(server.pid))
            time.sleep(1)
        for thread in threads:
            thread.join()
        seen.append(memory(server.pid))
        server.send_signal(signal.SIGINT)
    cuts = statistics.quantiles(clients.seconds, n=100)
    half = seen[len(seen) // 2]
    print(f"statuses {dict(clients.statuses)}")
    print(f"median {cuts[49]:.2f} s, p95 {cuts[94]:.2f} s, p99 {cuts[98]:.2f} s")
    print(f"memory {seen[0]:.0f} MB before, {half:.0f} halfway, {seen[-1]:.0f} at the end, at most {max(seen):.0f}")
    failures = set(clients.statuses) - {200, 429}
    sys.exit(f"failures: {failures}" if failures else 0)


if __name__ == "__main__":
    main()
