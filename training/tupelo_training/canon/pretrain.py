"""Continued pre-training of an encoder on the sentences of triples, before canonicalization: `tupelo pretrain`.

Two objectives of the COMBO paper (EACL 2023). `triple` masks all subwords of the subject, the relation or the object,
one of them at every visit with equal chance, and predicts them. `subword` is the control: every piece is chosen with
probability 0.15; of the chosen 80% are masked, 10% replaced by a random subword, 10% left, and the chosen are
predicted. No label is used. AdamW without decay of weights, a rate that falls linearly to zero, no dropout: the
published program never switches it on.

The model is BERT-like, with its head for masked words. The shipped encoder has none: it gets one whose words are its
own embeddings and whose other weights are drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from tupelo.core.canonical import SLOTS, TripleMention
from tupelo.core.extraction import Span
from tupelo.io.files import temporary_folder, write_text
from tupelo.nlp.encoder import SHIPPED
from tupelo.nlp.folder import ModelFolder, find_model
from tupelo_training.canon.checkpoint import checkpoint_folder

OBJECTIVES = ("triple", "subword")
# What the loss leaves out, by the convention of torch's cross entropy.
IGNORED = -100
CHOSEN = 0.15
# The parts of a layer in the order of the shipped graph; each has a weight and a bias.
LAYER_PARTS = (
    *(f"attention.self.{name}" for name in ("query", "key", "value")),
    "attention.output.dense",
    "attention.output.LayerNorm",
    "intermediate.dense",
    "output.dense",
    "output.LayerNorm",
)
MASKED, REPLACED = 0.8, 0.1


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence in subwords, and for each slot which subwords belong to it."""

    ids: tuple[int, ...]
    slots: tuple[tuple[int, ...], ...]
    special: tuple[bool, ...]


def examples_of(mentions: Sequence[TripleMention], tokenizer: Any, longest: int = 128) -> list[Example]:
    """Sentences in which all three phrases were found; others teach nothing here."""
    found = []
    for mention in mentions:
        spans = [mention.phrase(slot).span for slot in SLOTS]
        if not mention.sentence or any(span is None for span in spans):
            continue
        cut = tokenizer(
            mention.sentence,
            truncation=True,
            max_length=longest,
            return_offsets_mapping=True,
            return_special_tokens_mask=True,
        )
        slots = tuple(_covered(cut["offset_mapping"], span) for span in spans if span is not None)
        if all(slots):
            special = tuple(bool(mark) for mark in cut["special_tokens_mask"])
            found.append(Example(tuple(cut["input_ids"]), slots, special))
    return found


def _covered(offsets: Sequence[tuple[int, int]], span: Span) -> tuple[int, ...]:
    return tuple(
        number for number, (start, end) in enumerate(offsets) if start < span.end and end > span.start and end > start
    )


def mask_triple(example: Example, mask: int, vocabulary: int, random: torch.Generator) -> tuple[list[int], list[int]]:
    """One slot masked entirely; the loss is on its subwords alone."""
    chosen = example.slots[int(torch.randint(len(example.slots), (1,), generator=random))]
    ids, wanted = list(example.ids), [IGNORED] * len(example.ids)
    for place in chosen:
        wanted[place], ids[place] = ids[place], mask
    return ids, wanted


def mask_subwords(
    example: Example, mask: int, vocabulary: int, random: torch.Generator
) -> tuple[list[int], list[int]]:
    """Single subwords chosen by chance, as BERT was trained."""
    ids, wanted = list(example.ids), [IGNORED] * len(example.ids)
    chances = torch.rand(len(ids), 2, generator=random).tolist()
    for place, (choice, change) in enumerate(chances):
        if example.special[place] or choice >= CHOSEN:
            continue
        wanted[place] = ids[place]
        if change < MASKED:
            ids[place] = mask
        elif change < MASKED + REPLACED:
            ids[place] = int(torch.randint(vocabulary, (1,), generator=random))
    return ids, wanted


Mask = Callable[[Example, int, int, torch.Generator], tuple[list[int], list[int]]]
MASKS: dict[str, Mask] = {"triple": mask_triple, "subword": mask_subwords}


