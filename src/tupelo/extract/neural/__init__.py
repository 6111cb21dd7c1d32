"""The neural extractor: a network that labels words, and a selector over its tuples and those of the rules."""

from tupelo.extract.neural.extractor import NeuralExtractor, default_extractor, neural_extractor

__all__ = ["NeuralExtractor", "default_extractor", "neural_extractor"]
