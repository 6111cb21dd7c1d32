-- name: finest
WITH RECURSIVE kinds AS (
    SELECT type_id, name, name AS root, 0 AS depth FROM types WHERE parent_id IS NULL
    UNION ALL
    SELECT types.type_id, types.name, root, depth + 1 FROM types JOIN kinds ON types.parent_id = kinds.type_id
)
SELECT node_id, arg_max(root, place) AS root, arg_max(name, place) AS type
FROM (
    SELECT node_id, root, name, (
        max(mentions) OVER said, max(depth) OVER said, root, depth > 0, mentions, depth, name
    ) AS place
    FROM entity_types JOIN kinds USING (type_id) WHERE {where}
    WINDOW said AS (PARTITION BY node_id, root)
)
GROUP BY node_id

-- name: used_types
WITH RECURSIVE used AS (
    SELECT type_id FROM entity_types
    UNION SELECT parent_id FROM types JOIN used USING (type_id) WHERE parent_id IS NOT NULL
)
SELECT * FROM types WHERE type_id IN (SELECT type_id FROM used) ORDER BY type_id
