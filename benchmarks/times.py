"""Times, questions about a day, disagreements and events of a business corpus, against marks set beforehand.

    python -m benchmarks.times [--world develop|valley|held|island] [--graph FILE] [--only times …]
        [--list] [--save] [--fit GRAPH]

The documents of `benchmarks/business` become a graph with `tupelo graph build`.

times
    Marked statements whose interval is right. The statement is the one of the marked sentence whose tuple has most
    characters of the marked words, those of the expression counting three times, and fewest others. Both ends must be
    the marked days; for *two years ago* and the like, an interval that contains the marked one counts as well.
questions
    `Graph.ask` with `as_of`, for the questions that depend on a day: right where the first answer is among the marked
    ones.
conflicts
    Marked pairs that `Graph.conflicts` lists, by the sentences of both sides. Precision is over the marked pairs;
    pairs that are not marked are counted beside it. A near miss between two sentences that also contradict each
    other does not count.
events
    Pairs of reports that are one event of `Graph.events`, the same way.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from itertools import combinations
from pathlib import Path
from typing import Any

from benchmarks.results import add_save_option, save
from tupelo import Graph
from tupelo.graph.report.claims import read_claims
from tupelo.graph.report.conflicts import Degrees, wider
from tupelo.graph.store.file import open_graph
from tupelo.nlp.dates import moment_days

WORLDS = Path(__file__).parent / "business"
Marks = list[dict[str, Any]]


def marks(world: str, name: str) -> Marks:
    with (WORLDS / world / f"{name}.jsonl").open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def build(world: str, graph: Path) -> None:
    folder = WORLDS / world / "documents"
    command = [sys.executable, "-m", "tupelo", "graph", "build", str(folder), "-o", str(graph)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def sentences(graph: Graph) -> dict[str, list[tuple[str, str]]]:
    """Id and text of the sentences of each document."""
    found: dict[str, list[tuple[str, str]]] = {}
    rows = graph.sql(
        "SELECT source, sentence_id, text FROM sentences JOIN documents USING (document_id) ORDER BY ALL"
    )
    for row in rows:
        source, key, text = row.cells
        found.setdefault(Path(source).name, []).append((key, text))
    return found


def places_of(mark: Mapping[str, Any], known: Mapping[str, list[tuple[str, str]]]) -> dict[str, tuple[int, int]]:
    """The sentences of a mark, with the characters of its quote in each."""
    quote = mark["quote"]
    for key, text in known.get(mark["doc"], ()):
        if (at := text.find(quote)) >= 0:
            return {key: (at, at + len(quote))}
    return {
        key: (0, len(text))
        for key, text in known.get(mark["doc"], ())
        if len(text) > 12 and (text in quote or quote[:25] in text)
    }


def score_times(graph: Graph, world: str, report: Callable[[str], None]) -> list[list[object]]:
    known = sentences(graph)
    kinds: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for mark in marks(world, "times"):
        expression = mark["expression"]
        found = _interval(graph, places_of(mark, known), mark["quote"].find(expression), len(expression))
        good = found is not None and _is_right(mark, *found)
        kinds[mark["kind"]] += 1
        right[mark["kind"]] += good
        if not good:
            report(
                f"{mark['id']} {mark['kind']}: {mark['quote']} | {mark['expression']} {mark['interval']} != {found}"
            )
    rows: list[list[object]] = [[kind, kinds[kind], _share(right[kind], kinds[kind])] for kind in sorted(kinds)]
    return [["all", kinds.total(), _share(right.total(), kinds.total())], *rows]


def _interval(
    graph: Graph, places: Mapping[str, tuple[int, int]], words: int, length: int
) -> tuple[str | None, str | None] | None:
    """The interval of the statement whose tuple has most characters of a quote and fewest of other words."""
    best: tuple[int, float, str | None, str | None] | None = None
    for sentence, (start, end) in places.items():
        time = start + words, start + words + length
        rows = graph.sql(
            f"""SELECT tuple_id, tuples.valid_from, tuples.valid_until, tuples.confidence,
                bool_or(mentions.role = 'object' AND coalesce(nodes.label, '') = 'clause'),
                list(starts ORDER BY mentions.position) FILTER (starts IS NOT NULL),
                list(ends ORDER BY mentions.position) FILTER (ends IS NOT NULL)
            FROM tuples JOIN mentions USING (tuple_id) LEFT JOIN nodes USING (node_id)
            WHERE tuples.sentence_id = '{sentence}' AND role <> 'name'
            GROUP BY ALL ORDER BY tuple_id"""
        )
        for row in rows:
            _, first, last, confidence, is_clause, starts, ends = row.cells
            spans = [span for pair in zip(starts or (), ends or (), strict=True) for span in zip(*pair, strict=True)]
            inside = {at for one, two in spans for at in range(max(one, start), min(two, end))}
            outside = sum(two - one for one, two in spans) - len(inside)
            timed = len(inside & {*range(*time)})
            # A tuple about a clause has all words of the tuple in it.
            fit = len(inside) + 2 * timed - outside - 1000 * is_clause
            if inside and (best is None or (fit, confidence) > best[:2]):
                best = fit, confidence, first, last
    return None if best is None else best[2:]


def _is_right(mark: Mapping[str, Any], first: str | None, last: str | None) -> bool:
    marked = mark["interval"]["start"], mark["interval"]["end"]
    if "X" in "".join(filter(None, marked)):
        return (first, last) == marked
    expected, given = moment_days(*marked), moment_days(first, last)
    if expected == given:
        return True
    if None in expected or given[0] is None or given[1] is None:
        return False
    # *two years ago*: the year, where another document knows the month.
    wider = given[0] <= expected[0] and expected[1] <= given[1]  # type: ignore[operator]
    return wider and mark["kind"] == "relative" and (given[1] - given[0]).days < 366


def score_questions(graph: Graph, world: str, report: Callable[[str], None]) -> list[list[object]]:
    right = total = 0
    for mark in marks(world, "questions"):
        if "as_of" not in mark:
            continue
        found = graph.ask(mark["question"], as_of=mark["as_of"])
        given = found[0].answer if len(found) else ""
        words = {plain(answer) for answer in mark["answers"]}
        good = bool(given) and any(answer in plain(given) or plain(given) in answer for answer in words)
        total += 1
        right += good
        if not good:
            report(f"{mark['id']} {mark['question']} ({mark['as_of']}): {given!r}, expected {mark['answers']}")
    return [["questions", total], ["right %", _share(right, total)]]


def plain(text: str) -> str:
    return " ".join(word for word in text.casefold().replace(",", "").split() if word not in ("the", "a", "an"))


def _share(right: int, total: int) -> str:
    return f"{100 * right / total:.1f}" if total else ""


def _marked_pairs(mark: Mapping[str, Any], known: Mapping[str, list[tuple[str, str]]]) -> set[frozenset[str]]:
    sides = [places_of(mark[side], known) for side in ("a", "b")]
    return {frozenset((one, other)) for one in sides[0] for other in sides[1]}


def score_conflicts(graph: Graph, world: str, report: Callable[[str], None]) -> list[list[object]]:
    known = sentences(graph)
    ids = {(source, text): key for source, found in known.items() for key, text in found}
    given: dict[frozenset[str], Any] = {}
    for one in graph.conflicts(limit=None):
        pair = frozenset(ids[Path(side.source).name, side.sentence] for side in (one.first, one.second))
        given.setdefault(pair, one)
    return _against(given, marks(world, "conflicts"), lambda mark: mark["label"] == "conflict", known, report)


def score_events(graph: Graph, world: str, report: Callable[[str], None]) -> list[list[object]]:
    known = sentences(graph)
    ids = {(source, text): key for source, found in known.items() for key, text in found}
    given: dict[frozenset[str], Any] = {}
    for event in graph.events():
        places = [ids[Path(source).name, sentence] for sentence, source, _ in event.reports]
        given |= {frozenset(pair): event for pair in combinations(places, 2)}
    return _against(given, marks(world, "events"), lambda mark: mark["same"], known, report)


def _against(
    given: Mapping[frozenset[str], object],
    marked: Marks,
    holds: Callable[[dict[str, Any]], bool],
    known: Mapping[str, list[tuple[str, str]]],
    report: Callable[[str], None],
) -> list[list[object]]:
    """Precision and recall over marked pairs, and the number of pairs that are not marked."""
    right = wrong = positive = 0
    listed: set[frozenset[str]] = set()
    # Two sentences may agree in one thing and disagree in another.
    disagreeing = {pair for mark in marked if holds(mark) for pair in _marked_pairs(mark, known)}
    for mark in marked:
        pairs = _marked_pairs(mark, known)
        listed |= pairs
        hit = not (pairs if holds(mark) else pairs - disagreeing).isdisjoint(given)
        positive += holds(mark)
        right += hit and holds(mark)
        wrong += hit and not holds(mark)
        if hit != holds(mark):
            report(f"{mark['id']} {'wrong' if hit else 'missed'}: {mark['a']['quote']} / {mark['b']['quote']}")
    others = [found for pair, found in given.items() if pair not in listed]
    for found in others:
        report(f"not marked: {found}")
    return [
        ["marked pairs found", right],
        ["marked pairs that should be found", positive],
        ["near misses found", wrong],
        ["precision %", _share(right, right + wrong)],
        ["recall %", _share(right, positive)],
        ["pairs that are not marked", len(others)],
    ]


def slots_of(degrees: Degrees) -> dict[str, tuple[int, int]]:
    """Groups and single values by slot, and by the wider slots of *be* and *have*."""
    found = {slot: (count, degrees.single[slot]) for slot, count in degrees.groups.items() if count > 1}
    wide: dict[str, Counter[str]] = {}
    for slot, count in degrees.groups.items():
        wide.setdefault(wider(slot), Counter()).update(groups=count, single=degrees.single[slot])
    return found | {name: (kept["groups"], kept["single"]) for name, kept in wide.items() if name}


TASKS: dict[str, tuple[list[str], Callable[[Graph, str, Callable[[str], None]], list[list[object]]]]] = {
    "times": (["kind", "statements", "right %"], score_times),
    "questions": (["", "figure"], score_questions),
    "conflicts": (["", "figure"], score_conflicts),
    "events": (["", "figure"], score_events),
}


def main(given: Iterable[str] | None = None) -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    arguments.add_argument("--world", choices=("develop", "valley", "held", "island"), default="develop")
    arguments.add_argument("--graph", type=Path, help="a graph of the world's documents, built beforehand")
    arguments.add_argument("--only", choices=sorted(TASKS), action="append", help="only this task; repeatable")
    arguments.add_argument("--list", action="store_true", help="list what is wrong (not of held worlds)")
    arguments.add_argument("--fit", type=Path, metavar="GRAPH", help="print the slots of conflicts.toml for a graph")
    add_save_option(arguments)
    chosen = arguments.parse_args(None if given is None else list(given))
    report = print if chosen.list and chosen.world in ("develop", "valley") else lambda line: None
    if chosen.fit:
        with open_graph(chosen.fit) as store:
            table = slots_of(Degrees(read_claims(store)))
        plain = (slot for slot in sorted(table) if slot.isascii() and '"' not in slot and "#" not in slot)
        print(*(f'"{slot}" = {list(table[slot])}' for slot in plain), sep="\n")
        return
    with tempfile.TemporaryDirectory() as folder:
        path = chosen.graph or Path(folder, "world.duckdb")
        if chosen.graph is None:
            build(chosen.world, path)
        with Graph.open(path) as graph:
            for name in chosen.only or TASKS:
                header, score = TASKS[name]
                rows = score(graph, chosen.world, report)
                print(f"\n{name} ({chosen.world})", header, *rows, sep="\n")
                if chosen.save:
                    save(f"time-{name}-{chosen.world}", header, rows)


if __name__ == "__main__":
    main()
