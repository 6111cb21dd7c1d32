"""Linking of referents across documents."""

from tupelo.core.statement import Alias, Correction
from tupelo.names.aliases import Aliases
from tupelo.names.linking.corrections import correction_keys
from tupelo.names.linking.link import Assigned, link, missed_links
from tupelo.names.linking.profiles import StoredReferent, keys_of

__all__ = [
    "Alias",
    "Aliases",
    "Assigned",
    "Correction",
    "StoredReferent",
    "correction_keys",
    "keys_of",
    "link",
    "missed_links",
]
