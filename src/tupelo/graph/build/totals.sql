-- Everything that is counted, for what was touched. All sums are of whole numbers, so that no result depends on the order
-- of rows: confidences are added as evidence in millionths, and a certain tuple counts as one in a million wrong.

-- name: remove
DELETE FROM nodes WHERE node_id IN (SELECT node_id FROM touched_entity_id);
DELETE FROM entity_types WHERE node_id IN (SELECT node_id FROM touched_entity_id);
DELETE FROM relations WHERE relation_id IN (SELECT relation_id FROM touched_relation);
DELETE FROM aliases WHERE owner_id IN (
    SELECT node_id FROM touched_entity_id UNION ALL SELECT relation_id FROM touched_relation
);
-- Nodes that lose a statement, or one of whose statements has another end.
CREATE OR REPLACE TEMP TABLE counted_again AS SELECT node_id FROM touched_entity_id
UNION SELECT unnest([subject_id, object_id]) FROM statements WHERE edge_id IN (SELECT edge_id FROM touched_edge_id);
DELETE FROM statements WHERE edge_id IN (SELECT edge_id FROM touched_edge_id);
DELETE FROM qualifiers WHERE edge_id IN (SELECT edge_id FROM touched_edge_id)

-- name: nodes
-- Names and types come from referents with a full name (`in_full` are their mentions) rather than from shorter forms.
INSERT INTO nodes BY NAME
WITH own AS (
    SELECT *, CASE WHEN reason IN ('short name', 'acronym', 'initials', 'nickname') THEN 0 ELSE mentions END AS in_full
    FROM referents WHERE node_id IN (SELECT node_id FROM touched_entity_id)
),
named AS (
    SELECT node_id, first(name ORDER BY in_full DESC, n DESC, length(name) DESC, name) AS name
    FROM (SELECT node_id, name, sum(in_full) AS in_full, sum(mentions) AS n FROM own GROUP BY ALL) GROUP BY node_id
),
labelled AS (
    SELECT node_id, first(label ORDER BY in_full DESC, n DESC, label) AS label
    FROM (SELECT node_id, label, sum(in_full) AS in_full, sum(mentions) AS n FROM own GROUP BY ALL) GROUP BY node_id
)
SELECT node_id, any_value(named.name) AS name, min(kind) AS kind, any_value(labelled.label) AS label,
    sum(mentions)::BIGINT AS mentions, count(DISTINCT document_id) AS documents, min(number) AS number,
    min(unit) AS unit, min(first_day) AS first_day, min(last_day) AS last_day
FROM own JOIN named USING (node_id) JOIN labelled USING (node_id) GROUP BY node_id ORDER BY node_id

-- name: entity_types
INSERT INTO entity_types BY NAME
SELECT node_id, substr(sha256(concat_ws(chr(31), 'type', typed.label)), 1, 24) AS type_id, n AS mentions,
    round(n / nodes.mentions, 6) AS confidence
FROM (
    SELECT node_id, label, sum(mentions)::BIGINT AS n FROM (
        SELECT node_id, label, mentions FROM referents WHERE label <> '' AND kind <> 'value'
        UNION ALL SELECT node_id, unnest(types), mentions FROM referents
    ) WHERE node_id IN (SELECT node_id FROM touched_entity_id) GROUP BY ALL
) AS typed JOIN nodes USING (node_id) ORDER BY node_id, type_id

