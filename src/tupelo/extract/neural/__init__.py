"""The learned extractor: a network that marks words, and a selector among its tuples and those of the rules."""

from tupelo.extract.neural.extractor import NeuralExtractor, default_extractor, neural_extractor

__all__ = ["NeuralExtractor", "default_extractor", "neural_extractor"]
