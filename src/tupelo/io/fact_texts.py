"""Texts for experiments with facts: plain ones, and those whose facts are known.

Plain: JSON lines with `text`; or KnowledgeNet's, whose passages (`passageText`) are joined per document. Known facts:
JSON lines with `subject`, `text` and `facts` (`[[subject, property, object], …]`), as `tupelo facts dataset` writes
them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tupelo.core import FormatError, Triple
from tupelo.io.files import InputFile


@dataclass(frozen=True, slots=True)
class TextWithFacts:
    """A text, its topic and all facts that it is known to state."""

    subject: str
    text: str
    facts: tuple[Triple, ...]


def _objects(file: InputFile) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in file.lines():
        if not line.strip():
            continue
        try:
            item = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise FormatError(file.name, number, "not JSON", "one JSON object a line") from error
        if not isinstance(item, dict):
            raise FormatError(file.name, number, f"a JSON {type(item).__name__}", "one JSON object a line")
        yield number, item


def read_texts(name: str) -> Iterator[str]:
    """Texts in the order of the file; the passages of a document in the order of the document, each once."""
    passages: dict[str, dict[int, str]] = {}
    with InputFile(name) as file:
        for number, item in _objects(file):
            if isinstance(item.get("text"), str):
                yield item["text"]
            elif isinstance(item.get("passageText"), str):
                passages.setdefault(str(item.get("documentId")), {})[item.get("passageStart", 0)] = item[
                    "passageText"
                ]
            else:
                raise FormatError(file.name, number, "no text", "a string 'text' (or KnowledgeNet's 'passageText')")
    for found in passages.values():
        yield " ".join(text for _, text in sorted(found.items()))


def read_gold(name: str) -> Iterator[TextWithFacts]:
    """Texts with their facts, in order."""
    with InputFile(name) as file:
        for number, item in _objects(file):
            subject, text, facts = (item.get(field) for field in ("subject", "text", "facts"))
            if not isinstance(subject, str) or not isinstance(text, str) or not isinstance(facts, list):
                raise FormatError(file.name, number, "no subject, text and facts", "all three")
            triples = []
            for fact in facts:
                if not isinstance(fact, list) or len(fact) != 3 or not all(isinstance(part, str) for part in fact):
                    raise FormatError(file.name, number, f"the fact {fact!r}", "three strings")
                triples.append(Triple(*fact))
            yield TextWithFacts(subject, text, tuple(triples))
