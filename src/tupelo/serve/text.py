"""Routes for texts: analyze, extract, check, draw and score."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator, Callable
from typing import Annotated, Any, TypeAlias

from fastapi import APIRouter, Header, Query, Request
from fastapi.responses import Response, StreamingResponse

from tupelo.api.graph import document_below
from tupelo.api.scoring import ScoreOptions, compare, describe, score, scorers
from tupelo.core import InputError, TupeloError, UnknownNameError
from tupelo.serve.forms import AnalyzeForm, CheckForm, CompareForm, DrawForm, ExtractForm, FilesForm, Pair, ScoreForm
from tupelo.serve.service import Service
from tupelo.show.trees import draw as draw_trees
from tupelo.web.app import encoded, json_reply
from tupelo.web.guard import Refusal

router = APIRouter(prefix="/v1", tags=["texts"])
# Only where a folder is given.
file_router = APIRouter(prefix="/v1", tags=["texts"])
Replies: TypeAlias = dict[int | str, dict[str, Any]]
LINES = "application/x-ndjson"
MOST_POINTS = 200
Accept = Annotated[str, Header(alias="Accept", description=f"{LINES} for one line per text, as soon as it is done.")]
_RESULT: Replies = {
    200: {
        "description": "The result of a text; of several, a list under `results`, or one line each.",
        "content": {"application/json": {"schema": {"type": "object"}}, LINES: {"schema": {"type": "string"}}},
    }
}
_OBJECT: Replies = {
    200: {"description": "The result.", "content": {"application/json": {"schema": {"type": "object"}}}}
}


@router.post("/analyze", responses=_RESULT, response_class=Response)
async def analyze(request: Request, form: AnalyzeForm, accept: Accept = "") -> Response:
    """Words, tags, dependencies, constituents, entities and coreference."""
    toolkit = _service(request).toolkit
    return await _answer(request, form, accept, lambda text: toolkit.analyze(text, **form.options).to_dict())


@router.post("/extract", responses=_RESULT, response_class=Response)
async def extract(request: Request, form: ExtractForm, accept: Accept = "") -> Response:
    """Tuples: who did what to whom, when and where."""
    toolkit = _service(request).toolkit
    return await _answer(request, form, accept, lambda text: toolkit.extract(text, **form.options).to_dict())


@router.post("/check", responses=_RESULT, response_class=Response)
async def check(request: Request, form: CheckForm, accept: Accept = "") -> Response:
    """Whether a text agrees with its source, claim by claim."""
    checker = _service(request).checker

    def work(pair: Pair) -> dict[str, Any]:
        return checker(pair.text, pair.passages, question=pair.question).to_dict()

    return await _answer(request, form, accept, work)


@router.post("/draw", response_class=Response, responses={200: {"content": {"image/svg+xml": {}}}})
async def draw(request: Request, form: DrawForm) -> Response:
    """The trees of one sentence as a picture."""
    service = _service(request)

    def work() -> str:
        analysis = service.toolkit.analyze(" ".join(form.text.split()), lines=True)[:1]
        if not analysis:
            raise InputError("nothing to draw: expected a sentence with at least one word")
        return draw_trees(analysis[0], dependencies=form.dependencies, constituents=form.constituents)

    return Response(await service.texts.run(work), media_type="image/svg+xml")


@file_router.get("/file", responses=_OBJECT)
async def file(request: Request, address: Annotated[str, Query(min_length=1, max_length=4000)]) -> Response:
    """The text of a document below the folder of the server, by its path or its `file:` address."""
    service = _service(request)
    assert service.files is not None
    folder = service.files
    text = await service.texts.run(lambda: document_below(folder, address))
    service.check_size(len(text))
    return json_reply({"text": text})


@router.post("/score", responses=_OBJECT, response_class=Response)
async def score_tuples(request: Request, form: ScoreForm) -> Response:
    """Score a system's tuples against a gold standard; bodies may have 8 MB."""

    def work() -> bytes:
        gold, predicted = _Named("gold", form.gold), _Named("predicted", form.predicted)
        found = score(form.scorer, gold, predicted, keep_records=form.error_page, **_scoring(form))
        # Points at equal distances, and the last.
        step = -(-len(found.curve) // MOST_POINTS) or 1
        curve = [list(point) for point in [*found.curve[:-1:step], *found.curve[-1:]]]
        more = ({"curve": curve} if form.curve else {}) | (
            {"error_page": found.error_page()} if form.error_page else {}
        )
        return encoded(found.to_dict() | more)

    return _json(await _service(request).texts.run(work))


@router.post("/compare", responses=_OBJECT, response_class=Response)
async def compare_systems(request: Request, form: CompareForm) -> Response:
    """Intervals of several systems and differences from the first, by paired bootstrap; bodies may have 8 MB."""

    def work() -> bytes:
        gold = _Named("gold", form.gold)
        systems = {name: _Named(name, content) for name, content in form.predicted.items()}
        found = compare(form.scorer, gold, systems, samples=form.samples, seed=form.seed, **_scoring(form))
        return encoded(found.to_dict())

    return _json(await _service(request).texts.run(work))


def _scoring(form: FilesForm) -> dict[str, Any]:
    """The arguments of a scoring call. Options are checked here: those of a command are strings, these are JSON."""
    if form.scorer not in scorers("tuples"):
        raise UnknownNameError.among("scorer of tuples", form.scorer, scorers("tuples"))
    known_options = describe(form.scorer).options
    kinds = {option.name: bool if isinstance(option.default, bool) else str for option in known_options}
    for name, value in form.options.items():
        if name not in kinds or not isinstance(value, kinds[name]):
            known = ", ".join(f"{key} ({kind.__name__})" for key, kind in kinds.items()) or "none"
            raise InputError(f"option '{name}' of {form.scorer}, expected one of: {known}")
    fixes = {"fixes": form.fixes} if form.fixes else {}
    return {"format": form.format, "options": ScoreOptions(gold_format=form.gold_format), **form.options, **fixes}


class _Named(io.BytesIO):
    """An open file with a name, which the signature of a score contains."""

    def __init__(self, name: str, text: str) -> None:
        super().__init__(text.encode())
        self.name = name


def _service(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


async def _answer(request: Request, form: Any, accept: str, work: Callable[[Any], dict[str, Any]]) -> Response:
    """The results of all items of a form. Each is a piece of work of its own, so that requests take turns."""
    service, items = _service(request), form.items
    service.check_size(sum(map(form.size, items)))

    async def done(item: Any) -> bytes:
        return await service.texts.run(lambda: encoded(work(item)))

    if LINES in accept:

        async def lines() -> AsyncIterator[bytes]:
            for item in items:
                try:
                    yield await done(item) + b"\n"
                except TupeloError as error:
                    refusal = error if isinstance(error, Refusal) else Refusal("bad-request", str(error))
                    yield encoded(refusal.body()) + b"\n"

        return StreamingResponse(lines(), media_type=LINES)
    if not form.is_batch:
        return _json(await done(items[0]))
    return _json(b'{"results":[' + b",".join([await done(item) for item in items]) + b"]}")


def _json(content: bytes) -> Response:
    return Response(content, media_type="application/json")
