"""DuckDB's SQL as Spark understands it."""

from __future__ import annotations

from tupelo.core.stages import Step, StepError


def spark_sql(step: Step) -> str:
    """The text of a step for Spark; parameters keep their names (`$name` becomes `:name`).

    >>> spark_sql(Step("long", "select word from words where len(word) > $least"))
    'SELECT word FROM words WHERE LENGTH(word) > :least'
    """
    import sqlglot
    from sqlglot.errors import ErrorLevel, SqlglotError

    try:
        statements = sqlglot.transpile(
            step.sql, read="duckdb", write="spark", unsupported_level=ErrorLevel.RAISE, identify=False
        )
    except SqlglotError as error:
        raise StepError(step, "the translation to Spark SQL", " ".join(str(error).split())) from error
    if len(statements) != 1:
        raise StepError(step, "the translation to Spark SQL", f"{len(statements)} statements, expected one")
    return statements[0]
