-- On PostgreSQL: `records` is append-only, whoever writes to the database. The one exception: an erasure may change bodies.

create function records_are_kept() returns trigger language plpgsql as $$ begin raise exception 'records are
never changed or deleted'; end $$

create function bodies_are_kept() returns trigger language plpgsql as $$ begin if not exists (select 1 from meta
where key = 'erasing') then raise exception 'records are never changed or deleted'; end if; return null; end $$

create trigger records_keep before delete or truncate or update of id, client_id, person, item, assignment,
kind, version, time, guidelines on records for each statement execute function records_are_kept()

create trigger records_keep_body before update of body_json on records for each statement execute function
bodies_are_kept()
