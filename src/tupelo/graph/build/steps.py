"""The SQL that computes every table of a graph from the rows of its sentences. Text only; an engine runs it.

The statements are in `tables.sql` and `totals.sql`, in DuckDB's dialect with nothing that Spark lacks.
"""

from __future__ import annotations

import re
from importlib.resources import files

from tupelo.core.stages import Step
from tupelo.nlp.languages.en.grammar import UNNAMING_PRONOUNS

# The outputs of each group of steps; totals are computed from those that are counted.
COUNTED = ("referents", "namings", "typings", "links", "qualified", "property_mentions")
TABLES = ("sentences", "tuples", "mentions", "literals", "set_aside", *COUNTED)
AGGREGATES = ("entities", "entity_types", "relations", "aliases", "edges", "attributes", "qualifiers", "properties")

_STEP = re.compile(r"^-- step: (\w+)\n", re.MULTILINE)
# As words of a sentence and at its start; *US* is none.
_WORDS = {
    "pronouns": ", ".join(f"'{form}'" for word in sorted(UNNAMING_PRONOUNS) for form in (word, word.capitalize()))
}


def table_steps() -> list[Step]:
    """Steps from rows and maps to the tables of a graph; see `tables.sql`."""
    return _steps("tables.sql")


def aggregate_steps() -> list[Step]:
    """Steps from mentions and links to all totals; see `totals.sql`."""
    return _steps("totals.sql")


def _steps(name: str) -> list[Step]:
    _, *parts = _STEP.split(files("tupelo.graph.build").joinpath(name).read_text("utf-8"))
    return [Step(step, sql.format(**_WORDS)) for step, sql in zip(parts[::2], parts[1::2], strict=True)]
