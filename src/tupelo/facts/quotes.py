"""Quotation marks in one spelling: a source and a text about it often come from different keyboards.

Curly marks, the backticks of TeX and of treebanks and doubled apostrophes all become the straight ones that parser
and network know best. No character moves, so that spans hold for the text as it was written.

>>> straight("``We’re ‘done’,'' she said.")
'" We\\'re \\'done\\', " she said.'
"""

from __future__ import annotations

import re

_DOUBLED = re.compile(r"``|''")
_SINGLE = str.maketrans({"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "‚": "'", "`": "'"})


def straight(text: str) -> str:
    """A text of the same length with straight quotation marks; of a doubled one a space is left on the inside."""
    return _DOUBLED.sub(lambda match: '" ' if match[0] == "``" else ' "', text).translate(_SINGLE)
