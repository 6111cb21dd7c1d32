"""Embeddings trained on the triples themselves: structure, side information, and a clustering autoencoder."""
