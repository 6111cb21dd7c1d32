"""Thin adapters to third-party libraries, one module each; none of these has to be installed.

All of them take triples: from texts by a `TripleReader`, or from a graph by `Graph.triples`.
"""

from tupelo.api.triples import TripleReader

__all__ = ["TripleReader"]
__dir__ = __all__.copy
