"""Errors in a form that pages can act on."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from tupelo.core import TupeloError

STATUS = {
    "bad-request": 400,
    "not-signed-in": 401,
    "forbidden": 403,
    "csrf": 403,
    "not-found": 404,
    "wrong-method": 405,
    "conflict": 409,
    "lease-lost": 409,
    "gone": 410,
    "too-large": 413,
    "too-long": 413,
    "long-address": 414,
    "wrong-type": 415,
    "wrong-host": 421,
    "invalid": 422,
    "look-again": 422,
    "too-many": 429,
    "long-headers": 431,
    "busy": 503,
}


class Refusal(TupeloError):
    """A refused request.

    `code` is for programs, the message for people. With `keep`, changes are committed. `headers` go with the reply.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        field: str | None = None,
        detail: dict[str, Any] | None = None,
        keep: bool = False,
        headers: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.code, self.status = code, STATUS[code]
        self.field, self.detail, self.keep, self.headers = field, detail, keep, headers
        super().__init__(message)

    def body(self) -> dict[str, Any]:
        return error_body(self.code, str(self), self.field, self.detail)


def error_body(
    code: str, message: str, field: str | None = None, detail: dict[str, Any] | None = None
) -> dict[str, Any]:
    """The common form of all errors."""
    return {"error": {"code": code, "message": message, "field": field, "detail": detail}}
