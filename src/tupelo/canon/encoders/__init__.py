"""Vectors of phrases from contextual encoders, and encoders that do not ship with the package."""
