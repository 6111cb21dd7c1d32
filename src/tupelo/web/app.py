"""The common part of all web applications: one form of errors, and pages from files of the package."""

from __future__ import annotations

import hashlib
import json
import mimetypes
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from tupelo.core import TupeloError
from tupelo.core.errors import needs_extra
from tupelo.web.guard import LOOPBACK, App, Guard, Refusal, RequestRules, error_body

with needs_extra("serving", "serve"):
    from fastapi import FastAPI, Request
    from fastapi.exceptions import RequestValidationError
    from fastapi.responses import HTMLResponse, JSONResponse, Response
    from starlette.exceptions import HTTPException

# Takes the values of a query string, the last one of each name, and returns what is sent as JSON.
View: TypeAlias = Callable[[Mapping[str, str]], Any]

_CODES = {404: "not-found", 405: "bad-request", 413: "too-large"}
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


def error_replies(meanings: Mapping[int, str]) -> dict[int | str, dict[str, Any]]:
    """The errors of a route for its OpenAPI description."""
    return {
        status: {"description": text, "content": {"application/json": {"schema": _ERROR_FORM}}}
        for status, text in meanings.items()
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


def page_app(html: str, policy: str, views: Mapping[str, View], hosts: Iterable[str], port: int) -> App:
    """One page and the paths from which it fetches its data, for reading only.

    `policy` is the content security policy of the page. Requests must name one of the `hosts`, or this machine, and
    the port: a page of another site whose name leads to this machine (DNS rebinding) is refused.
    """
    app = FastAPI(openapi_url=None)

    @app.get("/")
    def page() -> Response:
        return HTMLResponse(html, headers={"Content-Security-Policy": policy})

    def answering(view: View) -> Callable[[Request], Response]:
        return lambda request: json_reply(view(request.query_params))

    for path, view in views.items():
        app.add_route(path, answering(view))
    add_errors(app)
    return Guard(app, (*LOOPBACK, *hosts), RequestRules("/", read_only=True, port=port))


def json_reply(value: Any) -> Response:
    """A value as JSON. Half of a surrogate pair, which cannot be encoded, becomes a question mark."""
    return Response(encoded(value), media_type="application/json")


def encoded(value: Any) -> bytes:
    """A value as compact JSON."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode("utf-8", "replace")


def refusal_reply(refusal: Refusal) -> Response:
    return JSONResponse(refusal.body(), refusal.status, refusal.headers)


def add_errors(app: FastAPI) -> None:
    """Give every error the same form."""

    @app.exception_handler(Refusal)
    def refused(_: Request, error: Refusal) -> Response:
        return refusal_reply(error)

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
