"""The options of a service."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceOptions:
    """The models of a service, and its limits on requests.

    A request may have `max_text` characters; `queue` requests wait while another is worked on, and more are refused
    with status 429. A text, pair or query that takes more than `max_seconds` is refused with status 413.
    """

    parser: str = "en"
    extractor: str = "default"
    max_text: int = 100_000
    max_seconds: float = 30
    queue: int = 64
