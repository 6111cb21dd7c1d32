-- Temporary tables connect these scripts: `moved`, `relinked` and `moved_provenance` are those of `assign.sql`.

-- name: mark_gone
CREATE OR REPLACE TEMP TABLE gone AS SELECT document_id FROM gone_ids;
CREATE OR REPLACE TEMP TABLE gone_sentences AS
SELECT sentence_id FROM sentences WHERE document_id IN (SELECT document_id FROM gone);
CREATE OR REPLACE TEMP TABLE gone_tuples AS
SELECT tuple_id FROM tuples WHERE sentence_id IN (SELECT sentence_id FROM gone_sentences)

-- name: mark_touched
CREATE OR REPLACE TEMP TABLE new_sentences AS SELECT sentence_id FROM read_parquet(getvariable('new_sentences'));
CREATE OR REPLACE TEMP TABLE touched_entity_id AS
SELECT node_id FROM referents WHERE document_id IN (SELECT document_id FROM gone)
UNION SELECT node_id FROM relinked UNION SELECT old_id FROM relinked
UNION SELECT node_id FROM read_parquet(getvariable('new_referents'));
CREATE OR REPLACE TEMP TABLE touched_relation_id AS
SELECT relation_id FROM provenance
WHERE tuple_id IN (SELECT tuple_id FROM gone_tuples) AND relation_id IS NOT NULL
UNION SELECT relation_id FROM moved_provenance WHERE relation_id IS NOT NULL
UNION SELECT relation_id FROM read_parquet(getvariable('new_links'));
CREATE OR REPLACE TEMP TABLE touched_edge_id AS
SELECT edge_id FROM provenance WHERE tuple_id IN (SELECT tuple_id FROM gone_tuples) AND edge_id IS NOT NULL
UNION SELECT edge_id FROM moved_provenance WHERE relation_id IS NOT NULL
UNION SELECT edge_id FROM read_parquet(getvariable('new_links'));
CREATE OR REPLACE TEMP TABLE restated AS
SELECT edge_id, tuple_id, beside FROM read_parquet(getvariable('new_links'))
WHERE tuple_id IN (SELECT tuple_id FROM moved_provenance);
-- Qualifiers of an edge may mean an entity that became another.
INSERT INTO touched_edge_id SELECT DISTINCT edge_id FROM qualifiers
WHERE node_id IN (SELECT old_id FROM moved) AND edge_id NOT IN (SELECT edge_id FROM touched_edge_id)

-- name: moved_links
SELECT '' AS link_id, tuple_id, sentence_id, document_id, subject_ref, object_ref, lemma, wording,
    moved_provenance.confidence, rank, beside, stance, negated, modality,
    moved_provenance.valid_from, moved_provenance.valid_until, moved_provenance.aspect, text AS reading
FROM moved_provenance JOIN tuples USING (tuple_id, sentence_id)

-- name: mark_staying
CREATE OR REPLACE TEMP TABLE staying_referents AS
SELECT referents.* REPLACE (
    coalesce(relinked.node_id, referents.node_id) AS node_id,
    CASE WHEN relinked.referent_id IS NULL THEN referents.reason ELSE relinked.reason END AS reason
)
FROM referents LEFT JOIN relinked USING (referent_id)
WHERE document_id NOT IN (SELECT document_id FROM gone)
AND coalesce(relinked.node_id, referents.node_id) IN (SELECT node_id FROM touched_entity_id);
CREATE OR REPLACE TEMP TABLE staying_links AS
SELECT * FROM provenance
WHERE edge_id IN (SELECT edge_id FROM touched_edge_id) AND tuple_id NOT IN (SELECT tuple_id FROM gone_tuples)
    AND (edge_id, tuple_id) NOT IN (SELECT (edge_id, tuple_id) FROM moved_provenance);
CREATE OR REPLACE TEMP TABLE said_before AS
SELECT edge_id, tuple_id, beside FROM staying_links UNION ALL SELECT edge_id, tuple_id, beside FROM restated

-- name: old_referents
SELECT node_id, document_id, kind, name, label, mentions, number, unit, first_day, last_day, reason FROM staying_referents

-- name: old_kinds
-- The other ends of statements that are counted again.
SELECT node_id, kind FROM nodes WHERE node_id IN (
    SELECT subject_id FROM statements WHERE edge_id IN (SELECT edge_id FROM touched_edge_id)
    UNION SELECT object_id FROM statements WHERE edge_id IN (SELECT edge_id FROM touched_edge_id)
    UNION SELECT subject_id FROM read_parquet(getvariable('new_links'))
    UNION SELECT object_id FROM read_parquet(getvariable('new_links'))
)

