"""Documents as every command reads them: their blocks, and what is left out of them."""

from tupelo.api.documents import read

__all__ = ["read"]
__dir__ = __all__.copy
