"""The probability that a person would keep a node in an index of a text, by its kind and the form of its name.

A logistic curve whose signs are SQL, so that it ranks the nodes of any graph where they are.
"""

from __future__ import annotations

from functools import cache

from tupelo.core.shipped import declared

_FITTED = declared(__name__, "worth.toml")
SIGNS: dict[str, str] = _FITTED["signs"]


@cache
def node_worth() -> str:
    """The probability as SQL over the columns of `entities`."""
    terms = (f"{weight} * ({SIGNS[name]})::DOUBLE" for name, weight in _FITTED["weights"].items())
    return f"1 / (1 + exp(-({' + '.join([str(_FITTED['constant']), *terms])})))"
