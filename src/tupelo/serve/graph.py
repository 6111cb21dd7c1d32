"""Routes for the knowledge graph, and its page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from tupelo.api.graph import USUAL_STANCES, Filters, Graph
from tupelo.serve.service import Service
from tupelo.show.report_page import REPORT_POLICY
from tupelo.web.app import json_reply
from tupelo.web.guard import Refusal

_OBJECT: dict[int | str, dict[str, Any]] = {
    200: {"description": "The answers.", "content": {"application/json": {"schema": {"type": "object"}}}}
}
router = APIRouter(prefix="/v1/graph", tags=["graph"])
Words = Annotated[str, Query(min_length=1, max_length=1000)]
Limit = Annotated[int, Query(ge=1, le=1000, description="At most N answers.")]
Sentences = Annotated[int, Query(ge=0, le=20, description="At most N sentences of an edge.")]
OneEntity = Annotated[str | None, Query(min_length=1, max_length=1000, description="Only this entity, by name.")]
Communities = Annotated[int, Query(ge=1, le=100, description="At most N communities.")]
KeySentences = Annotated[int, Query(ge=1, le=20, description="Sentences of a community.")]


def filters(
    min_confidence: Annotated[float, Query(ge=0, le=1)] = 0,
    stance: Annotated[list[str], Query(description="Which stances count, or all.")] = list(USUAL_STANCES),  # noqa: B006
    since: Annotated[str | None, Query(description="A day, month or year.", max_length=40)] = None,
    until: Annotated[str | None, Query(max_length=40)] = None,
    source: Annotated[str | None, Query(description="Names of documents, such as news/*.", max_length=1000)] = None,
) -> Filters:
    return Filters(min_confidence, stances=tuple(stance), since=since, until=until, source=source)


Which = Annotated[Filters, Depends(filters)]


@router.get("/search", responses=_OBJECT)
async def search(request: Request, words: Words, limit: Limit = 20) -> Response:
    """Sentences with any of the words, best first; `found*` matches a prefix, `"in quotes"` a phrase."""
    return await _answer(request, lambda graph: graph.search(words, limit=limit))


@router.get("/entities", responses=_OBJECT)
async def entities(request: Request, name: Words, limit: Limit = 20) -> Response:
    """Entities with a name that contains the text."""
    return await _answer(
        request, lambda graph: {"entities": [node.to_dict() for node in graph.entities(name, limit=limit)]}
    )


@router.get("/neighbours", responses=_OBJECT)
async def neighbours(
    request: Request,
    name: Words,
    which: Which,
    depth: Annotated[int, Query(ge=1, le=3)] = 1,
    evidence: Sentences = 0,
    limit: Limit = 100,
) -> Response:
    """Statements about an entity and, with more depth, about its neighbours."""
    return await _answer(
        request, lambda graph: graph.neighbours(name, depth, filters=which, evidence=evidence, limit=limit)
    )


@router.get("/path", responses=_OBJECT)
async def path(
    request: Request,
    start: Words,
    goal: Words,
    which: Which,
    longest: Annotated[int, Query(ge=1, le=6)] = 6,
    directed: bool = False,
    evidence: Sentences = 0,
    limit: Limit = 20,
) -> Response:
    """The shortest paths between two entities, most confident first."""
    options: dict[str, Any] = {"longest": longest, "directed": directed, "evidence": evidence, "limit": limit}
    return await _answer(request, lambda graph: graph.path(start, goal, filters=which, **options))


@router.get("/query", responses=_OBJECT)
async def query(
    request: Request,
    pattern: Annotated[list[Words], Query(min_length=1, max_length=8, examples=[["?who founded ?company"]])],
    which: Which,
    infer: bool = False,
    evidence: Sentences = 0,
    limit: Limit = 100,
) -> Response:
    """Answers to patterns such as `?who founded ?company`; several with common variables must hold together."""
    return await _answer(
        request, lambda graph: graph.query(*pattern, infer=infer, filters=which, evidence=evidence, limit=limit)
    )


@router.get("/retrieve", responses=_OBJECT)
async def retrieve(
    request: Request, question: Words, top: Annotated[int, Query(ge=1, le=100)] = 5, evidence: Sentences = 0
) -> Response:
    """The passages of the documents in which a question may be answered, best first."""
    # Its index is loaded once and reads the question with models: one at a time, like texts.
    return await _answer(request, lambda graph: graph.retrieve(question, limit=top, evidence=evidence), as_text=True)


@router.get("/report", responses=_OBJECT)
async def report(
    request: Request, entity: OneEntity = None, communities: Communities = 10, facts: KeySentences = 5
) -> Response:
    """A report of the documents by community, or on one entity, in sentences of the documents."""
    return await _answer(request, lambda graph: graph.report(entity=entity, communities=communities, facts=facts))


@router.get("/ask", responses=_OBJECT)
async def ask(
    request: Request,
    question: Words,
    min_confidence: Annotated[
        float | None, Query(ge=0, le=1, description="The least probability of an answer.")
    ] = None,
) -> Response:
    """Answers to a question in plain English, each with the sentences that state it; or the closest passages."""
    return await _answer(request, lambda graph: graph.ask(question, min_confidence=min_confidence), as_text=True)


@router.get("/evidence", responses=_OBJECT)
async def evidence(request: Request, edge: Words, limit: Limit = 20) -> Response:
    """The sentences behind an edge, which other replies name by its id."""

    def work(graph: Graph) -> dict[str, Any]:
        found = graph.evidence(edge, limit=limit)
        if not found:
            raise Refusal("not-found", "The graph has no such edge.")
        return {"evidence": [one.to_dict() for one in found]}

    return await _answer(request, work)


@router.get("/stats", responses=_OBJECT)
async def stats(request: Request, top: Annotated[int, Query(ge=0, le=100)] = 10) -> Response:
    """Sizes, degrees, frequent relations, merged names, low confidence."""
    return await _answer(request, lambda graph: graph.stats(limit=top))


def add_page(app: FastAPI, graph: Graph) -> None:
    """The page of the graph below `/graph/`, and its report."""
    pages = graph.pages(links={"Try a text": "/", "API": "/docs"})

    @app.get("/graph", include_in_schema=False)
    def without_slash() -> Response:
        return RedirectResponse("/graph/", 308)

    @app.get("/graph/", include_in_schema=False)
    def page() -> Response:
        return HTMLResponse(pages.html, headers={"Content-Security-Policy": pages.policy})

    @app.get("/graph/report", include_in_schema=False)
    async def read(
        request: Request, entity: OneEntity = None, communities: Communities = 10, facts: KeySentences = 5
    ) -> Response:
        service: Service = request.app.state.service
        html = await service.queries.run(
            lambda: graph.report(entity=entity, communities=communities, facts=facts).html
        )
        return HTMLResponse(html, headers={"Content-Security-Policy": f"{REPORT_POLICY}; frame-ancestors 'none'"})

    @app.get("/graph/api/{name}", include_in_schema=False)
    async def view(request: Request, name: str) -> Response:
        asked = pages.views.get(f"/api/{name}")
        if asked is None:
            raise Refusal("not-found", "There is no such page.")
        return await _answer(request, lambda _: asked(request.query_params))


async def _answer(request: Request, work: Callable[[Graph], Any], *, as_text: bool = False) -> Response:
    """The result of some work on the graph, done in the queue for queries, or in the one for texts."""
    service: Service = request.app.state.service
    graph = service.graph
    assert graph is not None

    def answer() -> dict[str, Any]:
        found = work(graph)
        return found if isinstance(found, dict) else found.to_dict()

    return json_reply(await (service.texts if as_text else service.queries).run(answer))
