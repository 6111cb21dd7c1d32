"""SQLite databases as files: what one holds, and a checked copy of one that may be in use."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tupelo.core import InputError
from tupelo.io.files import private_output

# Files that SQLite keeps beside a database that is open, or was when its program ended early.
BESIDE = ("-wal", "-shm", "-journal")


@dataclass(frozen=True, slots=True)
class SqliteContent:
    """The mark of the program that made it (`pragma application_id`, 0 for none) and the names of its tables."""

    application: int
    tables: frozenset[str]


def look_into(name: str | os.PathLike[str]) -> SqliteContent:
    """Content of a database. Neither the file nor its folder is changed."""
    # Without a log beside it the file is all there is, and SQLite need not make one.
    mode = "ro" if Path(f"{os.fspath(name)}-wal").exists() else "ro&immutable=1"
    with _reading(name), closing(_open(name, mode)) as connection:
        application = int(connection.execute("pragma application_id").fetchone()[0])
        tables = connection.execute("select name from sqlite_master where type = 'table'").fetchall()
        return SqliteContent(application, frozenset(str(row[0]) for row in tables))


def copy_sqlite(source: str | os.PathLike[str], target: str | os.PathLike[str]) -> None:
    """Copy a database, also one that is being written, to a file that only its owner may read.

    The copy is a snapshot of one moment, is checked by SQLite, and appears under its name only when it is complete.
    """
    path = Path(os.path.realpath(target))
    if path.is_dir():
        raise InputError(f"{target}: is a directory, expected the name of a file")
    if path.exists() and path.samefile(source):
        raise InputError(f"{target}: is the database itself, expected another file")
    beside = [suffix for suffix in BESIDE if Path(f"{path}{suffix}").exists()]
    if beside:
        # They would be taken for a part of the new file.
        raise InputError(f"{target}{beside[0]}: belongs to a database that is open, expected no such file")
    with (
        private_output(target) as temporary,
        _reading(source),
        closing(_open(source, "rw")) as original,
        closing(sqlite3.connect(temporary)) as copy,
    ):
        original.backup(copy)
        # Otherwise the copy asks for files beside it.
        copy.execute("pragma journal_mode = delete")
        fault = str(copy.execute("pragma integrity_check").fetchone()[0])
        if fault != "ok":
            raise InputError(f"{source}: {' '.join(fault.split())}, expected a sound database")


def _open(name: str | os.PathLike[str], mode: str) -> sqlite3.Connection:
    return sqlite3.connect(f"{Path(os.path.abspath(name)).as_uri()}?mode={mode}", uri=True)


@contextmanager
def _reading(name: str | os.PathLike[str]) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise InputError(f"{name}: {error}, expected a SQLite database that can be opened") from error
