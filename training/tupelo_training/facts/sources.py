"""Public relation data as documents: words, mentions, entities, facts.

Relations are Wikidata properties (of KnowledgeNet after a table below). What a source leaves open stays open: in
FewRel and KnowledgeNet only the given pairs are known.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

TYPES = ("unknown", "PER", "ORG", "LOC", "TIME", "NUM", "MISC")
SOURCES = ("redocred", "fewrel", "knowledgenet", "silver")

# The subject and object of CHILD_OF change places: P40 goes from parent to child.
KNOWLEDGENET = {
    "CEO": "P169",
    "CHILD_OF": "P40",
    "DATE_FOUNDED": "P571",
    "DATE_OF_BIRTH": "P569",
    "DATE_OF_DEATH": "P570",
    "EDUCATED_AT": "P69",
    "FOUNDED_BY": "P112",
    "HEADQUARTERS": "P159",
    "NATIONALITY": "P27",
    "PLACE_OF_BIRTH": "P19",
    "PLACE_OF_RESIDENCE": "P551",
    "POLITICAL_AFFILIATION": "P102",
    "SPOUSE": "P26",
    "SUBSIDIARY_OF": "P749",
}
# Of the 500 documents 100 fall below and, of the rest, 80 above.
HELD_OUT_BELOW = 0.205
CHOOSE_ABOVE = 0.8425
TURNED = frozenset(["CHILD_OF"])


@dataclass(slots=True)
class Document:
    """`mentions`: first word, last word + 1, entity. `facts`: head entity, tail entity, relation."""

    source: str
    title: str
    sentences: list[list[str]]
    types: list[str] = field(default_factory=list)
    mentions: list[tuple[int, int, int]] = field(default_factory=list)
    facts: list[tuple[int, int, str]] = field(default_factory=list)
    # The sentences that a fact was seen in, where the source has them.
    evidence: dict[tuple[int, int, str], list[int]] = field(default_factory=dict)


def part_of(title: str) -> str:
    """`held-out` for 100 of the 500 documents of Re-DocRED dev, else `choose` (for settings) or `train`.

    The first 32 bits of the SHA-256 of the title decide, as a share of their range.
    """
    number = int(hashlib.sha256(title.encode("utf-8")).hexdigest()[:8], 16) / 2**32
    return "held-out" if number < HELD_OUT_BELOW else "choose" if number > CHOOSE_ABOVE else "train"


def _json_lines(path: Path) -> Iterator[Any]:
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        for line in stream:
            yield json.loads(line)


def _json(path: Path) -> Any:
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        return json.load(stream)


def redocred(folder: Path) -> Iterator[Document]:
    for item in _json(folder / "redocred" / "dev_revised.json.gz"):
        document = Document("redocred", item["title"], item["sents"])
        starts = [0]
        for sentence in item["sents"]:
            starts.append(starts[-1] + len(sentence))
        for number, entity in enumerate(item["vertexSet"]):
            document.types.append(entity[0]["type"])
            for mention in entity:
                first = starts[mention["sent_id"]]
                document.mentions.append((first + mention["pos"][0], first + mention["pos"][1], number))
        document.facts = sorted({(fact["h"], fact["t"], fact["r"]) for fact in item["labels"]})
        document.evidence = {
            (fact["h"], fact["t"], fact["r"]): fact["evidence"] for fact in item["labels"] if fact["evidence"]
        }
        yield document


def fewrel(folder: Path) -> Iterator[Document]:
    for name in ("val_wiki", "val_nyt"):
        for relation, items in _json(folder / "fewrel" / f"{name}.json.gz").items():
            for item in items:
                document = Document("fewrel", "", [item["tokens"]], ["unknown", "unknown"])
                for number, side in enumerate("ht"):
                    for places in item[side][2]:
                        document.mentions.append((min(places), max(places) + 1, number))
                document.facts = [(0, 1, relation)]
                yield document


_WORD = re.compile(r"\w+|[^\w\s]")


def _words(text: str) -> list[tuple[str, int, int]]:
    return [(match.group(), match.start(), match.end()) for match in _WORD.finditer(text)]


def knowledgenet(folder: Path) -> Iterator[Document]:
    passages: dict[tuple[str, int], list[Any]] = {}
    for item in _json_lines(folder / "knowledgenet" / "train_folds1-4.jsonl.gz"):
        if item["property"] in KNOWLEDGENET and item["facts"]:
            passages.setdefault((item["documentId"], item["passageStart"]), []).append(item)
    for (_, start), items in passages.items():
        words = _words(items[0]["passageText"])
        document = Document("knowledgenet", "", [[word for word, _, _ in words]])
        entities: dict[str, int] = {}
        placed: set[tuple[int, int, int]] = set()
        facts = set()
        for item in items:
            for fact in item["facts"]:
                pair = []
                for side in ("subject", "object"):
                    first, last = fact[f"{side}Start"] - start, fact[f"{side}End"] - start
                    covered = [place for place, (_, a, b) in enumerate(words) if a < last and b > first]
                    if not covered:
                        break
                    name = fact[f"{side}Uri"] or fact[f"{side}Text"]
                    number = entities.setdefault(name, len(entities))
                    placed.add((covered[0], covered[-1] + 1, number))
                    pair.append(number)
                if len(pair) == 2 and pair[0] != pair[1]:
                    ordered = pair[::-1] if item["property"] in TURNED else pair
                    facts.add((ordered[0], ordered[1], KNOWLEDGENET[item["property"]]))
        if facts and len(words) < 250:
            document.types = ["unknown"] * len(entities)
            document.mentions, document.facts = sorted(placed), sorted(facts)
            yield document


def plain_name(name: str) -> str:
    """An entity of WebNLG as it is compared: no underscores, no quotes around it, single spaces."""
    return " ".join(name.replace("_", " ").strip().strip('"').split())


def webnlg_pairs(folder: Path, part: str) -> Iterator[tuple[str, list[tuple[str, str, str]]]]:
    """Texts and their triples."""
    for item in _json_lines(folder / "webnlg" / f"webnlg-v1.6-en-{part}.jsonl.gz"):
        triples = [(plain_name(s), r, plain_name(o)) for s, r, o in item["triples"]]
        for text in item["texts"]:
            yield text, triples
