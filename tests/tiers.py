"""Tiers of tests: what a test may use without saying so.

A test without a tier's marker runs in `make quick`: it may not open a shipped model, start a process or a browser, or
import torch or Spark, and it may take two seconds of processor time. `pytest --quick` runs these alone, and each that
breaks the rule fails with the marker that it lacks. Properties are tried on fewer examples there.

    model     the shipped weights are loaded
    process   another program or another Python is started: commands, servers, pools, strace
    browser   pages are opened in Chromium
    torch     networks are trained
    spark     a local Spark cluster is started
    slow      more than two seconds for another reason
"""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

TIERS = {
    "model": "loads shipped weights",
    "process": "starts another program or another Python",
    "browser": "opens pages in Chromium",
    "torch": "trains networks",
    "spark": "starts a local Spark cluster",
    "slow": "takes more than two seconds",
}
# Packages that belong to a tier.
_PACKAGES = {"torch": "torch", "pyspark": "spark", "playwright": "browser"}
# A module whose tests all belong to a tier.
_WHOLE = re.compile(rf"^pytestmark = pytest\.mark\.({'|'.join(TIERS)})$", re.MULTILINE)
# Tests that load frameworks.
_FRAMEWORKS = ("tests/integrations/", "tests/docs/test_examples.py")
# Seconds of processor time of one test, with its fixtures.
LIMIT = 2.0


def tiers_of(item: pytest.Item) -> set[str]:
    return {mark.name for mark in item.iter_markers()} & TIERS.keys()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help="only tests without a tier, each held to the rule")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that load the same large things come first, one after the other.

    Several workers take neighbours together, so that Spark and the frameworks start in one of them and not in each.
    """

    def place(item: pytest.Item) -> int:
        if item.get_closest_marker("spark"):
            return 0
        return 1 if item.nodeid.startswith(_FRAMEWORKS) else 2

    items.sort(key=place)


def pytest_configure(config: pytest.Config) -> None:
    for name, meaning in TIERS.items():
        config.addinivalue_line("markers", f"{name}: {meaning}")
    if config.getoption("--quick"):
        settings.register_profile("quick", settings.get_profile("steady"), max_examples=15)
        settings.load_profile("quick")
        config.pluginmanager.register(QuickTier())


class QuickTier(MetaPathFinder, Loader):
    """Runs only tests without a tier, and refuses what belongs to one."""

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        tiered = {item for item in items if tiers_of(item)}
        config.hook.pytest_deselected(items=list(tiered))
        items[:] = [item for item in items if item not in tiered]

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        """Modules that belong to a tier as a whole are not imported: what they use takes seconds to load."""
        return (
            collection_path.suffix == ".py" and _WHOLE.search(collection_path.read_text("utf-8")) is not None
        ) or None

    @pytest.hookimpl(trylast=True)
    def pytest_sessionstart(self, session: pytest.Session) -> None:
        if session.config.pluginmanager.has_plugin("dsession"):
            return  # this process only starts the ones that run tests

        import onnxruntime

        _learn_characters()
        sys.meta_path.insert(0, self)
        onnxruntime.InferenceSession.__init__ = _refusal("model")
        subprocess.Popen.__init__ = _refusal("process")  # type: ignore[method-assign]
        BaseProcess.start = _refusal("process")  # type: ignore[method-assign]

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        """Claims the packages of a tier: they can be found, which some tests ask, and not imported."""
        return ModuleSpec(name, self) if name in _PACKAGES else None

    def exec_module(self, module: ModuleType) -> NoReturn:
        raise ModuleNotFoundError(_rule(_PACKAGES[module.__name__]), name=module.__name__)


@settings(max_examples=1, database=None)
@given(st.text())
def _learn_characters(_: str) -> None:
    """Hypothesis reads its tables of characters once; whichever test came first would be charged with that."""


def _refusal(tier: str) -> Callable[..., NoReturn]:
    def refuse(*_: object, **__: object) -> NoReturn:
        pytest.fail(_rule(tier))

    return refuse


def _rule(tier: str) -> str:
    return f"a test without a tier {TIERS[tier]}: mark it @pytest.mark.{tier} (tests/tiers.py)"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    item.stash[_STARTED] = time.process_time()
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[Any]:
    report = yield
    spent = time.process_time() - item.stash.get(_STARTED, time.process_time())
    if (
        call.when == "call"
        and report.passed
        and spent > LIMIT
        and not tiers_of(item)
        and item.config.getoption("--quick")
    ):
        report.outcome = "failed"
        report.longrepr = f"took {spent:.1f} s of processor time, at most {LIMIT} without a tier (tests/tiers.py)"
    return report


_STARTED = pytest.StashKey[float]()
