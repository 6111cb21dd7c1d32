"""Claims: what the tuples of documents say, in a form in which two of them can be compared.

A claim has a verb, the nodes that take part, numbers with their units, a time and a polarity. *The company* in one
document is compared as the organization that the document named last, and *the terminal* as any terminal of another
document that shares names with this one.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from itertools import combinations, takewhile
from typing import Any, NamedTuple, TypeAlias

from tupelo.core.shipped import declared, queries
from tupelo.graph.store.file import Store
from tupelo.graph.store.validity import Validity
from tupelo.nlp.kinds import kind_and_wider, kinds_of, own_nouns, singular
from tupelo.nlp.languages.en import grammar
from tupelo.nlp.languages.en.quantities import UNITS
from tupelo.nlp.languages.en.relation_words import ANTONYMS, NEUTRAL_ADVERBS, OPPOSITES
from tupelo.nlp.values import Number, values_in, words_of
from tupelo.relations.forms import families
from tupelo.relations.phrases import base_form, is_participle, read_phrase

_SQL = queries(__name__)
_FITTED = declared(__name__, "conflicts.toml")
WORDS = {name: frozenset(words.split(", ")) for name, words in _FITTED["words"].items()}
_DIMENSIONS = {word: name for name, words in _FITTED["dimensions"].items() for word in words.split()}
_ADVERBS = NEUTRAL_ADVERBS | WORDS["adverbs"]
# Claims of one participant that are compared with each other.
_MOST = 400
# Names of organizations before a description, among which the commonest is meant.
_RECENT = 2
_DEFINITE = grammar.POSSESSIVES | {"the", "this", "that"}
_PLAN = re.compile(r"(?:\w+ ){0,2}(?:plans?|intentions?) (?:to|of) (?P<verb>\w+) (?P<what>.+)")
# The words of the names in two documents.
Names: TypeAlias = tuple[set[str], set[str]]


class Participant(NamedTuple):
    """A node that takes part in a claim: its key for comparison, its head noun, the names in its words.

    `called` are the capitalized words by which the sentence calls an entity.
    """

    node_id: str
    name: str
    kind: str
    label: str
    key: str
    head: str = ""
    names: frozenset[str] = frozenset()
    preposition: str = ""
    called: frozenset[str] = frozenset()

    def same(self, other: Participant, names: Names) -> bool:
        """Whether two participants may be the same, by the words of names in their documents.

        Things with the same noun may, where their documents share names, and the names in one are known in the other.
        """
        if self.key != other.key:
            return self.maybe(other) or self._calls(other, names[1]) or other._calls(self, names[0])
        if "(" not in self.key:
            return True
        if self.names and other.names:
            return not self.names.isdisjoint(other.names)
        if "abstract" in (self.label, other.label):
            return False
        return not names[0].isdisjoint(names[1]) and self.names <= names[1] and other.names <= names[0]

    def _calls(self, named: Participant, names: set[str]) -> bool:
        """Whether a thing may be an entity by its noun: *the theatre* is *Corvina Theatre*."""
        if named.kind != "entity" or self.kind != "thing" or self.key != f"{self.head} (thing)":
            return False
        return self.head in _nouns_of(named.name) and self.names <= names

    def maybe(self, other: Participant) -> bool:
        """Whether two entities may be one that was not recognized.

        *Draxby*, taken for a person, may be *Draxby Instruments*; of two of one sort, *York* is not *New York*.
        """
        if not self.kind == other.kind == "entity":
            return False
        mine, its = name_words(self.name), name_words(other.name)
        if not (mine and its):
            return False
        if self.label == other.label:
            return self.label != "person" and mine == its
        return mine <= its or its <= mine or frozenset() < self.called < its or frozenset() < other.called < mine


_nouns_of = lru_cache(maxsize=50_000)(own_nouns)


@lru_cache(maxsize=50_000)
def name_words(name: str) -> frozenset[str]:
    """The capitalized words of a name."""
    return frozenset(word for word in words_of(name) if word[:1].isupper() and len(word) > 2)


class Amount(NamedTuple):
    """A number with what it counts or measures: a currency, *percent*, a dimension and its adjective, or a noun."""

    number: Number
    of: str
    preposition: str
    text: str


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim of a tuple. `actor` does it, `target` is what it is done to; of a state, `actor` is in it.

    `day` is that of the document; `verb` is in its base form, *be* or *have* with the noun of a role or a property.
    """

    tuple_id: str
    edge_id: str
    document_id: str
    source: str
    position: int
    sentence: str
    day: date | None
    speaker: str | None
    verb: str
    actor: Participant | None
    target: Participant | None
    others: tuple[Participant, ...]
    amounts: tuple[Amount, ...]
    negated: bool
    modality: str | None
    validity: Validity
    families: frozenset[int] = field(default=frozenset(), compare=False)

    @property
    def participants(self) -> tuple[Participant, ...]:
        return tuple(one for one in (self.actor, self.target, *self.others) if one is not None)

    @property
    def ahead(self) -> bool:
        return self.modality is not None


