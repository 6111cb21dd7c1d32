"""Thin adapters to third-party libraries, one module each; none of these has to be installed."""
