"""Would a careful reader sign what `tupelo extract` shows? The default extractor on the judged set.

    python -m benchmarks.judged [--split dev] [--data ../shared/data] [--plot reliability.svg] [--json] [--save]

Extracts from the documents of a split and looks up what readers said of the tuples: good (right and informative),
empty or wrong, by kind of text, for what is shown by default; and whether the confidence of every candidate is the
probability that it is good and that no fuller good one repeats it. Intervals are Wilson's, 95 %. Tuples that nobody
has judged are counted and left out. Texts that the set only refers to are read from DATA; without it their documents
are left out.

Last, how many of the facts that a reader had listed for 200 sentences (`training/judged/facts.tsv`) are told: another
reader compared them with what version 2.0.0 shows.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import tupelo
from benchmarks import results
from tupelo.core import Extraction
from tupelo.extract.judge import repeated
from tupelo.extract.judge.network import shipped_judge
from tupelo_training.calibration import calibration_bins, calibration_error, wilson_interval
from tupelo_training.judged.readings import referenced_texts
from tupelo_training.judged.stored import FOLDER, JudgedTuple, read_judged

DATA = Path(__file__).resolve().parents[1] / ".." / "shared" / "data"
REFERENCED = ("ud_ewt/en_ewt-dev.conllu.gz", "ud_ewt/en_ewt-test.conllu.gz", "claims/factcg.jsonl.gz")
TECHNICAL = frozenset(["technical", "howto"])
LABELS = ("good", "empty", "wrong")

Key = tuple[int, tuple[str, ...], tuple[object, ...]]
# Kind of text, confidence, whether it is shown, label, whether a reader of all candidates keeps it.
Row = tuple[str, float, bool, str, bool]


def key_of(start: int, item: Extraction) -> Key:
    """What a reader saw: the sentence, the words of the parts, the marks."""
    context = (item.context.role, item.context.text) if item.context else None
    said = str(item.attribution) if item.attribution else None
    parts = tuple(part.text for part in (item.rel, *item.arguments))
    return start, parts, (bool(item.negated), item.modality, said, context)


def judged_key(judged: JudgedTuple) -> Key:
    return key_of(judged.start, judged.extraction())


def rows_of(split: str, data: Path) -> tuple[list[Row], int]:
    """The tuples of the split that readers judged, and how many shown ones they did not."""
    texts = referenced_texts([path for name in REFERENCED if (path := data / name).is_file()])
    chosen = read_judged(FOLDER, texts).of(split)
    labels: dict[str, dict[Key, str]] = {document.id: {} for document in chosen.documents if document.text}
    for judged in chosen.tuples:
        if judged.document.text is not None:
            labels[judged.document.id][judged_key(judged)] = judged.label
    rows: list[Row] = []
    unjudged = 0
    nlp = tupelo.load()
    least = shipped_judge().least_confidence
    for document in chosen.documents:
        known = labels.get(document.id)
        if not known or document.text is None:
            continue
        read = {start for start, _, _ in known}
        for sentence in nlp.extract(document.text, coreference=False, all=True, min_confidence=0).sentences:
            found = [(item, known.get(key_of(sentence.start, item))) for item in sentence.extractions]
            good = [item for item, label in found if label == "good"]
            again = {id(good[place]) for place in repeated(good)}
            kept = iter([id(item) not in again for item in good])
            for item, label in found:
                shown = (item.confidence or 0) >= least
                if label is not None:
                    rows.append((document.kind, item.confidence or 0.0, shown, label, label == "good" and next(kept)))
                elif sentence.start in read:
                    unjudged += shown
    return rows, unjudged


def rates(rows: list[Row]) -> dict[str, Any]:
    counts = Counter(label for *_, label, _ in rows)
    total = len(rows)
    figures: dict[str, Any] = {"tuples": total}
    for label in LABELS:
        low, high = wilson_interval(counts[label], total)
        figures[label] = {"share": counts[label] / total, "interval": [low, high]}
    return figures


def told() -> dict[str, int]:
    """Facts that are told, told in part, or not."""
    path = FOLDER / "facts.tsv"
    if not path.is_file():
        return {}
    return dict(Counter(line.rsplit("\t", 1)[1] for line in path.read_text("utf-8").splitlines()[1:]))


def save(shown: Mapping[str, Any]) -> None:
    """The table of the page about extraction, groups first."""
    titles = {"all": "**all**", "prose": "**prose**", "technical and how-to": "**technical, how-to**"}
    rows = []
    for name in (*titles, *(name for name in shown if name not in titles)):
        shares = (shown[name][label] for label in LABELS)
        cells = [
            f"{100 * found['share']:.0f} % [{100 * found['interval'][0]:.0f}, {100 * found['interval'][1]:.0f}]"
            for found in shares
        ]
        rows.append([titles.get(name, name), shown[name]["tuples"], *cells])
    results.save("extraction-would-a-reader-sign-it", ["kind of text", "shown", *LABELS], rows)


def main(given: Sequence[str] | None = None) -> None:
    arguments = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    arguments.add_argument("--split", default="dev", choices=("train", "dev", "test"))
    arguments.add_argument("--data", type=Path, default=DATA)
    arguments.add_argument("--plot", type=Path, help="reliability diagrams per kind of text")
    arguments.add_argument("--json", action="store_true")
    results.add_save_option(arguments)
    options = arguments.parse_args(given)
    if options.save and options.split != "test":
        arguments.error("the page shows the test part, expected --split test with --save")
    rows, unjudged = rows_of(options.split, options.data)
    shown = [row for row in rows if row[2]]
    kinds = sorted({kind for kind, *_ in shown})
    groups = {kind: [row for row in shown if row[0] == kind] for kind in kinds}
    groups["prose"] = [row for row in shown if row[0] not in TECHNICAL]
    groups["technical and how-to"] = [row for row in shown if row[0] in TECHNICAL]
    groups["all"] = shown
    bins = {
        kind: calibration_bins([row[1] for row in some], [row[4] for row in some])
        for kind in (*kinds, "all")
        if (some := [row for row in rows if kind in (row[0], "all")])
    }
    report = {
        "split": options.split,
        "judged": len(rows),
        "shown": {name: rates(some) for name, some in groups.items() if some},
        "shown, not judged": unjudged,
        "calibration error": {name: calibration_error(own) for name, own in bins.items()},
        "facts": told(),
    }
    if options.plot:
        from tupelo_training.calibration import draw_reliability

        options.plot.write_bytes(draw_reliability(bins, options.plot.suffix[1:] or "png"))
    if options.save:
        save(report["shown"])
    if options.json:
        print(json.dumps(report))
        return
    print(f"{options.split}: {len(rows):,} judged tuples, {len(shown):,} of them shown; {unjudged} shown, not judged")
    for name, own in report["shown"].items():
        parts = "  ".join(
            f"{label} {100 * own[label]['share']:.1f} [{100 * own[label]['interval'][0]:.0f}, "
            f"{100 * own[label]['interval'][1]:.0f}]"
            for label in LABELS
        )
        print(f"{name:22}{own['tuples']:6}  {parts}")
    print(
        "calibration error", ", ".join(f"{name} {error:.3f}" for name, error in report["calibration error"].items())
    )
    print("facts:", ", ".join(f"{count} {name}" for name, count in report["facts"].items()))


if __name__ == "__main__":
    main()
