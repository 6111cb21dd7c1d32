"""Sentences with hand-written trees, for tests that need no model."""

from __future__ import annotations

from tupelo.core import Analysis, Entity, Word


def analysis(text: str, *rows: str, entities: tuple[Entity, ...] = (), start: int = 0) -> Analysis:
    """A sentence from rows of `form tag head label`; heads count from 1, 0 is the root."""
    words, position = [], 0
    for row in rows:
        form, tag, head, label = row.split()
        begin = text.index(form, position)
        position = begin + len(form)
        words.append(
            Word(
                form,
                start + begin,
                start + position,
                form.lower(),
                tag,
                None,
                "",
                int(head) - 1 if head != "0" else None,
                label,
            )
        )
    return Analysis(text, tuple(words), start, entities=entities)


def bare(text: str) -> Analysis:
    """A sentence of which only the words are known, split at single spaces."""
    words, position = [], 0
    for form in text.split(" "):
        words.append(Word(form, position, position + len(form)))
        position += len(form) + 1
    return Analysis(text, tuple(words))


BORN = analysis(
    "Ann was  born in Oslo.",
    "Ann PROPN 3 nsubj:pass",
    "was AUX 3 aux:pass",
    "born VERB 0 root",
    "in ADP 5 case",
    "Oslo PROPN 3 obl",
    ". PUNCT 3 punct",
    entities=(Entity("person", 0, 1), Entity("place", 4, 5)),
)
