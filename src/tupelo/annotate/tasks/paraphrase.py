"""Correction of a machine's paraphrase, ROBUST's first stage: grammar, phrase or the whole sentence.

Row: `original` and `paraphrase`; a file of cliques, as `tupelo cliques build` writes it, has a row for each of its
paraphrases. Content: the same, with `content_words`, the words of the original that a paraphrase
rarely does without (names and numbers). Answer: `verdict` (`good`: as it is, `corrected`, `hopeless`: no paraphrase
can be made of it); for `corrected` also the new `text` and `kinds` of correction (`grammar`, `phrase`, `rewrite`);
`kept` is true where the person has confirmed that the content is kept although content words are gone.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Hashable, Mapping, Sequence
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
)
from tupelo.annotate.tasks.words import words_of

VERDICTS = ("good", "corrected", "hopeless")
KINDS = ("grammar", "phrase", "rewrite")
_LONGEST = 4_000
_NUMBER = re.compile(r"\d")


class Paraphrase(RowTask):
    """A sentence beside its original."""

    name = "paraphrase"
    reads = "paraphrases"
    title = "Correct a paraphrase so that it is good English and says what the original says"
    levels: ClassVar[Mapping[str, str]] = {"verdict": "nominal"}

    def item(self, row: ItemRow) -> Item:
        original, paraphrase = (need_text(row, name, _LONGEST) for name in ("original", "paraphrase"))
        content = {"original": original, "paraphrase": paraphrase, "content_words": content_words(original)}
        return Item(id_of(row, [original, paraphrase]), content)

    def validate(self, item: Item, answer: Any, seed: str) -> Answer:
        answer = need_object(answer, "the answer")
        only_fields(answer, "verdict", "text", "kinds", "kept")
        verdict = one_of(answer, "verdict", VERDICTS)
        if verdict == "hopeless":
            return {"verdict": verdict}
        text = " ".join(need_text(answer, "text", _LONGEST).split()) if verdict == "corrected" else ""
        made = text or item.content["paraphrase"]
        if verdict == "corrected" and text == " ".join(item.content["paraphrase"].split()):
            raise AnswerError("the text is not changed, expected a correction or the verdict 'good'", "text")
        if _folded(made) == _folded(item.content["original"]):
            raise AnswerError("the text says it in the words of the original, expected other words", "text")
        kept = answer.get("kept") is True
        gone = missing_words(item.content["content_words"], made)
        if gone and not kept:
            raise AnswerError(
                f"the text has lost {', '.join(gone)}, expected them or a confirmation that the content is kept",
                "kept",
            )
        if verdict == "good":
            return {"verdict": verdict, "kept": kept}
        kinds = need_list(answer, "kinds", 1, len(KINDS))
        for kind in kinds:
            one_of({"kinds": kind}, "kinds", KINDS)
        return {"verdict": verdict, "text": text, "kinds": [k for k in KINDS if k in kinds], "kept": kept}

    def grade(self, item: Item, answer: Answer, gold: Answer) -> float:
        """1 for the same verdict; if both corrected the text, the similarity of their words."""
        if answer["verdict"] != gold["verdict"]:
            return 0.0
        if answer["verdict"] != "corrected":
            return 1.0
        return difflib.SequenceMatcher(None, _words(gold["text"]), _words(answer["text"]), autojunk=False).ratio()

    def units(self, item: Item, answer: Answer) -> dict[tuple[str, str], Hashable]:
        return {("verdict", ""): answer["verdict"]}

    def export(self, item: Item, answer: Answer) -> list[dict[str, Any]]:
        made = answer.get("text") or (item.content["paraphrase"] if answer["verdict"] == "good" else None)
        row = {"id": item.id, **{name: item.content[name] for name in ("original", "paraphrase")}}
        return [row | {"verdict": answer["verdict"], "corrected": made, "kinds": answer.get("kinds", [])}]


def content_words(text: str) -> list[str]:
    """Names and numbers: words with a digit, or with a capital elsewhere than at the start of the sentence.

    >>> content_words("Ann Berg moved to Oslo in 1998 .")
    ['Berg', 'Oslo', '1998']
    """
    found: dict[str, None] = {}
    before = "."
    for start, end in words_of(text):
        word = text[start:end]
        if _NUMBER.search(word) or (word[0].isupper() and before not in '.!?"“:' and word != "I"):
            found.setdefault(word)
        before = word
    return list(found)


def missing_words(wanted: Sequence[str], text: str) -> list[str]:
    """The words that the text lacks, ignoring case and endings."""
    have = _words(text)
    return [word for word in wanted if not any(_same(word.casefold(), other) for other in have)]


def _same(one: str, other: str) -> bool:
    ends = ("", "s", "'s", "’s", "s'")
    return any(one + end == other or other + end == one for end in ends)


def _words(text: str) -> list[str]:
    return [text[start:end].casefold() for start, end in words_of(text)]


def _folded(text: str) -> str:
    """Text without case, spacing and punctuation."""
    return " ".join(word for word in _words(text) if word[0].isalnum())


TASK = Paraphrase()
