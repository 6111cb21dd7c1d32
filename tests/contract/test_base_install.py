"""A plain install stays light: what `pip install tupelo` brings, read from the metadata of what is installed."""

from __future__ import annotations

from importlib.metadata import requires

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

# Every addition is a decision: docs/dependencies.md gives the reason and the size.
DIRECT = {"click", "duckdb", "filelock", "numpy", "onnxruntime", "platformdirs", "pyarrow", "rich", "sqlglot"}
# flatbuffers, packaging and protobuf come with onnxruntime; the others with rich.
INDIRECT = {"flatbuffers", "markdown-it-py", "mdurl", "packaging", "protobuf", "pygments"}


def needed_by(package: str) -> set[str]:
    """Packages that the package asks for on this platform, without extras."""
    asked = map(Requirement, requires(package) or ())
    return {canonicalize_name(one.name) for one in asked if one.marker is None or one.marker.evaluate({"extra": ""})}


def test_a_plain_install_brings_these_packages_and_no_others():
    assert needed_by("tupelo") == DIRECT
    found: set[str] = set()
    open_ends = {"tupelo"}
    while open_ends:
        found |= (new := needed_by(open_ends.pop()) - found)
        open_ends |= new
    assert found - DIRECT <= INDIRECT
