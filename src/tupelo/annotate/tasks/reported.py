"""What somebody said in a sentence, with who said it: a task of its own, so that nobody learns all rules at once.

As the task `tuples`, and every tuple has a `speaker` and a `verb` of saying.
"""

from __future__ import annotations

from typing import ClassVar

from tupelo.annotate.tasks.tuples import Tuples


class Reported(Tuples):
    """Tuples inside reported speech."""

    name = "reported"
    title = "Mark who says what: the speaker, the verb of saying, and every fact that is reported"
    must: ClassVar[tuple[str, ...]] = ("speaker", "verb")


TASK = Reported()
