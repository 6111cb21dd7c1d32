"""A name for a cluster: its most telling surface form."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

_LETTER = re.compile(r"[^\W\d_]")


def telling_name(forms: Sequence[str]) -> str:
    """The form that people would know the cluster by, from all its occurrences.

    Frequent forms are known; longer ones say more ("Joseph Biden" against
    "Biden"), up to a point: a form counts its occurrences times the words it has,
    four at most. A form without a single letter loses against any with one.
    Ties go to the longer form, then to the first in the alphabet.

    >>> telling_name(["Biden", "Joe Biden", "Joe Biden", "J. Biden"])
    'Joe Biden'
    """
    counts = Counter(forms)

    def weight(form: str) -> tuple[bool, int, int, str]:
        return (
            _LETTER.search(form) is None,
            -counts[form] * min(len(form.split()), 4),
            -len(form),
            form,
        )

    return min(counts, key=weight)


def forms_by_frequency(forms: Sequence[str]) -> tuple[str, ...]:
    """Distinct forms, the most frequent first, ties in alphabetical order."""
    counts = Counter(forms)
    return tuple(sorted(counts, key=lambda form: (-counts[form], form)))
