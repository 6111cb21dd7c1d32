-- Counts of pairs of targets and contexts. Names of the pairs that are kept are numbered by descending count, then by name.

-- name: seen
CREATE TABLE seen (target VARCHAR, context VARCHAR, seen BIGINT)

-- name: pairs
CREATE TABLE pairs AS SELECT target, context, sum(seen)::BIGINT AS seen FROM seen GROUP BY ALL;
DROP TABLE seen;
CREATE TABLE counted_target AS SELECT target AS name, sum(seen)::BIGINT AS total FROM pairs GROUP BY ALL;
CREATE TABLE counted_context AS SELECT context AS name, sum(seen)::BIGINT AS total FROM pairs GROUP BY ALL

-- name: kept
CREATE TABLE kept AS SELECT pairs.* FROM pairs
SEMI JOIN (SELECT name FROM counted_target WHERE total >= $targets) AS t ON t.name = target
SEMI JOIN (SELECT name FROM counted_context WHERE total >= $contexts) AS c ON c.name = context

-- name: numbers
CREATE TABLE numbered_target AS
SELECT name, total, (row_number() OVER (ORDER BY total DESC, name) - 1)::INTEGER AS number
FROM counted_target SEMI JOIN kept ON kept.target = name;
CREATE TABLE numbered_context AS
SELECT name, total, (row_number() OVER (ORDER BY total DESC, name) - 1)::INTEGER AS number
FROM counted_context SEMI JOIN kept ON kept.context = name

-- name: numbered
SELECT t.number AS target, c.number AS context, seen
FROM kept JOIN numbered_target AS t ON t.name = target JOIN numbered_context AS c ON c.name = context
ORDER BY ALL
