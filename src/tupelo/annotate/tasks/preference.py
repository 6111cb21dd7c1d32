"""Which of two systems did better on a sentence, or neither (CaRB, section 5.3).

Row: `text` and `systems`, the name of each of the two with its tuples (`["arg1", "relation", "arg2", …]`, or
objects with `rel` and `args` as in other tasks). Content: `text` and `options`, each with a neutral `id` and its
`tuples`; which system an id stands for is hidden, and the order changes from person to person. Answer: `choice`, an
id or `equal`; `reason`, a note, may be empty.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, ClassVar

from tupelo.annotate.tasks.base import Answer, Item, Row, RowTask
from tupelo.annotate.tasks.checks import (
    id_of,
    need_list,
    need_object,
    need_text,
    one_of,
    only_fields,
    optional_text,
    shuffled,
)
from tupelo.core import InputError

EQUAL = "equal"
_IDS = ("one", "two")
_LONGEST_REASON = 2_000


class Preference(RowTask):
    """Two lists of tuples side by side."""

    name = "preference"
    title = "Choose the better of two lists of tuples for a sentence, or say that they are equal"
    version = 1
    reads = "rows"
    writes = "rows"
    levels: ClassVar[Mapping[str, str]] = {"choice": "nominal"}

    def item(self, row: Row) -> Item:
        text = need_text(row, "text")
        systems = need_object(row.get("systems"), "'systems'")
        if len(systems) != 2:
            raise InputError(f"'systems' has {len(systems)} names, expected two")
        names = sorted(systems)
        shown = {name: [_strings(each) for each in need_list(systems, name)] for name in names}
        name = id_of(row, [text, shown])
        # Even the neutral ids say nothing: which system comes first differs from item to item.
        order = [names[number] for number in shuffled(2, name)]
        options = [{"id": key, "tuples": shown[system]} for key, system in zip(_IDS, order, strict=True)]
        return Item(name, {"text": text, "options": options}, {"systems": dict(zip(_IDS, order, strict=True))})

    def present(self, item: Item, seed: str) -> dict[str, Any]:
        options = item.content["options"]
        return {**item.content, "options": [options[number] for number in shuffled(len(options), seed)]}

    def validate(self, item: Item, answer: Any, seed: str) -> Answer:
        answer = need_object(answer, "the answer")
        only_fields(answer, "choice", "reason", "system")
        if "system" in answer:
            # As people write it in files: they do not know the ids.
            names = {name: key for key, name in item.hidden["systems"].items()} | {EQUAL: EQUAL}
            return {"choice": names[one_of(answer, "system", tuple(names))], "reason": ""}
        choice = one_of(answer, "choice", (*_IDS, EQUAL))
        return {"choice": choice, "reason": optional_text(answer, "reason", _LONGEST_REASON)}

    def grade(self, item: Item, answer: Answer, gold: Answer) -> float:
        return float(answer["choice"] == gold["choice"])

    def units(self, item: Item, answer: Answer) -> dict[tuple[str, str], Hashable]:
        return {("choice", ""): self._system(item, answer)}

    def export(self, item: Item, answer: Answer) -> list[dict[str, Any]]:
        systems = sorted(item.hidden["systems"].values())
        better = self._system(item, answer)
        return [
            {
                "id": item.id,
                "text": item.content["text"],
                "systems": systems,
                "better": better,
                "reason": answer["reason"],
            }
        ]

    def _system(self, item: Item, answer: Answer) -> str:
        return EQUAL if answer["choice"] == EQUAL else str(item.hidden["systems"][answer["choice"]])


def _strings(given: Any) -> list[str]:
    """Subject, relation and the other arguments."""
    if isinstance(given, Mapping):
        arguments = need_list(given, "args", 1)
        given = [arguments[0], given.get("rel"), *arguments[1:]]
    if not isinstance(given, list) or len(given) < 2 or not all(isinstance(part, str) for part in given):
        raise InputError(f'the tuple {str(given)[:60]}, expected ["arg1", "relation", "arg2", …]')
    return list(given)


TASK = Preference()
