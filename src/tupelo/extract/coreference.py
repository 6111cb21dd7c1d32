"""Who is meant by *she*, and by a short name, where it is safe to say.

Only arguments that are nothing but a pronoun or a short name are resolved,
and only when the text leaves one choice:

- a short name (*Virtanen*) stands for the only longer name of the same kind
  that came before and contains it;
- *he* and *she* stand for the only person named shortly before whose gender,
  as far as a title or an earlier pronoun told it, agrees; when there are
  several, for the one who was the subject of the sentence before, provided
  that no other person has been named since.

The wording of the sentence is kept; `Argument.resolved` stands beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from tupelo.core import Analysis, Argument, Extraction
from tupelo.extract.tree import Tree

_MALE = frozenset(["he", "him", "himself"])
_FEMALE = frozenset(["she", "her", "herself"])
_MALE_TITLES = frozenset(["mr.", "mr", "sir", "lord", "king", "prince", "father", "duke", "baron", "pope", "uncle"])
_FEMALE_TITLES = frozenset(
    ["mrs.", "mrs", "ms.", "ms", "miss", "lady", "queen", "princess", "madam", "dame", "duchess", "baroness", "aunt"]
)
_TITLES = _MALE_TITLES | _FEMALE_TITLES | {"dr.", "dr", "president", "senator", "professor", "prof.", "gen.", "sen."}
_SHORT_NAMES = frozenset(["person", "organization", "place"])
# Sentences before the one of the pronoun in which a person counts as named shortly before.
_WINDOW = 2


@dataclass(slots=True)
class _Person:
    """Somebody in a document: the fullest name so far, and what is known about them."""

    name: str
    words: tuple[str, ...]
    gender: str | None = None
    last_sentence: int = -1
    last_subject: int = -1


@dataclass(slots=True)
class _Document:
    """What was read so far of one document."""

    people: list[_Person] = field(default_factory=list)
    names: dict[str, list[tuple[str, ...]]] = field(default_factory=dict)
    sentences: int = 0


def resolve(analyses: Sequence[Analysis], extractions: Sequence[list[Extraction]]) -> list[list[Extraction]]:
    """The tuples of sentences in order, with `resolved` on arguments that stand for a name given before.

    Sentences with the same `document_id` belong together.
    """
    documents: dict[str | None, _Document] = {}
    results: list[list[Extraction]] = []
    for analysis, found in zip(analyses, extractions, strict=True):
        document = documents.setdefault(analysis.document_id, _Document())
        meanings = _read(analysis, document)
        results.append([_rewrite(extraction, analysis, meanings) for extraction in found] if meanings else found)
    return results


def _read(analysis: Analysis, document: _Document) -> dict[tuple[int, ...], str]:
    """What the pronouns and short names of a sentence mean, by their words; the document learns its names."""
    tree = Tree(analysis)
    meanings: dict[tuple[int, ...], str] = {}
    number = document.sentences
    document.sentences += 1
    entities = {entity.start: entity for entity in analysis.entities or ()}
    for index in range(tree.size):
        word = tree.lower(index)
        if word in _MALE or word in _FEMALE:
            # "her" before a noun is an owner, not an argument.
            if tree.labels[index] == "nmod:poss":
                continue
            person = _person_meant(tree, index, document, number, "m" if word in _MALE else "f")
            if person is not None:
                meanings[(index,)] = person.name
                _mention(tree, index, person, number)
        elif index in entities and entities[index].label in _SHORT_NAMES:
            entity = entities[index]
            tokens = tuple(range(entity.start, entity.end))
            full = _learn(tree, tokens, entity.label, document, number)
            if full is not None:
                meanings[tokens] = full
    return meanings


def _person_meant(tree: Tree, index: int, document: _Document, number: int, gender: str) -> _Person | None:
    near = [
        person
        for person in document.people
        if number - person.last_sentence <= _WINDOW and person.gender in (None, gender)
    ]
    if not near:
        return None
    if len(near) == 1:
        chosen = near[0]
    else:
        known = [person for person in near if person.gender == gender]
        subjects = [person for person in near if person.last_subject == number - 1]
        since = [person for person in near if person.last_sentence == number]
        is_subject = tree.base[index] == "nsubj"
        if len(known) == 1 and not since:
            chosen = known[0]
        elif is_subject and len(subjects) == 1 and all(person is subjects[0] for person in since):
            chosen = subjects[0]
        else:
            return None
    if chosen.last_sentence == number and _same_clause(tree, index, chosen):
        return None
    chosen.gender = gender
    return chosen


def _same_clause(tree: Tree, index: int, person: _Person) -> bool:
    """*John saw him*: the subject and the object of one verb are two people, unless the pronoun is reflexive."""
    if tree.lower(index).endswith("self"):
        return False
    head = tree.heads[index]
    for other in tree.below[head] if head is not None else ():
        if other != index and tree.words[other].text in person.words:
            return True
    return False


def _mention(tree: Tree, index: int, person: _Person, number: int) -> None:
    person.last_sentence = number
    if tree.base[index] == "nsubj":
        person.last_subject = number


def _learn(tree: Tree, tokens: tuple[int, ...], label: str, document: _Document, number: int) -> str | None:
    """Takes note of a name; says which longer name it stands for, if one."""
    title = [tree.lower(token) for token in tokens if tree.lower(token) in _TITLES]
    if tokens[0] > 0 and tree.lower(tokens[0] - 1) in _TITLES:
        title.append(tree.lower(tokens[0] - 1))
    words = tuple(
        tree.words[token].text for token in tokens if tree.lower(token) not in _TITLES and tree.tag(token) != "POS"
    )
    if not words or not words[0][:1].isupper():
        return None
    known = document.names.setdefault(label, [])
    longer = [name for name in known if len(name) > len(words) and _stands_for(words, name, label)]
    full: str | None = None
    if len(longer) == 1:
        full = " ".join(longer[0])
        words = longer[0]
    elif not longer and words not in known:
        known.append(words)
    if label == "person" and len(longer) <= 1:
        person = next((one for one in document.people if one.words == words), None)
        if person is None:
            person = _Person(" ".join(words), words)
            document.people.append(person)
        if any(word in _MALE_TITLES for word in title):
            person.gender = "m"
        elif any(word in _FEMALE_TITLES for word in title):
            person.gender = "f"
        head = tree.head_of(tokens)
        _mention(tree, tokens[0] if head is None else head, person, number)
    return full


def _stands_for(short: tuple[str, ...], name: tuple[str, ...], label: str) -> bool:
    """A surname or a first name of a person; the first words of another name."""
    size = len(short)
    return name[:size] == short or (label == "person" and name[-size:] == short)


def _rewrite(extraction: Extraction, analysis: Analysis, meanings: dict[tuple[int, ...], str]) -> Extraction:
    arguments = [_resolved(argument, analysis, meanings) for argument in extraction.arguments]
    if not arguments or all(new is old for new, old in zip(arguments, extraction.arguments, strict=True)):
        return extraction
    return replace(extraction, arg1=arguments[0], args=tuple(arguments[1:]))


def _resolved(argument: Argument, analysis: Analysis, meanings: dict[tuple[int, ...], str]) -> Argument:
    tokens = argument.tokens
    if not tokens or argument.inferred:
        return argument
    start = 0
    while start < len(tokens) - 1 and analysis.words[tokens[start]].upos == "ADP":
        start += 1
    meaning = meanings.get(tokens[start:])
    if meaning is None:
        return argument
    before = "".join(f"{analysis.words[token].text} " for token in tokens[:start])
    return replace(argument, resolved=before + meaning)
