"""A PostgreSQL of our own in a temporary folder, for as long as a test run lasts."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_USER = "postgres"


def programs() -> Path | None:
    """Where Debian keeps the programs of the server, the newest version first; or wherever the path leads."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if found:
        return found[-1].parent
    other = shutil.which("initdb")
    return Path(other).parent if other else None


def why_not() -> str | None:
    """What is missing for a server of our own."""
    if programs() is None:
        return "PostgreSQL is not installed"
    if os.geteuid() == 0 and (shutil.which("runuser") is None or not _has_user()):
        return "PostgreSQL does not run as root, and there is no user postgres"
    return None


def _has_user() -> bool:
    import pwd

    try:
        pwd.getpwnam(_USER)
    except KeyError:
        return False
    return True


def _as_user(command: list[str]) -> list[str]:
    return ["runuser", "-u", _USER, "--", *command] if os.geteuid() == 0 else command


@contextmanager
def cluster() -> Iterator[str]:
    """The address of the server, without the name of a database. It listens on a socket in its folder only."""
    bin_folder = programs()
    assert bin_folder is not None
    # The path of a socket has to be short.
    with tempfile.TemporaryDirectory(prefix="pg-", dir="/tmp") as folder:
        if os.geteuid() == 0:
            shutil.chown(folder, _USER)
        data = f"{folder}/data"
        quiet = {"check": True, "stdout": subprocess.DEVNULL, "cwd": folder}
        options = ["-A", "trust", "-U", _USER, "-E", "UTF8", "--no-sync"]
        subprocess.run(_as_user([f"{bin_folder}/initdb", "-D", data, *options]), **quiet)
        settings = f"-c listen_addresses= -c unix_socket_directories={folder} -c max_connections=120"
        control = [f"{bin_folder}/pg_ctl", "-D", data, "-w", "-t", "60", "-l", f"{folder}/log"]
        subprocess.run(_as_user([*control, "-o", settings, "start"]), **quiet)
        try:
            yield f"postgresql://{_USER}@/{{}}?host={folder}"
        finally:
            subprocess.run(_as_user([*control, "-m", "immediate", "stop"]), **quiet)


def new_database(address: str) -> str:
    """The address of a fresh, empty database."""
    import psycopg

    name = f"t{uuid.uuid4().hex[:12]}"
    with psycopg.connect(address.format("postgres"), autocommit=True) as connection:
        connection.execute(f"create database {name}")
    return address.format(name)
