"""The web application: routes behind a guard, and pages served from files of the package.

Several projects may be behind one address, each under its own path, with its own database, accounts, cookies and
tokens. Nothing of one project opens another: a session or token is looked up in the database of the project that the
path names, and its cookie has the name of the project. The start page lists the projects in which a browser is signed
in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, RedirectResponse, Response

from tupelo.annotate import training
from tupelo.annotate.desk import Desk
from tupelo.annotate.figures import FiguresProcess
from tupelo.annotate.people import find_session
from tupelo.annotate.requests import ADMINS, REVIEWERS, base_of, cookie_name, is_secure, visitor
from tupelo.annotate.routes import router
from tupelo.annotate.tasks import TASKS, AnnotationTask
from tupelo.core import InputError
from tupelo.core.shipped import declared
from tupelo.core.version import __version__
from tupelo.io.folders import packaged_files
from tupelo.web.app import add_errors, error_replies, static_files
from tupelo.web.guard import LOOPBACK, App, Guard, Receive, RequestRules, Scope, Send
from tupelo.web.page import shared_files

SHELL = "index.html"
_SITE = declared(__name__, "data/site.toml")
_ROLES = {"everybody": None, "reviewers": REVIEWERS, "admins": ADMINS}
# Page -> roles that may open it; `None` is everybody.
PAGES = {path: _ROLES[who] for who, paths in _SITE["pages"].items() for path in paths.split()}
LARGEST_IMPORT = 10 << 20
_RULES = RequestRules(
    uploads={"/api/import": LARGEST_IMPORT}, host_hint="set 'url' in project.toml or use --allow-host"
)
_ERRORS = error_replies({int(status): text for status, text in _SITE["errors"].items()})


class _Described(FastAPI):
    """Describes how people and programs sign in; the routes for programs say which scope they need."""

    def openapi(self) -> dict[str, Any]:
        described = super().openapi()
        cookie = {"type": "apiKey", "in": "cookie", "name": cookie_name(self.state.desk)}
        token = {"type": "http", "scheme": "bearer", "description": "An API token; an admin makes one."}
        described["components"]["securitySchemes"] = {"session": cookie, "token": token}
        return described


def make_app(
    desk: Desk,
    hosts: tuple[str, ...] = (),
    files: Mapping[str, bytes] | None = None,
    figures: FiguresProcess | None = None,
) -> App:
    """The application for a project. `hosts` are names of this server besides that in the project's address.

    `figures` computes figures in another process; without it they are computed here.

    Tutorial and test are read now, so that mistakes in them show when the server starts.
    """
    training.steps(desk)
    training.test_items(desk)
    app = _Described(
        title="Tupelo annotation",
        version=__version__,
        description=TASKS.title(desk.project.task),
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        servers=[{"url": base_of(desk) or "/"}],
    )
    app.state.desk = desk
    app.state.figures = figures
    app.include_router(router, responses=_ERRORS)
    _add_pages(app, page_files(desk.task, desk.project.task) if files is None else files, base_of(desk))
    add_errors(app)
    return guard(app, [desk], hosts)


def guard(app: FastAPI, desks: Sequence[Desk], hosts: tuple[str, ...]) -> App:
    """The application behind a guard that knows the host names of these projects."""
    names = [urlsplit(desk.project.server.url).hostname or "" for desk in desks]
    known = [f"[{name}]" if ":" in name else name for name in names]
    return Guard(app, (*LOOPBACK, *known, *hosts), _RULES, secure=all(map(is_secure, desks)))


def web_files() -> dict[str, bytes]:
    """The files that all projects have in common."""
    return packaged_files("tupelo.annotate", "web") | shared_files("dom.js")


def page_files(task: AnnotationTask, name: str) -> dict[str, bytes]:
    """The files of the pages, including the module of a task that has its own, or a default one."""
    files, module = web_files(), f"task-{name}.js"
    page = getattr(task, "page", None)
    if page is not None:
        files[module] = page.encode("utf-8")
    files.setdefault(module, files["task-json.js"])
    return files


def _add_pages(app: FastAPI, files: Mapping[str, bytes], base: str) -> None:
    shell = files[SHELL].replace(b'"/static/', f'"{base}/static/'.encode())
    file = static_files(app, {**files, SHELL: shell})

    def page(request: Request) -> Response:
        roles = PAGES[request.scope["route"].path]
        if roles is not None:
            found = visitor(request)
            if found is None:
                return RedirectResponse(f"{base}/login?to={quote(request.url.path)}", 303)
            if found[0].role not in roles:
                return file(request, SHELL, 403)
        return file(request, SHELL)

    for path in PAGES:
        app.add_api_route(path, page, include_in_schema=False)


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
