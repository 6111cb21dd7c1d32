"""ROBUST (Qi et al., EMNLP 2023): Table 2, systems on CaRB and ROBUST with the drop, for any systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tupelo.api.scoring import AUTO, Records, name_systems, score
from tupelo.scorers.result import Score
from tupelo.scorers.tables import ReportTable
from tupelo.show.clique_study import printed_figures, robust_table

NOTE: Final = "The printed figures are for the 1,272 cliques made from CaRB dev and test together."


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
