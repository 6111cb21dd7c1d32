-- name: begin
-- The keys where the search begins: of new names, of removed ones, and of those that are linked again in any case. A
-- key has the mark of one that is only offered or asked for.
CREATE OR REPLACE TEMP TABLE frontier AS
SELECT DISTINCT ltrim(key, '{marks}') AS key, CASE WHEN contains('{marks}', key[1]) THEN key[1] END AS mark FROM (
    SELECT key FROM frontier UNION ALL SELECT unnest($relink::VARCHAR[])
    UNION ALL SELECT unnest(keys) FROM rows WHERE kind = 'referent' AND "of" = 'entity'
)

-- name: known_keys
-- The keys of stored names and of corrections.
CREATE OR REPLACE TEMP TABLE known_keys AS
SELECT referent_id, ltrim(key, '{marks}') AS key, CASE WHEN contains('{marks}', key[1]) THEN key[1] END AS mark FROM (
    SELECT referent_id, unnest(keys) AS key FROM referents WHERE kind = 'entity'
    UNION ALL SELECT unnest($owners::VARCHAR[]), unnest($keys::VARCHAR[])
)

-- name: reached
-- Stored names that share a key with new or removed ones, or with those in turn. Keys that both only offer, or only ask
-- for, are not shared. Each key is followed once: many names of one key would be as many pairs.
CREATE OR REPLACE TEMP TABLE reached AS
WITH RECURSIVE followed AS (
    SELECT key, mark FROM frontier
    UNION
    SELECT other.key, other.mark FROM followed
    JOIN known_keys AS own ON own.key = followed.key AND (own.mark = followed.mark) IS NOT TRUE
    JOIN known_keys AS other USING (referent_id)
)
SELECT DISTINCT referent_id FROM known_keys JOIN followed USING (key)
WHERE (known_keys.mark = followed.mark) IS NOT TRUE

-- name: names_of_documents
-- The names of all documents with names that are linked.
SELECT document_id, list(name) FROM referents WHERE kind = 'entity' AND document_id IN (
    SELECT document_id FROM referents WHERE referent_id IN (SELECT referent_id FROM reached)
) GROUP BY document_id
