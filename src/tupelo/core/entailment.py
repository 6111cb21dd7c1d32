"""Does one statement follow from another? The pair that is asked about, and how it is answered."""

from __future__ import annotations

from dataclasses import dataclass

from tupelo.core.extraction import Triple


@dataclass(frozen=True, slots=True)
class EntailmentPair:
    """`premise` is what is known, `hypothesis` what one would like to conclude from it.

    `entailed` is the judgement of people, `None` where nobody judged.
    """

    premise: Triple
    hypothesis: Triple
    entailed: bool | None = None

    def reversed(self) -> EntailmentPair:
        """The question the other way round, which nobody judged by judging this one."""
        return EntailmentPair(self.hypothesis, self.premise)

    def key(self) -> tuple[Triple, Triple]:
        """Premise and hypothesis as they are compared when two files are put together."""
        return _folded(self.premise), _folded(self.hypothesis)


def _folded(triple: Triple) -> Triple:
    return Triple(*(" ".join(part.split()).lower() for part in (triple.subject, triple.relation, triple.object)))


@dataclass(frozen=True, slots=True)
class RelationSignature:
    """A relation of a graph and the types of its arguments, empty where none is known."""

    name: str
    subject_types: frozenset[str] = frozenset()
    object_types: frozenset[str] = frozenset()
