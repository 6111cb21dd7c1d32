"""How many sentences a second the networks read on the device at hand.

    python -m tupelo_training.extract.speed --prepared prepared-extract/

The encoder and the heads of the analysis model, then the extractor on as many anchors as the sentences have. Weights
are random: speed does not depend on them. Sentences are cut into pieces before the clock starts; what runs on the CPU
in any case (trees from scores, rules, selection) is not in the figures.
"""

from __future__ import annotations

import json
import time

import numpy as np
import torch

from tupelo_training.extract.model import Extractor, ExtractorSizes
from tupelo_training.extract.train import Corpus
from tupelo_training.loop import training_device
from tupelo_training.options import option_parser
from tupelo_training.parser.model import Analyser, Sizes


def main() -> None:
    parser = option_parser(__doc__, "prepared")
    parser.add_argument("--sentences", type=int, default=256, help="in one batch")
    parser.add_argument("--limit", type=int, help="sentences in all")
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    device = training_device()
    torch.set_float32_matmul_precision("high")
    corpus = Corpus(options.prepared, device, 4)
    table = corpus.table
    analyser = (
        Analyser(Sizes(upos=17, xpos=50, feats=200, deprel=50, entity=17, constituent=42, shapes=12))
        .to(device)
        .eval()
    )
    counts = {name: len(table[name]) for name in ("sources", "labels", "leads")}
    extractor = Extractor(ExtractorSizes(**counts, shapes=12)).to(device).eval()
    chosen = np.flatnonzero(corpus.source <= 1)[: options.limit]
    chosen = chosen[np.argsort(corpus.pieces[chosen], kind="stable")]
    batches = []
    anchors = 0
    for start in range(0, len(chosen), options.sentences):
        rows = chosen[start : start + options.sentences]
        pairs = [(place, word) for place, sentence in enumerate(rows.tolist()) for word in corpus.anchors[sentence]]
        anchors += len(pairs)
        batches.append(corpus.inputs(rows, [place for place, _ in pairs], [word for _, word in pairs]))
    words = int(corpus.length[chosen].sum())
    figures = {"sentences": len(chosen), "words": words, "anchors": anchors, "device": str(device)}
    if device.type == "cuda":
        figures["device"] = torch.cuda.get_device_name()
    for name, lower in (("float32 (TF32 products)", False), ("bfloat16", True)):
        times = []
        for repeat in range(options.repeats + 1):
            started = time.perf_counter()
            with torch.no_grad(), torch.autocast(device.type, torch.bfloat16, enabled=lower):
                for batch in batches:
                    analyser.heads(analyser.encoder(*batch[:5]))
                    extractor(*batch)
            if device.type == "cuda":
                torch.cuda.synchronize()
            if repeat:
                times.append(time.perf_counter() - started)
        figures[name] = {
            "best": round(len(chosen) / min(times)),
            "median": round(len(chosen) / float(np.median(times))),
        }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
