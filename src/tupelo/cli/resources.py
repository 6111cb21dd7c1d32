"""What canonicalization methods need from files, opened once and only when a method asks for it."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tupelo.canon.methods import METHODS
from tupelo.core import InputError

if TYPE_CHECKING:
    from tupelo.canon.method import CanonMethod
    from tupelo.canon.resources import Resources
    from tupelo.core.canonical import Correction
    from tupelo.io.triples import TripleFile


def open_resources(
    method: CanonMethod,
    file: TripleFile,
    *,
    encoder: str | None = None,
    word_vectors: str | None = None,
    paraphrases: str | None = None,
    wordnet: str | None = None,
) -> Resources:
    """Everything that was named, and the shipped encoder where a method needs one."""
    from tupelo.canon.resources import Resources

    return Resources(
        encoder=open_encoder(encoder) if encoder is not None or "encoder" in method.needs else None,
        word_vectors=_open_vectors(word_vectors) if word_vectors is not None else None,
        paraphrases=_open_paraphrases(paraphrases) if paraphrases is not None else None,
        synonyms=_open_synonyms(wordnet) if wordnet is not None else None,
        side_pairs=file.side_pairs,
    )


def open_encoder(place: str | None) -> Any:
    """The shipped encoder; a folder with one of ours; or any model of the `transformers` package."""
    from pathlib import Path

    from tupelo.nlp.encoder import load_encoder

    if place is None or (Path(place) / "layers.onnx").is_file():
        return load_encoder(place)
    from tupelo.canon.encoders.transformer import TransformerEncoder

    return TransformerEncoder.of_folder(place)


def _open_vectors(path: str) -> dict[str, Any]:
    from tupelo.io.vectors import read_vectors

    vectors = read_vectors(path)
    return {name: vectors.matrix[row] for name, row in vectors.index.items()}


def read_correction_file(path: str) -> tuple[Correction, ...]:
    from tupelo.io.files import InputFile
    from tupelo.io.phrases import read_corrections

    with InputFile(path) as file:
        return tuple(read_corrections(file.lines()))


def _open_paraphrases(path: str) -> dict[str, str]:
    from tupelo.io.files import InputFile
    from tupelo.io.phrases import read_paraphrase_clusters

    with InputFile(path) as file:
        return read_paraphrase_clusters(file.lines())


def _open_synonyms(folder: str) -> Any:
    from tupelo.io.wordnet import open_wordnet

    wordnet = open_wordnet(folder)

    def synsets(phrase: str) -> frozenset[str]:
        """The first senses of a phrase; further ones would tie together half of the dictionary."""
        firsts = (wordnet.synsets(phrase, pos)[:1] for pos in ("n", "v"))
        return frozenset(str(synset) for found in firsts for synset in found)

    return synsets


def method_options(name: str, settings: Sequence[str]) -> dict[str, Any]:
    """`NAME=VALUE` settings as the options of a method, of the types that the method declares."""
    known = inspect.signature(METHODS.get(name)).parameters
    chosen: dict[str, Any] = {}
    for setting in settings:
        key, equals, value = setting.partition("=")
        key = key.replace("-", "_")
        if not equals or key not in known:
            options = ", ".join(f"{option}={known[option].default}" for option in known) or "(it has none)"
            raise InputError(f"'{setting}' is no setting of method '{name}', expected one of: {options}")
        chosen[key] = _as_type_of(known[key].default, value, setting)
    return chosen


def _as_type_of(default: Any, value: str, setting: str) -> Any:
    try:
        if isinstance(default, bool):
            return {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}[value.lower()]
        return type(default)(value) if isinstance(default, int | float) else value
    except (KeyError, ValueError):
        raise InputError(f"'{setting}' has a value of the wrong kind, expected one like {default}") from None
