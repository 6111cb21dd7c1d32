-- name: forms
WITH asked AS (SELECT unnest(?) AS form)
SELECT form, list(passage_id), list(times), list(length) FROM (
    SELECT word AS form, passage_id, times, length FROM passage_words WHERE word IN (FROM asked)
    UNION ALL
    SELECT left(word, {letters}) || '*' AS form, passage_id, sum(times)::INTEGER, any_value(length)
    FROM passage_words WHERE left(word, {letters}) || '*' IN (FROM asked) GROUP BY ALL
)
GROUP BY form

-- name: texts
-- Each sentence after what stands between it and the one before: the end of a line, or a space.
SELECT passage_id, CASE
    WHEN position = first THEN ''
    WHEN start_at - lag(end_at) OVER (PARTITION BY passage_id ORDER BY position) > 1 THEN chr(10)
    WHEN contains(text, chr(9)) THEN chr(10) ELSE ' '
END || text
FROM (SELECT unnest(?) AS passage_id, unnest(?) AS document, unnest(?) AS first, unnest(?) AS last)
JOIN sentences ON document_id = document AND position BETWEEN first AND last
ORDER BY passage_id, position

-- name: edges_between
SELECT first, second, s.name, relation, o.name, edge_id
FROM (SELECT unnest(?) AS first, unnest(?) AS second) AS asked
JOIN (
    SELECT subject_id AS node_id, object_id AS other_id, * FROM statements
    UNION ALL SELECT object_id, subject_id, * FROM statements
) AS said ON node_id = first AND other_id = second
JOIN nodes AS s ON s.node_id = subject_id JOIN nodes AS o ON o.node_id = object_id
QUALIFY row_number() OVER (PARTITION BY first, second ORDER BY rank * confidence DESC, edge_id) = 1
