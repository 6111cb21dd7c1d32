"""Review of clusters: names or phrases that mean the same belong together; merge, split, move, rename.

Rows are either ready-made items, `{"clusters": [{"name", "members": [{"id", "text", "context"?}]}]}`, or the lines
that `tupelo canonicalize` writes, one cluster each, which are gathered into items of clusters that share words
(`per_item` in the settings says how many at most). Content: `kind` and `clusters`. Answer: `clusters`, each with a
`name` and the ids of its `members`; every member is in exactly one.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import combinations
from typing import Any, ClassVar

from tupelo.annotate.tasks.base import (
    Answer,
    AnswerError,
    Item,
    ItemRow,
    PlainTask,
    id_of,
    need_list,
    need_object,
    need_text,
    only_fields,
    optional_text,
    shortly,
    unique,
)
from tupelo.core import InputError
from tupelo.scorers.carb_matchers import ENGLISH_STOP_WORDS

_KINDS = ("entity", "relation", "type")
_PER_ITEM = 8
_MOST_MEMBERS = 400
_LONGEST_NAME = 200


class Clusters(PlainTask):
    """Clusters on a table, to be put in order."""

    name = "clusters"
    title = "Put together what means the same: merge, split and rename clusters"
    reads = "clusters"
    levels: ClassVar[Mapping[str, str]] = {"together": "nominal"}

    def items(self, rows: Sequence[ItemRow], settings: Mapping[str, Any]) -> list[Item]:
        items = [self.item(row) for row in rows if "clusters" in row]
        single = [_from_line(row) for row in rows if "clusters" not in row]
        if single and items:
            raise InputError("lines of clusters beside ready-made items, expected one of the two")
        most = settings.get("per_item", _PER_ITEM)
        if not isinstance(most, int) or most < 1:
            raise InputError(f"'per_item' is {shortly(most)}, expected a number above 0")
        for kind in _KINDS:
            for group in gather([row for row in single if row["kind"] == kind], most):
                items.append(self.item({"kind": kind, "clusters": group}))
        return items

    def item(self, row: ItemRow) -> Item:
        clusters: list[dict[str, Any]] = [
            {
                "name": optional_text(need_object(each, "a cluster"), "name", _LONGEST_NAME),
                "members": [_member(member) for member in need_list(each, "members", 1, _MOST_MEMBERS)],
            }
            for each in need_list(row, "clusters", 1)
        ]
        members = [member["id"] for each in clusters for member in each["members"]]
        unique(members, "the member")
        if len(members) > _MOST_MEMBERS:
            raise InputError(f"{len(members)} members in an item, expected at most {_MOST_MEMBERS}")
        for each in clusters:
            each["name"] = each["name"] or each["members"][0]["text"][:_LONGEST_NAME]
        content = {"kind": str(row.get("kind") or "entity"), "clusters": clusters}
        return Item(id_of(row, members), content)

    def validate(self, item: Item, answer: Any, seed: str) -> Answer:
        answer = need_object(answer, "the answer")
        only_fields(answer, "clusters")
        known = {member["id"] for each in item.content["clusters"] for member in each["members"]}
        left, checked = set(known), []
        for number, raw in enumerate(need_list(answer, "clusters", 1, len(known))):
            where = f"clusters.{number}"
            given = need_object(raw, "a cluster", where)
            only_fields(given, "name", "members")
            members = need_list(given, "members", 1, len(known), f"{where}.members")
            for member in members:
                if not isinstance(member, str) or member not in left:
                    word = "is there twice" if isinstance(member, str) and member in known else "is unknown"
                    raise AnswerError(f"the member {shortly(member)} {word}, expected each member once", where)
                left.discard(member)
            name = " ".join(need_text(given, "name", _LONGEST_NAME, f"{where}.name").split())
            checked.append({"name": name, "members": sorted(members)})
        if left:
            raise AnswerError(f"{len(left)} members are in no cluster, expected each in one", "clusters")
        return {"clusters": sorted(checked, key=lambda each: each["members"])}

    def grade(self, item: Item, answer: Answer, gold: Answer) -> float:
        """F1 over pairs of members in the same cluster; 1 if neither side has a pair."""
        wanted, given = _pairs(gold), _pairs(answer)
        return 2 * len(wanted & given) / (len(wanted) + len(given)) if wanted or given else 1.0

    def units(self, item: Item, answer: Answer) -> dict[tuple[str, str], Hashable]:
        together = _pairs(answer)
        members = sorted(member for each in answer["clusters"] for member in each["members"])
        return {("together", f"{a}\t{b}"): "yes" if (a, b) in together else "no" for a, b in combinations(members, 2)}

    def export(self, item: Item, answer: Answer) -> list[dict[str, Any]]:
        """Lines of clusters, as `tupelo canonicalize` writes them."""
        members = {member["id"]: member for each in item.content["clusters"] for member in each["members"]}
        return [
            {
                "id": f"{item.id}:{number}",
                "kind": item.content["kind"],
                "name": each["name"],
                "members": [_line_member(members[name]) for name in each["members"]],
            }
            for number, each in enumerate(answer["clusters"])
        ]


def gather(clusters: Sequence[dict[str, Any]], most: int) -> list[list[dict[str, Any]]]:
    """Groups of at most `most` clusters; a cluster joins the group with which it shares most words."""
    groups: list[tuple[set[str], list[dict[str, Any]]]] = []
    for cluster in clusters:
        words = _content_words(cluster)
        free = [group for group in groups if len(group[1]) < most]
        # Ties go to the last group, so that neighbours in the file stay together.
        best = max(reversed(free), key=lambda group: len(group[0] & words), default=None)
        if best is None:
            groups.append((set(words), [cluster]))
        else:
            best[0].update(words)
            best[1].append(cluster)
    return [group for _, group in groups]


def _content_words(cluster: Mapping[str, Any]) -> set[str]:
    texts = " ".join(member["text"] for member in cluster["members"])
    return {word for word in texts.casefold().split() if word not in ENGLISH_STOP_WORDS}


def _member(raw: Any) -> dict[str, str]:
    given = need_object({"text": raw} if isinstance(raw, str) else raw, "a member")
    text = need_text(given, "text", 2_000)
    name = str(given["id"]) if given.get("id") is not None else text
    return {
        "id": need_text({"id": name}, "id", 2_000),
        "text": text,
        "context": optional_text(given, "context", 2_000),
    }


def _from_line(row: ItemRow) -> dict[str, Any]:
    """A line of clusters; the place of a member (mention and slot) is its id."""
    if row.get("kind") not in _KINDS:
        raise InputError(f"'kind' is {shortly(row.get('kind'))}, expected one of {', '.join(_KINDS)}")
    evidence = row.get("evidence")
    members = []
    for raw in need_list(row, "members", 1, _MOST_MEMBERS):
        given = need_object(raw, "a member")
        place = f"{given.get('mention')}\t{given.get('slot')}"
        members.append({"id": place, "text": need_text(given, "text", 2_000)})
    if isinstance(evidence, list) and evidence and isinstance(evidence[0], str):
        members[0]["context"] = evidence[0]
    return {"kind": row["kind"], "name": optional_text(row, "name", _LONGEST_NAME), "members": members}


def _line_member(member: Mapping[str, str]) -> dict[str, str]:
    mention, tab, slot = member["id"].partition("\t")
    return {"mention": mention, "slot": slot if tab else "subject", "text": member["text"]}


def _pairs(answer: Answer) -> set[tuple[str, str]]:
    return {pair for each in answer["clusters"] for pair in combinations(sorted(each["members"]), 2)}


TASK = Clusters()
