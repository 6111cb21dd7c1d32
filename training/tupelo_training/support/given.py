"""Claims that come with a text and a label, each written or judged for itself."""

from __future__ import annotations

import csv
import gzip
import io
import json
import random
import re
import zipfile
from collections.abc import Collection, Iterator
from pathlib import Path
from xml.etree import ElementTree

from tupelo_training.support.documents import runs
from tupelo_training.support.table import NO, OPEN, YES

WRITTEN = Path(__file__).with_name("written.txt.gz")
SPLICED = Path(__file__).with_name("spliced.tsv.gz")


def judged_summaries(
    data: Path, documents: Collection[str], forbidden: set[tuple[str, ...]]
) -> Iterator[tuple[str, str, list[tuple[int, int, int]], float]]:
    """Document, summary, marks of words and the share of people who found nothing wrong."""
    people: dict[tuple[str, str, str], dict[str, list[tuple[int, int]]]] = {}
    path = data / "xsum_hallucination/hallucination_annotations_xsum_summaries.csv.gz"
    with gzip.open(path, "rt", encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            spans = people.setdefault((row["bbcid"], row["system"], row["summary"]), {}).setdefault(
                row["worker_id"], []
            )
            if row["hallucination_type"] != "NULL":
                start = int(row["hallucinated_span_start"]) - 1
                spans.append((max(start, 0), int(row["hallucinated_span_end"])))
    for (document, _, summary), workers in people.items():
        if f"xsum:{document}" not in documents or runs(summary) & forbidden:
            continue
        marks = []
        for match in re.finditer(r"\S+", summary):
            wrong = sum(
                any(low < match.end() and match.start() < high for low, high in spans) for spans in workers.values()
            ) / len(workers)
            marks.append((match.start(), match.end(), YES if wrong < 0.34 else NO if wrong > 0.6 else OPEN))
        yield f"xsum:{document}", summary, marks, sum(not spans for spans in workers.values()) / len(workers)


def written_claims(path: Path) -> Iterator[tuple[str, str, list[tuple[int, int, int]], bool]]:
    """Document, claim, marks and label.

    A line `=== ID` begins a document; `+` a claim that it supports, `-` one that it does not, with the words that are
    to blame in braces. The others are right.
    """
    document = ""
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        for line in stream:
            sign, _, rest = line.strip().partition(" ")
            if sign == "===":
                document = rest
            elif sign in ("+", "-"):
                claim, marks = "", []
                for number, part in enumerate(re.split(r"[{}]", rest)):
                    if number % 2:
                        marks.append((len(claim), len(claim) + len(part), NO))
                    claim += part
                if marks or sign == "+":
                    marks.append((0, len(claim), YES))
                yield document, claim, marks, sign == "+"


def webnlg_pairs(data: Path, chance: random.Random) -> Iterator[tuple[str, str, bool]]:
    entries = []
    with gzip.open(data / "webnlg/webnlg-v1.6-en-train.jsonl.gz", "rt", encoding="utf-8") as stream:
        for line in stream:
            item = json.loads(line)
            if item["texts"]:
                entries.append((frozenset(map(tuple, item["triples"])), item["texts"]))
    about: dict[str, list[int]] = {}
    for number, (facts, _) in enumerate(entries):
        for subject in sorted({fact[0] for fact in facts}):
            about.setdefault(subject, []).append(number)
    for number, (facts, texts) in enumerate(entries):
        others = [
            other for subject in sorted({fact[0] for fact in facts}) for other in about[subject] if other != number
        ]
        inside = [other for other in others if entries[other][0] <= facts]
        outside = [other for other in others if not entries[other][0] <= facts]
        # The nearest of those that say more: one fact too many.
        near = [other for other in outside if len(entries[other][0] - facts) == 1]
        if len(texts) > 1:
            one, two = chance.sample(texts, 2)
            yield one, two, True
        if inside:
            yield chance.choice(texts), chance.choice(entries[chance.choice(inside)][1]), True
        for options in (near, outside):
            if options:
                yield chance.choice(texts), chance.choice(entries[chance.choice(options)][1]), False


def levyholt_pairs(data: Path) -> Iterator[tuple[str, str, bool]]:
    for line in (data / "levyholt/dev/dev_s.txt").read_text(encoding="utf-8").splitlines():
        premise, claim, label = line.split("\t")[:3]
        yield premise.replace(",", " ") + " .", claim.replace(",", " ") + " .", label.strip().startswith("T")


def rte(data: Path) -> Iterator[tuple[str, str, bool]]:
    with zipfile.ZipFile(data / "nltk/rte.zip") as archive:
        for name in sorted(archive.namelist()):
            if name.endswith(".xml"):
                for pair in ElementTree.parse(io.BytesIO(archive.read(name))).iter("pair"):
                    label = (pair.get("value") or pair.get("entailment") or "").upper()
                    text, claim = pair.findtext("t") or "", pair.findtext("h") or ""
                    yield " ".join(text.split()), " ".join(claim.split()), label in ("TRUE", "YES")
