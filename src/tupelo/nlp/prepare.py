"""Text to tokenized sentences, the input of all models.

A blank line always ends a sentence. A single line break ends one unless the line was just wrapped: the first word of
the next line would not have fit into the widest line of the paragraph, or the words themselves go on (*the* | *town*,
*com-* | *mands*). An item of a list is a line of its own. Inside a paragraph, a small linear model decides for every
gap between two words, from the surrounding words and their shapes.
`training/tupelo_training/parser/lexicon.py` fits its weights to treebanks; they are a table from feature names to
numbers.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any, TypeVar

from tupelo.core import InputError, Passage
from tupelo.core.errors import require_items
from tupelo.core.limits import Limits
from tupelo.nlp.languages.en.grammar import ARTICLES, STOP_WORDS
from tupelo.nlp.tokens import ABBREVIATION_KINDS, Token, tokenize

# Narrower lines are not wrapped text but lists, verses, addresses, unless the words of some go on in the next.
_NARROWEST_WRAP = 45
# The share of the widest line that may be left empty in wrapped text: letters have different widths, wrappers differ.
_RAGGED = 8
# Fewer words in lower case can be the items of a list.
_FEWEST_WORDS = 4
_UNFINISHED = ARTICLES | {"&", "of", "and", "or", "my", "your", "his", "her", "its", "our", "their"}
_ENDS = (".", "!", "?", ":")
_HYPHENS = "-\u2010\u00ad"
_BULLETS = "*•‣◦▪●"
_ITEM = re.compile(r"[-*•‣◦▪●–—][^\S\n]|\(?(?:\d{1,3}|[A-Za-z]|[ivx]{2,5})[.)][^\S\n]")
_CLOSERS = frozenset("\"'”’)]}»*")
_OPENERS = frozenset(["``", *"\"'“‘([{«`"])
# No sentence ends after one of these without white space.
_INSIDE = frozenset(",-/&$#")
# No sentence ends after one of the first, or begins with one of the second.
_ONLY_OPENERS = frozenset(["``", *"“([{«"])
_ONLY_CLOSERS = frozenset("”)]}»")
# These open or close, as white space beside them shows.
_QUOTES = frozenset("\"'’")
# A run of spaces is tried from its first one only: all of them lead to the same end.
_PARAGRAPH = re.compile(r"(?<![^\S\n])(?:[^\S\n]*+\n){2,}")
_SPACES = re.compile(r"\s+")
# The hyphen comes first, so that all other characters are skipped quickly.
_DIVIDED = re.compile(r"[-\u2010](?<=[^\W\d_].)\s++(?=[a-z])")
BIAS = "bias"
LONGEST_SENTENCE = Limits().sentence
MOST_WORDS = 1_000


def paragraphs(text: str) -> Iterator[tuple[int, int]]:
    """The passages of a text that no sentence crosses: paragraphs, and lines that were not wrapped.

    >>> text = "A heading\\n\\nSome text."
    >>> [text[start:end] for start, end in paragraphs(text)]
    ['A heading', 'Some text.']
    """
    if "\n" not in text:
        if text:
            yield 0, len(text)
        return
    position = 0
    for match in _PARAGRAPH.finditer(text):
        if match.start() > position:
            yield from _lines_of_paragraph(text, position, match.start())
        position = match.end()
    if position < len(text):
        yield from _lines_of_paragraph(text, position, len(text))


def _lines_of_paragraph(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    lines: list[tuple[int, int]] = []
    position = start
    while position < end:
        stop = text.find("\n", position, end)
        stop = end if stop < 0 else stop
        lines.append((position, stop))
        position = stop + 1
    stripped = [text[begin:stop].strip() for begin, stop in lines]
    widest = max((stop - begin for begin, stop in lines), default=0)
    going_on = [_goes_on(left, right) for left, right in pairwise(stripped)]
    is_wrapped = any(going_on) or _is_prose(stripped)
    ragged = widest // _RAGGED if is_wrapped else 0
    in_list = False
    begin = start
    for number, goes_on in enumerate(going_on):
        (left_start, left_end), (right_start, _) = lines[number : number + 2]
        left, right = stripped[number : number + 2]
        in_list = in_list or _ITEM.match(left) is not None
        if _ITEM.match(right) and (in_list or right[0] in _BULLETS or left[-1:] in ".!?:;"):
            goes_on = False
        elif not goes_on and right and (is_wrapped or widest >= _NARROWEST_WRAP):
            first_word = right[:200].partition(" ")[0]
            goes_on = left_end - left_start + 1 + len(first_word) > widest - ragged
        if not goes_on:
            if left_end > begin:
                yield begin, left_end
            begin = right_start
    if end > begin:
        yield begin, end


def _is_prose(lines: Sequence[str]) -> bool:
    """Whether lines of several words end as a sentence does, and only the last one."""
    *before, last = lines
    return last[-1:] in _ENDS and all(
        line[-1:] not in _ENDS and line[:200].count(" ") >= _FEWEST_WORDS - 1 for line in before
    )


def _goes_on(left: str, right: str) -> bool:
    """Whether the words of two lines show that no sentence ends between them."""
    if not left or not right:
        return False
    if left[-1] in _HYPHENS and left[-2:-1].isalpha() and right[0].isalpha():
        return True
    last = left[-200:].rpartition(" ")[2].lower()
    if last in _UNFINISHED or (last[-1] == "." and ABBREVIATION_KINDS.get(last[:-1]) == "name"):
        return right[0].isalnum()
    if not right[0].islower() or left[-1] in ".!?:;" or left[:200].count(" ") < _FEWEST_WORDS - 1:
        return False
    return left[-1].isalnum() or left[-1] in ",)"


def too_long(longest: int) -> str:
    """The reason why a sentence was split."""
    return f"longer than {longest:,} characters or {MOST_WORDS:,} words (limit sentence)"


class Splitter:
    """Splits the words of a paragraph into sentences."""

    def __init__(self, weights: Mapping[str, float]) -> None:
        self._weights = dict(weights)

    def split(
        self, forms: Sequence[str], tokens: Sequence[Token], longest: int = LONGEST_SENTENCE
    ) -> Iterator[tuple[int, int, bool]]:
        """Sentences as ranges `[start, end)` of words, and whether the next one goes on with the same sentence.

        That is so where a sentence has more than `longest` characters or `MOST_WORDS` words, so that time and memory
        stay bounded for any input. One word that is longer stays whole.
        """
        weights = self._weights.get
        begin = 0
        gaps = Gaps(forms, tokens)
        for index in range(len(tokens) - 1):
            if tokens[index + 1][1] - tokens[begin][0] > longest or index + 1 - begin >= MOST_WORDS:
                yield begin, index + 1, True
                begin = index + 1
                continue
            features = gaps.features(index, begin)
            if features is not None and sum([weights(feature, 0.0) for feature in features]) > 0:
                yield begin, index + 1, False
                begin = index + 1
        if begin < len(tokens):
            yield begin, len(tokens), False


class Gaps:
    """The gaps between the words of a paragraph, to be asked about from left to right."""

    def __init__(self, forms: Sequence[str], tokens: Sequence[Token]) -> None:
        self._forms, self._tokens = forms, tokens
        # The result for the last gap also holds for the next one, as long as a run of marks goes on.
        self._asked, self._core, self._upcoming = -2, 0, 0

    def features(self, index: int, begin: int) -> list[str] | None:
        """Features of the gap after word `index` in a sentence that began at word `begin`.

        `None` where no sentence can end: between a word and a lower-case word, after an opening mark, before a
        closing one, and where there is no whitespace, except at marks that may end a sentence.
        """
        forms, tokens = self._forms, self._tokens
        before, after = forms[index], forms[index + 1]
        glued = tokens[index][1] == tokens[index + 1][0]
        is_word = before[-1].isalnum()
        if is_word and (glued or after[0].islower()):
            return None
        if glued and before[-1] in _INSIDE:
            return None
        core = self._core_of(index, begin)
        if before in _ONLY_OPENERS or after in _ONLY_CLOSERS:
            return None
        if glued and before in _QUOTES and (not index or tokens[index - 1][1] < tokens[index][0]):
            return None
        if glued and after in _QUOTES and (index + 2 == len(tokens) or tokens[index + 1][1] < tokens[index + 2][0]):
            return None
        mark = forms[core]
        following = forms[index + 2] if index + 2 < len(forms) else "$"
        upcoming = forms[self._next_word(index)]
        before_mark = forms[core - 1] if core > begin else "^"
        shape_after, real_shape, shape_before_mark = _shape(after), _shape(upcoming), _shape(before_mark)
        low_before, low_after, low_upcoming = before.lower(), after.lower(), upcoming.lower()
        closed = "c" if core < index else ""
        end_kind = _shape(mark) if is_word or mark[-1].isalnum() else _mark_kind(mark, before_mark)
        gap = "g" if glued else "s"
        length = index - begin
        size = "0" if length < 1 else "1" if length < 3 else "2" if length < 6 else "3" if length < 15 else "4"
        kind = f"{end_kind}{closed}{gap}"
        return [
            BIAS,
            f"k={kind}",
            f"k,g={kind},{real_shape},{'g' if low_upcoming in STOP_WORDS else ''}",
            f"k,s={kind},{shape_after}",
            f"k,r={kind},{real_shape},{size}",
            f"k,a={end_kind},{low_after}",
            f"b={low_before}",
            f"b,s={low_before},{shape_after}",
            f"m={end_kind},{before_mark.lower()}",
            f"m,s={end_kind},{shape_before_mark},{real_shape}",
            f"a={low_after}",
            f"a,f={low_after},{following.lower()}",
            f"s,f={kind},{shape_after},{_shape(following)}",
            f"b,a={low_before},{low_after}",
            f"z={size},{kind}",
            f"u={low_upcoming},{end_kind}",
            f"p={shape_before_mark},{_shape(mark)},{shape_after},{_shape(following)}",
        ]

    def _core_of(self, index: int, begin: int) -> int:
        """The last word up to `index` that is no closing mark, but not before `begin`."""
        core = index
        if self._forms[index] in _CLOSERS:
            if index == self._asked + 1:
                core = max(begin, self._core)
            else:
                while core > begin and self._forms[core] in _CLOSERS:
                    core -= 1
        self._asked, self._core = index, core
        return core

    def _next_word(self, index: int) -> int:
        """The next word after `index` that is no opening mark."""
        if self._upcoming <= index:
            place = index + 1
            while place + 1 < len(self._forms) and self._forms[place] in _OPENERS:
                place += 1
            self._upcoming = place
        return self._upcoming


def _mark_kind(mark: str, before: str) -> str:
    """A mark, or the kind of abbreviation that a full stop belongs to; *no* and *in* may be one before theirs."""
    if mark == ".":
        kind = ABBREVIATION_KINDS.get(before.lower())
        return f"{kind}?" if kind else "."
    if mark[-1] == ".":
        letters = mark.replace(".", "")
        if letters:
            return (
                "initial" if len(mark) == 2 and mark[0].isupper() else ABBREVIATION_KINDS.get(letters.lower(), "any")
            )
        return "..."
    if mark[-1] in "!?" and "?" in mark:
        return "?"
    return "..." if mark[-1] == "…" else mark[-3:]


@lru_cache(maxsize=20_000)
def _shape(form: str) -> str:
    first = form[0]
    if first.isupper():
        if len(form) == 1:
            return "X"
        if form[-1] == ".":
            return "X."
        return "XX" if form.isupper() else "Xx"
    if first.islower():
        return "x." if form[-1] == "." else "x"
    if first.isdigit():
        return "9" if form.isdigit() else "9:"
    return form[:2]


Item = TypeVar("Item")
Result = TypeVar("Result")

# A longer paragraph is split where a sentence seems to end, or at least at a word boundary, so that memory stays
# bounded for text without line breaks.
_LONGEST_PARAGRAPH = 20_000
_LIKELY_END = re.compile(r"(?<=[.!?])[\"'”’)\]]*\s+(?=[^\sa-z])")


@dataclass(frozen=True, slots=True)
class PreparedText:
    """A sentence whose words are known: `spans` count from the start of the document."""

    text: str
    start: int
    forms: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    contractions: tuple[tuple[int, int], ...]
    document_id: str | None
    partial: bool = False


def cut_passages(document: Passage) -> Iterator[Passage]:
    """A document as passages of bounded size."""
    text, start, document_id = document.text, document.start, document.document_id
    for begin, end in paragraphs(text):
        while end - begin > _LONGEST_PARAGRAPH:
            cut = _last_likely_end(text, begin, begin + _LONGEST_PARAGRAPH)
            yield Passage(text[begin:cut], start + begin, document_id)
            begin = cut
        yield Passage(text[begin:end], start + begin, document_id)


def _last_likely_end(text: str, begin: int, end: int) -> int:
    last = None
    for match in _LIKELY_END.finditer(text, begin + (end - begin) // 2, end):
        last = match.end()
    if last is None:
        for match in _SPACES.finditer(text[begin:end]):
            last = begin + match.end()
    return last or end


def split_sentences(
    passage: Passage, splitter: Splitter, longest: int = LONGEST_SENTENCE, known: Container[str] = frozenset()
) -> Iterator[PreparedText]:
    """The sentences of a passage of plain text; `known` words that a line break divides are made whole."""
    text = passage.text
    tokens, forms = mended(text, tokenize(text), known)
    for first, last, partial in splitter.split(forms, tokens, longest):
        begin, end = tokens[first][0], tokens[last - 1][1]
        sentence = Passage(text[begin:end], passage.start + begin, passage.document_id)
        yield _prepared(sentence, forms[first:last], tokens[first:last], passage.start, partial)


def mended(text: str, tokens: list[Token], known: Container[str]) -> tuple[list[Token], list[str]]:
    """The words of a text and their forms; those of `known` that a line break divides are whole.

    Where the line break is lost (*com- mands*), the second half must not be a word. Other words keep their hyphen.

    >>> mended("all com-\\nmands", [(0, 3, False), (4, 7, False), (7, 8, False), (9, 14, False)], {"commands"})
    ([(0, 3, False), (4, 14, False)], ['all', 'commands'])
    """
    forms = [text[start:end] for start, end, _ in tokens]
    if _DIVIDED.search(text) is None:
        return tokens, forms
    places = {token[0]: index for index, token in enumerate(tokens)}
    dropped: set[int] = set()
    for match in _DIVIDED.finditer(text):
        hyphen, right = places.get(match.start()), places.get(match.end())
        if not hyphen or right != hyphen + 1 or hyphen - 1 in dropped:
            continue
        first, second = forms[hyphen - 1], forms[right]
        if (first + second).lower() not in known or ("\n" not in match.group() and second in known):
            continue
        begin, _, joined = tokens[hyphen - 1]
        tokens[hyphen - 1], forms[hyphen - 1] = (begin, tokens[right][1], joined), first + second
        dropped.update((hyphen, right))
    kept = [index for index in range(len(tokens)) if index not in dropped]
    return [tokens[index] for index in kept], [forms[index] for index in kept]


def whole_sentence(passage: Passage) -> PreparedText:
    """A passage that is one sentence, to be tokenized."""
    tokens = tokenize(passage.text)
    return _prepared(passage, [passage.text[begin:end] for begin, end, _ in tokens], tokens, passage.start)


def _prepared(
    sentence: Passage, forms: Sequence[str], tokens: Sequence[Token], shift: int, partial: bool = False
) -> PreparedText:
    spans = tuple([(begin + shift, end + shift) for begin, end, _ in tokens])
    contractions: list[tuple[int, int]] = []
    for index in [index for index, token in enumerate(tokens) if token[2] and index]:
        if contractions and contractions[-1][1] == index:
            contractions[-1] = (contractions[-1][0], index + 1)
        else:
            contractions.append((index - 1, index + 1))
    text, start, document_id = sentence.text, sentence.start, sentence.document_id
    return PreparedText(text, start, tuple(forms), spans, tuple(contractions), document_id, partial)


def given_tokens(passage: Passage) -> PreparedText:
    """A sentence whose words are separated by single spaces; they are kept exactly."""
    forms: list[str] = []
    spans: list[tuple[int, int]] = []
    position = 0
    for form in passage.text.split(" "):
        if form:
            forms.append(form)
            spans.append((passage.start + position, passage.start + position + len(form)))
        position += len(form) + 1
    return PreparedText(passage.text, passage.start, tuple(forms), tuple(spans), (), passage.document_id)


def documents(text: str | Iterable[str | Passage], *, whole: bool) -> Iterator[Passage]:
    """The input of `Parser.analyze` as documents, or as sentences if each line or item is one."""
    if isinstance(text, str):
        position = 0
        for part in text.split("\n") if whole and text else [text]:
            yield Passage(part, position)
            position += len(part) + 1
        return
    for number, document in _numbered(text):
        yield document if isinstance(document, Passage) else _passage(document, number, whole=whole)


def _numbered(texts: Iterable[Item]) -> Iterator[tuple[int, Item]]:
    require_items(texts, "a string, or an iterable of strings")
    return enumerate(texts, start=1)


def _passage(text: str, number: int, *, whole: bool = False) -> Passage:
    if not isinstance(text, str):
        raise InputError(f"item {number} is {type(text).__name__}, expected a string")
    return Passage(text, 0, None if whole else str(number))


def per_document(
    texts: Iterable[Any],
    as_tuples: bool,
    run: Callable[[Iterator[Passage]], Iterable[Item]],
    document_of: Callable[[Item], str | None],
    collect: Callable[[list[Item]], Result],
) -> Iterator[Any]:
    """Results per text from one stream over all texts; the index of a string becomes its document id.

    With `as_tuples`, the items are pairs of text and context, and results are paired with their context.
    """
    # The document ids of the texts whose results are not complete, with their contexts.
    waiting: deque[tuple[str | None, Any]] = deque()
    named: set[str | None] = set()

    def passages() -> Iterator[Passage]:
        for number, item in _numbered(texts):
            if as_tuples and not (isinstance(item, tuple | list) and len(item) == 2):
                raise InputError(f"item {number} is {type(item).__name__}, expected a pair of text and context")
            text, context = item if as_tuples else (item, None)
            passage = text if isinstance(text, Passage) else _passage(text, number)
            # Results are assigned by the id of a document, which no other may have.
            own = passage.document_id if passage is text else None
            if own is not None and own in named:
                raise InputError(f"two documents are called '{own}', expected names that differ")
            named.add(own)
            waiting.append((passage.document_id, context))
            yield passage

    def finished(found: list[Item]) -> Any:
        _, context = waiting.popleft()
        return (collect(found), context) if as_tuples else collect(found)

    pending = list[Item]()
    for item in run(passages()):
        document = document_of(item)
        while document is not None and waiting[0][0] != document:
            yield finished(pending)
            pending = []
        pending.append(item)
    while waiting:
        yield finished(pending)
        pending = []
