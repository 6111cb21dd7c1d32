-- `{edges}`, `{nodes}`, `{gone}`, `{sentences}` and `{times}` are conditions that select rows.

-- name: kinds
-- What the form of concepts says: a *host plant* is a kind of *plant*, where a graph has both. The longest one counts.
CREATE OR REPLACE TEMP TABLE kinds AS
SELECT substr(sha256(concat_ws(chr(31), 'kind of', narrower, broader)), 1, 24) AS edge_id, narrower, broader,
    id_of_relation('be kind of') AS relation_id
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
SELECT DISTINCT relation_id AS owner_id, 'relation' AS owner, 'is kind of' AS text, 'is kind of' AS normal, 0 AS mentions
FROM kinds WHERE relation_id NOT IN (SELECT owner_id FROM aliases);
UPDATE relations SET edges = (
    SELECT count(*) FROM statements WHERE statements.relation_id = relations.relation_id
)
WHERE relation_id IN (SELECT relation_id FROM kinds)

-- name: counted_again
-- Nodes whose degree changes: besides those of earlier statements, the ends of new ones and of new or former kinds.
INSERT INTO counted_again
SELECT unnest([subject_id, object_id]) FROM statements WHERE {edges} OR (
    mentions = 0 AND edge_id NOT IN (SELECT edge_id FROM kinds)
)
UNION SELECT unnest([narrower, broader]) FROM kinds WHERE edge_id NOT IN (SELECT edge_id FROM statements)

-- name: degrees
UPDATE nodes SET degree = counted.degree
FROM (
    SELECT node_id, sum(n)::BIGINT AS degree FROM (
        SELECT node_id, 0 AS n FROM nodes WHERE {nodes}
        UNION ALL SELECT node_id, count(*) FROM neighbours WHERE {nodes} GROUP BY node_id
    ) GROUP BY node_id
) AS counted
WHERE nodes.node_id = counted.node_id

-- name: days
UPDATE qualifiers SET first_day = new_rows.first_day, last_day = new_rows.last_day
FROM new_rows WHERE qualifiers.text = new_rows.text AND {times}

-- name: words
DELETE FROM sentence_words WHERE {gone};
INSERT INTO sentence_words
SELECT word, sentence_id, count(*)::INTEGER AS times, any_value(length)::INTEGER AS length
FROM (
    SELECT unnest(words) AS word, sentence_id, len(words) AS length
    FROM (SELECT sentence_id, words_of(text) AS words FROM sentences WHERE {sentences})
)
GROUP BY word, sentence_id
ORDER BY word, sentence_id
