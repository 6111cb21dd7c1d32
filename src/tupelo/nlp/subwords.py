"""Words to subwords and shapes, the input of the encoder.

The vocabulary is BERT's uncased WordPiece (Wu et al. 2016; Devlin et al. 2019). Training and inference must split
words in exactly the same way, so both use this module. Every word is split separately, so the result depends only on
the word form and is cached; no compiled tokenizer is needed.

The vocabulary is lower-case; `shape_of` preserves case as a second input of the encoder.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence

from tupelo.nlp.languages import language_data

_DOUBLED = re.compile(r"``|''")
# Printable ASCII in lower case: words and single marks.
_PLAIN_RUN = re.compile(r"[a-z0-9]+|[^a-z0-9 ]")
_QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "‚": "'", "`": "'"})
# Ranges of Chinese characters, the first one first.
_CJK = ((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x2FA1F))
UNKNOWN = "[UNK]"
START = "[CLS]"
END = "[SEP]"

# Index 0 is for padding and special subwords; the order is part of the model's format.
SHAPES = (
    "special", "lower", "title", "one-capital", "upper", "mixed", "digits", "digits-and-letters", "digits-and-marks",
    "punctuation", "symbols", "caseless",
)  # fmt: skip

# Forms and marks that tokenized text and plain text write differently -> how the encoder reads them.
NORMALIZE: Mapping[str, str] = language_data("tokenization")["normalize"]

# BERT's limit: longer runs of characters are not looked up.
_LONGEST_RUN = 100
# Hostile input may contain unlimited or very long words; the cache stays small.
_REMEMBERED_WORDS = 100_000
_LONGEST_REMEMBERED = 40


def shape_of(word: str) -> int:
    """The shape class of a word, an index into `SHAPES`."""
    return SHAPES.index(_shape_name(word))


def _shape_name(word: str) -> str:
    has_digit = any(character.isdigit() for character in word)
    letters = [character for character in word if character.isalpha()]
    if has_digit:
        if letters:
            return "digits-and-letters"
        return "digits" if word.isdigit() else "digits-and-marks"
    if not letters:
        return "punctuation" if all(_is_punctuation(character) for character in word) and word else "symbols"
    uppers = sum(character.isupper() for character in letters)
    if uppers == 0:
        return "lower" if any(character.islower() for character in letters) else "caseless"
    if len(letters) == 1:
        return "one-capital"
    if uppers == len(letters):
        return "upper"
    return "title" if uppers == 1 and letters[0].isupper() else "mixed"


class Subwords:
    """Splits words into ids of a WordPiece vocabulary, with a cache."""

    def __init__(
        self, vocabulary: Sequence[str], *, normalize: Mapping[str, str] = NORMALIZE, max_subwords_per_word: int = 12
    ) -> None:
        self.ids = {subword: index for index, subword in enumerate(vocabulary)}
        self._normalize = dict(normalize)
        self._most = max_subwords_per_word
        self._longest = max(map(len, vocabulary), default=0)
        self._unknown = self.ids[UNKNOWN]
        self.start = self.ids[START]
        self.end = self.ids[END]
        self._seen: dict[str, tuple[tuple[int, ...], int]] = {}

    def cut(self, word: str) -> tuple[tuple[int, ...], int]:
        """The subword ids of a word, at least one and at most `max_subwords_per_word`, and its shape."""
        known = self._seen.get(word)
        if known is not None:
            return known
        form = self._normalize.get(word, word)
        subwords: list[int] = []
        for run, _ in _runs(form):
            subwords.extend(subword for subword, _, _ in self._subwords_of_run(run))
            if len(subwords) >= self._most:
                break
        result = (tuple(subwords[: self._most]) or (self._unknown,), shape_of(form))
        if len(word) <= _LONGEST_REMEMBERED:
            if len(self._seen) >= _REMEMBERED_WORDS:
                self._seen.clear()  # frequent words are soon cached again
            self._seen[word] = result
        return result

    def cut_text(self, text: str) -> list[tuple[int, int, int]]:
        """The subwords of running text as BERT splits it: id, and the characters `[start, end)` of `text`."""
        return [
            (subword, origins[first], origins[last - 1] + 1)
            for run, origins in _runs(text)
            for subword, first, last in self._subwords_of_run(run)
        ]

    def _subwords_of_run(self, run: str) -> list[tuple[int, int, int]]:
        """Id, and the characters `[start, end)` of the run."""
        unknown = [(self._unknown, 0, len(run))]
        if len(run) > _LONGEST_RUN:
            return unknown
        subwords: list[tuple[int, int, int]] = []
        start = 0
        while start < len(run):
            for end in range(min(len(run), start + self._longest), start, -1):
                subword = self.ids.get(("##" if start else "") + run[start:end])
                if subword is not None:
                    break
            else:
                return unknown
            subwords.append((subword, start, end))
            start = end
        return subwords


def _runs(form: str) -> list[tuple[str, list[int]]]:
    """Lower-cased runs of letters and digits, and single punctuation marks and CJK characters.

    Each run comes with the index in `form` of each of its characters.
    """
    if form.isascii() and form.isprintable():
        return [(run[0], list(range(*run.span()))) for run in _PLAIN_RUN.finditer(form.lower())]
    runs: list[tuple[str, list[int]]] = []
    current: list[str] = []
    origins: list[int] = []
    for origin, original in enumerate(form):
        # In small letters, with accents decomposed.
        folded = original.lower()
        for character in folded if original.isascii() else unicodedata.normalize("NFD", folded):
            space = character.isspace()
            category = unicodedata.category(character)
            if not space and (category == "Mn" or category[0] == "C" or character == "\ufffd"):
                continue
            alone = _is_punctuation(character) or _is_cjk(character)
            if (alone or space) and current:
                runs.append(("".join(current), origins))
                current, origins = [], []
            if alone:
                runs.append((character, [origin]))
            elif not space:
                current.append(character)
                origins.append(origin)
    if current:
        runs.append(("".join(current), origins))
    return runs


def _is_punctuation(character: str) -> bool:
    # All ASCII that is neither letter, digit nor space counts, as in BERT: "$" and "^" too.
    code = ord(character)
    if 33 <= code <= 47 or 58 <= code <= 64 or 91 <= code <= 96 or 123 <= code <= 126:
        return True
    return unicodedata.category(character)[0] == "P"


def _is_cjk(character: str) -> bool:
    code = ord(character)
    return code >= _CJK[0][0] and any(first <= code <= last for first, last in _CJK)


def straight(text: str) -> str:
    """A text of the same length with straight quotation marks, which suit parser and network best.

    A source and a text about it often use different quotation marks. A doubled mark becomes one with a space on the
    inside, so that spans are valid for the original text.

    >>> straight("``We’re ‘done’,'' she said.")
    '" We\\'re \\'done\\', " she said.'
    """
    return _DOUBLED.sub(lambda match: '" ' if match[0] == "``" else ' "', text).translate(_QUOTES)
