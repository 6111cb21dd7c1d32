"""A trained extractor as the files that the package ships.

    python -m tupelo_training.extract.export --checkpoint run/ --encoder encoder.npz --prepared prepared-extract/ \
        --selector run/selector.safetensors --output src/tupelo/models/en-extract

Without `--checkpoint` a little random network of the same form is written, for tests.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from tupelo_training.extract.graphs import filler_graph, reader_graph
from tupelo_training.extract.model import Extractor, ExtractorSizes, load_encoder
from tupelo_training.extract.train import CARB, Corpus
from tupelo_training.onnx_graphs import calibrate
from tupelo_training.options import option_parser, write_checksums, write_json
from tupelo_training.weights import read_weights, tensors

FORMAT = 1
VERSION = "1.1.0"
SELECTOR = "selector.safetensors"


def load(checkpoint: Path, encoder: Path | None) -> Extractor:
    """The network in the folder that training wrote, and what it left as it was in the encoder it started from."""
    report = json.loads((checkpoint / "report.json").read_text(encoding="utf-8"))
    model = Extractor(ExtractorSizes(**report["sizes"])).eval()
    if encoder is not None:
        # Training leaves the embeddings of subwords alone and does not store them.
        load_encoder(model, tensors(read_weights(encoder)), len(model.reader.layers))
    model.load_state_dict(dict(model.state_dict()) | tensors(read_weights(checkpoint / "weights.npz")))
    return model


def sample_batches(corpus: Corpus, sentences: int) -> Iterator[tuple[Tensor, ...]]:
    """Sentences one by one, each with all its content words as anchors: ranges must not see padding."""
    random = np.random.default_rng(0)
    known = np.flatnonzero(corpus.source <= 1)
    for sentence in random.choice(known, min(sentences, len(known)), replace=False).tolist():
        anchors = np.flatnonzero(corpus.content[sentence]).tolist()[:8] or [0]
        inputs = list(corpus.inputs(np.array([sentence]), [0] * len(anchors), anchors))
        inputs[5] = torch.full_like(inputs[5], CARB)
        yield tuple(inputs)


def random_extractor(corpus: Corpus) -> Extractor:
    """A little network of the same form, for tests."""
    counts = {name: len(corpus.table[name]) for name in ("sources", "labels", "leads")}
    sizes = {"width": 24, "inner": 32, "attention_heads": 2, "anchor": 8, "label": 16, "lower": 1, "upper": 1}
    return Extractor(ExtractorSizes(**counts, shapes=12, **sizes)).eval()


def write_config(folder: Path, corpus: Corpus) -> None:
    config = {
        "format": FORMAT,
        "name": "tupelo-en-extract",
        "version": VERSION,
        "slots": corpus.slots,
        "labels": corpus.table["labels"],
        "leads": corpus.table["leads"],
        "max_subwords": 512,
        "max_pieces_per_word": 12,
    }
    write_json(folder / "config.json", config)


def main() -> None:
    parser = option_parser(__doc__, "prepared", "output")
    parser.add_argument("--checkpoint", type=Path)
    parser.add_argument("--encoder", type=Path, help="what training started from")
    parser.add_argument("--selector", type=Path, help="what training.extract.select wrote")
    parser.add_argument("--sentences", type=int, default=400, help="sentences to take the quantisation ranges from")
    parser.add_argument("--float", action="store_true", dest="as_float")
    options = parser.parse_args()
    torch.manual_seed(0)
    options.output.mkdir(parents=True, exist_ok=True)
    corpus = Corpus(options.prepared, torch.device("cpu"), 4)
    model = load(options.checkpoint, options.encoder) if options.checkpoint else random_extractor(corpus)
    ranges = None if options.as_float else calibrate(model, sample_batches(corpus, options.sentences))
    weights = {name: value.detach().numpy() for name, value in model.state_dict().items()}
    attention_heads = model.reader.layers[0].heads
    (options.output / "reader.onnx").write_bytes(reader_graph(weights, ranges, attention_heads))
    (options.output / "filler.onnx").write_bytes(filler_graph(weights, ranges, attention_heads))
    write_config(options.output, corpus)
    if options.selector:
        (options.output / SELECTOR).write_bytes(options.selector.read_bytes())
    write_checksums(options.output)


if __name__ == "__main__":
    main()
