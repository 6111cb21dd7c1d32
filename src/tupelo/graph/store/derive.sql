-- `{edges}`, `{nodes}` and `{sentences}` are conditions that select rows.

-- name: kinds
-- What the form of concepts says: a *host plant* is a kind of *plant*, where a graph has both. The longest one counts.
CREATE OR REPLACE TEMP TABLE kinds AS
SELECT substr(sha256(concat_ws(chr(31), 'kind of', narrower, broader)), 1, 24) AS edge_id, narrower, broader,
    substr(sha256(concat_ws(chr(31), 'relation', 'be kind of')), 1, 24) AS relation_id
FROM (
    SELECT narrow.node_id AS narrower, arg_max(broad.node_id, (length(broad.name), broad.node_id)) AS broader
    FROM (
        SELECT node_id, unnest([
            array_to_string(list_slice(words, place, len(words)), ' ') FOR place IN range(2, len(words) + 1)
        ]) AS form
        FROM (SELECT node_id, string_split(lower(name), ' ') AS words FROM nodes WHERE kind = 'concept')
        WHERE len(words) > 1 AND NOT list_has_any(words, [{prepositions}])
    ) AS narrow
    JOIN nodes AS broad ON lower(broad.name) = form AND broad.kind = 'concept' AND broad.node_id <> narrow.node_id
    GROUP BY narrow.node_id
)

-- name: kinds_changed
INSERT INTO touched_edge_id
SELECT edge_id FROM statements WHERE mentions = 0 AND edge_id NOT IN (SELECT edge_id FROM kinds)
UNION SELECT edge_id FROM kinds WHERE edge_id NOT IN (SELECT edge_id FROM statements)

-- name: kinds_stated
DELETE FROM statements WHERE mentions = 0 AND edge_id NOT IN (SELECT edge_id FROM kinds);
INSERT INTO statements BY NAME
SELECT edge_id, narrower AS subject_id, relation_id, broader AS object_id, 'concept' AS subject_kind,
    'concept' AS object_kind, false AS negated, 0.9 AS confidence, 0.3 AS rank, 0 AS mentions, 0 AS asserted,
    0 AS documents, 'asserted' AS stance, 'is kind of' AS relation
FROM kinds WHERE edge_id NOT IN (SELECT edge_id FROM statements) ORDER BY edge_id;
DELETE FROM aliases WHERE owner = 'relation' AND mentions = 0 AND owner_id NOT IN (SELECT relation_id FROM statements);
DELETE FROM relations WHERE mentions = 0 AND relation_id NOT IN (SELECT relation_id FROM statements);
INSERT INTO relations BY NAME
SELECT DISTINCT relation_id, 'is kind of' AS name, 'be kind of' AS lemma, 0 AS mentions, 0 AS edges
FROM kinds WHERE relation_id NOT IN (SELECT relation_id FROM relations);
INSERT INTO aliases BY NAME
SELECT DISTINCT relation_id AS owner_id, 'relation' AS owner, 'is kind of' AS text, 0 AS mentions
FROM kinds WHERE relation_id NOT IN (SELECT owner_id FROM aliases);
UPDATE relations SET edges = (
    SELECT count(*) FROM statements WHERE statements.relation_id = relations.relation_id
)
WHERE relation_id IN (SELECT relation_id FROM kinds)

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
