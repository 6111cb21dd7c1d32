"""The API over HTTP: replies are what the library returns, limits hold, and guards are those of the other servers."""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack

import pytest

from tests.serve.serving import Live, live
from tupelo.api.checking import Checker
from tupelo.api.scoring import score
from tupelo.core import InputError
from tupelo.scorers import ScoreOptions
from tupelo.serve import ServiceOptions
from tupelo.serve.service import Service

TEXT = "Ann Lee founded Acme in Oslo in 1999. She sold it to Bo Berg."
GOLD = "Ann founded Acme .\t1\tfounded\tAnn\tAcme\n"
LINES = "application/x-ndjson"


@pytest.mark.model
def test_analyze_extract_and_check_reply_with_what_the_library_returns(server: Live):
    nlp = server.service.toolkit
    extracted = server.post("/v1/extract", {"text": TEXT, "width": "minimal", "min_confidence": 0})
    assert extracted.body == nlp.extract(TEXT, width="minimal", min_confidence=0).to_dict()
    analyzed = server.post("/v1/analyze", {"text": TEXT, "coreference": True})
    assert analyzed.body == nlp.analyze(TEXT, coreference=True).to_dict()
    claim = "Ann Lee founded Acme in Bergen."
    checked = server.post("/v1/check", {"text": claim, "source": TEXT})
    checker = Checker(nlp=nlp)
    assert checked.body == json.loads(json.dumps(checker(claim, TEXT).to_dict()))
    asked = {"text": "In Oslo.", "source": ["Snow fell.", TEXT], "question": "Where did Ann Lee found Acme?"}
    expected = checker("In Oslo.", asked["source"], question=asked["question"])
    assert server.post("/v1/check", asked).body == json.loads(json.dumps(expected.to_dict()))


@pytest.mark.model
def test_a_batch_is_a_list_and_a_stream_has_a_line_for_each_text(server: Live):
    texts = [TEXT, "", "Dogs bark."]
    expected = [server.service.toolkit.extract(text).to_dict() for text in texts]
    assert server.post("/v1/extract", {"texts": texts}).body == {"results": expected}
    streamed = server.post("/v1/extract", {"texts": texts}, Accept=LINES)
    assert (streamed.headers["content-type"], streamed.lines) == (LINES, expected)
    assert server.post("/v1/extract", {"texts": []}).body == {"results": []}
    pairs = [{"text": "Ann left.", "source": "Ann left."}] * 2
    assert len(server.post("/v1/check", {"pairs": pairs}).body["results"]) == 2


@pytest.mark.model
def test_a_picture_and_a_score(server: Live, tmp_path):
    drawn = server.post("/v1/draw", {"text": "Dogs chase\n cats."})
    assert drawn.headers["content-type"] == "image/svg+xml"
    assert drawn.data.startswith(b"<svg")
    for name in ("gold", "predicted"):
        (tmp_path / name).write_text(GOLD)
    asked = {"scorer": "carb", "gold": GOLD, "predicted": GOLD, "format": "tab", "gold_format": "tab"}
    found = server.post("/v1/score", asked | {"options": {"matcher": "exact"}}).body
    own = score(
        "carb",
        tmp_path / "gold",
        tmp_path / "predicted",
        format="tab",
        options=ScoreOptions(gold_format="tab"),
        matcher="exact",
    )
    assert found["f1"] == own.f1 == 1
    assert found["signature"].replace("gold:gold", "").count("@") == 2


@pytest.mark.model
def test_systems_are_compared_and_a_curve_is_short(server: Live):
    lines = [f"Ann met Bob{n} .\t{n / 500}\tmet\tAnn\tBob{n}\n" for n in range(500)]
    gold, half = "".join(lines), "".join(lines[::2])
    files = {"gold": gold, "format": "tab", "gold_format": "tab"}
    found = server.post("/v1/compare", files | {"predicted": {"all": gold, "half": half}, "samples": 20}).body
    assert [one["system"] for one in found["systems"]] == ["all", "half"]
    assert found["systems"][1]["against_first"]["f1"]["value"] < 0
    curve = server.post("/v1/score", files | {"predicted": gold, "curve": True}).body["curve"]
    assert 100 < len(curve) <= 201


@pytest.mark.model
@pytest.mark.parametrize(
    ("path", "call"),
    [
        ("search?words=ferry", lambda graph: graph.search("ferry", limit=20).to_dict()),
        ("neighbours?name=Lindvik&evidence=1", lambda graph: graph.neighbours("Lindvik", evidence=1).to_dict()),
        ("query?pattern=?who+?+?what&limit=3", lambda graph: graph.query("?who ? ?what", limit=3).to_dict()),
        (
            "retrieve?question=Who+founded+Lindvik+Shipping?",
            lambda graph: graph.retrieve("Who founded Lindvik Shipping?").to_dict(),
        ),
        ("report?communities=2&facts=1", lambda graph: graph.report(communities=2, facts=1).to_dict()),
        (
            "ask?question=Who+founded+Lindvik+Shipping?&min_confidence=0.2",
            lambda graph: graph.ask("Who founded Lindvik Shipping?", min_confidence=0.2).to_dict(),
        ),
        ("stats?top=2", lambda graph: graph.stats(limit=2).to_dict()),
    ],
)
def test_the_graph_replies_with_what_the_library_returns(server: Live, path, call):
    assert server.service.graph is not None
    try:
        expected = call(server.service.graph)
    except InputError as error:
        pytest.fail(str(error))
    assert server.get(f"/v1/graph/{path}").body == json.loads(json.dumps(expected))


