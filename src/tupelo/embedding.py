"""Embeddings of relations, arguments and words, and their nearest neighbours."""

from tupelo_training.embed import embed_arguments, embed_relations, embed_words, write_embeddings
from tupelo_training.embed.neighbours import neighbours
from tupelo_training.embed.skipgram import SkipGramOptions

__all__ = [
    "SkipGramOptions",
    "embed_arguments",
    "embed_relations",
    "embed_words",
    "neighbours",
    "write_embeddings",
]
__dir__ = __all__.copy
