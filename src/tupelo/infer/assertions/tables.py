"""Steps 9 and 10 over tables of any size: SQL for whichever engine runs it."""

from __future__ import annotations

from tupelo.core.protocols import Engine
from tupelo.core.stages import Step, Table
from tupelo.infer.assertions.steps import LEAST_PAIRS


def aggregated() -> Step:
    """Step 9: equal assertions together, their counts added. A sum that leaves 64 bits is an error, never wrong."""
    return Step(
        "aggregated",
        """select subject, relation, object, cast(sum(count) as bigint) as count
           from assertions group by subject, relation, object""",
    )


def lasting_relations(least_pairs: int) -> Step:
    """Relations with enough different pairs of arguments. In `aggregated` every row is another pair."""
    return Step(
        "lasting_relations",
        "select relation from aggregated group by relation having count(*) >= $least_pairs",
        {"least_pairs": least_pairs},
    )


def kept() -> Step:
    """Step 10: what these relations assert, in an order that does not depend on the engine."""
    return Step(
        "kept",
        """select aggregated.subject, aggregated.relation, aggregated.object, aggregated.count
           from aggregated join lasting_relations on aggregated.relation = lasting_relations.relation
           order by aggregated.relation, aggregated.subject, aggregated.object""",
    )


def figures() -> Step:
    """How many assertions there are, how often they appeared and how many relations they have."""
    return Step(
        "figures",
        """select count(*) as assertions, cast(coalesce(sum(count), 0) as bigint) as appearances,
                  count(distinct relation) as relations
           from kept""",
    )


def aggregate_assertions(engine: Engine, assertions: Table, least_pairs: int = LEAST_PAIRS) -> tuple[Table, Table]:
    """Steps 9 and 10: the assertions that stay, and the single row of figures about them."""
    steps = [aggregated(), lasting_relations(least_pairs), kept(), figures()]
    made = engine.query(steps, {"assertions": assertions}, keep=["kept", "figures"])
    return made["kept"], made["figures"]
