-- name: candidates
WITH said AS (
    SELECT provenance.edge_id, provenance.sentence_id,
        max(coalesce(tuples.confidence, 1)
            * CASE WHEN len(mentions.starts) = 0 THEN {in_passing} ELSE 1 END) AS share
    FROM provenance JOIN tuples USING (tuple_id)
    LEFT JOIN mentions ON mentions.tuple_id = tuples.tuple_id AND mentions.position = 0
    WHERE edge_id IN (SELECT unnest(?)) AND stance = 'asserted'
    GROUP BY provenance.edge_id, provenance.sentence_id
    QUALIFY row_number() OVER (
        PARTITION BY provenance.edge_id
        ORDER BY max(coalesce(tuples.confidence, 1)) DESC, provenance.sentence_id
    ) <= {sentences_of_an_edge}
)
SELECT sentence_id, any_value(text), any_value(source), any_value(sentences.position),
    list(edge_id ORDER BY edge_id), list(share ORDER BY edge_id)
FROM said JOIN sentences USING (sentence_id) JOIN documents USING (document_id)
GROUP BY sentence_id ORDER BY sentence_id

-- name: mentions
SELECT DISTINCT sentence_id, starts[1], ends[1], text, entities.name
FROM mentions JOIN entities USING (node_id)
WHERE sentence_id IN (SELECT unnest(?)) AND len(starts) > 0
ORDER BY ALL

-- name: statements
SELECT edge_id, subjects.name, relation, nodes.name, confidence
FROM statements JOIN nodes AS subjects ON subjects.node_id = subject_id
JOIN nodes ON nodes.node_id = object_id
WHERE edge_id IN (SELECT unnest(?))

-- name: asserted
SELECT sentence_id, avg((stance = 'asserted')::INTEGER) FROM tuples
WHERE sentence_id IN (SELECT unnest(?)) GROUP BY sentence_id
