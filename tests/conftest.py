"""Fixtures and settings of the whole test suite."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from copy import copy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

import tupelo.nlp.folder as model_folders
from tests.browser import chromium

pytest_plugins = ["tests.tiers"]

# A process of the suite has a core to itself; libraries that take them all would be in each other's way.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# The same examples on every run, and no failure because a machine is slow. HYPOTHESIS_PROFILE=default explores.
settings.register_profile(
    "steady", deadline=None, derandomize=True, max_examples=40, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))

# Nothing that is made while tests are collected is garbage, then or later: to look for it takes a fifth of that time.
gc.disable()

_ROOT = Path(__file__).resolve().parents[1]
_SHARED = _ROOT / ".." / "shared"


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session", autouse=True)
def one_core() -> Iterator[None]:
    """What takes a core for each process or thread, unless told otherwise, takes that of this process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "sched_getaffinity", lambda _: {0}, raising=False)
        yield


@pytest.fixture(scope="session", autouse=True)
def graphs_opened_once() -> Iterator[None]:
    """Networks of the repository's own models are opened once in a process and not once for each test.

    They have no state between calls. Folders of links, as tests of damaged models make, lead to the same ones.
    """
    opened, kept = model_folders.ModelFolder.graph, {}

    def graph(folder: Any, name: str, threads: int, **sizes: int) -> Any:
        file = (folder.path / name).resolve()
        if not file.is_relative_to(_ROOT):
            return opened(folder, name, threads, **sizes)
        # A test may put another class in the place of the usual one.
        key = model_folders.OnnxGraph, file, folder.checksum(name), threads, *sizes.items()
        if key not in kept:
            kept[key] = opened(folder, name, threads, **sizes)
        found = copy(kept[key])
        found._source = str(folder.path / name)
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(model_folders.ModelFolder, "graph", graph)
        yield


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """One browser for the pages of all rooms: a second one in the same process cannot be driven."""
    with chromium() as opened:
        yield opened


@pytest.fixture(scope="session")
def spark_settings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Settings of Spark's machine, which starts once in a process. With little data, compiling takes most time."""
    settings = tmp_path_factory.mktemp("settings") / "spark-defaults.conf"
    # Only a machine that is said to be for tests does without generated code.
    java = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Dspark.testing=true"
    code = "spark.sql.codegen.wholeStage false\nspark.sql.codegen.factoryMode NO_CODEGEN\n"
    settings.write_text(f"{code}spark.driver.extraJavaOptions {java}\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPARK_CONF_DIR", str(settings.parent))
        yield


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with public data and oracle numbers, which is not part of the repository."""
    if not _SHARED.is_dir():
        pytest.skip("needs ../shared (public data and oracle numbers beside the checkout)")
    return _SHARED.resolve()
