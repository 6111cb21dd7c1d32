"""The options of a service."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from tupelo.core.parameters import Between, Count, ExtractorName, ParserName, Spelled


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceOptions:
    """The models of a service, and its limits on requests.

    A request may have `max_text` characters; `queue` requests wait while another is worked on, and more are refused
    with status 429. A text, pair or query that takes more than `max_seconds` is refused with status 413.
    """

    parser: ParserName = "en"
    extractor: Annotated[ExtractorName, "What finds the tuples."] = "default"
    max_text: Annotated[Count, Spelled.of("N"), "Characters in a request."] = 100_000
    max_seconds: Annotated[
        float, Between(1), Spelled.of("N"), "Time for one text, pair or query; what takes longer is refused."
    ] = 30
    queue: Annotated[
        int, Between(0, 10_000), Spelled.of("N"), "Requests that may wait; more are told when to come back."
    ] = 64
