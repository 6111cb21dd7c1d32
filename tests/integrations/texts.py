"""A text whose triples every adapter is tested with."""

from __future__ import annotations

TEXT = "Ann Lee founded Acme in Oslo in 1998. She did not sell the company to Globex. Acme employs 300 people."
TRIPLES = [
    ("Ann Lee", "founded", "Acme"),
    ("Ann Lee", "founded in", "Oslo"),
    ("Acme", "was founded in", "Oslo"),
    ("Acme", "employs", "300 people"),
]
