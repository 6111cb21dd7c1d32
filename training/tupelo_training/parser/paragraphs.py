"""The paragraphs of a treebank as plain text."""

from __future__ import annotations

from collections.abc import Iterator

from tupelo.io.conllu import place_words, sentence_blocks, tokens_of
from tupelo.io.lines import Lines


def paragraphs(lines: Lines) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The plain text of each paragraph of a treebank, and the positions at which its sentences end.

    Joined with blank lines, these are the raw text from which the CoNLL 2018
    shared task started. A sentence without `# text` is rebuilt from its words.
    """
    sentences: list[tuple[str, str]] = []
    for comments, rows in sentence_blocks(lines):
        if sentences and any(key.startswith(("newpar", "newdoc")) for key in comments):
            yield _joined(sentences)
            sentences = []
        for tokens in lines.values([(0, rows)], tokens_of):
            if tokens.words:
                ends_in_range = tokens.ranges and tokens.ranges[-1][1] == len(tokens.words)
                misc = tokens.ranges[-1][3] if ends_in_range else tokens.words[-1][1][9]
                gap = "" if "SpaceAfter=No" in misc.split("|") else " "
                sentences.append((place_words(tokens, comments.get("text"))[0], gap))
    if sentences:
        yield _joined(sentences)


def _joined(sentences: list[tuple[str, str]]) -> tuple[str, tuple[int, ...]]:
    text = ""
    ends: list[int] = []
    for sentence, gap in sentences:
        text += sentence
        ends.append(len(text))
        text += gap
    return text.rstrip(" "), tuple(ends)
