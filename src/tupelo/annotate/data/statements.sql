-- Frequent statements by name. Rows that are locked for an update are so on PostgreSQL alone: SQLite has one writer.

-- name: append_record
insert into records (client_id, person, item, assignment, kind, version, time, guidelines, body_json)
values (:client_id, :person, :item, :assignment, :kind, :version, :time, :guidelines, :body)

-- name: earlier_record
select kind, body_json from records where person = :person and client_id = :client_id

-- name: session
select people.id, people.name, people.role, people.state, sessions.csrf
from sessions join people on people.id = sessions.person
where sessions.token_hash = :token and sessions.expires > :now and people.active

-- name: item
select * from items where id = :number

-- name: assignment
select * from assignments where id = :number

-- name: own_assignment
select * from assignments where id = :number and person = :person for update

-- name: assignment_of_item
select id from assignments where item = :item and person = :person

-- name: held_assignment
/* returned work comes first */
select * from assignments where person = :person and state in ('returned', 'leased')
order by state desc, id limit 1 for update

-- name: held_assignments
select id, item from assignments where person = :person and state in ('leased', 'returned') for update

-- name: expired_assignments
select id, item from assignments where state = 'leased' and lease_until < :now
order by lease_until limit 100 for update skip locked

-- name: items_had
select state, (select count(*) from assignments where person = people.id and state <> 'expired') as had
from people where id = :person for update

-- name: open_item
/* `control` is compared, so that the index of open items is used and finished ones are not scanned;
   a person whose lease expired may get the item again */
select id, name, control, suggestion_json is not null as has_suggestion from items
where control = false and open > 0 and not exists (
  select 1 from assignments mine where mine.item = items.id and mine.person = :person and mine.state <> 'expired')
order by id limit 1 for update skip locked

-- name: open_control
select id, name, control, suggestion_json is not null as has_suggestion from items
where control = true and open > 0 and not exists (
  select 1 from assignments mine where mine.item = items.id and mine.person = :person and mine.state <> 'expired')
order by id limit 1

-- name: may_come_back
/* items that others hold and that this person could still get */
select 1 from items join assignments on assignments.item = items.id
where assignments.state = 'leased' and not items.control and not exists (
  select 1 from assignments mine where mine.item = items.id and mine.person = :person and mine.state <> 'expired')
limit 1

-- name: lease
insert into assignments
  (item, person, batch, state, version, lease_until, created, changed, suggested, draft_number)
values (:item, :person, :batch, 'leased', 0, :until, :now, :now, :suggested, 0) returning *

-- name: lease_again
update assignments set state = 'leased', lease_until = :until, batch = :batch, changed = :now
where id = :number returning *

-- name: extend_lease
update assignments set lease_until = :until where id = :number

-- name: release
update assignments set state = :state, lease_until = null, batch = null, changed = :now where id = :number

-- name: save_draft
update assignments set draft_json = :draft, draft_number = :kept where id = :number

-- name: submit
update assignments set state = 'submitted', version = :version, lease_until = null, changed = :now,
  seconds = :seconds, sent_json = :sent, answer_json = :answer, draft_json = null
where id = :number returning batch

-- name: give_place
update items set open = open + 1 where id = :item and not control

-- name: take_place
update items set open = open - 1 where id = :item

-- name: retake_place
update items set open = case when control then open else open - 1 end where id = :item and open > 0
returning control

-- name: open_batch
/* with `room` only a batch that is not full */
select * from batches where person = :person and state = 'open'
and (not :room or (select count(*) from assignments where batch = batches.id) < size) order by id limit 1

-- name: shown_batch
/* a control belongs to no batch; it shows the person's current one */
select id, done, size, round from batches
where person = :person and (id = :batch or cast(:batch as bigint) is null) order by id desc limit 1

-- name: sampled_answers
select id from assignments where batch = :batch and state = 'submitted' order by id

-- name: begun_check
select id from checks where batch = :batch and round = :round and reviewer is not null limit 1

-- name: held_check
select checks.* from checks join batches on batches.id = checks.batch and batches.round = checks.round
where batches.state = 'in-review' and checks.is_right is null and batches.person <> :reviewer
and checks.reviewer = :reviewer order by checks.id limit 1

-- name: free_check
select checks.* from checks join batches on batches.id = checks.batch and batches.round = checks.round
where batches.state = 'in-review' and checks.is_right is null and batches.person <> :reviewer
and (checks.reviewer is null or checks.lease_until < :now) and not exists (
  select 1 from checks mine where mine.assignment = checks.assignment and mine.round = checks.round
  and mine.reviewer = :reviewer)
order by checks.id limit 1 for update of checks skip locked

-- name: waiting_checks
select count(*) from checks where batch = :batch and round = :round and is_right is null

-- name: checks_of_round
select count(*) as sample, count(is_right) as checked from checks where batch = :batch and round = :round

-- name: sampled_wrong
select assignment, max(case when is_right then 0 else 1 end) from checks
where batch = :batch and round = :round group by assignment

-- name: objections
select assignment, comment from checks where batch = :batch and round = :round and not is_right order by id

-- name: list_batches
select batches.*, people.name, (select count(*) from checks
    where checks.batch = batches.id and checks.round = batches.round) as sample, (select count(is_right) from checks
    where checks.batch = batches.id and checks.round = batches.round) as checked
from batches join people on people.id = batches.person
where batches.state = :state or cast(:state as text) is null order by batches.id desc

-- name: count_answer
update batches set done = done + 1 where id = :number returning *
