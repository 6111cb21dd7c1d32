"""Are the entities and types of a graph those that people see? Measured on the development part of GUM.

    python -m benchmarks.graph_quality [--documents 15] [--extractor default] [--data ../shared/data]

GUM's annotators marked every phrase that refers to something, which phrases refer to the same thing, and what kind of
thing it is. A graph is built of the raw text; arguments whose words are a marked phrase (articles and prepositions
before it apart) are compared. Entities: B-cubed and pair precision, recall and F1 over these mentions; the same thing
across documents is told by GUM's links to Wikipedia. Types: how many mentions have the type that GUM gives, of those
that have one in the graph (precision), and of those of a kind that both know (recall).

Then the canonicalization method `tupelo` joins entities of this graph, at its own threshold and at stricter ones; and
gives phrases without a type that of the names in their type cluster, where most of these names agree.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.graph_corpus import DATA
from tupelo.core.canonical import SLOTS, Phrase, TripleMention
from tupelo.graph.store import Store, open_graph
from tupelo.nlp.languages.en.pronouns import UNNAMING_PRONOUNS

_MARK = re.compile(r"\((\d+)(?:\[\d+/\d+\])?-([a-z]+)-([^()]*)(\)?)|(\d+)(?:\[\d+/\d+\])?\)")
_BEFORE = re.compile(r"(?i)(?:(?:in|on|at|to|from|by|with|for|of|during|since|until|into|near|about|the|a|an)\s+)*")
_AFTER = re.compile(r"(?:['’]s|['’]|[\s.,;:!?\"”)])+$")
# Kinds of GUM that the parser knows by another name, or by the same one.
_TYPES = {"person": "person", "organization": "organization", "place": "place", "event": "event", "time": "datetime"}

Span = tuple[str, int, int]


@dataclass(frozen=True)
class Gold:
    """The text of each document; what each phrase refers to and its kind."""

    texts: Mapping[str, str]
    referents: Mapping[Span, str]
    types: Mapping[Span, str]


def read_gold(file: Path) -> Gold:
    texts: dict[str, str] = {}
    found: list[tuple[Span, str, str, str]] = []
    document, text, open_marks = "", "", []  # type: ignore[var-annotated]
    at = end = 0
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("# newdoc id = "):
                document, text = line.split("=")[1].strip(), ""
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
    """Phrases that both have: the entity in the graph, and its type."""
    with open_graph(graph) as store:
        rows = store.rows(
            """
            SELECT source, start_at + list_min(starts), start_at + list_max(ends), entity_id,
                arg_max(types.name, (entity_types.mentions, types.name))
            FROM mentions JOIN tuples USING (tuple_id) JOIN sentences USING (sentence_id)
            JOIN documents USING (document_id)
            LEFT JOIN entity_types USING (entity_id) LEFT JOIN types USING (type_id)
            WHERE entity_id IS NOT NULL AND starts IS NOT NULL GROUP BY ALL ORDER BY ALL
            """
        )
    seen: set[Span] = set()
    for source, start, end, entity, kind in rows:
        document = Path(source).stem
        span = trimmed(document, gold.texts[document], start, end)
        if span in gold.referents and span not in seen:
            seen.add(span)
            yield span, entity, kind


def entity_scores(pairs: list[tuple[str, str]]) -> dict[str, float]:
    """B-cubed and pair scores of (predicted, gold) labels."""
    both, predicted, gold = Counter(pairs), Counter(label for label, _ in pairs), Counter(label for _, label in pairs)
    precision = sum(n * n / predicted[key[0]] for key, n in both.items()) / len(pairs)
    recall = sum(n * n / gold[key[1]] for key, n in both.items()) / len(pairs)

    def together(counts: Counter[Any]) -> int:
        return sum(n * (n - 1) // 2 for n in counts.values())

    pair_precision = together(both) / max(together(predicted), 1)
    pair_recall = together(both) / max(together(gold), 1)
    return {
        "B3 P": precision,
        "B3 R": recall,
        "B3 F1": 2 * precision * recall / (precision + recall),
        "pair P": pair_precision,
        "pair R": pair_recall,
        "pair F1": 2 * pair_precision * pair_recall / max(pair_precision + pair_recall, 1e-9),
    }


def type_scores(pairs: list[tuple[str | None, str]]) -> dict[str, float]:
    """Types of the graph against GUM's, which knows neither numbers nor names of works."""
    known = set(_TYPES.values())
    typed = [(kind, _TYPES.get(gold)) for kind, gold in pairs if kind in known]
    wanted = [(kind, _TYPES[gold]) for kind, gold in pairs if gold in _TYPES]
    return {
        "type P": sum(kind == gold for kind, gold in typed) / max(len(typed), 1),
        "type R": sum(kind == gold for kind, gold in wanted) / max(len(wanted), 1),
        "typed": len(typed),
    }


def build(corpus: Path, graph: Path, extractor: str) -> None:
    command = [
        sys.executable,
        "-m",
        "tupelo",
        "graph",
        "build",
        str(corpus),
        "-o",
        str(graph),
        "--workers",
        "1",
        "--extractor",
        extractor,
    ]
    subprocess.run(command, check=True, capture_output=True)


