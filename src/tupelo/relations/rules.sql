-- Steps from `facts` (subject, relation, object; each fact once) to `rules`, the most confident first. The names of the
-- columns of a body stand for {body}. A body of one atom has no second relation.

-- name: edges
select subject as a, object as b, relation, false as turned from facts
union all select object as a, subject as b, relation, true as turned from facts

-- name: sizes
select relation as head, count(*) as head_pairs, count(distinct subject) >= count(distinct object) as by_subject
from facts group by relation

-- name: heads
select facts.* from facts join sizes on sizes.head = facts.relation where head_pairs >= $support

-- name: instances
select head.relation as head, one.relation as first, one.turned as first_turned, '' as second, false as second_turned,
    head.subject as x, head.object as y
from heads as head join edges as one on one.a = head.subject and one.b = head.object
where one.turned or one.relation <> head.relation

-- name: instances_of_two_atoms
union all
select head.relation as head, one.relation as first, one.turned as first_turned,
    two.relation as second, two.turned as second_turned, head.subject as x, head.object as y
from heads as head join edges as one on one.a = head.subject
join edges as two on two.a = one.b and two.b = head.object

-- name: counted
select head, {body}, x, y from instances group by head, {body}, x, y

-- name: supports
select head, {body}, count(*) as support from counted group by head, {body}

-- name: candidates
select head, {body}, support, head_pairs, by_subject from supports join sizes using (head)
where support >= $support and support >= $coverage * head_pairs

-- name: pairs
select distinct one.relation as first, one.turned as first_turned, '' as second, false as second_turned,
    one.a as x, one.b as y
from edges as one
join candidates on candidates.first = one.relation and first_turned = one.turned and second = ''

-- name: pairs_of_two_atoms
union all
select distinct one.relation as first, one.turned as first_turned,
    two.relation as second, two.turned as second_turned, one.a as x, two.b as y
from edges as one join edges as two on two.a = one.b
join candidates on candidates.first = one.relation and first_turned = one.turned
    and candidates.second = two.relation and second_turned = two.turned

-- name: body_sizes
select {body}, count(*) as body_pairs from pairs group by {body}

-- name: known
select distinct relation as head, subject as thing, true as by_subject from facts
union all select distinct relation as head, object as thing, false as by_subject from facts

-- name: pca_sizes
select head, {body}, count(*) as pca_pairs
from candidates join pairs using ({body}) join known using (head, by_subject)
where thing = case when by_subject then x else y end
group by head, {body}

-- name: rules
select head, {body}, support, head_pairs, body_pairs, pca_pairs
from candidates join body_sizes using ({body}) join pca_sizes using (head, {body})
where support >= $confidence * pca_pairs
order by support / pca_pairs desc, support desc, head, {body}
