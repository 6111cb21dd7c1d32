-- Both have every passage, in the same order.

-- name: mentioned
SELECT source, passages.number, name, kind, type
FROM passages JOIN documents USING (document_id)
LEFT JOIN passage_entities USING (passage_id)
LEFT JOIN entities USING (node_id)
LEFT JOIN ({finest}) USING (node_id)
ORDER BY source, passages.number, passage_entities.mentions DESC, name

-- name: said
WITH types AS ({finest}),
places AS (
    -- An argument and a name within it: the shorter one.
    SELECT tuple_id, referent_id, arg_min(starts[1], (ends[-1] - starts[1], position)) AS first,
        arg_min(ends[-1], (ends[-1] - starts[1], position)) AS last
    FROM mentions WHERE starts IS NOT NULL AND tuple_id IS NOT NULL GROUP BY ALL
),
held AS (
    SELECT edge_id, list(text ORDER BY text) FILTER (role = 'time') AS times,
        list(text ORDER BY text) FILTER (role = 'location') AS places
    FROM qualifiers GROUP BY edge_id
)
SELECT source, passages.number, sentences.text AS sentence, sentences.position AS place,
    provenance.wording AS relation, provenance.confidence AS confidence, tuples.stance AS stance,
    subjects.name AS subject, subjects.kind AS subject_kind, subject_types.type AS subject_type,
    starts.first AS subject_start, starts.last AS subject_end,
    objects.name AS object, objects.kind AS object_kind, coalesce(object_types.type, objects.label) AS object_type,
    finish.first AS object_start, finish.last AS object_end, held.times AS times, held.places AS places
FROM passages JOIN documents USING (document_id)
JOIN sentences ON sentences.document_id = passages.document_id
    AND sentences.position BETWEEN first_sentence AND last_sentence
LEFT JOIN provenance ON provenance.sentence_id = sentences.sentence_id
LEFT JOIN statements AS said ON said.edge_id = provenance.edge_id
LEFT JOIN tuples ON tuples.tuple_id = provenance.tuple_id
LEFT JOIN nodes AS subjects ON subjects.node_id = said.subject_id
LEFT JOIN nodes AS objects ON objects.node_id = said.object_id
LEFT JOIN types AS subject_types ON subject_types.node_id = said.subject_id
LEFT JOIN types AS object_types ON object_types.node_id = said.object_id
LEFT JOIN places AS starts ON starts.tuple_id = tuples.tuple_id AND starts.referent_id = subject_ref
LEFT JOIN places AS finish ON finish.tuple_id = tuples.tuple_id AND finish.referent_id = object_ref
LEFT JOIN held ON held.edge_id = provenance.edge_id
ORDER BY source, passages.number, sentences.position, tuples.position, object_start, provenance.edge_id
