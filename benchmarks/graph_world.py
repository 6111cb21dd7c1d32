"""A graph of any size out of nothing: few entities with many edges, many with few, a sentence for every edge.

Rows lie in the order in which `graph build` writes them.

python -m benchmarks.graph_world 1000000 big.duckdb
"""

from __future__ import annotations

import sys
from pathlib import Path

from tupelo.graph.store.derive import derive
from tupelo.graph.store.file import create

_RELATIONS = 400
_SENTENCES_PER_DOCUMENT = 40

_STEPS = (
    """
    CREATE TEMP TABLE drawn AS
    SELECT i, substr(sha256('edge' || i), 1, 24) AS edge_id,
        floor($entities * pow((hash(i * 7 + 1) % 1000003) / 1000003.0, 2.2))::BIGINT AS subject,
        floor($entities * pow((hash(i * 7 + 2) % 1000003) / 1000003.0, 1.6))::BIGINT AS object,
        floor($relations * pow((hash(i * 7 + 3) % 10007) / 10007.0, 2.5))::BIGINT AS relation,
        0.2 + 0.8 * (hash(i * 7 + 4) % 10007) / 10007.0 AS confidence,
        hash(i * 7 + 5) % 50 = 0 AS negated,
        CASE WHEN hash(i * 7 + 6) % 20 = 0 THEN 'possible' END AS modality,
        CASE WHEN modality IS NOT NULL THEN 'possible' WHEN negated THEN 'denied' ELSE 'asserted' END AS stance,
        i // $per_document AS document
    FROM range($edges) AS numbers(i)
    """,
    "UPDATE drawn SET object = (object + 1) % $entities WHERE subject = object",
    """
    INSERT INTO runs BY NAME SELECT 'run' AS run_id, TIMESTAMP '2026-01-01' AS started, '0' AS tupelo_version,
        0 AS documents_added, 0 AS documents_changed, 0 AS documents_removed
    """,
    """
    INSERT INTO documents BY NAME SELECT DISTINCT 'd' || document AS document_id,
        'doc-' || document || '.txt' AS source, 'text/plain' AS media_type, '' AS checksum, 0 AS characters,
        'run' AS run_id FROM drawn ORDER BY document_id
    """,
    """
    INSERT INTO sentences BY NAME SELECT 's' || i AS sentence_id, 'd' || document AS document_id,
        (i % $per_document)::INTEGER AS position,
        'Entity ' || subject || ' relation ' || relation || ' entity ' || object || ' in year '
        || 1900 + i % 120 || '.' AS text FROM drawn ORDER BY document_id, position
    """,
    """
    INSERT INTO tuples BY NAME SELECT 't' || i AS tuple_id, 's' || i AS sentence_id, 0 AS position,
        'relation ' || relation AS relation, confidence, negated, modality, stance FROM drawn
    ORDER BY sentence_id
    """,
    """
    INSERT INTO nodes BY NAME SELECT substr(sha256('entity' || e), 1, 24) AS node_id, 'Entity ' || e AS name,
        'entity' AS kind, '' AS label, count(*) AS mentions, 1 AS documents
    FROM (SELECT subject AS e FROM drawn UNION ALL SELECT object FROM drawn) GROUP BY e
    ORDER BY node_id
    """,
    """
    INSERT INTO relations BY NAME SELECT 'r' || relation AS relation_id, 'relation ' || relation AS name,
        'relation ' || relation AS lemma, count(*) AS mentions, count(*) AS edges FROM drawn GROUP BY relation
    """,
    """
    INSERT INTO aliases BY NAME
    SELECT node_id AS owner_id, 'entity' AS owner, name AS text, normal_form(name) AS normal, mentions
    FROM entities
    UNION ALL SELECT relation_id, 'relation', name, normal_form(name), mentions FROM relations ORDER BY owner_id
    """,
    """
    INSERT INTO types BY NAME
    SELECT unnest(['person', 'place', 'organization', 'work']) AS type_id, type_id AS name
    """,
    """
    INSERT INTO entity_types BY NAME
    SELECT node_id, ['person', 'place', 'organization', 'work'][(1 + hash(name) % 4)::INTEGER] AS type_id,
        mentions, 1.0 AS confidence FROM entities ORDER BY node_id
    """,
    """
    INSERT INTO statements BY NAME SELECT edge_id, 'entity' AS subject_kind, 'entity' AS object_kind, 0.5 AS rank,
        substr(sha256('entity' || subject), 1, 24) AS subject_id,
        'r' || relation AS relation_id, substr(sha256('entity' || object), 1, 24) AS object_id, negated, modality,
        confidence, 1 AS mentions, (stance = 'asserted')::INTEGER AS asserted, 1 AS documents, stance,
        'relation ' || relation AS relation FROM drawn ORDER BY edge_id
    """,
    """
    INSERT INTO referents BY NAME
    SELECT 'e' || e || '-d' || document AS referent_id, 'd' || document AS document_id, node_id, 'entity' AS kind,
        name, type_id AS label, [lower(name)] AS keys, [name] AS names, [count(*)::INTEGER] AS counts,
        ['same name'] AS reasons, [1.0] AS probabilities, [] AS descriptions, [] AS types, [] AS context,
        count(*) AS mentions,
        CASE WHEN count(*) OVER (PARTITION BY e) > 1 THEN 'same name' END AS reason,
        CASE WHEN reason IS NOT NULL THEN 0.9 END AS probability
    FROM (SELECT subject AS e, document FROM drawn UNION ALL SELECT object, document FROM drawn)
    JOIN entities ON name = 'Entity ' || e JOIN entity_types USING (node_id)
    GROUP BY e, document, node_id, name, type_id ORDER BY referent_id
    """,
    """
    INSERT INTO provenance BY NAME SELECT edge_id, 't' || i AS tuple_id, 's' || i AS sentence_id,
        'd' || document AS document_id, 'e' || subject || '-d' || document AS subject_ref,
        'e' || object || '-d' || document AS object_ref, 'r' || relation AS relation_id,
        'relation ' || relation AS wording, confidence, 0.5 AS rank
    FROM drawn ORDER BY edge_id, tuple_id
    """,
    """
    INSERT INTO mentions BY NAME
    SELECT 'm' || i || '-' || part AS mention_id, 't' || i AS tuple_id, part AS position,
        ['relation', 'subject', 'object'][part + 1] AS role,
        [' relation ' || relation, 'Entity ' || subject, 'entity ' || object][part + 1] AS text,
        [0] AS starts, [6] AS ends,
        CASE part WHEN 1 THEN substr(sha256('entity' || subject), 1, 24)
            WHEN 2 THEN substr(sha256('entity' || object), 1, 24) END AS node_id,
        CASE part WHEN 0 THEN 'r' || relation END AS relation_id, 's' || i AS sentence_id,
        CASE part WHEN 1 THEN 'e' || subject || '-d' || document
            WHEN 2 THEN 'e' || object || '-d' || document END AS referent_id
    FROM drawn, (SELECT unnest([0, 1, 2]) AS part) ORDER BY tuple_id, position
    """,
    "DROP TABLE drawn",
)


def write_world(path: Path, edges: int, entities: int | None = None) -> None:
    """A graph file with so many edges, the same every time."""
    values = {
        "edges": edges,
        "entities": entities or max(10, edges // 3),
        "relations": _RELATIONS,
        "per_document": _SENTENCES_PER_DOCUMENT,
    }
    with create(path) as store:
        for step in _STEPS:
            used = {name: value for name, value in values.items() if f"${name}" in step}
            store.connection.execute(step, used)
        with store.transaction():
            derive(store)


if __name__ == "__main__":
    write_world(Path(sys.argv[2]), int(sys.argv[1]))
