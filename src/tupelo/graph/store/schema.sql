-- Nodes that are no values, and the statements between them.

-- name: entities
CREATE VIEW entities AS SELECT * FROM nodes WHERE kind <> 'value'

-- name: edges
CREATE VIEW edges AS SELECT * FROM statements WHERE subject_kind <> 'value' AND object_kind <> 'value'
