"""Rules between relations of triples: `tupelo.api.rules.mine_rules`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from tupelo.api.canonical import Triples, read_mentions
from tupelo.canon.rules import Rule, RuleOptions, equal_relations, likely_equal, rule_steps
from tupelo.core import FormatError
from tupelo.core.canonical import SLOTS
from tupelo.core.parameters import At, Between, Count, Format, Share, Skipping

if TYPE_CHECKING:
    from tupelo.canon.method import Mentions

__all__ = ["Rule", "RuleOptions", "Rules", "mine_rules", "rules_of_mentions"]

# For DuckDB; joins that need more go to a temporary folder.
_MEMORY = "2GB"


@dataclass(frozen=True, slots=True)
class Rules:
    """All rules, the surest first, and the lines of the file that were skipped."""

    rules: tuple[Rule, ...]
    skipped: tuple[FormatError, ...] = ()

    def __iter__(self) -> Iterator[Rule]:
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


def rules_of_mentions(mentions: Mentions, options: RuleOptions) -> list[Rule]:
    """Rules between relations in their normal forms."""
    from tupelo.canon.clusters import normal_form

    return _mine({tuple(normal_form(mention.phrase(slot).text) for slot in SLOTS) for mention in mentions}, options)


def _mine(facts: Iterable[tuple[str, ...]], options: RuleOptions) -> list[Rule]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    from tupelo.engine.local import LocalEngine
    from tupelo.engine.partition import finished_table
    from tupelo.io.assertions import read_rows
    from tupelo.io.files import STANDARD_STREAM
    from tupelo.io.workspace import open_workspace

    with open_workspace(None, STANDARD_STREAM) as workspace:
        columns = zip(*sorted(facts), strict=True)
        table = pa.table(dict(zip(SLOTS, map(list, columns), strict=False)), schema=_schema())
        with workspace.draft("steps", "facts") as draft:
            pq.write_table(table, draft.path)
            draft.about |= {"step": "facts", "rows": table.num_rows}
        engine = LocalEngine(workspace, memory=_MEMORY)
        found = engine.query(rule_steps(options), {"facts": finished_table(workspace, "facts")}, ["rules"])
        return [Rule.of_row(row) for row in read_rows(found["rules"])]


def _schema() -> Any:
    import pyarrow as pa

    return pa.schema([(slot, pa.string()) for slot in SLOTS])