def read_claims(
    store: Store, documents: Collection[str] | None = None, places: Collection[tuple[str, int]] | None = None
) -> list[Claim]:
    """The claims of a graph, or of some of its documents, or of some sentences, by document and position."""
    where, values = "true", {}
    if places is not None:
        where = "(sentences.document_id, sentences.position) IN (SELECT (unnest($documents), unnest($positions)))"
        values = {"documents": [one for one, _ in places], "positions": [position for _, position in places]}
    elif documents is not None:
        where = "sentences.document_id IN (SELECT unnest($documents))"
        values = {"documents": sorted(documents)}
    named: dict[str, list[tuple[int, str, str, str]]] = defaultdict(list)
    for document, position, *node in store.rows(_SQL["names"].format(sentences=where), values):
        named[document].append((position, *node))
    rows = store.records(_SQL["claims"].format(sentences=where), values)
    return [claim for row in rows if (claim := _claim(row, named[row["document_id"]])) is not None]


def _claim(row: Mapping[str, Any], named: list[tuple[int, str, str, str]]) -> Claim | None:
    verb, passive = verb_of(row["relation"])
    last = read_phrase(row["relation"]).preposition or ""
    subject: Participant | None = None
    objects: list[Participant] = []
    amounts: list[Amount] = []
    for role, text, node_id, kind, label, name in row["mentioned"]:
        if role == "relation" or node_id is None:
            continue
        if verb == "have" and (plan := _PLAN.fullmatch(text)):
            # *has no plans to close its plant*
            row, verb, kind, label = {**row, "modality": "intended"}, base_form(plan["verb"]), "thing", "description"
            text = name = plan["what"]
        if role != "subject" and label not in ("datetime", "clause"):
            amounts += amounts_in(text, row["relation"])
        if label == "description":
            kind = "thing"
        if kind == "value" and not (text[:4].lower() == "the " and label == "quality"):
            continue
        one = _participant(text, node_id, name, kind, label, row["position"], named)
        if role == "subject":
            subject = one
        elif role != "time":
            objects.append(one if one.preposition or objects else one._replace(preposition=last))
    if verb in ("be", "have") and objects and objects[0].kind in ("concept", "thing"):
        # *is the mayor of*, *has its head office in*
        verb = f"{verb} {objects[0].head}"
    located = (one.name for one in objects if one.preposition in ("in", "at") and one.label == "place")
    places = frozenset(word for name in located for word in name.split())
    bare = [one for one in objects if not one.preposition]
    bare = [one._replace(names=one.names | places) if one.kind == "thing" else one for one in bare]
    if subject is not None and subject.kind == "thing":
        subject = subject._replace(names=subject.names | places)
    by = next((one for one in objects if one.preposition == "by"), None) if passive else None
    actor, target = (by, subject) if passive else (subject, next(iter(bare), None))
    if actor is None and target is None and not amounts:
        return None
    taken = {one.node_id for one in (actor, target) if one is not None}
    others = tuple(one for one in objects if one.node_id not in taken)
    return Claim(
        **{name: value for name, value in row.items() if name in Claim.__slots__},
        verb=verb,
        actor=actor,
        target=target,
        others=others,
        amounts=tuple(amounts),
        validity=Validity(*(row[name] for name in Validity._fields)),
        families=_families(verb, last),
    )


@lru_cache(maxsize=20_000)
def _families(verb: str, preposition: str) -> frozenset[int]:
    """The families of a verb, alone, with its preposition, or with a time: *opened in*, *was inaugurated in*."""
    known = families()
    found = {number for key in (verb, f"{verb} {preposition}") for number, _ in known.of.get(key, ())}
    dated = {number for key in (f"{verb} in", f"be {verb} in") for number, _ in known.of.get(key, ())}
    return frozenset(found | {number for number in dated if "datetime" in known.kinds.get(number, ((), ()))[1]})


