"""Statements of different documents that cannot all be true, with the sentences of both sides.

Two claims about the same participants disagree where they deny each other, use opposite verbs, exchange the roles of
their participants, or give different values for what has one value at a time. Whether it has is counted: in the
documents of the graph, and in the encyclopedia articles of `conflicts.toml`. Values that differ by rounding, units or
ranges agree, and so do those of different times, updates, and parts of a whole. Nothing says who is right.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import product
from typing import Any

from tupelo.core import InputError
from tupelo.core.garbage import without_garbage_collection
from tupelo.core.results import printable
from tupelo.core.shipped import declared
from tupelo.graph.build.review import VERDICTS
from tupelo.graph.query.answers import PlainList, PlainValue, quoted
from tupelo.graph.report.claims import (
    WORDS,
    Claim,
    Names,
    Participant,
    are_opposite,
    claim_pairs,
    name_words,
    read_claims,
    related,
    same_ends,
    same_participant,
    slots,
)
from tupelo.graph.store.file import Store
from tupelo.graph.store.schema import stable_id
from tupelo.graph.store.validity import OPEN
from tupelo.nlp.dates import moment_days
from tupelo.nlp.values import Agreement
from tupelo.relations.forms import families

_FITTED = declared(__name__, "conflicts.toml")
_SEEN: Mapping[str, tuple[int, int]] = _FITTED["slots"]
_LEAST: float = _FITTED["least_degree"]
# Days between two documents after which what holds in one may have changed in the other.
_CHANGES: int = _FITTED["changes_after"]
_UPDATE = re.compile(rf"\b(?:{_FITTED['updates']})\b", re.IGNORECASE)
# Participants from which a slot is known to have one value.
_ENOUGH = 5


@dataclass(frozen=True, slots=True)
class Side(PlainValue):
    """One side of a conflict: its sentence, who says so, the day of its document, and how many documents say so."""

    statement: str
    sentence: str
    source: str
    position: int
    day: str | None
    speaker: str | None
    valid: str
    documents: int
    edge_id: str

    def __str__(self) -> str:
        about = [
            self.day or "",
            f"says {self.speaker}" if self.speaker else "",
            f"{self.documents} documents" if self.documents > 1 else "",
        ]
        beside = "; ".join(filter(None, about))
        return f"{quoted(self.sentence, self.source, self.position)}{f' [{beside}]' if beside else ''}"


@dataclass(frozen=True, slots=True)
class Conflict(PlainValue):
    """Two statements that cannot both be true, and why. `settled` is the verdict of a person."""

    id: str
    reason: str
    about: str
    first: Side
    second: Side
    notes: tuple[str, ...] = ()
    settled: str | None = None

    def __str__(self) -> str:
        head = f"{self.id[:8]}  {self.about}: {self.reason}"
        head += f" (settled: {self.settled})" if self.settled else ""
        lines = [head, f"    {self.first}", f"    {self.second}", *(f"    {note}" for note in self.notes)]
        return "\n".join(map(printable, lines))


class Conflicts(PlainList[Conflict]):
    """The conflicts of a graph, those about the participants with most documents first."""

    __slots__ = ()
    name, nothing = "conflicts", "no conflicts found"

    def rows(self) -> list[dict[str, Any]]:
        return [
            {
                **{name: getattr(one, name) for name in ("id", "reason", "about", "settled")},
                "first": str(one.first),
                "second": str(one.second),
            }
            for one in self
        ]


class Degrees:
    """The number of subjects that have one value in a slot: counted in claims, and before in other texts."""

    def __init__(self, claims: Iterable[Claim]) -> None:
        values: dict[tuple[str, str, str], set[str]] = defaultdict(set)
        for claim in claims:
            for slot, topic, value in slots(claim):
                values[slot, claim.document_id, topic.key].add(value)
        self.groups: Counter[str] = Counter()
        self.single: Counter[str] = Counter()
        for (slot, _, _), found in values.items():
            self.groups[slot] += 1
            self.single[slot] += len(found) == 1

    def __getitem__(self, slot: str) -> float:
        groups, single = _SEEN.get(slot) or _SEEN.get(wider(slot)) or (0, 0)
        expected = 0.9 if slot.endswith(" @") else 0.5
        return (single + self.single[slot] + expected) / (groups + self.groups[slot] + 1)

    def once(self, one: Claim, other: Claim) -> bool:
        """Whether what two claims say happens once."""
        return min(self[f"{claim.verb} @"] for claim in (one, other)) >= _LEAST

    def is_known(self, slot: str) -> bool:
        """Whether texts have shown often enough that a slot has one value."""
        return self[slot] >= _LEAST and _SEEN.get(slot, (0, 0))[0] >= _ENOUGH


def wider(slot: str) -> str:
    """*have * in* for *have office in*; nothing for other verbs."""
    first, *_, last = slot.split()
    return f"{first} * {last}" if first in ("be", "have") and last != "@" and "#" not in slot else ""


def find_conflicts(claims: list[Claim], touched: Collection[str] | None = None) -> Iterator[tuple[Claim, Claim, str]]:
    """Pairs of claims that disagree, with the reason; with `touched`, those with a claim of these documents."""
    degrees = Degrees(claims)
    for one, other, shared in claim_pairs(claims, touched):
        if reason := disagreement(one, other, shared, degrees):
            yield one, other, reason


def disagreement(one: Claim, other: Claim, shared: Names, degrees: Degrees) -> str | None:
    """The reason why two claims cannot both be true."""
    if one.verb == other.verb and _exchanged(one, other):
        return "roles exchanged" if overlap(one, other, known=True) else None
    if one.negated != other.negated:
        return _denial(one, other, shared)
    if one.negated or one.modality is not None or other.modality is not None:
        return None
    if are_opposite(one.verb, other.verb):
        actor, target = _same_ends(one, other, shared)
        if actor and (target or _share_other(one, other)):
            return "opposite statements" if overlap(one, other) else None
    return (
        (_numbers(one, other, shared) if one.amounts and other.amounts else None)
        or _times(one, other, shared, degrees)
        or _starts(one, other, shared)
        or (_values(one, other, shared, degrees) if one.verb == other.verb else None)
    )


def _exchanged(one: Claim, other: Claim) -> bool:
    ends = [(claim.actor, claim.target) for claim in (one, other)]
    keys = [(a.key, t.key) for a, t in ends if a is not None and t is not None and "entity" in (a.kind, t.kind)]
    if len(keys) < 2 or one.negated or other.negated or not one.families.isdisjoint(families().symmetric):
        return False
    return keys[0] == keys[1][::-1] and keys[0][0] != keys[0][1]


def _denial(one: Claim, other: Claim, shared: Names) -> str | None:
    if not related(one, other) or one.verb in ("be", "have", "say"):
        return None
    actor, target = _same_ends(one, other, shared)
    said, denied = (other, one) if one.negated else (one, other)
    if not (actor or (target and one.actor is None) or (target and other.actor is None)):
        return None
    ends = [
        {p.key for p in claim.participants} - {claim.actor.key if claim.actor else ""} for claim in (said, denied)
    ]
    if not (target or ends[0] & ends[1]) and (ends[0] or said.amounts or said.validity.aspect != "event"):
        return None
    if said.ahead != denied.ahead:
        return None
    return "denied" if overlap(one, other) else None


def _same_ends(one: Claim, other: Claim, shared: Names) -> tuple[bool, bool]:
    """Whether two claims have the same actor, and the same target."""
    return same_participant(one.actor, other.actor, shared), same_participant(one.target, other.target, shared)


def _share_other(one: Claim, other: Claim) -> bool:
    return bool({p.key for p in one.others} & {p.key for p in other.others})


def _numbers(one: Claim, other: Claim, shared: Names) -> str | None:
    """Different numbers for the same thing of the same participant."""
    alike = related(one, other) or are_opposite(one.verb, other.verb)
    # Of two events, one without a time may be another; not where the same parties took part.
    undated = (one.validity.valid_from is None) != (other.validity.valid_from is None)
    if one.validity.aspect == "event" and undated and not _same_parties(one, other):
        return None
    for mine, its in product(one.amounts, other.amounts):
        measured, paid = " " in mine.of, bool(mine.preposition)
        if mine.of != its.of or paid != bool(its.preposition) or not (measured or alike):
            continue
        mine_of, its_of = (claim.target if paid else claim.actor or claim.target for claim in (one, other))
        if not same_participant(mine_of, its_of, shared) or (is_bare(mine_of) and is_bare(its_of)):
            continue
        numbers = mine.number, its.number
        if any(a.compare(b) is not Agreement.DIFFERENT for a, b in (numbers, numbers[::-1])):
            continue
        if overlap(one, other) if paid else measured or _at_one_time(one, other):
            return f"different numbers: {mine.text} / {its.text}"
    return None


def is_bare(part: Participant | None) -> bool:
    """*The price* of two documents may be that of two things."""
    return part is not None and part.key.startswith(f"{part.head} (") and not part.names


def _same_parties(one: Claim, other: Claim) -> bool:
    parties = [{part.key for part in claim.participants if part.kind == "entity"} for claim in (one, other)]
    return len(parties[0] & parties[1]) > 1


def _times(one: Claim, other: Claim, shared: Names, degrees: Degrees) -> str | None:
    """Different times of what happens once."""
    first, second = one.validity, other.validity
    if first.aspect != "event" or second.aspect != "event" or not (first.valid_from and second.valid_from):
        return None
    if not related(one, other) or one.verb.startswith(("be", "have")) or overlap(one, other):
        return None
    if not same_ends(one, other, shared) or apart(one, other) or not degrees.once(one, other):
        return None
    return f"different times: {first} / {second}"


def apart(one: Claim, other: Claim) -> bool:
    """Whether two claims have different names in the same place: *starts at Acme*, *starts at Brava*."""
    return any(_differ(mine, its) for mine, its in product(one.others, other.others))


def _starts(one: Claim, other: Claim, shared: Names) -> str | None:
    """Different beginnings of a state that goes on, or of an office."""
    first, second = _beginning(one), _beginning(other)
    if not (first and second) or first.startswith(second) or second.startswith(first):
        return None
    actor, target = _same_ends(one, other, shared)
    if not actor:
        return None
    posts = _post(one), _post(other)
    if None not in posts:
        if not _one_office(one, other, *posts):  # type: ignore[arg-type]
            return None
    elif (
        not _go_on(one, other)
        or (one.target is not None and other.target is not None and not target)
        or (one.target is None and not _share_other(one, other) and one.others and other.others)
    ):
        return None
    return f"different beginnings: {first} / {second}"


def _beginning(claim: Claim) -> str | None:
    """When a state that goes on began, or when somebody took an office."""
    if claim.validity.valid_until == OPEN or (claim.verb in WORDS["taking"] and claim.validity.aspect == "event"):
        return claim.validity.valid_from
    return None


def _go_on(one: Claim, other: Claim) -> bool:
    same = one.verb not in ("be", "have") and related(one, other)
    return same and one.validity.valid_until == other.validity.valid_until == OPEN


def _post(claim: Claim) -> str | None:
    """The noun of an office that somebody has or takes, nothing for whoever leads; `None` where there is none."""
    if claim.verb.startswith("be "):
        return claim.verb[3:].split()[-1]
    if claim.verb in WORDS["leading"]:
        return ""
    head = next((part.head for part in (claim.target, *claim.others) if part is not None and part.head), "")
    if claim.verb in ("hold", "take"):
        return "" if head in WORDS["offices"] else None
    return head or None if claim.verb in WORDS["taking"] else None


def _one_office(one: Claim, other: Claim, mine: str, its: str) -> bool:
    """Whether two claims name one office, and no two places of it."""
    nouns = [noun for noun in (mine, its) if noun]
    verbs = [claim.verb for claim in (one, other) if claim.verb in WORDS["leading"]]
    if len(nouns) == 2 and mine != its:
        return False
    if verbs and any(noun not in WORDS["leaders"] and not noun.startswith(verbs[0][:5]) for noun in nouns):
        return False
    places = [_place_of(claim) for claim in (one, other)]
    if all(places):
        return not places[0].isdisjoint(places[1])
    led = [claim.target for claim in (one, other) if claim.target is not None and claim.verb in WORDS["leading"]]
    if len(led) < 2 or led[0].key == led[1].key:
        return True
    # *the firm* may be another one than it was taken for, and then that which the other names.
    described = bool(led[0].called) != bool(led[1].called)
    return described and one.verb == other.verb and led[0].label == led[1].label


def _place_of(claim: Claim) -> frozenset[str]:
    """The words of the names of what an office is of."""
    known = [part for part in (claim.target, *claim.others) if part is not None]
    # *the firm* may be another one than it was taken for.
    words = [name_words(part.name) if part.called else part.names for part in known]
    post = re.escape(_post(claim) or "\0")
    named = re.search(rf"\b(?:{post} \w+ (?:the )?([A-Z]\w+)|([A-Z]\w+)['’]s {post}\b)", claim.sentence)
    return frozenset().union(*words, filter(None, named.groups()) if named else ())


def _values(one: Claim, other: Claim, shared: Names, degrees: Degrees) -> str | None:
    """Different nodes where there is one at a time, of two claims with one verb."""
    actor, target = _same_ends(one, other, shared)
    if actor and one.verb.startswith("have ") and one.target is not None and other.target is not None:
        ours, theirs = one.target.names, other.target.names
        single = degrees[f"{one.verb} in"] >= _LEAST and _at_one_time(one, other)
        if ours and theirs and ours.isdisjoint(theirs) and single:
            return f"different values: {one.target.name} / {other.target.name}"
    if not (actor if one.target is None else target):
        return None
    if target and one.actor is not None and other.actor is not None and one.validity.aspect == "event":
        people = one.actor.kind == other.actor.kind == "entity" and one.actor.label == other.actor.label
        people = people and "by" in (one.actor.preposition, other.actor.preposition)
        once = degrees.is_known(f"{one.verb} by") and degrees.once(one, other)
        # *started a career*, another one
        if people and once and not actor and not is_bare(one.target):
            return f"different values: {one.actor.name} / {other.actor.name}"
    if _share_other(one, other) or (not actor and one.actor is not None and other.actor is not None):
        return None
    for mine, its in product(one.others, other.others):
        single = bool(mine.preposition) and degrees[f"{one.verb} {mine.preposition}"] >= _LEAST
        if single and mine.label == its.label and _differ(mine, its) and _at_one_time(one, other):
            return f"different values: {mine.name} / {its.name}"
    return None


def _differ(mine: Participant, its: Participant) -> bool:
    """Whether two different names stand in the same place."""
    named = mine.preposition == its.preposition and mine.kind == its.kind == "entity"
    return named and mine.key != its.key and not mine.maybe(its)


def overlap(one: Claim, other: Claim, *, known: bool = False) -> bool:
    """Whether the times of two claims overlap, as far as they are known."""
    spans = [_span(claim) for claim in (one, other)]
    if known and any(first is None for first, _ in spans):
        return False
    (first, last), (start, end) = spans
    return not ((last and start and last < start) or (end and first and end < first))


def _span(claim: Claim) -> tuple[date | None, date | None]:
    first, last = moment_days(claim.validity.valid_from, claim.validity.valid_until)
    # A plan lies after the text.
    return first or (claim.day if claim.ahead else None), last


def _at_one_time(one: Claim, other: Claim) -> bool:
    """Whether two states hold at one time: as they say, or because their documents are of about the same time."""
    if one.validity.aspect == "event" and other.validity.aspect == "event":
        return overlap(one, other)
    if one.validity.valid_from and other.validity.valid_from:
        return overlap(one, other)
    if _UPDATE.search(one.sentence) or _UPDATE.search(other.sentence):
        return False
    days = [_span(claim)[0] or claim.day for claim in (one, other)]
    return None in days or abs((days[0] - days[1]).days) <= _CHANGES  # type: ignore[operator]


def conflicts(
    store: Store,
    *,
    about: str | None = None,
    places: Collection[tuple[str, int]] | None = None,
    limit: int | None = None,
) -> Conflicts:
    """The conflicts of a graph, or of some sentences (document and position), or those about something named."""
    pairs = list(find_conflicts(read_claims(store, places=places)))
    edges = [[claim.edge_id for first, second, _ in pairs for claim in (first, second)]]
    settled = dict(store.rows("SELECT conflict_id, verdict FROM settled_conflicts"))
    stated = {
        edge: (wording, documents)
        for edge, wording, documents in store.rows(
            "SELECT edge_id, concat_ws(' ', s.name, relation, o.name), said.documents FROM statements AS said "
            "JOIN nodes AS s ON s.node_id = subject_id JOIN nodes AS o ON o.node_id = object_id "
            "WHERE edge_id IN (SELECT unnest($1))",
            edges,
        )
    }
    found: dict[tuple[str, ...], Conflict] = {}
    for first, second, reason in pairs:
        key = stable_id("conflict", first.tuple_id, second.tuple_id)
        sides = _side(first, stated), _side(second, stated)
        topic = _topic(first, second)
        # Several tuples of two sentences say the same.
        said_in = (first.source, str(first.position), second.source, str(second.position), reason.partition(":")[0])
        if about is None or about.casefold() in topic.casefold():
            found.setdefault(
                said_in,
                Conflict(key, reason, topic, sides[0], sides[1], _notes(first, second, sides), settled.get(key)),
            )
    ordered = sorted(found.values(), key=lambda one: (one.settled is not None, one.about, one.id))
    return Conflicts(ordered[:limit])


@without_garbage_collection()
def count_conflicts(store: Store, documents: Collection[str]) -> int:
    """Pairs of sentences that disagree, with one of these documents; only documents that share names are read."""
    if not documents:
        return 0
    near = store.column(
        "SELECT DISTINCT document_id FROM referents WHERE kind = 'entity' AND node_id IN "
        "(SELECT node_id FROM referents WHERE kind = 'entity' AND document_id IN (SELECT unnest($1)))",
        [sorted(documents)],
    )
    found = find_conflicts(read_claims(store, {*documents, *near}), documents)
    return len({frozenset(((one.source, one.position), (other.source, other.position))) for one, other, _ in found})


def verdicts_on(store: Store, settled: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Verdicts with the full ids of their conflicts; those that mean nothing are refused."""
    given = list(settled)
    known = [one.id for one in conflicts(store)] if given else []
    found = []
    for start, verdict in given:
        ids = [key for key in known if key.startswith(start)]
        if len(ids) != 1:
            raise InputError(f"'{start}' is no conflict of {store.name}, expected an id of tupelo graph conflicts")
        if verdict not in VERDICTS:
            raise InputError(f"'{verdict}' is no verdict, expected {', '.join(VERDICTS)}")
        found.append((ids[0], verdict))
    return found


def _side(claim: Claim, stated: Mapping[str, tuple[str, int]]) -> Side:
    wording, documents = stated[claim.edge_id]
    day = claim.day.isoformat() if claim.day else None
    said = (wording, claim.sentence, claim.source, claim.position)
    return Side(*said, day, claim.speaker, str(claim.validity), documents, claim.edge_id)


def _topic(one: Claim, other: Claim) -> str:
    common = {p.key for p in one.participants} & {p.key for p in other.participants}
    names = [p.name for p in (*one.participants, *other.participants) if p.key in common]
    return max(names, key=lambda name: (name[:1].isupper(), len(name)), default=one.verb)


def _notes(first: Claim, second: Claim, sides: tuple[Side, Side]) -> tuple[str, ...]:
    """Which side is newer, first-hand or said by more documents."""
    found = []
    if first.day and second.day and first.day != second.day:
        found.append(f"newer: {(first if first.day > second.day else second).source}")
    if (first.speaker is None) != (second.speaker is None):
        found.append(f"not attributed: {(first if first.speaker is None else second).source}")
    if sides[0].documents != sides[1].documents:
        found.append(f"in more documents: {max(sides, key=lambda side: side.documents).source}")
    return tuple(found)
