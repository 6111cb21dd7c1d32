"""The formats of tuple files: list them, add one of your own, and stream files larger than memory."""

from tupelo.api.tuples import FORMATS, column_format, list_formats, open_records

__all__ = ["FORMATS", "column_format", "list_formats", "open_records"]
__dir__ = __all__.copy
