"""Where a phrase stands in its sentence, when nobody says so."""

from __future__ import annotations

import re

from tupelo.core.sentence import Span


def find_phrase(phrase: str, sentence: str) -> Span | None:
    """The first place where the words stand as they are, whole words only, upper and lower case alike."""
    if not phrase or not sentence:
        return None
    found = re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", sentence, re.IGNORECASE)
    return Span(*found.span()) if found else None
