-- name: edges
WITH numbered AS (SELECT node_id, row_number() OVER (ORDER BY node_id) - 1 AS number FROM entities)
SELECT edge_id, subjects.number AS subject, objects.number AS object, confidence,
    stance = 'asserted' AS asserted,
    confidence * rank * (1 + ln(greatest(documents, 1)))
        * CASE stance WHEN 'asserted' THEN 1 ELSE {unasserted} END AS weight
FROM edges AS said
JOIN numbered AS subjects ON subjects.node_id = subject_id
JOIN numbered AS objects ON objects.node_id = object_id
WHERE {view}
ORDER BY edge_id

-- name: entities
SELECT node_id, any_value(entities.name), any_value(kind),
    arg_max(types.name, (entity_types.mentions, types.name))
FROM entities LEFT JOIN entity_types USING (node_id)
LEFT JOIN types ON types.type_id = entity_types.type_id AND parent_id IS NULL
WHERE node_id IN (SELECT unnest(?)) GROUP BY node_id

-- name: shown
SELECT edge_id, subject_id, relation, object_id, confidence, mentions, stance
FROM edges WHERE edge_id IN (SELECT unnest(?))
