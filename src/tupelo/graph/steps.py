"""The graph as SQL: every table that follows from the rows of its tuples. Text only; an engine runs it.

Written in DuckDB's dialect with nothing that Spark lacks. All sums are of
whole numbers, so that no result depends on the order in which rows come:
confidences are added as evidence in millionths.
"""

from __future__ import annotations

from tupelo.core.stages import Step
from tupelo.nlp.languages.en.prepositions import ARGUMENT_PREPOSITIONS
from tupelo.nlp.languages.en.pronouns import EMPHATIC_PRONOUNS, UNNAMING_PRONOUNS

ENTITY_KINDS = "case when entity_type in ('datetime', 'number') then 'value' else 'name' end"
# A certain tuple counts as one in a million wrong.
_EVIDENCE = "cast(round(-1000000 * ln(1 - least(coalesce(confidence, 1.0), 0.999999))) as bigint)"
_PRONOUNS = ", ".join(f"'{word}'" for word in sorted(UNNAMING_PRONOUNS))

# A relation is not called by a wording that denies it: the edge says whether it is denied.
_DENIED = " or ".join(f"concat(' ', lower(text), ' ') like '% {word} %'" for word in ("not", "n''t", "n’t", "never"))


# What a name begins with that does not belong to it. Both engines know this much of regular expressions.
_OPENING = f"^(?i:(?:{'|'.join(sorted(ARGUMENT_PREPOSITIONS))}) +)?(?i:(?:the|a|an) +)?"


_CLOSING = f" +(?i:{'|'.join(sorted(EMPHATIC_PRONOUNS))})$"


def _id(*parts: str) -> str:
    """`schema.stable_id` in SQL."""
    return f"substr(sha256(concat_ws(chr(31), {', '.join(parts)})), 1, 24)"


def table_steps() -> list[Step]:
    """From `rows`, `entity_map` and `relation_map` to sentences, tuples, mentions and links.

    The maps say which key another one stands for; a key that is in none stands for itself.
    """
    return [
        Step(
            "sentences",
            """
            select sentence_id, document_id,
                cast(row_number() over (partition by document_id order by start_at, sentence_id) - 1 as int)
                    as position,
                start_at, end_at, text
            from rows where kind = 'sentence'
            order by document_id, start_at, sentence_id
            """,
        ),
        Step(
            "tuples",
            """
            select tuple_id, sentence_id, position, text as relation, confidence, negated, modality, speaker,
                speech_verb, attribution, context, extractor, extractor_version, rule
            from rows where kind = 'tuple'
            order by sentence_id, position
            """,
        ),
        Step(
            "mentions",
            f"""
            select mention_id, tuple_id, position, role, text, resolved, starts, ends, entity_type,
                case when role <> 'relation' then {_id("'entity'", "coalesce(e.canonical, entity_key)")} end
                    as entity_id,
                case when role = 'relation' then {_id("'relation'", "coalesce(r.canonical, relation_key)")} end
                    as relation_id,
                case when role = 'relation' then coalesce(r.canonical, relation_key) end as lemma,
                document_id
            from rows
            left join entity_map as e on e.original = rows.entity_key
            left join relation_map as r on r.original = rows.relation_key
            where kind = 'mention'
            order by tuple_id, position
            """,
        ),
        Step(
            "stated",
            f"""
            select tuple_id, sentence_id, document_id,
                {_id("'entity'", "coalesce(s.canonical, subject_key)")} as subject_id,
                {_id("'relation'", "coalesce(r.canonical, relation_key)")} as relation_id,
                {_id("'entity'", "coalesce(o.canonical, object_key)")} as object_id,
                coalesce(negated, false) as negated, modality, confidence,
                speaker is null and speech_verb is null and attribution is null as asserted
            from rows
            left join entity_map as s on s.original = rows.subject_key
            left join relation_map as r on r.original = rows.relation_key
            left join entity_map as o on o.original = rows.object_key
            where kind = 'tuple' and subject_key is not null and object_key is not null
            """,
        ),
        Step(
            "links",
            f"""
            select {
                _id(
                    "'edge'",
                    "subject_id",
                    "relation_id",
                    "object_id",
                    "case when negated then 'denied' else 'said' end",
                    "coalesce(modality, '')",
                )
            } as edge_id,
                tuple_id, sentence_id, document_id, subject_id, relation_id, object_id, negated, modality, confidence,
                asserted
            from stated
            order by edge_id, tuple_id
            """,
        ),
    ]


TABLES = ("sentences", "tuples", "mentions", "links")


