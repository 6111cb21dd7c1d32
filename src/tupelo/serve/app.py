"""The application: what it works with, its routes, and the order of what every request passes."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import cached_property

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response

from tupelo.api.checking import Checker
from tupelo.api.graph import Graph
from tupelo.api.hosting import (
    App,
    Receive,
    Refusal,
    Scope,
    Send,
    add_errors,
    error_replies,
    guarded,
    refusal_reply,
    static_files,
)
from tupelo.api.text import Toolkit
from tupelo.core.version import __version__
from tupelo.serve.metrics import MEDIA_TYPE, Counted, Metrics
from tupelo.serve.still import page_files
from tupelo.serve.work import WorkQueue

API = "/v1/"
GRAPH = "/v1/graph"
# A graph is read by several threads at a time; text is analysed by one, which uses all cores.
_GRAPH_THREADS = 4
# Gold and outputs of systems are whole files.
_LARGE = dict.fromkeys(("/v1/score", "/v1/compare"), 8 << 20)
_DESCRIPTION = """\
Text to tuples, analyses and checked claims, scores, and a knowledge graph. Bodies are JSON; replies are what
to_dict() of the Python call of the same name returns. With the header Accept: application/x-ndjson, each text or pair
of a request gets one line as soon as it is done. Status 429 says that the queue is full, and Retry-After when to try
again.
"""
_ERRORS = error_replies(
    {
        400: "cannot be read",
        403: "sent by another site's page",
        413: "too large, or too long to work on",
        415: "wrong type of body",
        422: "not valid",
        429: "the queue is full",
        431: "headers too long",
        503: "too many bodies at a time",
    }
)


class Service:
    """What the routes work with. Everything is read-only, so nothing is lost when the process ends."""

    def __init__(
        self,
        toolkit: Toolkit,
        graph: Graph | None = None,
        *,
        max_text: int = 100_000,
        waiting: int = 64,
        max_seconds: float = 30,
        files: str | os.PathLike[str] | None = None,
    ) -> None:
        self.toolkit, self.graph, self.max_text, self.files = toolkit, graph, max_text, files
        self.texts = WorkQueue(1, waiting, max_seconds)
        self.queries = WorkQueue(_GRAPH_THREADS, waiting, max_seconds)
        self.metrics = Metrics()

    @cached_property
    def checker(self) -> Checker:
        return Checker(toolkit=self.toolkit)

    def check_size(self, characters: int) -> None:
        if characters > self.max_text:
            raise Refusal("too-large", f"{characters:,} characters, expected at most {self.max_text:,} in a request.")

    def gauges(self) -> dict[str, float]:
        return {
            "text_requests": self.texts.inside,
            "graph_requests": self.queries.inside,
            "refused_total": self.texts.refused + self.queries.refused,
        }

    def __enter__(self) -> Service:
        return self

    def __exit__(self, *_: object) -> None:
        self.texts.close()
        self.queries.close()


class Admission:
    """Lets a request of the API in when its queue has a place, which it keeps until its reply is sent."""

    def __init__(self, app: App, service: Service) -> None:
        self._app, self._service = app, service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        if not path.startswith((API, "/graph/api/")):
            await self._app(scope, receive, send)
            return
        graphs = path.startswith((GRAPH, "/graph/"))
        queue = self._service.queries if graphs else self._service.texts
        try:
            with queue.place():
                await self._app(scope, receive, send)
        except Refusal as refusal:
            await refusal_reply(refusal)(scope, receive, send)


def make_app(service: Service, hosts: Iterable[str] = ()) -> App:
    """The application for a service. `hosts` are names of this server besides those of loopback."""
    from tupelo.serve import graph, text

    app = FastAPI(
        title="Tupelo",
        version=__version__,
        description=_DESCRIPTION,
        docs_url=None,
        redoc_url=None,
        openapi_url="/openapi.json",
    )
    app.state.service = service
    app.include_router(text.router, responses=_ERRORS)
    if service.files is not None:
        app.include_router(text.file_router, responses=_ERRORS)
    if service.graph is not None:
        app.include_router(graph.router, responses={**_ERRORS, **error_replies({404: "not in the graph"})})
        graph.add_page(app, service.graph)
    _add_pages(app)
    add_errors(app)
    paths = {"/", "/docs", *app.openapi()["paths"]}
    return Counted(guarded(Admission(app, service), hosts, API, _LARGE), service.metrics, paths)


def _add_pages(app: FastAPI) -> None:
    file = static_files(app, page_files())

    @app.get("/", include_in_schema=False)
    def page(request: Request) -> Response:
        return file(request, "index.html")

    @app.get("/docs", include_in_schema=False)
    def reference(request: Request) -> Response:
        return file(request, "docs.html")

    @app.get("/health", summary="Whether the server answers, and what it has")
    def health(request: Request) -> JSONResponse:
        service: Service = request.app.state.service
        has = {"graph": service.graph is not None, "files": service.files is not None}
        return JSONResponse({"status": "ok", "version": __version__, **has, "max_text": service.max_text})

    @app.get("/metrics", summary="Counts of requests, for Prometheus", response_class=Response)
    def metrics(request: Request) -> Response:
        service: Service = request.app.state.service
        return Response(service.metrics.text(service.gauges()), media_type=MEDIA_TYPE)
