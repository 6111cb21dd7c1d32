"""Does ordinary text ever fail?

    python -m benchmarks.soak [--texts 100000] [--seed 1] [--state soak.json] [--data ../shared/data]
        [--stages facts check …]

Lines and paragraphs of all text at hand, changed ones and generated everyday forms go through analysis, extraction,
the stages of a graph, and in samples through a whole graph with queries, checking, facts, canonicalization and
inference; stages that are named run on all texts. Every sentence must lie where it says, and the sentences must cover
the text. An error is minimised to the shortest text that still raises it at the same place. The state is written
after every batch, and the same command resumes there.
"""

from __future__ import annotations

import argparse
import json
import time
from itertools import islice
from pathlib import Path
from typing import Any

from benchmarks.graph_corpus import DATA
from benchmarks.soak.stages import EVERY, Soak
from benchmarks.soak.texts import PLACES, texts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=int, default=100_000)
    parser.add_argument("--batch", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--state", type=Path, default=Path("soak.json"))
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--stages", nargs="*", choices=list(EVERY), default=(), help="these alone, on all texts")
    options = parser.parse_args()
    state: dict[str, Any] = {"texts": 0, "characters": 0, "sentences": 0, "tuples": 0, "stages": {}, "failures": []}
    if options.state.exists():
        state = json.loads(options.state.read_text(encoding="utf-8"))
    soak = Soak(state, options.stages)
    stream = texts([options.data, *(place for place in PLACES if Path(place).exists())], options.seed)
    for _ in islice(stream, state["texts"]):
        pass
    while state["texts"] < options.texts:
        batch = list(islice(stream, options.batch))
        number = state["texts"] // options.batch
        begun = time.process_time()
        soak.batch(batch, number)
        state["seconds"] = state.get("seconds", 0.0) + time.process_time() - begun
        state["texts"] += len(batch)
        state["characters"] += sum(map(len, batch))
        draft = options.state.with_suffix(".new")
        draft.write_text(json.dumps(state, ensure_ascii=False, indent=1), encoding="utf-8")
        draft.replace(options.state)
    print(json.dumps({**state, "failures": len(state["failures"])}, indent=1))


if __name__ == "__main__":
    main()
