-- Tables that follow from others, and functions.

-- name: normal_form
-- A wording as it is looked up.
CREATE MACRO normal_form(wording) AS trim(regexp_replace(lower(wording), '\s+', ' ', 'g'))

-- name: words_of
-- The words of a sentence or passage.
CREATE MACRO words_of(wording) AS regexp_extract_all(lower(wording), '[\p{L}\p{N}]+')

-- name: id_of_relation
-- The id of a relation by its base form.
CREATE MACRO id_of_relation(lemma) AS substr(sha256(concat_ws(chr(31), 'relation', lemma)), 1, 24)

-- name: entities
-- Nodes that are no values.
CREATE VIEW entities AS SELECT * FROM nodes WHERE kind <> 'value'

-- name: edges
-- The statements between them.
CREATE VIEW edges AS SELECT * FROM statements WHERE subject_kind <> 'value' AND object_kind <> 'value'

-- name: neighbours
-- Every edge from both of its ends.
CREATE VIEW neighbours AS
SELECT subject_id AS node_id, object_id AS other_id, true AS outgoing, * FROM edges
UNION ALL SELECT object_id, subject_id, false, * FROM edges

-- name: properties
-- Properties of a schema that statements share their meaning with (`graph build --schema`).
CREATE VIEW properties AS
SELECT edge_id, property, name, turned, probability
FROM (SELECT edge_id, unnest(properties, recursive := true) FROM provenance WHERE properties IS NOT NULL)
QUALIFY row_number() OVER (PARTITION BY edge_id, property ORDER BY probability DESC, turned, name) = 1

-- name: passage_entities
-- Which passage mentions which node in how many parts of tuples.
CREATE VIEW passage_entities AS
SELECT passage_id, node_id, count(*) AS mentions
FROM (
    SELECT node_id, document_id, sentences.position
    FROM mentions JOIN sentences USING (sentence_id) WHERE node_id IS NOT NULL
) AS said
ASOF JOIN passages ON said.document_id = passages.document_id AND said.position >= passages.first_sentence
GROUP BY passage_id, node_id
