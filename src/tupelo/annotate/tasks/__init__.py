"""Every kind of annotation task by name. A new task is one new module, its pages and one line here."""

from __future__ import annotations

from tupelo.annotate.tasks.base import Answer, AnswerError, Extract, Item, PlainTask, Row, Task
from tupelo.core import Registry

TASKS: Registry[Task] = Registry(
    "task",
    {
        "tuples": "tupelo.annotate.tasks.tuples:TASK",
        "reported": "tupelo.annotate.tasks.reported:TASK",
        "paraphrase": "tupelo.annotate.tasks.paraphrase:TASK",
        "clique": "tupelo.annotate.tasks.clique:TASK",
        "preference": "tupelo.annotate.tasks.preference:TASK",
        "candidates": "tupelo.annotate.tasks.candidates:TASK",
        "accuracy": "tupelo.annotate.tasks.accuracy:TASK",
        "claims": "tupelo.annotate.tasks.claims:TASK",
        "clusters": "tupelo.annotate.tasks.clusters:TASK",
    },
)

__all__ = ["TASKS", "Answer", "AnswerError", "Extract", "Item", "PlainTask", "Row", "Task"]
