"""Weights for Tupelo, found by entry point: the folder `en-facts` and its card."""