@pytest.mark.model
def test_an_edge_leads_to_its_sentences_and_an_entity_to_another(server: Live):
    edge = server.get("/v1/graph/query?pattern=?who+?+?what").body["answers"][0]["edges"][0]
    found = server.get(f"/v1/graph/evidence?edge={edge['id']}").body["evidence"]
    assert found[0]["sentence"]
    named = server.get("/v1/graph/entities?name=" + edge["subject"]["name"].replace(" ", "+")).body["entities"]
    assert edge["subject"]["id"] in [node["id"] for node in named]
    ends = f"start={edge['subject']['name']}&goal={edge['object']['name']}".replace(" ", "+")
    assert server.get(f"/v1/graph/path?{ends}").body["answers"]
    assert server.get("/v1/graph/evidence?edge=none").status == 404


@pytest.mark.model
def test_the_report_of_the_graph_is_a_page_without_script(server: Live):
    assert server.service.graph is not None
    page = server.get("/graph/report?communities=2")
    assert (page.status, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert page.headers["content-security-policy"].startswith("default-src 'none'; style-src 'sha256-")
    assert server.get("/graph/report?communities=0").status == 422
    assert server.get("/v1/graph/report?entity=Nobody+at+all").status >= 400


@pytest.mark.model
def test_the_page_of_the_graph_keeps_its_own_policy(server: Live):
    page = server.get("/graph/")
    assert (page.status, page.headers["x-frame-options"]) == (200, "DENY")
    assert "script-src 'sha256-" in page.headers["content-security-policy"]
    assert "script-src 'self'" not in page.headers["content-security-policy"]
    assert server.get("/graph/api/start").body["nodes"]
    assert server.get("/graph/api/nothing").status == 404


@pytest.mark.model
@pytest.mark.parametrize(
    ("path", "body", "status", "words"),
    [
        ("/v1/extract", {}, 422, "either text or texts"),
        ("/v1/extract", {"text": "a", "texts": ["b"]}, 422, "either text or texts"),
        ("/v1/extract", {"text": "a", "wdth": 1}, 422, "not permitted"),
        ("/v1/extract", {"text": "a", "min_confidence": 2}, 422, "less than or equal to 1"),
        ("/v1/extract", b"{", 400, "not valid JSON"),
        ("/v1/extract", b'{"text": NaN}', 400, "not valid JSON"),
        ("/v1/extract", {"text": "\ud800"}, 400, "not valid JSON"),
        ("/v1/extract", {"texts": ["a b " * 30_000]}, 413, "expected at most 100,000"),
        ("/v1/check", {"text": "a"}, 422, "text and source, or pairs"),
        ("/v1/draw", {"text": " "}, 400, "nothing to draw"),
        ("/v1/score", {"scorer": "crab", "gold": "", "predicted": ""}, 400, "Did you mean 'carb'"),
        ("/v1/score", {"gold": "", "predicted": "", "options": {"binary": "x"}}, 400, "binary (bool)"),
        ("/v1/score", {"gold": GOLD, "predicted": "one\tfield", "format": "tab"}, 400, "predicted:1"),
    ],
)
def test_what_cannot_be_used_is_refused_in_one_form(server: Live, path, body, status, words):
    reply = server.post(path, body)
    assert reply.status == status
    assert words in reply.body["error"]["message"]


@pytest.mark.model
def test_a_body_that_is_too_large_is_refused_before_it_is_sent(server: Live):
    reply = server.post("/v1/extract", b"", Content_Length=str((1 << 20) + 1))
    assert (reply.status, reply.headers["connection"]) == (413, "close")


@pytest.mark.model
def test_only_our_own_pages_and_hosts_may_ask(server: Live):
    assert server.get("/health", Host="evil.example").status == 421
    body = {"text": "Dogs bark."}
    assert server.post("/v1/extract", body, Origin="http://evil.example").status == 403
    assert server.post("/v1/extract", body, Sec_Fetch_Site="cross-site").status == 403
    assert server.post("/v1/extract", body, Content_Type="text/plain").status == 415
    assert server.get("/v1/extract").status == 405
    reply = server.post("/v1/extract", body)
    assert reply.headers["cache-control"] == "no-store"
    assert "access-control-allow-origin" not in reply.headers


@pytest.mark.model
def test_health_and_metrics(server: Live):
    health = server.get("/health").body
    assert (health["status"], health["graph"]) == ("ok", True)
    before = server.get("/metrics").data.decode()
    server.get("/health")
    server.get("/" + "x" * 50)
    after = server.get("/metrics").data.decode()
    name = 'tupelo_requests_total{path="/health",status="200"} '
    counts = [int(text.partition(name)[2].partition("\n")[0]) for text in (before, after)]
    assert counts[1] == counts[0] + 1
    assert "xxx" not in after
    assert "\ntupelo_text_requests 0\n" in after


class Blocked:
    """A toolkit that extracts nothing until it is told to."""

    def __init__(self) -> None:
        self.begun, self.go = threading.Semaphore(0), threading.Event()

    def extract(self, text: str, **_: object) -> Blocked:
        self.begun.release()
        assert self.go.wait(60)
        return self

    def to_dict(self) -> dict[str, object]:
        return {"records": []}


def send_only(stack: ExitStack, server: Live, body: object) -> http.client.HTTPConnection:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    stack.callback(connection.close)
    connection.request("POST", "/v1/extract", json.dumps(body), {"Content-Type": "application/json"})
    return connection


def test_a_full_queue_says_when_to_come_back_and_nobody_in_it_is_lost():
    toolkit = Blocked()
    with Service(toolkit, options=ServiceOptions(queue=2)) as service, live(service) as server, ExitStack() as stack:  # type: ignore[arg-type]
        first = send_only(stack, server, {"text": "a"})
        toolkit.begun.acquire()
        waiting = [send_only(stack, server, {"text": "a"}) for _ in range(2)]
        while service.texts.inside < 3:
            assert server.get("/health").status == 200
        refused = [server.post("/v1/extract", {"text": "a"}) for _ in range(20)]
        assert {reply.status for reply in refused} == {429}
        assert all(int(reply.headers["retry-after"]) >= 1 for reply in refused)
        assert refused[0].body["error"]["code"] == "too-many"
        toolkit.go.set()
        assert [connection.getresponse().status for connection in (first, *waiting)] == [200] * 3
        assert server.post("/v1/extract", {"text": "a"}).status == 200
        # A place is given back in the server's thread, after its client has read the reply.
        while service.texts.inside:
            assert server.get("/health").status == 200
        assert service.texts.refused == 20


def test_a_client_that_leaves_gives_its_place_back():
    toolkit = Blocked()
    with Service(toolkit, options=ServiceOptions(queue=0)) as service, live(service) as server, ExitStack() as stack:  # type: ignore[arg-type]
        body = {"texts": ["a"] * 500}
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        connection.request(
            "POST", "/v1/extract", json.dumps(body), {"Content-Type": "application/json", "Accept": LINES}
        )
        toolkit.begun.acquire()
        connection.close()
        toolkit.go.set()
        while service.texts.inside:
            assert server.get("/health").status == 200
        done = 1
        while toolkit.begun.acquire(blocking=False):
            done += 1
        assert done < 500
        assert send_only(stack, server, {"text": "a"}).getresponse().status == 200


def test_a_long_request_takes_turns_with_a_short_one():
    order: list[str] = []

    class Noted(Blocked):
        def extract(self, text: str, **_: object) -> Blocked:
            order.append(text)
            return super().extract(text)

    toolkit = Noted()
    with Service(toolkit) as service, live(service) as server, ExitStack() as stack:  # type: ignore[arg-type]
        long = send_only(stack, server, {"texts": ["long"] * 5})
        toolkit.begun.acquire()
        short = send_only(stack, server, {"text": "short"})
        while service.texts.inside < 2:
            assert server.get("/health").status == 200
        toolkit.go.set()
        assert (long.getresponse().status, short.getresponse().status) == (200, 200)
    assert order.index("short") < 3


def until(holds: Callable[[], bool]) -> None:
    for _ in range(6000):
        if holds():
            return
        time.sleep(0.01)
    raise AssertionError("never")


@pytest.mark.model
def test_what_takes_too_long_is_refused_and_the_worker_is_free_again(server: Live):
    toolkit, graph = server.service.toolkit, server.service.graph
    files = {"gold": GOLD, "format": "tab", "gold_format": "tab", "predicted": {"a": GOLD, "b": GOLD}}
    with Service(toolkit, graph, ServiceOptions(max_seconds=1e-9)) as service, live(service) as hurried:
        for path, body in (
            ("extract", {"text": TEXT}),
            ("analyze", {"text": TEXT}),
            ("check", {"text": "Ann left.", "source": TEXT}),
            ("draw", {"text": TEXT}),
            ("compare", files),
        ):
            reply = hurried.post(f"/v1/{path}", body)
            assert (reply.status, reply.body["error"]["code"]) == (413, "too-long"), path
            assert reply.body["error"]["message"] == "It took more than 1e-09 seconds. Ask for less at a time."
        assert hurried.get("/v1/graph/search?words=ferry").status == 413
        streamed = hurried.post("/v1/extract", {"texts": [TEXT, TEXT]}, Accept=LINES)
        assert [line["error"]["code"] for line in streamed.lines] == ["too-long", "too-long"]
        # A worker leaves after its answer has been sent.
        until(lambda: (service.texts.inside, service.queries.inside) == (0, 0))
    assert server.post("/v1/extract", {"text": TEXT}).status == 200
