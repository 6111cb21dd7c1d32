-- name: meanings
SELECT node_id, nodes.name, nodes.mentions,
    typed.type,
    (SELECT list(DISTINCT noun ORDER BY noun)[:3] FROM (
        SELECT unnest(descriptions) AS noun FROM referents WHERE referents.node_id = nodes.node_id
    ) WHERE noun NOT IN ('man', 'woman')),
    (SELECT min(place) FROM referents WHERE referents.node_id = nodes.node_id),
    (SELECT min(source) FROM referents JOIN documents USING (document_id)
        WHERE referents.node_id = nodes.node_id)
FROM nodes LEFT JOIN ({typed}) AS typed USING (node_id)
WHERE node_id IN (SELECT unnest($1))
ORDER BY nodes.mentions DESC, nodes.name, node_id LIMIT {most_named}

-- name: usual_types
WITH kinds AS (
    SELECT node_id, types.name AS kind FROM entity_types JOIN types USING (type_id)
    WHERE parent_id IS NULL
    UNION ALL SELECT node_id, coalesce(nullif(label, ''), kind) FROM nodes WHERE kind = 'value'
),
ends AS (
    SELECT relation_id, 'subject' AS side, subject_id AS node_id FROM statements
    UNION ALL SELECT relation_id, 'object', object_id FROM statements
),
sizes AS (SELECT relation_id, count(*) AS size FROM statements GROUP BY relation_id)
SELECT relations.name, side, kind
FROM ends JOIN kinds USING (node_id) JOIN relations USING (relation_id) JOIN sizes USING (relation_id)
GROUP BY relation_id, relations.name, size, side, kind
HAVING count(*) >= ? * size
ORDER BY 1, 2, 3

-- name: search
WITH matched AS (SELECT word, sentence_id, times, length FROM sentence_words WHERE {matches}),
rarity AS (
    SELECT word, ln(1 + (total - count(*) + 0.5) / (count(*) + 0.5)) AS weight
    FROM matched, (SELECT count(*) AS total FROM sentences) GROUP BY word, total
),
scored AS (
    SELECT sentence_id, sum(
        weight * times * ({k1} + 1) / (times + {k1} * (1 - {b} + {b} * length / average))
    ) AS score
    FROM matched JOIN rarity USING (word),
        (SELECT sum(times) / greatest(count(DISTINCT sentence_id), 1) AS average FROM sentence_words)
    GROUP BY sentence_id
)
SELECT sentence_id, sentences.text, documents.source, sentences.position, score
FROM scored JOIN sentences USING (sentence_id) JOIN documents USING (document_id)
WHERE true{demanded}
ORDER BY score DESC, documents.source, sentences.position LIMIT {limit}

-- name: entities_containing
SELECT node_id, name
FROM (
    SELECT owner_id, max(CASE WHEN normal = $1 THEN 2 WHEN starts_with(normal, $1) THEN 1 ELSE 0 END) AS fit
    FROM aliases WHERE contains(normal, $1) AND owner = 'entity' GROUP BY owner_id
) AS found
JOIN entities ON node_id = owner_id
ORDER BY fit DESC, degree DESC, name, node_id LIMIT {limit}

-- name: similar
SELECT text FROM (
    SELECT text, mentions, jaro_winkler_similarity(normal, normal_form(?)) AS alike
    FROM aliases WHERE owner = ?
)
WHERE alike >= ? ORDER BY alike DESC, mentions DESC, text LIMIT 1

-- name: relations_worded
SELECT relation_id, lower(lemma) FROM relations
WHERE relation_id = ? OR lower(lemma) IN (SELECT unnest(?)) OR relation_id IN (
    SELECT owner_id FROM aliases WHERE owner = 'relation' AND normal = normal_form(?)
)
ORDER BY 1

-- name: relations_of
SELECT relation FROM statements
WHERE subject_id IN (SELECT unnest($1)) OR object_id IN (SELECT unnest($1))
GROUP BY relation ORDER BY count(*) DESC, relation LIMIT $2

-- name: edges_of
SELECT sentence_id, list(DISTINCT edge_id ORDER BY edge_id) FROM provenance
WHERE sentence_id IN (SELECT unnest(?)) GROUP BY sentence_id

-- name: entities_with_types
SELECT node_id, entities.name, entities.kind,
    list(types.name ORDER BY types.name) FILTER (types.name IS NOT NULL)
FROM entities
LEFT JOIN entity_types USING (node_id)
LEFT JOIN types USING (type_id)
WHERE $1 IS NULL OR node_id IN (SELECT unnest($1))
GROUP BY node_id, entities.name, entities.kind, degree
HAVING $2 IS NULL OR list_contains(list(types.name), $2)
ORDER BY degree DESC, entities.name, node_id
