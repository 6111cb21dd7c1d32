"""Examples in docstrings give what is shown below them."""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path

import pytest

from tests.docs.pages import ROOT

pytestmark = pytest.mark.model

SOURCE = ROOT / "src"
MODULES = sorted(path for path in SOURCE.rglob("*.py") if ">>> " in path.read_text("utf-8"))


def dotted(path: Path) -> str:
    return ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")


@pytest.mark.parametrize("name", [dotted(path) for path in MODULES])
def test_examples_in_docstrings_are_true(name: str) -> None:
    assert not doctest.testmod(import_module(name)).failed
