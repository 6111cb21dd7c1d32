"""The database of a project: SQLite by default, PostgreSQL by its address.

One transaction is one action of a person. On SQLite it begins with the write lock, so that nothing it has read
can change under it; threads of this process queue for it in front of the file, because SQLite itself only polls. On
PostgreSQL rows are locked one by one, and a transaction that lost a race is retried.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import nullcontext
from os import PathLike
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import (
    Connection,
    Engine,
    create_engine,
    event,
    insert,
    inspect,
    make_url,
    select,
)
from sqlalchemy.exc import ArgumentError, DatabaseError, DBAPIError, NoSuchModuleError

from tupelo.annotate import schema
from tupelo.core import InputError
from tupelo.io.files import make_private
from tupelo.io.sqlite import copy_sqlite, look_into
from tupelo.web.guard import Refusal

Result = TypeVar("Result")
_BUSY_SECONDS = 30
_TRIES = 6
# Our mark in the header of a SQLite file: "Tupl".
APPLICATION = 0x5475706C
# Tables of every version of ours; together they tell a database of ours from another program's.
_OURS = frozenset({"meta", "people", "sessions", "links", "items", "assignments", "records"})
# Serialization failure and deadlock: PostgreSQL expects a retry.
_AGAIN = {"40001", "40P01"}


class Database:
    """Transactions on an engine whose tables exist and have this version."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.is_sqlite = engine.dialect.name == "sqlite"
        self._one_writer = threading.Lock() if self.is_sqlite else nullcontext()

    def read(self, work: Callable[[Connection], Result]) -> Result:
        """Run `work` in a read-only transaction."""
        with self._engine.begin() as connection:
            if self.is_sqlite:
                connection.exec_driver_sql("begin")
            return work(connection)

    def write(self, work: Callable[[Connection], Result]) -> Result:
        """Run `work`, all or nothing. A `Refusal` with `keep` is raised only after the commit."""
        for left in range(_TRIES - 1, -1, -1):
            try:
                return self._write(work)
            except DBAPIError as error:
                if not left or getattr(error.orig, "sqlstate", None) not in _AGAIN:
                    raise
                time.sleep(0.01 * (_TRIES - left))
        raise AssertionError("unreachable")

    def _write(self, work: Callable[[Connection], Result]) -> Result:
        refusal: Refusal | None = None
        with self._one_writer, self._engine.begin() as connection:
            if self.is_sqlite:
                connection.exec_driver_sql("begin immediate")
            try:
                result = work(connection)
            except Refusal as error:
                if not error.keep:
                    raise
                refusal = error
        if refusal is not None:
            raise refusal
        return result

    def purge(self) -> None:
        """Write the files anew without what deleted and changed rows left in them."""
        if not self.is_sqlite:
            with self._engine.execution_options(isolation_level="AUTOCOMMIT").begin() as connection:
                connection.exec_driver_sql(f"vacuum full {', '.join(schema.PERSONAL)}")
            return
        file = str(self._engine.url.database)
        busy = InputError(f"{file}: in use, expected a moment without other programs")
        with self._one_writer, self._engine.begin() as connection:
            try:
                connection.exec_driver_sql("vacuum")
                # The log beside the file holds old pages until it is emptied, for which it waits until nobody reads.
                if connection.exec_driver_sql("pragma wal_checkpoint(truncate)").one()[0]:
                    raise busy
            except DatabaseError as error:
                raise busy from error

    def close(self) -> None:
        self._engine.dispose()


