-- name: of_type
-- Entities of a type, or of a type below it; literals of a label or kind.
SELECT entity_id FROM entity_types WHERE type_id IN (
    WITH RECURSIVE kinds AS (
        SELECT type_id FROM types WHERE lower(name) = lower(?)
        UNION SELECT types.type_id FROM types JOIN kinds ON types.parent_id = kinds.type_id
    )
    SELECT type_id FROM kinds
)
UNION ALL SELECT literal_id FROM literals WHERE lower(label) = lower(?) OR lower(kind) = lower(?)
