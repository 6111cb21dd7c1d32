-- On SQLite: `records` is append-only, whoever writes to the database. The one exception: an erasure may change bodies.

create trigger records_keep_update before update of id, client_id, person, item, assignment, kind, version,
time, guidelines on records begin select raise(abort, 'records are never changed'); end

create trigger records_keep_body before update of body_json on records when not exists (select 1 from meta where
key = 'erasing') begin select raise(abort, 'records are never changed'); end

create trigger records_keep_delete before delete on records begin select raise(abort, 'records are never
deleted'); end
