"""Who is who over documents."""

from tupelo.core.identity import Alias, Correction
from tupelo.graph.linking.corrections import correction_keys
from tupelo.graph.linking.link import Assigned, link, link_concepts
from tupelo.graph.linking.profiles import StoredReferent, keys_of
from tupelo.nlp.naming.aliases import Aliases

__all__ = [
    "Alias",
    "Aliases",
    "Assigned",
    "Correction",
    "StoredReferent",
    "correction_keys",
    "keys_of",
    "link",
    "link_concepts",
]
