"""Pairs of cliques from a file."""

from __future__ import annotations

from collections.abc import Sequence

from tupelo.core import Clique
from tupelo.io.files import InputFile


def read_clique_pairs(name: str, cliques: Sequence[Clique]) -> dict[int, int]:
    """From a file of two originals a line: the place of the first one's clique to that of the second one's."""
    places = {clique.sentences[0].text: place for place, clique in enumerate(cliques)}
    pairs: dict[int, int] = {}
    with InputFile(name) as file:
        lines = file.lines()
        for number, line in lines:
            if not line.strip():
                continue
            fields = line.split("\t")
            if len(fields) != 2:
                lines.fault(number, f"{len(fields)} field(s)", "2, separated by a tab")
                continue
            unknown = [text for text in fields if text not in places]
            if unknown:
                lines.fault(number, f"{unknown[0][:60]!r}", "the original sentence of a clique")
                continue
            pairs[places[fields[0]]] = places[fields[1]]
    return pairs
