"""Tests that need more than a plain install skip with the name of the extra."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.util import find_spec

import pytest
from packaging.requirements import Requirement

_REFUSAL = re.compile(r"needs an extra: pip install 'tupelo\[(?P<extra>[\w-]+)\]'")
_NO_MODULE = re.compile(r"^ModuleNotFoundError: No module named '(?P<module>\w+)'$", re.MULTILINE)
_NO_MODEL = re.compile(r"the model '[\w-]+' is not installed: pip install (?P<package>[\w-]+)")


def needs(package: str, extra: str) -> pytest.MarkDecorator:
    """Skip unless the package is installed. For whole modules and fixtures: `pytest.importorskip`."""
    return pytest.mark.skipif(find_spec(package) is None, reason=f"needs the extra '{extra}'")


def skip_without_extra(output: str) -> None:
    """Skip if a program stopped for want of an extra or a model package that is indeed not installed."""
    if (found := _NO_MODEL.search(output)) and find_spec(found["package"].replace("-", "_")) is None:
        pytest.skip(f"needs the package '{found['package']}'")
    if (found := _NO_MODULE.search(output)) and found["module"] != "tupelo" and find_spec(found["module"]) is None:
        pytest.skip(f"needs the package '{found['module']}'")
    if (found := _REFUSAL.search(output)) and not _is_installed(found["extra"]):
        pytest.skip(f"needs the extra '{found['extra']}'")


def _is_installed(extra: str) -> bool:
    for requirement in map(Requirement, requires("tupelo") or ()):
        if requirement.marker and requirement.marker.evaluate({"extra": extra}):
            try:
                version(requirement.name)
            except PackageNotFoundError:
                return False
    return True
