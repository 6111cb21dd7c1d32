from __future__ import annotations

from pathlib import Path

import pytest

import tupelo.nlp.folder
from tests.nlp.stub_model import StubGraph, write_stub
from tupelo.nlp.pipeline import Pipeline


@pytest.fixture
def stub_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tupelo.nlp.folder, "OnnxGraph", StubGraph)
    return write_stub(tmp_path)


@pytest.fixture
def stub(stub_folder: Path) -> Pipeline:
    """A pipeline without weights, whose graphs answer with arbitrary numbers."""
    pipeline = Pipeline(stub_folder, threads=1)
    # It is opened in the background, which may take longer than the test, and with it the stand-in.
    pipeline.model._encoder()
    return pipeline
