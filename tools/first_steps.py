"""What a new user does first, in an environment with nothing but the packages: `python first_steps.py base`.

`base` is a plain `pip install tupelo`, `packages` has the model packages and the extra `serve` too, and `clone` is a
short check of an install from a clone. `tools.dist` starts it in an empty folder, with an empty home and without a
network.
"""

from __future__ import annotations

import os
import re
import struct
import subprocess
import sys
import urllib.request
from contextlib import suppress
from pathlib import Path

ARTICLE = "Three men robbed the bank in Oslo on Monday. Ann Lee, who founded Acme in 1998, called the police."
SUMMARY = "Two men robbed the bank on Monday. Ann Lee founded Acme."
TRIPLES = "Ann Lee\tfounded\tAcme\nA. Lee\tstarted\tAcme Inc.\nBob\twas born in\tOslo\n"
FACT = "Marie Curie was born in Warsaw, the capital of Poland."
_ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+/\S*")
_SIOCSIFFLAGS, _IFF_UP = 0x8914, 1


def base() -> None:
    said = tupelo("demo", "-o", "demo")
    listed = next(line for line in said.splitlines() if line.startswith("In demo/: "))
    for name in listed.removeprefix("In demo/: ").partition(", and ")[0].split(", "):
        assert Path("demo", name).stat().st_size, f"{name} is empty"
    assert "pip install 'tupelo[plot]'" in said
    expect(tupelo("extract", "article.txt", "--format", "tab"), "\tfounded\tAnn Lee\tAcme")
    expect(tupelo("check", "summary.txt", "--source", "article.txt"), "refuted")
    tupelo("graph", "build", "article.txt", "-o", "kg.duckdb")
    expect(tupelo("graph", "query", "kg.duckdb", "?who founded ?what"), "Ann Lee")
    unserved = tupelo("graph", "serve", "kg.duckdb", status=2)
    assert unserved.count("\n") == 1, unserved
    expect(unserved, "pip install 'tupelo[serve]'")
    expect(tupelo("canonicalize", "triples.tsv"), "Ann Lee")
    expect(tupelo("infer", "aspirin, cures, pain", "aspirin, helps with, pain"), "0.")
    missing = tupelo("facts", "extract", "fact.txt", status=2)
    assert missing.count("\n") == 1, missing
    expect(missing, "the model 'en-facts' is not installed: pip install tupelo-facts-en")


def packages() -> None:
    expect(tupelo("facts", "extract", "fact.txt"), "Warsaw")
    expect(tupelo("facts", "extract", "fact.txt", "--method", "end-to-end"), "Warsaw")
    tupelo("graph", "build", "article.txt", "-o", "kg.duckdb")
    expect(tupelo("graph", "ask", "kg.duckdb", "Who founded Acme?"), "Ann Lee")
    serve("kg.duckdb")


def clone() -> None:
    expect(tupelo("extract", "article.txt", "--format", "tab"), "\tfounded\tAnn Lee\tAcme")


def serve(graph: str) -> None:
    """Start the server of a graph, read its page, stop it."""
    command = [sys.executable, "-m", "tupelo", "graph", "serve", graph, "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as server:
        try:
            assert server.stdout is not None
            address = next(found[0] for line in server.stdout if (found := _ADDRESS.search(line)))
            with urllib.request.urlopen(address, timeout=60) as answer:
                expect(answer.read().decode(), "<html")
            print(f"  tupelo graph serve {graph}", flush=True)
        finally:
            server.terminate()


def tupelo(*arguments: str, status: int = 0) -> str:
    """What a command prints on both streams."""
    done = subprocess.run(
        [sys.executable, "-m", "tupelo", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == status, f"{' '.join(arguments)}: status {done.returncode}\n{done.stdout}"
    print(f"  tupelo {' '.join(arguments)}", flush=True)
    return done.stdout


def expect(said: str, part: str) -> None:
    assert part in said, f"expected {part!r} in:\n{said}"


def open_loopback() -> None:
    """Let this machine talk to itself: where the network was shut off, not even that works at first."""
    import fcntl
    import socket

    # On an ordinary network only root may do this, and it is done already.
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket, suppress(PermissionError):
        fcntl.ioctl(any_socket, _SIOCSIFFLAGS, struct.pack("16sh22x", b"lo", _IFF_UP))


def main() -> int:
    open_loopback()
    for name, text in (("article", ARTICLE), ("summary", SUMMARY), ("fact", FACT)):
        Path(f"{name}.txt").write_text(text + "\n", "utf-8")
    Path("triples.tsv").write_text(TRIPLES, "utf-8")
    {"base": base, "packages": packages, "clone": clone}[sys.argv[1]]()
    home = Path(os.environ["HOME"])
    stray = [path for path in home.rglob("*") if path.is_file() and "tupelo" not in path.relative_to(home).parts]
    assert not stray, f"files in the home of the user: {stray}"
    return 0


if __name__ == "__main__":
    sys.exit(main())
