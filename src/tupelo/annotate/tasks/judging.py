"""Tasks in which people judge one thing: a tuple, a paraphrase, or a generated text against its source.

`judgements`: whether a tuple is right and informative, from which the confidence of tuples is learned.
Row: `text`, a sentence; `tuple`, `["arg1", "relation", "arg2", …]`; where known `before` and `after`, lists of the
sentences around it (`context` in the settings says how many are shown on either side), and `marks`, the reservations
under which the sentence claims the tuple (*not*, *Ann said*). `document`, `sentence` (its number), `start` and `end`
(its characters), `extraction` (the record of the tuple) and `extractors` are kept for the export and never shown.
Files of tuples become such rows; a tuple that several extractors found is one. Content: `text`, `before`, `after`,
`tuple`, `marks`. Answer: `label`, which is `good` (right and informative), `empty` (right, but says too little) or
`wrong`; of a wrong one `part`, the part that is, and `corrected`, the `tuple` and `marks` that the sentence does
state, or nothing.

`paraphrase`: correction of a machine's paraphrase, ROBUST's first stage: grammar, phrase or the whole sentence.
Row: `original` and `paraphrase`; a file of cliques, as `tupelo cliques build` writes it, has a row for each of its
paraphrases. Content: the same, with `content_words`, the words of the original that a paraphrase
rarely does without (names and numbers). Answer: `verdict` (`good`: as it is, `corrected`, `hopeless`: no paraphrase
can be made of it); for `corrected` also the new `text` and `kinds` of correction (`grammar`, `phrase`, `rewrite`);
`kept` is true where the person has confirmed that the content is kept although content words are gone.

Generated texts are rated from 1 to 5 or claim by claim (Goodrich et al. 2019, section 8.1).

`accuracy` (their Figure 2). Row: `source` and `generated`. Content: the same. Answer: `score`, 1 (very poor) to 5
(very good); `no_claims` is true where the text claims nothing that the source could support or refute, and its score
is then 1, as in the paper; `note`. Only what the source supports or refutes counts, never what a reader knows.

`claims`. Row: `source` and `claims` (texts); `generated` where the claims come from a text, whose sentences are the
claims when there are none. Content: `source`, `generated` (maybe empty) and `claims`, with `sentences` of the source
to point at. Answer: `labels`, one for each claim (supported, refuted or unverifiable), and `evidence`, for each
claim the numbers of sentences that decide it.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, ClassVar

from tupelo.annotate.tasks.base import (
    MOST_CONTEXT,
    AnnotationTask,
    Answer,
    AnswerError,
    Item,
    ItemRow,
    RowTask,
    id_of,
    need_fields,
    need_list,
    need_object,
    need_text,
    one_of,
    only_fields,
    optional_text,
    share_equal,
)
from tupelo.annotate.tasks.words import words_of
from tupelo.core import InputError

TUPLE_LABELS = ("good", "empty", "wrong")
PARTS = ("subject", "relation", "argument", "marks", "several")
_CONTEXT = 2
_MOST_PARTS = 12
_LONGEST_PART = 4_000
_KEPT = ("document", "sentence", "start", "end", "extraction", "extractors")


class Judgements(AnnotationTask):
    """One tuple at a time, beside its sentence and the sentences around it."""

    name = "judgements"
    title = "Say whether a tuple is right and informative; name and correct the part that is wrong"
    reads = "extractions"
    levels: ClassVar[Mapping[str, str]] = {"right": "nominal", "good": "nominal"}

    def items(self, rows: Sequence[ItemRow], settings: Mapping[str, Any]) -> list[Item]:
        context = settings.get("context", _CONTEXT)
        if type(context) is not int or not 0 <= context <= MOST_CONTEXT:
            raise InputError(f"'context' is {context!r}, expected a number of sentences from 0 to {MOST_CONTEXT}")
        return [_judged_item(row, context) for row in rows]

    def validate(self, item: Item, answer: Any, seed: str) -> Answer:
        answer = need_fields(answer, "label", "part", "corrected")
        label = one_of(answer, "label", TUPLE_LABELS)
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


def _judged_item(row: ItemRow, context: int) -> Item:
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


JUDGEMENTS = Judgements()


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
        answer = need_fields(answer, "score", "no_claims", "note")
        score = one_of(answer, "score", SCORES)
        no_claims = answer.get("no_claims") is True
        if no_claims and score != 1:
            raise AnswerError(f"a score of {score} for a text without claims to check, expected 1", "score")
        return {"score": score, "no_claims": no_claims, "note": optional_text(answer, "note", _LONGEST_NOTE)}

    def grade(self, item: Item, answer: Answer, gold: Answer) -> float:
        """1 for the same score, 0 for the other end of the scale."""
        return 1 - abs(int(answer["score"]) - int(gold["score"])) / (SCORES[-1] - SCORES[0])

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
        answer = need_fields(answer, "labels", "evidence")
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
        answer = need_fields(answer, "verdict", "text", "kinds", "kept")
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


PARAPHRASE = Paraphrase()
