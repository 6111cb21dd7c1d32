"""The web application: routes behind a guard, and pages served from files of the package."""

from __future__ import annotations

import hashlib
import mimetypes
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import quote, urlsplit

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, RedirectResponse, Response
from starlette.exceptions import HTTPException

from tupelo.annotate import api_access, api_admin, api_people, api_work, training
from tupelo.annotate.desk import Desk
from tupelo.annotate.figures import FiguresProcess
from tupelo.annotate.guard import App, Guard
from tupelo.annotate.refusals import Refusal, error_body
from tupelo.annotate.requests import ADMINS, REVIEWERS, base_of, cookie_name, is_secure, visitor
from tupelo.annotate.tasks import TASKS, AnnotationTask
from tupelo.core import TupeloError
from tupelo.core.version import __version__
from tupelo.io.folders import packaged_files

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
_ROUTERS = (api_people.router, api_work.router, api_work.reviewing, api_admin.router, api_access.router)
_CODES = {404: "not-found", 405: "bad-request", 413: "too-large"}
LOOPBACK = ("localhost", "127.0.0.1", "[::1]")


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
    for router in _ROUTERS:
        app.include_router(router, responses=_ERRORS)
    _add_pages(app, page_files(desk.task, desk.project.task) if files is None else files, base_of(desk))
    add_errors(app)
    return guard(app, [desk], hosts)


def guard(app: FastAPI, desks: Sequence[Desk], hosts: tuple[str, ...]) -> App:
    """The application behind a guard that knows the host names of these projects."""
    names = [urlsplit(desk.project.server.url).hostname or "" for desk in desks]
    known = [f"[{name}]" if ":" in name else name for name in names]
    return Guard(app, (*LOOPBACK, *known, *hosts), all(map(is_secure, desks)))


def page_files(task: AnnotationTask, name: str) -> dict[str, bytes]:
    """The files of the pages, including the module of a task that has its own, or a default one."""
    files, module = packaged_files("tupelo.annotate", "web"), f"task-{name}.js"
    page = getattr(task, "page", None)
    if page is not None:
        files[module] = page.encode("utf-8")
    files.setdefault(module, files["task-json.js"])
    return files


_ERROR_FORM = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["code", "message"],
            "properties": {
                "code": {"type": "string"},
                "message": {"type": "string"},
                "field": {"type": ["string", "null"]},
                "detail": {"type": ["object", "null"]},
            },
        }
    },
}
_ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"description": text, "content": {"application/json": {"schema": _ERROR_FORM}}}
    for status, text in {
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
    }.items()
}


def static_files(app: FastAPI, files: Mapping[str, bytes]) -> Callable[..., Response]:
    """Serve the files read at startup; no request can name any other file. Returns a function that serves one."""
    tags = {name: f'"{hashlib.sha256(data).hexdigest()[:20]}"' for name, data in files.items()}

    def file(request: Request, name: str, status: int = 200) -> Response:
        if name not in files:
            raise Refusal("not-found", "There is no such page.")
        headers = {"ETag": tags[name], "Cache-Control": "no-cache"}
        if status == 200 and request.headers.get("if-none-match") == tags[name]:
            return Response(status_code=304, headers=headers)
        kind = "text/javascript" if name.endswith(".js") else mimetypes.guess_type(name)[0]
        return Response(files[name], status, headers, kind or "application/octet-stream")

    @app.get("/static/{name:path}", include_in_schema=False)
    def static(request: Request, name: str) -> Response:
        return file(request, name)

    return file


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


def add_errors(app: FastAPI) -> None:
    """Give every error the same form."""

    @app.exception_handler(Refusal)
    def refused(_: Request, error: Refusal) -> Response:
        headers = {"Retry-After": str(error.retry_after)} if error.retry_after is not None else None
        return JSONResponse(error.body(), error.status, headers)

    @app.exception_handler(TupeloError)
    def unusable(_: Request, error: TupeloError) -> Response:
        return JSONResponse(error_body("bad-request", " ".join(str(error).split())), 400)

    @app.exception_handler(RequestValidationError)
    def malformed(_: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"][1:])
        return JSONResponse(error_body("invalid", str(first["msg"]), place or None), 422)

    @app.exception_handler(HTTPException)
    def wrong_address(_: Request, error: HTTPException) -> Response:
        code = _CODES.get(error.status_code, "bad-request")
        return JSONResponse(error_body(code, str(error.detail)), error.status_code, error.headers)

    @app.exception_handler(Exception)
    def broken(_: Request, error: Exception) -> Response:
        # Details of internal errors go to the server's log, not to the client.
        return JSONResponse(error_body("internal", "Something went wrong on the server."), 500)
