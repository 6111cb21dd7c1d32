"""The content of a text for a graph: referents, statements between them, and what users say of their identity."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tupelo.core.errors import InputError
from tupelo.core.extraction import SentenceTuples

# Reasons for which different mentions are linked to the same entity.
MERGE_REASONS = {
    "same name": "the same words, apart from case, accents, hyphens, articles and titles",
    "coreference": "a pronoun or description that the parser links to it",
    "short name": "a part of the full name",
    "initials": "a name with initials for some of its words",
    "acronym": "the first letters of the full name",
    "demonym": "an adjective or the name of the people of a place",
    "stated": "the text says so: *also known as*, a parenthesis after the full name",
    "nickname": "a usual short form of a first name",
    "alias table": "a table of names",
    "correction": "somebody said so",
}


@dataclass(frozen=True, slots=True)
class Anchor:
    """A phrase of a sentence that stands for something: words `[start, end)`, their `head`, and its `kind`.

    A `name` is a proper name, or an adjective made from one (*Kenyan*); a `concept` is a noun phrase for a thing or a
    kind of thing; a `value` is a date, an amount or a quality; a `statement` is a clause or a quotation.

    `label` is a type of `ENTITY_TYPES` for names and values (`quality` for the rest of these), of `MENTION_TYPES` for
    concepts and pronouns, empty for statements. `text` is the phrase as written, without articles. `referent` numbers
    what it is about in its passage; while links are read, it is `None` for values, statements and pronouns that
    nobody resolved.
    """

    start: int
    end: int
    head: int
    kind: str
    label: str
    text: str
    referent: int | None = None


@dataclass(frozen=True, slots=True)
class Naming:
    """A wording of a referent: its frequency, why it is taken for this referent, and how probably rightly."""

    text: str
    mentions: int
    reason: str
    probability: float = 1.0


@dataclass(frozen=True, slots=True)
class Referent:
    """The node of all anchors of a passage with the same number; `kind` is `entity`, `thing`, `concept` or `value`.

    `name` is its fullest name, `label` its type, `names` are its wordings, pronouns not among them; `mentions` counts
    all of its anchors. `descriptions` are nouns that the text calls it (*singer*, *company*), most frequent first;
    `place` is what a place lies in, by the text (*Texas* for *Paris, Texas*); `context` holds other names of its
    sentences, most frequent first. `key` is the form by which concepts, things and descriptions are compared.
    """

    number: int
    kind: str
    name: str
    label: str
    names: tuple[Naming, ...]
    mentions: int = 0
    descriptions: tuple[str, ...] = ()
    place: str | None = None
    context: tuple[str, ...] = ()
    key: str = ""


@dataclass(frozen=True, slots=True)
class Link:
    """A statement of a tuple between two anchors, by number.

    `relation` is worded for people, from subject to object: *is chairman of*. `key` is its base form, which
    identifies the relation. `tuple` is the number of the tuple in its sentence; `beside` are the numbers of its
    arguments, 0 the first, that say when, where or with what else the link holds. `rank` is how probably a reader
    would keep it, relative to links of its kind.
    """

    tuple: int
    subject: int
    object: int
    relation: str
    key: str
    confidence: float | None = None
    beside: Sequence[int] = ()
    rank: float = 0.5


@dataclass(frozen=True, slots=True)
class LinkProperty:
    """A property of a schema that a link, by number, shares its meaning with.

    `turned` where it holds from the object of the link to its subject; `probability` is how probably the text states
    it.
    """

    link: int
    property: str
    name: str
    turned: bool
    probability: float


@dataclass(frozen=True, slots=True)
class LinkedSentence:
    """A sentence with its tuples, the things in it, and the links between them.

    `parts` has, for each tuple, the anchor of every argument, `None` where it stands for nothing in a graph.
    `unlinked` has, for each tuple, why no link was made of it, `None` where one was; `texts` has each as a sentence,
    `told` with the words before it that its pronouns point to.
    """

    tuples: SentenceTuples
    anchors: Sequence[Anchor] = ()
    links: Sequence[Link] = ()
    parts: Sequence[Sequence[int | None]] = ()
    unlinked: Sequence[str | None] = ()
    texts: Sequence[str] = ()
    told: Sequence[str] = ()


VERDICTS = {"same": "two names mean one thing", "different": "two names mean two things"}


# The rule of two names that never mean the same thing.
NEVER = "never"


@dataclass(frozen=True, slots=True)
class Alias:
    """A name that stands for another one, and the type of the thing, where given.

    Of several entries for one alias, each is for things of its type. With the rule `never`, the two names never mean
    the same thing.
    """

    canonical: str
    alias: str
    label: str | None = None
    rule: str | None = None


@dataclass(frozen=True, slots=True)
class Correction:
    """Two names and a verdict of `VERDICTS`; each means one document only, where a source is given."""

    verdict: str
    first: str
    second: str
    first_source: str | None = None
    second_source: str | None = None

    @classmethod
    def of(cls, verdict: str, first: str, second: str) -> Correction:
        """A correction of names as people write them, perhaps with `@` and a source.

        >>> Correction.of("different", "Paris@travel.txt", "Paris@news.txt").sides
        (('Paris', 'travel.txt'), ('Paris', 'news.txt'))
        """
        (one, one_source), (other, other_source) = _name_and_source(first), _name_and_source(second)
        return cls(verdict, one, other, one_source, other_source)

    @property
    def sides(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """The names with their sources, empty for all documents."""
        return (self.first, self.first_source or ""), (self.second, self.second_source or "")

    @property
    def written(self) -> tuple[str, str, str]:
        """Verdict and names as `of` takes them.

        >>> Correction.of("same", "Obama@a.txt", "Barack Obama").written
        ('same', 'Obama@a.txt', 'Barack Obama')
        """
        first, second = (f"{name}@{source}" if source else name for name, source in self.sides)
        return self.verdict, first, second


def _name_and_source(text: str) -> tuple[str, str | None]:
    # The first character belongs to the name: *@tupelo*.
    at = text.find("@", 1)
    name, source = (text, "") if at < 0 else (text[:at], text[at + 1 :])
    if not name.strip() or (at >= 0 and not source):
        raise InputError(f"'{text}', expected a name, or a name and a source: Paris@travel.txt")
    return name.strip(), source or None
