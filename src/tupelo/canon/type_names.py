"""Readable names for clusters of things of one type: *person*, *city*, *river*.

Members vote by the noun that describes them in their sentence (*Ann Berg, a Norwegian painter*), by their head noun
(*Hudson River*), by a given name, a table of countries, or as a date or number. A vote counts for its kind and for
all wider ones (`nlp.kinds`), and the narrowest kind with the majority of the votes is the name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from tupelo.core.canonical import Member, TripleMention
from tupelo.names.aliases import is_country
from tupelo.names.forms import form_of
from tupelo.nlp.kinds import KINDS, kind_and_wider, kinds_of, own_nouns, singular
from tupelo.nlp.languages.en.grammar import STOP_WORDS
from tupelo.nlp.languages.en.naming import DEMONYMS, FEMALE_NAMES, MALE_NAMES
from tupelo.nlp.languages.en.quantities import MONTHS
from tupelo.nlp.values import Date, values_in, words_of

# "Ann Berg , a Norwegian painter who …": the words after an article after the phrase, up to the first function word.
_SAID_TO_BE = re.compile(
    r"\s*+(?:\([^)]*\)\s*+)?(?:,\s*+)?(?:which |who )?(?:is|was|are|were|,)?\s*+(?:one of )?(?:a|an|the)\s++"
    r"((?:[\w'-]+\s+){0,4}?[\w'-]+?)(?=\s*+(?:$|[,.;:()]|\b(?:of|in|by|for|from|on|at|to|and|or|with|that|which|who|is|was)\b))",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]{3,}")
# Weight of a vote by the sentence; a vote by a word of the name has 1.
_SAID = 2
# Minimum share of the votes for the name of a type, and of its forms that voted for it.
_AGREED = 0.5
_LEAST_SHARE = 0.08
# Kinds without information.
_OPEN = frozenset(["other", "object", "abstract"])
_JOINING = frozenset(["of", "the", "and", "&", "'s"])
_SHOWN = {"datetime": "date"}
_KIND_SHOWN = {shown: kind for kind, shown in _SHOWN.items()}
# Minimum share of the things in narrower types that are of a kind, for a wider type to be named after it.
_NEARLY_ALL = 0.95
UNKNOWN = "thing"


def kind_votes(mention: TripleMention, member: Member) -> Counter[str]:
    """The kinds of one occurrence with the weights of its votes; empty if nothing is known.

    >>> from tupelo.core.canonical import Phrase
    >>> river = TripleMention("1", Phrase("the Hudson River"), Phrase("flows through"), Phrase("1867"))
    >>> kind_votes(river, Member("1", "subject")), kind_votes(river, Member("1", "object"))
    (Counter({'river': 1}), Counter({'datetime': 1}))
    """
    votes: Counter[str] = Counter()
    votes.update(dict.fromkeys(_kinds_of_nouns(said_nouns(mention, member)), _SAID))
    votes.update(dict.fromkeys(_own_kinds(mention.phrase(member.slot).text), 1))
    return votes


def said_nouns(mention: TripleMention, member: Member) -> tuple[str, ...]:
    """The noun that describes a thing in its sentence, as written and in the singular; empty if there is none."""
    phrase = mention.phrase(member.slot)
    after = ""
    if phrase.span is not None:
        after = mention.sentence[phrase.span.end :]
    elif member.slot == "subject":
        after = f" {mention.relation.text} {mention.object.text}"
    said = _SAID_TO_BE.match(after)
    nouns = _WORD.findall(said[1].casefold())[-1:] if said else []
    return tuple(dict.fromkeys([*nouns, *map(singular, nouns)]))


@lru_cache(maxsize=1 << 16)
def _own_kinds(text: str) -> tuple[str, ...]:
    """The kinds that the words of a phrase give."""
    words = words_of(text)
    values = values_in(words)
    if len(values) == 1 and values[0].end - values[0].start == len(words):
        return ("datetime",) if isinstance(values[0].value, Date) else ("number",)
    key = form_of(text).key.casefold()
    if is_country(key) and tuple(key.split()) not in DEMONYMS:
        return ("country",)
    lowered = [word.casefold() for word in text.split()]
    is_person = lowered[0] in MALE_NAMES | FEMALE_NAMES and 1 < len(lowered) < 5 and lowered[0] not in MONTHS
    kinds = _kinds_of_nouns(own_nouns(text))
    # *John Hancock Tower*, *George Street*: more than given names and a surname.
    says_more = not _JOINING.isdisjoint(lowered) or (len(lowered) > 2 and kinds_of(lowered[-1]))
    return ("person",) if is_person and not says_more else kinds


def _kinds_of_nouns(nouns: Iterable[str]) -> tuple[str, ...]:
    found = (tuple(kind.name for kind in kinds_of(noun)) for noun in nouns)
    return next(filter(None, found), ())


def said_noun(mention: TripleMention, member: Member) -> str | None:
    """The noun that describes a thing, in the singular, even if it is no known kind."""
    noun = (said_nouns(mention, member) or ("",))[-1]
    return noun if noun and noun not in STOP_WORDS and not noun.endswith(("ed", "ly", "ing")) else None


def wider_name(below: Iterable[tuple[str, int]]) -> str:
    """The narrowest kind of nearly all things in types with these names and sizes; *thing* if they have none.

    >>> wider_name([("river", 200), ("bridge", 14), ("thing", 9)]), wider_name([("award", 3), ("river", 2)])
    ('place', 'thing')
    """
    counts: Counter[str] = Counter()
    total = unknown = 0
    for name, size in below:
        kind = _KIND_SHOWN.get(name, name)
        if kind not in KINDS:
            unknown += size
        else:
            total += size
            counts.update(dict.fromkeys(kind_and_wider(kind), size))
    if total < unknown:
        return UNKNOWN
    found = [kind for kind, size in counts.items() if size >= _NEARLY_ALL * total and kind not in _OPEN]
    best = min(found, key=lambda kind: (-_depth(kind), kind), default=UNKNOWN)
    return _SHOWN.get(best, best)


def _depth(kind: str) -> int:
    return len(list(kind_and_wider(kind)))


class TypeNames:
    """Names for groups of members, from the votes of all members."""

    def __init__(self, members: Sequence[Member], mentions: Mapping[str, TripleMention]) -> None:
        votes = ((member, kind_votes(mentions[member.mention], member)) for member in members)
        self._votes = {member: own for member, own in votes if own}
        nouns = {member: said_noun(mentions[member.mention], member) for member in members}
        self._nouns = {member: noun for member, noun in nouns.items() if noun is not None}
        self._forms = {m: mentions[m.mention].phrase(m.slot).text.casefold() for m in members}
        # A last word is a noun, not a surname, if some sentence uses it as one.
        known = frozenset(self._nouns.values())
        for member, text in self._forms.items():
            last = singular((_WORD.findall(text) or [""])[-1])
            if member not in self._nouns and " " in text and last in known:
                self._nouns[member] = last

    def name(self, group: Sequence[Member]) -> str | None:
        """The narrowest kind with a majority, or a noun that many members share; `None` if there is neither.

        A form votes once, and a name needs the votes of two forms.
        """
        by_form: dict[str, Counter[str]] = {}
        nouns: dict[str, str] = {}
        for member in group:
            form = self._forms[member]
            by_form[form] = by_form.get(form, Counter()) | self._votes.get(member, Counter())
            if member in self._nouns:
                nouns[form] = self._nouns[member]
        counts: Counter[str] = Counter()
        voters: Counter[str] = Counter()
        for votes in by_form.values():
            for kind, own in votes.items():
                counts.update(dict.fromkeys(kind_and_wider(kind), own))
            voters.update({wide for kind in votes for wide in kind_and_wider(kind)})
        total = sum(sum(votes.values()) for votes in by_form.values())
        least = max(min(2, len(by_form)), _LEAST_SHARE * len(by_form))
        agreed = [
            kind
            for kind, count in counts.items()
            if count >= _AGREED * total and voters[kind] >= least and kind not in _OPEN
        ]
        if agreed:
            best = min(agreed, key=lambda kind: (-_depth(kind), -counts[kind], kind))
            return _SHOWN.get(best, best)
        shared = Counter(nouns.values())
        if not shared:
            return None
        noun, count = min(shared.items(), key=lambda item: (-item[1], item[0]))
        return noun if count >= max(2.0, _LEAST_SHARE * len(by_form)) else None
