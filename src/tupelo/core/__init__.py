"""The vocabulary that every other room shares. No I/O and no heavy imports live here."""

from tupelo.core.analysis import ENTITY_TYPES, Analysis, Constituent, Entity, Mention, Passage, Word
from tupelo.core.canonical import Canonicalization, Cluster, Doubt, Member, Phrase, TripleMention
from tupelo.core.clique import Clique
from tupelo.core.coreference import Analyses, Chain, chains
from tupelo.core.errors import (
    FormatError,
    InputError,
    MissingExtraError,
    MissingModelError,
    TupeloError,
    UnknownNameError,
)
from tupelo.core.extraction import (
    Argument,
    Attribution,
    Extraction,
    Record,
    Sentence,
    SentenceTuples,
    Span,
    Triple,
    on_one_line,
)
from tupelo.core.registry import Registry

__all__ = [
    "ENTITY_TYPES",
    "Analyses",
    "Analysis",
    "Argument",
    "Attribution",
    "Canonicalization",
    "Chain",
    "Clique",
    "Cluster",
    "Constituent",
    "Doubt",
    "Entity",
    "Extraction",
    "FormatError",
    "InputError",
    "Member",
    "Mention",
    "MissingExtraError",
    "MissingModelError",
    "Passage",
    "Phrase",
    "Record",
    "Registry",
    "Sentence",
    "SentenceTuples",
    "Span",
    "Triple",
    "TripleMention",
    "TupeloError",
    "UnknownNameError",
    "Word",
    "chains",
    "on_one_line",
]
