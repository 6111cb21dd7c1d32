"""Everyday calls that share a name with a room stay callable once the room is imported."""

from __future__ import annotations

import importlib
from types import ModuleType

import pytest

import tupelo
from tupelo import api


@pytest.mark.parametrize(
    "name", sorted(name for name in api.PLACES if name in ("cliques", "facts", "infer", "score"))
)
def test_a_room_with_the_name_of_a_call_can_be_called(monkeypatch, name):
    module = importlib.import_module(f"tupelo.api.{api.PLACES[name]}")
    monkeypatch.setattr(module, name, lambda number: number + 1)
    room = importlib.import_module(f"tupelo.{name}")
    assert getattr(tupelo, name) is room
    assert isinstance(room, ModuleType)
    assert getattr(tupelo, name)(1) == 2


def test_every_name_is_there():
    for name in api.PLACES:
        assert hasattr(tupelo, name), name
        assert name in tupelo.__all__, name
        assert name in api.__all__, name
