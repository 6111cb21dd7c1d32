"""Distant supervision: training examples from articles and a knowledge base (Goodrich et al., Sections 3 and 4).

The topic of an article is the subject; every other entity that the article mentions is a possible object. Where the
knowledge base has a fact about the two, each sentence that mentions both is a positive example of its property; where
it has none, a negative one, of which a sample is kept. All positive facts together are the label of the end-to-end
example; its *reduced* form omits sentences without any entity.

A sentence need not state the known fact: that is the weakness of the method, and Section 7 of the paper
measures it.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tupelo.core import Analysis
from tupelo.factmodels.metric import plain_phrase
from tupelo.names.entities import NamedMention, mentions_of, without_overlaps
from tupelo.nlp.values import Date, values_in, words_of
from tupelo_training.facts.sentences import marked

BETWEEN_PARTS, BETWEEN_FACTS, LAST = "<t>", "<f>", "<end>"
# Words of a title before a name.
_LONGEST_TITLE = 3


@dataclass(frozen=True, slots=True)
class TopicFact:
    """A fact of the knowledge base about a topic: a property, the first name of its object, and all its names."""

    property: str
    object: str
    names: frozenset[str]
    is_date: bool = False


@dataclass(frozen=True, slots=True)
class Topic:
    """The subject of an article: its names, normalised, and the facts about it."""

    name: str
    names: frozenset[str]
    facts: tuple[TopicFact, ...]


@dataclass(frozen=True, slots=True)
class ExamplePair:
    """A sentence that mentions the topic and another entity, with the property that relates them, if any."""

    text: str
    object: str
    property: str | None
    subject_spans: tuple[tuple[int, int], ...]
    object_spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Supervised:
    """The examples of one article: `facts` are property and object, in the order of their first mention."""

    topic: str
    text: str
    reduced: str
    pairs: tuple[ExamplePair, ...]
    facts: tuple[tuple[str, str], ...]
    sentences: int
    negatives: int

    def rows(self, article: str) -> Iterator[tuple[str, dict[str, Any]]]:
        """Kind and fields of every example."""
        for pair in self.pairs:
            yield (
                "classifier",
                {
                    "subject": self.topic,
                    "object": pair.object,
                    "property": pair.property,
                    "text": pair.text,
                    "subject_spans": [list(span) for span in pair.subject_spans],
                    "object_spans": [list(span) for span in pair.object_spans],
                    "label": int(pair.property is not None),
                    "marked": marked(pair.text, pair.subject_spans, pair.object_spans),
                    "article": article,
                },
            )
        if self.facts:
            facts = [[self.topic, name, value] for name, value in self.facts]
            for kind, text in (("end_to_end", self.text), ("reduced", self.reduced)):
                yield (
                    kind,
                    {
                        "subject": self.topic,
                        "text": text,
                        "facts": facts,
                        "input": f"{self.topic}; {text}",
                        "output": written(facts),
                        "article": article,
                    },
                )


def _without_qualifier(title: str) -> str:
    start = title.rfind("(")
    return title[:start].rstrip() if start >= 0 and title.find(")", start) == len(title) - 1 else title


def topic_of(title: str, names: Iterable[str], facts: Iterable[TopicFact]) -> Topic:
    """A topic from its title, without the disambiguation: *Mercury (planet)*."""
    name = _without_qualifier(title)
    return Topic(name, frozenset(map(plain_phrase, [name, *names])) - {""}, tuple(facts))


def supervise(
    topic: Topic, analyses: Sequence[Analysis], *, negatives: float | None = None, seed: str = ""
) -> Supervised:
    """The examples of one article, with at most `negatives` negative ones per positive one, or all if `None`.

    An article without positive ones counts as if it had one.
    """
    positive: list[ExamplePair] = []
    negative: list[ExamplePair] = []
    facts: dict[tuple[str, str], None] = {}
    informative = []
    for analysis, found in zip(analyses, mentions_of(analyses), strict=True):
        mentions = without_overlaps([*_by_name(analysis.text, topic), *found])
        if mentions:
            informative.append(analysis.text)
        subjects = [mention for mention in mentions if is_topic(mention, topic)]
        if not subjects:
            continue
        objects: dict[str, list[NamedMention]] = {}
        for mention in mentions:
            if mention not in subjects and plain_phrase(mention.name):
                objects.setdefault(plain_phrase(mention.name), []).append(mention)
        spans = tuple((mention.start, mention.end) for mention in subjects)
        for same in objects.values():
            places = tuple((mention.start, mention.end) for mention in same)
            titled = _with_title(analysis.text, same[0])
            related = [fact for fact in topic.facts if _means(same[0], fact) or plain_phrase(titled) in fact.names]
            for fact in related:
                facts.setdefault((fact.property, fact.object))
                positive.append(ExamplePair(analysis.text, fact.object, fact.property, spans, places))
            if not related:
                negative.append(ExamplePair(analysis.text, same[0].name, None, spans, places))
    kept = negative
    if negatives is not None:
        most = round(negatives * max(1, len(positive)))
        if len(negative) > most:
            chosen = sorted(random.Random(seed).sample(range(len(negative)), most))
            kept = [negative[place] for place in chosen]
    text = " ".join(analysis.text for analysis in analyses)
    return Supervised(
        topic.name, text, " ".join(informative), (*positive, *kept), tuple(facts), len(analyses), len(negative)
    )


def _by_name(text: str, topic: Topic) -> Iterator[NamedMention]:
    """Mentions of the topic by its full name, which a model may miss."""
    for match in re.finditer(rf"(?<!\w){re.escape(topic.name)}(?!\w)", text):
        yield NamedMention(match.start(), match.end(), topic.name, "topic")


def is_topic(mention: NamedMention, topic: Topic) -> bool:
    """Whether a mention has one of the topic's names or, for people, the first or last words of one."""
    name = plain_phrase(mention.name)
    if name in topic.names:
        return True
    words, own = name.split(), plain_phrase(topic.name).split()
    return bool(words) and mention.label == "person" and words in (own[: len(words)], own[-len(words) :])


