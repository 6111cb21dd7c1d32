-- From `rows` and the entities of their referents to the tables that are not counted. Ids are those of
-- `schema.stable_id`. Three temporary tables say what is counted again afterwards: `touched_entity_id`,
-- `touched_relation` with the base form of each, and `touched_edge_id`.

-- name: mark
-- What the documents in `gone` say. The search for names that are linked again begins in their keys.
CREATE OR REPLACE TEMP TABLE gone_sentences AS
SELECT sentence_id FROM sentences WHERE document_id IN (SELECT document_id FROM gone);
CREATE OR REPLACE TEMP TABLE gone_tuples AS
SELECT tuple_id FROM tuples WHERE sentence_id IN (SELECT sentence_id FROM gone_sentences);
CREATE OR REPLACE TEMP TABLE frontier AS
SELECT DISTINCT unnest(keys) AS key FROM referents
WHERE kind = 'entity' AND document_id IN (SELECT document_id FROM gone);
CREATE OR REPLACE TEMP TABLE touched_entity_id AS
SELECT DISTINCT node_id FROM referents WHERE document_id IN (SELECT document_id FROM gone);
CREATE OR REPLACE TEMP TABLE touched_relation AS
SELECT DISTINCT relation_id, lemma FROM provenance JOIN relations USING (relation_id)
WHERE tuple_id IN (SELECT tuple_id FROM gone_tuples);
CREATE OR REPLACE TEMP TABLE touched_edge_id AS
SELECT DISTINCT edge_id FROM provenance WHERE tuple_id IN (SELECT tuple_id FROM gone_tuples)

-- name: forget
DELETE FROM provenance WHERE tuple_id IN (SELECT tuple_id FROM gone_tuples);
DELETE FROM mentions WHERE sentence_id IN (SELECT sentence_id FROM gone_sentences);
DELETE FROM referents WHERE document_id IN (SELECT document_id FROM gone);
DELETE FROM tuples WHERE tuple_id IN (SELECT tuple_id FROM gone_tuples);
DELETE FROM sentences WHERE sentence_id IN (SELECT sentence_id FROM gone_sentences);
DELETE FROM documents WHERE document_id IN (SELECT document_id FROM gone)

-- name: move
-- Stored referents that are another node now, by `entity_map`. One tuple may say the same of two referents that are one
-- now, or were: all that it says is looked at again.
CREATE OR REPLACE TEMP TABLE relinked AS
SELECT entity_map.*, referents.node_id AS old_id FROM entity_map JOIN referents USING (referent_id)
WHERE entity_map.node_id <> referents.node_id OR entity_map.reason IS DISTINCT FROM referents.reason
    OR entity_map.probability IS DISTINCT FROM referents.probability;
CREATE OR REPLACE TEMP TABLE moved AS
SELECT referent_id, node_id, old_id FROM relinked WHERE node_id <> old_id;
CREATE OR REPLACE TEMP TABLE moved_links AS
SELECT provenance.*, lemma FROM provenance JOIN relations USING (relation_id) WHERE tuple_id IN (
    SELECT tuple_id FROM provenance
    WHERE subject_ref IN (SELECT referent_id FROM moved) OR object_ref IN (SELECT referent_id FROM moved)
);
INSERT INTO touched_entity_id SELECT node_id FROM relinked UNION SELECT old_id FROM relinked;
INSERT INTO touched_relation SELECT DISTINCT relation_id, lemma FROM moved_links;
-- Qualifiers of an edge may mean what became another node.
INSERT INTO touched_edge_id
SELECT edge_id FROM moved_links UNION SELECT edge_id FROM qualifiers WHERE node_id IN (SELECT old_id FROM moved);
-- DuckDB deletes and inserts faster than it updates lists.
DELETE FROM provenance WHERE tuple_id IN (SELECT tuple_id FROM moved_links);
UPDATE mentions SET node_id = moved.node_id FROM moved WHERE mentions.referent_id = moved.referent_id;
UPDATE referents SET node_id = relinked.node_id, reason = relinked.reason, probability = relinked.probability
FROM relinked WHERE referents.referent_id = relinked.referent_id

-- name: insert
INSERT INTO sentences BY NAME
SELECT sentence_id, document_id, start_at, end_at, text, heading,
    row_number() OVER (PARTITION BY document_id ORDER BY start_at, sentence_id) - 1 AS position
