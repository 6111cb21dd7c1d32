"""Tuples from a language model behind any OpenAI-compatible endpoint."""

from tupelo.extract.llm.extractor import LlmExtractor, llm_extractor

__all__ = ["LlmExtractor", "llm_extractor"]
