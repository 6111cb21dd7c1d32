"""One line that says how a number came about, as sacreBLEU does for BLEU."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from tupelo.core.version import __version__

_CHECKSUM_LENGTH = 8


def signature(scorer: str, options: Mapping[str, Any], data: Mapping[str, str] | None = None) -> str:
    """`scorer|gold:…|match:…|v:…`; everything that can change the figures, nothing that cannot.

    >>> signature("carb", {"match": "binary-lenient"}, {"gold": "dev.tsv@2081484b"})
    'carb|gold:dev.tsv@2081484b|match:binary-lenient|v:0.1.0'
    """
    parts = {**(data or {}), **options, "v": __version__}
    return "|".join([scorer, *(f"{name}:{_plain(value)}" for name, value in parts.items())])


def file_mark(name: str, checksum: str) -> str:
    """A file in a signature: its name, and the start of the SHA-256 of its uncompressed content."""
    return f"{PurePath(name).name}@{checksum[:_CHECKSUM_LENGTH]}"


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    # The separators must stay separators, whatever a file is called.
    return "".join("_" if letter in "|:" or letter.isspace() else letter for letter in str(value))
