"""Loose alignment: predictions for sentences that are gold sentences but for case, quotes or tokenization.

Two sentences are the same loosely when their letters and digits are, without case. A prediction for such a sentence
is moved to the gold sentence, and its words are spelled as the gold sentence has them: `Ann's`, `ann 's` and
`Ann ’s` become `Ann 's` where gold is tokenised so. Words that the gold sentence does not have stay as they are.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import replace

from tupelo.core import Argument, Extraction, Record, Sentence

_BRACKETS = (("-lrb-", "("), ("-rrb-", ")"), ("-lsb-", "["), ("-rsb-", "]"), ("-lcb-", "{"), ("-rcb-", "}"))
_MARKS = str.maketrans(
    {**dict.fromkeys("“”„«»″", '"'), **dict.fromkeys("‘’‚`´′", "'"), **dict.fromkeys("‐‑‒–—−", "-")}
)
# A word of one tokenization is at most this many words of another.
_LONGEST_RUN = 4


def letters(text: str) -> str:
    """The letters and digits of a text as they are; those of `-LRB-` and its like are none."""
    for token, _ in _BRACKETS:
        text = text.replace(token, "").replace(token.upper(), "")
    return "".join(filter(str.isalnum, text))


def written_alike(text: str) -> str:
    """Text with one spelling of quotes, dashes and brackets, without case.

    >>> written_alike("“No”, she said -LRB- twice -RRB-")
    '"no", she said ( twice )'
    """
    text = unicodedata.normalize("NFKC", text).casefold().translate(_MARKS)
    for token, bracket in _BRACKETS:
        text = text.replace(token, bracket)
    return text.replace("''", '"').replace("--", "-")


def loose_key(text: str) -> str:
    """The letters and digits of a sentence, without case."""
    return "".join(filter(str.isalnum, written_alike(text)))


def _form(words: Iterable[str]) -> str:
    return written_alike("".join(words))


class Spelling:
    """The spelling of the words of one sentence."""

    def __init__(self, sentence: Sentence) -> None:
        words = sentence.tokens or sentence.text.split()
        self._words = frozenset(words)
        self._runs: dict[str, str] = {}
        for length in range(1, _LONGEST_RUN + 1):
            for start in range(len(words) - length + 1):
                run = words[start : start + length]
                self._runs.setdefault(_form(run), " ".join(run))

    def respell(self, text: str) -> str:
        """The text in the words of the sentence, as far as it has them."""
        words = text.split()
        if self._words.issuperset(words):
            return text
        found: list[str] = []
        start = 0
        while start < len(words):
            for end in range(min(start + _LONGEST_RUN, len(words)), start, -1):
                run = words[start:end]
                known = None if self._words.issuperset(run) else self._runs.get(_form(run))
                if known is not None:
                    found.append(known)
                    break
            else:
                end = start + 1
                found.append(words[start])
            start = end
        return " ".join(found)


class Aligner:
    """Moves predictions to the gold sentences that they loosely belong to."""

    def __init__(self, gold: Iterable[Record]) -> None:
        self._sentences: dict[str, Sentence] = {}
        self._texts: dict[str, Sentence] = {}
        self._groups: dict[str, str] = {}
        self._spellings: dict[str, Spelling] = {}
        for record in gold:
            sentence = record if isinstance(record, Sentence) else record.sentence
            self._texts.setdefault(sentence.text, sentence)
            self._sentences.setdefault(loose_key(sentence.text), sentence)
            group = record.document_id if isinstance(record, Sentence) else record.group
            if group is not None:
                self._groups.setdefault(loose_key(group), group)

    def sentence(self, text: str) -> Sentence | None:
        """The gold sentence that a text is, by its very text where there is one."""
        return self._texts.get(text) or self._sentences.get(loose_key(text) or text)

    def align(self, records: Iterable[Record]) -> Iterator[Record]:
        for record in records:
            yield self._aligned(record)

    def _aligned(self, record: Record) -> Record:
        found = record if isinstance(record, Sentence) else record.sentence
        target = self.sentence(found.text) if found.text else None
        if target is None:
            return record
        # Of a clique the sentence keeps its own name, since one text may stand in several.
        document = self._group(found.document_id)
        sentence = replace(target, document_id=target.document_id if document is None else document)
        if isinstance(record, Sentence):
            return sentence
        spelling = self._spellings.get(target.text)
        if spelling is None:
            spelling = self._spellings[target.text] = Spelling(target)
        return replace(
            record,
            sentence=sentence,
            rel=_respelled(record.rel, spelling),
            arg1=None if record.arg1 is None else _respelled(record.arg1, spelling),
            args=tuple([_respelled(part, spelling) for part in record.args]),
            group=self._group(record.group),
        )

    def _group(self, name: str | None) -> str | None:
        return None if name is None else self._groups.get(loose_key(name), name)

    def changes(self, extraction: Extraction) -> bool:
        """Whether alignment spells a word of the tuple otherwise."""
        aligned = self._aligned(extraction)
        return isinstance(aligned, Extraction) and str(aligned) != str(extraction)


def _respelled(part: Argument, spelling: Spelling) -> Argument:
    text = spelling.respell(part.text)
    # Places in another spelling of the sentence mean nothing in this one.
    return part if text == part.text else Argument(text, part.role)
