"""The web application: routes behind a guard, and pages served from files of the package."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote, urlsplit

from fastapi import FastAPI, Request
from fastapi.responses import RedirectResponse, Response

from tupelo.annotate import training
from tupelo.annotate.desk import Desk
from tupelo.annotate.figures import FiguresProcess
from tupelo.annotate.requests import ADMINS, REVIEWERS, base_of, cookie_name, is_secure, visitor
from tupelo.annotate.routes import router
from tupelo.annotate.tasks import TASKS, AnnotationTask
from tupelo.core.version import __version__
from tupelo.io.folders import packaged_files
from tupelo.web.app import add_errors, error_replies, static_files
from tupelo.web.guard import LOOPBACK, App, Guard, RequestRules
from tupelo.web.static import shared_files

SHELL = "index.html"
# Page -> roles that may open it; `None` is everybody. All pages are the same shell, which fetches its content.
PAGES: dict[str, tuple[str, ...] | None] = {
    "/": None,
    "/login": None,
    "/invite/{token}": None,
    "/enter/{token}": None,
    "/tutorial": None,
    "/test": None,
    "/work": None,
    "/work/{assignment}": None,
    "/done": None,
    "/account": None,
    "/review": REVIEWERS,
    "/adjudicate": REVIEWERS,
    "/adjudicate/{item:path}": REVIEWERS,
    "/dashboard": REVIEWERS,
    "/people": ADMINS,
    "/tokens": ADMINS,
    "/audit": ADMINS,
    "/items": ADMINS,
    "/items/{item:path}": ADMINS,
    "/export": ADMINS,
}
LARGEST_IMPORT = 10 << 20
_RULES = RequestRules(
    uploads={"/api/import": LARGEST_IMPORT}, host_hint="set 'url' in project.toml or use --allow-host"
)
_ERRORS = error_replies(
    {
        400: "cannot be read",
        401: "not signed in",
        403: "not allowed, or no CSRF token",
        404: "not there",
        409: "changed in the meantime",
        410: "link used up",
        413: "too large",
        415: "wrong type of body",
        422: "not valid",
        429: "too many tries",
        431: "headers too long",
        503: "busy",
    }
)


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
