"""Several projects behind one address, each under its own path, with its own database, accounts, cookies and tokens.

Nothing of one project opens another: a session or token is looked up in the database of the project that the path
names, and its cookie has the name of the project. The start page lists the projects in which a browser is signed in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response

from tupelo.annotate.app import guard, web_files
from tupelo.annotate.desk import Desk
from tupelo.annotate.people import find_session
from tupelo.annotate.requests import base_of, cookie_name
from tupelo.annotate.tasks import TASKS
from tupelo.core import InputError
from tupelo.web.app import add_errors, static_files
from tupelo.web.guard import App, Receive, Scope, Send

_START = "start.html"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
# Paths of the start page.
_RESERVED = {"api", "static"}


def path_names(folders: Iterable[Path]) -> list[str]:
    """The part of the address under which each folder is served: its name."""
    names: list[str] = []
    for folder in folders:
        name = folder.resolve().name
        if not _NAME.fullmatch(name) or name in _RESERVED:
            raise InputError(f"{folder}: '{name}' as part of an address, expected letters, digits, '.', '_' and '-'")
        if name.lower() in map(str.lower, names):
            raise InputError(f"{folder}: a second project called '{name}', expected folders of different names")
        names.append(name)
    return names


class Several:
    """Hands each request to the project that its path names; all others go to the start page."""

    def __init__(self, start: App, projects: Mapping[str, App]) -> None:
        self._start, self._projects = start, dict(projects)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        name, _, rest = scope.get("path", "")[1:].partition("/")
        app = self._projects.get(name)
        if app is None:
            await self._start(scope, receive, send)
        else:
            await app({**scope, "path": f"/{rest}"}, receive, send)


def start_page(desks: Iterable[Desk], hosts: tuple[str, ...] = ()) -> App:
    """The application for the paths that belong to no project."""
    found = list(desks)
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    file = static_files(app, web_files())

    @app.get("/")
    def start(request: Request) -> Response:
        return file(request, _START)

    @app.get("/api/projects")
    def projects(request: Request) -> JSONResponse:
        return JSONResponse({"projects": [about for desk in found if (about := _signed_in(desk, request))]})

    add_errors(app)
    return guard(app, found, hosts)


def _signed_in(desk: Desk, request: Request) -> dict[str, Any] | None:
    token = request.cookies.get(cookie_name(desk))
    found = desk.read(find_session, token) if token else None
    if found is None:
        return None
    project = desk.project
    about = {"path": f"{base_of(desk)}/", "name": project.name, "title": TASKS.title(project.task)}
    return {**about, "person": found[0].name, "role": found[0].role}
