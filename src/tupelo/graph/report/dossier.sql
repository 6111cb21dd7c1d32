-- name: cited
SELECT source, title, cited.sentence_id, cited.position, cited.text, coalesce(earlier.text, ''),
    coalesce(later.text, '')
FROM sentences AS cited JOIN documents USING (document_id)
LEFT JOIN sentences AS earlier
    ON earlier.document_id = cited.document_id AND earlier.position = cited.position - 1
LEFT JOIN sentences AS later ON later.document_id = cited.document_id AND later.position = cited.position + 1
WHERE cited.sentence_id IN (SELECT unnest(?))
ORDER BY cited.document_id, cited.position

-- name: described
SELECT subject_id, relation, kind, name FROM statements JOIN nodes ON node_id = object_id
WHERE (kind <> 'value' OR label = 'description') AND subject_id IN (SELECT unnest(?)) AND stance = 'asserted' AND confidence >= {sure}
    AND split_part(relation, ' ', 1) IN ('is', 'are', 'was', 'were')
ORDER BY kind NOT IN ('concept', 'value'), rank * confidence DESC, name, relation

-- name: attributes
SELECT subject_id, edge_id, confidence FROM statements JOIN nodes ON node_id = object_id
WHERE subject_id IN (SELECT unnest(?)) AND stance = 'asserted' AND label IN ('datetime', 'number')
QUALIFY row_number() OVER (PARTITION BY subject_id ORDER BY confidence DESC, edge_id)
    <= {attributes_each}
ORDER BY subject_id, confidence DESC, edge_id

-- name: most_mentioned
SELECT node_id FROM entities WHERE node_id IN (SELECT unnest(?)) ORDER BY mentions DESC, name, node_id

-- name: wordings
SELECT text FROM aliases WHERE owner = 'entity' AND owner_id = ? AND text <> ? ORDER BY mentions DESC, text LIMIT ?

-- name: typed
SELECT node_id, name, CASE WHEN kind = 'entity' THEN nullif(nullif(type, root), 'region') END
FROM entities LEFT JOIN ({finest}) AS typed USING (node_id)
WHERE node_id IN (SELECT unnest($1))

-- name: dated
SELECT * FROM (
    SELECT DISTINCT ON (said.text) valid_from, valid_until, said.text, source, said.rank * said.confidence AS worth
    FROM statements AS said JOIN provenance USING (edge_id) JOIN documents USING (document_id)
    WHERE (subject_id IN (SELECT unnest($1)) OR object_id IN (SELECT unnest($1)))
        AND valid_from IS NOT NULL AND said.text IS NOT NULL AND stance = 'asserted'
    ORDER BY said.text, worth DESC, source
) ORDER BY worth DESC, text LIMIT {dated}
