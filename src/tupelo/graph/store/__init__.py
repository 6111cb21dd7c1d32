"""The file of a graph: its tables, the values in them, and the tables derived from others."""
