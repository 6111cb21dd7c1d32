"""The version, where every room may read it: signatures carry it."""

__version__ = "0.1.0"
