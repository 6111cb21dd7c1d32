"""Fitting of the heads of canonicalization's default method."""