def open_database(address: str, *, create: bool = False) -> Database:
    """Connect to an address of SQLAlchemy's form, such as `sqlite:////data/x.sqlite` or `postgresql://…`.

    A database of another program is refused, and stays as it is.
    """
    engine = _engine(address)
    shown = make_url(address).render_as_string(hide_password=True)
    if engine.dialect.name == "sqlite":
        # Before connecting, which creates the file and changes its journal mode.
        file = Path(str(engine.url.database))
        if not create and not file.exists():
            raise _missing(shown)
        if file.exists() and file.stat().st_size:
            content = look_into(file)
            if content.application not in (0, APPLICATION) or (content.tables and not content.tables >= _OURS):
                raise _foreign(str(file))
        make_private(file)
    opened = Database(engine)

    def look(connection: Connection) -> None:
        tables = set(inspect(connection).get_table_names())
        if not tables >= _OURS:
            if tables:
                raise _foreign(shown)
            if not create:
                raise _missing(shown)
            schema.metadata.create_all(connection)
            for statement in schema.triggers(connection.dialect.name):
                connection.exec_driver_sql(statement)
            connection.execute(insert(schema.meta).values(key="version", value=str(schema.VERSION)))
        if opened.is_sqlite and connection.exec_driver_sql("pragma application_id").scalar_one() != APPLICATION:
            connection.exec_driver_sql(f"pragma application_id = {APPLICATION}")
        _check_version(connection, shown)

    try:
        opened.write(look)
    except DatabaseError as error:
        opened.close()
        reason = " ".join(str(error.orig).split())
        raise InputError(f"{shown}: {reason}, expected a database that can be opened") from error
    except InputError:
        opened.close()
        raise
    return opened


def _missing(shown: str) -> InputError:
    return InputError(f"{shown}: no project in this database, expected one made by 'annotate serve'")


def _foreign(shown: str) -> InputError:
    return InputError(f"{shown}: the database of another program, expected one of 'annotate serve' or an empty one")


def backup_database(address: str, output: str | PathLike[str]) -> None:
    """Write a checked copy of a SQLite database, while it is used or not; only its owner may read it."""
    file = _sqlite_file(address, "pg_dump --format=custom --file=FILE DATABASE")
    if not file.exists():
        raise _missing(str(file))
    _check_project(file)
    copy_sqlite(file, output)


def restore_database(address: str, backup: str | PathLike[str]) -> None:
    """Make a project's SQLite database from a copy of one. An existing database is never replaced."""
    file = _sqlite_file(address, "pg_restore --dbname=DATABASE FILE")
    _check_project(backup)
    if file.exists():
        raise InputError(f"{file}: there is a database already, expected none. Move it away first.")
    copy_sqlite(backup, file)


def _check_project(file: str | PathLike[str]) -> None:
    if not look_into(file).tables >= _OURS:
        raise _foreign(str(file))


def _sqlite_file(address: str, instead: str) -> Path:
    url = make_url(address)
    if url.get_backend_name() != "sqlite":
        shown = url.render_as_string(hide_password=True)
        raise InputError(f"{shown}: not a SQLite file. Use PostgreSQL's own program: {instead}")
    return Path(str(url.database))


def _engine(address: str) -> Engine:
    try:
        url = make_url(address)
        if url.drivername in ("postgresql", "postgres"):
            url = url.set(drivername="postgresql+psycopg")
        if url.get_backend_name() not in ("sqlite", "postgresql"):
            raise InputError(f"database of the kind '{url.drivername}', expected sqlite or postgresql")
        if url.get_backend_name() == "sqlite":
            engine = create_engine(url, connect_args={"timeout": _BUSY_SECONDS}, pool_size=20, max_overflow=60)
            event.listen(engine, "connect", _settle_sqlite)
        else:
            engine = create_engine(url, pool_size=20, max_overflow=30, pool_pre_ping=True)
    except (ArgumentError, NoSuchModuleError) as error:
        raise InputError(
            "the address of the database cannot be read, expected sqlite:///FILE or postgresql://…"
        ) from (error)
    return engine


def _settle_sqlite(connection: Any, _: Any) -> None:
    # We begin transactions ourselves, with the kind of lock that they need.
    connection.isolation_level = None
    for pragma in ("journal_mode = wal", "synchronous = full", "foreign_keys = on"):
        connection.execute(f"pragma {pragma}")


def _check_version(connection: Connection, shown: str) -> None:
    """Refuse tables of another version."""
    found = int(connection.execute(select(schema.meta.c.value).where(schema.meta.c.key == "version")).scalar_one())
    if found != schema.VERSION:
        other = "a newer" if found > schema.VERSION else "an older"
        raise InputError(f"{shown}: made by {other} Tupelo (version {found}), expected {schema.VERSION}")
