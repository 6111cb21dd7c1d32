"""Whatever the OpenAPI description allows, and much that it does not: no request may break the server."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.annotate.serving import live, make_setting, pairs

schemathesis = pytest.importorskip("schemathesis")


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    setting = make_setting(
        tmp_path_factory.mktemp("fuzz"), "overlap = 3\nbatch_size = 2\n", rows=pairs(40), trained=True
    )
    from tests.annotate.serving import OPEN

    # Lives as long as the module.
    OPEN.remove(setting.desk.database)
    with live(setting) as running:
        for name in ("Ann", "Bob"):
            visitor = running.enter(name, "reviewer")
            assignment = visitor.post("/api/assignments").body["assignment"]
            for score in (1, 5, 3):
                assignment = visitor.hand_in(assignment, {"score": score}).body["next"]
        yield running


@pytest.fixture(scope="module")
def admin(server):
    return server.enter("Root", "admin")


def test_the_description_names_every_route(server):
    described = server.visitor().get("/api/openapi.json").body
    assert len(described["paths"]) > 30
    for path, methods in described["paths"].items():
        assert path.startswith("/api/")
        for method, about in methods.items():
            assert about["summary"], (path, method)


@pytest.mark.slow
def test_nothing_that_the_description_allows_breaks_the_server(server, admin):
    from schemathesis.checks import not_a_server_error

    described = json.loads(server.visitor().get("/api/openapi.json").data)
    # Signing out would end the run, and changing the password of the one who asks too.
    for path in ("/api/logout", "/api/password"):
        del described["paths"][path]
    schema = schemathesis.openapi.from_dict(described)
    statuses = set()
    operations = [result.ok() for result in schema.get_all_operations()]
    assert len(operations) > 30
    for operation in operations:

        @given(case=operation.as_strategy())
        @settings(
            max_examples=6,
            deadline=None,
            database=None,
            derandomize=True,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        def send(case):
            headers = {"X-CSRF-Token": admin.csrf, "Cookie": f"tupelo={admin.cookies['tupelo']}"}
            where = f"http://127.0.0.1:{server.port}"
            response = case.call_and_validate(
                base_url=where, timeout=60, headers=headers, checks=[not_a_server_error]
            )
            assert response.status_code < 500, (case, response.text)
            statuses.add(response.status_code)

        send()
    assert {200, 404, 422} <= statuses
    assert admin.get("/api/progress").status == 200


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.slow
@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(answer=JSON, version=JSON)
def test_no_answer_breaks_the_server(server, admin, answer, version):
    assignment = admin.post("/api/assignments").body["assignment"]
    body = {"client_id": "fuzz-0001", "version": version, "answer": answer}
    for method, path in (("POST", "answer"), ("PUT", "draft")):
        sent = body if path == "answer" else {"client_id": "fuzz-0001", "number": version, "answer": answer}
        assert admin.send(method, f"/api/assignments/{assignment['id']}/{path}", sent).status < 500
    assert admin.post("/api/tutorial/1", {"answer": answer}).status < 500


@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(
    data=st.binary(max_size=200)
    | st.lists(JSON, max_size=3).map(lambda rows: "\n".join(map(json.dumps, rows)).encode())
)
def test_no_upload_breaks_the_server(server, admin, data):
    reply = admin.send("POST", "/api/import", raw=data, headers={"Content-Type": "application/octet-stream"})
    assert reply.status < 500
