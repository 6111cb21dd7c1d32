"""Rules between relations of triples: `tupelo.api.rules.mine_rules`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from tupelo.api.canonical import Triples, read_mentions
from tupelo.api.resources import rules_of_mentions
from tupelo.core import FormatError
from tupelo.core.parameters import At, Between, Count, Format, Share, Skipping
from tupelo.relations.rules import RelationRule, RuleOptions, equal_relations, likely_equal

if TYPE_CHECKING:
    pass

__all__ = ["RelationRule", "RuleOptions", "Rules", "mine_rules"]


@dataclass(frozen=True, slots=True)
class Rules:
    """All rules, the surest first, and the lines of the file that were skipped."""

    rules: tuple[RelationRule, ...]
    skipped: tuple[FormatError, ...] = ()

    def __iter__(self) -> Iterator[RelationRule]:
        return iter(self.rules)

    def __len__(self) -> int:
        return len(self.rules)

    @property
    def equal(self) -> list[tuple[str, str, float]]:
        """Relations that imply each other, with the weaker of the two PCA confidences."""
        return equal_relations(self.rules)

    @property
    def likely_equal(self) -> list[tuple[str, str, float]]:
        """Relations that follow from the same two atoms, with the product of the PCA confidences."""
        return likely_equal(self.rules)

    def to_dict(self) -> dict[str, Any]:
        """What `tupelo rules --json` prints."""
        pairs = {"equal": self.equal, "likely_equal": self.likely_equal}
        return {
            "rules": [rule.to_dict() for rule in self.rules],
            **{
                name: [{"left": left, "right": right, "weight": weight} for left, right, weight in found]
                for name, found in pairs.items()
            },
        }

    def __str__(self) -> str:
        lines = ["support\tcoverage\tconfidence\tPCA\trule"]
        for rule in self.rules:
            figures = f"{rule.head_coverage:.3f}\t{rule.confidence:.3f}\t{rule.pca_confidence:.3f}"
            lines.append(f"{rule.support}\t{figures}\t{rule}")
        return "\n".join(lines)


def mine_rules(
    triples: Annotated[Triples, At.INPUT],
    *,
    atoms: Annotated[int, Between(1, 2), "The longest body."] = 2,
    min_support: Annotated[Count, "Pairs that body and head share."] = 2,
    min_head_coverage: Annotated[Share, "Least share of the head."] = 0.01,
    min_confidence: Annotated[Share, "Least PCA confidence."] = 0.1,
    format: Annotated[Format, "combo, cesi, okg, tsv or tuples."] = "auto",
    on_error: Skipping = "raise",
) -> Rules:
    """Mine rules between the relations of triples: a file, or triples in memory as `tupelo.canonicalize` takes them.

    >>> facts = [("ann", "lives in", "oslo"), ("ann", "resides in", "oslo"),
    ...          ("bo", "lives in", "lima"), ("bo", "resides in", "lima")]
    >>> [str(rule) for rule in mine_rules(facts, atoms=1)]
    ['resides in(x, y) => lives in(x, y)', 'lives in(x, y) => resides in(x, y)']
    """
    file, skipped = read_mentions(triples, format, on_error)
    options = RuleOptions(atoms, min_support, min_head_coverage, min_confidence)
    return Rules(tuple(rules_of_mentions(file.mentions, options)), tuple(skipped))
