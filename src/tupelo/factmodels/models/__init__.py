"""Trained models of facts: their folders, inputs and predictions. Does not require torch."""
