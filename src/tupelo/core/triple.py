"""Three strings: the input of canonicalization and of the graph."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Triple:
    """Subject, relation and object as phrases, nothing resolved."""

    subject: str
    relation: str
    object: str
