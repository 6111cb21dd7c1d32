"""Names of the canonicalization methods, and the line that describes each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tupelo.core.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable

    from tupelo.core.protocols import CanonMethod

METHODS: Registry[Callable[..., CanonMethod]] = Registry(
    "method",
    {
        "surface": "tupelo.canon.methods.surface:SurfaceForms",
        "tokens": "tupelo.canon.methods.tokens:TokenOverlap",
    },
)

TITLES: dict[str, str] = {
    "surface": "equal words, nothing else",
    "tokens": "shared words, rare ones count more; paraphrases and relation rules as side information",
}
