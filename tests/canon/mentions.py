"""Small invented triples for the tests of this room."""

from __future__ import annotations

from tupelo.core.canonical import Phrase, TripleMention


def mention(
    number: int | str, subject: str, relation: str, object_: str, sentence: str | None = None
) -> TripleMention:
    from tupelo.io.triples import find_phrase

    text = sentence if sentence is not None else f"{subject} {relation} {object_} ."
    return TripleMention(
        str(number), *(Phrase(part, find_phrase(part, text)) for part in (subject, relation, object_)), sentence=text
    )


HARBOUR = [
    mention(1, "Ann Berg", "was born in", "Oslo"),
    mention(2, "Berg", "lives in", "Bergen"),
    mention(3, "Ann  berg", "works for", "the Port of Bergen"),
    mention(4, "Port of Bergen", "is located in", "Norway"),
    mention(5, "Oslo", "is the capital of", "Norway"),
    mention(6, "Ann Berg", "lives in", "Bergen"),
]
