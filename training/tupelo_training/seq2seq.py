"""A sequence-to-sequence checkpoint on disk that paraphrases towards a given syntax (AESOP, Sun et al. 2021).

The input is the sentence, its full parse and the target parse, truncated at a
height, with a separator between them; the output is the target parse, filled
in, a separator, and the paraphrase. Without a parallel corpus to draw target
parses from, the sentence alone is the input and beams give the variety, as
for any other paraphrasing model.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tupelo.core import InputError
from tupelo.core.spec import require_known, whole_number
from tupelo.robustness.candidates import Original, Rewording
from tupelo.robustness.paraphrase import Tools, plain_candidates
from tupelo.robustness.sample import SyntaxSampler, parse_string
from tupelo.robustness.trees import tree_of
from tupelo_training.canon.checkpoint import checkpoint_folder

SETTINGS = ("separator", "number", "beams", "batch", "longest", "device")
DEFAULT_SEPARATOR = "<sep>"
DEFAULT_NUMBER = 10
_NEEDED = "the paraphraser 'seq2seq' needs an extra: pip install 'tupelo[transformers]'"


class Seq2SeqParaphraser:
    """Paraphrases with a model of the transformers library, loaded on first use."""

    name = "seq2seq"

    def __init__(
        self,
        folder: str,
        *,
        sampler: SyntaxSampler | None = None,
        separator: str = DEFAULT_SEPARATOR,
        number: int = DEFAULT_NUMBER,
        beams: int = 4,
        batch: int = 8,
        longest: int = 256,
        device: str = "cpu",
    ) -> None:
        self.folder, self.sampler, self.separator = folder, sampler, separator
        self.number, self.beams, self.batch, self.longest, self.device = number, beams, batch, longest, device
        self._opened: tuple[Any, Any] | None = None

    def paraphrase(self, sentences: list[Original]) -> list[list[Rewording]]:
        """Up to `number` paraphrases of each sentence."""
        asked = [
            (place, origin, text)
            for place, original in enumerate(sentences)
            for origin, text in self._inputs(original)
        ]
        answers = self._generate([text for _, _, text in asked])
        found: list[list[tuple[str, str]]] = [[] for _ in sentences]
        for (place, origin, _), texts in zip(asked, answers, strict=True):
            found[place].extend((text, origin) for text in texts)
        return [
            plain_candidates(original, texts)[: self.number] for original, texts in zip(sentences, found, strict=True)
        ]

    def _inputs(self, original: Original) -> Iterator[tuple[str, str]]:
        text = original.analysis.text
        if self.sampler is None:
            yield "seq2seq", text
            return
        tree = tree_of(original.analysis)
        full = parse_string(tree, len(tree.labels))
        for target in self.sampler.draw(tree)[: self.number]:
            yield f"seq2seq {target.parse}", f" {self.separator} ".join((text, full, target.parse))

    def _generate(self, texts: list[str]) -> list[list[str]]:
        """The outputs for each input: one for a target parse, `number` beams without one."""
        import torch

        tokenizer, model = self._open()
        each = 1 if self.sampler is not None else self.number
        found: list[list[str]] = []
        for low in range(0, len(texts), self.batch):
            some = texts[low : low + self.batch]
            inputs = tokenizer(some, return_tensors="pt", padding=True, truncation=True, max_length=self.longest)
            with torch.inference_mode():
                outputs = model.generate(
                    input_ids=inputs["input_ids"].to(self.device),
                    attention_mask=inputs["attention_mask"].to(self.device),
                    num_beams=max(self.beams, each),
                    num_return_sequences=each,
                    max_length=self.longest,
                    do_sample=False,
                )
            decoded = [self._sentence(tokenizer, row) for row in outputs]
            found.extend(decoded[place : place + each] for place in range(0, len(decoded), each))
        return found

    def _sentence(self, tokenizer: Any, row: Any) -> str:
        """The text after the last separator, which some tokenizers treat as a special token."""
        text = str(tokenizer.decode(row, skip_special_tokens=False))
        for special in sorted(tokenizer.all_special_tokens, key=len, reverse=True):
            if special != self.separator:
                text = text.replace(special, " ")
        return " ".join(text.rpartition(self.separator)[2].split())

    def _open(self) -> tuple[Any, Any]:
        if self._opened is None:
            try:
                from transformers import AutoModelForSeq2SeqLM, AutoTokenizer
            except ImportError as error:
                raise InputError(_NEEDED) from error
            try:
                folder = checkpoint_folder(self.folder)
                tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
                model = AutoModelForSeq2SeqLM.from_pretrained(folder, local_files_only=True, use_safetensors=True)
            except (OSError, ValueError) as error:
                reason = " ".join(str(error).split())[:200]
                raise InputError(
                    f"{self.folder}: no checkpoint that can be opened ({reason}), expected a folder with "
                    "config.json, model.safetensors and a tokenizer"
                ) from error
            self._opened = tokenizer, model.to(self.device).eval()
        return self._opened


def seq2seq_paraphraser(argument: str, settings: Mapping[str, str], tools: Tools) -> Seq2SeqParaphraser:
    """seq2seq:FOLDER, a checkpoint of a sequence-to-sequence model with AESOP's input."""
    require_known(settings, SETTINGS, "seq2seq")
    if not argument:
        raise InputError("'seq2seq' names no folder, expected seq2seq:FOLDER")
    return Seq2SeqParaphraser(
        argument,
        sampler=tools.sampler,
        separator=settings.get("separator", DEFAULT_SEPARATOR),
        number=whole_number(settings, "number", DEFAULT_NUMBER),
        beams=whole_number(settings, "beams", 4),
        batch=whole_number(settings, "batch", 8),
        longest=whole_number(settings, "longest", 256),
        device=settings.get("device", "cpu"),
    )
