"""Copies of SQLite files."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from tupelo.core import InputError
from tupelo.io.files import make_private


def copy_sqlite(source: str | os.PathLike[str], target: str | os.PathLike[str]) -> None:
    """Copy a database as of now, whole or not at all, while others use it. Only the owner may read the copy."""
    temporary = f"{target}.{os.getpid()}.part"
    make_private(temporary)
    try:
        with closing(sqlite3.connect(source)) as there, closing(sqlite3.connect(temporary)) as here:
            there.backup(here)
        os.replace(temporary, target)
    except (sqlite3.Error, OSError) as error:
        raise InputError(f"{target}: {error}, expected a copy of {source}") from error
    finally:
        with suppress(FileNotFoundError):
            Path(temporary).unlink()
