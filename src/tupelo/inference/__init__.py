"""Relation inference: assertions at corpus scale, embeddings, and entailment between relations."""
