"""Tuples for paraphrases whose maker does not say where words went."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tupelo.cliques.candidates import Candidate, Original, Told
from tupelo.cliques.verify import CONTENT


def plain_candidates(original: Original, texts: Iterable[tuple[str, str]]) -> list[Candidate]:
    """Candidates from pairs of a text and its origin, without repetitions and without the original itself."""
    seen = {_folded(original.analysis.text)}
    found = []
    for text, origin in texts:
        one_line = " ".join(text.split())
        if one_line and _folded(one_line) not in seen:
            seen.add(_folded(one_line))
            found.append(Candidate(one_line, origin, kept_tuples(original, one_line)))
    return found


def kept_tuples(original: Original, text: str) -> tuple[Told, ...]:
    """The tuples of the original whose content words the paraphrase has, all of them; the others need a person."""
    content = {word.text.lower() for word in original.analysis.words if word.upos in CONTENT}
    there = set(_words(text))
    return tuple(
        told
        for told in original.tuples
        if all(word in there for part in told for word in _words(part) if word in content)
    )


def _words(text: str) -> Sequence[str]:
    return [word.strip(".,;:!?\"'`()").lower() for word in text.split()]


def _folded(text: str) -> str:
    return "".join(letter for letter in text.lower() if letter.isalnum())
