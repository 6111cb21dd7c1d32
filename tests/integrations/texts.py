"""A text whose triples every adapter is tested with."""

from __future__ import annotations

from tupelo.core.triples import LinkedEntity, LinkedText, LinkedTriple

TEXT = "Ann Lee founded Acme in Oslo in 1998. She did not sell the company to Globex. Acme employs 300 people."
TRIPLES = [
    ("Ann Lee", "founded", "Acme"),
    ("Ann Lee", "founded in", "Oslo"),
    ("Acme", "was founded in", "Oslo"),
    ("Acme", "employs", "300 people"),
]


def _numbers() -> LinkedText:
    text = "Ann Lee, “Ann Lee”, was 4.2, 42 and 1998."
    first, again, *values = (
        LinkedEntity(name, "", "name" if name[-1] in "e”" else "value")
        for name in ("Ann Lee", "“Ann Lee”", "4.2", "42", "1998")
    )
    triples = [LinkedTriple(first, "was", end, text, 0, len(text), 0.9, "asserted") for end in (again, *values)]
    return LinkedText("n", text, (first, again, *values), tuple(triples))


# Numbers, and a name in two spellings.
NUMBERS = _numbers()
