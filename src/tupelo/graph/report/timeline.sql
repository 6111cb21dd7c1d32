-- name: timeline
SELECT edge_id FROM statements
WHERE NOT negated AND (valid_from IS NOT NULL OR (aspect = 'state' AND valid_until <> '..')) AND (
    subject_id IN (SELECT unnest($ids)) OR object_id IN (SELECT unnest($ids))
    OR relation_id IN (SELECT unnest($relations))
)
ORDER BY coalesce(valid_from, valid_until), nullif(valid_until, '..') NULLS LAST, edge_id
