-- `{edges}`, `{nodes}` and `{sentences}` are conditions that select rows.

-- name: counted_again
-- The entities whose degree changes: an edge whose far end became another entity changes its near end, too.
CREATE OR REPLACE TEMP TABLE counted_again AS SELECT node_id FROM touched_entity_id
UNION SELECT node_id FROM neighbours WHERE {edges}
UNION SELECT subject_id FROM edges WHERE {edges} UNION SELECT object_id FROM edges WHERE {edges}

-- name: neighbours
INSERT INTO neighbours
SELECT * FROM (
    SELECT subject_id AS node_id, object_id AS other_id, edge_id, relation_id, true AS outgoing, confidence,
        mentions, negated, modality, stance
    FROM edges WHERE {edges}
    UNION ALL
    SELECT object_id, subject_id, edge_id, relation_id, false, confidence, mentions, negated, modality,
        stance
    FROM edges WHERE {edges}
)
ORDER BY node_id, confidence DESC, edge_id, outgoing

-- name: degrees
UPDATE nodes SET degree = counted.degree
FROM (
    SELECT node_id, sum(n)::BIGINT AS degree FROM (
        SELECT node_id, 0 AS n FROM nodes WHERE {nodes}
        UNION ALL SELECT node_id, count(*) FROM neighbours WHERE {nodes} GROUP BY node_id
    ) GROUP BY node_id
) AS counted
WHERE nodes.node_id = counted.node_id

-- name: words
INSERT INTO sentence_words
SELECT word, sentence_id, count(*)::INTEGER AS times, any_value(length)::INTEGER AS length
FROM (
    SELECT unnest(words) AS word, sentence_id, len(words) AS length
    FROM (SELECT sentence_id, {words} AS words FROM sentences WHERE {sentences})
)
GROUP BY word, sentence_id
ORDER BY word, sentence_id