@lru_cache(maxsize=20_000)
def verb_of(relation: str) -> tuple[str, bool]:
    """The verb of a relation in its base form, with the noun of a role, and whether it is passive.

    >>> verb_of("was founded in"), verb_of("has been chief executive of"), verb_of("will not merge with")
    (('found', True), ('be chief executive', False), ('merge', False))
    >>> verb_of("has never been certified for"), verb_of("is buying")
    (('certify', True), ('buy', False))
    """
    phrase = read_phrase(relation)
    words = [word for word in phrase.words if word not in _ADVERBS]
    nouns = [
        word
        for word in words
        if word not in grammar.FORMS_OF_BE | grammar.FORMS_OF_HAVE | grammar.DETERMINERS | grammar.PREPOSITIONS
    ]
    if phrase.copular and not (nouns[:1] and nouns[0].endswith("ing") and base_form(nouns[0]) != nouns[0]):
        return " ".join(["be", *nouns]), False
    if (
        words[:1]
        and words[0] in grammar.FORMS_OF_HAVE
        and not phrase.copular
        and not any(map(is_participle, words[1:3]))
    ):
        return " ".join(["have", *nouns[-1:]]), False
    kept = [at for at, word in enumerate(phrase.words) if word not in _ADVERBS and phrase.bases[at] in phrase.content]
    if not kept:
        return "have", phrase.passive
    verb, after = phrase.bases[kept[0]], phrase.words[kept[0] + 1 : kept[0] + 2]
    return " ".join([verb, *after]) if WORDS["particles"].issuperset(after) else verb, phrase.passive


def _participant(
    text: str, node_id: str, name: str, kind: str, label: str, position: int, named: list[tuple[int, str, str, str]]
) -> Participant:
    words = text.split()
    preposition = words[0].lower() if words and words[0].lower() in grammar.PREPOSITIONS and len(words) > 1 else ""
    if kind == "entity":
        return Participant(node_id, name, kind, label, node_id, preposition=preposition, called=name_words(text))
    plain = takewhile(lambda word: word not in grammar.PREPOSITIONS, name.split())
    head = (own_nouns(" ".join(plain)) or [name.casefold()])[-1]
    inner = frozenset(word for word in name.split() if word[:1].isupper())
    definite = text.split()[0].lower() in _DEFINITE or text.lower() in grammar.THIRD_PERSON
    if definite and not inner:
        before = named[: bisect_right(named, position, key=lambda one: one[0])]
        # *the bank* is *Vantry Savings Bank*, and *the company* one of the last ones that may be a company.
        known = [node for _, node, _, called in before if head in own_nouns(called)]
        known = known or [node for _, node, of, called in before if _may_be(head, of, called)][-_RECENT:]
        if known:
            chosen = max(known, key=lambda node: (known.count(node), known[::-1].index(node) == 0))
            return Participant(node_id, name, kind, label, chosen, head, preposition=preposition)
    return Participant(node_id, name, kind, label, f"{head} ({kind})", head, inner, preposition)


@lru_cache(maxsize=50_000)
def _may_be(head: str, label: str, name: str) -> bool:
    """Whether a noun may mean an organization or a work with a name: *the council* is no *Halden Foundation*."""
    roots = {one.root for one in kinds_of(head)} | ({"organization"} if head in WORDS["describing"] else set())
    if label not in roots & {"organization", "work"}:
        return False
    ours, its = ({one.name for noun in nouns for one in kinds_of(noun)} for nouns in ([head], own_nouns(name)))
    wider = {wide for kind in its for wide in kind_and_wider(kind)}
    return not (ours and its) or any(not wider.isdisjoint({*kind_and_wider(kind)} - {label}) for kind in ours)


@lru_cache(maxsize=20_000)
def amounts_in(text: str, relation: str = "") -> tuple[Amount, ...]:
    """The numbers of a phrase with their units; those that count a part are left out.

    >>> [(amount.number.amount, amount.of) for amount in amounts_in("for £42 million")]
    [(42000000.0, 'pound')]
    >>> [(round(amount.number.amount, 1), amount.of) for amount in amounts_in("387 feet long")]
    [(118.0, 'length long')]
    """
    words = words_of(text)
    lower = [word.lower() for word in words]
    found = []
    for item in values_in(words):
        number = item.value
        if not isinstance(number, Number) or number.unit == "ordinal":
            continue
        after = lower[item.end : item.end + 2]
        of = number.unit
        unit = UNITS.get(after[0]) if after and not of else None
        whole = {"of"} if of or unit else set()
        if WORDS["partial"].intersection([*lower[max(0, item.start - 2) : item.start], *after[:1]]) - whole:
            continue
        if unit is not None:
            of, size = unit
            number = Number(number.amount * size, "", number.rough, number.step * size)
            around = [*after[1:], *lower, *words_of(relation.lower())]
            of = " ".join(filter(None, [of, next(filter(None, map(_DIMENSIONS.get, around)), "")]))
        elif not of:
            nouns = [word for word in lower[item.end :] if word.isalpha()]
            of = singular(nouns[0 if len(nouns) < 2 else -1]) if nouns else ""
        preposition = "for" if lower[0] == "for" else ""
        if of:
            found.append(Amount(number, of, preposition, text))
    return tuple(found)


