"""Tuples of one sentence, as CaRB collected them: relation first, then arguments, then time and place if any.

Row: `text`; `tuples` where somebody or something made some already. Content: `text`, and `words` as pairs of what
stands before a word and the word. Answer: `tuples`, each with `rel`, `args` (the first is the subject) and optional
`time` and `place`, all of them parts (see `words`); `none` is true where the sentence has no tuple. `suggested`
marks tuples that a machine made and a person took over. In files a tuple may be written as `["arg1", "relation",
"arg2", …]`.

The task `reported` asks for what somebody said in a sentence: every tuple also has a `speaker` and a `verb` of
saying. The task `clique` shows all sentences of a clique at once, ROBUST's second stage. Row: `sentences`; `tuples`,
one list for each of them, where there are some. Content and answer: `sentences`, each as in the task `tuples`. The
browser carries tuples of the first sentence over to the others as suggestions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from tupelo.annotate.tasks.base import (
    Answer,
    AnswerError,
    ExtractTuples,
    Item,
    ItemRow,
    RowTask,
    id_of,
    need_fields,
    need_list,
    need_object,
    need_text,
    only_fields,
)
from tupelo.annotate.tasks.words import WordSpan, as_argument, check_part, find_part, part_text, show_words, words_of
from tupelo.core import Attribution, Extraction, InputError, Record, Sentence
from tupelo.scorers.carb import Carb

MOST_ARGUMENTS = 12
MOST_TUPLES = 100
TIME_AND_PLACE = (("time", "time"), ("place", "location"))


class TupleTask(RowTask):
    """Every fact of a sentence as a tuple."""

    name = "tuples"
    title = "Mark every fact of a sentence as a tuple: relation, arguments, time and place"
    reads = "sentences"
    writes = "tuples"
    # Parts that every tuple of the task has, besides relation and arguments.
    must: ClassVar[tuple[str, ...]] = ()

    def item(self, row: ItemRow) -> Item:
        text = need_text(row, "text")
        content = {"text": text, "words": show_words(text)}
        given = need_list(row, "tuples", most=MOST_TUPLES) if row.get("tuples") else []
        hidden: dict[str, Any] = (
            {"given": [self.check_tuple(each, text, "tuples") for each in given]} if given else {}
        )
        if row.get("document_id") is not None:
            hidden["document_id"] = str(row["document_id"])
        return Item(id_of(row, text), content, hidden)

    def validate(self, item: Item, answer: Any, seed: str) -> Answer:
        return self.check_answer(item.content["text"], need_object(answer, "the answer"), "")

    def check_answer(self, text: str, answer: Mapping[str, Any], where: str) -> Answer:
        """The tuples of one sentence; `where` is the path to it inside a bigger answer."""
        only_fields(answer, "tuples", "none")
        given = need_list(answer, "tuples", most=MOST_TUPLES, where=f"{where}tuples")
        tuples = [self.check_tuple(each, text, f"{where}tuples.{number}") for number, each in enumerate(given)]
        if bool(tuples) == (answer.get("none") is True):
            raise AnswerError(
                "a tuple, or the word that there is none, is expected; not both, not neither", f"{where}tuples"
            )
        wordings = [_wording(text, words_of(text), each) for each in tuples]
        for number, wording in enumerate(wordings):
            if wording in wordings[:number]:
                raise AnswerError(f"the tuple ({wording}) is there twice, expected once", f"{where}tuples.{number}")
        return {"tuples": tuples, "none": not tuples}

    def check_tuple(self, given: Any, text: str, where: str) -> dict[str, Any]:
        words = words_of(text)
        if isinstance(given, list) and len(given) > 1:
            given = {"rel": given[1], "args": [given[0], *given[2:]]}
        given = need_object(given, "a tuple", where)
        only_fields(given, "rel", "args", "time", "place", "suggested", *self.must)
        checked: dict[str, Any] = {
            "rel": check_part(given.get("rel"), text, words, "relation", f"{where}.rel"),
            "args": [
                check_part(part, text, words, f"argument {number + 1}", f"{where}.args.{number}")
                for number, part in enumerate(need_list(given, "args", 1, MOST_ARGUMENTS, f"{where}.args"))
            ],
        }
        for name in (*self.must, "time", "place"):
            if name in self.must or given.get(name):
                checked[name] = check_part(given.get(name), text, words, name, f"{where}.{name}")
        return {**checked, "suggested": True} if given.get("suggested") else checked

    def grade(self, item: Item, answer: Answer, gold: Answer) -> float:
        """CaRB's F1, `gold` being the gold standard."""
        return carb_f1(self.export(item, gold), self.export(item, answer))

    def suggest(self, item: Item, extract: ExtractTuples) -> Answer | None:
        """The tuples that came with the row, or else those of the extractor."""
        tuples = item.hidden.get("given") or self.extracted(item.content["text"], extract([item.content["text"]])[0])
        return {"tuples": [{**each, "suggested": True} for each in tuples], "none": False} if tuples else None

    def extracted(self, text: str, found: Iterable[Extraction]) -> list[dict[str, Any]]:
        """Tuples of an extractor in the form of this task; incomplete ones are skipped."""
        words = words_of(text)
        tuples: dict[str, dict[str, Any]] = {}
        for extraction in found:
            made = self.from_extraction(text, words, extraction)
            if made:
                tuples.setdefault(_wording(text, words, made), made)
        return list(tuples.values())[:MOST_TUPLES]

    def from_extraction(self, text: str, words: Sequence[WordSpan], found: Extraction) -> dict[str, Any] | None:
        made: dict[str, Any] = {"rel": find_part(text, words, found.rel.text), "args": []}
        names = {role: name for name, role in TIME_AND_PLACE}
        for argument in found.arguments:
            name = names.get(argument.role or "")
            part = find_part(text, words, argument.text)
            if part and name and name not in made:
                made[name] = part
            elif part:
                made["args"].append(part)
        if self.must and found.attribution is not None:
            made |= {name: find_part(text, words, getattr(found.attribution, name) or "") for name in self.must}
        whole = made["rel"] and 0 < len(made["args"]) <= MOST_ARGUMENTS and all(made.get(name) for name in self.must)
        return made if whole else None

    def export(self, item: Item, answer: Answer) -> list[Record]:
        sentence = Sentence(item.content["text"], item.id, item.hidden.get("document_id"))
        return self.sentence_records(sentence, answer)

    def sentence_records(self, sentence: Sentence, answer: Answer, group: str | None = None) -> list[Record]:
        """The tuples of a sentence, or the bare sentence if it was annotated as having none."""
        words = words_of(sentence.text)
        made: list[Record] = [self.extraction(sentence, words, each, group) for each in answer["tuples"]]
        return made or [sentence]

    def extraction(
        self, sentence: Sentence, words: Sequence[WordSpan], given: Mapping[str, Any], group: str | None
    ) -> Extraction:
        arguments = [as_argument(sentence.text, words, part) for part in given["args"]]
        for name, role in TIME_AND_PLACE:
            if given.get(name):
                arguments.append(as_argument(sentence.text, words, given[name], role))
        said = {name: part_text(sentence.text, words, given[name]) for name in self.must}
        return Extraction(
            sentence,
            as_argument(sentence.text, words, given["rel"]),
            arguments[0],
            tuple(arguments[1:]),
            attribution=Attribution(said["speaker"], said["verb"]) if said else None,
            group=group,
        )