def aggregate_steps() -> list[Step]:
    """From `mentions` and `links`, new ones (`new_…`) and old ones that share something with them (`old_…`)."""
    columns = "tuple_id, role, text, resolved, entity_type, entity_id, relation_id, lemma, document_id"
    return [
        Step("facts", f"select {columns} from new_mentions union all select {columns} from old_mentions"),
        Step("all_links", "select * from new_links union all select * from old_links"),
        Step(
            "wordings",
            """
            select entity_id, coalesce(resolved, text) as text, count(*) as n
            from facts where entity_id is not null group by entity_id, coalesce(resolved, text)
            """,
        ),
        Step(
            "names",
            f"""
            select entity_id, name, cast(sum(n) as bigint) as n
            from (
                select entity_id, n, regexp_replace(regexp_replace(trim(text), '{_OPENING}', ''), '{_CLOSING}', '')
                    as name
                from wordings
            )
            group by entity_id, name
            """,
        ),
        Step(
            "entity_names",
            """
            select entity_id, name from (
                select entity_id, name, row_number() over (partition by entity_id order by n desc, name) as place
                from names
            ) where place = 1
            """,
        ),
        Step(
            "typed",
            "select entity_id, entity_type, count(*) as n from facts "
            "where entity_id is not null and entity_type is not null group by entity_id, entity_type",
        ),
        Step(
            "counted",
            "select entity_id, count(*) as mentions, count(distinct document_id) as documents from facts "
            "where entity_id is not null group by entity_id",
        ),
        Step(
            "kinds",
            f"""
            select entity_id, kind, typed from (
                select entity_id, {ENTITY_KINDS} as kind, sum(n) over (partition by entity_id) as typed,
                    row_number() over (partition by entity_id order by n desc, entity_type) as place
                from typed
            ) where place = 1
            """,
        ),
        Step(
            "entities",
            """
            select counted.entity_id, name, case when 2 * typed >= mentions then kind else 'phrase' end as kind,
                mentions, documents
            from counted join entity_names on entity_names.entity_id = counted.entity_id
            left join kinds on kinds.entity_id = counted.entity_id
            order by counted.entity_id
            """,
        ),
        Step(
            "entity_types",
            f"""
            select typed.entity_id, {_id("'type'", "entity_type")} as type_id, n as mentions,
                round(cast(n as double) / mentions, 6) as confidence
            from typed join counted on counted.entity_id = typed.entity_id
            order by typed.entity_id, type_id
            """,
        ),
        Step(
            "relation_wordings",
            "select relation_id, lemma, text, count(*) as n from facts where relation_id is not null "
            "group by relation_id, lemma, text",
        ),
        Step(
            "relations",
            f"""
            select relation_id, name, lemma, cast(mentions as bigint) as mentions, cast(0 as bigint) as edges from (
                select relation_id, case when denied then lemma else text end as name, lemma,
                    sum(n) over (partition by relation_id) as mentions,
                    row_number() over (partition by relation_id order by denied, n desc, text) as place
                from (select *, ({_DENIED}) as denied from relation_wordings)
            ) where place = 1
            order by relation_id
            """,
        ),
        Step(
            "aliases",
            f"""
            select owner_id, owner, text, cast(sum(n) as bigint) as mentions from (
                select entity_id as owner_id, 'entity' as owner, name as text, n from names
                union all
                select relation_id as owner_id, 'relation' as owner, text, n from relation_wordings
                union all
                select entity_id as owner_id, 'entity' as owner, text, count(*) as n from facts
                where entity_id is not null and resolved is not null and lower(text) not in ({_PRONOUNS})
                group by entity_id, text
            )
            group by owner_id, owner, text
            order by owner_id, text
            """,
        ),
        Step(
            "edges",
            f"""
            select edge_id, subject_id, relation_id, object_id, negated, modality,
                round(1 - exp(-sum(evidence) / 1000000.0), 6) as confidence,
                cast(sum(mentions) as bigint) as mentions, cast(sum(asserted) as bigint) as asserted,
                count(*) as documents
            from (
                select edge_id, subject_id, relation_id, object_id, negated, modality, document_id,
                    max({_EVIDENCE}) as evidence, count(*) as mentions,
                    sum(case when asserted then 1 else 0 end) as asserted
                from all_links
                group by edge_id, subject_id, relation_id, object_id, negated, modality, document_id
            )
            group by edge_id, subject_id, relation_id, object_id, negated, modality
            order by edge_id
            """,
        ),
        Step(
            "qualifiers",
            """
            select all_links.edge_id, role, text, min(entity_id) as entity_id, count(*) as mentions
            from facts join all_links on all_links.tuple_id = facts.tuple_id
            where role in ('time', 'location', 'argument')
            group by all_links.edge_id, role, text
            order by edge_id, role, text
            """,
        ),
    ]


AGGREGATES = ("entities", "entity_types", "relations", "aliases", "edges", "qualifiers")
