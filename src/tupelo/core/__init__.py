"""The vocabulary that every other room shares. No I/O and no heavy imports live here."""

from tupelo.core.analysis import Analysis, Constituent, Entity, Mention, Passage, Word
from tupelo.core.clique import Clique
from tupelo.core.coreference import Analyses, chains
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
    Reason,
    Record,
    Sentence,
    SentenceTuples,
    Span,
    Triple,
    on_one_line,
)
from tupelo.core.registry import Registry

__all__ = [
    "Analyses",
    "Analysis",
    "Argument",
    "Attribution",
    "Clique",
    "Constituent",
    "Entity",
    "Extraction",
    "FormatError",
    "InputError",
    "Mention",
    "MissingExtraError",
    "MissingModelError",
    "Passage",
    "Reason",
    "Record",
    "Registry",
    "Sentence",
    "SentenceTuples",
    "Span",
    "Triple",
    "TupeloError",
    "UnknownNameError",
    "Word",
    "chains",
    "on_one_line",
]
