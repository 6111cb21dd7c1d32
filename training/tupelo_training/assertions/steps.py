"""From a syntactic n-gram to an assertion: the steps of Levy and Dagan (2016), each as one function.

The numbers are those of the supplement, "Extracting Open IE Assertions":

1. the collections are biarcs, triarcs and quadarcs, extended with function words (`is_collection`);
2. a subject, after it a verb at the root, and an object at the end (`has_pattern`);
3. exactly one subject and one root (`has_one_subject_and_root`);
4. the subject is the subtree of the subject token (`subject_of`);
5. the object is the subtree of the last token (`object_of`);
6. both are continuous noun phrases with only *det*, *amod*, *nn* or *dep* inside (`is_noun_phrase`);
7. the tokens between them form a subtree with the root; they are the relation (`relation_of`);
8. the three parts as strings, with the n-gram's count (`stage.extract_block`);
9. counts of equal assertions are added (`aggregate_assertions`, as SQL for whichever engine runs it);
10. relations with fewer than ten different pairs of arguments are removed (likewise).

Our choices where the supplement is silent: subjects are `nsubj`, `nsubjpass` and the controlling `xsubj`; a clause as
subject (`csubj`) is none. Objects are `dobj`, `pobj` and `attr`, the noun after *be* in the labels that the
collection uses. A verb has a tag that begins with V. "A subtree that includes the root" is a set of tokens with the
root in it and, with each other token, its head. Tokens before the subject are allowed and belong to no part.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tupelo.core.protocols import Engine
from tupelo.core.shipped import queries
from tupelo.core.stages import Step, Table
from tupelo_training.assertions.lines import Token, subtree

SUBJECTS = frozenset({"nsubj", "nsubjpass", "xsubj"})
OBJECTS = frozenset({"dobj", "pobj", "attr"})
INSIDE_NOUN_PHRASES = frozenset({"det", "amod", "nn", "dep"})
COLLECTIONS = ("extended-biarcs", "extended-triarcs", "extended-quadarcs")
LEAST_PAIRS = 10

_COLLECTION_FILE = re.compile(rf"(?:.*[/\\])?(?:{'|'.join(COLLECTIONS)})(?:[.-][^/\\]*)?")


def is_collection(name: str) -> bool:
    """Step 1: whether a file belongs to the collections that are used.

    >>> is_collection("eng/extended-biarcs.00-of-99.gz"), is_collection("biarcs.00-of-99.gz")
    (True, False)
    """
    return _COLLECTION_FILE.fullmatch(name) is not None


def is_verb(token: Token) -> bool:
    """Any form of a verb; modals have a tag of their own."""
    return token.pos.startswith("V")


def has_pattern(tokens: Sequence[Token]) -> bool:
    """Step 2: somewhere a subject, later a verb that is a root, and an object as the last token, in this order."""
    if tokens[-1].label not in OBJECTS:
        return False
    subjects = [position for position, token in enumerate(tokens) if token.label in SUBJECTS]
    verbs = [position for position, token in enumerate(tokens) if token.head == 0 and is_verb(token)]
    return bool(subjects and verbs) and subjects[0] < verbs[-1] < len(tokens) - 1


def has_one_subject_and_root(tokens: Sequence[Token]) -> bool:
    """Step 3."""
    subjects = sum(token.label in SUBJECTS for token in tokens)
    roots = sum(token.head == 0 for token in tokens)
    return subjects == 1 and roots == 1


def subject_of(tokens: Sequence[Token]) -> tuple[int, ...]:
    """Step 4: the positions below the only subject token, itself included."""
    (position,) = (position for position, token in enumerate(tokens) if token.label in SUBJECTS)
    return subtree(tokens, position)


def object_of(tokens: Sequence[Token]) -> tuple[int, ...]:
    """Step 5: the positions below the last token, itself included."""
    return subtree(tokens, len(tokens) - 1)


def is_noun_phrase(tokens: Sequence[Token], positions: Sequence[int]) -> bool:
    """Step 6: whether the positions of a subtree are contiguous, with only the labels of a plain noun phrase."""
    if positions[-1] - positions[0] != len(positions) - 1:
        return False
    inside = [tokens[position] for position in positions if tokens[position].head - 1 in positions]
    return all(token.label in INSIDE_NOUN_PHRASES for token in inside)


def relation_of(tokens: Sequence[Token], subject: Sequence[int], object_: Sequence[int]) -> tuple[int, ...] | None:
    """Step 7: the positions between subject and object; `None` unless they are a subtree with the root."""
    between = range(subject[-1] + 1, object_[0])
    heads = [tokens[position].head for position in between]
    if 0 not in heads or not all(head == 0 or head - 1 in between for head in heads):
        return None
    return tuple(between)


def find_parts(tokens: Sequence[Token]) -> tuple[tuple[int, int], tuple[int, int], tuple[int, int]] | None:
    """Steps 2 to 7: start and end of subject, relation and object; `None` for an n-gram without an assertion.

    N-grams with the same tags, labels and heads have the same parts, whatever their words.
    """
    if not has_pattern(tokens) or not has_one_subject_and_root(tokens):
        return None
    subject, object_ = subject_of(tokens), object_of(tokens)
    if not is_noun_phrase(tokens, subject) or not is_noun_phrase(tokens, object_):
        return None
    relation = relation_of(tokens, subject, object_)
    if relation is None:
        return None
    return _span(subject), _span(relation), _span(object_)


def _span(positions: Sequence[int]) -> tuple[int, int]:
    return positions[0], positions[-1] + 1


def aggregate_assertions(engine: Engine, assertions: Table, min_pairs: int = LEAST_PAIRS) -> tuple[Table, Table]:
    """Steps 9 and 10: the assertions that are kept, and one row with the numbers of assertions, occurrences,
    relations.

    A sum beyond 64 bits is an error. The order of `kept` does not depend on the engine.
    """
    bound = {"lasting_relations": {"min_pairs": min_pairs}}
    steps = [Step(name, sql, bound.get(name, {})) for name, sql in queries(__name__).items()]
    made = engine.query(steps, {"assertions": assertions}, keep=["kept", "figures"])
    return made["kept"], made["figures"]


@dataclass(frozen=True, slots=True)
class AssertionReport:
    """Counts of a file of assertions; `skipped` are malformed lines, listed individually if there are few."""

    assertions: int
    appearances: int
    relations: int
    malformed_lines: int
    min_pairs: int
    skipped: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, int]:
        """The output of `--json`."""
        return {name: getattr(self, name) for name in ("assertions", "appearances", "relations", "malformed_lines")}

    def __str__(self) -> str:
        text = f"{self.assertions:,} assertions with {self.relations:,} relations, {self.appearances:,} appearances"
        if self.malformed_lines:
            text += f"; {self.malformed_lines:,} malformed line(s) skipped"
        if not self.assertions and self.min_pairs > 1:
            text += f". No relation has {self.min_pairs} different pairs of arguments; see --min-pairs"
        return text
