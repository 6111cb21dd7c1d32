-- name: neighbours
SELECT edge_id, subject_id, relation, object_id, confidence, mentions, stance
FROM edges
WHERE subject_id = $1 OR object_id = $1
ORDER BY stance <> 'asserted', rank * confidence DESC, edge_id
LIMIT {neighbours_at_once} OFFSET {offset}

-- name: typed
SELECT node_id, CASE WHEN kind = 'entity' THEN coalesce(root, 'other') ELSE kind END AS type,
    nullif(typed.type, root) AS finer
FROM entities LEFT JOIN ({finest}) AS typed USING (node_id)
WHERE {where}

-- name: nodes
SELECT node_id, name, type, degree, coalesce(said.description, finer)
FROM entities
JOIN ({typed}) USING (node_id)
LEFT JOIN (
    SELECT node_id, string_agg(description, ', ' ORDER BY n DESC, description) AS description FROM (
        SELECT node_id, description, count(*) AS n
        FROM (SELECT node_id, unnest(descriptions) AS description FROM referents
            WHERE node_id IN (SELECT unnest($1)))
        WHERE description NOT IN ('man', 'woman')
        GROUP BY node_id, description
        QUALIFY row_number() OVER (PARTITION BY node_id ORDER BY n DESC, description) <= 2
    ) GROUP BY node_id
) AS said USING (node_id)

-- name: names
SELECT node_id, text, sum(n)::BIGINT, arg_max(reason, (n, reason)), max(probability)
FROM (
    SELECT node_id, unnest(names) AS text, unnest(counts) AS n, unnest(reasons) AS reason,
        unnest(probabilities) AS probability
    FROM referents WHERE node_id IN (SELECT unnest(?))
)
GROUP BY node_id, text
QUALIFY row_number() OVER (PARTITION BY node_id ORDER BY sum(n) DESC, text) <= {most_names}
ORDER BY node_id, 3 DESC, text

-- name: merges
SELECT node_id, documents.source, referents.name, reason, probability
FROM referents JOIN documents USING (document_id)
WHERE node_id IN (SELECT unnest(?)) AND reason IS NOT NULL
QUALIFY row_number() OVER (PARTITION BY node_id ORDER BY probability, source) <= {most_names}
ORDER BY node_id, probability, source

-- name: facts
SELECT subject_id, edge_id, relation, nodes.name, label, confidence, said.mentions, stance
FROM statements AS said JOIN nodes ON node_id = object_id
WHERE subject_id IN (SELECT unnest(?)) AND object_kind = 'value'
QUALIFY row_number() OVER (
    PARTITION BY subject_id ORDER BY stance <> 'asserted', rank * confidence DESC, edge_id
) <= {most_facts}
ORDER BY subject_id, label = 'clause', stance <> 'asserted', rank * confidence DESC, edge_id

-- name: times
SELECT node_id, edge_id, valid_from, valid_until, text, stance
FROM (
    SELECT subject_id AS node_id, edge_id FROM statements WHERE subject_id IN (SELECT unnest($1))
    UNION SELECT object_id, edge_id FROM statements WHERE object_id IN (SELECT unnest($1))
) JOIN statements USING (edge_id)
WHERE valid_from IS NOT NULL AND text IS NOT NULL
QUALIFY row_number() OVER (PARTITION BY node_id, text ORDER BY edge_id) = 1
    AND row_number() OVER (PARTITION BY node_id ORDER BY stance <> 'asserted', rank * confidence DESC, edge_id) <= {most_facts}
ORDER BY node_id, valid_from, edge_id

-- name: pictured
SELECT edge_id, subject_id, relation, object_id, confidence, mentions, stance FROM edges
WHERE edge_id IN (SELECT unnest(?)) AND subject_id <> object_id ORDER BY rank * confidence DESC, edge_id

-- name: best_statement
SELECT subject_id, arg_max(coalesce(predicate, relation || ' ' || object), ({defines}, rank * confidence, edge_id))
FROM (
    SELECT said.*, objects.name AS object, coalesce(
        CASE WHEN starts_with(lower(text), lower(subjects.name) || ' ') THEN text[length(subjects.name) + 2:] END,
        CASE WHEN starts_with(lower(text), 'the ' || lower(subjects.name) || ' ') THEN text[length(subjects.name) + 6:] END
    ) AS whole, CASE WHEN length(whole) <= {longest} THEN whole END AS predicate
    FROM statements AS said JOIN nodes AS subjects ON subjects.node_id = subject_id
    JOIN nodes AS objects ON objects.node_id = object_id
    WHERE subject_id IN (SELECT unnest(?)) AND objects.label <> 'clause' AND stance = 'asserted'
) AS said
GROUP BY subject_id

-- name: circumstances
SELECT edge_id, rank, coalesce(sources, []), first, last FROM statements
LEFT JOIN (
    SELECT edge_id, list(DISTINCT source ORDER BY source)[:8] AS sources
    FROM provenance JOIN documents USING (document_id) WHERE edge_id IN (SELECT unnest($1)) GROUP BY edge_id
) USING (edge_id)
LEFT JOIN (
    SELECT edge_id, min(year(first_day)) AS first, max(year(last_day)) AS last
    FROM qualifiers WHERE first_day IS NOT NULL AND edge_id IN (SELECT unnest($1)) GROUP BY edge_id
) USING (edge_id)
WHERE edge_id IN (SELECT unnest($1))

-- name: about
SELECT (SELECT count(*) FROM documents), (SELECT count(*) FROM failures),
    (SELECT count(*) FROM edges WHERE stance = 'denied')

-- name: documents
SELECT source, count(sentence_id), count(sentence_id) FILTER (sentence_id IN (SELECT sentence_id FROM tuples))
FROM documents LEFT JOIN sentences USING (document_id) GROUP BY source ORDER BY source LIMIT ?

-- name: span
SELECT min(year(first_day)), max(year(last_day)) FROM qualifiers WHERE first_day IS NOT NULL

-- name: document
SELECT sentence_id, text FROM sentences JOIN documents USING (document_id) WHERE source = ? ORDER BY position

-- name: read
SELECT sentence_id, unnest(starts), unnest(ends), role
FROM mentions JOIN sentences USING (sentence_id) JOIN documents USING (document_id)
WHERE source = ? AND tuple_id IS NOT NULL AND role <> 'name' AND starts IS NOT NULL
ORDER BY sentence_id, role = 'relation' DESC

-- name: ends
SELECT edge_id, subject_id, object_id FROM statements WHERE edge_id IN (SELECT unnest(?))

-- name: said
SELECT tuple_id, stance, context FROM tuples WHERE tuple_id IN (SELECT unnest(?))
