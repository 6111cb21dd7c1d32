"""Everyday calls that share a name with a room stay callable once the room is imported."""

from __future__ import annotations

import importlib
from types import ModuleType

import tupelo
from tupelo import api


def test_a_room_with_the_name_of_a_call_can_be_called(monkeypatch):
    text = importlib.import_module("tupelo.api.text")
    monkeypatch.setattr(text, "facts", lambda number: number + 1, raising=False)
    monkeypatch.setitem(api.PLACES, "facts", "text")
    room = importlib.import_module("tupelo.facts")
    tupelo.facts = room
    assert tupelo.facts(1) == 2
    assert isinstance(tupelo.facts, ModuleType)
    assert importlib.import_module("tupelo.facts.values") is tupelo.facts.values
