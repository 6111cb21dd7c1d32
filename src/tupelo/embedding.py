"""Embeddings of relations, arguments and words, and their nearest neighbours."""

from tupelo.api.inference import (
    SkipGramOptions,
    embed_arguments,
    embed_relations,
    embed_words,
    neighbours,
    write_embeddings,
)

__all__ = [
    "SkipGramOptions",
    "embed_arguments",
    "embed_relations",
    "embed_words",
    "neighbours",
    "write_embeddings",
]


def __dir__() -> list[str]:
    return __all__
