"""Services outside this process, for the extractors that need them: tuple formats, the parser, language models.

Language models are behind OpenAI-compatible endpoints, with a memory on disk. Refusals that may pass (429, 5xx, a
connection that breaks, half an answer, an answer of another shape) are tried again after a growing pause, or after
what the server asks for in Retry-After. Others end at once with what the server says. The key goes into a header and
nowhere else.
"""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from tupelo.core import Analysis, InputError, Record
from tupelo.core.cache import cache_root
from tupelo.core.errors import needs_extra
from tupelo.core.protocols import ChatOptions, Likeness, Reply
from tupelo.core.version import __version__
from tupelo.io.files import write_text
from tupelo.io.folders import make_folder
from tupelo.io.formats import FORMATS, BinaryFormat
from tupelo.io.lines import Lines
from tupelo.io.text import read_whole
from tupelo.io.tuples import read_records

if TYPE_CHECKING:
    import httpx2


DEFAULT_BASE_URL = "https://api.openai.com/v1"
_PASSING_STATUS = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_FIRST_WAIT = 0.5
_LONGEST_COMPLAINT = 200


class ChatError(InputError):
    """An endpoint that does not answer, or not in a way that can be used."""


@dataclass(slots=True)
class Usage:
    """Number and cost of requests. Tokens are those that the endpoint counts."""

    asked: int = 0
    remembered: int = 0
    retries: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0

    def cost(self, options: ChatOptions) -> float | None:
        """In the currency of the prices; `None` where none was given."""
        if options.prompt_price is None and options.completion_price is None:
            return None
        prompts = self.prompt_tokens * (options.prompt_price or 0.0)
        return (prompts + self.completion_tokens * (options.completion_price or 0.0)) / 1_000_000

    def line(self, options: ChatOptions) -> str:
        """For people."""
        text = (
            f"{options.model}: {self.asked:,} question(s), {self.remembered:,} remembered, {self.retries:,} "
            f"retries; {self.prompt_tokens:,} prompt and {self.completion_tokens:,} completion tokens"
        )
        cost = self.cost(options)
        return text if cost is None else f"{text}; cost {cost:.4f}"


