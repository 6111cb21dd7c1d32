"""Every kind of annotation task by name. A new task is one object with the attributes of `AnnotationTask`.

Other packages add theirs with an entry point of the group `tupelo.annotation_tasks`, a program with `TASKS.register`.
"""

from __future__ import annotations

from tupelo.annotate.tasks.base import AnnotationTask, Answer, AnswerError, ExtractTuples, Item, ItemRow
from tupelo.core import Registry

TASKS: Registry[AnnotationTask] = Registry(
    "task",
    {
        "tuples": "tupelo.annotate.tasks.tuples:TUPLES",
        "reported": "tupelo.annotate.tasks.tuples:REPORTED",
        "judgements": "tupelo.annotate.tasks.judging:JUDGEMENTS",
        "paraphrase": "tupelo.annotate.tasks.judging:PARAPHRASE",
        "clique": "tupelo.annotate.tasks.tuples:CLIQUE",
        "preference": "tupelo.annotate.tasks.choices:PREFERENCE",
        "candidates": "tupelo.annotate.tasks.choices:CANDIDATES",
        "accuracy": "tupelo.annotate.tasks.judging:ACCURACY",
        "claims": "tupelo.annotate.tasks.judging:CLAIMS",
        "clusters": "tupelo.annotate.tasks.choices:CLUSTERS",
    },
    group="tupelo.annotation_tasks",
)

__all__ = ["TASKS", "AnnotationTask", "Answer", "AnswerError", "ExtractTuples", "Item", "ItemRow"]
