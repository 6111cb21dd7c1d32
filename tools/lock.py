"""The lock file of the development environment: `make lock` renews it.

Each entry of `requirements-dev.lock` is a package, its version and the SHA-256 of its files for every platform. There
are no addresses: pip takes the files from the index it is configured for, and refuses any other content. torch is
left out: which build is right, CPU or a version of CUDA, depends on the machine; `pyproject.toml` pins its version.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).resolve().parents[1]
LOCK = "requirements-dev.lock"
NOT_LOCKED = "torch"
# Its tests use a stand-in for its objects.
NOT_INSTALLED = ("stanza",)
_PINNED = re.compile(r"(?P<name>[A-Za-z0-9._-]+)==(?P<version>[^\s;\\]+)")


def extras(pyproject: dict[str, Any]) -> list[str]:
    """Those that tests use, without the ones that bring a package of this repository."""
    return [
        extra
        for extra, needed in pyproject["project"]["optional-dependencies"].items()
        if extra not in NOT_INSTALLED and not any(line.startswith("tupelo") for line in needed)
    ]


def requirements(pyproject: dict[str, Any]) -> Iterator[Requirement]:
    """What the development environment asks for by name."""
    project = pyproject["project"]
    listed = [*project["dependencies"]]
    for extra in extras(pyproject):
        listed += project["optional-dependencies"][extra]
    for group in pyproject["dependency-groups"].values():
        # An included group is a table; it stands in the same file under its own name.
        listed += [line for line in group if isinstance(line, str)]
    yield from map(Requirement, listed)


def locked_versions(lock: str) -> dict[str, list[Version]]:
    """Package -> versions; several where Python versions need different ones."""
    versions: dict[str, list[Version]] = {}
    for line in lock.splitlines():
        if pinned := _PINNED.match(line):
            versions.setdefault(canonicalize_name(pinned["name"]), []).append(Version(pinned["version"]))
    return versions


def problems(pyproject: dict[str, Any], lock: str) -> Iterator[str]:
    """Why the lock does not fit `pyproject.toml`; nothing if it does."""
    versions = locked_versions(lock)
    for requirement in requirements(pyproject):
        name = canonicalize_name(requirement.name)
        if name == NOT_LOCKED:
            continue
        if name not in versions:
            yield f"{LOCK}: {name} is missing. Run make lock"
        for version in versions.get(name, []):
            if version not in requirement.specifier:
                yield f"{LOCK}: {name} {version}, but pyproject.toml asks for {requirement}. Run make lock"
    if "://" in lock:
        yield f"{LOCK}: holds an address; names, versions and sums are enough. Run make lock"
    for entry in re.split(r"\n(?=\S)", lock.strip()):
        if not _PINNED.match(entry) or "--hash=sha256:" not in entry:
            yield f"{LOCK}: no version or no SHA-256 in {entry.splitlines()[0]!r}. Run make lock"


def compile_command(pyproject: dict[str, Any], python: str) -> Sequence[str]:
    command = [python, "-m", "uv", "pip", "compile", "pyproject.toml", "--output-file", LOCK, "--upgrade", "--quiet"]
    command += ["--universal", "--python-version", "3.11", "--generate-hashes"]
    command += ["--no-header", "--no-annotate", "--no-emit-index-url", "--no-emit-package", NOT_LOCKED]
    for extra in extras(pyproject):
        command += ["--extra", extra]
    for group in pyproject["dependency-groups"]:
        command += ["--group", group]
    return command


def main() -> int:
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    done = subprocess.run(compile_command(pyproject, sys.executable), cwd=ROOT, check=False)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
