"""How far a generated text agrees with its source, from 1 to 5 (Goodrich et al. 2019, section 8.1 and Figure 2).

Row: `source` and `generated`. Content: the same. Answer: `score`, 1 (very poor) to 5 (very good); `no_claims` is
true where the text claims nothing that the source could support or refute, and its score is then 1, as in the
paper; `note`. Only what the source supports or refutes counts, never what a reader knows.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, ClassVar

from tupelo.annotate.tasks.base import Answer, AnswerError, Item, PlainTask, Row
from tupelo.annotate.tasks.checks import id_of, need_object, need_text, one_of, only_fields, optional_text

SCORES = (1, 2, 3, 4, 5)
_LONGEST_NOTE = 2_000


class Accuracy(PlainTask):
    """Source and generated text side by side."""

    name = "accuracy"
    title = "Rate how far a generated text agrees with its source, from 1 to 5"
    version = 1
    reads = "pairs"
    writes = "rows"
    levels: ClassVar[Mapping[str, str]] = {"score": "ordinal"}

    def items(self, rows: Sequence[Row], settings: Mapping[str, Any]) -> list[Item]:
        items = []
        for row in rows:
            content = {"source": need_text(row, "source"), "generated": need_text(row, "generated")}
            hidden = {"system": optional_text(row, "system", 200)} if row.get("system") else {}
            items.append(Item(id_of(row, content), content, hidden))
        return items

    def validate(self, item: Item, answer: Any, seed: str) -> Answer:
        answer = need_object(answer, "the answer")
        only_fields(answer, "score", "no_claims", "note")
        score = one_of(answer, "score", SCORES)
        no_claims = answer.get("no_claims") is True
        if no_claims and score != 1:
            raise AnswerError(f"a score of {score} for a text without claims to check, expected 1", "score")
        return {"score": score, "no_claims": no_claims, "note": optional_text(answer, "note", _LONGEST_NOTE)}

    def grade(self, item: Item, answer: Answer, gold: Answer) -> float:
        """1 for the same score, 0 for the other end of the scale."""
        return 1 - abs(int(answer["score"]) - int(gold["score"])) / (SCORES[-1] - SCORES[0])

    def units(self, item: Item, answer: Answer) -> dict[tuple[str, str], Hashable]:
        return {("score", ""): answer["score"]}

    def export(self, item: Item, answer: Answer) -> list[dict[str, Any]]:
        """Rows that `tupelo score factuality` reads: its scores go from 0 to 1."""
        score = (answer["score"] - SCORES[0]) / (SCORES[-1] - SCORES[0])
        row = {"id": item.id, **item.content, "score": score, "rating": answer["score"]}
        return [row | item.hidden | {"no_claims": answer["no_claims"], "note": answer["note"]}]


TASK = Accuracy()
