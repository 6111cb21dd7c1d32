"""Is a tuple right, and does it say something? The readings from which the confidence of tuples is learned.

Row: `text`, a sentence; `tuple`, `["arg1", "relation", "arg2", …]`; where known `before` and `after`, lists of the
sentences around it (`context` in the settings says how many are shown on either side), and `marks`, the reservations
under which the sentence claims the tuple (*not*, *Ann said*). `document`, `sentence` (its number), `start` and `end`
(its characters), `extraction` (the record of the tuple) and `extractors` are kept for the export and never shown.
Files of tuples become such rows; a tuple that several extractors found is one. Content: `text`, `before`, `after`,
`tuple`, `marks`. Answer: `label`, which is `good` (right and informative), `empty` (right, but says too little) or
`wrong`; of a wrong one `part`, the part that is, and `corrected`, the `tuple` and `marks` that the sentence does
state, or nothing.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, ClassVar

from tupelo.annotate.tasks.base import (
    MOST_CONTEXT,
    Answer,
    AnswerError,
    Item,
    ItemRow,
    PlainTask,
    id_of,
    need_list,
    need_object,
    need_text,
    one_of,
    only_fields,
)
from tupelo.core import InputError

LABELS = ("good", "empty", "wrong")
PARTS = ("subject", "relation", "argument", "marks", "several")
_CONTEXT = 2
_MOST_PARTS = 12
_LONGEST_PART = 4_000
_KEPT = ("document", "sentence", "start", "end", "extraction", "extractors")


class Judgements(PlainTask):
    """One tuple at a time, beside its sentence and the sentences around it."""

    name = "judgements"
    title = "Say whether a tuple is right and informative; name and correct the part that is wrong"
    reads = "extractions"
    levels: ClassVar[Mapping[str, str]] = {"right": "nominal", "good": "nominal"}

    def items(self, rows: Sequence[ItemRow], settings: Mapping[str, Any]) -> list[Item]:
        context = settings.get("context", _CONTEXT)
        if type(context) is not int or not 0 <= context <= MOST_CONTEXT:
            raise InputError(f"'context' is {context!r}, expected a number of sentences from 0 to {MOST_CONTEXT}")
        return [_item(row, context) for row in rows]

    def validate(self, item: Item, answer: Any, seed: str) -> Answer:
        answer = need_object(answer, "the answer")
        only_fields(answer, "label", "part", "corrected")
        label = one_of(answer, "label", LABELS)
        if label != "wrong":
            return {"label": label, "part": None, "corrected": None}
        return {"label": label, "part": one_of(answer, "part", PARTS), "corrected": _correction(item, answer)}

    def grade(self, item: Item, answer: Answer, gold: Answer) -> float:
        """1 for the same label, a half for *good* and *empty*, which are both right. Corrections do not count."""
        labels = {answer["label"], gold["label"]}
        return 1.0 if len(labels) == 1 else 0.0 if "wrong" in labels else 0.5

    def units(self, item: Item, answer: Answer) -> dict[tuple[str, str], Hashable]:
        return {("right", ""): answer["label"] != "wrong", ("good", ""): answer["label"] == "good"}

    def export(self, item: Item, answer: Answer) -> list[dict[str, Any]]:
        """The correction is one text, as in the judged set: `She ; did not sell ; it {not}`."""
        corrected = answer["corrected"]
        marks = "".join(f" {{{mark}}}" for mark in corrected["marks"]) if corrected else ""
        correction = " ; ".join(corrected["tuple"]) + marks if corrected else None
        judged = {"label": answer["label"], "part": answer["part"], "correction": correction}
        return [{"id": item.id, **item.hidden, **item.content, **judged}]


def _item(row: ItemRow, context: int) -> Item:
    text = need_text(row, "text")
    before, after = (_texts(row, name, most=MOST_CONTEXT) for name in ("before", "after"))
    content = {
        "text": text,
        "before": before[len(before) - min(context, len(before)) :],
        "after": after[:context],
        "tuple": _texts(row, "tuple", 2, _MOST_PARTS),
        "marks": _texts(row, "marks", most=_MOST_PARTS),
    }
    hidden = {name: row[name] for name in _KEPT if row.get(name) is not None}
    place = [*(hidden.get(name) for name in _KEPT[:4]), text, content["tuple"], content["marks"]]
    return Item(id_of(row, place), content, hidden)


def _texts(raw: Mapping[str, Any], name: str, least: int = 0, most: int = 0, where: str | None = None) -> list[str]:
    """A list of texts; one that may be empty may also be missing."""
    where = where or name
    given = need_list(raw, name, least, most, where) if least or raw.get(name) is not None else []
    return [need_text({name: each}, name, _LONGEST_PART, f"{where}.{number}") for number, each in enumerate(given)]


def _correction(item: Item, answer: Mapping[str, Any]) -> dict[str, list[str]] | None:
    if answer.get("corrected") is None:
        return None
    given = need_object(answer["corrected"], "'corrected'", "corrected")
    only_fields(given, "tuple", "marks")
    corrected = {
        "tuple": _texts(given, "tuple", 2, _MOST_PARTS, "corrected.tuple"),
        "marks": _texts(given, "marks", most=_MOST_PARTS, where="corrected.marks"),
    }
    if corrected == {"tuple": item.content["tuple"], "marks": item.content["marks"]}:
        raise AnswerError("the correction is the tuple itself, expected another one, or none", "corrected")
    return corrected


TASK = Judgements()
