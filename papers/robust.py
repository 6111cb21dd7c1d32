"""ROBUST (Qi et al., EMNLP 2023): Table 2, systems on CaRB and ROBUST with the drop, for any systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from papers import printed_by
from tupelo.api.scoring import AUTO, Records, name_systems, score
from tupelo.scorers.result import Score
from tupelo.scorers.tables import ReportTable

FIGURES: Final = {"P": "precision", "R": "recall", "F1": "f1"}
LINES: Final = {"CaRB": "carb", "ROBUST": "robust", "Δ": "delta"}
NOTE: Final = "The printed figures are for the 1,272 cliques made from CaRB dev and test together."

# Percentages on CaRB and on ROBUST, P, R and F1 of each. The drops follow from them.
PRINTED: Final[Mapping[str, Sequence[Sequence[float]]]] = printed_by("robust")


@dataclass(frozen=True, slots=True)
class RobustTable:
    """Table 2 for the systems that were scored."""

    scores: Mapping[str, Score]

    def to_dict(self) -> dict[str, Any]:
        """Both lines and the drop of each system, with the printed figures where there are some."""
        systems = [
            {"system": name, "printed": printed_figures(name), "signature": score.signature, **score.details}
            for name, score in self.scores.items()
        ]
        return {"table_2": systems, "note": NOTE}

    def table(self) -> ReportTable:
        """A row per figure and line, a column per system, printed figures in columns of their own."""
        return robust_table({name: score.details for name, score in self.scores.items()})

    def __str__(self) -> str:
        return "\n".join([self.table().text(), NOTE, *(score.signature for score in self.scores.values())])


def reproduce(
    gold: Records | None = None,
    predicted: Sequence[Records] | Mapping[str, Records] = (),
    *,
    fixes: Sequence[str] = (),
) -> RobustTable:
    """Table 2 for the output of any systems on a file of cliques; without files, the printed table."""
    if gold is None:
        return RobustTable({})
    return RobustTable(
        {
            name: score("robust", gold, source, format=format, fixes=fixes)
            for name, source, format in name_systems(predicted, AUTO)
        }
    )


def printed_figures(system: str) -> dict[str, dict[str, float]] | None:
    """The printed figures of a system, 0 to 1, in the shape of the details of a score; `None` if it has none."""
    if system not in PRINTED:
        return None
    carb, robust = (
        dict(zip(FIGURES.values(), (value / 100 for value in line), strict=True)) for line in PRINTED[system]
    )
    return {"carb": carb, "robust": robust, "delta": {name: carb[name] - robust[name] for name in carb}}


def robust_table(measured: Mapping[str, Mapping[str, Any]]) -> ReportTable:
    """Table 2: a row per figure and line, a column per system, printed figures in columns of their own.

    `measured` has the details of each system's score. Printed systems that were not measured come last.
    """
    columns: dict[str, Mapping[str, Any]] = {}
    for name in (*measured, *(name for name in PRINTED if name not in measured)):
        if name in measured:
            columns[name] = measured[name]
        printed = printed_figures(name)
        if printed is not None:
            columns[f"{name} (paper)"] = printed
    rows = []
    for figure, field in FIGURES.items():
        for line, part in LINES.items():
            values = (f"{100 * details[part][field]:.2f}" for details in columns.values())
            rows.append((f"{figure:<2} {line}", *values))
    return ReportTable(("", *columns), tuple(rows))
