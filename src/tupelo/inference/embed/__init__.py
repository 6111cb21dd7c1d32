"""Vectors of relations and words from what they occur with: skip-gram with negative sampling over any pairs."""
