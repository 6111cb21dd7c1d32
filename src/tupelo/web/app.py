"""What our web applications have in common: one form of errors, and pages from files of the package."""

from __future__ import annotations

import hashlib
import mimetypes
from collections.abc import Callable, Mapping
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

from tupelo.core import TupeloError
from tupelo.web.refusals import Refusal, error_body

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
    """How the OpenAPI description of a route lists its errors."""
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


def refusal_reply(refusal: Refusal) -> Response:
    headers = {"Retry-After": str(refusal.retry_after)} if refusal.retry_after is not None else None
    return JSONResponse(refusal.body(), refusal.status, headers)


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
