-- name: merged
-- `{written}` is the name as its document has it.
SELECT node_id, written AS name, reason, min(probability) AS least, count(DISTINCT document_id),
    sum(list_sum(counts))::BIGINT AS mentions, min_by(referent_id, (probability, referent_id))
FROM (SELECT *, {written} AS written FROM referents)
WHERE kind = 'entity' AND reason IS NOT NULL AND reason <> 'correction'
GROUP BY node_id, written, reason
ORDER BY least, mentions DESC, length(written), written, node_id, reason LIMIT ?

-- name: another
SELECT referent_id, {written} AS written FROM referents
WHERE node_id = $entity AND referent_id <> $referent
ORDER BY (written = $name) <> $same, list_sum(counts) DESC, referent_id LIMIT 1

-- name: sentences
SELECT sentences.text, source, position FROM sentences JOIN documents USING (document_id)
WHERE sentence_id IN (SELECT sentence_id FROM mentions WHERE referent_id = ?) ORDER BY position LIMIT ?

-- name: known
SELECT 1 FROM referents WHERE kind = 'entity' AND list_has_any(keys, $keys)
    AND ($document = '' OR document_id = $document) LIMIT 1
