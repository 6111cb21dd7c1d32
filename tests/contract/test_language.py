"""Docstrings and comments are written in the language of the field.

Words that a reader who knows spaCy or scikit-learn would have to translate do not occur, and no docstring or comment
opens with a headless "What …", "Who …", "Where …" or "How …": it names the thing. A question may open so.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator

import pytest

from tests.contract.test_rooms import modules, name_of

# Not used, and the words to use instead.
INSTEAD = {
    r"hangs? on": "head, dependent, is attached to; requires, depends on",
    r"so many": "at most N",
    r"(how|so) often": "frequency, count",
    r"told apart": "distinct, kept apart",
    r"chances": "probability, likelihood",
    r"(leaves?|left|leaving) alone": "discard, ignore, skip",
    r"(passes|passed|passing) over": "discard, ignore, skip",
    r"kept aside": "held out",
    r"what stands there": "phrase, wording, surface form",
    r"is not called so": "not found, unknown",
}
_WORDS = re.compile("|".join(rf"\b({words})\b" for words in INSTEAD), re.IGNORECASE)
_OPENING = "(What|Who|Whose|Where|How) "
# In code without a match, lines of comments joined, no paragraph can be at fault.
_SUSPECT = re.compile(rf"{_WORDS.pattern}|[#\"']\s*{_OPENING}", re.IGNORECASE)
_HEADLESS = re.compile(rf"{_OPENING}[^?]*$")


def paragraphs(source: str) -> Iterator[tuple[int, str]]:
    """Line and text of every docstring and of every run of comments."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            text = ast.get_docstring(node)
            if text:
                yield node.body[0].lineno, text
    comments: list[tuple[int, str]] = []
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            alone = not token.line[: token.start[1]].strip()
            if comments and alone and comments[-1][0] == token.start[0] - 1:
                comments[-1] = (token.start[0], f"{comments[-1][1]} {token.string[1:].strip()}")
            else:
                comments.append((token.start[0], token.string[1:].strip()))
    yield from comments


def faults(source: str) -> list[str]:
    found: list[str] = []
    if not _SUSPECT.search(re.sub(r"\s+(# ?)?", " ", source)):
        return found
    for line, text in paragraphs(source):
        if words := _WORDS.search(text):
            found.append(f"{line}: '{words[0]}'")
        first = re.split(r"(?<=[.?!:;])\s|\n\n", text.strip(), maxsplit=1)[0]
        if _HEADLESS.match(" ".join(first.split())):
            found.append(f"{line}: '{first.split()[0]} …' names nothing")
    return found


@pytest.mark.slow
def test_every_module_is_written_in_the_language_of_the_field():
    found = {name_of(path): faults(path.read_text("utf-8")) for path in modules()}
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


@pytest.mark.parametrize(
    "source",
    [
        '"""What is read of a body that nobody asked for."""',
        "def f():\n    '''How a word is split.'''",
        "# Where the file is.\nx = 1",
        "x = 1  # at most so many answers",
        "# Two readers\n# that are told apart.",
        '"""Whatever hangs on the verb."""',
    ],
)
def test_a_word_that_has_to_be_translated_is_found(source):
    assert len(faults(source)) == 1


@pytest.mark.parametrize(
    "source",
    [
        '"""What does a graph hold?"""',
        '"""Maximum number of bytes to drain from an unexpected request body."""',
        "# Howard Hawks directed it.\nx = 1",
        "x = 'What is said so often'",
    ],
)
def test_plain_words_are_fine(source):
    assert faults(source) == []
