"""Merges of names over documents that are worth a look, and the corrections that people make."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from tupelo.core.document import Document
from tupelo.core.results import printable, values_of
from tupelo.core.shipped import queries
from tupelo.core.statement import Correction
from tupelo.graph.build.assign import FIELDS, referents_of
from tupelo.graph.query.answers import PlainList, PlainValue, quoted
from tupelo.graph.store.file import Store
from tupelo.graph.store.schema import stable_id
from tupelo.names.linking import Aliases, correction_keys, missed_links

_SQL = queries(__name__)
# The least probability of a merge that may be missing.
_LEAST = 0.2
# The name as its document has it, where a table of names gives the one that is shown.
_WRITTEN = "CASE WHEN list_contains(names, name) OR len(names) = 0 THEN name ELSE names[1] END"


@dataclass(frozen=True, slots=True)
class Quotation(PlainValue):
    """A sentence that mentions something."""

    sentence: str
    source: str
    position: int

    def __str__(self) -> str:
        return quoted(self.sentence, self.source, self.position)


@dataclass(frozen=True, slots=True)
class Merge(PlainValue):
    """A name that is taken for the same thing as another one, in how many documents, how probably at least, and why.

    Where `merged` is false, it is not, but may be. `here` are sentences with the name where this is least probable,
    `there` sentences with the other one. Both names may be the same: then these are two of its documents.
    """

    node_id: str
    name: str
    other: str
    reason: str
    probability: float
    documents: int
    mentions: int
    here: tuple[Quotation, ...]
    there: tuple[Quotation, ...]
    merged: bool = True

    def __str__(self) -> str:
        documents = "1 document" if self.documents == 1 else f"{self.documents:,} documents"
        sign = "=" if self.merged else "is not"
        lines = [f"{self.probability:.2f}  {self.name} ({documents}) {sign} {self.other}: {self.reason}"]
        lines += (f"      {said}" for said in (*self.here, *self.there))
        return "\n".join(map(printable, lines))


class MergeReview(PlainList[Merge]):
    """Merges that may be missing, the most probable first; then merges, the least probable first."""

    __slots__ = ()
    name, nothing = "merges", "nothing was merged over documents"

    def rows(self) -> list[dict[str, Any]]:
        return [{**merge.to_dict(), "here": _joined(merge.here), "there": _joined(merge.there)} for merge in self]


def _joined(sayings: Iterable[Quotation]) -> str:
    return " ".join(map(str, sayings))


def review(store: Store, aliases: Aliases, *, limit: int = 20, sentences: int = 1) -> MergeReview:
    """Merges over documents that may be missing; then those that were made, least probable first.

    Of equally probable ones, those of more mentions come first. At most half of them may be missing ones.
    """
    missed = _missed(store, aliases, limit // 2, sentences)
    return MergeReview([*missed, *_merged(store, limit - len(missed), sentences)])


def _missed(store: Store, aliases: Aliases, limit: int, sentences: int) -> list[Merge]:
    referents = list(referents_of(store.rows(f"SELECT {FIELDS} FROM referents WHERE kind = 'entity'")))
    nodes = dict(store.rows("SELECT referent_id, node_id FROM referents WHERE kind = 'entity'"))
    documents: dict[str, list[str]] = {}
    for one in referents:
        documents.setdefault(one.document_id, []).append(one.name)
    by_id = {one.referent_id: one for one in referents}
    said = {frozenset(name for name, _ in one.sides) for one in (*corrections_of(store), *aliases.never)}
    found: dict[tuple[str, str], Merge] = {}
    for missed in missed_links(referents, aliases, documents):
        one, other = by_id[missed.referent_id], by_id[missed.other_id]
        pair = nodes[one.referent_id], nodes[other.referent_id]
        if missed.probability < _LEAST or len(found) == limit:
            break
        if pair[0] != pair[1] and pair not in found and frozenset([one.name, other.name]) not in said:
            here, there = (_sentences(store, side.referent_id, sentences) for side in (one, other))
            numbers = (missed.probability, 1, sum(one.counts))
            found[pair] = Merge(pair[0], one.name, other.name, missed.reason, *numbers, here, there, merged=False)
    return list(found.values())


def _merged(store: Store, limit: int, sentences: int) -> list[Merge]:
    rows = store.rows(_SQL["merged"].format(written=_WRITTEN), [2 * limit])
    found: dict[frozenset[str], Merge] = {}
    for node_id, name, reason, probability, documents, mentions, referent_id in rows:
        # The one with most mentions: with the same name or another, if there is such a one.
        asked = {"entity": node_id, "referent": referent_id, "name": name, "same": reason == "same name"}
        other_id, other = store.rows(_SQL["another"].format(written=_WRITTEN), asked)[0]
        # Each of two names is merged with the other.
        pair = frozenset([referent_id, other_id])
        if pair not in found and len(found) < limit:
            here, there = (_sentences(store, one, sentences) for one in (referent_id, other_id))
            found[pair] = Merge(node_id, name, other, reason, probability, documents, mentions, here, there)
    return list(found.values())


def _sentences(store: Store, referent_id: str, most: int) -> tuple[Quotation, ...]:
    return tuple(Quotation(*row) for row in store.rows(_SQL["sentences"], [referent_id, most]))


_SAID = ("verdict", "first", "second", "first_source", "second_source")


def corrections_of(store: Store) -> tuple[Correction, ...]:
    """The corrections that a graph holds, in the order in which they were made."""
    rows = store.rows_within(f"SELECT {', '.join(_SAID)} FROM corrections ORDER BY made, correction_id")
    return tuple(Correction(*row) for row in rows)


def keep_corrections(
    store: Store, corrections: Iterable[Correction], forgotten: Iterable[Correction], made: datetime
) -> list[Correction]:
    """Store corrections, each in place of what was said of its names before; return all that changed, old and new."""
    before = {_id(correction): correction for correction in corrections_of(store)}
    after = before | {_id(correction): correction for correction in corrections}
    for correction in forgotten:
        after.pop(_id(correction), None)
    changed = [key for key in {**before, **after} if before.get(key) != after.get(key)]
    store.run("DELETE FROM corrections WHERE correction_id IN (SELECT unnest($ids))", {"ids": changed})
    new = [(key, after[key]) for key in changed if key in after]
    store.insert("corrections", ({"correction_id": key, **values_of(one, *_SAID), "made": made} for key, one in new))
    return [said for key in changed for said in (before.get(key), after.get(key)) if said is not None]


def _id(correction: Correction) -> str:
    """One id for a pair of names, whatever was said of it."""
    return stable_id("correction", *(part for side in sorted(correction.sides) for part in side))


VERDICTS = ("first", "second", "both", "neither", "open")


def keep_verdicts(store: Store, settled: Iterable[tuple[str, str]], made: datetime) -> int:
    """Store what a person said about conflicts, by id; `open` takes it back. Return their number."""
    verdicts = dict(settled)
    store.run("DELETE FROM settled_conflicts WHERE conflict_id IN (SELECT unnest($ids))", {"ids": list(verdicts)})
    kept = [{"conflict_id": key, "verdict": said, "made": made} for key, said in verdicts.items() if said != "open"]
    store.insert("settled_conflicts", kept)
    return len(verdicts)


def unknown_names(store: Store, corrections: Iterable[Correction], aliases: Aliases) -> list[str]:
    """The names of corrections, as they were written, that mean nothing in the graph."""
    found = []
    for correction in corrections:
        for (name, source), written in zip(correction.sides, correction.written[1:], strict=True):
            keys = list(correction_keys(Correction("same", name, name), aliases))
            document = Document(source, "").id if source else ""
            if not store.rows_within(_SQL["known"], {"keys": keys, "document": document}):
                found.append(written)
    return found
