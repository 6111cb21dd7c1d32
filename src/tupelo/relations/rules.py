"""Rules between relations, mined as AMIE does (Galárraga, Teflioudi, Hose and Suchanek, WWW 2013).

A rule has a head r(x, y) and a body of one atom, s(x, y) or s(y, x), or of two atoms that lead from x to y over a
third thing z: s(x, z) and t(z, y), each also the other way round. With pairs (x, y) counted once:

- support: pairs for which body and head hold,
- head coverage: support / pairs of the head,
- confidence: support / pairs for which the body holds,
- PCA confidence: support / pairs for which the body holds and the head holds of x with anything, since then it is
  taken to be known completely. If the head has more objects than subjects it is y that counts: the more functional
  direction.

All counts are joins in SQL, which an engine runs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

from tupelo.core import InputError
from tupelo.core.shipped import queries
from tupelo.core.stages import Step


@dataclass(frozen=True, slots=True)
class RuleOptions:
    """Rules below any of these are omitted; `atoms` is the length of the longest body, 1 or 2."""

    atoms: int = 2
    min_support: int = 2
    min_head_coverage: float = 0.01
    min_confidence: float = 0.1

    def __post_init__(self) -> None:
        if self.atoms not in (1, 2):
            raise InputError(f"bodies of {self.atoms} atoms, expected 1 or 2")


@dataclass(frozen=True, slots=True)
class Atom:
    """A relation between two variables of a rule; `first` and `second` are among x, y and z."""

    relation: str
    first: str
    second: str

    def __str__(self) -> str:
        return f"{self.relation}({self.first}, {self.second})"


@dataclass(frozen=True, slots=True)
class RelationRule:
    """The body implies `head`(x, y)."""

    head: str
    body: tuple[Atom, ...]
    support: int
    head_coverage: float
    confidence: float
    pca_confidence: float

    @classmethod
    def of_row(cls, row: Mapping[str, Any]) -> RelationRule:
        middle = "z" if row["second"] else "y"
        body = [Atom(row["first"], *((middle, "x") if row["first_turned"] else ("x", middle)))]
        if row["second"]:
            body.append(Atom(row["second"], *(("y", "z") if row["second_turned"] else ("z", "y"))))
        support = row["support"]
        shares = (support / row[name] for name in ("head_pairs", "body_pairs", "pca_pairs"))
        return cls(row["head"], tuple(body), support, *shares)

    def to_dict(self) -> dict[str, Any]:
        """The output of `tupelo rules --json`."""
        return {**asdict(self), "body": [asdict(atom) for atom in self.body], "rule": str(self)}

    def __str__(self) -> str:
        return f"{' & '.join(map(str, self.body))} => {self.head}(x, y)"


_SQL = queries(__name__)
_SECOND = "_of_two_atoms"
_BODY = "first, first_turned, second, second_turned"


def rule_steps(options: RuleOptions) -> list[Step]:
    """Steps from `facts` (subject, relation, object; each fact once) to `rules`, the most confident first."""
    bounds = {
        "support": options.min_support,
        "coverage": options.min_head_coverage,
        "confidence": options.min_confidence,
    }
    steps = []
    for name in (name for name in _SQL if not name.endswith(_SECOND)):
        sql = (_SQL[name] + (_SQL.get(name + _SECOND, "") if options.atoms == 2 else "")).format(body=_BODY)
        steps.append(Step(name, sql, {bound: value for bound, value in bounds.items() if f"${bound}" in sql}))
    return steps


def equal_relations(rules: Iterable[RelationRule]) -> list[tuple[str, str, float]]:
    """Relations that imply each other with the same subject and object, as CESI uses rules; the weaker confidence."""
    implied = {
        (rule.body[0].relation, rule.head): rule.pca_confidence
        for rule in rules
        if len(rule.body) == 1 and rule.body[0].first == "x"
    }
    return [
        (one, other, min(sure, implied[other, one]))
        for (one, other), sure in sorted(implied.items())
        if one < other and (other, one) in implied
    ]


def likely_equal(rules: Iterable[RelationRule]) -> list[tuple[str, str, float]]:
    """Relations that follow from the same two atoms; the product of confidences, that of the best body."""
    heads: dict[Sequence[Atom], list[tuple[str, float]]] = defaultdict(list)
    for rule in rules:
        if len(rule.body) == 2:
            heads[rule.body].append((rule.head, rule.pca_confidence))
    found: dict[tuple[str, str], float] = {}
    for implied in heads.values():
        for (one, sure), (other, as_sure) in combinations(sorted(implied), 2):
            found[one, other] = max(found.get((one, other), 0.0), sure * as_sure)
    return [(one, other, weight) for (one, other), weight in sorted(found.items())]
