"""`import tupelo` and `tupelo --help` stay light: heavy packages are loaded by the function that needs them."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.process

HEAVY = ("numpy", "pyarrow", "rich", "matplotlib", "onnxruntime", "duckdb", "pandas", "scipy", "torch")

HELP = """
import sys
sys.argv = ["tupelo", *{arguments!r}]
from tupelo.cli import main
try:
    main()
except SystemExit as stop:
    assert not stop.code, stop.code
"""


def loaded_after(code: str, packages: tuple[str, ...] = HEAVY) -> list[str]:
    """Which of the packages a fresh interpreter has loaded after running the code."""
    report = (
        f"\nimport sys\nprint('LOADED', *[name for name in {packages!r} if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code + report], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stderr.splitlines()[-1].split()[1:]


@pytest.mark.parametrize(
    "code",
    [
        "import tupelo",
        "import tupelo.core, tupelo.io.tuples, tupelo.io.catalogue, tupelo.io.fetch",
        "from tupelo.io.formats import FORMATS; [FORMATS.get(name) for name in FORMATS if name != 'parquet']",
    ],
)
def test_an_import_loads_nothing_heavy(code):
    assert loaded_after(code) == []


@pytest.mark.parametrize(
    "arguments",
    [
        ("--help",),
        ("data", "get", "--help"),
        ("extract", "--help"),
        ("graph", "build", "--help"),
        ("cliques", "build", "--help"),
        ("check", "--help"),
    ],
)
def test_help_loads_nothing_heavy(arguments):
    assert loaded_after(HELP.format(arguments=arguments)) == []


def test_a_list_off_a_terminal_needs_no_rich():
    assert loaded_after(HELP.format(arguments=("data", "list"))) == []


def test_scorers_load_neither_onnxruntime_nor_duckdb():
    code = "from tupelo.scorers import SCORERS; [SCORERS.get(name) for name in SCORERS]"
    assert loaded_after(code, ("onnxruntime", "duckdb", "pyarrow", "matplotlib", "rich")) == []


def test_the_probe_can_fail():
    assert loaded_after("import pyarrow") != []
