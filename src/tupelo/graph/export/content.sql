-- name: with_sentences
SELECT said.*, sentences, {columns}, relations.name AS relation_name
FROM ({statements}) AS said
JOIN relations USING (relation_id)
LEFT JOIN (
    SELECT edge_id, list(DISTINCT sentence_id ORDER BY sentence_id) AS sentences
    FROM provenance GROUP BY edge_id
) USING (edge_id)
LEFT JOIN (SELECT edge_id, {qualified} FROM qualifiers GROUP BY edge_id) USING (edge_id)
WHERE said.confidence >= {min_confidence}
ORDER BY edge_id

-- name: entities
SELECT entities.*, type, types, aliases, said
FROM entities
LEFT JOIN ({finest}) USING (entity_id)
LEFT JOIN (
    SELECT entity_id, list(types.name ORDER BY types.name) AS types
    FROM entity_types JOIN types USING (type_id) GROUP BY entity_id
) USING (entity_id)
LEFT JOIN (
    SELECT owner_id AS entity_id, list(text ORDER BY text) AS aliases
    FROM aliases WHERE owner = 'entity' GROUP BY owner_id
) USING (entity_id)
LEFT JOIN (
    SELECT subject_id AS entity_id, list({{'relation': name, 'text': text}} ORDER BY name, text) AS said
    FROM attributes JOIN relations USING (relation_id) JOIN literals USING (literal_id)
    WHERE stance = 'asserted' AND confidence >= {min_confidence}
    GROUP BY subject_id
) USING (entity_id)
ORDER BY entity_id

-- name: relations
SELECT relations.*, aliases
FROM relations
LEFT JOIN (
    SELECT owner_id AS relation_id, list(text ORDER BY text) AS aliases
    FROM aliases WHERE owner = 'relation' GROUP BY owner_id
) USING (relation_id)
ORDER BY relation_id
