-- Edges and attributes together, and the nodes that they connect: an object is an entity or a literal.

-- name: statements
CREATE VIEW statements AS
SELECT edge_id, subject_id, relation_id, object_id, negated, modality, confidence, mentions, asserted, documents,
    stance, relation FROM edges
UNION ALL
SELECT edge_id, subject_id, relation_id, literal_id, negated, modality, confidence, mentions, asserted, documents,
    stance, relation FROM attributes

-- name: nodes
CREATE VIEW nodes AS
SELECT entity_id AS node_id, name, kind FROM entities
UNION ALL
SELECT literal_id, text, kind FROM literals
