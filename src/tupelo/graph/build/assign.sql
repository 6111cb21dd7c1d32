-- name: known_keys
-- The keys of stored names and of corrections; those of removed names are where the search begins, too.
INSERT INTO frontier SELECT DISTINCT unnest(keys) FROM referents
WHERE kind = 'entity' AND document_id IN (SELECT document_id FROM gone);
CREATE OR REPLACE TEMP TABLE frontier AS
SELECT DISTINCT ltrim(key, '{offer}') AS key, starts_with(key, '{offer}') AS offered FROM frontier;
CREATE OR REPLACE TEMP TABLE known_keys AS
SELECT referent_id, ltrim(key, '{offer}') AS key, starts_with(key, '{offer}') AS offered FROM (
    SELECT referent_id, unnest(keys) AS key FROM referents WHERE kind = 'entity' AND {staying}
    UNION ALL SELECT unnest($owners::VARCHAR[]), unnest($keys::VARCHAR[])
)

-- name: reached
-- Stored names that share a key with new or removed ones, or with those in turn. Keys that both only offer are not shared.
CREATE OR REPLACE TEMP TABLE reached AS
WITH RECURSIVE reached AS (
    SELECT DISTINCT referent_id FROM known_keys JOIN frontier USING (key)
    WHERE NOT (known_keys.offered AND frontier.offered)
    UNION
    SELECT other.referent_id FROM reached JOIN known_keys AS own USING (referent_id)
    JOIN known_keys AS other ON other.key = own.key AND NOT (own.offered AND other.offered)
)
SELECT referent_id FROM reached

-- name: names_of_documents
-- The names of all documents with names that are linked.
SELECT document_id, list(name) FROM referents WHERE kind = 'entity' AND document_id IN (
    SELECT document_id FROM referents WHERE referent_id IN (SELECT referent_id FROM reached)
) GROUP BY document_id

-- name: relinked
CREATE OR REPLACE TEMP TABLE relinked AS
SELECT linked.*, referents.node_id AS old_id
FROM linked JOIN referents USING (referent_id)
WHERE {staying} AND (
    linked.node_id <> referents.node_id OR linked.reason IS DISTINCT FROM referents.reason
    OR linked.probability IS DISTINCT FROM referents.probability
)

-- name: moved_tuples
CREATE OR REPLACE TEMP TABLE moved_tuples AS
SELECT DISTINCT tuple_id FROM provenance
WHERE subject_ref IN (SELECT referent_id FROM moved) OR object_ref IN (SELECT referent_id FROM moved)

-- name: moved_provenance
CREATE OR REPLACE TEMP TABLE moved_provenance AS
SELECT edge_id, tuple_id, sentence_id, document_id, subject_ref, object_ref, relation_id, lemma, wording, confidence,
    rank, beside, valid_from, valid_until, aspect
FROM provenance JOIN relations USING (relation_id)
WHERE tuple_id IN (SELECT tuple_id FROM moved_tuples) AND tuple_id NOT IN (SELECT tuple_id FROM gone_tuples)
