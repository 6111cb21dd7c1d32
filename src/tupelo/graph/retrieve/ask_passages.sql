-- name: passages
WITH chosen AS (SELECT unnest($1) AS passage_id, unnest(range(len($1))) AS rank)
SELECT rank, sentence_id, sentences.text, document_id, source, position,
    CASE WHEN position < first_sentence THEN 0 ELSE 1 END, title, published
FROM chosen JOIN passages USING (passage_id) JOIN sentences USING (document_id)
JOIN documents USING (document_id)
WHERE position BETWEEN first_sentence AND last_sentence OR position = 0
ORDER BY rank, position

-- name: tuples
SELECT sentence_id, tuple_id, any_value(relation), any_value(tuples.stance), any_value(tuples.negated),
    any_value(tuples.confidence), any_value(sentences.text), any_value(source), any_value(sentences.position),
    any_value(speaker), any_value(speech_verb),
    list({
        'role': role, 'text': mentions.text,
        'name': CASE WHEN referents.kind = 'entity' THEN coalesce(nodes.name, referents.name) END
    } ORDER BY mentions.position) FILTER (role <> 'relation'),
    any_value(valid_from), any_value(valid_until), any_value(aspect), any_value(published)
FROM sentences JOIN tuples USING (sentence_id) JOIN mentions USING (tuple_id)
LEFT JOIN referents USING (referent_id, document_id)
LEFT JOIN nodes ON nodes.node_id = coalesce(mentions.node_id, referents.node_id) JOIN documents USING (document_id)
WHERE sentence_id IN (SELECT unnest($1))
GROUP BY sentence_id, tuple_id ORDER BY any_value(tuples.position), tuple_id
