"""The knowledge graph: one DuckDB file, and everything that is asked of it."""
