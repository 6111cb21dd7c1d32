-- From mentions and links, new ones (`new_…`) and old ones that share something with them (`old_…`), to everything
-- that is counted. All sums are of whole numbers, so that no result depends on the order of rows: confidences are
-- added as evidence in millionths, and a certain tuple counts as one in a million wrong.

-- step: facts
select tuple_id, role, text, resolved, entity_type, entity_id, relation_id, lemma, document_id
from new_mentions
union all
select tuple_id, role, text, resolved, entity_type, entity_id, relation_id, lemma, document_id
from old_mentions

-- step: all_links
select * from new_links union all select * from old_links

-- step: wordings
select entity_id, coalesce(resolved, text) as text, count(*) as n
from facts where entity_id is not null group by entity_id, coalesce(resolved, text)

-- step: names
select entity_id, name, cast(sum(n) as bigint) as n
from (
    select entity_id, n, regexp_replace(regexp_replace(trim(text), '{opening}', ''), '{closing}', '')
        as name
    from wordings
)
group by entity_id, name

-- step: entity_names
select entity_id, name from (
    select entity_id, name, row_number() over (partition by entity_id order by n desc, name) as place
    from names
) where place = 1

-- step: typed
select entity_id, entity_type, count(*) as n
from facts where entity_id is not null and entity_type is not null
group by entity_id, entity_type

-- step: counted
select entity_id, count(*) as mentions, count(distinct document_id) as documents
from facts where entity_id is not null
group by entity_id

-- step: kinds
select entity_id, kind, typed from (
    select entity_id, case when entity_type in ('datetime', 'number') then 'value' else 'name' end as kind,
        sum(n) over (partition by entity_id) as typed,
        row_number() over (partition by entity_id order by n desc, entity_type) as place
    from typed
) where place = 1

-- step: entities
select counted.entity_id, name, case when 2 * typed >= mentions then kind else 'phrase' end as kind,
    mentions, documents
from counted join entity_names on entity_names.entity_id = counted.entity_id
left join kinds on kinds.entity_id = counted.entity_id
order by counted.entity_id

-- step: entity_types
select typed.entity_id, substr(sha256(concat_ws(chr(31), 'type', entity_type)), 1, 24) as type_id, n as mentions,
    round(cast(n as double) / mentions, 6) as confidence
from typed join counted on counted.entity_id = typed.entity_id
order by typed.entity_id, type_id

-- step: relation_wordings
select relation_id, lemma, text, count(*) as n
from facts where relation_id is not null
group by relation_id, lemma, text

-- step: relations
select relation_id, name, lemma, cast(mentions as bigint) as mentions, cast(0 as bigint) as edges from (
    select relation_id, case when denied then lemma else text end as name, lemma,
        sum(n) over (partition by relation_id) as mentions,
        row_number() over (partition by relation_id order by denied, n desc, text) as place
    from (select *, ({denied}) as denied from relation_wordings)
) where place = 1
order by relation_id

-- step: aliases
select owner_id, owner, text, cast(sum(n) as bigint) as mentions from (
    select entity_id as owner_id, 'entity' as owner, name as text, n from names
    union all
    select relation_id as owner_id, 'relation' as owner, text, n from relation_wordings
    union all
    select entity_id as owner_id, 'entity' as owner, text, count(*) as n from facts
    where entity_id is not null and resolved is not null and lower(text) not in ({pronouns})
    group by entity_id, text
)
group by owner_id, owner, text
order by owner_id, text

-- step: edges
select edge_id, subject_id, relation_id, object_id, negated, modality,
    round(1 - exp(-sum(evidence) / 1000000.0), 6) as confidence,
    cast(sum(mentions) as bigint) as mentions, cast(sum(asserted) as bigint) as asserted,
    count(*) as documents
from (
    select edge_id, subject_id, relation_id, object_id, negated, modality, document_id,
        max(cast(round(-1000000 * ln(1 - least(coalesce(confidence, 1.0), 0.999999))) as bigint)) as evidence,
        count(*) as mentions,
        sum(case when asserted then 1 else 0 end) as asserted
    from all_links
    group by edge_id, subject_id, relation_id, object_id, negated, modality, document_id
)
group by edge_id, subject_id, relation_id, object_id, negated, modality
order by edge_id

-- step: qualifiers
select all_links.edge_id, role, text, min(entity_id) as entity_id, count(*) as mentions
from facts join all_links on all_links.tuple_id = facts.tuple_id
where role in ('time', 'location', 'argument')
group by all_links.edge_id, role, text
order by edge_id, role, text
