"""Any BERT-like model as an encoder: a folder with a model of the `transformers` package, or a name in its cache."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

from tupelo.core import InputError, MissingExtraError
from tupelo.nlp.encoder import Pieces, States

_BATCH = 32
_LONGEST = 128


class TransformerEncoder:
    """`model` and `tokenizer` are of the `transformers` package; `of_folder` opens them."""

    def __init__(self, model: Any, tokenizer: Any, name: str = "transformer") -> None:
        self.model, self.tokenizer, self.name = model, tokenizer, name

    @classmethod
    def of_folder(cls, place: str) -> TransformerEncoder:
        """A folder, or the name of a model that lies in the hub's cache already; nothing is downloaded."""
        try:
            from transformers import AutoModel, AutoTokenizer
        except ImportError:
            raise MissingExtraError("an encoder from a folder", "transformers") from None
        try:
            tokenizer = AutoTokenizer.from_pretrained(place, local_files_only=True, use_fast=True)
            model = AutoModel.from_pretrained(place, local_files_only=True, use_safetensors=True)
        except (OSError, ValueError) as error:
            reason = str(error).splitlines()[0]
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

    def cut(self, text: str) -> Pieces:
        return self.join([text])

    def join(self, texts: Sequence[str]) -> Pieces:
        start, end = self._marks
        ids, offsets = [start], [(0, 0)]
        for text in texts:
            cut = self.tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)
            room = _LONGEST - len(ids) - 1
            ids += [*cut["input_ids"][:room], end]
            offsets += [*map(tuple, cut["offset_mapping"][:room]), (0, 0)]
        return Pieces(tuple(ids), tuple(offsets))

    def read(self, inputs: Iterable[Pieces]) -> Iterator[States]:
        """Longer inputs go together with longer ones, so that little is computed for padding."""
        import torch

        pieces = list(inputs)
        order = sorted(range(len(pieces)), key=lambda number: len(pieces[number].ids))
        found: list[States | None] = [None] * len(pieces)
        padding = self.tokenizer.pad_token_id or 0
        for start in range(0, len(order), _BATCH):
            batch = order[start : start + _BATCH]
            longest = max(len(pieces[number].ids) for number in batch)
            ids = torch.full((len(batch), longest), padding, dtype=torch.long)
            mask = torch.zeros((len(batch), longest), dtype=torch.long)
            for row, number in enumerate(batch):
                length = len(pieces[number].ids)
                ids[row, :length] = torch.tensor(pieces[number].ids)
                mask[row, :length] = 1
            with torch.no_grad():
                layers = self.model(input_ids=ids, attention_mask=mask, output_hidden_states=True).hidden_states
            stacked = torch.stack(list(layers), dim=1).float().numpy()
            for row, number in enumerate(batch):
                found[number] = States(stacked[row, :, : len(pieces[number].ids)], pieces[number].offsets)
        yield from (item for item in found if item is not None)
