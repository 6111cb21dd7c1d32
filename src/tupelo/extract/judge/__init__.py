"""The default extractor: what the rules propose, with the probability that it is right."""

from tupelo.extract.judge.extractor import JudgedExtractor, default_extractor

__all__ = ["JudgedExtractor", "default_extractor"]