def _means(mention: NamedMention, fact: TopicFact) -> bool:
    if fact.is_date:
        return any(_same_date(found.value, fact.object) for found in values_in(words_of(mention.name)))
    return plain_phrase(mention.name) in fact.names


def _with_title(text: str, mention: NamedMention) -> str:
    """The name with the capitalized words before it, which may belong to it: *Lord Byron*."""
    before = text[: mention.start].split(" ")[:-1] if text[: mention.start].endswith(" ") else []
    count = 0
    while count < min(len(before), _LONGEST_TITLE) and before[-1 - count][:1].isupper():
        count += 1
    return " ".join([*before[len(before) - count :], mention.name])


def _same_date(value: object, date: str) -> bool:
    """Whether a text gives every part of a date that the knowledge base gives."""
    if not isinstance(value, Date):
        return False
    known = [int(part) for part in date.split("-")]
    return [value.year, value.month, value.day][: len(known)] == known


def written(facts: Iterable[Sequence[str]]) -> str:
    """The label of an end-to-end example.

    >>> written([("Person1", "P19", "City1"), ("Person1", "P106", "painter")])
    'Person1 <t> P19 <t> City1 <f> Person1 <t> P106 <t> painter <end>'
    """
    joined = f" {BETWEEN_FACTS} ".join(f" {BETWEEN_PARTS} ".join(fact) for fact in facts)
    return f"{joined} {LAST}".strip()


def facts_of(encoded: Sequence[Mapping[str, Any]]) -> tuple[TopicFact, ...]:
    """Facts from rows of `property`, `value`, `kind` (`thing` or `date`), `name` and `name_kind`, one per name."""
    grouped: dict[tuple[str, str, str], list[tuple[str, str]]] = {}
    for row in encoded:
        names = grouped.setdefault((row["property"], row["value"], row["kind"]), [])
        if row["name"]:
            names.append((row["name_kind"], row["name"]))
    order = {"label": 0, "title": 1}
    facts = []
    for (name, value, kind), names in sorted(grouped.items()):
        if kind == "date":
            facts.append(TopicFact(name, value, frozenset(), is_date=True))
        elif names:
            first = min(names, key=lambda item: (order.get(item[0], 2), item[1]))[1]
            facts.append(
                TopicFact(
                    name, _without_qualifier(first), frozenset(plain_phrase(known) for _, known in names) - {""}
                )
            )
    return tuple(facts)
