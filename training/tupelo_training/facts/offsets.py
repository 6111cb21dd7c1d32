"""What is added to the scores of single relations so that plain sentences count as they do for people.

    python -m tupelo_training.facts.offsets --data DATA --model en-facts/classifier --output offsets.json

Re-DocRED's documents word some relations in one way only (*born in* is mostly a bracket there). KnowledgeNet says for
each of its passages and some properties all facts that hold: the offset of a property is half of the one with the
best F1 on every third passage (the smallest of several, from 0 to 4), a compromise between the two kinds of text.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from tupelo.factmodels.pairs import Marked, PairModel
from tupelo_training.facts.sources import KNOWLEDGENET, TURNED, _json_lines, _words
from tupelo_training.options import option_parser, write_json

EVERY = 3
STEPS = np.arange(0.0, 4.01, 0.25)
# With fewer facts there is nothing to fit.
LEAST = 20

Span = tuple[int, int]


def passages(data: Path) -> list[list[Any]]:
    """All lines about one passage, for every third passage."""
    found: dict[tuple[str, int], list[Any]] = {}
    for item in _json_lines(data / "knowledgenet" / "train_folds1-4.jsonl.gz"):
        if item["property"] in KNOWLEDGENET:
            found.setdefault((item["documentId"], item["passageStart"]), []).append(item)
    return [found[key] for key in sorted(found)][::EVERY]


def gold(items: list[Any], places: list[tuple[str, int, int]]) -> dict[str, set[tuple[Span, Span]]]:
    """The facts of each property that was looked for, as spans of words."""
    start = items[0]["passageStart"]

    def span(fact: Any, side: str) -> Span:
        first, last = fact[f"{side}Start"] - start, fact[f"{side}End"] - start
        covered = [place for place, (_, a, b) in enumerate(places) if a < last and b > first]
        return (covered[0], covered[-1] + 1) if covered else (0, 0)

    found: dict[str, set[tuple[Span, Span]]] = {}
    for item in items:
        own = found.setdefault(KNOWLEDGENET[item["property"]], set())
        for fact in item["facts"]:
            pair = span(fact, "subject"), span(fact, "object")
            own.add(pair[::-1] if item["property"] in TURNED else pair)
    return found


def scored(model: PairModel, items: list[Any]) -> Iterator[tuple[str, float, bool]]:
    """Property, score and truth of every pair of the entities that the network finds; facts it cannot find too."""
    places = _words(items[0]["passageText"])
    document = model.mark([[word for word, _, _ in places]])
    scores = model.read(document).relations if len(document.types) > 1 else np.zeros((0, 0, len(model.relations)))
    known = [relation.id for relation in model.relations]
    for name, facts in gold(items, places).items():
        if name not in known:
            continue
        number = known.index(name)
        missed = set(facts)
        for head, tail in np.ndindex(*scores.shape[:2]):
            if head != tail:
                meant = {
                    fact for fact in facts if _covers(document, head, fact[0]) and _covers(document, tail, fact[1])
                }
                missed -= meant
                yield name, float(scores[head, tail, number]), bool(meant)
        yield from ((name, -100.0, True) for _ in missed)


def _covers(document: Marked, entity: int, span: Span) -> bool:
    return any(
        mention.entity == entity and mention.start < span[1] and span[0] < mention.end
        for mention in document.mentions
    )


def best_offset(rows: list[tuple[float, bool]]) -> float:
    score = np.array([value for value, _ in rows])
    right = np.array([truth for _, truth in rows])
    f1 = [2 * (right & (score + step >= 0)).sum() / ((score + step >= 0).sum() + right.sum()) for step in STEPS]
    return float(STEPS[int(np.argmax(np.round(f1, 3)))]) / 2


def main() -> None:
    parser = option_parser(__doc__, "data", "model", "output")
    given = parser.parse_args()
    model = PairModel(given.model)
    rows: dict[str, list[tuple[float, bool]]] = {}
    for items in passages(given.data):
        for name, score, right in scored(model, items):
            rows.setdefault(name, []).append((score, right))
    found = {name: best_offset(own) for name, own in rows.items() if sum(right for _, right in own) >= LEAST}
    write_json(given.output, {name: value for name, value in sorted(found.items()) if value})
    for name, own in sorted(rows.items()):
        kept = [right for score, right in own if score >= 0]
        print(name, sum(right for _, right in own), f"found {len(kept)}, right {sum(kept)}, offset {found.get(name)}")
    print(json.dumps(found))


if __name__ == "__main__":
    main()
