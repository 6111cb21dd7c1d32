"""Weights that several tests of canonicalization read."""

from __future__ import annotations

import pytest

from tupelo.canon.heads import Heads, load_heads
from tupelo.nlp.encoder import Encoder, load_encoder


@pytest.fixture(scope="package")
def encoder() -> Encoder:
    return load_encoder()


@pytest.fixture(scope="package")
def heads() -> Heads:
    return load_heads()
