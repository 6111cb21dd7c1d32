"""Questions with answers that are no sentences: the answer is a statement about what the question asks for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tupelo.core import SentenceTuples
from tupelo.core.blocks import Block
from tupelo.extract.structure.headings import is_sentence
from tupelo.extract.structure.sentences import Place, StructuredText, between
from tupelo.nlp.languages import rows, words

_QUESTION = re.compile(
    r"(?:(?:Q(?:uestion)? ?\d{0,2} ?[:.)]|[\[(]?\d{1,2}[\]).:]+) ?)?(?P<question>(?i:how|what|which|where|when|whom?"
    r"|whose|why|is|are|was|do|does|did|can|could|may|must|will|should|has|have)\b[^?\n]{0,100}\?)\s*+$"
)
# *Parking?*, *Price of the option?*
_TOPIC = re.compile(r"(?P<question>[^\W\d_][^?\n.!:,]{2,40}\?)\s*")
# Long lines go on in the next one.
_ANSWER = re.compile(
    r"\s*(?:A(?:nswer)?\s*(?:\d+\s*)?[:.)]\s*)?(?:[-*•] )?(?P<answer>\S(?:[^\n]{50,}\n){0,3}[^\n]*)$"
)
_NOUN = r"(?:the |your |a |an |my )?(?P<thing>[^?]{2,80}?)"
# Forms of questions, with the relation that the answer stands in to the thing.
_FORMS = [
    (re.compile(question.replace("NOUN", _NOUN)), relation)
    for question, relation in rows("structure", "question_forms", " => ")
]
_FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|would|can|could|should|must|may|do|does|did)\b|n[’']t\b"
)
_PERSONAL = re.compile(r"\b(?:i|me|we|you|it|they|he|she|this|that|there|here)\b", re.IGNORECASE)
_PREPOSITIONS = words("prepositions", "place_prepositions", "argument_prepositions")
_MOST_WORDS, _LONGEST_TOPIC = 25, 6
# Up to a full stop that ends a sentence.
_FIRST_SENTENCE = re.compile(r"(?:[^.!]|\.(?! [A-Z])|!(?! ))*+[.!]?")
_LONGEST_BLOCK = 5_000
_LINE_BREAK = re.compile(r"\n")


def question_tuples(text: StructuredText, block: Block, following: Block | None) -> Iterator[SentenceTuples]:
    """The answers to the questions of a block: in the same line, in the next one, or in the next block."""
    content = text.at(block.start, block.end)
    if "?" not in content or len(content) > _LONGEST_BLOCK or block.speaker is not None:
        return
    if not text.asks and (block.kind == "title" or (text.titles and "".join(block.path).startswith(content))):
        # A title may ask what the whole document answers.
        return
    breaks = _LINE_BREAK.finditer(content)
    lines = [(block.start + begin, block.start + end) for begin, end in between(breaks, 0, len(content))]
    if following is not None and following.kind in ("paragraph", "definition"):
        lines.append((following.start, following.end))
    for number, (start, end) in enumerate(lines):
        line = text.at(start, end)
        cut = line.find("? ") + 1
        question = _QUESTION.match(line[:cut] if cut else line)
        if question is None and number == 0 and not cut and len(line.split()) < _LONGEST_TOPIC:
            question = _TOPIC.fullmatch(line)
        if question is None or start >= block.end:
            continue
        if cut:
            yield from _answer(text, question["question"], (start + cut, end))
        elif number + 1 < len(lines):
            yield from _answer(text, question["question"], lines[number + 1])


def _answer(text: StructuredText, question: str, answer_place: Place) -> Iterator[SentenceTuples]:
    answer = _ANSWER.match(text.at(*answer_place).rstrip())
    if answer is not None:
        start = answer_place[0] + answer.start("answer")
        for sentence in _answered(text, question, start, answer["answer"]):
            text.answered.add(answer_place[0])
            yield sentence


def _answered(text: StructuredText, question: str, start: int, answer: str) -> Iterator[SentenceTuples]:
    end = len(_FIRST_SENTENCE.match(answer)[0])  # type: ignore[index]
    while not _FINITE.search(answer[:end]) and end < len(answer):
        # Fragments belong together: *48 hours before, free. Later: 50 %.*
        following = _FIRST_SENTENCE.match(answer, end + 1)
        if following is None or not following[0] or _FINITE.search(following[0]):
            break
        end = following.end()
    answer = answer[:end]
    said = answer.split()
    if len(said) > _MOST_WORDS or answer.endswith(":") or (is_sentence(answer) and _FINITE.search(answer)):
        return
    place: Place = (start, start + len(answer.rstrip(" .")))
    line = text.line(start, start + len(answer))
    is_clause = _FINITE.search(answer) is not None
    for pattern, relation in () if is_clause else _FORMS:
        match = pattern.match(question)
        thing = match["thing"] if match else None
        if (
            match is None
            or thing is None
            or _PERSONAL.search(thing)
            or thing.split()[0] in _PREPOSITIONS
            or thing.endswith((" and", " or", " get", " be"))
        ):
            continue
        verb = match.groupdict().get("verb") or ""
        worded = " ".join(relation.format(verb=verb).split())
        if worded.endswith(" in") and said[0].lower() in ("in", "at", "on", "near", "behind", "opposite"):
            worded = worded.removesuffix(" in")
        line.add("faq/answer", thing, worded, place)
        yield line.sentence()
        return
    if len(said) > 1 or said[0].lower().strip(",.!") not in ("yes", "no", "maybe"):
        line.add("faq/open", question, "has answer", place)
        yield line.sentence()