def related(one: Claim, other: Claim) -> bool:
    """Whether two claims are about the same kind of event or state."""
    return one.verb == other.verb or not one.families.isdisjoint(other.families)


def are_opposite(one: str, other: str) -> bool:
    return other in OPPOSITES.get(one, ()) or other in ANTONYMS.get(one, ())


def same_participant(one: Participant | None, other: Participant | None, names: Names) -> bool:
    return one is not None and other is not None and one.same(other, names)


def same_ends(one: Claim, other: Claim, names: Names) -> bool:
    """Whether two claims have the same actor and target, where both say; *opened the pier* is *the pier opened*."""
    ends = [(one.actor, other.actor), (one.target, other.target)]
    if (one.target is None) != (other.target is None):
        thing, opened = (one, other) if one.target is None else (other, one)
        if same_participant(thing.actor, opened.target, names):
            return True
    both = [pair for pair in ends if None not in pair] or [(one.target or one.actor, other.target or other.actor)]
    return all(same_participant(*pair, names) for pair in both)


def claim_pairs(
    claims: Iterable[Claim], touched: Collection[str] | None = None
) -> Iterator[tuple[Claim, Claim, Names]]:
    """Pairs of claims of two documents that share a participant, with the words of the names in each document.

    With `touched`, those with a claim of these documents.
    """
    names: dict[str, set[str]] = defaultdict(set)
    known = {*(touched or ())}
    for claim in (claims := list(claims)):
        named = (one.name for one in claim.participants if one.kind == "entity")
        names[claim.document_id] |= {word for name in named for word in name.split() if len(word) > 2}
    seen: set[tuple[str, str]] = set()
    for group in by_topic(claims):
        ordered = sorted(group[:_MOST], key=lambda claim: (claim.source, claim.position, claim.tuple_id))
        # Within a document, and between two that are not touched, nothing is compared.
        of = [claim.document_id for claim in ordered]
        new = [touched is None or document in known for document in of]
        for at, other_at in combinations(range(len(ordered)), 2):
            if of[at] != of[other_at] and (new[at] or new[other_at]):
                one, other = ordered[at], ordered[other_at]
                if (pair := (one.tuple_id, other.tuple_id)) not in seen:
                    seen.add(pair)
                    yield one, other, (names[of[at]], names[of[other_at]])


def by_topic(claims: Iterable[Claim]) -> Iterator[list[Claim]]:
    """The claims that share a participant, by its key, its noun or a word of its name."""
    groups: dict[str, list[Claim]] = defaultdict(list)
    for claim in claims:
        for form in {form for one in claim.participants if one.kind != "concept" for form in _forms(one)}:
            groups[form].append(claim)
    unique = {tuple(one.tuple_id for one in group): group for _, group in sorted(groups.items())}
    yield from (group for group in unique.values() if len({one.document_id for one in group}) > 1)


def _forms(one: Participant) -> set[str]:
    if one.kind != "entity":
        return {one.key}
    words = name_words(one.name)
    return {
        one.key,
        " ".join(sorted(words)),
        *words,
        *one.called,
        *(f"{noun} (thing)" for noun in _nouns_of(one.name)),
    }


def slots(claim: Claim) -> Iterator[tuple[str, Participant, str]]:
    """The slots of a claim: for each, its name, the participant that has it, and the value there.

    Slots are those of a time (`found @`), of another node (`bear in`, `found by`), of a number (`have # employee`).
    """
    topic = claim.target or claim.actor
    if claim.negated or claim.ahead or topic is None:
        return
    if claim.validity.aspect == "event" and claim.validity.valid_from is not None:
        yield f"{claim.verb} @", topic, claim.validity.valid_from
    if claim.target is not None and claim.actor is not None and claim.actor.kind == "entity":
        yield f"{claim.verb} by", claim.target, claim.actor.key
    if claim.verb.startswith("have ") and claim.actor is not None and claim.target is not None and claim.target.names:
        yield f"{claim.verb} in", claim.actor, " ".join(sorted(claim.target.names))
    for one in claim.others:
        if one.kind == "entity" and one.preposition:
            yield f"{claim.verb} {one.preposition}", topic if claim.target is None else claim.target, one.key
    for amount in claim.amounts:
        yield f"{claim.verb} # {amount.of}", topic, f"{amount.number.amount:g}"
