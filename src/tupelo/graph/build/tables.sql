-- From `rows`, `entity_map` and `relation_map` to the tables that are not counted. `entity_map` has the entity of every
-- referent, `relation_map` the links whose relation stands for another one, with its wording if the ends are exchanged.
-- `moved_links` are links of earlier documents whose
-- referents now are another node. Ids are those of `schema.stable_id`.

-- name: sentences
select sentence_id, document_id,
    cast(row_number() over (partition by document_id order by start_at, sentence_id) - 1 as int)
        as position,
    start_at, end_at, text
from rows where kind = 'sentence'
order by document_id, start_at, sentence_id

-- name: tuples
select tuple_id, sentence_id, position, text as relation, confidence, negated, modality, speaker,
    speech_verb, attribution, context, context_role, extractor, extractor_version, rule, stance, unlinked,
    reading as text, valid_from, valid_until, aspect
from rows where kind = 'tuple'
order by sentence_id, position

-- name: referents
select rows.referent_id, document_id, node_id, "of" as kind, text as name, label, keys, names, counts, reasons,
    probabilities, descriptions, types, place, context_names as context, times as mentions, reason, probability,
    number, unit, first_day, last_day
from rows join entity_map on entity_map.referent_id = rows.referent_id
where kind = 'referent'
order by rows.referent_id

-- name: namings
select node_id, text, cast(sum(times) as bigint) as n
from rows join entity_map on entity_map.referent_id = rows.referent_id
where kind = 'naming'
group by node_id, text

-- name: typings
select node_id, text as label, cast(sum(times) as bigint) as n
from rows join entity_map on entity_map.referent_id = rows.referent_id
where kind = 'typing'
group by node_id, text

-- name: moved_relations
select tuple_id, original, min(canonical) as canonical from relation_map group by tuple_id, original

-- name: mentions
select mention_id, rows.tuple_id, position, role, text, resolved, starts, ends, entity_type, node_id,
    case when relation_key is not null then
        substr(sha256(concat_ws(chr(31), 'relation', coalesce(canonical, relation_key))), 1, 24)
    end as relation_id,
    sentence_id, rows.referent_id
from rows
left join entity_map on entity_map.referent_id = rows.referent_id
left join moved_relations on moved_relations.tuple_id = rows.tuple_id and original = rows.relation_key
where kind = 'mention'
order by sentence_id, rows.tuple_id, position, mention_id

-- name: stated
select rows.link_id, rows.tuple_id, sentence_id, document_id,
    case when turned_wording is null then subject_ref else object_ref end as subject_ref,
    case when turned_wording is null then object_ref else subject_ref end as object_ref,
    coalesce(canonical, relation_key) as lemma, coalesce(turned_wording, text) as wording, confidence, "rank", beside,
    stance, negated, modality, valid_from, valid_until, aspect, reading
from rows
left join relation_map on relation_map.link_id = rows.link_id
where kind = 'link'
union all
select link_id, tuple_id, sentence_id, document_id, subject_ref, object_ref, lemma, wording, confidence, "rank", beside,
    stance, negated, modality, valid_from, valid_until, aspect, reading
from moved_links

-- name: property_mentions
select tuple_id, substr(sha256(concat_ws(chr(31), 'relation', coalesce(canonical, relation_key))), 1, 24) as relation_id,
    subject_ref, object_ref, property, min(property_name) as name, turned, max(confidence) as probability
from (
    select rows.tuple_id, canonical, relation_key, property, property_name, confidence,
        case when turned_wording is null then subject_ref else object_ref end as subject_ref,
        case when turned_wording is null then object_ref else subject_ref end as object_ref,
        turned <> (turned_wording is not null) as turned
    from rows
    left join relation_map on relation_map.link_id = rows.link_id
    where kind = 'property'
) as stated_properties
group by tuple_id, coalesce(canonical, relation_key), subject_ref, object_ref, property, turned
order by tuple_id, relation_id, subject_ref, property, turned

-- name: joined_links
select link_id, tuple_id, sentence_id, document_id, subject_ref, object_ref, lemma, wording, confidence, "rank", beside,
    stance, coalesce(negated, false) as negated, modality, valid_from, valid_until, aspect, reading,
    s.node_id as subject_id, o.node_id as object_id,
    substr(sha256(concat_ws(chr(31), 'relation', lemma)), 1, 24) as relation_id
from stated
join entity_map as s on s.referent_id = subject_ref
join entity_map as o on o.referent_id = object_ref

-- name: links
select substr(sha256(concat_ws(
        chr(31), 'edge', subject_id, relation_id, object_id,
        case when stance in ('asserted', 'reported') then 'said' else stance end,
        case when negated then 'denied' else '' end, coalesce(modality, '')
    )), 1, 24) as edge_id, *
from joined_links
order by edge_id, tuple_id, subject_ref, object_ref, wording

-- name: qualified
select edge_id, role, rows.text as text, node_id
from rows join links on links.link_id = rows.link_id
left join entity_map on entity_map.referent_id = rows.referent_id
where rows.kind = 'qualifier'
