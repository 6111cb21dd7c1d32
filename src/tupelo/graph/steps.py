"""The SQL that computes every table of a graph from the rows of its tuples. Text only; an engine runs it.

The statements are in `tables.sql` and `totals.sql`, in DuckDB's dialect with nothing that Spark lacks.
"""

from __future__ import annotations

import re
from importlib.resources import files

from tupelo.core.stages import Step
from tupelo.nlp.languages.en.prepositions import ARGUMENT_PREPOSITIONS
from tupelo.nlp.languages.en.pronouns import EMPHATIC_PRONOUNS, UNNAMING_PRONOUNS

# The outputs of each group of steps.
TABLES = ("sentences", "tuples", "mentions", "links")
AGGREGATES = ("entities", "entity_types", "relations", "aliases", "edges", "qualifiers")

_STEP = re.compile(r"^-- step: (\w+)\n", re.MULTILINE)
_WORDS = {
    "pronouns": ", ".join(f"'{word}'" for word in sorted(UNNAMING_PRONOUNS)),
    # A negated wording does not name a relation: negation is recorded on the edge.
    "denied": " or ".join(
        f"concat(' ', lower(text), ' ') like '% {word} %'" for word in ("not", "n''t", "n’t", "never")
    ),
    # Characters to strip from both ends of a name, in regular expressions that both engines support.
    "opening": f"^(?i:(?:{'|'.join(sorted(ARGUMENT_PREPOSITIONS))}) +)?(?i:(?:the|a|an) +)?",
    "closing": f" +(?i:{'|'.join(sorted(EMPHATIC_PRONOUNS))})$",
}


def table_steps() -> list[Step]:
    """Steps from rows and maps of keys to the tables of a graph; see `tables.sql`."""
    return _steps("tables.sql")


def aggregate_steps() -> list[Step]:
    """Steps from mentions and links to all totals; see `totals.sql`."""
    return _steps("totals.sql")


def _steps(name: str) -> list[Step]:
    _, *parts = _STEP.split(files("tupelo.graph").joinpath(name).read_text("utf-8"))
    return [Step(step, sql.format(**_WORDS)) for step, sql in zip(parts[::2], parts[1::2], strict=True)]
