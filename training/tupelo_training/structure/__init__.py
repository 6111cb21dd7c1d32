"""The confidence of tuples that tables, labels and lists state."""
