"""Pronouns and short names in sentences of a parser without coreference, where it is safe to resolve them.

Only people are found, and only when the text leaves one choice:

- a short name (*Lee*) refers to the only earlier, longer name of a person that begins or ends with it;
- *he* and *she* refer to the only person named in this sentence or the one before whose gender, as far as a title, a
  given name or an earlier pronoun reveals it, agrees; when there are several, for the subject of the sentence before,
  provided that no other person has been named since. If an unnamed person (*the driver*, *her father*) may be meant
  as well, the pronoun stays unresolved.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tupelo.core import Analysis
from tupelo.nlp.languages.en.naming import FEMALE_NAMES, FEMALE_TITLES, MALE_NAMES, MALE_TITLES, PERSON_NOUNS, TITLES
from tupelo.nlp.parts import make_part
from tupelo.nlp.syntax import DependencyTree

_MALE = frozenset(["he", "him", "himself"])
_FEMALE = frozenset(["she", "her", "herself"])
# Number of sentences back in which a person still counts as recently named.
_WINDOW = 1


@dataclass(slots=True)
class _Person:
    """A person in a document: the fullest name so far, and what is known about them."""

    name: str
    words: tuple[str, ...]
    gender: str | None = None
    last_sentence: int = -2
    last_subject: int = -2
    # The last sentence in which the name itself occurred.
    named: int = -1


@dataclass(slots=True)
class _Document:
    """The people and pronouns seen so far in one document."""

    # By the words of the fullest name, and by those with which longer names begin or end.
    people: dict[tuple[str, ...], _Person] = field(default_factory=dict)
    longer: dict[tuple[str, ...], list[_Person]] = field(default_factory=dict)
    # The people of this sentence and of the one before.
    recent: list[_Person] = field(default_factory=list)
    sentences: int = 0

    def add(self, person: _Person) -> None:
        self.people[person.words] = person
        size = len(person.words)
        for words in {part for cut in range(1, size) for part in (person.words[:cut], person.words[-cut:])}:
            self.longer.setdefault(words, []).append(person)

    # The last sentence that mentioned an unnamed person.
    nameless: int = -2
    # The last sentence with an unresolved pronoun, by gender.
    unclear: dict[str, int] = field(default_factory=dict)


def meanings_by_rules(analyses: Sequence[Analysis]) -> list[dict[tuple[int, ...], str]]:
    """For each sentence, in order: the people that its pronouns and short names refer to, by their words.

    Sentences with the same `document_id` belong to one document.
    """
    documents: dict[str | None, _Document] = {}
    return [_read(analysis, documents.setdefault(analysis.document_id, _Document())) for analysis in analyses]


def _read(analysis: Analysis, document: _Document) -> dict[tuple[int, ...], str]:
    """The referents of the pronouns and short names of a sentence, by their words; adds its names to the document."""
    tree = DependencyTree(analysis)
    meanings: dict[tuple[int, ...], str] = {}
    number = document.sentences
    document.sentences += 1
    document.recent = [person for person in document.recent if number - person.last_sentence <= _WINDOW]
    names = {entity.start: entity.end for entity in analysis.entities or () if entity.label == "person"}
    nameless = False
    for index in range(tree.size):
        word = tree.lowered[index]
        if index in names:
            tokens = tuple(range(index, names[index]))
            full = _learn(tree, tokens, document, number)
            if full is not None:
                meanings[tokens] = full
        elif word in _MALE or word in _FEMALE:
            # "her" before a noun is a possessive, not an argument.
            if tree.labels[index] == "nmod:poss":
                continue
            gender = "m" if word in _MALE else "f"
            safe = not nameless and document.nameless != number - 1
            person = _person_meant(tree, index, document, number, gender) if safe else None
            if person is None:
                document.unclear[gender] = number
            else:
                meanings[(index,)] = person.name
                _mention(tree, index, person, number, document)
        elif tree.lemmas[index] in PERSON_NOUNS and not _describes_known_person(tree, index):
            nameless = True
    if nameless:
        document.nameless = number
    return meanings


def _describes_known_person(tree: DependencyTree, index: int) -> bool:
    """A noun that describes a named person, or is a mere modifier, introduces no new person."""
    return (
        tree.child(index, "cop", "appos") is not None
        or tree.base[index]
        in (
            "appos",
            "compound",
            "flat",
            "xcomp",
            "amod",
            "nummod",
            "det",
        )
        or tree.labels[index] == "nmod:desc"
    )


def _person_meant(tree: DependencyTree, index: int, document: _Document, number: int, gender: str) -> _Person | None:
    near = [person for person in document.recent if person.gender in (None, gender)]
    subjects = [person for person in near if number - person.last_subject <= _WINDOW]
    if len(subjects) != 1:
        return None
    chosen = subjects[0]
    others_since = any(person.last_sentence == number for person in near if person is not chosen)
    if len(near) > 1 and (tree.base[index] != "nsubj" or others_since):
        return None
    if document.unclear.get(gender, -2) >= chosen.named:
        # The same pronoun referred to somebody else after this person was named.
        return None
    if chosen.last_sentence == number and _same_clause(tree, index, chosen):
        return None
    chosen.gender = gender
    return chosen


def _same_clause(tree: DependencyTree, index: int, person: _Person) -> bool:
    """*John saw him*: the subject and the object of one verb are two people, unless the pronoun is reflexive."""
    if tree.lowered[index].endswith("self"):
        return False
    head = tree.heads[index]
    for other in tree.below[head] if head is not None else ():
        if other != index and tree.words[other].text in person.words:
            return True
    return False


def _mention(tree: DependencyTree, index: int, person: _Person, number: int, document: _Document) -> None:
    if number - person.last_sentence > _WINDOW:
        document.recent.append(person)
    person.last_sentence = number
    if tree.base[index] == "nsubj":
        person.last_subject = number


def _learn(tree: DependencyTree, tokens: tuple[int, ...], document: _Document, number: int) -> str | None:
    """Record a name; return the longer name that it refers to, if any."""
    titles = {tree.lowered[token] for token in tokens if tree.lowered[token] in TITLES}
    if tokens[0] > 0:
        titles.add(tree.lowered[tokens[0] - 1])
    named = [token for token in tokens if tree.lowered[token] not in TITLES and tree.tag(token) != "POS"]
    words = tuple(tree.words[token].text for token in named)
    if not words or not words[0][:1].isupper():
        return None
    longer = document.longer.get(words, ())
    if len(longer) > 1:
        return None
    person = longer[0] if longer else document.people.get(words)
    if person is None:
        given = words[0].lower()
        gender = "m" if given in MALE_NAMES else "f" if given in FEMALE_NAMES else None
        person = _Person(make_part(tree.analysis, named).text, words, gender)
        document.add(person)
    if titles & MALE_TITLES:
        person.gender = "m"
    elif titles & FEMALE_TITLES:
        person.gender = "f"
    head = tree.head_of(tokens)
    person.named = number
    _mention(tree, tokens[0] if head is None else head, person, number, document)
    return person.name if longer else None
