"""Whatever the OpenAPI description allows, and hostile texts: no request may break the server."""

from __future__ import annotations

import json
from itertools import islice

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from benchmarks.hostile.texts import generated
from tests.serve.serving import Live

pytestmark = pytest.mark.model

schemathesis = pytest.importorskip("schemathesis")


def test_the_description_names_every_route_and_its_errors(server: Live):
    described = server.get("/openapi.json").body
    assert {"/v1/analyze", "/v1/extract", "/v1/check", "/v1/score", "/v1/graph/query"} <= set(described["paths"])
    for path, methods in described["paths"].items():
        for method, about in methods.items():
            assert about["summary"], (path, method)
            if path.startswith("/v1/"):
                assert about["description"], (path, method)
                assert "429" in about["responses"], (path, method)


def test_nothing_that_the_description_allows_breaks_the_server(server: Live):
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi.checks import content_type_conformance, status_code_conformance

    schema = schemathesis.openapi.from_dict(json.loads(server.get("/openapi.json").data))
    statuses = set()
    for result in schema.get_all_operations():
        operation = result.ok()

        @given(case=operation.as_strategy())
        @settings(
            max_examples=3,
            deadline=None,
            database=None,
            derandomize=True,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        def send(case):
            checks = [not_a_server_error, status_code_conformance, content_type_conformance]
            response = case.call_and_validate(base_url=server.address, timeout=60, checks=checks)
            statuses.add(response.status_code)

        send()
    assert {200, 400} <= statuses
    assert server.get("/health").status == 200


def test_hostile_texts_are_analysed_or_refused(server: Live):
    texts = [text for _, text in islice(generated(seed=1, size=120), 8)]
    seen = set()
    for text in [*texts, "\n" * 20_000]:
        for path, body in (
            ("extract", {"text": text}),
            ("analyze", {"text": text, "coreference": True}),
            ("draw", {"text": text[:500]}),
        ):
            reply = server.post(f"/v1/{path}", body)
            assert reply.status in (200, 400, 422), (path, text)
            seen.add(reply.status)
    pairs = [{"text": text[:100], "source": text[100:]} for text in texts if "\0" not in text]
    assert len(server.post("/v1/check", {"pairs": pairs}, Accept="application/x-ndjson").lines) == len(pairs)
    assert 200 in seen
