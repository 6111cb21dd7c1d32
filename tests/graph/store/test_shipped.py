"""SQL beside the modules: every query has a name of its own, and the module uses it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import tupelo.graph

ROOM = Path(tupelo.graph.__file__).parent
# Run as a whole: the counts of a build, and the views of the schema.
WHOLE = ("totals", "schema")


@pytest.mark.parametrize("file", sorted(ROOM.rglob("*.sql")), ids=lambda file: file.stem)
def test_every_query_has_one_name_and_is_used(file):
    names = re.findall(r"^-- name: (\w+)$", file.read_text("utf-8"), re.MULTILINE)
    assert names
    assert len(names) == len(set(names))
    if file.stem == "tables":
        code = file.with_name("update.py").read_text("utf-8")
        assert set(re.findall(r"""_TABLES\["(\w+)"\]""", code)) == set(names)
    elif file.stem not in WHOLE:
        code = file.with_suffix(".py").read_text("utf-8")
        asked = set(re.findall(r"""_SQL\[["'](\w+)["']""", code))
        listed = set(re.findall(r"""["'](\w+)["']""", code))
        assert asked <= set(names) <= listed
