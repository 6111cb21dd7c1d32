-- `{documents}` and `{entities}` are conditions that select rows.

-- name: places
-- Sentences of unknown place are counted as if nothing but a space were between them.
SELECT document_id, position, coalesce(start_at, ends - length(text)), coalesce(end_at, ends)
FROM (
    SELECT *, sum(length(text) + 1) OVER (PARTITION BY document_id ORDER BY position) - 1 AS ends
    FROM sentences WHERE {documents}
)
ORDER BY document_id, position

-- name: describe
-- A document may have very many passages: an ASOF join finds that of a sentence without trying them all.
INSERT INTO passages
SELECT substr(sha256(concat_ws(
        chr(31), 'passage', said.document_id, number, any_value(title), string_agg(text, ' ' ORDER BY position)
    )), 1, 24) AS passage_id,
    said.document_id, number, min(position), max(position), min(start_at), max(end_at)
FROM (SELECT * FROM sentences WHERE {documents}) AS said
ASOF JOIN new_passages
ON said.document_id = new_passages.document_id AND said.position >= new_passages.first_sentence
JOIN documents ON documents.document_id = said.document_id
GROUP BY said.document_id, number
ORDER BY said.document_id, number

-- name: words
INSERT INTO passage_words
SELECT word, passage_id, count(*)::INTEGER AS times, any_value(length)::INTEGER AS length
FROM (
    SELECT unnest(words) AS word, passage_id, len(words) AS length
    FROM (
        SELECT passage_id, {words} AS words
        FROM (SELECT * FROM sentences WHERE {documents}) AS said
        ASOF JOIN passages
        ON said.document_id = passages.document_id AND said.position >= passages.first_sentence
        JOIN documents ON documents.document_id = said.document_id
        GROUP BY passage_id
    )
)
GROUP BY word, passage_id
ORDER BY word, passage_id

-- name: entities
INSERT INTO passage_entities
SELECT passage_id, node_id, count(*)
FROM (
    SELECT node_id, document_id, sentences.position
    FROM mentions JOIN sentences USING (sentence_id) WHERE node_id IS NOT NULL AND {entities}
) AS said
ASOF JOIN passages ON said.document_id = passages.document_id AND said.position >= passages.first_sentence
GROUP BY passage_id, node_id
ORDER BY passage_id, node_id

-- name: texts
SELECT passage_id, concat_ws(chr(10), any_value(title), string_agg(text, ' ' ORDER BY position))
FROM (SELECT * FROM sentences WHERE {documents}) AS said
ASOF JOIN passages ON said.document_id = passages.document_id AND said.position >= passages.first_sentence
JOIN documents ON documents.document_id = said.document_id
GROUP BY passage_id, said.document_id, number ORDER BY said.document_id, number
