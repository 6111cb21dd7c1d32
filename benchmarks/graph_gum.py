"""Are the entities and types of a graph those that people see? Measured on the development part of GUM.

GUM's annotators marked every phrase that refers to something, which phrases refer to the same thing, and what kind of
thing it is. A graph is built of the raw text; mentions whose words are a marked phrase (articles and prepositions
before it apart), pronouns excepted, are compared. Entities: B-cubed and pair precision, recall and F1 over these
mentions; the same thing across documents is told by GUM's links to Wikipedia. Types: how many mentions have the type
that GUM gives, of those that have one in the graph (precision), and of those of a kind that both know (recall).
"""

from __future__ import annotations

import gzip
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tupelo.nlp.languages.en.grammar import UNNAMING_PRONOUNS

_MARK = re.compile(r"\((\d+)(?:\[\d+/\d+\])?-([a-z]+)-([^()]*)(\)?)|(\d+)(?:\[\d+/\d+\])?\)")
_BEFORE = re.compile(r"(?i)(?:(?:in|on|at|to|from|by|with|for|of|during|since|until|into|near|about|the|a|an)\s+)*")
_AFTER = re.compile(r"(?:['’]s|['’]|[\s.,;:!?\"”)])+$")
# Kinds of GUM that the parser knows by another name, or by the same one.
_TYPES = {"person": "person", "organization": "organization", "place": "place", "event": "event", "time": "datetime"}

RESAMPLES = 2000
Span = tuple[str, int, int]


@dataclass(frozen=True)
class Gold:
    """The text of each document; what each phrase refers to and its kind."""

    texts: Mapping[str, str]
    referents: Mapping[Span, str]
    types: Mapping[Span, str]


def read_gold(file: Path, *, paragraphs: bool = False) -> Gold:
    """The gold of a file; with `paragraphs`, they and headings are divided by blank lines, as in a document."""
    texts: dict[str, str] = {}
    found: list[tuple[Span, str, str, str]] = []
    document, text, open_marks = "", "", []  # type: ignore[var-annotated]
    at = end = 0
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("# newdoc id = "):
                document, text = line.split("=")[1].strip(), ""
            elif line.startswith("# newpar") and paragraphs and text:
                text = text.rstrip() + "\n\n"
            elif line.startswith("# text = "):
                at, open_marks = len(text), []
                text = texts[document] = text + line[len("# text = ") :].strip() + " "
            elif line[:1].isdigit():
                columns = line.rstrip("\n").split("\t")
                place = text.find(columns[1], at)
                if "-" in columns[0] or "." in columns[0] or place < 0:
                    continue
                at = end = place + len(columns[1])
                marks = re.search(r"Entity=([^|]*)", columns[9])
                for mark in _MARK.finditer(marks[1] if marks else ""):
                    group, kind, rest, closed, closing = mark.groups()
                    if group:
                        # infstat, salience, centring, shortest span, link, and the Wikipedia page where there is one
                        fields = rest.split("-", 5)
                        open_marks.append((group, kind, fields[5] if len(fields) > 5 else "", place))
                    if closed or closing:
                        wanted = group or closing
                        number = max(index for index, item in enumerate(open_marks) if item[0] == wanted)
                        _, kind, page, start = open_marks.pop(number)
                        found.append((trimmed(document, text, start, end), f"{document} {wanted}", kind, page))
    pages = {group: page for _, group, _, page in found if page}
    return Gold(
        texts,
        {span: pages.get(group, group) for span, group, _, _ in found},
        {span: kind for span, _, kind, _ in found},
    )


def trimmed(document: str, text: str, start: int, end: int) -> Span:
    """A span without the little words before it and the marks after it."""
    phrase = text[start:end]
    head = _BEFORE.match(phrase)
    skipped = head.end() if head and head.end() < len(phrase) else 0
    tail = _AFTER.search(phrase[skipped:])
    return document, start + skipped, end - (len(tail[0]) if tail and tail.start() else 0)


