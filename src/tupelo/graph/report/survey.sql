-- name: edges
WITH numbered AS (SELECT entity_id, row_number() OVER (ORDER BY entity_id) - 1 AS number FROM entities)
SELECT edge_id, subjects.number AS subject, objects.number AS object, confidence,
    stance = 'asserted' AS asserted,
    confidence * (1 + ln(greatest(documents, 1)))
        * CASE stance WHEN 'asserted' THEN 1 ELSE {unasserted} END AS weight
FROM edges
JOIN numbered AS subjects ON subjects.entity_id = subject_id
JOIN numbered AS objects ON objects.entity_id = object_id
ORDER BY edge_id

-- name: entities
SELECT entity_id, any_value(entities.name), any_value(kind),
    arg_max(types.name, (entity_types.mentions, types.name))
FROM entities LEFT JOIN entity_types USING (entity_id)
LEFT JOIN types ON types.type_id = entity_types.type_id AND parent_id IS NULL
WHERE entity_id IN (SELECT unnest(?)) GROUP BY entity_id
