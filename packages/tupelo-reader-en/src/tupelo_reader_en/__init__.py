"""Weights for Tupelo, found by entry point: the folder `en-reader` and its card."""
