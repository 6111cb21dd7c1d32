"""The extractor that is used when none is named."""

from __future__ import annotations

from collections.abc import Mapping

from tupelo.core.protocols import Extractor, Outside
from tupelo.extract.neural import combined_extractor


def default_extractor(argument: str, settings: Mapping[str, str], outside: Outside | None) -> Extractor:
    """The combination that does best within the speed budget: rules and network, chosen among by a selector."""
    return combined_extractor(argument, settings, outside)