class ChatClient:
    """Implements `tupelo.core.protocols.Chat`; any number of threads may ask at the same time."""

    def __init__(
        self,
        options: ChatOptions,
        *,
        key: str | None = None,
        memory: Path | None = None,
        sleep: Callable[[float], None] = time.sleep,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.options = options
        self.usage = Usage()
        self._key = key
        self._memory = _Memory(memory)
        self._sleep = sleep
        self._now = now
        self._lock = threading.Lock()
        self._client: httpx2.Client | None = None
        self._address = f"{(options.base_url or DEFAULT_BASE_URL).rstrip('/')}/chat/completions"
        if urlsplit(self._address).scheme not in ("http", "https"):
            raise InputError(
                f"base-url '{options.base_url}': expected an address that begins with http:// or https://"
            )

    def complete(self, prompt: str, *, fresh: bool = False) -> Reply:
        """The answer to a prompt, from memory where it was asked before."""
        question: dict[str, Any] = {
            "address": self._address,
            "model": self.options.model,
            "temperature": self.options.temperature,
            "max_tokens": self.options.max_tokens,
            "prompt": prompt,
        }
        kept = None if fresh else self._memory.find(question)
        if kept is not None:
            self._count(remembered=1)
            return Reply(kept["text"], kept.get("finished") is not False)
        reply = self._ask(prompt)
        self._memory.keep(question, {"text": reply.text, "finished": reply.finished})
        return reply

    def _ask(self, prompt: str) -> Reply:
        failures = 0
        while True:
            try:
                return self._attempt(prompt)
            except _PassingError as error:
                failures += 1
                if failures >= self.options.attempts:
                    raise ChatError(f"{self._address}: {error}, after {failures} attempt(s)") from error
                self._count(retries=1)
                self._sleep(min(max(_FIRST_WAIT * 2 ** (failures - 1), error.wait), self.options.longest_wait))

    def _attempt(self, prompt: str) -> Reply:
        client = self._connected()
        import httpx2

        options = self.options
        message = {"role": "user", "content": prompt}
        content = {"model": options.model, "messages": [message], "temperature": options.temperature}
        if options.max_tokens is not None:
            content["max_tokens"] = options.max_tokens
        try:
            # Escaped to ASCII, so that any text can be sent.
            response = client.post(self._address, content=json.dumps(content).encode("ascii"))
        except httpx2.TransportError as error:
            raise _PassingError(f"{type(error).__name__} ({error})".replace(" ()", "")) from error
        except httpx2.DecodingError as error:
            raise _PassingError(f"an answer that cannot be decoded ({error})") from error
        if response.status_code in _PASSING_STATUS:
            raise _PassingError(self._complaint(response), self._asked_wait(response))
        if response.status_code != 200:
            raise ChatError(f"{self._address}: {self._complaint(response)}")
        return self._understood(response.content)

    def _understood(self, content: bytes) -> Reply:
        try:
            answer = json.loads(content)
            choice = answer["choices"][0]
            text = choice["message"]["content"]
        except (ValueError, LookupError, TypeError, RecursionError) as error:
            raise _PassingError("an answer without choices[0].message.content") from error
        if not isinstance(text, str):
            raise _PassingError("an answer whose content is no text")
        used = answer.get("usage")
        self._count(asked=1, **{name: _tokens(used, name) for name in ("prompt_tokens", "completion_tokens")})
        return Reply(text, choice.get("finish_reason") != "length")

    def _complaint(self, response: httpx2.Response) -> str:
        """Status and what the server says about it, on one line."""
        try:
            said = response.json()["error"]["message"]
        except (ValueError, LookupError, TypeError, RecursionError):
            said = ""
        said = " ".join(str(said).split())[:_LONGEST_COMPLAINT]
        if self._key:
            said = said.replace(self._key, "…")
        return f"status {response.status_code}{f' ({said})' if said else ''}"

    def _asked_wait(self, response: httpx2.Response) -> float:
        """Seconds that the server asks to wait, 0 when it does not say."""
        asked = response.headers.get("retry-after", "")
        try:
            return max(float(asked), 0.0)
        except ValueError:
            pass
        try:
            until: datetime = parsedate_to_datetime(asked)
            return max(until.timestamp() - self._now(), 0.0)
        except (ValueError, TypeError, OverflowError):
            return 0.0

    def _count(self, **steps: int) -> None:
        with self._lock:
            for name, number in steps.items():
                setattr(self.usage, name, getattr(self.usage, name) + number)

    def _connected(self) -> httpx2.Client:
        with self._lock:
            if self._client is None:
                with needs_extra("asking a language model", "llm"):
                    import httpx2
                headers = {"Content-Type": "application/json", "User-Agent": f"tupelo/{__version__}"}
                if self._key:
                    headers["Authorization"] = f"Bearer {self._key}"
                self._client = httpx2.Client(headers=headers, timeout=self.options.timeout)
            return self._client

    def close(self) -> None:
        """Hang up."""
        if self._client is not None:
            self._client.close()


class _PassingError(Exception):
    def __init__(self, message: str, wait: float = 0.0) -> None:
        super().__init__(message)
        self.wait = wait


def _tokens(usage: object, name: str) -> int:
    value = usage.get(name) if isinstance(usage, dict) else None
    return value if isinstance(value, int) and value > 0 else 0


class _Memory:
    """Remembers answers across runs, so that an interrupted job goes on where it stopped."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def find(self, question: dict[str, Any]) -> dict[str, Any] | None:
        """The answer to a question; a file that cannot be understood counts as none."""
        path = self._path(question)
        if path is None or not path.is_file():
            return None
        try:
            kept = json.loads(read_whole(str(path)))
        except (InputError, ValueError, RecursionError):
            return None
        answer = kept.get("answer") if isinstance(kept, dict) and kept.get("question") == question else None
        return answer if isinstance(answer, dict) and isinstance(answer.get("text"), str) else None

    def keep(self, question: dict[str, Any], answer: dict[str, Any]) -> None:
        path = self._path(question)
        if path is not None:
            make_folder(path.parent)
            kept = {"question": question, "answer": answer}
            # Escaped to ASCII: an answer may hold half of a surrogate pair, which UTF-8 cannot.
            write_text(path, json.dumps(kept, sort_keys=True) + "\n")

    def _path(self, question: dict[str, Any]) -> Path | None:
        if self._folder is None:
            return None
        name = hashlib.sha256(json.dumps(question, sort_keys=True).encode("ascii")).hexdigest()
        return self._folder / name[:2] / f"{name}.json"


KEY_VARIABLE = "OPENAI_API_KEY"
BASE_URL_VARIABLE = "OPENAI_BASE_URL"
NO_CACHE = "off"


class LocalServices:
    """Implements `tupelo.core.protocols.Services`. The environment is read here and nowhere else."""

    def __init__(
        self, environment: Mapping[str, str], analyze: Callable[[Iterable[str]], Iterator[Analysis]] | None = None
    ) -> None:
        self._environment = environment
        self._analyze = analyze
        self._measure: Callable[[str], Likeness] | None = None
        self._clients: list[ChatClient] = []
        self._notes: list[str] = []

    def compare_with(self, measure: Callable[[str], Likeness]) -> None:
        """Name where measures of syntax come from."""
        self._measure = measure

    def read(self, lines: Iterable[str], format_name: str, source: str) -> Iterator[Record]:
        chosen = FORMATS.get(format_name)
        if isinstance(chosen, BinaryFormat):
            raise InputError(f"{source}: {format_name} is no text format, expected one that is made of lines")
        return chosen.read(Lines(lines, source))

    def read_file(self, name: str, format_name: str) -> Iterable[Record]:
        return read_records(name, format_name)

    def analyze(self, sentences: Iterable[str]) -> Iterator[Analysis]:
        if self._analyze is None:
            raise InputError("no parser to analyse demonstrations with; choose them at random, or name a parser")
        return self._analyze(sentences)

    def likeness(self, name: str) -> Likeness:
        if self._measure is None:
            raise InputError(f"no measure '{name}' to choose demonstrations by; choose them at random")
        return self._measure(name)

    def chat(self, options: ChatOptions) -> ChatClient:
        memory = Path(options.cache) if options.cache else cache_root(self._environment) / "llm"
        base_url = options.base_url or self._environment.get(BASE_URL_VARIABLE) or None
        client = ChatClient(
            replace(options, base_url=base_url),
            key=self._environment.get(KEY_VARIABLE) or None,
            memory=None if options.cache == NO_CACHE else memory,
        )
        self._clients.append(client)
        return client

    def note(self, message: str) -> None:
        self._notes.append(message)

    def report(self) -> list[str]:
        """Messages for the end of the work: notes, and the usage of language models."""
        return [*self._notes, *(client.usage.line(client.options) for client in self._clients)]

    def close(self) -> None:
        """Close all connections."""
        for client in self._clients:
            client.close()
