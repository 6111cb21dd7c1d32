"""The tables and numbers of this room: `aliases.tsv`, `places.tsv`, `probabilities.toml`, fitted `weights.toml`."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import repeat
from operator import mul
from typing import Any


def read_table(name: str) -> Iterator[list[str]]:
    """The rows of a table, whose first lines say where it is from."""
    for line in _text(f"{name}.tsv").splitlines():
        if not line.startswith("#"):
            yield line.split("\t")


def numbers(section: str) -> Mapping[str, Any]:
    """Probabilities, weights and thresholds, which were fitted or estimated as the file says."""
    return sections("probabilities.toml")[section]


def score(section: str, features: Mapping[str, float]) -> float:
    """The score of a pair by its features: the logarithm of its odds. A feature without a weight says nothing."""
    weights = sections("weights.toml")[section]
    return sum(map(mul, map(weights.get, features, repeat(0.0)), features.values()), 0.0)


def probabilities(section: str, candidates: Sequence[Mapping[str, float]]) -> list[float]:
    """The probability of each candidate by its features, beside the others and that it is none of them."""
    odds = [math.exp(min(score(section, features), 30.0)) for features in candidates]
    total = 1.0 + sum(odds)
    return [one / total for one in odds]


@cache
def sections(name: str) -> dict[str, dict[str, Any]]:
    return tomllib.loads(_text(name))


def _text(name: str) -> str:
    return files("tupelo.names").joinpath(name).read_text("utf-8")
