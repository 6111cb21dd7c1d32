"""Worlds: marks become mentions with exact offsets, and an entity counts only if it is one node by itself."""

from benchmarks.who_is_who import outcomes
from benchmarks.worlds import parse_world

TEXT = """# world: pumps
@ orlo | organization | Orlo Pumps Ltd | Orlo Pumps, Orlo
@ ann | person | Ann Lee | Ann, Ms Lee

=== d01 | mail | 2024-01-01
From: {ann|Ann Lee} <ann@orlo.example>

{orlo|We} sell pumps. {orlo|The company} thanks {ann|me}.

=== d02 | news | 2024-01-02
{orlo|Orlo} hired {ann|Ms Lee}; {ann|she} runs {orlo|it}.
"""


def test_marks_become_mentions_with_exact_offsets():
    world = parse_world("pumps", TEXT)
    found = [
        (one.name, one.text[mention.start : mention.end], mention.entity, mention.kind)
        for one in world.documents
        for mention in one.mentions
    ]
    assert found == [
        ("d01.eml", "Ann Lee", "ann", "name"),
        ("d01.eml", "We", "orlo", "i-we"),
        ("d01.eml", "The company", "orlo", "description"),
        ("d01.eml", "me", "ann", "i-we"),
        ("d02.txt", "Orlo", "orlo", "name"),
        ("d02.txt", "Ms Lee", "ann", "name"),
        ("d02.txt", "she", "ann", "pronoun"),
        ("d02.txt", "it", "orlo", "pronoun"),
    ]
    assert world.documents[0].text[world.documents[0].body :].startswith("We sell")


def test_an_entity_on_the_node_of_another_does_not_count():
    world = parse_world("pumps", TEXT)
    nodes = {("d01.eml", "ann lee"): {"n1"}, ("d02.txt", "orlo"): {"n2"}, ("d02.txt", "lee"): {"n1"}}
    assert {name: outcome for name, (_, outcome, _) in outcomes(world, nodes).items()} == {
        "Orlo Pumps Ltd": "one node",
        "Ann Lee": "one node",
    }
    mixed = nodes | {("d02.txt", "orlo"): {"n1"}}
    assert {outcome for _, outcome, _ in outcomes(world, mixed).values()} == {"with another"}
