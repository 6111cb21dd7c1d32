"""CaRB written down as its description reads: the baseline that `score_carb.py` measures against.

For every threshold it walks over every sentence, keeps the predictions above
the threshold and pairs them from scratch. No trick, no shared code with the
product, so it also serves as an independent second opinion in the tests.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

Item = tuple[str, tuple[str, ...], float]
Fit = tuple[float, float]
BE = {"be", "is", "am", "are", "was", "were", "been", "being"}
SPEECH = ("said", "told", "added", "adds", "says")


def take_common(gold: list[str], predicted: list[str]) -> tuple[int, list[str]]:
    """Each gold word takes one equal predicted word; also what is left of the predicted words."""
    left = list(predicted)
    taken = 0
    for word in gold:
        if word in left:
            left.remove(word)
            taken += 1
    return taken, left


def lenient(gold: Item, predicted: Item) -> Fit:
    relation, left = take_common(gold[0].split(), predicted[0].split())
    if "be" in left and BE.intersection(gold[0].split()):
        relation += 1
    if relation == 0:
        return (0.0, 0.0)
    common, predicted_size, gold_size = relation, len(predicted[0].split()), len(gold[0].split())
    for position, argument in enumerate(gold[1]):
        gold_size += len(argument.split())
        if position >= len(predicted[1]):
            if position < 2:
                return (0.0, 0.0)
            continue
        predicted_size += len(predicted[1][position].split())
        common += take_common(argument.split(), predicted[1][position].split())[0]
    return (common / predicted_size if predicted_size else 0.0, common / gold_size if gold_size else 0.0)


def join(item: Item) -> Item:
    relation, arguments, confidence = item
    if len(arguments) >= 2:
        arguments = (arguments[0], " ".join(arguments[1:]))
    return (relation, arguments, confidence)


def match(gold: Item, predicted: Item) -> Fit:
    gold, predicted = join(gold), join(predicted)
    straight = lenient(gold, predicted)
    if any(verb in gold[0] for verb in SPEECH):
        relation, arguments, confidence = predicted
        swapped = arguments[::-1] if len(arguments) >= 2 else arguments
        return max(straight, lenient(gold, (relation, swapped, confidence)))
    return straight


def score(sentences: Sequence[tuple[list[Item], list[Item]]]) -> dict[str, float]:
    """Precision, recall, F1 at the best threshold and the area under the curve."""
    thresholds = sorted({item[2] for _, predicted in sentences for item in predicted})
    tables = [[[match(g, p) for p in predicted] for g in gold] for gold, predicted in sentences]
    points: list[Fit] = []
    for threshold in thresholds:
        precision_sum = recall_sum = 0.0
        predicted_count = gold_count = 0
        for (gold, predicted), table in zip(sentences, tables, strict=True):
            kept = [column for column, item in enumerate(predicted) if item[2] >= threshold]
            gold_count += len(gold)
            if not kept:
                continue
            recall_part = 0.0
            for row in table:
                recall_part += max(row[column][1] for column in kept)
            recall_sum += recall_part
            precision_sum += greedy(table, kept)
            predicted_count += len(kept)
        precision = precision_sum / predicted_count if predicted_count else 1.0
        points.append((precision, recall_sum / gold_count if gold_count else 0.0))
    best = (0.0, 0.0, 0.0)
    for precision, recall in points:
        f1 = 2 * precision * recall / (precision + recall) if precision + recall else -1.0
        if f1 > best[2] or (f1 == best[2] == 0.0 and best == (0.0, 0.0, 0.0)):
            best = (precision, recall, f1)
    area = 0.0
    for (p1, r1), (p2, r2) in pairwise([*points, (1.0, 0.0)]):
        area += (r1 - r2) * (p1 + p2) / 2
    return {"precision": best[0], "recall": best[1], "f1": best[2], "auc": area}


def greedy(table: list[list[Fit]], kept: list[int]) -> float:
    rows, columns, total = list(range(len(table))), list(kept), 0.0
    for _ in range(min(len(rows), len(columns))):
        best_value, best_row, best_column = -1.0, -1, -1
        for row in rows:
            for column in columns:
                if table[row][column][0] > best_value:
                    best_value, best_row, best_column = table[row][column][0], row, column
        total += best_value
        rows.remove(best_row)
        columns.remove(best_column)
    return total
