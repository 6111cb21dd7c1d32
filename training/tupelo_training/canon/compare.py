"""Every method two-fold: its threshold searched on one half of the data and applied to the other, in both directions.

    python -m tupelo_training.canon.compare --data combo.dev.json [--method tokens --method encoder]
    python -m tupelo_training.canon.compare --data combo.dev.json --thresholds
    python -m tupelo_training.canon.compare --data combo.dev.json --method cesi --set words=0 --wordnet FOLDER

For `encoder` the half that is tuned on also chooses input form and layer for every subtask, as the COMBO paper does.
`--grid 0.3 --grid 0.4` chooses among these thresholds only, since autoencoders are trained for each.
`--thresholds` prints the rows of `thresholds.json` in `tupelo/models/en-canon` instead: the search on the whole
file. The default method is measured by `tupelo_training.canon.fit --report`, because its heads have to be fitted on
each half.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from papers.combo import (
    Search,
    Trial,
    clusters_of,
    gold_clusters,
    rate_flat,
    rate_tree,
    search_score,
    search_threshold,
)
from papers.folds import two_folds
from papers.hierarchies import tree_of
from tupelo.api.canonical import CanonOptions, open_method, open_resources
from tupelo.canon.context import standardized
from tupelo.canon.cuts import VectorCut
from tupelo.canon.methods import METHODS, CanonResources, Cuttable
from tupelo.core.canonical import SLOTS, SUBTASKS, GoldLabels, TripleMention
from tupelo.io.triples import read_triples
from tupelo_training.canon.readings import FORMS, phrase_states, reading
from tupelo_training.options import option_parser

Part = Sequence[TripleMention]


def truth(part: Part, gold: GoldLabels, subtask: str) -> list[list[str]]:
    return gold_clusters({mention.id: gold[subtask][mention.id] for mention in part})


def search(cut: Cuttable, part: Part, gold: GoldLabels, subtask: str, grid: Sequence[float] | None = None) -> Search:
    clusters, members = truth(part, gold, subtask), [mention.id for mention in part]
    if grid is None:
        return search_threshold(cut, lambda labels: search_score(clusters, members, labels), len(clusters))
    tried = ((threshold, cut.labels(threshold)) for threshold in grid)
    return Search(tuple(Trial(t, int(found.max()) + 1, search_score(clusters, members, found)) for t, found in tried))


def figures(cut: Cuttable, part: Part, gold: GoldLabels, subtask: str, threshold: float) -> dict[str, Any]:
    clusters, members = truth(part, gold, subtask), [mention.id for mention in part]
    found = rate_flat(subtask, clusters, clusters_of(cut.labels(threshold), members))
    if subtask.endswith("-type"):
        tree = tree_of(cut)
        if tree is not None:
            found |= rate_tree(clusters, members, tree.children())
    return found


def cuts_of(
    name: str, part: Part, resources: CanonResources, chosen: Mapping[str, str | None]
) -> dict[str, dict[str, Cuttable]]:
    """Settings of a method, and for each what it makes of every subtask."""
    if name != "encoder":
        prepared = open_method(name, chosen).prepare(part, resources)
        return {"": {subtask: prepared.subtask(subtask) for subtask in SUBTASKS}}
    settings: dict[str, dict[str, Cuttable]] = {}
    for form in FORMS:
        states = phrase_states(resources.require("encoder", name), part, reading(form))
        for layer in range(states.shape[2]):
            settings[f"form={form} layer={layer}"] = {
                subtask: VectorCut(standardized(states[:, SLOTS.index(slot), layer]))
                for subtask, slot in SUBTASKS.items()
            }
    return settings


def two_fold(
    name: str,
    parts: Sequence[Part],
    gold: GoldLabels,
    resources: CanonResources,
    chosen: Mapping[str, str | None],
    grid: Sequence[float] | None = None,
) -> dict[str, dict[str, float]]:
    settings = [cuts_of(name, part, resources, chosen) for part in parts]
    ways: list[dict[str, dict[str, Any]]] = []
    for tuned, measured in ((0, 1), (1, 0)):
        way = {}
        for subtask in SUBTASKS:
            best = max(
                (
                    (search(cuts[subtask], parts[tuned], gold, subtask, grid).best, setting)
                    for setting, cuts in settings[tuned].items()
                ),
                key=lambda item: item[0].score,
            )
            cut = settings[measured][best[1]][subtask]
            way[subtask] = figures(cut, parts[measured], gold, subtask, best[0].threshold)
        ways.append(way)
    return {
        subtask: {
            column: float(np.mean([way[subtask][column] for way in ways]))
            for column in ("average", "jaccard", "largest")
            if all(column in way[subtask] for way in ways)
        }
        for subtask in SUBTASKS
    }


def main() -> None:
    parser = option_parser(__doc__, "data")
    parser.add_argument("--method", action="append", help="default: all but the fitted one")
    parser.add_argument("--thresholds", action="store_true")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="an option of the methods")
    parser.add_argument("--grid", type=float, action="append", help="thresholds to choose from")
    parser.add_argument("--paraphrases", help="PPDB clusters")
    parser.add_argument("--wordnet", help="folder of WordNet's database files")
    options = parser.parse_args()
    data = read_triples(options.data)
    places = {"paraphrases": options.paraphrases, "wordnet": options.wordnet}
    names = options.method or [name for name in METHODS if name != "tupelo"]
    chosen = {name: value for name, _, value in (given.partition("=") for given in options.set)}
    parts = two_folds(data.mentions, data.gold)
    for name in names:
        method = open_method(name, chosen)
        resources = open_resources(method, data, CanonOptions(**places))
        if options.thresholds:
            prepared = method.prepare(data.mentions, resources)
            found = {s: search(prepared.subtask(s), data.mentions, data.gold, s).best.threshold for s in SUBTASKS}
            print(f'  "{name}": {json.dumps(found)},', flush=True)
            continue
        for subtask, row in two_fold(name, parts, data.gold, resources, chosen, options.grid).items():
            print(f"{name:12} {subtask:13} " + "  ".join(f"{k} {v:.4f}" for k, v in row.items()), flush=True)


if __name__ == "__main__":
    main()
