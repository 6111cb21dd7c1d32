"""What tab-separated formats have in common."""

from __future__ import annotations

from collections.abc import Sequence

from tupelo.core import Extraction, InputError

# A tuple without confidence counts as certain, as a gold file does when it is scored as a system.
UNKNOWN_CONFIDENCE = 1.0


def is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def confidence_text(extraction: Extraction) -> str:
    """The shortest text that gives the same number back."""
    return repr(UNKNOWN_CONFIDENCE if extraction.confidence is None else float(extraction.confidence))


def require_plain_fields(extraction: Extraction, fields: Sequence[str]) -> Sequence[str]:
    """Refuse fields that would break the line; nothing is replaced silently."""
    for field in fields:
        if "\t" in field or "\n" in field or "\r" in field:
            raise InputError(f"a field of {extraction} holds a tab or line break, which this format cannot hold")
    return fields
