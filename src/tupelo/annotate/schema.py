"""Tables of a project's database, the same on SQLite and PostgreSQL.

`records` is the log of a project: every action is one row with time, person and version, and the
database itself refuses to change or delete rows. It names people by number only; an erasure may take names out of
remarks, and nothing else. The other tables hold the current state, for fast queries.
Times are milliseconds since 1970 in UTC. Columns that end in `_json` hold JSON text.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)

from tupelo.io.folders import packaged_files

VERSION = 2

metadata = MetaData()
# SQLite numbers rows automatically only if the key is a plain INTEGER.
Key = BigInteger().with_variant(Integer, "sqlite")


def _key() -> Column[int]:
    return Column("id", Key, primary_key=True, autoincrement=True)


meta = Table("meta", metadata, Column("key", String(40), primary_key=True), Column("value", Text, nullable=False))

people = Table(
    "people",
    metadata,
    _key(),
    Column("name", String(100), nullable=False),
    # The name in the form used for comparison: case-folded and Unicode-normalized.
    Column("name_key", String(400), nullable=False, unique=True),
    Column("role", String(12), nullable=False),
    Column("state", String(16), nullable=False),
    Column("active", Boolean, nullable=False),
    Column("password", Text, nullable=False),
    Column("participant", String(200)),
    Column("created", BigInteger, nullable=False),
    # The time at which name, password and everything else that leads to the person were removed.
    Column("erased", BigInteger),
    CheckConstraint("role in ('annotator', 'reviewer', 'admin')", name="known_role"),
    CheckConstraint("state in ('training', 'qualification', 'working', 'failed')", name="known_state"),
)

sessions = Table(
    "sessions",
    metadata,
    # Only hashes of tokens are stored, so that reading the database is not enough to sign in.
    Column("token_hash", String(64), primary_key=True),
    Column("person", Key, ForeignKey("people.id"), nullable=False, index=True),
    Column("csrf", String(64), nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("expires", BigInteger, nullable=False),
)

links = Table(
    "links",
    metadata,
    _key(),
    Column("token_hash", String(64), nullable=False, unique=True),
    Column("role", String(12), nullable=False),
    Column("label", String(200)),
    # Set for a link that signs in an existing person; otherwise the link is an invitation.
    Column("person", Key, ForeignKey("people.id")),
    Column("created", BigInteger, nullable=False),
    Column("expires", BigInteger, nullable=False),
    Column("used", BigInteger),
    Column("used_by", Key, ForeignKey("people.id")),
)

tokens = Table(
    "tokens",
    metadata,
    _key(),
    Column("token_hash", String(64), nullable=False, unique=True),
    # The first characters, by which people recognize a token.
    Column("prefix", String(16), nullable=False),
    Column("label", String(200), nullable=False),
    # The program acts for this person, with their role.
    Column("person", Key, ForeignKey("people.id"), nullable=False, index=True),
    Column("scopes", String(100), nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("expires", BigInteger, nullable=False),
    Column("revoked", BigInteger),
    Column("used", BigInteger),
)

attempts = Table(
    "attempts",
    metadata,
    _key(),
    Column("key", String(120), nullable=False),
    Column("time", BigInteger, nullable=False),
    Index("attempts_of_a_key", "key", "time"),
)

items = Table(
    "items",
    metadata,
    _key(),
    Column("name", String(200), nullable=False, unique=True),
    Column("title", String(200), nullable=False),
    Column("content_json", Text, nullable=False),
    Column("hidden_json", Text, nullable=False),
    Column("gold_json", Text),
    Column("control", Boolean, nullable=False),
    Column("suggestion_json", Text),
    Column("suggestion_source", String(200)),
    # The number of people who may still take it.
    Column("open", Integer, nullable=False),
    Column("decisions", Integer, nullable=False),
    CheckConstraint("open >= 0", name="never_given_too_often"),
    Index("items_open", "control", "id", sqlite_where=text("open > 0"), postgresql_where=text("open > 0")),
)

batches = Table(
    "batches",
    metadata,
    _key(),
    Column("person", Key, ForeignKey("people.id"), nullable=False),
    Column("state", String(12), nullable=False),
    Column("round", Integer, nullable=False),
    Column("size", Integer, nullable=False),
    Column("done", Integer, nullable=False),
    Column("share_right", Float),
    Column("changed", BigInteger, nullable=False),
    CheckConstraint("state in ('open', 'in-review', 'accepted', 'returned')", name="known_batch_state"),
    Index("batches_of_a_person", "person", "state"),
    Index("batches_by_state", "state"),
)

assignments = Table(
    "assignments",
    metadata,
    _key(),
    Column("item", Key, ForeignKey("items.id"), nullable=False),
    Column("person", Key, ForeignKey("people.id"), nullable=False),
    Column("batch", Key, ForeignKey("batches.id"), index=True),
    Column("state", String(12), nullable=False),
    Column("version", Integer, nullable=False),
    Column("lease_until", BigInteger),
    Column("created", BigInteger, nullable=False),
    Column("changed", BigInteger, nullable=False),
    Column("suggested", Boolean, nullable=False),
    # The last submitted answer: as the page sent it, and in the task's normal form.
    Column("sent_json", Text),
    Column("answer_json", Text),
    Column("seconds", Float),
    Column("draft_json", Text),
    Column("draft_number", Integer, nullable=False),
    Column("comment", Text),
    UniqueConstraint("item", "person", name="nobody_gets_an_item_twice"),
    CheckConstraint(
        "state in ('leased', 'returned', 'submitted', 'skipped', 'expired', 'accepted')",
        name="known_assignment_state",
    ),
    Index("assignments_of_a_person", "person", "state", "id"),
    Index(
        "assignments_leased",
        "lease_until",
        sqlite_where=text("state = 'leased'"),
        postgresql_where=text("state = 'leased'"),
    ),
)

checks = Table(
    "checks",
    metadata,
    _key(),
    Column("batch", Key, ForeignKey("batches.id"), nullable=False),
    Column("round", Integer, nullable=False),
    Column("assignment", Key, ForeignKey("assignments.id"), nullable=False),
    Column("reviewer", Key, ForeignKey("people.id")),
    Column("lease_until", BigInteger),
    Column("is_right", Boolean),
    Column("comment", Text),
    Column("time", BigInteger),
    Index("checks_of_a_batch", "batch", "round"),
    Index("checks_of_a_reviewer", "reviewer", "is_right"),
    Index("checks_waiting", "id", sqlite_where=text("is_right is null"), postgresql_where=text("is_right is null")),
    UniqueConstraint("assignment", "round", "reviewer", name="a_reviewer_checks_once"),
)

records = Table(
    "records",
    metadata,
    _key(),
    # Generated by the page for each action; a request with the same id is a retry.
    Column("client_id", String(64), nullable=False),
    Column("person", Key, ForeignKey("people.id")),
    Column("item", Key, ForeignKey("items.id")),
    Column("assignment", Key, ForeignKey("assignments.id")),
    Column("kind", String(20), nullable=False),
    Column("version", Integer, nullable=False),
    Column("time", BigInteger, nullable=False),
    Column("guidelines", String(16), nullable=False),
    Column("body_json", Text, nullable=False),
    UniqueConstraint("person", "client_id", name="nothing_happens_twice"),
    Index("records_of_an_item", "item"),
    Index("records_of_an_assignment", "assignment"),
    Index("records_of_a_kind", "kind", "person"),
)

# Tables in which something may lead to a person.
PERSONAL = ("people", "sessions", "links", "tokens", "attempts", "assignments", "checks", "records")

# Present in `meta` only inside the transaction that erases a person; the triggers know it.
ERASING = "erasing"


def triggers(dialect: str) -> list[str]:
    """The statements that keep `records` append-only on a kind of database."""
    text = packaged_files("tupelo.annotate", "data")[f"triggers_{dialect}.sql"].decode("utf-8")
    return [" ".join(statement.split("\n")) for statement in text.strip().split("\n\n")[1:]]
