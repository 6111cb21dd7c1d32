"""Relation inference: assertions at corpus scale, embeddings, and which relation entails which."""
