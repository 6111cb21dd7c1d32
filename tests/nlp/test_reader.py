"""Folders that are no reader of this version, or one for another support model: one line, before anything is read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tupelo.core import InputError
from tupelo.nlp.folder import find_model
from tupelo.nlp.reader import load_reader
from tupelo_training.options import write_checksums

CONFIG = {
    "format": 2,
    "name": "own",
    "version": "1.0.0",
    "room": 384,
    "longest_question": 64,
    "below": "en-support",
    "embeddings_sha256": "0" * 64,
}


def write(folder: Path, **changed: object) -> Path:
    (folder / "config.json").write_text(json.dumps({**CONFIG, **changed}), "utf-8")
    write_checksums(folder)
    return folder


def test_an_earlier_format_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        load_reader(write(tmp_path, format=1))
    assert str(caught.value) == f"{tmp_path}/config.json: format 1, expected a folder with a reader of format 2"


def test_other_embeddings_than_those_it_was_made_for_are_refused(tmp_path: Path) -> None:
    reader = load_reader(write(tmp_path))
    with pytest.raises(InputError) as caught:
        reader.read("Who founded Acme?", ["Ann founded Acme."])
    embeddings = find_model("en-support") / "embeddings.onnx"
    wanted = f"expected the file with the SHA-256 {'0' * 64}"
    assert str(caught.value) == f"{tmp_path}/config.json: not made for {embeddings}, {wanted}"
