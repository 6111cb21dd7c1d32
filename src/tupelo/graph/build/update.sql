-- name: staying_referents
CREATE OR REPLACE TEMP TABLE staying_referents AS
SELECT referents.* REPLACE (coalesce(moved.entity_id, referents.entity_id) AS entity_id)
FROM referents LEFT JOIN moved USING (referent_id)
WHERE document_id NOT IN (SELECT document_id FROM gone)
AND coalesce(moved.entity_id, referents.entity_id) IN (SELECT entity_id FROM touched_entity_id)

-- name: old_wordings
SELECT relation_id, lemma, wording, count(*) AS n
FROM provenance JOIN relations USING (relation_id)
WHERE relation_id IN (SELECT relation_id FROM touched_relation_id) AND {staying}
GROUP BY relation_id, lemma, wording

-- name: old_links
SELECT said.edge_id, tuple_id, sentence_id, document_id, subject_ref, object_ref, said.literal_id,
    said.relation_id, wording, said.confidence, beside, '' AS link_id, lemma, tuples.stance,
    coalesce(tuples.negated, false) AS negated, tuples.modality,
    coalesce(edges.subject_id, attributes.subject_id) AS subject_id, object_id
FROM staying_links AS said JOIN tuples USING (tuple_id, sentence_id) JOIN relations USING (relation_id)
LEFT JOIN edges ON edges.edge_id = said.edge_id LEFT JOIN attributes ON attributes.edge_id = said.edge_id

-- name: old_qualified
SELECT edge_id, CASE WHEN role IN ('time', 'location') THEN role ELSE 'argument' END AS role, text,
    coalesce(moved.entity_id, mentions.entity_id) AS entity_id
FROM said_before JOIN mentions USING (tuple_id) LEFT JOIN moved USING (referent_id)
WHERE list_contains(beside, position)
UNION ALL
SELECT edge_id, 'speaker', speaker, NULL FROM said_before JOIN tuples USING (tuple_id)
WHERE speaker IS NOT NULL
UNION ALL
SELECT edge_id, CASE context_role {contexts} END, context, NULL
FROM said_before JOIN tuples USING (tuple_id)
WHERE context_role IN ({known})
