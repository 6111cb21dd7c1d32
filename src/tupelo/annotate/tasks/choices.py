"""Candidates that answer a question or not, the better of two systems, and clusters to be put in order.

`candidates`, with controls among them (the supplement of Levy and Dagan, 2016). Row: `question`; `candidates`, each
a text or an object with `text` and where known `assertion`, the sentence that it was found in, and `id`; `controls`,
candidates with a known `answer` (`yes` or `no`) that look like the others. Content: `question` and `candidates` with
neutral ids. Answer: `labels`, an id to `yes`, `no` or `unclear`. An answer that misses a control is sent back,
without saying which one it was.

`preference`: which of two systems did better on a sentence, or neither (CaRB, section 5.3). Row: `text` and
`systems`, the name of each of the two with its tuples (`["arg1", "relation", "arg2", …]`, or objects with `rel` and
`args` as in other tasks). Content: `text` and `options`, each with a neutral `id` and its `tuples`; which system an
id stands for is hidden, and the order changes from person to person. Answer: `choice`, an id or `equal`; `reason`, a
note, may be empty.

`clusters`: names or phrases with the same meaning belong together; merge, split, move, rename.
Rows are either ready-made items, `{"clusters": [{"name", "members": [{"id", "text", "context"?}]}]}`, or the lines
that `tupelo canonicalize` writes, one cluster each, which are gathered into items of clusters that share words
(`per_item` in the settings says how many at most). Content: `kind` and `clusters`. Answer: `clusters`, each with a
`name` and the ids of its `members`; every member is in exactly one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, ClassVar

from tupelo.annotate.tasks.base import (
    AnnotationTask,
    Answer,
    AnswerError,
    Item,
    ItemRow,
    RowTask,
    content_id,
    id_of,
    need_fields,
    need_list,
    need_object,
    need_text,
    one_of,
    only_fields,
    optional_text,
    share_equal,
    shortly,
    shuffled,
    unique,
)
from tupelo.core import InputError
from tupelo.scorers.carb_matchers import ENGLISH_STOP_WORDS

LABELS = ("yes", "no", "unclear")
_CERTAIN = ("yes", "no")


class Candidates(RowTask):
    """A question with a list of possible answers."""

    name = "candidates"
    title = "Say for each candidate whether it answers the question"
    levels: ClassVar[Mapping[str, str]] = {"label": "nominal"}

    def item(self, row: ItemRow) -> Item:
        question = need_text(row, "question", 2_000)
        candidates = [_candidate(each) for each in need_list(row, "candidates", 1)]
        controls = [_candidate(each) for each in need_list(row, "controls")] if row.get("controls") else []
        expected = [one_of(each, "answer", _CERTAIN) for each in row.get("controls") or []]
        everything = [*candidates, *controls]
        unique([f"{each['text']} {each['assertion']}".strip() for each in everything], "the candidate")
        name = id_of(row, [question, everything])
        # The id of a candidate does not reveal whether it is a control.
        keys = [content_id([name, each["text"], each["assertion"]])[:8] for each in everything]
        shown = [
            {"id": key, "text": each["text"], "assertion": each["assertion"]}
            for key, each in sorted(zip(keys, everything, strict=True), key=lambda pair: pair[0])
        ]
        hidden = {
            "controls": dict(zip(keys[len(candidates) :], expected, strict=True)),
            "names": {key: each["id"] for key, each in zip(keys, candidates, strict=False) if each["id"]},
        }
        return Item(name, {"question": question, "candidates": shown}, hidden)

    def present(self, item: Item, seed: str) -> dict[str, Any]:
        candidates = item.content["candidates"]
        return {**item.content, "candidates": [candidates[n] for n in shuffled(len(candidates), seed)]}

    def validate(self, item: Item, answer: Any, seed: str) -> Answer:
        answer = need_fields(answer, "labels")
        given = need_object(answer.get("labels"), "'labels'", "labels")
        keys = {each["id"]: each["id"] for each in item.content["candidates"]}
        # Files refer to candidates by their texts.
        texts = {each["text"]: each["id"] for each in item.content["candidates"]} | keys
        for name in given:
            if name not in texts:
                raise AnswerError(f"a label for {shortly(name)}, expected a candidate of the question", "labels")
        labels = {texts[name]: one_of(given, name, LABELS, f"labels.{texts[name]}") for name in given}
        # A control needs no label in a file: its answer is known.
        labels = {**item.hidden["controls"], **labels} if not set(given) <= set(keys) else labels
        for each in item.content["candidates"]:
            if each["id"] not in labels:
                raise AnswerError(f"no label for '{each['text'][:60]}', expected one", f"labels.{each['id']}")
        return {"labels": {key: labels[key] for key in keys}}

    def missed(self, item: Item, answer: Answer) -> list[str]:
        controls = item.hidden["controls"]
        return [key for key, expected in controls.items() if answer["labels"][key] != expected]

    def grade(self, item: Item, answer: Answer, gold: Answer) -> float:
        return share_equal(gold["labels"], answer["labels"])

    def units(self, item: Item, answer: Answer) -> dict[tuple[str, str], Hashable]:
        """The labels of all candidates but controls, on which agreement is enforced."""
        return {
            ("label", key): label for key, label in answer["labels"].items() if key not in item.hidden["controls"]
        }

    def export(self, item: Item, answer: Answer) -> list[dict[str, Any]]:
        return [
            {
                "id": item.hidden["names"].get(each["id"], f"{item.id}:{each['id']}"),
                "question": item.content["question"],
                "candidate": each["text"],
                "assertion": each["assertion"],
                "label": answer["labels"][each["id"]],
            }
            for each in item.content["candidates"]
            if each["id"] not in item.hidden["controls"]
        ]


def _candidate(raw: Any) -> dict[str, str]:
    given = need_object({"text": raw} if isinstance(raw, str) else raw, "a candidate")
    only_fields(given, "id", "text", "assertion", "answer")
    name = str(given["id"]) if given.get("id") is not None else ""
    return {
        "id": name,
        "text": need_text(given, "text", 2_000),
        "assertion": optional_text(given, "assertion", 2_000),
    }


EQUAL = "equal"
_IDS = ("one", "two")
_LONGEST_REASON = 2_000


class Preference(RowTask):
    """Two lists of tuples side by side."""

    name = "preference"
    title = "Choose the better of two lists of tuples for a sentence, or say that they are equal"
    levels: ClassVar[Mapping[str, str]] = {"choice": "nominal"}

    def item(self, row: ItemRow) -> Item:
        text = need_text(row, "text")
        systems = need_object(row.get("systems"), "'systems'")
        if len(systems) != 2:
            raise InputError(f"'systems' has {len(systems)} names, expected two")
        names = sorted(systems)
        shown = {name: [_strings(each) for each in need_list(systems, name)] for name in names}
        name = id_of(row, [text, shown])
        # The neutral ids reveal nothing either: which system comes first differs between items.
        order = [names[number] for number in shuffled(2, name)]
        options = [{"id": key, "tuples": shown[system]} for key, system in zip(_IDS, order, strict=True)]
        return Item(name, {"text": text, "options": options}, {"systems": dict(zip(_IDS, order, strict=True))})

    def present(self, item: Item, seed: str) -> dict[str, Any]:
        options = item.content["options"]
        return {**item.content, "options": [options[number] for number in shuffled(len(options), seed)]}

    def validate(self, item: Item, answer: Any, seed: str) -> Answer:
        answer = need_fields(answer, "choice", "reason", "system")
        if "system" in answer:
            # Files name the system, because their authors do not know the ids.
            names = {name: key for key, name in item.hidden["systems"].items()} | {EQUAL: EQUAL}
            return {"choice": names[one_of(answer, "system", tuple(names))], "reason": ""}
        choice = one_of(answer, "choice", (*_IDS, EQUAL))
        return {"choice": choice, "reason": optional_text(answer, "reason", _LONGEST_REASON)}

    def grade(self, item: Item, answer: Answer, gold: Answer) -> float:
        return float(answer["choice"] == gold["choice"])

    def units(self, item: Item, answer: Answer) -> dict[tuple[str, str], Hashable]:
        return {("choice", ""): self._system(item, answer)}

    def settle(self, item: Item, answers: Sequence[Answer]) -> Answer:
        """The majority; an equal split is a tie (CaRB, section 5.3)."""
        votes = [*Counter(answer["choice"] for answer in answers).most_common(), (EQUAL, 0)]
        choice = EQUAL if votes[0][1] == votes[1][1] else votes[0][0]
        return next((answer for answer in answers if answer["choice"] == choice), {"choice": EQUAL, "reason": ""})

    def tally(self, settled: Iterable[tuple[Item, Answer]]) -> dict[str, int]:
        """On how many sentences each system is better, and on how many neither."""
        counts: Counter[str] = Counter()
        for item, answer in settled:
            counts.update(dict.fromkeys([*sorted(item.hidden["systems"].values()), EQUAL], 0))
            counts[self._system(item, answer)] += 1
        return dict(counts)

    def export(self, item: Item, answer: Answer) -> list[dict[str, Any]]:
        row = {"id": item.id, "text": item.content["text"], "systems": sorted(item.hidden["systems"].values())}
        return [row | {"better": self._system(item, answer), "reason": answer["reason"]}]

    def _system(self, item: Item, answer: Answer) -> str:
        return EQUAL if answer["choice"] == EQUAL else str(item.hidden["systems"][answer["choice"]])


def _strings(given: Any) -> list[str]:
    """Subject, relation and the other arguments."""
    if isinstance(given, Mapping):
        arguments = need_list(given, "args", 1)
        given = [arguments[0], given.get("rel"), *arguments[1:]]
    if not isinstance(given, list) or len(given) < 2 or not all(isinstance(part, str) for part in given):
        raise InputError(f'the tuple {str(given)[:60]}, expected ["arg1", "relation", "arg2", …]')
    return list(given)


CANDIDATES, PREFERENCE = Candidates(), Preference()


_KINDS = ("entity", "relation", "type")
_PER_ITEM = 8
_MOST_MEMBERS = 400
_LONGEST_NAME = 200


class Clusters(AnnotationTask):
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
        answer = need_fields(answer, "clusters")
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
        texts = {member["id"]: member["text"] for each in item.content["clusters"] for member in each["members"]}
        return [
            {
                "id": f"{item.id}:{number}",
                "kind": item.content["kind"],
                "name": each["name"],
                "members": [
                    {"mention": mention, "slot": slot if tab else "subject", "text": texts[name]}
                    for name in each["members"]
                    for mention, tab, slot in [name.partition("\t")]
                ],
            }
            for number, each in enumerate(answer["clusters"])
        ]


def gather(clusters: Sequence[dict[str, Any]], most: int) -> list[list[dict[str, Any]]]:
    """Groups of at most `most` clusters; a cluster joins the group with which it shares most words."""
    groups: list[tuple[set[str], list[dict[str, Any]]]] = []
    for cluster in clusters:
        texts = " ".join(member["text"] for member in cluster["members"])
        words = set(texts.casefold().split()) - ENGLISH_STOP_WORDS
        free = [group for group in groups if len(group[1]) < most]
        # Ties go to the last group, so that neighbours in the file stay together.
        best = max(reversed(free), key=lambda group: len(group[0] & words), default=None)
        if best is None:
            groups.append((words, [cluster]))
        else:
            best[0].update(words)
            best[1].append(cluster)
    return [group for _, group in groups]


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


def _pairs(answer: Answer) -> set[tuple[str, str]]:
    return {pair for each in answer["clusters"] for pair in combinations(sorted(each["members"]), 2)}


CLUSTERS = Clusters()
