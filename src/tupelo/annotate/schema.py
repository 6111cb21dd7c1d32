"""Tables of a project's database, the same on SQLite and PostgreSQL (`data/schema.toml`), and frequent statements.

`records` is the log of a project: every action is one row with time, person and version, and the
database itself refuses to change or delete rows. It names people by number only; an erasure may take names out of
remarks, and nothing else. The other tables hold the current state, for fast queries.
Times are milliseconds since 1970 in UTC. Columns that end in `_json` hold JSON text.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    TextClause,
    UniqueConstraint,
    text,
)

from tupelo.core.shipped import declared, queries, shipped_text

VERSION = 2

metadata = MetaData()
# SQLite numbers rows automatically only if the key is a plain INTEGER.
_KEY = BigInteger().with_variant(Integer, "sqlite")
_STATEMENTS = queries(__name__, "data/statements.sql")
_TYPES: Mapping[str, Any] = {"time": BigInteger, "truth": Boolean, "whole": Integer, "number": Float, "text": Text}


def _table(name: str, entry: Mapping[str, Mapping[str, str]]) -> Table:
    """A table from its entry in the file."""
    rules = [UniqueConstraint(*names.split(), name=rule) for rule, names in entry.get("unique", {}).items()]
    checks = [CheckConstraint(sql, name=rule) for rule, sql in entry.get("checks", {}).items()]
    columns = [_column(column, words.split()) for column, words in entry["columns"].items()]
    indexes = [_index(index, *words.partition(" where ")) for index, words in entry.get("indexes", {}).items()]
    return Table(name, metadata, *columns, *rules, *checks, *indexes)


def _column(name: str, words: list[str]) -> Column[Any]:
    kind, *about = words
    if kind == "key":
        return Column(name, _KEY, primary_key=True, autoincrement=True)
    rules: dict[str, Any] = {rule: rule in about or None for rule in ("unique", "index")}
    if kind == "->":
        return Column(name, _KEY, ForeignKey(f"{about[0]}.id"), nullable="required" not in about, **rules)
    is_key = "primary" in about
    length = String(int(about[0])) if about and about[0].isdigit() else _TYPES[kind]
    return Column(name, length, primary_key=is_key, nullable=not is_key and "required" not in about, **rules)


def _index(name: str, columns: str, _: str, condition: str) -> Index:
    only = text(condition) if condition else None
    return Index(name, *columns.split(), sqlite_where=only, postgresql_where=only)


_DECLARED = declared(__name__, "data/schema.toml")
_TABLES = (_table(name, entry) for name, entry in _DECLARED.items())
meta, people, sessions, links, tokens, attempts, items, batches, assignments, checks, records = _TABLES
# Names of columns that hold a time, in every table that has them.
_COLUMNS = (column for entry in _DECLARED.values() for column in entry["columns"].items())
TIMES = {name for name, words in _COLUMNS if words.startswith("time")}

# Tables in which something may lead to a person.
PERSONAL = ("people", "sessions", "links", "tokens", "attempts", "assignments", "checks", "records")

# Present in `meta` only inside the transaction that erases a person; the triggers know it.
ERASING = "erasing"


def triggers(dialect: str) -> list[str]:
    """The statements that keep `records` append-only on a kind of database."""
    text = shipped_text("tupelo.annotate", f"data/triggers_{dialect}.sql")
    return [" ".join(statement.split("\n")) for statement in text.strip().split("\n\n")[1:]]


@cache
def statement(name: str, *, sqlite: bool) -> TextClause:
    """A frequent statement by name: building it each time would take longer than running it."""
    sql = " ".join(_STATEMENTS[name].split())
    return text(sql.partition(" for update")[0] if sqlite else sql)
