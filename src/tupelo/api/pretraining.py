"""Continued pre-training of an encoder on triples: `tupelo.training.pretrain_encoder`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

from tupelo.core import InputError, MissingExtraError
from tupelo.core.parameters import Among, Between, Count, Device, Input, Seed, Spelled
from tupelo.core.progress import Progress, track

OBJECTIVES = ("triple", "subword")


@dataclass(frozen=True, slots=True)
class PretrainedEncoder:
    """Folders of the epochs that were kept, the last one last, and the mean loss of every epoch."""

    folders: tuple[str, ...]
    sentences: int
    triples: int
    device: str
    losses: tuple[float, ...]

    def to_dict(self) -> dict[str, Any]:
        """The output of `tupelo pretrain --json`."""
        return asdict(self)

    def __str__(self) -> str:
        shown = " ".join(f"{loss:.3f}" for loss in self.losses)
        return (
            f"{self.sentences:,} of {self.triples:,} sentences show where their phrases stand\n"
            f"loss by epoch: {shown}\nencoder: {self.folders[-1]}"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PretrainingOptions:
    """Options of continued pre-training."""

    objective: Annotated[str, Among(OBJECTIVES), "Mask a whole subject, relation or object, or single subwords."] = (
        "triple"
    )
    epochs: Annotated[Count, "Passes over the sentences."] = 10
    every: Annotated[Count, "Epochs between those that are kept."] = 10
    batch_size: Annotated[Count, Spelled.of("--batch"), "Sentences at once."] = 64
    rate: Annotated[float, Between(0, above=True), "Of learning."] = 5e-5
    seed: Annotated[Seed, "For what is masked, and the order."] = 0
    device: Device = "auto"


def pretrain_encoder(
    triples: Sequence[str | Path],
    output: str | Path,
    *,
    encoder: Annotated[
        Input | None, Spelled.of("FOLDER"), "A BERT-like model with its head. [default: the shipped encoder]"
    ] = None,
    options: PretrainingOptions | None = None,
    progress: Progress | None = None,
) -> PretrainedEncoder:
    """Train an encoder further on the sentences of files of triples, whose labels are not used.

    `encoder` is the folder of a BERT-like model with its head for masked words, by default the shipped encoder.
    `output` gets a folder for the epochs that are kept, named `epoch-10`, for `--encoder` of `tupelo canonicalize`.
    """
    if any(find_spec(package) is None for package in ("torch", "onnx", "tupelo_training")):
        raise MissingExtraError("pre-training", "train")
    if find_spec("transformers") is None:
        raise MissingExtraError("pre-training", "transformers")
    import torch

    from tupelo.io.triples import read_triples
    from tupelo_training.canon.pretrain import examples_of, open_model, pretrain
    from tupelo_training.facts.learn import choose_device

    chosen = options or PretrainingOptions()
    device = choose_device(chosen.device)
    mentions = [mention for path in triples for mention in read_triples(str(path)).mentions]
    torch.manual_seed(chosen.seed)
    model, tokenizer = open_model(None if encoder is None else str(encoder))
    examples = examples_of(mentions, tokenizer)
    if not examples:
        raise InputError(
            f"{triples[0]}: no sentence shows where its subject, relation and object stand, expected some that do"
        )
    advance = track(progress, f"pre-training by {chosen.objective}", chosen.epochs)
    folders: list[str] = []

    def keep(epoch: int) -> None:
        advance(1)
        if epoch % chosen.every == 0 or epoch == chosen.epochs:
            folders.append(str(Path(output, f"epoch-{epoch}")))
            model.save_pretrained(folders[-1])
            tokenizer.save_pretrained(folders[-1])

    losses = pretrain(
        model,
        tokenizer,
        examples,
        chosen.objective,
        epochs=chosen.epochs,
        size=chosen.batch_size,
        rate=chosen.rate,
        seed=chosen.seed,
        device=device,
        keep=keep,
    )
    return PretrainedEncoder(tuple(folders), len(examples), len(mentions), str(device), tuple(losses))
