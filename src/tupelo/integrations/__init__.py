"""Thin adapters to other people's libraries, one module each; none of these needs to be installed."""
