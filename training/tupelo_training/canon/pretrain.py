"""Continued pre-training of an encoder on the sentences of triples, before they are canonicalized.

    python -m tupelo_training.canon.pretrain --model FOLDER --data combo.dev.json --output FOLDER \
        [--objective subword]

Two objectives of the COMBO paper (EACL 2023). `triple` masks all subwords of the subject, the relation or the object,
one of them at every visit with equal chance, and predicts them. `subword` is the control: every piece is chosen with
probability 0.15; of the chosen 80% are masked, 10% replaced by a random subword, 10% left, and the chosen are
predicted. No label is used. AdamW without decay of weights, a rate that falls linearly to zero, no dropout: the
published program never switches it on. A folder per kept epoch can then be given to
`tupelo canonicalize --method encoder --encoder FOLDER/epoch-10`.

Needs a BERT-like model with its head for masked words, and `pip install 'tupelo[transformers]'`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from tupelo.core.canonical import SLOTS, TripleMention
from tupelo.core.sentence import Span
from tupelo.nlp.checkpoints import checkpoint_folder
from tupelo_training.options import option_parser

OBJECTIVES = ("triple", "subword")
# What the loss leaves out, by the convention of torch's cross entropy.
IGNORED = -100
CHOSEN = 0.15
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
    keep: Callable[[int], None] = lambda epoch: None,
) -> list[float]:
    """Train in place; `keep` is called after every epoch. Returns the mean loss of each epoch."""
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
            loss = model(**batch).loss
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            total, count = total + loss.item(), count + 1
        losses.append(total / max(count, 1))
        keep(epoch)
    return losses


def main() -> None:
    from transformers import AutoModelForMaskedLM, AutoTokenizer

    from tupelo.io.triples import read_triples

    parser = option_parser(__doc__, "output")
    parser.add_argument("--model", required=True, help="folder, or name in the hub's cache")
    parser.add_argument(
        "--data", type=Path, nargs="+", required=True, help="files of triples; their labels are not used"
    )
    parser.add_argument("--objective", choices=OBJECTIVES, default="triple")
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--every", type=int, default=2, help="keep the model after every so many epochs")
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--rate", type=float, default=5e-5)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    folder = checkpoint_folder(options.model)
    tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
    model = AutoModelForMaskedLM.from_pretrained(folder, local_files_only=True)
    mentions = [mention for path in options.data for mention in read_triples(path).mentions]
    examples = examples_of(mentions, tokenizer)
    print(f"{len(examples)} of {len(mentions)} sentences show where their phrases stand", flush=True)

    def keep(epoch: int) -> None:
        if epoch % options.every == 0 or epoch == options.epochs:
            folder = options.output / f"epoch-{epoch}"
            model.save_pretrained(folder)
            tokenizer.save_pretrained(folder)
            print(f"epoch {epoch}: {folder}", flush=True)

    losses = pretrain(
        model,
        tokenizer,
        examples,
        options.objective,
        epochs=options.epochs,
        size=options.batch,
        rate=options.rate,
        seed=options.seed,
        keep=keep,
    )
    print("loss by epoch:", " ".join(f"{loss:.3f}" for loss in losses))


if __name__ == "__main__":
    main()
