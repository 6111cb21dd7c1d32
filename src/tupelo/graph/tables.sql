-- From `rows`, `entity_map` and `relation_map` to sentences, tuples, mentions and links. The maps say which key
-- another one stands for; a key that is in none stands for itself. Ids are those of `schema.stable_id`.

-- step: sentences
select sentence_id, document_id,
    cast(row_number() over (partition by document_id order by start_at, sentence_id) - 1 as int)
        as position,
    start_at, end_at, text
from rows where kind = 'sentence'
order by document_id, start_at, sentence_id

-- step: tuples
select tuple_id, sentence_id, position, text as relation, confidence, negated, modality, speaker,
    speech_verb, attribution, context, extractor, extractor_version, rule
from rows where kind = 'tuple'
order by sentence_id, position

-- step: mentions
select mention_id, tuple_id, position, role, text, resolved, starts, ends, entity_type,
    case when role <> 'relation' then
        substr(sha256(concat_ws(chr(31), 'entity', coalesce(e.canonical, entity_key))), 1, 24)
    end as entity_id,
    case when role = 'relation' then
        substr(sha256(concat_ws(chr(31), 'relation', coalesce(r.canonical, relation_key))), 1, 24)
    end as relation_id,
    case when role = 'relation' then coalesce(r.canonical, relation_key) end as lemma,
    document_id
from rows
left join entity_map as e on e.original = rows.entity_key
left join relation_map as r on r.original = rows.relation_key
where kind = 'mention'
order by tuple_id, position

-- step: stated
select tuple_id, sentence_id, document_id,
    substr(sha256(concat_ws(chr(31), 'entity', coalesce(s.canonical, subject_key))), 1, 24) as subject_id,
    substr(sha256(concat_ws(chr(31), 'relation', coalesce(r.canonical, relation_key))), 1, 24) as relation_id,
    substr(sha256(concat_ws(chr(31), 'entity', coalesce(o.canonical, object_key))), 1, 24) as object_id,
    coalesce(negated, false) as negated, modality, confidence,
    speaker is null and speech_verb is null and attribution is null as asserted
from rows
left join entity_map as s on s.original = rows.subject_key
left join relation_map as r on r.original = rows.relation_key
left join entity_map as o on o.original = rows.object_key
where kind = 'tuple' and subject_key is not null and object_key is not null

-- step: links
select substr(sha256(concat_ws(
        chr(31), 'edge', subject_id, relation_id, object_id,
        case when negated then 'denied' else 'said' end, coalesce(modality, '')
    )), 1, 24) as edge_id,
    tuple_id, sentence_id, document_id, subject_id, relation_id, object_id, negated, modality, confidence,
    asserted
from stated
order by edge_id, tuple_id
