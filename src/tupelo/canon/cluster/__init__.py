"""Clustering of phrase vectors by cosine distance: exact for a hundred thousand, approximate for millions."""

from tupelo.canon.cluster.distances import Merges
from tupelo.canon.cluster.linkage import approximate_linkage, complete_linkage, linkage_tree

__all__ = ["Merges", "approximate_linkage", "complete_linkage", "linkage_tree"]
