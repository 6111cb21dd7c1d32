"""Finding the words of a phrase, which somebody else wrote, in the sentence that it comes from."""

from __future__ import annotations

from collections.abc import Sequence

from tupelo.core import Analysis, Argument
from tupelo.extract.parts import is_true_to, make_part, sentence_of
from tupelo.nlp.tokens import tokenize


def align(analysis: Analysis, text: str, role: str | None = None) -> Argument:
    """The phrase as a part of the sentence. Words that the sentence does not have are implied.

    A phrase that stands in the sentence as it is comes first, then one that
    differs in case only; otherwise it is put together from the longest pieces
    that the sentence has.
    """
    wanted = _forms(text)
    exact = [word.text for word in analysis.words]
    folded = [form.casefold() for form in exact]
    for words, phrase in ((exact, wanted), (folded, [form.casefold() for form in wanted])):
        start = _find(words, phrase)
        if start is not None and phrase:
            return make_part(analysis, range(start, start + len(phrase)), role)
    return make_part(analysis, _pieces(folded, wanted), role)


def locate(analysis: Analysis, part: Argument) -> Argument:
    """The part with its place in the sentence, where its words stand there exactly; otherwise as it came."""
    found = align(analysis, part.text, part.role)
    same = found.text == " ".join(part.text.split()) and not found.inferred
    return found if same and is_true_to(found, sentence_of(analysis)) else part


def _forms(text: str) -> list[str]:
    return [text[token[0] : token[1]] for token in tokenize(text)]


def _find(words: Sequence[str], phrase: Sequence[str], start: int = 0) -> int | None:
    size = len(phrase)
    for position in range(start, len(words) - size + 1):
        if list(words[position : position + size]) == list(phrase):
            return position
    return None


def _pieces(words: Sequence[str], wanted: Sequence[str]) -> list[int | str]:
    pieces: list[int | str] = []
    folded = [form.casefold() for form in wanted]
    used: set[int] = set()
    position = 0
    while position < len(wanted):
        start, size = _longest(words, folded[position:], used)
        if size:
            pieces.extend(range(start, start + size))
            used.update(range(start, start + size))
            position += size
        else:
            pieces.append(wanted[position])
            position += 1
    return pieces


def _longest(words: Sequence[str], phrase: Sequence[str], used: set[int]) -> tuple[int, int]:
    """Where the longest beginning of a phrase stands among words not used yet, and how long it is."""
    best = (0, 0)
    for start in range(len(words)):
        size = 0
        while (
            size < len(phrase)
            and start + size < len(words)
            and words[start + size] == phrase[size]
            and start + size not in used
        ):
            size += 1
        if size > best[1]:
            best = (start, size)
    return best
