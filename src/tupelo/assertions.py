"""Assertions of whole corpora: from syntactic n-grams or text, with answer candidates and rules between relations."""

from tupelo.api.canonical import mine_rules
from tupelo_training.assertions import aggregate, candidates, count_ngrams, extract, write_ngrams

__all__ = ["aggregate", "candidates", "count_ngrams", "extract", "mine_rules", "write_ngrams"]
__dir__ = __all__.copy
