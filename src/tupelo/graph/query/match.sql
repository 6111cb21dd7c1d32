-- name: of_type
-- Entities of a type, or of a type below it; nodes of a kind, values of a label.
SELECT node_id FROM entity_types WHERE type_id IN (
    WITH RECURSIVE kinds AS (
        SELECT type_id FROM types WHERE lower(name) = lower(?)
        UNION SELECT types.type_id FROM types JOIN kinds ON types.parent_id = kinds.type_id
    )
    SELECT type_id FROM kinds
)
UNION ALL SELECT node_id FROM nodes WHERE (kind = 'value' AND lower(label) = lower(?)) OR lower(kind) = lower(?)
