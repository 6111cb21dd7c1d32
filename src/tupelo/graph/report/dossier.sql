-- name: cited
SELECT source, title, cited.sentence_id, cited.position, cited.text, coalesce(earlier.text, ''),
    coalesce(later.text, '')
FROM sentences AS cited JOIN documents USING (document_id)
LEFT JOIN sentences AS earlier
    ON earlier.document_id = cited.document_id AND earlier.position = cited.position - 1
LEFT JOIN sentences AS later ON later.document_id = cited.document_id AND later.position = cited.position + 1
WHERE cited.sentence_id IN (SELECT unnest(?))
ORDER BY cited.document_id, cited.position
