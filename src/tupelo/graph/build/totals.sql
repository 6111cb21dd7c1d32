-- From what is new (`new_…`) and old rows that share something with it (`old_…`) to everything that is counted. All sums
-- are of whole numbers, so that no result depends on the order of rows: confidences are added as evidence in
-- millionths, and a certain tuple counts as one in a million wrong.

-- name: all_referents
-- Names and types come from referents with a full name (`in_full` are their mentions) rather than from shorter forms.
select node_id, document_id, kind, name, label, mentions as n, number, unit, first_day, last_day,
    case when reason in ('short name', 'acronym', 'initials', 'nickname') then 0 else mentions end as in_full
from (
    select node_id, document_id, kind, name, label, mentions, number, unit, first_day, last_day, reason
    from new_referents
    union all
    select node_id, document_id, kind, name, label, mentions, number, unit, first_day, last_day, reason
    from old_referents
)

-- name: end_kinds
select node_id, min(kind) as kind from (
    select node_id, kind from all_referents union all select node_id, kind from old_kinds
) group by node_id

-- name: all_namings
select node_id, text, n from new_namings union all select node_id, text, n from old_namings

-- name: all_typings
select node_id, label, n from all_referents where label <> '' and kind <> 'value'
union all
select node_id, label, n from new_typings
union all
select node_id, label, n from old_typings

-- name: all_links
select edge_id, tuple_id, document_id, subject_ref, object_ref, relation_id, wording, confidence, "rank", stance, negated,
    modality, subject_id, object_id, valid_from, valid_until, aspect, reading
from new_links
union all
select edge_id, tuple_id, document_id, subject_ref, object_ref, relation_id, wording, confidence, "rank", stance, negated,
    modality, subject_id, object_id, valid_from, valid_until, aspect, reading
from old_links

-- name: all_qualified
select edge_id, role, text, node_id from new_qualified
union all
select edge_id, role, text, node_id from old_qualified

-- name: entity_names
select node_id, name from (
    select node_id, name, row_number() over (
        partition by node_id order by sum(in_full) desc, sum(n) desc, length(name) desc, name
    ) as place
    from all_referents group by node_id, name
) where place = 1

-- name: node_labels
select node_id, label from (
    select node_id, label, row_number() over (
        partition by node_id order by sum(in_full) desc, sum(n) desc, label
    ) as place
    from all_referents group by node_id, label
) where place = 1

-- name: counted
select node_id, cast(sum(n) as bigint) as mentions, count(distinct document_id) as documents, min(kind) as kind,
    min(number) as number, min(unit) as unit, min(first_day) as first_day, min(last_day) as last_day
from all_referents group by node_id

-- name: nodes
select counted.node_id, name, kind, label, mentions, documents, number, unit, first_day, last_day
from counted join entity_names on entity_names.node_id = counted.node_id
join node_labels on node_labels.node_id = counted.node_id
order by counted.node_id

-- name: entity_types
select typed.node_id, substr(sha256(concat_ws(chr(31), 'type', label)), 1, 24) as type_id, n as mentions,
    round(cast(n as double) / mentions, 6) as confidence
from (
    select node_id, label, cast(sum(n) as bigint) as n from all_typings group by node_id, label
) as typed
join counted on counted.node_id = typed.node_id
order by typed.node_id, type_id

-- name: relation_wordings
select relation_id, lemma, wording, cast(sum(n) as bigint) as n from (
    select relation_id, lemma, wording, count(*) as n from new_links group by relation_id, lemma, wording
    union all
    select relation_id, lemma, wording, n from old_wordings
)
group by relation_id, lemma, wording

-- name: relations
select relation_id, name, lemma, cast(mentions as bigint) as mentions, cast(0 as bigint) as edges from (
    select relation_id, wording as name, lemma, sum(n) over (partition by relation_id) as mentions,
        row_number() over (partition by relation_id order by n desc, wording) as place
    from relation_wordings
) where place = 1
order by relation_id

-- name: aliases
select owner_id, owner, text, cast(sum(n) as bigint) as mentions from (
    select node_id as owner_id, 'entity' as owner, text, n from all_namings
    union all
    select node_id as owner_id, 'entity' as owner, name as text, cast(0 as bigint) as n from nodes where kind <> 'value'
    union all
    select relation_id as owner_id, 'relation' as owner, wording as text, n from relation_wordings
)
group by owner_id, owner, text
order by owner_id, text

-- name: edge_wordings
select edge_id, wording from (
    select edge_id, wording, row_number() over (partition by edge_id order by count(*) desc, wording) as place
    from all_links group by edge_id, wording
) where place = 1

-- name: edge_texts
select edge_id, reading as text from (
    select edge_id, reading, row_number() over (
        partition by edge_id order by "rank" desc, confidence desc, reading
    ) as place
    from all_links
) where place = 1

-- name: all_statements
select edge_id, subject_id, relation_id, object_id, negated, modality, said,
    round(1 - exp(-sum(evidence) / 1000000.0), 6) as confidence, max("rank") as "rank",
    cast(sum(mentions) as bigint) as mentions, cast(sum(asserted) as bigint) as asserted,
    count(*) as documents, min(valid_from) as valid_from, max(valid_until) as valid_until, min(aspect) as aspect
from (
    select edge_id, subject_id, relation_id, object_id, negated, modality, document_id,
        min(valid_from) as valid_from, max(valid_until || '~') as valid_until, min(aspect) as aspect,
        max(case when stance in ('asserted', 'reported') then 'said' else stance end) as said,
        max(cast(round(-1000000 * ln(1 - least(coalesce(confidence, 1.0), 0.999999))) as bigint)) as evidence,
        max(coalesce("rank", 0.5)) as "rank", count(distinct tuple_id) as mentions,
        count(distinct case when stance = 'asserted' then tuple_id end) as asserted
    from all_links
    group by edge_id, subject_id, relation_id, object_id, negated, modality, document_id
)
group by edge_id, subject_id, relation_id, object_id, negated, modality, said

-- name: statements
select all_statements.edge_id, subject_id, relation_id, object_id, s.kind as subject_kind, o.kind as object_kind,
    negated, modality, confidence, "rank", all_statements.mentions, asserted, all_statements.documents,
    case when said <> 'said' then said when asserted > 0 then 'asserted' else 'reported' end as stance,
    wording as relation, text, valid_from, replace(valid_until, '~', '') as valid_until, aspect
from all_statements join edge_wordings on edge_wordings.edge_id = all_statements.edge_id
join edge_texts on edge_texts.edge_id = all_statements.edge_id
join end_kinds as s on s.node_id = subject_id join end_kinds as o on o.node_id = object_id
order by all_statements.edge_id

-- name: qualifiers
select edge_id, role, text, min(node_id) as node_id, count(*) as mentions
from all_qualified
group by edge_id, role, text
order by edge_id, role, text

-- name: all_property_mentions
select tuple_id, relation_id, subject_ref, object_ref, property, name, turned, probability from new_property_mentions
union all
select tuple_id, relation_id, subject_ref, object_ref, property, name, turned, probability from old_property_mentions

-- name: properties
select edge_id, property, name, turned, probability from (
    select edge_id, property, min(name) as name, turned, max(probability) as probability,
        row_number() over (partition by edge_id, property order by max(probability) desc, turned) as place
    from all_property_mentions as said join all_links
    on all_links.tuple_id = said.tuple_id and all_links.relation_id = said.relation_id
        and all_links.subject_ref = said.subject_ref and all_links.object_ref = said.object_ref
    group by edge_id, property, turned
) where place = 1
order by edge_id, property
