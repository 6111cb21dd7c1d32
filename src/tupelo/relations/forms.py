"""Plain forms of relation phrases with their direction, and families of plain forms.

The plain form has no tense, articles, neutral adverbs (*also*, *later*) or praise (*a famous pupil of*), and one
spelling; *served as captain of* is *was captain of*, *a town of* is *a town in*. A
passive with an agent is its active, turned, as is *bought a farm from* of *sold a farm to*.
Families of plain forms that mean the same, possibly with the arguments exchanged, are a table of the language
(`languages/en/relation_families.txt`, and derived from it `plain_families.txt`).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import compress

from tupelo.nlp.languages import language_text
from tupelo.nlp.languages.en import relation_words as lexicon
from tupelo.nlp.languages.en.grammar import (
    AFTERWARDS,
    ARTICLES,
    FORMS_OF_BE,
    FORMS_OF_HAVE,
    MODALS,
    NEGATING_ADVERBS,
    PAST_AUXILIARIES,
    PREPOSITIONS,
)
from tupelo.relations.phrases import base_form, base_relation, is_participle, phrase_words, read_phrase

_FILE = "relation_families.txt"
# The same families in plain forms; to find these for 16,000 phrases takes more than a second.
_PLAIN_FILE = "plain_families.txt"
# Only after a stem of two letters or more: *rise* and *four* stay.
_SPELLINGS = (
    (re.compile(r"(?<=[a-z]{3})is(?=(?:e|ation)$)"), "iz"),
    (re.compile(r"(?<=[a-z]{3})ys(?=e$)"), "yz"),
    (re.compile(r"(?<=[a-z]{2})our(?=$|hood$|ite$|able$)"), "or"),
    (re.compile(r"^(co|re)-(?=[a-z])"), r"\1"),
)
# Words that are possible before the *be* of a passive, unlike *said that it was bought by*.
_AUXILIARIES = FORMS_OF_BE | FORMS_OF_HAVE | MODALS | lexicon.HEDGES


@dataclass(frozen=True, slots=True)
class PlainForm:
    """`key` is the form that wordings share; `turned` if subject and object are exchanged compared with it."""

    key: str
    turned: bool


@dataclass(frozen=True, slots=True)
class Manner:
    """Properties that change the fact: polarity, modals, attempts and intentions, hedges, the tense of states."""

    negated: bool
    modals: frozenset[str]
    staged: tuple[bool, bool]
    hedges: frozenset[str]
    past: bool


@dataclass(frozen=True, slots=True)
class Families:
    """For each plain form its families, each with whether it is on their exchanged side.

    `kinds` has the kinds of the arguments of a family, if restricted, before they are exchanged. `symmetric` families
    hold in both directions, `events` are families of single events, so that *is* and *was the founder of* are the
    same.
    """

    of: Mapping[str, frozenset[tuple[int, bool]]]
    kinds: Mapping[int, tuple[frozenset[str], frozenset[str]]]
    symmetric: frozenset[int]
    events: frozenset[int]


@lru_cache(maxsize=50_000)
def plain_form(text: str) -> PlainForm:
    """The plain form of a relation phrase.

    >>> plain_form("was later written by"), plain_form("had also been a famous pupil of the")
    (PlainForm(key='write', turned=True), PlainForm(key='be pupil of', turned=False))
    """
    words = _words(text)
    if not words:
        return PlainForm(" ".join(text.casefold().split()), False)
    # The first word is the verb: *celebrated winning*.
    is_kept = [not place or not _says_nothing(*words[place : place + 2]) for place in range(len(words))]
    words = list(compress(words, is_kept))
    if len(words) > 1 and (
        (words[0] in lexicon.BARE_PARTICIPLES and words[1] in PREPOSITIONS) or _is_bare_agent(words)
    ):
        words.insert(0, "is")
    if active := _active(words):
        return PlainForm(_one_word(active), True)
    bases = base_relation(" ".join(words)).split()
    if bases[0] == "be" and bases[1:2] and bases[1] in lexicon.VERBS_OF_ROLES:
        bases[1] = next((word for word in words if word != bases[1] and is_participle(word)), bases[1])
    for verb in lexicon.IMPLYING_VERBS:
        if bases[: len(verb)] == verb and len(bases) > len(verb):
            bases = bases[len(verb) :]
    if bases[0] == "be" and len(bases) > 3 and bases[-2] in ("locate", "situate"):
        del bases[-2]
    if bases[0] in lexicon.ROLE_VERBS and bases[1:2] == ["as"] and len(bases) > 3:
        bases = ["be", *bases[2:]]
    if bases[:4] == ["be", "one", "of", "member"]:
        del bases[1:3]
    if bases[0] == "be" and len(bases) > 2:
        if bases[-2] in lexicon.PLACE_NOUNS and bases[-1] in ("of", "within"):
            bases[-1] = "in"
        elif bases[-2] in lexicon.WORK_NOUNS and bases[-1] == "by":
            bases[-1] = "of"
    if converse := _converse(bases):
        return PlainForm(_one_word(" ".join(converse)), True)
    return PlainForm(_one_word(" ".join(bases)), False)


@lru_cache(maxsize=50_000)
def manner(text: str) -> Manner:
    words = _words(text)
    phrase = read_phrase(" ".join(words))
    following = (*words[1:], "")
    return Manner(
        negated=any(word in NEGATING_ADVERBS for word in words),
        modals=frozenset(
            word
            for word, after in zip(words, following, strict=False)
            if word in MODALS or (word == "need" and after in NEGATING_ADVERBS)
        ),
        staged=(phrase.staged, "to" in words[:-1] and words[:2] != ["used", "to"]),
        hedges=lexicon.HEDGES.intersection(phrase.bases) | lexicon.HEDGES.intersection(words),
        past=not PAST_AUXILIARIES.isdisjoint(words) if phrase.copular else phrase.past and lasts(text),
    )


def lasts(text: str) -> bool:
    """Whether the tense of a verb matters: *owned* does not imply *owns*; except *a firm owned by*."""
    phrase, key = read_phrase(text), plain_form(text).key
    verbs = key.split()[:2]
    verb = verbs[-1 if phrase.passive and verbs[0] == "be" else 0]
    return verb in lexicon.LASTING_VERBS and key not in lexicon.NOT_LASTING and not _is_bare_agent(phrase.words)


def is_former(text: str) -> bool:
    """Whether a wording states that something is over."""
    words = read_phrase(text).words
    return (
        not lexicon.FORMER.isdisjoint(words)
        or any(map(_is_ex, words))
        or words[:2] == ("used", "to")
        or words[1:3] == ("no", "longer")
    )


@lru_cache(maxsize=1)
def families() -> Families:
    of: dict[str, set[tuple[int, bool]]] = defaultdict(set)
    verbs: dict[str, set[int]] = defaultdict(set)
    kinds: dict[int, tuple[frozenset[str], frozenset[str]]] = {}
    symmetric = set()
    for number, line in enumerate(language_text(_PLAIN_FILE).splitlines()[1:]):
        if line.startswith("~"):
            symmetric.add(number)
        line, _, said_of = line.partition("@")
        if said_of:
            first, second = (frozenset(side.split()) for side in said_of.split(">"))
            kinds[number] = first, second
        for exchanged, side in enumerate(line.lstrip("~").split("<>")):
            for form in side.split(";"):
                key = form.lstrip("!")
                of[key].add((number, bool(exchanged) != (key != form)))
                if key == form and " " not in key:
                    verbs[key].add(number)
    events = frozenset(
        number for verb, numbers in verbs.items() if verb not in lexicon.STATE_VERBS for number in numbers
    )
    return Families({key: frozenset(found) for key, found in of.items()}, kinds, frozenset(symmetric), events)


def plain_families() -> str:
    """The table of families with the plain forms of its phrases, those that are turned after an exclamation mark."""
    found = ["# Made from relation_families.txt by python -m tools.families; change that file."]
    for line in _lines("", "~"):
        phrases, at, said_of = line.lstrip("~ ").partition("@")
        sides = [[plain_form(phrase) for phrase in side.split(";")] for side in phrases.split("<>")]
        keys = [dict.fromkeys(f"{'!' * form.turned}{form.key}" for form in side) for side in sides]
        found.append(f"{'~' * line.startswith('~')}{'<>'.join(map(';'.join, keys))}{at}{said_of.strip()}")
    return "\n".join(found) + "\n"


def _lines(*marks: str) -> Iterator[str]:
    """The lines of the table that begin with one of these marks; the empty mark is for lines without any."""
    for line in language_text(_FILE).splitlines():
        if line and line[0] != "#" and (line[0] if line[0] in "~=" else "") in marks:
            yield line


def _words(text: str) -> list[str]:
    """The words of a phrase, with time, polarity and modality in uniform words.

    *is going to* is *will*, *would later* the past, *used to be* is *was*, *was unable to* is *could not*, *started
    doing* is *began to do*, *served as* is *was*.
    """
    said = phrase_words(text)
    if not said:
        return []
    happened = "would" in said and not AFTERWARDS.isdisjoint(said)
    words = [word for word in said if word not in lexicon.NEUTRAL_ADVERBS and not (happened and word == "would")]
    words = [part for word in words or said for part in (("former", word[3:]) if _is_ex(word) else (word,))]
    words = _staged(_denied(_reworded(words)))
    if words[0] in lexicon.PRESENT_BE and words[1:2] == ["to"] and len(words) > 2:
        words[:2] = ["will"]
    if _held(words):
        words[:2] = ["was"]
    if words[0] in lexicon.PRESENT_BE and "former" in words[1:3]:
        words[0] = "was"
        words.remove("former")
    elif words[0] in lexicon.PRESENT_BE and words[1:3] == ["no", "longer"] and not ARTICLES.isdisjoint(words[3:4]):
        words[:3] = ["was"]
    return words


def _is_ex(word: str) -> bool:
    return word.startswith("ex-") and len(word) > 3


@lru_cache(maxsize=1)
def _rewordings() -> Mapping[tuple[str, ...], tuple[str, ...]]:
    """Sequences of words, each with its representative."""
    return {
        _as_listed(wording.split()): tuple(first.split())
        for first, *wordings in lexicon.REWORDINGS
        for wording in wordings
    }


def _as_listed(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(lexicon.AS_LISTED.get(word, word) for word in words)


def _reworded(words: Sequence[str]) -> list[str]:
    """Words with each sequence of the table, the longest first, replaced by its representative."""
    table = _rewordings()
    longest = max(map(len, table))
    found: list[str] = []
    place = 0
    while place < len(words):
        listed = _as_listed(words[place : place + longest])
        for length in range(len(listed), 0, -1):
            last = listed[length - 1]
            is_verb = last.endswith("ing") and base_form(last) != last
            first = table.get((*listed[: length - 1], "-ing")) if is_verb else table.get(listed[:length])
            # Not *is set to* a number.
            if first is not None and (last != "to" or place + length < len(words)):
                found += [base_form(last) if word == "-" else word for word in first]
                place += length
                break
        else:
            found.append("not" if listed[0] == "not" else words[place])
            place += 1
    return found


def _denied(words: list[str]) -> list[str]:
    """*does not pose danger to* for *poses no danger to*, but *is no longer in* and *said no to*."""
    for place, (before, word, after) in enumerate(zip(words, words[1:], [*words[2:], ""], strict=False)):
        if word == "no" and after != "longer" and PREPOSITIONS.isdisjoint((before, after)):
            denied = [before, "not"] if before in FORMS_OF_BE else ["did", "not", base_form(before)]
            return [*words[:place], *denied, *words[place + 2 :]]
    return words


def _held(words: Sequence[str]) -> bool:
    """Whether words state a role: *served as captain of*."""
    return (
        len(words) > 3
        and words[1] == "as"
        and words[-1] in PREPOSITIONS
        and words[0].endswith("ed")
        and base_form(words[0]) in lexicon.ROLE_VERBS
    )


def _staged(words: list[str]) -> list[str]:
    """*began to write* for *started writing*, *finish to write* for *completed the writing of*."""
    for place, word in enumerate(words):
        verb, rest = base_form(word), words[place + 1 :]
        stage = lexicon.STAGES.get(verb)
        if stage is None or word.endswith("ing"):
            continue
        # *continues to support*, as *still supports*, is *supports*.
        is_lasting = stage == "continue" and place == 0 and not word.endswith(("ed", "ept"))
        # *stopped the killing of*: the killing may be by somebody else.
        is_noun = rest[:1] == ["the"] and rest[-1] == "of" and stage in ("begin", "finish")
        done = rest[1:-1] if is_noun else rest
        if done and done[0].endswith("ing") and base_form(done[0]) != done[0]:
            doing = [base_form(done[0]), *done[1:]]
            return doing if is_lasting else [*words[:place], stage, "to", *doing]
        if rest[:1] == ["to"] and len(rest) > 1 and verb not in lexicon.NOT_BEFORE_TO:
            return rest[1:] if is_lasting else [*words[:place], stage, *rest]
    return words


@lru_cache(maxsize=1)
def _same_words() -> tuple[re.Pattern[str], Mapping[str, str]]:
    """A pattern of words, the longest first, and the representative of each."""
    found: dict[str, str] = {}
    for line in _lines("="):
        first, *others = (
            " ".join(_one_spelling(base_form(word)) for word in words.split()) for words in line[1:].split(";")
        )
        found |= dict.fromkeys(others, first)
    longest_first = sorted(found, key=lambda word: (-len(word), word))
    return re.compile(rf"(?<!\S)(?:{'|'.join(map(re.escape, longest_first))})(?!\S)"), found


@lru_cache(maxsize=50_000)
def _one_spelling(word: str) -> str:
    """*organise*, *labour* and *co-found* as *organize*, *labor* and *cofound*; the result need not be a word."""
    for british, american in _SPELLINGS:
        word = british.sub(american, word)
    return word


def _one_word(key: str) -> str:
    words, stands_for = _same_words()
    return words.sub(lambda found: stands_for[found[0]], " ".join(map(_one_spelling, key.split())))


def _says_nothing(word: str, after: str = "") -> bool:
    """Whether a word can be dropped; not that of *famous for* and *more famous than*."""
    return word in lexicon.DETAILS and after not in PREPOSITIONS | {"", "than"}


def _converse(bases: list[str]) -> list[str]:
    """The converse, arguments exchanged: *sell farm to* of *buy farm from*, *be more common than* of *be less*."""
    first, middle, last = bases[0], bases[1:-1], bases[-1]
    if first in lexicon.CONVERSES and middle and last == "from":
        return [lexicon.CONVERSES[first], *middle, "to"]
    if first in ("be", "have") and middle[1:] and middle[0] in ("less", "fewer") and last == "than":
        return [first, "more", *middle[1:], "than"]
    if first == "be" and middle[:2] in (["not", "as"], ["not", "so"]) and last == "as":
        return [first, "more", *middle[2:], "than"]
    return []


def _is_bare_agent(words: Sequence[str]) -> bool:
    return words[-1] == "by" and is_participle(words[0])


def _active(words: Sequence[str]) -> str | None:
    """The active of a passive that ends in *by*: *look after* of *was looked after by*."""
    plain = [word for word in words if word not in NEGATING_ADVERBS]
    be = [place for place, word in enumerate(plain[:-2]) if word in FORMS_OF_BE]
    if not be or plain[-1] != "by" or not _AUXILIARIES.issuperset(plain[: be[-1]]):
        return None
    verb, *particles = plain[be[-1] + 1 : -1]
    if not is_participle(verb) or base_form(verb) in lexicon.NO_AGENTS or not PREPOSITIONS.issuperset(particles):
        return None
    negations = [word for word in words if word in NEGATING_ADVERBS]
    return base_relation(" ".join((*negations, verb, *particles)))