-- name: statements
INSERT INTO statements BY NAME
WITH said AS (
    SELECT provenance.*, stance, coalesce(negated, false) AS negated, modality, valid_from, valid_until, aspect, text
    FROM provenance JOIN tuples USING (tuple_id) WHERE edge_id IN (SELECT edge_id FROM touched_edge_id)
),
worded AS (
    SELECT edge_id, first(wording ORDER BY n DESC, wording) AS relation
    FROM (SELECT edge_id, wording, count(*) AS n FROM said GROUP BY ALL) GROUP BY edge_id
),
read AS (SELECT edge_id, first(text ORDER BY rank DESC, confidence DESC, text) AS text FROM said GROUP BY edge_id),
by_document AS (
    SELECT edge_id, min(relation_id) AS relation_id, min(subject_ref) AS subject_ref, min(object_ref) AS object_ref,
        bool_or(negated) AS negated, min(modality) AS modality,
        min(valid_from) AS valid_from, max(valid_until || '~') AS valid_until, min(aspect) AS aspect,
        max(CASE WHEN stance IN ('asserted', 'reported') THEN 'said' ELSE stance END) AS said,
        max(round(-1000000 * ln(1 - least(coalesce(confidence, 1.0), 0.999999)))::BIGINT) AS evidence,
        max(coalesce(rank, 0.5)) AS rank, count(DISTINCT tuple_id) AS mentions,
        count(DISTINCT CASE WHEN stance = 'asserted' THEN tuple_id END) AS asserted
    FROM said GROUP BY edge_id, document_id
),
counted AS (
    SELECT edge_id, min(relation_id) AS relation_id, min(subject_ref) AS subject_ref, min(object_ref) AS object_ref,
        bool_or(negated) AS negated, min(modality) AS modality,
        round(1 - exp(-sum(evidence) / 1000000.0), 6) AS confidence, max(rank) AS rank,
        sum(mentions)::BIGINT AS mentions, sum(asserted)::BIGINT AS asserted, count(*) AS documents,
        min(valid_from) AS valid_from, replace(max(valid_until), '~', '') AS valid_until, min(aspect) AS aspect,
        min(said) AS said
    FROM by_document GROUP BY edge_id
)
SELECT counted.* EXCLUDE (subject_ref, object_ref, said), worded.relation, read.text, subjects.node_id AS subject_id, objects.node_id AS object_id,
    subjects.kind AS subject_kind, objects.kind AS object_kind,
    CASE WHEN said <> 'said' THEN said WHEN asserted > 0 THEN 'asserted' ELSE 'reported' END AS stance
FROM counted JOIN worded USING (edge_id) JOIN read USING (edge_id)
JOIN referents AS subjects ON subjects.referent_id = subject_ref
JOIN referents AS objects ON objects.referent_id = object_ref
ORDER BY edge_id

-- name: relations
INSERT INTO relations BY NAME
SELECT relation_id, lemma, name, mentions, coalesce(edges, 0) AS edges
FROM (SELECT DISTINCT * FROM touched_relation) JOIN (
    SELECT relation_id, first(wording ORDER BY n DESC, wording) AS name, sum(n)::BIGINT AS mentions
    FROM (
        SELECT relation_id, wording, count(*) AS n FROM provenance
        WHERE relation_id IN (SELECT relation_id FROM touched_relation) GROUP BY ALL
    ) GROUP BY relation_id
) USING (relation_id)
LEFT JOIN (
    SELECT relation_id, count(*) AS edges FROM statements
    WHERE relation_id IN (SELECT relation_id FROM touched_relation) GROUP BY relation_id
) USING (relation_id)
ORDER BY relation_id

-- name: aliases
INSERT INTO aliases BY NAME
SELECT owner_id, owner, text, normal_form(text) AS normal, sum(n)::BIGINT AS mentions FROM (
    SELECT node_id AS owner_id, 'entity' AS owner, unnest(names) AS text, unnest(counts) AS n FROM referents
    WHERE node_id IN (SELECT node_id FROM touched_entity_id)
    UNION ALL
    SELECT node_id, 'entity', name, 0 FROM nodes
    WHERE kind <> 'value' AND node_id IN (SELECT node_id FROM touched_entity_id)
    UNION ALL
    SELECT relation_id, 'relation', wording, 1 FROM provenance
    WHERE relation_id IN (SELECT relation_id FROM touched_relation)
)
GROUP BY ALL ORDER BY owner_id, text

-- name: qualifiers
INSERT INTO qualifiers BY NAME
SELECT edge_id, role, text, min(node_id) AS node_id, count(*) AS mentions FROM (
    SELECT edge_id, unnest(qualifiers, recursive := true) FROM provenance
    WHERE edge_id IN (SELECT edge_id FROM touched_edge_id)
) LEFT JOIN referents USING (referent_id)
GROUP BY edge_id, role, text ORDER BY edge_id, role, text
