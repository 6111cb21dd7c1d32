"""`tupelo reproduce` prints what the modules of `papers` return."""

from __future__ import annotations

import json

import pytest

from papers import combo, combo_grid, factual_accuracy
from tests.cli.runner import run
from tests.cli.test_canonicalize import combo_file

COMMANDS = {"reproduce combo", "reproduce facts"}


def test_combo(capsys, tmp_path):
    data = combo_file(tmp_path / "a.json")
    found = combo.reproduce(str(data), ["surface"])
    outcome = run(capsys, "reproduce", "combo", data, "--method", "surface", "--json")
    assert (outcome.status, json.loads(outcome.out)) == (0, json.loads(json.dumps(found.to_dict())))


@pytest.mark.model
def test_combo_grid(capsys, tmp_path):
    data, other = combo_file(tmp_path / "a.json"), combo_file(tmp_path / "b.json", 100)
    settings = {"form": "sep", "pooling": "mean", "layer": "1"}
    options = {"tune_on": str(other), "settings": settings, "tasks": ["rpc"], "cells": tmp_path / "cells"}
    found = combo_grid.reproduce(str(data), ["random"], **options)
    arguments = [part for name, value in settings.items() for part in ("--set", f"{name}={value}")]
    places = ("--tune-on", other, "--cells", tmp_path / "cells", "--task", "rpc", "--method", "random")
    outcome = run(capsys, "reproduce", "combo", data, "--grid", *arguments, *places, "--json")
    assert (outcome.status, json.loads(outcome.out)) == (0, json.loads(json.dumps(found.to_dict())))


@pytest.mark.model
def test_facts(capsys, tmp_path):
    def judged(sentence: str, answer: str) -> str:
        responses = [{"worker_id": worker, "response": answer} for worker in range(2)]
        return json.dumps(
            {
                "article": "Ann Lee was born in Rome.",
                "summary_sentences": [{"sentence": sentence, "responses": responses}],
            }
        )

    file = tmp_path / "judged.jsonl"
    rows = [judged("Ann Lee was born in Rome.", "yes"), judged("Ann Lee was born in Oslo.", "no")]
    file.write_text("\n".join(rows) + "\n", "utf-8")
    options = factual_accuracy.FactualAccuracyOptions(judged=str(file), methods=("none",))
    found = factual_accuracy.reproduce(options)
    arguments = ("--judged", file, "--format", "qags", "--method", "none", "--json")
    outcome = run(capsys, "reproduce", "facts", *arguments)
    assert (outcome.status, json.loads(outcome.out)) == (0, json.loads(json.dumps(found.to_dict())))
