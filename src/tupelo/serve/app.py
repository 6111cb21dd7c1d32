"""The application: its routes, and the layers that every request passes."""

from __future__ import annotations

from collections.abc import Iterable

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response

from tupelo.core.version import __version__
from tupelo.serve import graph, text
from tupelo.serve.service import MEDIA_TYPE, Counted, Service
from tupelo.serve.still import page_files
from tupelo.web.app import add_errors, error_replies, refusal_reply, static_files
from tupelo.web.guard import LOOPBACK, App, Guard, Receive, Refusal, RequestRules, Scope, Send

API = "/v1/"
GRAPH = "/v1/graph"
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
        414: "address too long",
        415: "wrong type of body",
        422: "not valid",
        429: "the queue is full",
        431: "headers too long",
        503: "too many bodies at a time",
    }
)


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
    guard = Guard(Admission(app, service), (*LOOPBACK, *hosts), RequestRules(API, large=_LARGE))
    return Counted(guard, service.metrics, paths)


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
