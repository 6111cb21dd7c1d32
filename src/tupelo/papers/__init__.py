"""One module per paper: its tables recomputed with today's library, beside the printed figures.

A module has functions that return results with `to_dict()` and `str()`; `tupelo reproduce NAME` calls them.
"""
