"""Tuples of a whole clique, ROBUST's second stage: one person sees all sentences that say the same thing.

Row: `sentences`; `tuples`, one list for each of them, where there are some. Content: `sentences`, each as in the task
`tuples`. Answer: `sentences`, one answer of the task `tuples` for each. Tuples of the first sentence are carried over
to the others as suggestions, in the browser, as soon as they exist.
"""

from __future__ import annotations

from typing import Any

from tupelo.annotate.tasks.base import Answer, Extract, Item, Row, RowTask
from tupelo.annotate.tasks.checks import id_of, need_list, need_object, need_text, only_fields
from tupelo.annotate.tasks.tuples import MOST_TUPLES, Tuples, carb_f1
from tupelo.annotate.tasks.words import show_words
from tupelo.core import InputError, Record, Sentence

MOST_SENTENCES = 50
_ONE = Tuples()


class CliqueTuples(RowTask):
    """Every sentence of a clique is a small task of its own."""

    name = "clique"
    title = "Mark the tuples of sentences that say the same; those of the first are carried over"
    version = 1
    reads = "cliques"
    writes = "tuples"

    def item(self, row: Row) -> Item:
        texts = need_list(row, "sentences", 1, MOST_SENTENCES)
        sentences = [need_text({"sentence": text}, "sentence") for text in texts]
        given = need_list(row, "tuples", most=MOST_SENTENCES) if row.get("tuples") else [[] for _ in sentences]
        if len(given) != len(sentences) or not all(isinstance(each, list) for each in given):
            raise InputError(f"'tuples' has {len(given)} lists, expected one for each of {len(sentences)} sentences")
        checked = [
            [_ONE.check_tuple(each, text, "tuples") for each in tuples[:MOST_TUPLES]]
            for text, tuples in zip(sentences, given, strict=True)
        ]
        content = {"sentences": [{"text": text, "words": show_words(text)} for text in sentences]}
        return Item(id_of(row, sentences), content, {"given": checked} if any(checked) else {})

    def validate(self, item: Item, answer: Any, seed: str) -> Answer:
        answer = need_object(answer, "the answer")
        only_fields(answer, "sentences")
        asked = item.content["sentences"]
        given = need_list(answer, "sentences", len(asked), len(asked))
        return {
            "sentences": [
                _ONE.check_answer(
                    each["text"],
                    need_object(said, f"sentence {number + 1}", f"sentences.{number}"),
                    f"sentences.{number}.",
                )
                for number, (each, said) in enumerate(zip(asked, given, strict=True))
            ]
        }

    def grade(self, item: Item, answer: Answer, gold: Answer) -> float:
        """CaRB's F1 over all sentences of the clique."""
        return carb_f1(self.export(item, gold), self.export(item, answer))

    def suggest(self, item: Item, extract: Extract) -> Answer | None:
        texts = [each["text"] for each in item.content["sentences"]]
        tuples = item.hidden.get("given") or [
            _ONE.extracted(text, found) for text, found in zip(texts, extract(texts), strict=True)
        ]
        if not any(tuples):
            return None
        marked = [[{**each, "suggested": True} for each in some] for some in tuples]
        return {"sentences": [{"tuples": some, "none": False} for some in marked]}

    def export(self, item: Item, answer: Answer) -> list[Record]:
        made: list[Record] = []
        for number, (asked, given) in enumerate(zip(item.content["sentences"], answer["sentences"], strict=True)):
            sentence = Sentence(asked["text"], f"{item.id}.{number}", document_id=item.id)
            made.extend(_ONE.sentence_records(sentence, given, item.id))
        return made


TASK = CliqueTuples()
