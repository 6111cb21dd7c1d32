-- name: edges
SELECT edge_id, said.confidence, said.stance, negated, modality, said.mentions, asserted, said.documents,
    subject_id, subjects.name, subjects.kind, relation_id, said.relation, object_id, objects.name,
    objects.kind, literals.text, literals.kind, number, unit, first_day, last_day
FROM statements AS said
JOIN entities AS subjects ON subjects.entity_id = subject_id
LEFT JOIN entities AS objects ON objects.entity_id = object_id
LEFT JOIN literals ON literal_id = object_id
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
