"""Lines and rows as sentences with tuples: their words, parts with exact places, and what they are about."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, cached_property
from itertools import accumulate, groupby
from typing import NamedTuple

from tupelo.core import Analysis, Argument, Extraction, Passage, SentenceTuples, Word
from tupelo.core.blocks import TERMS, Block, is_number, table_rows
from tupelo.extract.parts import sentence_of
from tupelo.extract.structure import headings
from tupelo.extract.structure.trust import GENERAL, about, confidence, signs, size, with_pairs
from tupelo.nlp.languages import words
from tupelo.nlp.parts import make_part
from tupelo.nlp.tokens import tokenize

EXTRACTOR = "structure"
CAREER = re.compile(
    r"(?i)\b(?:experience|employment|career|worked|work history|positions|jobs|appointments|education)\b"
)
# Role of the heading under which a line stands.
CONTEXT = "context"
# A place in the document, or words that are implied.
Place = tuple[int, int]
Wording = Place | str | Sequence[Place | str]
EMPTY = words("structure", "empty")
TOTALS = words("structure", "totals", "total_phrases")
PRICE_RELATION = re.compile(r"(?i)\b(?:costs|price|fee)\b")
_LEADER = re.compile(r"(?<!\s)\s*\.{3,}|\t|(?<! ) {3,}(?=\S)")
_OF_RESUME = re.compile(r"(?i)(?:curriculum vitae|cv|résumé)\b")
_PROSE_BELOW, _GLIMPSE = 0.5, 20
_LONGEST_OWNER, _LONGEST_OUTER, _MOST_SUBTITLES, _OPENING_BLOCKS, _MOST_CONTEXTS = 90, 6, 2, 4, 4
_TITLES_OF = frozenset(["paragraph", "heading", "title"])
_WORDS = re.compile(r"\w{3,}")
_NAME_LINE = re.compile(
    r"(?im)^(?P<label>(?:full )?name|(?:sur|last |family )name|(?:first|given|fore) ?names?)(?:\(s\))?"
    r"(?: ?[.:_]+| {2,}|\t) *(?P<name>[^\W\d][^\n:;]{1,40}?)$"
)
# The next line goes on with what is said.
_GOES_ON = re.compile(r"[ \t]*\n[ \t]*[a-z(]")
_NO_SUBTITLE = re.compile(rf"{headings.CONTACT.pattern}|[€$£]|\d[.,]\d\d\b")
_PERSON = re.compile(
    r"(?:Dr\.? |Prof\.? )?[^\W\d_][^\W\d_a-z]?[^\W\d_.'’-]*(?:[ '’-]{1,2}[\"“(]?[^\W\d_]\.?[^\W\d_]*[\"”)]?){1,4}"
)
_CV_SECTIONS = words("structure", "sections_of_cvs")
COUNTED = re.compile(r"\d[\d.,]* [a-z]")
LONGEST_LINE, SHORT_LINE = 300, 120


class StructuredText:
    """The text of a passage, by places of its document."""

    def __init__(self, passage: Passage) -> None:
        self.passage = passage
        # Subject of lines without a heading that names something.
        self.subject: str | None = None
        # The first line, where it may be a title.
        self.opening: str | None = None
        # Labels of columns by the shape of their table.
        self.columns: dict[tuple[bool, ...], tuple[str, ...]] = {}
        # The signs of a block; see `trust`.
        self.signs: list[str] = []
        # The place of the block, and whether it is said in a conversation.
        self.is_turn, self._outer = False, ""
        self.place: Place = (0, 0)
        # The words right above a list or a table: a caption, a question, *What we need:*.
        self.lead: str | None = None
        # Whether the block is right below a heading or a lead.
        self.follows_heading = False
        # The unit of all amounts: *All prices in euro*.
        self.terms = match[0] if (match := TERMS.search(passage.text)) and not passage.start else None
        # The job of a CV that the items below it tell more about, and its time.
        self.job: tuple[str, str] | None = None
        # The starts of answers already read together with their questions.
        self.answered: set[int] = set()
        # The headings above a block, the title and what is below it, who speaks, and for whom.
        self.contexts: tuple[str, ...] = ()
        # The first headings above all blocks: none, the title, or the title of a site and that of its page.
        paths = [block.path for block in passage.blocks]
        tops = {path[0].casefold() for path in paths if path}
        shortest = min(tops, key=len, default="")
        tops = {shortest if top.startswith(shortest) else top for top in tops}
        below = {path[1] for path in paths if len(path) > 1}
        has_title = len(tops) == 1 and sum(not path for path in paths) < 3
        self._runs: dict[int, int] = {}
        messages = accumulate(block.kind != "turn" or not self.goes_on(block) for block in passage.blocks)
        numbered = zip(passage.blocks, messages, strict=True)
        for (kind, _), group in groupby(numbered, key=lambda one: (one[0].kind, one[0].kind == "turn" and one[1])):
            starts = [block.start for block, _ in group]
            self._runs |= dict.fromkeys(starts, len(starts)) if kind in ("item", "turn") else {}
        # The first line, as the context of lines without a title above them.
        opening = passage.blocks[: _OPENING_BLOCKS - 1]
        first = [block for block in opening if block.kind in _TITLES_OF and not block.speaker]
        lines = (" ".join(self.of(block).strip().partition("\n")[0].split()) for block in first if not passage.start)
        self._top = next((line.strip(" :=~_*#-") for line in lines if headings.is_title(line)), None)
        # Subtitles: the lines below the title or beside it, such as organization, meeting and place.
        whole = next((path[0] for path in paths if path), self._top or "")
        subtitles, self._subtitled = list[str](), 0
        for one in (one for one in first if one.kind == "paragraph" and not passage.start):
            said = [" ".join(line.split()) for line in self.of(one).strip().split("\n")]
            if not all(map(headings.is_title, said)) or len(one.path) > 1 or any(map(_NO_SUBTITLE.search, said)):
                break
            subtitles += [line for line in said if line not in whole]
            self._subtitled = one.end
        self.subtitle = ", ".join(subtitles[:_MOST_SUBTITLES])
        # The headings that are shown: the title of a page may be that of its site.
        self._heads = [self.of(block) for block in passage.blocks if block.kind in ("title", "heading")]
        # Whether all headings are questions, also the title.
        self.asks = bool(self._heads) and all(head.rstrip().endswith("?") for head in self._heads)
        # The number of items of the list of the block.
        self.run = 0
        self._is_shown = cache(lambda subject: any(subject in head for head in self._heads))
        low = [head.casefold() for head in self._heads]
        self.is_titled = has_title and any(one.startswith(top) or top.startswith(one) for one in low for top in tops)
        self.titles = has_title and 1 + (
            len(below) == 1 and (any(len(path) > 2 for path in paths) or not self.is_titled)
        )
        self.is_mail = any(block.kind == "mail header" for block in passage.blocks)
        # Whether the headings are those of a CV.
        sections = sum(head.strip(" :").lower() in _CV_SECTIONS for head in self._heads)
        self.is_cv = sections > 1 or any(map(CAREER.search, self._heads[1:]))
        self.is_cv = self.is_cv or any(map(_OF_RESUME.match, self._heads[:1]))
        self.person = self._person() if self.is_cv else None

    def _person(self) -> str | None:
        """The person that the title or one of the first lines names."""
        opening = [self.of(block).strip() for block in self.passage.blocks[:_OPENING_BLOCKS]]
        named = {match["label"].lower(): match["name"] for one in opening for match in _NAME_LINE.finditer(one)}
        if whole := named.get("name") or named.get("full name"):
            return whole
        if len(named) == 2:
            return " ".join(named[label] for label in sorted(named, key=lambda one: one[:2] in ("su", "la", "fa")))
        lines = [one.partition("\n")[0] for one in opening]
        for line in [*(block.path[0] for block in self.passage.blocks[:1] if block.path), *lines]:
            name = next(
                (part for part in headings.PARTS.split(headings.RESUME.sub("", line).strip(" -–:")) if part), ""
            )
            low = set(name.lower().split())
            if _PERSON.fullmatch(name) and GENERAL.isdisjoint(low) and headings.ORGANIZATIONS.isdisjoint(low):
                return name
        return None

    def about(self, path: Sequence[str]) -> str | None:
        """The subject of the lines below some headings."""
        if self.person is not None:
            return self.person
        if self.is_mail:
            # The subject of a mail is what it is about, whatever its words name.
            return (
                headings.lowest_named(path[1:]) or (headings.whole_title(path[0]) if path else None) or self.subject
            )
        own = headings.lowest_named(path[1:]) if self.titles == 2 and len(path) > 1 else None
        if own is not None and not GENERAL.isdisjoint(own.lower().split()):
            # *Questions guests ask* is about the place that the title of the page names.
            site = headings.lowest_named(path[:1])
            own = site if site and headings.names_something(site) else own
        if own is None and self.opening is not None and not self.is_titled and self._opens(path):
            return self.subject or self.opening
        return own or headings.subject_of(path if self.titles else ("", *path)) or self.subject or self.opening

    def _opens(self, path: Sequence[str]) -> bool:
        """Whether the first line is the title: there is no other, or it has words of it."""
        if not (path and self.opening):
            return not path
        is_told = not set(_WORDS.findall(path[0].casefold())).isdisjoint(_WORDS.findall(self.opening.casefold()))
        return len(path) < 2 and (is_told or any(map(str.isdigit, self.opening)))

    def enter(self, block: Block) -> None:
        """Note the context of a block: the words above it or the lowest heading, and what the document is about."""
        self.place = block.start, block.end
        self.is_turn = block.kind == "turn"
        if block.kind in ("heading", "table"):
            self.job, self._outer = None, ""
        run = self.run = self._runs.get(block.start, 0)
        heading = self.lead or (block.path[-1].strip(" :=~_*#-") if len(block.path) > bool(self.titles) else None)
        title = headings.whole_title(block.path[0]) if block.path and self.titles else self.opening or self._top
        # *Opening hours* and the like above some lines are a heading of their own.
        is_own = self.lead is not None and headings.is_general(self.lead) and ":" not in self.lead
        above = [head.strip(" :=~_*#-") for head in block.path[bool(self.titles) :][::-1] if not is_own]
        found = (one for one in (heading, *above, title) if one and any(map(str.isalpha, one)))
        self.contexts = tuple(dict.fromkeys(found))[:_MOST_CONTEXTS]
        voice = "turn" if block.kind == "turn" else "mail" if block.audience or block.speaker else "page"
        self.signs = [f"block {block.kind} {voice}", f"run {size(run)}"]
        self.signs += [*(about("heading", heading) if heading else ()), *(["lead"] if self.lead else [])]
        if heading or len(self.passage.blocks) >= _OPENING_BLOCKS:
            # A line that is all of a document lacks no context.
            self.signs += [f"titles {self.titles}", f"lines {size(self.of(block).count(chr(10)))}"]
            self.signs += [f"depth {min(len(block.path), 4)}", f"contexts {len(self.contexts)}"]
            self.signs += [] if heading else ["no heading"]
        # A title may be that of a mail or a part; who speaks, and for whom, is told beside it.
        is_below = block.start >= self._subtitled and self.person is None
        owners = (self.subtitle if is_below else None, self.subject, block.speaker, block.group)
        self.contexts += tuple(one for one in owners if one and len(one) < _LONGEST_OWNER)
        self.signs += ["labels"] if any(block.labels) else []
        self.signs += ["cv"] if self.is_cv else []

    def subject_signs(self, subject: str) -> Iterator[str]:
        """The places where an implied subject is from, and whether it names something."""
        yield "subject is opening" if subject in (self.subject, self.opening) else "subject is heading"
        if self._is_shown(subject):
            yield "subject is shown"
        if headings.names_something(subject):
            yield "subject names"
        if self.contexts and subject in self.contexts[0]:
            yield "subject is lowest"

    def narrow(self, about: str | None) -> None:
        """Make the former subject of lines their context from here on."""
        if about is not None and about not in self.contexts:
            self.contexts = (*self.contexts, about)

    def goes_on(self, block: Block) -> bool:
        """Whether a line of a conversation is a further one of what somebody says."""
        return not self.at(self.line_start(block.start), block.start).strip(" -*•")

    def of(self, block: Block) -> str:
        return self.at(block.start, block.end)

    def at(self, start: int, end: int) -> str:
        return self.passage.text[start - self.passage.start : end - self.passage.start]

    def line_start(self, place: int) -> int:
        """The beginning of the line of a place."""
        return self.passage.text.rfind("\n", 0, place - self.passage.start) + 1 + self.passage.start

    def indented_below(self, place: Place) -> str | None:
        """The line above that a line is indented below: *2 Blasting*."""
        whole = self.at(self.line_start(place[0]), place[1])
        if not whole[:1].isspace() or self.is_turn:
            self._outer = _LEADER.split(whole.partition("\n")[0], 1)[0].strip()
            return None
        return self._outer if 0 < len(self._outer.split()) <= _LONGEST_OUTER and ": " not in self._outer else None

    def line(self, start: int, end: int) -> Line:
        return Line(self, start, end)

    def rows(self, block: Block) -> Iterator[list[tuple[str, Place]]]:
        """The rows of a table: cells without white space around them, and their places."""
        for cells in table_rows(block, self.passage.text, self.passage.start):
            yield [_inner(cell, place) for cell, place in cells]


def _inner(cell: str, place: int) -> tuple[str, Place]:
    """A cell without white space and a colon that sets it off from its label, and its place."""
    text = cell.strip().removeprefix(": ").lstrip()
    start = place + cell.index(text)
    return text, (start, start + len(text))


class Line:
    """A line or a row, and the tuples that it states."""

    def __init__(self, text: StructuredText, start: int, end: int) -> None:
        words_of_line = text.at(start, end)
        forms = tuple(
            Word(words_of_line[begin:stop], start + begin, start + stop) for begin, stop, _ in tokenize(words_of_line)
        )
        self.analysis = Analysis(words_of_line, forms, start, document_id=text.passage.document_id)
        self._sentence = sentence_of(self.analysis)
        self._tuples: list[Extraction] = []
        self._text, self._size = text, len(words_of_line.split())

    def part(self, wording: Wording, role: str | None = None) -> Argument:
        """A part of a tuple: places and implied words in reading order."""
        pieces = [wording] if isinstance(wording, str) or _is_place(wording) else wording
        found: list[int | str] = []
        for piece in pieces:
            found += [piece] if isinstance(piece, str) else self._words(*piece)  # type: ignore[misc]
        return make_part(self.analysis, found, role)

    def _words(self, start: int, end: int) -> list[int]:
        words_of_line = self.analysis.words
        first = bisect_left(words_of_line, start, key=lambda word: word.start)
        # A last word that the place cuts off belongs to it, but for a mark: *Orle & Co.*
        return list(range(first, bisect_left(words_of_line, end, lo=first, key=lambda word: word.start)))

    @cached_property
    def _signs(self) -> list[str]:
        """The signs of the line, which all its tuples share."""
        return [*about("line", self.analysis.text), *(["goes on"] if self.goes_on else [])]

    @property
    def goes_on(self) -> bool:
        """Whether the next line begins with a small letter."""
        end = self.analysis.start + len(self.analysis.text)
        return _GOES_ON.match(self._text.at(end, end + _GLIMPSE)) is not None

    def add(
        self,
        rule: str,
        subject: Wording,
        relation: Wording,
        *others: Wording | tuple[Wording, str] | None,
        negated: bool | None = None,
    ) -> None:
        """A tuple; an argument with a role is given as `Argument` would have it."""
        parts = [self.part(subject), self.part(relation)]
        parts += [self.part(*other) if _has_role(other) else self.part(other) for other in others if other]  # type: ignore
        if not all(part.text for part in parts):
            return
        place = [*self._text.signs, *self._signs]
        place += () if parts[0].tokens else self._text.subject_signs(parts[0].text)
        found = signs(rule, parts, self._size, place)
        # A role needs the organization of its heading as context, except in a CV.
        is_placed = rule != "mail/header" and not (rule == "cv" and self._text.is_cv)
        for context in self._text.contexts if is_placed else ():
            # An answer is not below its question.
            if not (_is_told(context, parts) or (rule.startswith("faq/") and context.endswith("?"))):
                parts.append(self.part(context, CONTEXT))
        is_priced = rule in ("table/compared", "label/alone") or PRICE_RELATION.search(parts[1].text)
        if self._text.terms and is_priced and is_number(parts[2].text) and not _is_told(self._text.terms, parts):
            parts.append(self.part(self._text.terms, CONTEXT))
        self._tuples.append(
            Extraction(
                self._sentence,
                rel=parts[1],
                arg1=parts[0],
                args=tuple(parts[2:]),
                confidence=confidence(with_pairs(rule, found)),
                negated=negated,
                extractor=EXTRACTOR,
                rule=rule,
            )
        )

    def likeliest(self, *readings: Callable[[], None]) -> None:
        """Keep the tuples of the likeliest of several readings of the line."""
        before, found = self._tuples, []
        for reading in readings:
            self._tuples = []
            reading()
            found.append((max((one.confidence or 0.0 for one in self._tuples), default=0.0), self._tuples))
        self._tuples = [*before, *max(found, key=lambda item: item[0])[1]]

    def drop_unlikely(self) -> None:
        """Without tuples that are wrong more likely than right: the line is prose."""
        self._tuples = [one for one in self._tuples if (one.confidence or 0.0) >= _PROSE_BELOW]

    def sentence(self) -> SentenceTuples:
        return SentenceTuples(self._sentence, tuple(self._tuples), self.analysis.start)

    def __bool__(self) -> bool:
        return bool(self._tuples)


def _is_told(context: str, parts: Sequence[Argument]) -> bool:
    """Whether the words of a heading are in a tuple already."""
    told = " ".join(part.text for part in parts).casefold()
    return all(word in told for word in context.casefold().split()) or len(context.split()) > headings.LONGEST_TITLE


def _is_place(wording: Wording) -> bool:
    return isinstance(wording, tuple) and len(wording) == 2 and all(isinstance(item, int) for item in wording)


def _has_role(one: Wording | tuple[Wording, str] | None) -> bool:
    return isinstance(one, tuple) and len(one) == 2 and isinstance(one[1], str) and not isinstance(one[0], int)


class Labelled(NamedTuple):
    """A label and a value with their places."""

    label: str
    label_place: Place
    value: Place


def place_of(match: re.Match[str], group: str | int, start: int) -> Place:
    """The place of a group of a match in a text that begins at `start`."""
    return start + match.start(group), start + match.end(group)


def between(gaps: Iterable[re.Match[str]], begin: int, end: int) -> Iterator[Place]:
    """The stretches between gaps."""
    for gap in gaps:
        yield begin, gap.start()
        begin = gap.end()
    yield begin, end
