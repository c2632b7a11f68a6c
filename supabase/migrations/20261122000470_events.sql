-- Events: what has changed in threads and coaches, for those who watch. They name things and hold no contents.
-- Table: private.events. Function: record_event, called by everything that changes what somebody may watch.
-- Surprises: the table is not logged, so that an event costs next to nothing: a crash of the server loses the events of
-- its last minutes, and readers who come back read anew. The sweep deletes events that are older than ten minutes.

create unlogged table private.events (
  id bigint generated always as identity primary key,
  -- No references: events outlive what they name by minutes at most, and must not hold up who deletes it.
  account_id uuid not null,
  coach_id text not null,
  thread_id uuid,
  message_id uuid,
  question_id uuid,
  kind text not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint events_kind_is_known check (kind in (
    'message.begun', 'message.completed', 'feedback.up', 'feedback.down', 'feedback.removed',
    'takeover.begun', 'takeover.released', 'takeover.expired', 'thread.needs_expert', 'question.opened'
  ))
);

comment on table private.events is 'What has changed in the last minutes: ids, never contents.';
comment on column private.events.id is 'Orders the events, nearly: one with a smaller id may become visible a little later.';
comment on column private.events.account_id is 'The account of the coach.';
comment on column private.events.coach_id is 'The coach it is about.';
comment on column private.events.thread_id is 'The thread it is about; null: none.';
comment on column private.events.message_id is 'The message it is about; null: none.';
comment on column private.events.question_id is 'The open question it is about; null: none.';
comment on column private.events.kind is 'What has happened.';
comment on column private.events.created_at is 'When it happened.';

-- Readers of a thread.
create index events_by_thread on private.events (thread_id, id);
-- Readers of all that is about a coach.
create index events_by_coach on private.events (coach_id, id);

alter table private.events enable row level security;

create policy "Only the functions of this schema reach events" on private.events
  for all to anon, authenticated using (false) with check (false);

create function private.record_event(
  kind text, account_id uuid, coach_id text, thread_id uuid, message_id uuid default null, question_id uuid default null
) returns void
language plpgsql volatile security invoker set search_path = ''
as $$
begin
  insert into private.events (kind, account_id, coach_id, thread_id, message_id, question_id)
  values (record_event.kind, record_event.account_id, record_event.coach_id, record_event.thread_id,
    record_event.message_id, record_event.question_id);
end;
$$;

comment on function private.record_event is 'Tells those who watch a thread or a coach that something has changed.';
revoke execute on function private.record_event from public;
