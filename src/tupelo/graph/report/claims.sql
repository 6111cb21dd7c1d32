-- name: claims
WITH read AS (
    SELECT tuple_id FROM tuples JOIN sentences USING (sentence_id)
    WHERE tuples.stance NOT IN ('asked', 'conditional') AND {sentences}
)
SELECT tuples.tuple_id, sentences.document_id, sentences.position, sentences.text AS sentence, source, published AS day,
    tuples.relation, tuples.stance, coalesce(tuples.negated, false) AS negated, tuples.modality, tuples.speaker,
    tuples.valid_from, tuples.valid_until, tuples.aspect, edge_id, mentioned
FROM (SELECT tuple_id, min(edge_id) AS edge_id FROM provenance SEMI JOIN read USING (tuple_id) GROUP BY tuple_id)
JOIN tuples USING (tuple_id) JOIN sentences USING (sentence_id) JOIN documents USING (document_id)
JOIN (
    SELECT tuple_id, list([role, mentions.text, node_id, nodes.kind, nodes.label, nodes.name] ORDER BY position)
        AS mentioned
    FROM mentions SEMI JOIN read USING (tuple_id) LEFT JOIN nodes USING (node_id)
    WHERE role <> 'name' GROUP BY tuple_id
) USING (tuple_id)
ORDER BY document_id, sentences.position, tuples.tuple_id

-- name: names
-- Individuals with names in the order of a document: what a description may stand for.
SELECT sentences.document_id, sentences.position, nodes.node_id, nodes.label, nodes.name
FROM mentions JOIN sentences USING (sentence_id) JOIN nodes USING (node_id)
WHERE nodes.kind = 'entity' AND {sentences}
ORDER BY sentences.document_id, sentences.position, list_min(starts), nodes.node_id
