"""Cards: the figures of a system on benchmarks, as `tupelo bench --card` writes them."""

from __future__ import annotations

import json
import os
from typing import Any

from tupelo.core import InputError
from tupelo.io.files import InputFile

# The first words of every card; other JSON files are not read to their end.
_BEGINS = ('"card"', '"tupelo bench"')


def read_card(name: str | os.PathLike[str]) -> dict[str, Any] | None:
    """The card in a file, or nothing where the file is something else."""
    if name == "-":
        return None
    with InputFile(name) as file:
        head = file.peek()[:200].decode("utf-8", "replace")
        if not head.lstrip().startswith("{") or not all(words in head for words in _BEGINS):
            return None
        text = "\n".join(line for _, line in file.lines())
    try:
        card = json.loads(text)
        if all(isinstance(entry, dict) and "signature" in entry for entry in card["benchmarks"]) and card["system"]:
            return dict(card)
    except (ValueError, KeyError, TypeError):
        pass
    raise InputError(f"{name}: a damaged card, expected what `tupelo bench --card` writes")
