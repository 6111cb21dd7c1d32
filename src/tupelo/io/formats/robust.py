"""ROBUST's unified JSON: cliques of sentences that say the same, with the tuples of each.

Read as the ROBUST scorer does: a clique is known by its first sentence and
a sentence by its text, so a repeated one takes the place of the earlier.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from tupelo.core import Record
from tupelo.core.clique import gather_cliques, member_records
from tupelo.io.formats.base import TextFormat
from tupelo.io.json_items import array_items, document_text, dumped
from tupelo.io.lines import Fault, Lines

_Tuples = list[list[str]]


def read(lines: Lines) -> Iterator[Record]:
    cliques: dict[str, dict[str, _Tuples]] = {}
    for _, (name, sentences) in lines.parsed(array_items(lines), _parse_clique):
        cliques[name] = sentences
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


def write(records: Iterable[Record]) -> Iterator[str]:
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


def sniff(head: Sequence[str]) -> float:
    text = "\n".join(head).lstrip()
    return float(text.startswith("[") and '"ori_sent"' in text)


FORMAT = TextFormat(
    name="robust",
    title="ROBUST unified JSON",
    layout=(
        '[{"ori_sent": …, "ori_args": [["relation", "arg1", …], …], "paraphrases": [{"sent": …, "args": […]}, …]}, …]'
    ),
    sample="robust.json",
    keeps=frozenset({"empty sentences", "extra spaces"}),
    read=read,
    write=write,
    sniff=sniff,
    document=True,
    notes=(
        "A clique is named after its first sentence, in the group of its tuples and the document of its sentences. "
        "A repeated clique, or sentence within a clique, replaces the earlier one. In writing, the sentences of one "
        "group make a clique, the first as the original; groups with the same first sentence become one."
    ),
)
