-- name: relinked
CREATE OR REPLACE TEMP TABLE relinked AS
SELECT linked.*, referents.entity_id AS old_id
FROM linked JOIN referents USING (referent_id)
WHERE {staying} AND (
    linked.entity_id <> referents.entity_id OR linked.reason IS DISTINCT FROM referents.reason
    OR linked.probability IS DISTINCT FROM referents.probability
)

-- name: moved_tuples
CREATE OR REPLACE TEMP TABLE moved_tuples AS
SELECT DISTINCT tuple_id FROM (
    SELECT tuple_id, subject_ref, object_ref FROM provenance
    UNION ALL SELECT tuple_id, subject_ref, object_ref FROM set_aside
)
WHERE subject_ref IN (SELECT referent_id FROM moved) OR object_ref IN (SELECT referent_id FROM moved)

-- name: moved_provenance
CREATE OR REPLACE TEMP TABLE moved_provenance AS
SELECT * FROM (
    SELECT edge_id, tuple_id, sentence_id, document_id, subject_ref, object_ref, literal_id, relation_id,
        lemma, wording, confidence, beside
    FROM provenance JOIN relations USING (relation_id)
    UNION ALL
    SELECT '', tuple_id, sentence_id, document_id, subject_ref, object_ref, literal_id, NULL,
        lemma, wording, confidence, beside
    FROM set_aside
)
WHERE tuple_id IN (SELECT tuple_id FROM moved_tuples) AND tuple_id NOT IN (SELECT tuple_id FROM gone_tuples)
