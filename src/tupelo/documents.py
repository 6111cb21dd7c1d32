"""Documents as every command reads them: their blocks, and what is left out of them."""

from tupelo.api.documents import read

__all__ = ["read"]


def __dir__() -> list[str]:
    return __all__
