"""Who is who over documents: a contrast set, and what must hold for every set of referents."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from tupelo.graph.linking import Aliases, StoredReferent, link

CASES = tomllib.loads(Path(__file__).with_name("who-is-who.toml").read_text("utf-8"))
VERDICTS = [(verdict, case) for verdict in ("same", "different") for case in CASES[verdict]]


def referent(id: str, name: str, label: str = "person", **fields: Any) -> StoredReferent:
    """A referent by hand; `also` are further names that its document gives."""
    also = tuple(fields.pop("also", ()))
    count = fields.pop("count", 1)
    reasons = ["acronym" if other.isupper() else "short name" for other in also]
    return StoredReferent(
        referent_id=id,
        document_id=fields.pop("document", f"document of {id}"),
        kind=fields.pop("kind", "name"),
        name=name,
        label=label,
        names=(name, *also),
        counts=(count, *[1] * len(also)),
        reasons=("same name", *reasons),
        **{key: tuple(value) if isinstance(value, list) else value for key, value in fields.items()},
    )


def are_one(case: dict[str, Any]) -> bool:
    rows = [case["first"], case["second"], *case.get("others", [])]
    linked = link([referent(f"r{number}", **row) for number, row in enumerate(rows)], Aliases())
    return linked["r0"].key == linked["r1"].key


def title(case: tuple[str, dict[str, Any]]) -> str:
    return f"{case[0]}: {case[1]['first']['name']} / {case[1]['second']['name']} ({case[1]['why']})"


@pytest.mark.parametrize("case", VERDICTS, ids=title)
def test_contrast_set(case: tuple[str, dict[str, Any]]) -> None:
    verdict, content = case
    assert are_one(content) == (verdict == "same"), content["why"]
