"""Look up, match and walk the statements of a graph."""
