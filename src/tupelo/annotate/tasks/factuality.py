"""Generated texts against their sources (Goodrich et al. 2019, section 8.1): a score from 1 to 5, or claim by claim.

`accuracy` (their Figure 2). Row: `source` and `generated`. Content: the same. Answer: `score`, 1 (very poor) to 5
(very good); `no_claims` is true where the text claims nothing that the source could support or refute, and its score
is then 1, as in the paper; `note`. Only what the source supports or refutes counts, never what a reader knows.

`claims`. Row: `source` and `claims` (texts); `generated` where the claims come from a text, whose sentences are the
claims when there are none. Content: `source`, `generated` (maybe empty) and `claims`, with `sentences` of the source
to point at. Answer: `labels`, one for each claim (supported, refuted or unverifiable), and `evidence`, for each
claim the numbers of sentences that decide it.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping
from typing import Any, ClassVar

from tupelo.annotate.tasks.base import (
    Answer,
    AnswerError,
    Item,
    ItemRow,
    RowTask,
    id_of,
    need_list,
    need_object,
    need_text,
    one_of,
    only_fields,
    optional_text,
    share_equal,
)
from tupelo.core import InputError

SCORES = (1, 2, 3, 4, 5)
_LONGEST_NOTE = 2_000


class Accuracy(RowTask):
    """Source and generated text side by side."""

    name = "accuracy"
    title = "Rate how far a generated text agrees with its source, from 1 to 5"
    reads = "pairs"
    levels: ClassVar[Mapping[str, str]] = {"score": "ordinal"}

    def item(self, row: ItemRow) -> Item:
        content = {"source": need_text(row, "source"), "generated": need_text(row, "generated")}
        hidden = {"system": optional_text(row, "system", 200)} if row.get("system") else {}
        return Item(id_of(row, content), content, hidden)

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


LABELS = ("supported", "refuted", "unverifiable")
# White space after a full stop and optional quotation marks, before a capital or a digit; or a new line.
_END = re.compile(r"(?:(?<=[.!?])|(?<=[.!?][\"”’)]))\s+(?=[\"“‘(]*[A-Z0-9])|\n+")
_ABBREVIATION = re.compile(r"(?:\b[A-Z]|\b(?:Mr|Mrs|Ms|Dr|Prof|St|No|Inc|Co|Jr|Sr|vs|etc))\.$")


class Claims(RowTask):
    """A source beside a list of claims."""

    name = "claims"
    title = "Say for each claim whether the source supports it, refutes it, or leaves it open"
    reads = "pairs"
    levels: ClassVar[Mapping[str, str]] = {"label": "nominal"}

    def item(self, row: ItemRow) -> Item:
        source, generated = need_text(row, "source"), optional_text(row, "generated")
        if row.get("claims"):
            claims = [need_text({"claim": claim}, "claim", 4_000) for claim in need_list(row, "claims", 1)]
        elif generated:
            claims = split_sentences(generated)
        else:
            raise InputError("no 'claims' and no 'generated', expected one of them")
        content = {"source": source, "generated": generated, "claims": claims, "sentences": split_sentences(source)}
        return Item(id_of(row, content), content)

    def validate(self, item: Item, answer: Any, seed: str) -> Answer:
        answer = need_object(answer, "the answer")
        only_fields(answer, "labels", "evidence")
        count = len(item.content["claims"])
        labels = need_list(answer, "labels", count, count)
        for number, label in enumerate(labels):
            one_of({"label": label}, "label", LABELS, f"labels.{number}")
        evidence = need_list(answer, "evidence", count, count) if answer.get("evidence") else [[] for _ in labels]
        return {
            "labels": labels,
            "evidence": [
                _numbers(each, len(item.content["sentences"]), f"evidence.{number}")
                for number, each in enumerate(evidence)
            ],
        }

    def grade(self, item: Item, answer: Answer, gold: Answer) -> float:
        return share_equal(dict(enumerate(gold["labels"])), dict(enumerate(answer["labels"])))

    def units(self, item: Item, answer: Answer) -> dict[tuple[str, str], Hashable]:
        return {("label", str(number)): label for number, label in enumerate(answer["labels"])}

    def export(self, item: Item, answer: Answer) -> list[dict[str, Any]]:
        given = zip(item.content["claims"], answer["labels"], answer["evidence"], strict=True)
        return [
            {
                "id": f"{item.id}:{number}",
                "source": item.content["source"],
                "claim": claim,
                "label": label,
                "evidence": [item.content["sentences"][place] for place in places],
            }
            for number, (claim, label, places) in enumerate(given)
        ]


def split_sentences(text: str) -> list[str]:
    """Sentences to point at; a missed split does no harm here, one inside a name would.

    >>> split_sentences("Ann S. Berg paints. She lives in Oslo.")
    ['Ann S. Berg paints.', 'She lives in Oslo.']
    """
    sentences: list[str] = []
    for piece in _END.split(text):
        # No abbreviation is longer, and a long sentence may be followed by many empty lines.
        if sentences and _ABBREVIATION.search(sentences[-1][-8:]):
            sentences[-1] += f" {piece.strip()}"
        elif piece.strip():
            sentences.append(piece.strip())
    return sentences


def _numbers(given: Any, count: int, where: str) -> list[int]:
    numbers = given if isinstance(given, list) else []
    if numbers != given or any(type(number) is not int or not 0 <= number < count for number in numbers):
        raise AnswerError(f"evidence {str(given)[:40]}, expected numbers of sentences below {count}", where)
    return sorted(set(numbers))


ACCURACY, CLAIMS = Accuracy(), Claims()
