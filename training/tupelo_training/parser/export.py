"""A trained checkpoint as the files that the package ships.

    python -m tupelo_training.parser.export --checkpoint final/ --prepared prepared/ --vocabulary vocab.txt \
        --output FOLDER

`--float` leaves the weights as they are, for comparison; `--tiny` writes a little random network of the same form.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from tupelo_training.onnx_graphs import calibrate
from tupelo_training.options import option_parser, write_checksums, write_json
from tupelo_training.parser.batches import Corpus
from tupelo_training.parser.entities import KINDS
from tupelo_training.parser.graphs import write_graphs
from tupelo_training.parser.model import Analyser
from tupelo_training.parser.train import load, sizes_for

FORMAT = 1
VERSION = "2.0.0"
# Names that few sources mark are found too seldom: this much is added to their scores, chosen on GUM's dev part.
RAISED = dict.fromkeys(("event", "work", "other"), 2.0)
LABELS = ("upos", "xpos", "feats", "deprel", "entity", "constituent")


def sample_batches(corpus: Corpus, sentences: int) -> Iterator[tuple[Tensor, ...]]:
    """Training sentences without padding, one by one: quantisation ranges must not see padding."""
    taken = 0
    random = np.random.default_rng(0)
    groups = list(corpus.batches(["ewt-train", "gum-train"], 600, None))
    for number in random.permutation(len(groups)):
        batch = corpus.cut(*groups[number])
        for row in range(min(4, len(batch.length))):
            pieces, words = int(batch.mask[row].sum()), int(batch.length[row]) + 1
            yield (
                batch.subwords[row : row + 1, :pieces],
                batch.shapes[row : row + 1, :pieces],
                batch.mask[row : row + 1, :pieces],
                batch.first[row : row + 1, :words],
                batch.last[row : row + 1, :words],
            )
            taken += 1
            if taken == sentences:
                return


def write_config(folder: Path, labels: dict[str, object]) -> None:
    config = {
        "format": FORMAT,
        "name": "tupelo-en",
        "version": VERSION,
        "max_subwords": 256,  # what training has seen, and little memory for endless sentences
        "max_pieces_per_word": 12,
        "shapes": labels["shapes"],
        "normalize": labels["normalize"],
        **{name: labels[name] for name in LABELS},
        "mention": KINDS,
    }
    write_json(folder / "config.json", config, ensure_ascii=False)


def main() -> None:
    parser = option_parser(__doc__, "vocabulary", "output")
    parser.add_argument("--checkpoint", type=Path, help="folder with weights-*.npz; not needed with --tiny")
    parser.add_argument("--prepared", type=Path, required=True, help="the folder that prepare wrote")
    parser.add_argument("--sentences", type=int, default=600, help="sentences to take the quantisation ranges from")
    parser.add_argument("--float", action="store_true", dest="as_float")
    parser.add_argument("--tiny", action="store_true")
    options = parser.parse_args()

    options.output.mkdir(parents=True, exist_ok=True)
    corpus = Corpus.load(options.prepared, torch.device("cpu"))
    torch.manual_seed(0)
    if options.tiny:
        model = Analyser(sizes_for(corpus, True)).eval()
    else:
        model = load(options.checkpoint, corpus, torch.device("cpu"))
    ranges = None if options.as_float else calibrate(model, sample_batches(corpus, options.sentences))
    weights = {name: value.detach().numpy() for name, value in model.state_dict().items()}
    raised = [RAISED.get(label.partition("-")[2], 0.0) for label in corpus.labels["entity"]]
    weights["heads.entity.bias"] = weights["heads.entity.bias"] + np.array(raised, np.float32)
    write_graphs(options.output, weights, ranges, attention_heads=model.encoder.layers[0].heads)
    (options.output / "vocab.txt").write_bytes(options.vocabulary.read_bytes())
    write_config(options.output, corpus.labels)
    write_checksums(options.output)


if __name__ == "__main__":
    main()
