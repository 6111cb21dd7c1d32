-- name: nodes
-- The nodes of the walk: names, and what the statements of a view speak of.
WITH things AS (SELECT node_id, kind FROM nodes WHERE kind <> 'value' OR label = 'description')
SELECT node_id, row_number() OVER (ORDER BY node_id) - 1 AS entity, kind FROM things
WHERE kind = 'entity' OR node_id IN (
    SELECT unnest([subject_id, object_id]) FROM statements AS said
    WHERE subject_id IN (SELECT node_id FROM things) AND object_id IN (SELECT node_id FROM things) AND {kept}
)

-- name: numbered
WITH e AS ({nodes}),
p AS (SELECT passage_id, row_number() OVER (ORDER BY document_id, number) - 1 AS passage FROM passages),
named AS (
    SELECT owner_id AS node_id, form FROM aliases SEMI JOIN e ON node_id = owner_id
    WHERE owner = 'entity' AND form IS NOT NULL
),
titles AS (SELECT passage_id, form FROM passage_names WHERE first_word IS NULL),
titled AS (
    SELECT DISTINCT passage_id, node_id, form
    FROM titles JOIN passage_entities USING (passage_id) JOIN named USING (node_id, form)
),
-- Titles that name no entity of their passage.
alone AS (SELECT passage_id, form FROM titles ANTI JOIN titled USING (passage_id, form)),
known AS (
    SELECT * FROM passage_names
    SEMI JOIN (SELECT form FROM named UNION ALL SELECT form FROM titles) AS names USING (form)
    WHERE first_word IS NOT NULL
),
-- Without those inside of a longer one.
written AS (
    SELECT DISTINCT passage_id, form FROM known WHERE NOT EXISTS (
        SELECT 1 FROM known AS longer
        WHERE longer.passage_id = known.passage_id
            AND longer.first_word <= known.first_word AND longer.last_word >= known.last_word
            AND longer.last_word - longer.first_word > known.last_word - known.first_word
    )
),
few AS (
    SELECT DISTINCT form, node_id FROM named
    QUALIFY count(*) OVER (PARTITION BY form) <= {few}
)

-- name: mentioned
SELECT passage, entity FROM (
    SELECT passage_id, node_id FROM passage_entities
    UNION SELECT passage_id, node_id FROM written JOIN few USING (form)
) JOIN p USING (passage_id) JOIN e USING (node_id)

-- name: same
SELECT dense_rank() OVER (ORDER BY form) - 1, node FROM (
    SELECT form, node, count(*) OVER (PARTITION BY form) AS sharing FROM (
        SELECT DISTINCT form, entity AS node FROM named JOIN e USING (node_id)
        UNION ALL
        SELECT form, passage + (SELECT count(*) FROM e) FROM alone JOIN p USING (passage_id)
        UNION ALL
        SELECT concat(form, ' as a title'), passage + (SELECT count(*) FROM e) FROM (
            SELECT passage_id, form FROM written SEMI JOIN titles USING (form)
            UNION SELECT passage_id, form FROM titles
        ) JOIN p USING (passage_id)
    )
) WHERE sharing > 1

-- name: texts
SELECT passage_id, concat_ws(chr(10), any_value(title), any_value(passages.heading), string_agg(text, ' ' ORDER BY position))
FROM passages JOIN documents USING (document_id) JOIN sentences USING (document_id)
WHERE passage_id IN (SELECT unnest(?)) AND position BETWEEN first_sentence AND last_sentence
GROUP BY passage_id

-- name: about
SELECT DISTINCT passage, entity FROM titled JOIN p USING (passage_id) JOIN e USING (node_id)

-- name: stated
SELECT s.entity, o.entity FROM statements AS said JOIN e AS s ON s.node_id = subject_id
JOIN e AS o ON o.node_id = object_id WHERE {kept}

-- name: places
SELECT passage_id, document_id, source, title, first_sentence, last_sentence, passages.start_at, passages.end_at,
    heading
FROM passages JOIN documents USING (document_id) ORDER BY document_id, number

-- name: vectors
SELECT vector FROM passage_vectors JOIN passages USING (passage_id) WHERE encoder = ? ORDER BY document_id, number
