"""Lines and rows as sentences with tuples: their words, parts with exact places, and what they are about."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, cached_property
from itertools import accumulate, groupby
from typing import NamedTuple

from tupelo.core import Analysis, Argument, Extraction, Passage, SentenceTuples, Word
from tupelo.core.blocks import Block, table_rows
from tupelo.extract.parts import sentence_of
from tupelo.extract.structure.trust import CALENDAR, GENERAL, VERBS, about, confidence, signs, size, with_pairs
from tupelo.nlp.languages import words
from tupelo.nlp.languages.en.naming import FEMALE_NAMES, MALE_NAMES
from tupelo.nlp.parts import make_part
from tupelo.nlp.tokens import tokenize

EXTRACTOR = "structure"
CAREER = re.compile(
    r"(?i)\b(?:experience|employment|career|worked|work history|positions|jobs|appointments|education)\b"
)
# Role of the heading under which a line stands, and the rules whose lines say little without it.
CONTEXT = "context"
_OUT_OF_CONTEXT = frozenset(["cv", "mail/header"])
# A place in the document, or words that are implied.
Place = tuple[int, int]
Wording = Place | str | Sequence[Place | str]
EMPTY = words("structure", "empty")
TOTALS = words("structure", "totals", "total_phrases")
_PARTS = re.compile(r" [|–—·•»-] |[|:] | \(|, ")
_RESUME = re.compile(r"(?i)\b(?:curriculum vitae|cv|résumé|resume)\b(?: of)?|^(?:about|profile of|meet)\s+")
_OF_RESUME = re.compile(r"(?i)(?:curriculum vitae|cv|résumé)\b")
_SENTENCE_END = re.compile(r"[.!?][\"'”’)]?$")
_LEAST_WORDS, _MANY_WORDS = 6, 10
_PROSE_BELOW = 0.5
_LONGEST_NAME, _LONGEST_TITLE, _OPENING_BLOCKS, _MOST_CONTEXTS = 12, 14, 4, 4
_GLIMPSE = 20
_TITLES_OF = frozenset(["paragraph", "heading", "title"])
_NO_TITLE = re.compile(r"[.!?]$|\.\.|\t|: [^a-z]|\d:\d\d:")
_WORDS = re.compile(r"\w{3,}")
_NUMBERING = re.compile(r"^(?:\d+(?:\.\d+)*[.)]?\s+)")
_NAME_LINE = re.compile(
    r"(?im)^(?P<label>surname|last name|family name|(?:first|given|fore) ?names?)(?:\(s\))?(?: ?[.:_]+| {2,}|\t) *"
    r"(?P<name>[^\W\d][^\n:;]{1,40}?)$"
)
# "Minutes of the board" is about the board.
_ABOUT = re.compile(
    r"(?:[A-Z]?[\w-]{1,20} ){0,2}(?i:minutes|notes|report|price list|prices|menu|list|questions|faqs?|guide|notice) "
    r"(?:of|for|on|about|from) (?:the )?"
)
# The next line goes on with what is said.
_GOES_ON = re.compile(r"[ \t]*\n[ \t]*[a-z(]")
_DATED = re.compile(r"\b(?:19|20)\d\d\b|\d{1,2}\. ?\d{1,2}\.")
_CONTACT = re.compile(
    r"(?i)\S{1,64}@\S+|https?:\S+|www\.\S+|\b(?:tel|phone|mobile)[.:]? ?|\+\d[\d ()/-]{5,30}\d"
    r"|\b0\d{2,4}[ /-][\d /-]{5,30}\d"
)
_PERSON = re.compile(
    r"(?:Dr\.? |Prof\.? )?[^\W\d_][^\W\d_a-z]?[^\W\d_.'’-]*(?:[ '’-]{1,2}[\"“(]?[^\W\d_]\.?[^\W\d_]*[\"”)]?){1,4}"
)
ORGANIZATIONS = words("structure", "organizations")
_CV_SECTIONS = words("structure", "sections_of_cvs")
_DOCUMENTS = words("structure", "kinds_of_documents")
LINKING = words("structure", "linking")
_OPENING = words("structure", "section_openings")
WORD = re.compile(r"[\w.-]+")
COUNTED = re.compile(r"\d[\d.,]* [a-z]")
_TITLES = words("structure", "titles_of_persons")
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
        self.is_turn = False
        self.place: Place = (0, 0)
        # The words right above a list or a table: a caption, a question, *What we need:*.
        self.lead: str | None = None
        # Whether the block is right below a heading or a lead.
        self.follows_heading = False
        # The job of a CV that the items below it tell more about, and its time.
        self.job: tuple[str, str] | None = None
        # The starts of answers already read together with their questions.
        self.answered: set[int] = set()
        # The heading above a block and what the document is about, where the block is about something else.
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
        self._top = next((line.strip(" :=~_*#-") for line in lines if _is_title(line)), None)
        # The headings that are shown: the title of a page may be that of its site.
        self._heads = [self.of(block) for block in passage.blocks if block.kind in ("title", "heading")]
        # Whether all headings are questions, also the title.
        self.asks = bool(self._heads) and all(head.rstrip().endswith("?") for head in self._heads)
        # The number of items of the list of the block.
        self.run = 0
        self._is_shown = cache(lambda subject: any(subject in head for head in self._heads))
        self.is_titled = has_title and any(head.casefold().startswith(top) for head in self._heads for top in tops)
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
        if len(named) == 2:
            return " ".join(named[label] for label in sorted(named, key=lambda one: one[:2] in ("su", "la", "fa")))
        lines = [one.partition("\n")[0] for one in opening]
        for line in [*(block.path[0] for block in self.passage.blocks[:1] if block.path), *lines]:
            name = next((part for part in _PARTS.split(_RESUME.sub("", line).strip(" -–:")) if part), "")
            low = set(name.lower().split())
            if _PERSON.fullmatch(name) and GENERAL.isdisjoint(low) and ORGANIZATIONS.isdisjoint(low):
                return name
        return None

    def about(self, path: Sequence[str]) -> str | None:
        """The subject of the lines below some headings."""
        if self.person is not None:
            return self.person
        if self.is_mail:
            # The subject of a mail is what it is about, whatever its words name.
            return _lowest_named(path[1:]) or (_whole(path[0]) if path else None) or self.subject
        own = _lowest_named(path[1:]) if self.titles == 2 and len(path) > 1 else None
        if own is not None and not GENERAL.isdisjoint(own.lower().split()):
            # *Questions guests ask* is about the place that the title of the page names.
            site = _lowest_named(path[:1])
            own = site if site and names_something(site) else own
        if own is None and self.opening is not None and not self.is_titled and self._opens(path):
            return self.subject or self.opening
        return own or subject_of(path if self.titles else ("", *path)) or self.subject or self.opening

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
            self.job = None
        run = self.run = self._runs.get(block.start, 0)
        heading = self.lead or (block.path[-1].strip(" :=~_*#-") if len(block.path) > bool(self.titles) else None)
        title = _whole(block.path[0]) if block.path and self.titles else self.opening or self._top
        above = [head.strip(" :=~_*#-") for head in block.path[bool(self.titles) :][::-1]]
        self.contexts = tuple(dict.fromkeys(filter(None, (heading, *above, title))))[:_MOST_CONTEXTS]
        voice = "turn" if block.kind == "turn" else "mail" if block.audience or block.speaker else "page"
        self.signs = [f"block {block.kind} {voice}", f"run {size(run)}"]
        self.signs += [*(about("heading", heading) if heading else ()), *(["lead"] if self.lead else [])]
        if heading or len(self.passage.blocks) >= _OPENING_BLOCKS:
            # A line that is all of a document lacks no context.
            self.signs += [f"titles {self.titles}", f"lines {size(self.of(block).count(chr(10)))}"]
            self.signs += [f"depth {min(len(block.path), 4)}", f"contexts {len(self.contexts)}"]
            self.signs += [] if heading else ["no heading"]
        self.signs += ["labels"] if any(block.labels) else []
        self.signs += ["cv"] if self.is_cv else []

    def subject_signs(self, subject: str) -> Iterator[str]:
        """The places where an implied subject is from, and whether it names something."""
        yield "subject is opening" if subject in (self.subject, self.opening) else "subject is heading"
        if self._is_shown(subject):
            yield "subject is shown"
        if names_something(subject):
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


def is_sentence(text: str) -> bool:
    """Whether a value is long and ends as a sentence does, with a verb or more words than a remark has."""
    size = len(text.split())
    if size < _LEAST_WORDS or _SENTENCE_END.search(text) is None:
        return False
    return size >= _MANY_WORDS or has_verb(text)


def has_verb(text: str) -> bool:
    """Whether one of the frequent verbs or pronouns is in a text."""
    return not VERBS.isdisjoint(text.lower().split())


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
        for context in self._text.contexts if rule not in _OUT_OF_CONTEXT else ():
            # An answer is not below its question.
            if not (_is_told(context, parts) or (rule.startswith("faq/") and context.endswith("?"))):
                parts.append(self.part(context, CONTEXT))
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


def in_context(subject: str | None) -> tuple[str, str] | None:
    """The subject of a document as the context of a tuple about something else."""
    return None if subject is None else (subject, CONTEXT)


def _is_title(line: str) -> bool:
    """Whether a line may be a title that is not set off: short, no sentence, and no label with its value."""
    size = len(line.split())
    return (
        0 < size <= _LONGEST_TITLE
        and _NO_TITLE.search(line) is None
        and (": " not in line or (size >= _LEAST_WORDS and len(line.partition(": ")[0].split()) > 2))
    )


def _is_told(context: str, parts: Sequence[Argument]) -> bool:
    """Whether the words of a heading are in a tuple already."""
    told = " ".join(part.text for part in parts).casefold()
    return all(word in told for word in context.casefold().split()) or len(context.split()) > _LONGEST_TITLE


def _is_place(wording: Wording) -> bool:
    return isinstance(wording, tuple) and len(wording) == 2 and all(isinstance(item, int) for item in wording)


def _has_role(one: Wording | tuple[Wording, str] | None) -> bool:
    return isinstance(one, tuple) and len(one) == 2 and isinstance(one[1], str) and not isinstance(one[0], int)


def subject_of(path: Sequence[str]) -> str | None:
    """The subject of a block: the lowest heading above it that names something, else the title.

    >>> subject_of(("Ann Lee – Curriculum Vitae", "Work experience")), subject_of(("Price list",))
    ('Ann Lee', 'Price list')
    """
    if (name := _lowest_named(path)) is not None:
        return name
    title = _RESUME.sub("", path[0]).strip(" -–:") if path else ""
    return title if 1 < len(title.split()) <= _LONGEST_NAME and not title.endswith("?") else None


def _lowest_named(path: Sequence[str]) -> str | None:
    for level in range(len(path) - 1, -1, -1):
        if level and _DATED.search(path[level]):
            # A meeting, a job or a period, not a thing.
            continue
        if (name := _named(path[level], level)) is not None:
            return name
    return None


@cache
def _whole(title: str) -> str | None:
    """A title as a context: all of it, or what it names where it is long."""
    return title.strip(" :") if len(title.split()) <= _LONGEST_TITLE else subject_of((title,))


def names_something(heading: str) -> bool:
    """Whether a heading is the name of a thing, not that of a section: *The Glass Orchard*."""
    return _named(heading, 1) is not None


@cache
def is_general(heading: str) -> bool:
    """Whether a heading only says what kind of things is below it: *Contact*, *Technical data*, *Opening hours*."""
    low = [word.strip(".,()&:").lower() for word in _NUMBERING.sub("", heading).split()]
    low = [word for word in low if word.isalpha()]
    return not low or low[-1] in GENERAL or (len(low) > 1 and low[0] in GENERAL and low[1] in LINKING)


def is_kind(title: str) -> bool:
    """Whether a title is that of a kind of document, not a name: *Annual report 2023*."""
    return is_general(title) and any(map(str.isalpha, title.split()))


@cache
def _named(heading: str, level: int) -> str | None:
    """The part of a heading that names something: not a kind of section, no question and no number.

    A title may be any words; below it, a heading of ordinary words is a section.
    """
    if heading.endswith("?") or len(heading.split()) > _LONGEST_NAME:
        return None
    for part in _PARTS.split(_CONTACT.sub(" | ", _RESUME.sub(" ", heading))):
        part = _ABOUT.sub("", _NUMBERING.sub("", part.strip(" ()-–|,:")))
        low = [word.strip(".,()&").lower() for word in part.split()]
        low = [word for word in low if word and not word.isdigit()]
        if level == 0 and f"{part}: " in heading and sum(map(str.istitle, part.split())) < 2:
            # "Model card: leaf-net-2" is not about a model card.
            continue
        if level == 0 and len(low) > 1 and low[-1] in _DOCUMENTS and low[0] not in GENERAL and part[:1].isupper():
            # "Acme FAQ" is about Acme.
            low.pop()
            part = part.rpartition(" ")[0]
        if not low or low[-1] in GENERAL or (low[0] in GENERAL and low[1:2] and low[1] in LINKING):
            continue
        if all(word in CALENDAR for word in low):
            continue
        capitals = [one for one in part.split() if one.lower() != one and one.lower().strip(".,()") not in CALENDAR]
        is_section = low[0] in _OPENING or len(capitals) < 2
        if not capitals or (level and (is_section or part.isupper())):
            # Below the title, capitals throughout are how sections are written.
            continue
        return part
    return None


def is_person(name: str) -> bool:
    """Whether words may name a person: a known first name or a title is first, or several words have capitals."""
    first, *others = name.lower().split()
    if first.rstrip(".") in _TITLES or first in FEMALE_NAMES or first in MALE_NAMES:
        return True
    return bool(others) and not name.isupper() and GENERAL.isdisjoint([first, *others]) and name.istitle()


class Labelled(NamedTuple):
    """A label and a value with their places."""

    label: str
    label_place: Place
    value: Place


def place_of(match: re.Match[str], group: str | int, start: int) -> Place:
    """The place of a group of a match in a text that begins at `start`."""
    return start + match.start(group), start + match.end(group)


def has_word(text: str, known: frozenset[str]) -> bool:
    """Whether some of the known words are in a text."""
    return not known.isdisjoint(WORD.findall(text.lower()))


def between(gaps: Iterable[re.Match[str]], begin: int, end: int) -> Iterator[Place]:
    """The stretches between gaps."""
    for gap in gaps:
        yield begin, gap.start()
        begin = gap.end()
    yield begin, end


def lowered(label: str) -> str:
    """A label within a phrase: *Price* is *price*, *CEO* stays."""
    return " ".join(
        word if word[1:2].isupper() or len(word) == 1 or any(map(str.isdigit, word)) else word.lower()
        for word in label.replace("_", " ").split()
    )
