"""Encoders that do not ship: BERT-like models of the `transformers` package, from a folder on disk."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from tupelo.core import InputError, MissingExtraError
from tupelo.nlp.encoder import EncodedText, States

_BATCH = 32
_LONGEST = 128


def checkpoint_folder(place: str) -> str:
    """The folder of a checkpoint for `transformers`: `place` itself, or the model of that name in the hub's cache.

    Given a name, `transformers` asks the hub even when told to use local files only; given a folder, it asks nobody.
    Raises `OSError` or `ValueError` when there is neither.
    """
    if Path(place).is_dir():
        return place
    from huggingface_hub import snapshot_download

    return str(snapshot_download(place, local_files_only=True))


class TransformerEncoder:
    """`model` and `tokenizer` are of the `transformers` package; `of_folder` opens them."""

    def __init__(self, model: Any, tokenizer: Any, name: str = "transformer") -> None:
        self.model, self.tokenizer, self.name = model, tokenizer, name

    @classmethod
    def of_folder(cls, place: str) -> TransformerEncoder:
        """Open a folder, or by name a model in the local cache of the hub; nothing is downloaded."""
        try:
            from transformers import AutoModel, AutoTokenizer
        except ImportError:
            raise MissingExtraError("an encoder from a folder", "transformers") from None
        try:
            folder = checkpoint_folder(place)
            tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True, use_fast=True)
            model = AutoModel.from_pretrained(folder, local_files_only=True, use_safetensors=True)
        except Exception as error:  # foreign files: the library raises errors of any class
            reason = (str(error).splitlines() or [type(error).__name__])[0]
            raise InputError(
                f"{place}: {reason}; expected a folder with a BERT-like model (config, tokenizer, safetensors)"
            ) from error
        return cls(model.eval(), tokenizer, place)

    @property
    def layers(self) -> int:
        return int(self.model.config.num_hidden_layers)

    @cached_property
    def _marks(self) -> tuple[int, int]:
        start, end = self.tokenizer.cls_token_id, self.tokenizer.sep_token_id
        if start is None or end is None:
            raise InputError(f"{self.name}: the tokenizer has no [CLS] or [SEP], expected a BERT-like model")
        return int(start), int(end)

    def cut(self, text: str) -> EncodedText:
        return self.join([text])

    def join(self, texts: Sequence[str]) -> EncodedText:
        start, end = self._marks
        ids, offsets = [start], [(0, 0)]
        for text in texts:
            cut = self.tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)
            room = _LONGEST - len(ids) - 1
            ids += [*cut["input_ids"][:room], end]
            offsets += [*map(tuple, cut["offset_mapping"][:room]), (0, 0)]
        return EncodedText(tuple(ids), tuple(offsets))

    def read(self, inputs: Iterable[EncodedText]) -> Iterator[States]:
        """Inputs of similar length share a batch, so that there is little padding."""
        import torch

        encoded = list(inputs)
        order = sorted(range(len(encoded)), key=lambda number: len(encoded[number].ids))
        found: list[States | None] = [None] * len(encoded)
        padding = self.tokenizer.pad_token_id or 0
        for start in range(0, len(order), _BATCH):
            batch = order[start : start + _BATCH]
            longest = max(len(encoded[number].ids) for number in batch)
            ids = torch.full((len(batch), longest), padding, dtype=torch.long)
            mask = torch.zeros((len(batch), longest), dtype=torch.long)
            for row, number in enumerate(batch):
                length = len(encoded[number].ids)
                ids[row, :length] = torch.tensor(encoded[number].ids)
                mask[row, :length] = 1
            with torch.no_grad():
                layers = self.model(input_ids=ids, attention_mask=mask, output_hidden_states=True).hidden_states
            stacked = torch.stack(list(layers), dim=1).float().numpy()
            for row, number in enumerate(batch):
                found[number] = States(stacked[row, :, : len(encoded[number].ids)], encoded[number].offsets)
        yield from (item for item in found if item is not None)
