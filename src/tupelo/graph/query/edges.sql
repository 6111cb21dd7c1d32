-- name: edges
SELECT edge_id, said.confidence, rank, said.stance, negated, modality, said.mentions, asserted, said.documents,
    said.text, relation_id, said.relation, valid_from, valid_until, aspect,
    subject_id, s.name, s.kind, s.number, s.unit, s.first_day, s.last_day,
    object_id, o.name, o.kind, o.number, o.unit, o.first_day, o.last_day
FROM statements AS said JOIN nodes AS s ON s.node_id = subject_id JOIN nodes AS o ON o.node_id = object_id
WHERE edge_id IN (SELECT unnest(?))

-- name: evidence
SELECT provenance.edge_id, tuples.tuple_id, sentences.text, documents.source, sentences.position,
    tuples.confidence, speaker, speech_verb
FROM provenance
JOIN tuples USING (tuple_id)
JOIN sentences ON sentences.sentence_id = provenance.sentence_id
JOIN documents ON documents.document_id = provenance.document_id
WHERE provenance.edge_id IN (SELECT unnest(?))
QUALIFY row_number() OVER (
    PARTITION BY provenance.edge_id, sentences.sentence_id
    ORDER BY coalesce(tuples.confidence, 1) DESC, tuples.tuple_id
) = 1
ORDER BY provenance.edge_id, coalesce(tuples.confidence, 1) DESC, documents.source, sentences.position,
    tuples.tuple_id

-- name: properties
SELECT edge_id, property, name, turned, probability FROM properties
WHERE edge_id IN (SELECT unnest(?)) ORDER BY edge_id, probability DESC, property

-- name: qualifiers
SELECT edge_id, role, list(text ORDER BY mentions DESC, text) FROM qualifiers
WHERE edge_id IN (SELECT unnest(?)) GROUP BY edge_id, role ORDER BY edge_id, role

-- name: marks
SELECT tuple_id, first, last, role, node_id FROM (
    SELECT tuple_id, role, position, node_id, unnest(starts) AS first, unnest(ends) AS last, unnest(range(len(starts))) AS number
    FROM mentions WHERE tuple_id IN (SELECT unnest(?)) AND starts IS NOT NULL
) ORDER BY tuple_id, role = 'name', position, number