FROM rows WHERE kind = 'sentence' ORDER BY document_id, start_at, sentence_id;
CREATE OR REPLACE TEMP TABLE new_sentences AS
SELECT sentence_id FROM sentences WHERE document_id IN (SELECT document_id FROM added);
INSERT INTO tuples BY NAME
SELECT tuple_id, sentence_id, position, text AS relation, confidence, negated, modality, speaker, speech_verb,
    attribution, context, context_role, extractor, extractor_version, rule, stance, unlinked, reading AS text,
    valid_from, valid_until, aspect
FROM rows WHERE kind = 'tuple' ORDER BY sentence_id, position;
INSERT INTO referents BY NAME
SELECT referent_id, document_id, node_id, "of" AS kind, text AS name, label, keys, names, counts, reasons, probabilities,
    descriptions, types, place, context_names AS context, times AS mentions, reason, probability, number, unit,
    first_day, last_day
FROM rows JOIN entity_map USING (referent_id) WHERE kind = 'referent' ORDER BY referent_id;
INSERT INTO touched_entity_id
SELECT DISTINCT node_id FROM referents WHERE document_id IN (SELECT document_id FROM added);
INSERT INTO mentions BY NAME
SELECT mention_id, tuple_id, position, role, text, resolved, starts, ends, entity_type, node_id, sentence_id, referent_id,
    CASE WHEN relation_key IS NOT NULL THEN id_of_relation(coalesce(canonical, relation_key)) END AS relation_id
FROM rows LEFT JOIN entity_map USING (referent_id) LEFT JOIN (
    SELECT tuple_id, original AS relation_key, min(canonical) AS canonical FROM relation_map GROUP BY ALL
) USING (tuple_id, relation_key)
WHERE kind = 'mention' ORDER BY sentence_id, tuple_id, position, mention_id;
-- The links, those of a relation that stands for another one as that.
CREATE OR REPLACE TEMP VIEW stated AS
SELECT rows.* REPLACE (
    CASE WHEN turned_wording IS NULL THEN subject_ref ELSE object_ref END AS subject_ref,
    CASE WHEN turned_wording IS NULL THEN object_ref ELSE subject_ref END AS object_ref,
    coalesce(canonical, relation_key) AS relation_key,
    coalesce(turned_wording, text) AS text,
    CASE WHEN turned_wording IS NULL THEN properties
        ELSE [struct_update(known, turned := NOT known.turned) FOR known IN properties] END AS properties
), id_of_relation(coalesce(canonical, relation_key)) AS relation_id
FROM rows LEFT JOIN relation_map USING (link_id) WHERE kind = 'link';
INSERT INTO touched_relation SELECT DISTINCT relation_id, relation_key FROM stated;
INSERT INTO provenance BY NAME
SELECT substr(sha256(concat_ws(chr(31),
        'edge', subjects.node_id, relation_id, objects.node_id,
        CASE WHEN stance IN ('asserted', 'reported') THEN 'said' ELSE stance END,
        CASE WHEN negated THEN 'denied' ELSE '' END, coalesce(modality, '')
    )), 1, 24) AS edge_id, said.*
FROM (
    SELECT tuple_id, sentence_id, document_id, subject_ref, object_ref, relation_id, text AS wording, confidence, rank,
        qualifiers, nullif(properties, []) AS properties
    FROM stated
    UNION ALL BY NAME SELECT * EXCLUDE (edge_id, lemma) FROM moved_links
) AS said
JOIN (SELECT tuple_id, stance, negated, modality FROM tuples) USING (tuple_id)
JOIN referents AS subjects ON subjects.referent_id = subject_ref
JOIN referents AS objects ON objects.referent_id = object_ref
ORDER BY edge_id, tuple_id, subject_ref, object_ref, wording;
INSERT INTO touched_edge_id
SELECT DISTINCT edge_id FROM provenance
WHERE document_id IN (SELECT document_id FROM added) OR tuple_id IN (SELECT tuple_id FROM moved_links)

-- name: new
SELECT count(*), coalesce(sum(tuples), 0)::BIGINT FROM new_sentences
LEFT JOIN (SELECT sentence_id, count(*) AS tuples FROM tuples GROUP BY sentence_id) USING (sentence_id)
