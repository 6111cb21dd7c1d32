"""Canonicalization: which phrases of an open knowledge graph mean the same entity, relation or type."""
