"""Parsers of other makers, where they are installed. Tupelo needs none of them."""