def carb_f1(gold: Sequence[Record], given: Sequence[Record]) -> float:
    """CaRB's F1; 1 if neither side has a tuple."""
    tuples = [sum(isinstance(record, Extraction) for record in side) for side in (gold, given)]
    if not all(tuples):
        return float(not any(tuples))
    # Counting a form of "be" twice would inflate the score.
    return Carb(fixes=("be-counted-twice",)).evaluate(gold, given).score().f1


def _wording(text: str, words: Sequence[WordSpan], given: Mapping[str, Any]) -> str:
    parts = [given["args"][0], given["rel"], *given["args"][1:]]
    parts += [given[name] for name in ("time", "place", "speaker", "verb") if given.get(name)]
    return "; ".join(part_text(text, words, part) for part in parts)


class Reported(TupleTask):
    """Tuples inside reported speech."""

    name = "reported"
    title = "Mark who says what: the speaker, the verb of saying, and every fact that is reported"
    must: ClassVar[tuple[str, ...]] = ("speaker", "verb")


MOST_SENTENCES = 50


_TUPLES = TupleTask()


class CliqueTuples(RowTask):
    """Every sentence of a clique is a small task of its own."""

    name = "clique"
    title = "Mark the tuples of sentences that say the same; those of the first are carried over"
    reads = "cliques"
    writes = "tuples"

    def item(self, row: ItemRow) -> Item:
        texts = need_list(row, "sentences", 1, MOST_SENTENCES)
        sentences = [need_text({"sentence": text}, "sentence") for text in texts]
        given = need_list(row, "tuples", most=MOST_SENTENCES) if row.get("tuples") else [[] for _ in sentences]
        if len(given) != len(sentences) or not all(isinstance(each, list) for each in given):
            raise InputError(f"'tuples' has {len(given)} lists, expected one for each of {len(sentences)} sentences")
        checked = [
            [_TUPLES.check_tuple(each, text, "tuples") for each in tuples[:MOST_TUPLES]]
            for text, tuples in zip(sentences, given, strict=True)
        ]
        content = {"sentences": [{"text": text, "words": show_words(text)} for text in sentences]}
        return Item(id_of(row, sentences), content, {"given": checked} if any(checked) else {})

    def validate(self, item: Item, answer: Any, seed: str) -> Answer:
        answer = need_fields(answer, "sentences")
        asked = item.content["sentences"]
        given = need_list(answer, "sentences", len(asked), len(asked))
        return {
            "sentences": [
                _TUPLES.check_answer(
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

    def suggest(self, item: Item, extract: ExtractTuples) -> Answer | None:
        texts = [each["text"] for each in item.content["sentences"]]
        tuples = item.hidden.get("given") or [
            _TUPLES.extracted(text, found) for text, found in zip(texts, extract(texts), strict=True)
        ]
        if not any(tuples):
            return None
        marked = [[{**each, "suggested": True} for each in some] for some in tuples]
        return {"sentences": [{"tuples": some, "none": False} for some in marked]}

    def export(self, item: Item, answer: Answer) -> list[Record]:
        made: list[Record] = []
        for number, (asked, given) in enumerate(zip(item.content["sentences"], answer["sentences"], strict=True)):
            sentence = Sentence(asked["text"], f"{item.id}.{number}", document_id=item.id)
            made.extend(_TUPLES.sentence_records(sentence, given, item.id))
        return made


TUPLES, REPORTED, CLIQUE = TupleTask(), Reported(), CliqueTuples()
