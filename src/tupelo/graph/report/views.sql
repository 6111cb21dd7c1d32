-- name: neighbours
SELECT edge_id, subject_id, relation, object_id, confidence, mentions, stance
FROM edges
WHERE edge_id IN (
    SELECT edge_id FROM neighbours WHERE node_id = ? GROUP BY edge_id
    ORDER BY any_value(stance) <> 'asserted', max(confidence) DESC, edge_id
    LIMIT {neighbours_at_once} OFFSET {offset}
)
ORDER BY stance <> 'asserted', confidence DESC, edge_id

-- name: typed
SELECT entity_id, CASE WHEN kind = 'concept' THEN 'concept' ELSE coalesce(root, 'other') END AS type,
    nullif(typed.type, root) AS finer
FROM entities LEFT JOIN ({finest}) AS typed USING (entity_id)
WHERE {where}

-- name: nodes
SELECT entity_id, name, type, degree, coalesce(said.description, finer)
FROM entities
JOIN ({typed}) USING (entity_id)
LEFT JOIN (
    SELECT entity_id, string_agg(description, ', ' ORDER BY n DESC, description) AS description FROM (
        SELECT entity_id, description, count(*) AS n
        FROM (SELECT entity_id, unnest(descriptions) AS description FROM referents
            WHERE entity_id IN (SELECT unnest($1)))
        GROUP BY entity_id, description
        QUALIFY row_number() OVER (PARTITION BY entity_id ORDER BY n DESC, description) <= 2
    ) GROUP BY entity_id
) AS said USING (entity_id)

-- name: names
SELECT entity_id, text, sum(n)::BIGINT, arg_max(reason, (n, reason)), max(probability)
FROM (
    SELECT entity_id, unnest(names) AS text, unnest(counts) AS n, unnest(reasons) AS reason,
        unnest(probabilities) AS probability
    FROM referents WHERE entity_id IN (SELECT unnest(?))
)
WHERE lower(text) NOT IN (SELECT unnest(?))
GROUP BY entity_id, text
QUALIFY row_number() OVER (PARTITION BY entity_id ORDER BY sum(n) DESC, text) <= {most_names}
ORDER BY entity_id, 3 DESC, text

-- name: merges
SELECT entity_id, documents.source, referents.name, reason, probability
FROM referents JOIN documents USING (document_id)
WHERE entity_id IN (SELECT unnest(?)) AND reason IS NOT NULL
QUALIFY row_number() OVER (PARTITION BY entity_id ORDER BY probability, source) <= {most_names}
ORDER BY entity_id, probability, source

-- name: facts
SELECT subject_id, edge_id, relation, literals.text, literals.kind, confidence, mentions, stance
FROM attributes JOIN literals USING (literal_id) WHERE subject_id IN (SELECT unnest(?))
QUALIFY row_number() OVER (
    PARTITION BY subject_id ORDER BY stance <> 'asserted', confidence DESC, edge_id
) <= {most_facts}
ORDER BY subject_id, literals.kind = 'statement', stance <> 'asserted', confidence DESC, edge_id

-- name: best_statement
SELECT subject_id, arg_max(relation || ' ' || nodes.name, (statements.confidence, edge_id))
FROM statements JOIN nodes ON node_id = object_id
WHERE subject_id IN (SELECT unnest(?)) AND nodes.kind <> 'statement' AND stance = 'asserted'
GROUP BY subject_id
