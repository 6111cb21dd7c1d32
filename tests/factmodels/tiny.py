"""Little random networks of every kind, and the folders that they make."""

from __future__ import annotations

from tupelo.factmodels.folder import Relation

PIECES = 30_522
RELATIONS = [Relation("place of birth", "P19"), Relation("located in", "P131"), Relation("knows")]
NAMES = ["Ann Lee", "Oslo", "Norway"]


def write(folder, files):
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return folder


def tiny_pairs(*, rounded=True, seed=1):
    import torch

    from tupelo_training.facts.model_files import pairs_files
    from tupelo_training.facts.pair_network import PairReader, PairSizes

    torch.manual_seed(seed)
    sizes = PairSizes(
        relations=5, inner=16, layers=2, attention_heads=2, block=8, pair=8, rounds=2, feature=4, link=8
    )
    network = PairReader(sizes).eval()
    with torch.no_grad():
        for round_ in network.rounds:
            round_.out.weight.normal_(std=0.3)
            round_.back.weight.normal_(std=0.3)
        # Weights of a useful size: a random network would otherwise say next to nothing.
        network.product.weight.normal_(std=0.2)
        network.relations.weight.normal_(std=1.0)
        network.related.weight.normal_(std=1.0)
        network.tags.weight.normal_(std=0.3)
        network.linked.weight.normal_(std=3.0)
    return network, pairs_files(network, RELATIONS, name="tiny", version="1", rounded=rounded)


def tiny_sentence(*, own=True, rounded=True, seed=1, relations=RELATIONS):
    import torch

    from tupelo_training.facts.model_files import sentence_files
    from tupelo_training.facts.sentence_network import SentenceReader, SentenceSizes

    torch.manual_seed(seed)
    sizes = SentenceSizes(
        len(relations), width=16 if own else 384, inner=16, attention_heads=2, layers=1, own_embeddings=own
    )
    network = SentenceReader(sizes).eval()
    return network, sentence_files(network, relations, name="tiny", version="1", rounded=rounded)


def tiny_pointer(*, rounded=True, seed=1, heads=12):
    """Of the size that the shipped classifier's encoder asks for."""
    import torch

    from tupelo_training.facts.model_files import pointer_files
    from tupelo_training.facts.pointer_network import FactPointer, PointerSizes

    torch.manual_seed(seed)
    network = FactPointer(PointerSizes(len(RELATIONS), feature=4, width=16, attention_heads=2)).eval()
    with torch.no_grad():
        network.write.weight.normal_(std=0.5)
        network.overlap.weight.normal_(std=2.0)
    files = pointer_files(network, RELATIONS, name="tiny", version="1", heads=heads, rounded=rounded)
    return network, files


def tiny_writer(*, own=False, rounded=True, seed=1):
    import torch

    from tupelo_training.facts.model_files import writer_files
    from tupelo_training.facts.writer_network import FactWriter, WriterSizes

    torch.manual_seed(seed)
    generated = [2000, 2001, 2026, 3000, 4000]
    sizes = WriterSizes(
        relations=len(RELATIONS),
        generated=len(generated),
        pieces=PIECES,
        width=16 if own else 384,
        inner=16,
        attention_heads=2,
        layers=1,
        decoder_layers=2,
        longest=24,
        own_embeddings=own,
    )
    network = FactWriter(sizes, generated).eval()
    with torch.no_grad():
        # Left to chance it would end at once; so it writes short names and several facts.
        network.write.bias[:4] = torch.tensor([0.0, 3.0, 2.0, -1.0])
    files = writer_files(network, RELATIONS, generated, NAMES, name="tiny", version="1", window=60, rounded=rounded)
    return network, files
