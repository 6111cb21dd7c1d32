"""The file of a graph: its tables, the values in them, and derived tables."""
