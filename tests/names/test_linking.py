"""Who is who over documents: a contrast set, and what must hold for every set of referents."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable
from copy import copy
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.operations import growth
from tupelo.core.document import Document
from tupelo.core.statement import MERGE_REASONS
from tupelo.names.forms import form_of
from tupelo.names.linking import Alias, Aliases, Correction, StoredReferent, keys_of, link, missed_links
from tupelo.names.linking.profiles import ASK, OFFER

CASES = tomllib.loads(Path(__file__).with_name("linking.toml").read_text("utf-8"))
VERDICTS = [(verdict, case) for verdict in ("same", "different") for case in CASES[verdict]]


def referent(id: str, name: str, label: str = "person", **fields: Any) -> StoredReferent:
    """A referent by hand; `also` are further names that its document gives."""
    also = tuple(fields.pop("also", ()))
    count = fields.pop("count", 1)
    reasons = ["acronym" if other.isupper() else "short name" for other in also]
    return StoredReferent(
        referent_id=id,
        document_id=fields.pop("document", f"document of {id}"),
        kind=fields.pop("kind", "entity"),
        name=name,
        label=label,
        names=(name, *also),
        counts=(count, *[1] * len(also)),
        reasons=("same name", *reasons),
        **{key: tuple(value) if isinstance(value, list) else value for key, value in fields.items()},
    )


def are_one(case: dict[str, Any]) -> bool:
    rows = [case["first"], case["second"], *case.get("others", [])]
    linked = link([referent(f"r{number}", **row) for number, row in enumerate(rows)], Aliases())
    return linked["r0"].key == linked["r1"].key


def title(case: tuple[str, dict[str, Any]]) -> str:
    return f"{case[0]}: {case[1]['first']['name']} / {case[1]['second']['name']} ({case[1]['why']})"


@pytest.mark.parametrize("case", VERDICTS, ids=title)
def test_contrast_set(case: tuple[str, dict[str, Any]]) -> None:
    verdict, content = case
    assert are_one(content) == (verdict == "same"), content["why"]


PEOPLE = ["Ann Solheim", "Solheim", "A. Solheim", "Ann B. Solheim", "Bo Solheim", "Smith", "John Smith", "Bill Smith"]
PEOPLE += ["William Smith", "John", "Cassius Clay", "Muhammad Ali"]
OTHERS = ["Paris", "AMA", "US", "United States", "American Medical Association", "American Marketing Association"]
OTHERS += ["Apple Inc.", "Apple", "Toy Story 2"]
NAMES = st.sampled_from(PEOPLE + OTHERS)
BESIDE = ["Berkeley", "Chicago Bulls", "Texas", "Lamar County", "Bo Lee"]
REFERENTS = st.lists(
    st.builds(
        dict,
        name=NAMES,
        label=st.sampled_from(["person", "place", "organization", "work", "other"]),
        also=st.lists(NAMES, max_size=2),
        descriptions=st.lists(st.sampled_from(["singer", "professor", "player", "company", "river"]), max_size=2),
        place=st.sampled_from([None, None, "Texas", "France", "United States", "Lamar County"]),
        context=st.lists(
            st.sampled_from(["Berkeley", "Chicago Bulls", "Texas", "Lamar County", "Bo Lee"]), max_size=2
        ),
        count=st.integers(1, 9),
    ),
    max_size=12,
)


def numbered(rows: list[dict[str, Any]], prefix: str = "r") -> list[StoredReferent]:
    return [referent(f"{prefix}{number:02}", **row) for number, row in enumerate(rows)]


@pytest.mark.parametrize(("shared", "count"), [((), 2), (("Robert Kerr",), 1)])
def test_another_name_counts_in_other_documents_where_names_around_are_shared(
    shared: tuple[str, ...], count: int
) -> None:
    """A document may be misread: *Mount Franklin (Australian Capital Territory)* does not name the mountain."""
    stating = replace(
        referent("mountain", "Mount Franklin", "place", also=["Australian Capital Territory"], context=shared),
        reasons=("same name", "stated"),
    )
    territory = referent("territory", "Australian Capital Territory", "place", context=shared)
    linked = link([stating, territory], Aliases())
    assert len({assigned.key for assigned in linked.values()}) == count


@given(REFERENTS, st.randoms(use_true_random=False))
def test_order_of_referents_is_irrelevant(rows: list[dict[str, Any]], random: Random) -> None:
    referents = numbered(rows)
    shuffled = random.sample(referents, len(referents))
    corrections = [Correction("same", "Cassius Clay", "Muhammad Ali"), Correction("different", "Apple Inc.", "Apple")]
    assert link(referents, Aliases(), corrections) == link(shuffled, Aliases(), corrections)


def are_connected(one: set[str], other: set[str]) -> bool:
    """Whether two share a key that not both only offer as a shorter form, or only ask for."""
    marks = ("", OFFER, ASK)
    plain = {key.lstrip(OFFER + ASK) for key in one}
    return any(
        f"{mark}{key}" in one and f"{beside}{key}" in other
        for key in plain
        for mark in marks
        for beside in marks
        if mark != beside or not mark
    )


def closed_sets(referents: list[StoredReferent]) -> list[list[StoredReferent]]:
    """Referents divided so that no two parts are connected by their keys."""
    parts: list[tuple[set[str], list[StoredReferent]]] = []
    for one in referents:
        keys, members = set(keys_of(one, Aliases())), [one]
        for other in [part for part in parts if are_connected(part[0], keys)]:
            parts.remove(other)
            keys, members = keys | other[0], members + other[1]
        parts.append((keys, members))
    return [members for _, members in parts]


@given(REFERENTS)
def test_each_closed_set_is_linked_by_itself(rows: list[dict[str, Any]]) -> None:
    referents = numbered(rows)
    apart = {id: found for part in closed_sets(referents) for id, found in link(part, Aliases()).items()}
    assert link(referents, Aliases()) == apart


@given(REFERENTS)
def test_reasons_and_probabilities_belong_to_merged_referents(rows: list[dict[str, Any]]) -> None:
    linked = link(numbered(rows), Aliases())
    sizes = Counter(found.key for found in linked.values())
    for found in linked.values():
        assert (found.reason is None) == (found.probability is None) == (sizes[found.key] == 1)
        assert found.reason is None or found.reason in MERGE_REASONS
        assert found.probability is None or 0.5 <= found.probability <= 1


def crowd(name: Callable[[int], str], label: str, **fields: Any) -> Callable[[int], list[StoredReferent]]:
    """Makes many referents, each with names around it of which a few others have one."""

    def make(size: int) -> list[StoredReferent]:
        beside = [[f"Person {number} Of", f"Person {(number * 7) % size} Of"] for number in range(size)]
        return [
            referent(
                f"r{n:05}", name(n), label, context=beside[n], **{key: value(n) for key, value in fields.items()}
            )
            for n in range(size)
        ]

    return make


@pytest.mark.slow
@pytest.mark.parametrize(
    "make",
    [
        crowd(lambda n: "United States", "place"),
        crowd(lambda n: "Smith" if n % 2 else f"Person{n} Smith", "person"),
        crowd(lambda n: f"John {'ABCDEFG'[n % 7]}. Smith" if n % 2 else "J. Smith", "person"),
        crowd(lambda n: f"J{n} Smith", "person"),
        crowd(lambda n: "Springfield", "place", place=lambda n: f"State {n}"),
        crowd(lambda n: "AMA" if n % 2 else f"Some M{n} A", "organization", also=lambda n: [["AMA"], []][n % 2]),
    ],
    ids=["one name", "surnames", "initials", "first names", "places", "acronyms"],
)
def test_work_grows_with_the_number_of_referents(make: Callable[[int], list[StoredReferent]]) -> None:
    def run(referents: list[StoredReferent]) -> None:
        form_of.cache_clear()
        link(referents, Aliases())

    run(make(1))
    assert growth(run, make, 50) < 2.4


def test_a_table_of_names_travels_to_workers() -> None:
    given = Aliases((Alias("Norwegian Kelp Institute", "Kelp House", "organization"),))
    assert given.canonical("kelp house", "organization") == "norwegian kelp institute"
    assert given.canonical("kelp house", "person") == "norwegian kelp institute"
    assert copy(given).canonical("kelp house", "organization") == "norwegian kelp institute"


def test_a_guessed_type_decides_only_between_several_meanings_of_an_alias() -> None:
    given = Aliases((Alias("Ann Lee", "Lee", "person"), Alias("Lee Shipping", "Lee", "organization")))
    assert given.canonical("lee", "organization") == "lee shipping"
    assert given.canonical("lee", "place") == "lee"


def test_links_that_were_not_made_are_listed_with_their_probability() -> None:
    referents = [
        referent("full", "Anna Lindqvist", context=["Umea"]),
        referent("short", "Anna"),
        referent("o", "Oslo"),
    ]
    (missed,) = missed_links(referents, Aliases(), {})
    assert (missed.referent_id, missed.other_id, missed.reason) == ("short", "full", "short name")
    assert 0 < missed.probability < 0.55


def test_names_of_a_never_rule_are_distinct() -> None:
    aliases = Aliases((Alias("Angela Merkel", "Merkel", None, "never"),))
    referents = [referent("r0", "Angela Merkel"), referent("r1", "Merkel")]
    linked = link(referents, aliases, aliases.never)
    assert linked["r0"].key != linked["r1"].key


def grouped(corrections: list[Correction]) -> set[frozenset[str]]:
    """Names with their documents, by entity."""
    rows = [
        ("Angela Merkel", "a"),
        ("Merkel", "b"),
        ("Merkel", "c"),
        ("Kanzlerin", "c"),
        ("Paris", "a"),
        ("Paris", "b"),
    ]
    labels = {"Paris": "place"}
    referents = [
        referent(
            f"r{number}", name, labels.get(name, "person"), document=Document(source, "").id, context=("Bundestag",)
        )
        for number, (name, source) in enumerate(rows)
    ]
    found: dict[str, set[str]] = {}
    for one, assigned in link(referents, Aliases(), corrections).items():
        found.setdefault(assigned.key, set()).add("{}@{}".format(*rows[int(one[1:])]))
    return {frozenset(names) for names in found.values()}


MERKEL = {"Angela Merkel@a", "Merkel@b", "Merkel@c"}
PARIS = {"Paris@a", "Paris@b"}
KANZLERIN = {"Kanzlerin@c"}


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ((), [MERKEL, PARIS, KANZLERIN]),
        (("same", "Kanzlerin", "Angela Merkel"), [MERKEL | KANZLERIN, PARIS]),
        (("same", "Kanzlerin", "Merkel@b"), [MERKEL | KANZLERIN, PARIS]),
        (("different", "Angela Merkel", "Merkel"), [{"Angela Merkel@a"}, {"Merkel@b", "Merkel@c"}, PARIS, KANZLERIN]),
        (("different", "Merkel@c", "Angela Merkel"), [MERKEL - {"Merkel@c"}, {"Merkel@c"}, PARIS, KANZLERIN]),
        (("different", "Paris@a", "Paris@b"), [MERKEL, KANZLERIN, {"Paris@a"}, {"Paris@b"}]),
        (("different", "Paris", "Paris@b"), [MERKEL, KANZLERIN, {"Paris@a"}, {"Paris@b"}]),
        (("same", "Nobody", "Paris"), [MERKEL, PARIS, KANZLERIN]),
    ],
)
def test_corrections_are_stronger_than_evidence(said: tuple[str, str, str], expected: list[set[str]]) -> None:
    corrections = [Correction.of(*said)] if said else []
    assert grouped(corrections) == {frozenset(names) for names in expected}
    assert grouped([Correction.of(said[0], said[2], said[1])] if said else []) == grouped(corrections)
