"""Where our cache is, and that other libraries are sent there."""

from __future__ import annotations

import os
from pathlib import Path

from tupelo.core.cache import cache_root, share_cache


def test_the_environment_names_the_cache():
    assert cache_root({"TUPELO_CACHE": "/srv/cache"}) == Path("/srv/cache")
    assert cache_root({"TUPELO_CACHE": "~/cache"}) == Path.home() / "cache"
    assert cache_root({"TUPELO_CACHE": ""}).name == cache_root({}).name == "tupelo"


def test_a_library_keeps_its_files_in_our_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("TUPELO_CACHE", str(tmp_path))
    monkeypatch.delenv("A_LIBRARY_CACHE", raising=False)
    share_cache("a_library", "A_LIBRARY_CACHE")
    assert os.environ["A_LIBRARY_CACHE"] == str(tmp_path / "a_library")


def test_the_choice_of_a_user_stays(monkeypatch):
    monkeypatch.setenv("A_LIBRARY_CACHE", "/mine")
    share_cache("a_library", "A_LIBRARY_CACHE")
    assert os.environ["A_LIBRARY_CACHE"] == "/mine"


def test_a_library_that_is_loaded_already_is_left_alone(monkeypatch):
    monkeypatch.delenv("A_LIBRARY_CACHE", raising=False)
    share_cache("pytest", "A_LIBRARY_CACHE")
    assert "A_LIBRARY_CACHE" not in os.environ
