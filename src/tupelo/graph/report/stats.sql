-- name: contradictions
-- Statements that are both claimed and denied.
SELECT count(*) FROM (
    SELECT 1 FROM statements GROUP BY subject_id, relation_id, object_id
    HAVING bool_or(stance = 'denied') AND bool_or(stance IN ('asserted', 'reported'))
)

-- name: stated
-- The share of the tuples that a statement was made from, or another tuple of their sentence with the same statement.
SELECT avg((unlinked IS NULL OR unlinked = ?)::INTEGER) FROM tuples

-- name: merged
SELECT any_value(coalesce(entities.name, relations.name)), list(text ORDER BY aliases.mentions DESC, text)
FROM aliases
LEFT JOIN entities ON node_id = owner_id
LEFT JOIN relations ON relation_id = owner_id
GROUP BY owner_id HAVING count(*) > 1 ORDER BY count(*) DESC, owner_id LIMIT {top}

-- name: degrees
SELECT CASE WHEN degree > 0 THEN (1::BIGINT << floor(log2(degree))::INTEGER) ELSE 0 END AS least, count(*)
FROM entities GROUP BY least ORDER BY least

-- name: types
SELECT types.name, count(*) AS entities FROM entity_types JOIN types USING (type_id)
GROUP BY types.name ORDER BY entities DESC, types.name

-- name: stances
SELECT stance, count(*) FROM statements GROUP BY stance ORDER BY count(*) DESC, stance
