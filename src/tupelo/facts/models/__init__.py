"""Trained models of facts: their folders, their inputs, and what they say. Needs no torch."""
