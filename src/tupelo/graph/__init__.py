"""The knowledge graph: one DuckDB file, how it is built and how it is queried."""
