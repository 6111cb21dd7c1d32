"""The client of language models against a real server that misbehaves."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.extract.chat_server import Endpoint, Misdeed
from tests.extras import needs
from tupelo.core import InputError, MissingExtraError
from tupelo.core.protocols import ChatOptions, Reply
from tupelo.io.services import ChatClient, ChatError

KEY = "sk-secret-1234"


class Clock:
    """Waits without waiting, and remembers for how long."""

    def __init__(self) -> None:
        self.waits: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)


def client(
    endpoint: Endpoint, memory: Path | None = None, clock: Clock | None = None, **options: object
) -> ChatClient:
    chosen = {"model": "m", "base_url": endpoint.address, "timeout": 5.0, "attempts": 4, **options}
    return ChatClient(
        ChatOptions(**chosen),  # type: ignore[arg-type]
        key=KEY,
        memory=memory,
        sleep=(clock or Clock()).sleep,
        now=lambda: 1_700_000_000.0,
    )


def test_a_question_is_asked_as_the_interface_wants_it(endpoint: Endpoint) -> None:
    asking = client(endpoint, max_tokens=50)
    assert asking.complete("Wer? 👍 \ud800") == Reply("(left, Ann)")
    assert endpoint.requests == [
        {
            "model": "m",
            "messages": [{"role": "user", "content": "Wer? 👍 \ud800"}],
            "temperature": 0.0,
            "max_tokens": 50,
        }
    ]
    assert endpoint.headers[0]["authorization"] == f"Bearer {KEY}"
    asking.close()


@pytest.mark.parametrize(
    "misdeed",
    [
        Misdeed(429),
        Misdeed(500),
        Misdeed(503, b"<html>busy</html>"),
        Misdeed(200, b'{"choices": [{"message": {"content": "(left, A', cut_after=20),
        Misdeed(200, b'{"choices": [{"message": {"content": "(left, A'),
        Misdeed(200, b"nonsense"),
        Misdeed(200, b"[]"),
        Misdeed(200, b'{"choices": []}'),
        Misdeed(200, b'{"choices": [{"message": {"content": null}}]}'),
        Misdeed(200, b"[" * 100_000),
        Misdeed(200, b"not gzip", {"Content-Encoding": "gzip"}),
    ],
    ids=["429", "500", "503", "cut", "half", "nonsense", "list", "no-choice", "null", "deep", "not-gzip"],
)
def test_what_may_pass_is_tried_again(endpoint: Endpoint, misdeed: Misdeed) -> None:
    endpoint.misdeeds = [misdeed]
    asking = client(endpoint)
    assert asking.complete("x").text == "(left, Ann)"
    assert asking.usage.retries == 1
    assert asking.usage.asked == 1
    asking.close()


def test_a_server_that_stays_silent_is_left_and_asked_again(endpoint: Endpoint) -> None:
    endpoint.misdeeds = [Misdeed(hang=True)]
    asking = client(endpoint, timeout=0.2)
    assert asking.complete("x").text == "(left, Ann)"
    assert len(endpoint.requests) == 2
    asking.close()


def test_pauses_grow_up_to_a_bound(endpoint: Endpoint) -> None:
    endpoint.misdeeds = [Misdeed(500)] * 5
    clock = Clock()
    asking = client(endpoint, clock=clock, attempts=6, longest_wait=3.0)
    asking.complete("x")
    assert clock.waits == [0.5, 1.0, 2.0, 3.0, 3.0]
    asking.close()


@pytest.mark.parametrize(
    ("asked", "waited"),
    [("7", 7.0), ("Tue, 14 Nov 2023 22:13:40 GMT", 20.0), ("soon", 0.5), ("-5", 0.5), ("nan", 0.5), ("1e9", 60.0)],
)
def test_the_pause_that_a_server_asks_for_is_kept(endpoint: Endpoint, asked: str, waited: float) -> None:
    endpoint.misdeeds = [Misdeed(429, headers={"Retry-After": asked})]
    clock = Clock()
    asking = client(endpoint, clock=clock)
    asking.complete("x")
    assert clock.waits == [waited]
    asking.close()


def test_patience_ends_with_the_reason(endpoint: Endpoint) -> None:
    endpoint.misdeeds = [Misdeed(503, json.dumps({"error": {"message": "too\nbusy"}}).encode())] * 9
    asking = client(endpoint)
    with pytest.raises(ChatError, match=r"status 503 \(too busy\), after 4 attempt"):
        asking.complete("x")
    assert len(endpoint.requests) == 4
    asking.close()


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422, 302])
def test_a_refusal_that_will_not_pass_ends_at_once_and_never_shows_the_key(endpoint: Endpoint, status: int) -> None:
    said = {"error": {"message": f"Incorrect API key provided: {KEY}"}}
    endpoint.misdeeds = [Misdeed(status, json.dumps(said).encode())]
    asking = client(endpoint)
    with pytest.raises(ChatError, match=f"status {status}") as caught:
        asking.complete("x")
    assert KEY not in str(caught.value)
    assert len(endpoint.requests) == 1
    asking.close()


@needs("httpx2", "llm")
def test_nobody_there_is_said_after_some_attempts() -> None:
    asking = ChatClient(ChatOptions(model="m", base_url="http://127.0.0.1:9", attempts=2), sleep=Clock().sleep)
    with pytest.raises(ChatError, match=r"ConnectError.*after 2 attempt"):
        asking.complete("x")
    asking.close()


def test_answers_are_remembered_across_runs(endpoint: Endpoint, tmp_path: Path) -> None:
    first = client(endpoint, tmp_path)
    second = client(endpoint, tmp_path)
    assert first.complete("x") == second.complete("x")
    assert len(endpoint.requests) == 1
    assert second.usage.remembered == 1
    for other in (client(endpoint, tmp_path, temperature=1.0), client(endpoint, tmp_path, model="n")):
        other.complete("x")
        other.close()
    assert len(endpoint.requests) == 3
    second.complete("x", fresh=True)
    assert len(endpoint.requests) == 4
    first.close()
    second.close()


def test_a_damaged_memory_counts_as_none(endpoint: Endpoint, tmp_path: Path) -> None:
    first = client(endpoint, tmp_path)
    first.complete("x")
    (path,) = tmp_path.glob("*/*.json")
    for damage in (b"", b"{", b'{"answer": 5}', b"\xff"):
        path.write_bytes(damage)
        first.complete("x")
    assert first.usage.asked == 5
    assert KEY not in path.read_text()
    first.close()


def test_an_answer_that_ran_out_of_room_is_not_finished(endpoint: Endpoint, tmp_path: Path) -> None:
    endpoint.finish_reason = "length"
    asking = client(endpoint, tmp_path)
    assert not asking.complete("x").finished
    assert not asking.complete("x").finished
    asking.close()


def test_tokens_and_cost_are_counted(endpoint: Endpoint) -> None:
    asking = client(endpoint, prompt_price=2.0, completion_price=10.0)
    asking.complete("x")
    endpoint.usage = {"prompt_tokens": "many", "completion_tokens": -3}
    asking.complete("y")
    assert (asking.usage.prompt_tokens, asking.usage.completion_tokens) == (100, 10)
    assert asking.usage.cost(asking.options) == pytest.approx((100 * 2.0 + 10 * 10.0) / 1_000_000)
    assert "2 question(s)" in asking.usage.line(asking.options)
    assert "cost 0.0003" in asking.usage.line(asking.options)
    asking.close()


def test_an_address_of_another_kind_is_refused() -> None:
    with pytest.raises(InputError, match="expected an address that begins with http"):
        ChatClient(ChatOptions(model="m", base_url="file:///etc/passwd"))


def test_without_the_extra_the_error_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "httpx2", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'tupelo\[llm\]'"):
        ChatClient(ChatOptions(model="m", base_url="http://127.0.0.1:9")).complete("x")