-- name: old_namings
SELECT node_id, text, sum(n)::BIGINT AS n
FROM (SELECT node_id, unnest(names) AS text, unnest(counts) AS n FROM staying_referents)
GROUP BY node_id, text

-- name: old_typings
SELECT node_id, label, sum(mentions)::BIGINT AS n
FROM (SELECT node_id, unnest(types) AS label, mentions FROM staying_referents)
GROUP BY node_id, label

-- name: old_wordings
SELECT relation_id, lemma, wording, count(*) AS n
FROM provenance JOIN relations USING (relation_id)
WHERE relation_id IN (SELECT relation_id FROM touched_relation_id) AND tuple_id NOT IN (SELECT tuple_id FROM gone_tuples)
    AND (edge_id, tuple_id) NOT IN (SELECT (edge_id, tuple_id) FROM moved_provenance)
GROUP BY relation_id, lemma, wording

-- name: old_links
SELECT said.edge_id, tuple_id, document_id, subject_ref, object_ref, said.relation_id, wording, said.confidence, said.rank,
    tuples.stance, coalesce(tuples.negated, false) AS negated, tuples.modality, subject_id, object_id,
    said.valid_from, said.valid_until, said.aspect, tuples.text AS reading
FROM staying_links AS said JOIN tuples USING (tuple_id, sentence_id)
JOIN statements ON statements.edge_id = said.edge_id

-- name: old_qualified
SELECT edge_id, CASE WHEN role IN ('time', 'location') THEN role ELSE 'argument' END AS role, text,
    coalesce(moved.node_id, mentions.node_id) AS node_id
FROM said_before JOIN mentions USING (tuple_id) LEFT JOIN moved USING (referent_id)
WHERE list_contains(beside, position)
UNION ALL
SELECT edge_id, 'speaker', speaker, NULL FROM said_before JOIN tuples USING (tuple_id)
WHERE speaker IS NOT NULL
UNION ALL
SELECT edge_id, CASE context_role {contexts} END, context, NULL
FROM said_before JOIN tuples USING (tuple_id)
WHERE context_role IN ({known})

-- name: old_property_mentions
SELECT * FROM property_mentions
WHERE tuple_id IN (SELECT tuple_id FROM staying_links UNION SELECT tuple_id FROM moved_provenance)

-- name: remove_gone
DELETE FROM provenance WHERE tuple_id IN (SELECT tuple_id FROM gone_tuples);
DELETE FROM property_mentions WHERE tuple_id IN (SELECT tuple_id FROM gone_tuples);
DELETE FROM mentions WHERE sentence_id IN (SELECT sentence_id FROM gone_sentences);
DELETE FROM referents WHERE document_id IN (SELECT document_id FROM gone);
DELETE FROM tuples WHERE tuple_id IN (SELECT tuple_id FROM gone_tuples);
DELETE FROM sentences WHERE sentence_id IN (SELECT sentence_id FROM gone_sentences);
DELETE FROM documents WHERE document_id IN (SELECT document_id FROM gone)

-- name: move
-- Mentions of what became another entity. DuckDB deletes and inserts faster than it updates lists.
DELETE FROM provenance WHERE (edge_id, tuple_id) IN (SELECT (edge_id, tuple_id) FROM moved_provenance);
UPDATE mentions SET node_id = moved.node_id FROM moved WHERE mentions.referent_id = moved.referent_id;
UPDATE referents
SET node_id = relinked.node_id, reason = relinked.reason, probability = relinked.probability
FROM relinked WHERE referents.referent_id = relinked.referent_id

-- name: remove_touched
-- Rows that are inserted anew.
DELETE FROM nodes WHERE node_id IN (SELECT node_id FROM touched_entity_id);
DELETE FROM entity_types WHERE node_id IN (SELECT node_id FROM touched_entity_id);
DELETE FROM relations WHERE relation_id IN (SELECT relation_id FROM touched_relation_id);
DELETE FROM aliases
WHERE owner_id IN (SELECT node_id FROM touched_entity_id)
OR owner_id IN (SELECT relation_id FROM touched_relation_id);
DELETE FROM statements WHERE edge_id IN (SELECT edge_id FROM touched_edge_id);
DELETE FROM properties WHERE edge_id IN (SELECT edge_id FROM touched_edge_id);
DELETE FROM qualifiers WHERE edge_id IN (SELECT edge_id FROM touched_edge_id)

-- name: finish
UPDATE relations SET edges = counted.n
FROM (
    SELECT relation_id AS id, count(*) AS n FROM statements
    WHERE relation_id IN (SELECT relation_id FROM touched_relation_id) GROUP BY id
) AS counted
WHERE relations.relation_id = counted.id
