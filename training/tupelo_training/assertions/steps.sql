-- Steps 9 and 10 of Levy and Dagan (2016). In `aggregated` every row is another pair of arguments.

-- name: aggregated
select subject, relation, object, cast(sum(count) as bigint) as count
from assertions group by subject, relation, object

-- name: lasting_relations
select relation from aggregated group by relation having count(*) >= $min_pairs

-- name: kept
select aggregated.subject, aggregated.relation, aggregated.object, aggregated.count
from aggregated join lasting_relations on aggregated.relation = lasting_relations.relation
order by aggregated.relation, aggregated.subject, aggregated.object

-- name: figures
select count(*) as assertions, cast(coalesce(sum(count), 0) as bigint) as appearances,
    count(distinct relation) as relations
from kept
