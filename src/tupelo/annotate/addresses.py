"""The address under which people reach a project, for links that commands and pages hand out.

It is the `url` of `project.toml`; without one, that of the last server, which notes it in the database.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy import delete, insert, select

from tupelo.annotate.desk import Desk, Transaction
from tupelo.annotate.project import FILE, Project, Serving, check_address
from tupelo.annotate.schema import meta
from tupelo.core import InputError

_KEY = "address"


def with_address(project: Project, host: str, port: int, names: Sequence[str], url: str | None) -> Project:
    """The project as it is served at `host` and `port`; `names` are further names of this machine."""
    own = project.server != Serving()
    if url is not None:
        check_address(url, "--url")
        if own and url.rstrip("/") != project.server.url.rstrip("/"):
            place = project.folder / FILE
            raise InputError(f"{place}: url = '{project.server.url}', but --url is '{url}'; expected one address")
    elif not own:
        url = f"http://{_reachable_name(host, names)}:{port}"
    return project if url is None else replace(project, server=Serving(url))


def _reachable_name(host: str, names: Sequence[str]) -> str:
    """The name to put into links: one that was given, else the address listened on, else this machine's own."""
    if names:
        return names[0]
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if address.is_unspecified:
        return "127.0.0.1" if address.version == 4 else "[::1]"
    return f"[{host}]" if address.version == 6 else host


def below(project: Project, name: str) -> Project:
    """The project as it is served under a path of its own."""
    return replace(project, server=Serving(f"{project.server.url.rstrip('/')}/{name}"))


def note_address(desk: Desk) -> None:
    """Note where the project is served, for commands that make links."""

    def work(tx: Transaction) -> None:
        tx.execute(delete(meta).where(meta.c.key == _KEY))
        tx.execute(insert(meta).values(key=_KEY, value=desk.project.server.url))

    desk.write(work)


def link_base(tx: Transaction) -> str:
    """The address for links that are made without a server."""
    server = tx.desk.project.server
    noted = tx.execute(select(meta.c.value).where(meta.c.key == _KEY)).scalar_one_or_none()
    # A project of several has a path after the address that it was given.
    if noted is not None and (server == Serving() or noted.startswith(f"{server.url.rstrip('/')}/")):
        return str(noted)
    return server.url
