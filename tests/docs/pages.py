"""The pages of the site, the files they show, and the commands in them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from tupelo.io.examples import GOLD, SYSTEMS, example_files

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
EXAMPLES = sorted((DOCS / "examples").glob("*.py"))
# The first comes from the catalogue; the commands of the others need datasets and hours.
_NOT_RUN = ("datasets.md", "benchmarks/")
PAGES = [path for path in sorted(DOCS.rglob("*.md")) if not path.relative_to(DOCS).as_posix().startswith(_NOT_RUN)]
_CONSOLE = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)


def page_name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def load_generator() -> ModuleType:
    """`docs/generate.py`, which is a script and no part of a package."""
    spec = spec_from_file_location("docs_generate", DOCS / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@dataclass(frozen=True, slots=True)
class Command:
    """A line after `$` in a console block, with the output that the page shows."""

    line: str
    shown: str


def commands_in(text: str) -> Iterator[Command]:
    for block in _CONSOLE.findall(text):
        for piece in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            line, _, shown = piece.partition("\n")
            yield Command(line, shown.rstrip("\n"))


def fill_folder(folder: Path) -> None:
    """What the reader of a page has at hand: the bundled files and those that the site offers."""
    with example_files(GOLD, *SYSTEMS) as paths:
        for path in paths:
            shutil.copy(path, folder)
    for path in (DOCS / "examples").glob("small-*"):
        shutil.copy(path, folder)


def run_in_shell(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """A command as a reader would type it; standard error goes where standard output goes, as on a terminal."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return subprocess.run(
        ["bash", "-c", line],
        cwd=folder,
        env={**os.environ, "PATH": path, "TUPELO_CACHE": str(folder / "cache")},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        check=False,
    )


def run_python(script: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """A script in an interpreter of its own, where a warning is an error."""
    return subprocess.run(
        [sys.executable, "-W", "error", str(script)],
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
