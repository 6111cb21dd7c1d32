"""Formats that are one JSON document: Re-OIE2016 and ROBUST.

Re-OIE2016, the re-annotation of OIE2016 that came with SpanOIE, is an object from sentence to tuples. It is read as
SpanOIE's own reader does: a predicate `<be>` alone is the word `[is]`, elsewhere the mark is dropped; arguments come
in the order arg0 to arg3, then time, then place. The `*_index` members are first and last token.

ROBUST's unified JSON is an array of cliques: sentences that say the same, with the tuples of each. It is read as the
ROBUST scorer does: a clique is known by its first sentence and a sentence by its text, so a repeated one takes the
place of the earlier.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import Any

from tupelo.core import Argument, Extraction, InputError, Record, Sentence
from tupelo.core.clique import gather_cliques, member_records
from tupelo.io.formats import TextFormat, described
from tupelo.io.formats.columns import begins_with, counts_spaced_tokens, first_and_last
from tupelo.io.json_items import array_items, document_text, dumped, object_items
from tupelo.io.lines import Fault, Lines

_PLAIN = ("arg0", "arg1", "arg2", "arg3")
_ROLES = {"temp": "time", "loc": "location"}
_BE, _INFERRED_IS = "<be>", "[is]"


def _read_reoie2016(lines: Lines) -> Iterator[Record]:
    seen: set[str] = set()
    members = ((number, (text, tuples)) for number, text, tuples in object_items(lines))
    return chain.from_iterable(lines.values(members, partial(_parse_tuples, seen)))


def _parse_tuples(seen: set[str], member: tuple[str, Any]) -> Sequence[Record]:
    text, tuples = member
    if text in seen:
        raise Fault("a sentence for the second time", "every sentence once")
    seen.add(text)
    if not isinstance(tuples, list):
        raise Fault("a sentence without a list", "a list of tuples")
    sentence = Sentence(text)
    return [_parse_tuple(sentence, item) for item in tuples] or [sentence]


def _parse_tuple(sentence: Sentence, item: Any) -> Extraction:
    if not isinstance(item, dict):
        raise Fault("a tuple that is not an object", "an object with pred, arg0, arg1 …")
    for key in ("pred", *_PLAIN, *_ROLES):
        if not isinstance(item.get(key, None if key == "pred" else ""), str):
            raise Fault(f"no text in '{key}'", "a string; empty when there is none")
    predicate: str = item["pred"]
    tokens = _tokens_in(item, "pred", sentence)
    if predicate.strip() == _BE:
        rel = Argument(_INFERRED_IS, tokens=tokens, inferred=(0,))
    else:
        rel = Argument(predicate.replace(f"{_BE} ", ""), tokens=tokens)
    arguments = [
        Argument(item[key], _ROLES.get(key), _tokens_in(item, key, sentence))
        for key in (*_PLAIN, *_ROLES)
        if item.get(key)
    ]
    return Extraction(sentence, rel, arguments[0] if arguments else None, tuple(arguments[1:]))


def _tokens_in(item: dict[str, Any], key: str, sentence: Sentence) -> tuple[int, ...] | None:
    """Tokens from the first to the last, where both are given and inside the sentence."""
    index = item.get(f"{key}_index", [])
    if not isinstance(index, list) or not all(type(number) is int for number in index):
        raise Fault(f"'{key}_index' is not a list of whole numbers", "first and last token, or an empty list")
    # -1 stands for the word behind `<be>`, which is not in the sentence.
    numbers = [number for number in index if number != -1]
    size = len(sentence.text.split(" "))
    if any(not 0 <= number < size for number in numbers):
        raise Fault(f"'{key}_index' is {index}", f"tokens of the sentence, 0 to {size - 1}")
    return tuple(range(numbers[0], numbers[-1] + 1)) or None if numbers else None


def _write_reoie2016(records: Iterable[Record]) -> Iterator[str]:
    tuples: dict[str, list[dict[str, Any]]] = {}
    for record in records:
        if isinstance(record, Sentence):
            tuples.setdefault(record.text, [])
        else:
            tuples.setdefault(record.sentence.text, []).append(_item_of(record))
    return document_text((f"{dumped(text)}: {dumped(items)}" for text, items in tuples.items()), "{}")


def _item_of(extraction: Extraction) -> dict[str, Any]:
    item: dict[str, Any] = dict.fromkeys(("pred", *_PLAIN, *_ROLES), "")
    item |= {f"{key}_index": [] for key in ("pred", *_PLAIN, *_ROLES)}

    def put(key: str, part: Argument, text: str) -> None:
        item[key], item[f"{key}_index"] = text, _index_of(part, extraction.sentence)

    if _BE in extraction.rel.text:
        raise InputError(f"the relation of {extraction} holds {_BE}, which is a mark in reoie2016")
    put("pred", extraction.rel, _BE if extraction.rel.text == _INFERRED_IS else extraction.rel.text)
    plain = list(extraction.arguments)
    if not all(part.text for part in plain):
        raise InputError(f"{extraction} has an empty argument, which reoie2016 cannot hold")
    # Read back in this order, so only a place at the very end, and a time before it, can be named.
    for key in reversed(_ROLES):
        if plain and plain[-1].role == _ROLES[key]:
            part = plain.pop()
            put(key, part, part.text)
    if len(plain) > len(_PLAIN):
        raise InputError(f"{extraction} has more arguments than the {len(_PLAIN)}, time and place of reoie2016")
    for key, part in zip(_PLAIN, plain, strict=False):
        put(key, part, part.text)
    return item


def _index_of(part: Argument, sentence: Sentence) -> list[int]:
    ends = first_and_last(part.tokens)
    if ends is None or not counts_spaced_tokens(sentence) or ends[1] >= len(sentence.text.split(" ")):
        return []
    return list(ends)


REOIE2016 = TextFormat(
    read=_read_reoie2016, write=_write_reoie2016, sniff=begins_with("{", '"pred"', '"arg0"'), **described("reoie2016")
)


_Tuples = list[list[str]]


def _read_robust(lines: Lines) -> Iterator[Record]:
    cliques: dict[str, dict[str, _Tuples]] = dict(lines.values(array_items(lines), _parse_clique))
    for name, sentences in cliques.items():
        for text, tuples in sentences.items():
            yield from member_records(name, text, tuples)


def _parse_clique(item: Any) -> tuple[str, dict[str, _Tuples]]:
    if not isinstance(item, dict):
        raise Fault("an item that is not an object", "an object with ori_sent, ori_args and paraphrases")
    name = _sentence_in(item, "ori_sent")
    sentences = {name: _tuples_in(item, "ori_args")}
    paraphrases = item.get("paraphrases")
    if not isinstance(paraphrases, list) or not all(isinstance(each, dict) for each in paraphrases):
        raise Fault("no list of objects in 'paraphrases'", 'paraphrases as [{"sent": …, "args": …}, …]')
    for paraphrase in paraphrases:
        sentences[_sentence_in(paraphrase, "sent")] = _tuples_in(paraphrase, "args")
    return name, sentences


def _sentence_in(item: dict[str, Any], key: str) -> str:
    text = item.get(key)
    if not isinstance(text, str):
        raise Fault(f"no text in '{key}'", "a sentence")
    return text


def _tuples_in(item: dict[str, Any], key: str) -> _Tuples:
    tuples = item.get(key)
    if not isinstance(tuples, list):
        raise Fault(f"no list in '{key}'", "a list of tuples")
    for each in tuples:
        if not isinstance(each, list) or not each or not all(isinstance(part, str) for part in each):
            raise Fault(f"a tuple in '{key}' that is no list of strings, or empty", '["relation", "arg1", "arg2", …]')
    return tuples


def _write_robust(records: Iterable[Record]) -> Iterator[str]:
    # Gathered by text, because a reader lets a repeated text replace the earlier one.
    cliques: dict[str, dict[str, _Tuples]] = {}
    for clique in gather_cliques(records):
        sentences = cliques.setdefault(clique.sentences[0].text, {})
        for sentence, extractions in zip(clique.sentences, clique.extractions, strict=True):
            tuples = sentences.setdefault(sentence.text, [])
            tuples += ([each.rel.text, *(part.text for part in each.arguments)] for each in extractions)
    return document_text(map(_item, cliques.items()), "[]")


def _item(clique: tuple[str, dict[str, _Tuples]]) -> str:
    name, sentences = clique
    paraphrases = [{"sent": text, "args": tuples} for text, tuples in sentences.items() if text != name]
    return dumped({"ori_sent": name, "ori_args": sentences[name], "paraphrases": paraphrases})


ROBUST = TextFormat(
    read=_read_robust, write=_write_robust, sniff=begins_with("[", '"ori_sent"'), **described("robust")
)