def aligned(graph: Path, gold: Gold) -> Iterator[tuple[Span, str, str | None]]:
    """Phrases that both have, pronouns excepted: the entity in the graph, and its type."""
    import duckdb

    with duckdb.connect(str(graph), read_only=True) as database:
        columns = {name for name, *_ in database.execute("DESCRIBE mentions").fetchall()}
        sentence = "coalesce(m.sentence_id, t.sentence_id)" if "sentence_id" in columns else "t.sentence_id"
        rows = database.execute(
            f"""
            SELECT title, start_at + list_min(starts), start_at + list_max(ends), node_id,
                arg_max(type_id, (entity_types.mentions, type_id))
            FROM mentions m LEFT JOIN tuples t USING (tuple_id) JOIN sentences s ON s.sentence_id = {sentence}
            JOIN documents USING (document_id) LEFT JOIN entity_types USING (node_id)
            WHERE node_id IS NOT NULL AND starts IS NOT NULL GROUP BY ALL ORDER BY ALL
            """
        ).fetchall()
        types = {key: (name, parent) for key, name, parent in database.execute("FROM types").fetchall()}
    seen: set[Span] = set()
    for document, start, end, entity, kind in rows:
        span = trimmed(document, gold.texts[document], start, end)
        phrase = gold.texts[document][span[1] : span[2]].lower()
        if span in gold.referents and span not in seen and phrase not in UNNAMING_PRONOUNS:
            seen.add(span)
            name = None
            while kind in types and name not in _TYPES.values():
                name, kind = types[kind]
            yield span, entity, name


def entity_scores(pairs: Sequence[tuple[str, str]], documents: Sequence[str]) -> dict[str, float]:
    """B-cubed and pair scores of (predicted, gold) labels, with an interval over documents for the former."""
    both, predicted, gold = Counter(pairs), Counter(label for label, _ in pairs), Counter(label for _, label in pairs)
    sums: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    for pair, document in zip(pairs, documents, strict=True):
        for place, part in enumerate((both[pair] / predicted[pair[0]], both[pair] / gold[pair[1]], 1.0)):
            sums[document][place] += part

    def b_cubed(units: Iterable[Sequence[float]]) -> tuple[float, float, float]:
        precision, recall, mentions = map(sum, zip(*units, strict=True))
        return precision / mentions, recall / mentions, 2 * precision * recall / (precision + recall) / mentions

    def together(counts: Counter[Any]) -> int:
        return sum(n * (n - 1) // 2 for n in counts.values())

    generator, units = random.Random(1), list(sums.values())
    drawn = sorted(b_cubed(generator.choices(units, k=len(units)))[2] for _ in range(RESAMPLES))
    precision, recall, f1 = b_cubed(units)
    pair_precision = together(both) / max(together(predicted), 1)
    pair_recall = together(both) / max(together(gold), 1)
    return {
        "mentions": len(pairs),
        "B3 P": precision,
        "B3 R": recall,
        "B3 F1": f1,
        "B3 F1 from": drawn[RESAMPLES // 40],
        "B3 F1 to": drawn[-RESAMPLES // 40],
        "pair P": pair_precision,
        "pair R": pair_recall,
        "pair F1": 2 * pair_precision * pair_recall / max(pair_precision + pair_recall, 1e-9),
    }


def type_scores(pairs: Sequence[tuple[str | None, str]]) -> dict[str, float]:
    """Types of the graph against GUM's, which knows neither numbers nor names of works."""
    known = set(_TYPES.values())
    typed = [(kind, _TYPES.get(gold)) for kind, gold in pairs if kind in known]
    wanted = [(kind, _TYPES[gold]) for kind, gold in pairs if gold in _TYPES]
    return {
        "type P": sum(kind == gold for kind, gold in typed) / max(len(typed), 1),
        "type R": sum(kind == gold for kind, gold in wanted) / max(len(wanted), 1),
        "typed": len(typed),
    }


def gum_scores(graph: Path, gold: Gold) -> dict[str, float]:
    found = list(aligned(graph, gold))
    entities = entity_scores(
        [(entity, gold.referents[span]) for span, entity, _ in found], [span[0] for span, _, _ in found]
    )
    return entities | type_scores([(kind, gold.types[span]) for span, _, kind in found])
