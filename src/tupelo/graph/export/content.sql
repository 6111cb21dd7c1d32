-- name: statements
SELECT said.*, objects.name AS text, objects.number, objects.unit, objects.first_day, objects.last_day, sentences,
    {columns}, relations.name AS relation_name
FROM {table} AS said
JOIN relations USING (relation_id)
JOIN nodes AS objects ON objects.node_id = object_id
LEFT JOIN (
    SELECT edge_id, list(DISTINCT sentence_id ORDER BY sentence_id) AS sentences
    FROM provenance GROUP BY edge_id
) USING (edge_id)
LEFT JOIN (SELECT edge_id, {qualified} FROM qualifiers GROUP BY edge_id) USING (edge_id)
WHERE {view}
ORDER BY edge_id

-- name: values
SELECT * FROM nodes WHERE kind = 'value' AND node_id IN (
    SELECT subject_id FROM statements AS said WHERE {view} UNION SELECT object_id FROM statements AS said WHERE {view}
)
ORDER BY node_id

-- name: entities
SELECT entities.*, type, types, aliases, said
FROM entities
LEFT JOIN ({finest}) USING (node_id)
LEFT JOIN (
    SELECT node_id, list(types.name ORDER BY types.name) AS types
    FROM entity_types JOIN types USING (type_id) GROUP BY node_id
) USING (node_id)
LEFT JOIN (
    SELECT owner_id AS node_id, list(text ORDER BY text) AS aliases
    FROM aliases WHERE owner = 'entity' GROUP BY owner_id
) USING (node_id)
LEFT JOIN (
    SELECT subject_id AS node_id, list({{'relation': name, 'text': text}} ORDER BY name, text) AS said
    FROM (
        SELECT subject_id, relations.name, objects.name AS text
        FROM statements AS said JOIN relations USING (relation_id)
        JOIN nodes AS objects ON objects.node_id = object_id
        WHERE stance = 'asserted' AND object_kind = 'value' AND {view}
    )
    GROUP BY subject_id
) USING (node_id)
WHERE {kinds}
ORDER BY node_id

-- name: relations
SELECT relations.*, aliases
FROM relations
LEFT JOIN (
    SELECT owner_id AS relation_id, list(text ORDER BY text) AS aliases
    FROM aliases WHERE owner = 'relation' GROUP BY owner_id
) USING (relation_id)
ORDER BY relation_id