class Joined:
    """The edges of a graph as a canonicalization method sees them, with the states of its encoder read once."""

    def __init__(self, store: Store) -> None:
        from tupelo.canon.method import CanonResources
        from tupelo.canon.methods import METHODS
        from tupelo.nlp.encoder import load_encoder

        rows = store.rows(
            """
            SELECT min(tuple_id) AS tuple_id, subject_id, object_id FROM edges JOIN provenance USING (edge_id)
            GROUP BY edge_id, subject_id, object_id ORDER BY tuple_id
            """
        )
        words: dict[str, dict[str, str]] = {}
        for key, role, text in store.rows("SELECT tuple_id, role, coalesce(resolved, text) FROM mentions"):
            words.setdefault(key, {})[role] = text
        sentences = dict(store.rows("SELECT tuple_id, text FROM tuples JOIN sentences USING (sentence_id)"))
        self.typed = dict(
            store.rows(
                "SELECT entity_id, arg_max(types.name, (entity_types.mentions, types.name)) "
                "FROM entity_types JOIN types USING (type_id) GROUP BY entity_id"
            )
        )
        mentions, subjects, objects = [], [], []
        for key, subject, object_ in rows:
            subject_, relation, target = (Phrase(words[key][slot]) for slot in SLOTS)
            mentions.append(TripleMention(key, subject_, relation, target, sentence=sentences[key]))
            subjects.append(subject)
            objects.append(object_)
        self._prepared: Any = METHODS.get("tupelo")().prepare(mentions, CanonResources(encoder=load_encoder()))
        self._entities = [*subjects, *objects]

    def groups(self, kind: str, threshold: float) -> list[set[str]]:
        """Entities that a cut puts together."""
        found: dict[int, set[str]] = {}
        for label, entity in zip(self._prepared.pooled(kind).labels(threshold).tolist(), self._entities, strict=True):
            found.setdefault(label, set()).add(entity)
        return list(found.values())

    def merged(self, threshold: float) -> dict[str, str]:
        """From entities to what stands for them when wordings in one cluster are one entity."""
        top: dict[str, str] = {}

        def end(entity: str) -> str:
            while entity in top:
                entity = top[entity]
            return entity

        for group in self.groups("entity", threshold):
            first, *others = sorted({end(entity) for entity in group})
            top.update(dict.fromkeys(others, first))
        return {entity: end(entity) for entity in self._entities}

    def spread(self, threshold: float) -> dict[str, str]:
        """Types for entities without one: what at least two names, and 60 % of all in the cluster, have."""
        votes: dict[str, Counter[str]] = {}
        for group in self.groups("type", threshold):
            known = Counter(self.typed[entity] for entity in group if entity in self.typed)
            if known and known.most_common(1)[0][1] >= max(2, 0.6 * known.total()):
                for entity in group - self.typed.keys():
                    votes.setdefault(entity, Counter())[known.most_common(1)[0][0]] += 1
        return {entity: count.most_common(1)[0][0] for entity, count in votes.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=15)
    parser.add_argument("--extractor", default="default")
    parser.add_argument("--data", type=Path, default=DATA)
    arguments = parser.parse_args()
    gold = read_gold(arguments.data / "gum/gum-dev.conllu.gz")
    chosen = sorted(gold.texts)[:: max(1, len(gold.texts) // arguments.documents)]
    with tempfile.TemporaryDirectory(prefix="tupelo-quality-") as name:
        corpus, graph = Path(name, "corpus"), Path(name, "kg.duckdb")
        corpus.mkdir()
        for document in chosen:
            (corpus / f"{document}.txt").write_text(gold.texts[document], "utf-8")
        build(corpus, graph, arguments.extractor)
        found = [
            row
            for row in aligned(graph, gold)
            if gold.texts[row[0][0]][row[0][1] : row[0][2]].lower() not in UNNAMING_PRONOUNS
        ]
        with open_graph(graph) as store:
            joined = Joined(store)

    def report(label: str, scores: Mapping[str, float]) -> None:
        rounded = {key: value if value > 1 else round(100 * value, 1) for key, value in scores.items()}
        print(json.dumps({"graph": label, **rounded}), flush=True)

    referents = [gold.referents[span] for span, _, _ in found]
    kinds = [gold.types[span] for span, _, _ in found]
    lexical = entity_scores([(entity, gold) for (_, entity, _), gold in zip(found, referents, strict=True)])
    report("lexical", {"mentions": len(found), **lexical})
    report("types of names", type_scores([(kind, gold) for (_, _, kind), gold in zip(found, kinds, strict=True)]))
    for threshold in (0.5, 0.3, 0.1, 0.05):
        top = joined.merged(threshold)
        pairs = [(top.get(entity, entity), gold) for (_, entity, _), gold in zip(found, referents, strict=True)]
        report(f"tupelo, cut at {threshold}", entity_scores(pairs))
    for threshold in (0.6, 0.5, 0.4, 0.3):
        spread = joined.spread(threshold)
        typed = [(kind or spread.get(entity), gold) for (_, entity, kind), gold in zip(found, kinds, strict=True)]
        new = [
            spread[entity] == _TYPES.get(gold)
            for (_, entity, kind), gold in zip(found, kinds, strict=True)
            if kind is None and entity in spread
        ]
        right = {"spread to": len(new), "of these right": sum(new) / max(len(new), 1)}
        report(f"types spread in clusters cut at {threshold}", {**type_scores(typed), **right})


if __name__ == "__main__":
    main()
