-- `{documents}` and `{gone}` are conditions that select rows.

-- name: places
-- Sentences of unknown place are counted as if nothing but a space were between them.
SELECT document_id, position, coalesce(start_at, ends - length(text)), coalesce(end_at, ends),
    CASE WHEN heading = title THEN '' WHEN starts_with(heading, title || ' › ') THEN substr(heading, length(title) + 4)
    ELSE heading END
FROM (
    SELECT *, sum(length(text) + 1) OVER (PARTITION BY document_id ORDER BY position) - 1 AS ends
    FROM sentences WHERE {documents}
) JOIN documents USING (document_id)
ORDER BY document_id, position

-- name: describe
-- A document may have very many passages: an ASOF join finds that of a sentence without trying them all.
INSERT INTO passages
SELECT substr(sha256(concat_ws(
        chr(31), 'passage', said.document_id, number, any_value(title), any_value(new_rows.heading),
        string_agg(text, ' ' ORDER BY position)
    )), 1, 24) AS passage_id,
    said.document_id, number, min(position), max(position), min(start_at), max(end_at), any_value(new_rows.heading)
FROM (SELECT * FROM sentences WHERE {documents}) AS said
ASOF JOIN new_rows ON said.document_id = new_rows.document_id AND said.position >= new_rows.first
JOIN documents ON documents.document_id = said.document_id
GROUP BY said.document_id, number
ORDER BY said.document_id, number

-- name: words
INSERT INTO passage_words
SELECT word, passage_id, count(*)::INTEGER AS times, any_value(length)::INTEGER AS length
FROM (
    SELECT unnest(words) AS word, passage_id, len(words) AS length
    FROM (
        SELECT passage_id, words_of(concat_ws(' ', any_value(title), any_value(passages.heading), string_agg(text, ' '))) AS words
        FROM (SELECT * FROM sentences WHERE {documents}) AS said
        ASOF JOIN passages
        ON said.document_id = passages.document_id AND said.position >= passages.first_sentence
        JOIN documents ON documents.document_id = said.document_id
        GROUP BY passage_id
    )
)
GROUP BY word, passage_id
ORDER BY word, passage_id

-- name: texts
SELECT passage_id, any_value(title), concat_ws(chr(10), any_value(title), string_agg(text, ' ' ORDER BY position))
FROM (SELECT * FROM sentences WHERE {documents}) AS said
ASOF JOIN passages ON said.document_id = passages.document_id AND said.position >= passages.first_sentence
JOIN documents ON documents.document_id = said.document_id
GROUP BY passage_id, said.document_id, number ORDER BY said.document_id, number

-- name: wordings
SELECT DISTINCT text FROM aliases WHERE form IS NULL AND owner = 'entity'

-- name: forms
UPDATE aliases SET form = new_rows.form FROM new_rows
WHERE aliases.text = new_rows.text AND aliases.form IS NULL AND owner = 'entity'

-- name: forget
DELETE FROM passages WHERE {gone};
DELETE FROM passage_words WHERE passage_id NOT IN (SELECT passage_id FROM passages);
DELETE FROM passage_names WHERE passage_id NOT IN (SELECT passage_id FROM passages)

-- name: forget_vectors
DELETE FROM passage_vectors WHERE passage_id NOT IN (SELECT passage_id FROM passages)