def batches(
    examples: Sequence[Example], mask_example: Mask, tokenizer: Any, size: int, random: torch.Generator
) -> Iterator[dict[str, Tensor]]:
    """Every example once, shuffled, masked anew, padded to the longest of its batch."""
    order = torch.randperm(len(examples), generator=random).tolist()
    padding = tokenizer.pad_token_id
    for start in range(0, len(order), size):
        rows = [
            mask_example(examples[number], tokenizer.mask_token_id, len(tokenizer), random)
            for number in order[start : start + size]
        ]
        longest = max(len(ids) for ids, _ in rows)
        yield {
            "input_ids": torch.tensor([ids + [padding] * (longest - len(ids)) for ids, _ in rows]),
            "attention_mask": torch.tensor([[1] * len(ids) + [0] * (longest - len(ids)) for ids, _ in rows]),
            "labels": torch.tensor([wanted + [IGNORED] * (longest - len(wanted)) for _, wanted in rows]),
        }


def pretrain(
    model: Any,
    tokenizer: Any,
    examples: Sequence[Example],
    objective: str = "triple",
    *,
    epochs: int = 10,
    size: int = 64,
    rate: float = 5e-5,
    seed: int = 0,
    device: torch.device | str = "cpu",
    keep: Callable[[int], None] = lambda epoch: None,
) -> list[float]:
    """Train in place; `keep` is called after every epoch. Returns the mean loss of each epoch."""
    model.to(device)
    random = torch.Generator().manual_seed(seed)
    steps = epochs * -(-len(examples) // size)
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=0.0)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: max(0.0, 1 - step / steps))
    # Without dropout, as the published program trains.
    model.eval()
    losses = []
    for epoch in range(1, epochs + 1):
        total, count = 0.0, 0
        for batch in batches(examples, MASKS[objective], tokenizer, size, random):
            if not (batch["labels"] != IGNORED).any():
                continue
            loss = model(**{name: values.to(device) for name, values in batch.items()}).loss
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            total, count = total + loss.item(), count + 1
        losses.append(total / max(count, 1))
        keep(epoch)
    return losses


def open_model(place: str | None) -> tuple[Any, Any]:
    """A model with a head for masked words and its tokenizer: of a folder, of the hub's cache, or the shipped one."""
    from transformers import AutoModelForMaskedLM, AutoTokenizer

    if place is None:
        return shipped_model()
    folder = checkpoint_folder(place)
    tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
    return AutoModelForMaskedLM.from_pretrained(folder, local_files_only=True, use_safetensors=True), tokenizer


def shipped_model() -> tuple[Any, Any]:
    """The shipped encoder as a model of the `transformers` package, its int8 weights as floats."""
    import onnx
    from onnx import numpy_helper
    from transformers import BertConfig, BertForMaskedLM, BertTokenizerFast

    folder = find_model(SHIPPED)
    vocabulary = ModelFolder(folder, "an encoder").vocabulary()

    def weights(name: str) -> Iterator[Tensor]:
        """Arrays in the order of the graph; the scales of an int8 matrix are multiplied in."""
        found = [numpy_helper.to_array(array) for array in onnx.load(str(folder / name)).graph.initializer]
        arrays = iter(array for array in found if array.dtype.kind == "f" or array.dtype.itemsize == 1)
        for array in arrays:
            floats = array.astype("float32") * next(arrays) if array.dtype.itemsize == 1 else array
            yield torch.tensor(floats)

    words, positions, segments, *norm = weights("embeddings.onnx")
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=words.shape[1],
        num_hidden_layers=6,
        num_attention_heads=12,
        intermediate_size=4 * words.shape[1],
    )
    model = BertForMaskedLM(config)
    state = {
        "word_embeddings.weight": words,
        "position_embeddings.weight": positions,
        "token_type_embeddings.weight": segments,
        "LayerNorm.weight": norm[0],
        "LayerNorm.bias": norm[1],
    }
    parts = {f"bert.embeddings.{name}": value for name, value in state.items()}
    layers = weights("layers.onnx")
    for number in range(config.num_hidden_layers):
        for name in LAYER_PARTS:
            weight, bias = next(layers), next(layers)
            place = f"bert.encoder.layer.{number}.{name}"
            parts |= {f"{place}.weight": weight.T if weight.ndim == 2 else weight, f"{place}.bias": bias}
    missing, unknown = model.load_state_dict(parts, strict=False)
    assert not unknown
    assert all(name.startswith("cls.") for name in missing)
    with temporary_folder() as place:
        write_text(f"{place}/vocab.txt", "\n".join(vocabulary) + "\n")
        tokenizer = BertTokenizerFast(f"{place}/vocab.txt", do_lower_case=True)
    return model, tokenizer
