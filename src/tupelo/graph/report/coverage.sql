-- name: documents
SELECT source, count(DISTINCT sentence_id), count(DISTINCT tuples.sentence_id), count(DISTINCT said.sentence_id),
    count(tuple_id), count(said.tuple_id), count(tuple_id) FILTER (said.tuple_id IS NULL AND unlinked = $repeated)
FROM documents LEFT JOIN sentences USING (document_id) LEFT JOIN tuples USING (sentence_id)
LEFT JOIN (SELECT DISTINCT tuple_id, sentence_id FROM provenance) AS said USING (tuple_id, sentence_id)
WHERE $sources IS NULL OR list_contains($sources, source)
GROUP BY source ORDER BY source

-- name: left_out
-- Sentences without a tuple, and tuples without a statement.
SELECT source, sentences.position, sentences.text, NULL AS tuple, 'no tuple' AS reason
FROM sentences JOIN documents USING (document_id)
WHERE sentence_id NOT IN (SELECT sentence_id FROM tuples) AND ($sources IS NULL OR list_contains($sources, source))
UNION ALL
SELECT source, sentences.position, sentences.text,
    (SELECT string_agg(mentions.text, ' | ' ORDER BY CASE mentions.position WHEN 1 THEN -1 ELSE mentions.position END)
        FROM mentions WHERE mentions.tuple_id = tuples.tuple_id AND role <> 'name'),
    coalesce(unlinked, 'no statement')
FROM tuples JOIN sentences USING (sentence_id) JOIN documents USING (document_id)
WHERE tuple_id NOT IN (SELECT tuple_id FROM provenance) AND ($sources IS NULL OR list_contains($sources, source))
ORDER BY 1, 2, 4
