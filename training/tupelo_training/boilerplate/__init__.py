"""Boilerplate of documents: `fit` makes the weights of `tupelo.io.documents.boilerplate`."""
