"""Checkpoints of others are looked for on this machine only."""

from __future__ import annotations

import socket

import pytest

from tests.extras import needs
from tupelo.core import InputError
from tupelo_training.canon.checkpoint import TransformerEncoder, checkpoint_folder
from tupelo_training.seq2seq import Seq2SeqParaphraser

pytestmark = needs("transformers", "transformers")


@pytest.fixture
def asked(monkeypatch) -> list[str]:
    """The names of machines that were looked up."""
    names: list[str] = []

    def look_up(host, *_, **__):
        names.append(str(host))
        raise OSError("no network in tests")

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    return names


@pytest.mark.slow
@pytest.mark.parametrize("name", ["no-such-model", "somebody/no-such-model", "no/such/folder", "."])
def test_a_name_that_is_not_on_this_machine_is_refused_without_asking_anybody(asked, name):
    with pytest.raises(InputError, match="expected a folder with a BERT-like model"):
        TransformerEncoder.of_folder(name)
    with pytest.raises(InputError, match="no checkpoint that can be opened"):
        Seq2SeqParaphraser(name)._open()
    assert asked == []


def test_a_folder_stands_for_itself(tmp_path):
    assert checkpoint_folder(str(tmp_path)) == str(tmp_path)
