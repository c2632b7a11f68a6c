-- Events: what has changed in threads and coaches, for those who watch. They name things and hold no contents.
-- Table: private.events. Where Supabase Realtime exists, a trigger broadcasts the same ids.
-- Surprises: the table is not logged, so that an event costs next to nothing: a crash of the server loses the events of
-- its last minutes. The sweep deletes events that are older than ten minutes.
-- An event becomes visible when its transaction ends, at most eight seconds after it was written. So readers start ten
-- seconds before the last event that they know, and skip those that they have.

-- A domain: Postgres reads a check of a table with each insert, which would cost more than the rest of it.
create domain private.event_kind as text constraint event_kind_is_known check (value in (
  'message.begun', 'message.completed', 'feedback.up', 'feedback.down', 'feedback.removed',
  'takeover.begun', 'takeover.released', 'takeover.expired', 'thread.needs_expert', 'question.opened',
  'question.closed', 'request.opened', 'request.seen', 'request.answered', 'request.withdrawn', 'thread.changed',
  'typing.user', 'typing.expert'
));

create unlogged table private.events (
  id bigint generated always as identity primary key,
  -- No references: events outlive what they name by minutes at most, and must not hold up who deletes it.
  account_id uuid not null,
  coach_id text not null,
  thread_id uuid,
  message_id uuid,
  question_id uuid,
  expert_id uuid,
  kind private.event_kind not null,
  created_at timestamptz not null default clock_timestamp(),
  kept_until timestamptz not null default clock_timestamp() + interval '10 minutes'
);
comment on table private.events is 'What has changed in the last minutes: ids, never contents.';
comment on column private.events.thread_id is 'The thread it is about; null: none.';
comment on column private.events.message_id is 'The message it is about; null: none.';
comment on column private.events.question_id is 'The open question it is about; null: none.';
comment on column private.events.expert_id is 'The expert who is typing; null: nobody.';
comment on column private.events.kind is 'What has happened.';
comment on column private.events.kept_until is 'When the sweep deletes it: a column of its own, so that readers never go by time alone.';

-- Readers of a thread.
create index events_by_thread on private.events (thread_id, created_at);
-- Readers of all that is about a coach.
create index events_by_coach on private.events (coach_id, created_at);
-- The sweep deletes the oldest.
create index events_by_end on private.events (kept_until);

-- Tells those who watch a thread or a coach that something has changed, and the webhook of the account where an expert
-- should hear of it.
create function private.record_event(
  kind text, account_id uuid, coach_id text, thread_id uuid, message_id uuid default null, question_id uuid default null,
  expert_id uuid default null
) returns void language plpgsql volatile security invoker set search_path = '' as $$
begin
  insert into private.events (kind, account_id, coach_id, thread_id, message_id, question_id, expert_id)
  values (record_event.kind, record_event.account_id, record_event.coach_id, record_event.thread_id,
    record_event.message_id, record_event.question_id, record_event.expert_id);
  -- Checked here: most events are of turns, which need no webhook.
  if record_event.kind in ('question.opened', 'thread.needs_expert', 'feedback.down', 'takeover.expired', 'request.opened',
    'request.withdrawn') then
    perform private.enqueue_webhook(record_event.kind, record_event.account_id, record_event.coach_id,
      record_event.thread_id, record_event.message_id, record_event.question_id);
  end if;
end $$;

-- Deletes events that nobody reads any more, at most 10,000.
create function private.delete_old_events() returns void
language plpgsql volatile security invoker set search_path = '' as $$
begin
  delete from private.events as event
  where event.id = any (array(
    select old.id from private.events as old where old.kept_until <= now() order by old.kept_until limit 10000
    for update skip locked
  ));
end $$;

-- Deletes what has happened in threads that are deleted, and what waits to tell a webhook of it.
create function private.delete_events(thread_ids uuid[]) returns void
language plpgsql volatile security invoker set search_path = '' as $$
begin
  delete from private.events as event where event.thread_id = any (delete_events.thread_ids);
  delete from private.webhook_messages as message
  where message.data ->> 'thread_id' = any (delete_events.thread_ids::text[]);
end $$;

-- Watching

-- A time in microseconds since 1970, as cursors have it.
create function private.to_microseconds(at timestamptz) returns bigint
language plpgsql stable security invoker set search_path = '' as $$
begin return (extract(epoch from to_microseconds.at) * 1000000)::bigint; end $$;

-- What is told of an event: ids, never contents, and of an expert who is typing the name that people see.
create function private.describe_event(event private.events) returns json
language plpgsql stable security invoker set search_path = '' as $$
begin
  return json_strip_nulls(json_build_object(
    'thread_id', event.thread_id, 'message_id', event.message_id, 'question_id', event.question_id,
    'name', case when event.kind = 'typing.expert' then (
      select private.describe_face(coach, event.expert_id, null)->>'name'
      from public.coach_profiles as coach where coach.id = event.coach_id
    ) end,
    'at', private.to_wire_time(event.created_at)
  ));
end $$;

-- What has happened after a moment in a thread, or with a coach: [{id, at, kind, data}] in the order of time.
-- since: in microseconds since 1970. The newest thousand at most; with more of them, the first of the
-- list is null: the reader has missed some.
create function private.list_events(thread_id uuid, coach_id text, since bigint) returns json
language plpgsql stable security invoker set search_path = ''
-- Whatever the statistics say, no index in another order is read from end to end.
set enable_sort = off as $$
declare after constant timestamptz := timestamptz 'epoch' + list_events.since * interval '1 microsecond';
begin
  return (
    select coalesce(json_agg(
      case when listed.place <= 1000 then json_build_object(
        'id', listed.id, 'at', private.to_microseconds(listed.created_at), 'kind', listed.kind,
        'data', private.describe_event(listed.whole)
      ) end
      order by listed.created_at, listed.id
    ), '[]')
    from (
      select found.*, row_number() over (order by found.created_at desc, found.id desc) as place
      from (
        -- Only one of the two is read. Open questions, and what experts note down, are between the coach and its experts.
        (
          select *, event as whole from private.events as event
          where event.thread_id = list_events.thread_id and event.created_at > after and event.question_id is null
            and event.kind <> 'thread.changed'
          order by event.created_at desc limit 1001
        )
        union all
        (
          select *, event as whole from private.events as event
          where event.coach_id = list_events.coach_id and event.created_at > after
          order by event.created_at desc limit 1001
        )
      ) as found
      -- Somebody who was typing a while ago has stopped.
      where found.kind not like 'typing.%' or found.created_at > clock_timestamp() - interval '5 seconds'
    ) as listed
  );
end $$;

-- From when on a reader who was here at a moment has to read: what happened before it was visible then.
-- In microseconds since 1970. The only place that names the ten seconds.
create function private.read_again_since(at timestamptz) returns bigint
language plpgsql stable security invoker set search_path = '' as $$
begin return private.to_microseconds(read_again_since.at - interval '10 seconds'); end $$;

-- after: the time of the last event that the reader has seen; null: there is none.
-- The result is {since: where to read on next time, is_late: whether events after that moment may be deleted, events}.
create function private.begin_watch(thread_id uuid, coach_id text, after bigint) returns json
language plpgsql stable security invoker set search_path = '' as $$
declare
  seen_at constant timestamptz := timestamptz 'epoch' + begin_watch.after * interval '1 microsecond';
  is_late constant boolean := coalesce(seen_at not between now() - interval '9 minutes' and now(), false);
begin
  return json_build_object(
    'since', private.read_again_since(now()), 'is_late', is_late,
    'events', private.list_events(
      begin_watch.thread_id, begin_watch.coach_id,
      private.read_again_since(case when is_late then now() else coalesce(seen_at, now()) end)
    )
  );
end $$;

-- A thread is watched by those who may read it: its user, the expert of its coach, and a key alone.
create function public.watch_thread(caller jsonb, thread_id uuid, user_id text default null, after bigint default null)
returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id);
  thread constant public.threads := private.find_thread(client, thread_id, with_expert => true);
begin
  if thread.id is null then return private.refuse(client, 'thread_not_found'); end if;
  return private.answer(client, (private.begin_watch(thread.id, null, after)::jsonb || jsonb_build_object(
    'state', jsonb_strip_nulls(jsonb_build_object(
      'updated_at', private.to_wire_time(thread.updated_at),
      'active_message_id', private.find_active_answer(thread.id, thread.settled_until),
      'handled_by', case when private.is_taken_over(thread.taken_over_until) then 'expert' else 'ai' end
    ))
  ))::json);
end $$;
comment on function public.watch_thread is 'Begins a stream of what happens in a thread: {since, is_late, events, state}, or an error.';

-- Tells the other side that the thread's user or, signed in, an expert is typing; a key that acts alone speaks for the
-- user. Once in two seconds, as long as little else happens.
create function public.tell_typing(caller jsonb, user_id text, thread_id uuid) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id);
  thread constant public.threads := private.find_thread(client, tell_typing.thread_id, with_expert => true);
  expert_id constant uuid := case when client.user_id <> thread.user_id then private.to_auth_id(client.user_id) end;
  told constant text := case when client.user_id <> thread.user_id then 'typing.expert' else 'typing.user' end;
begin
  if thread.id is null then return private.refuse(client, 'thread_not_found'); end if;
  if not exists (
    select from (
      select * from private.events as event
      where event.thread_id = thread.id order by event.created_at desc limit 5
    ) as latest
    where latest.kind = told and latest.created_at > clock_timestamp() - interval '2 seconds'
  ) then
    perform private.record_event(told, thread.account_id, thread.coach_id, thread.id, expert_id => expert_id);
  end if;
  return private.answer(client, json_build_object('thread_id', thread.id));
end $$;
comment on function public.tell_typing is 'Tells those who watch a thread that its user or an expert is typing: {thread_id}, or an error.';

create function public.watch_coach(caller jsonb, coach_id text, user_id text default null, after bigint default null)
returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id);
  refusal constant text := private.refuse_unless_expert(client, coach_id);
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  return private.answer(client, private.begin_watch(null, coach_id, after));
end $$;
comment on function public.watch_coach is 'Begins a stream of what happens with a coach: {since, is_late, events}, or an error.';

-- readers: [{account_id, api_key_id, user_id, thread_id or coach_id}]. They were admitted before.
-- The result is {since: from when on to read next time, events: for each reader, or null where it may watch no longer}.
create function public.read_events(readers jsonb, since bigint) returns json
language plpgsql stable security definer set search_path = '' as $$
begin
  return json_build_object(
    'since', private.read_again_since(now()),
    'events', (
      select coalesce(json_agg(
        case when exists (
          select from private.api_keys as api_key
          where api_key.id = reader.api_key_id and api_key.revoked_at is null
            and (api_key.expires_at is null or api_key.expires_at > now())
        ) and (
          (private.find_thread(client, reader.thread_id, with_expert => true)).id is not null
          or reader.coach_id is not null and private.refuse_unless_expert(client, reader.coach_id) is null
        ) then private.list_events(reader.thread_id, reader.coach_id, read_events.since) end
        order by reader.ordinality
      ), '[]')
      from rows from (
        jsonb_to_recordset(read_events.readers) as (account_id uuid, api_key_id uuid, user_id text, thread_id uuid,
          coach_id text)
      ) with ordinality as reader
      cross join lateral private.caller_of(
        account_id, user_id, private.reachable_coaches(account_id, null)) as client
    )
  );
end $$;
comment on function public.read_events is 'What has happened since a moment, for all readers of a process in one call.';

-- Realtime
--
-- Hosted projects have Supabase Realtime: what is recorded is also broadcast, on the private topics `thread:<id>` and
-- `coach:<id>`. Realtime asks the policies of realtime.messages once, when a user joins a topic.

-- Whether the signed-in user may hear what is broadcast on a topic. A policy calls its functions as the user who joins:
-- hence the grant below. Nobody can call this by its name, since nobody has the use of its schema.
-- Definer: users have no rights on threads and coaches.
create function private.may_join(topic text) returns boolean
language plpgsql stable security definer set search_path = '' as $$
declare
  signed_in_id constant uuid := (select auth.uid());
  topic_id uuid;
begin
  if signed_in_id is null then return false; end if;
  -- An app that has the user's consent reaches the MCP server alone.
  if (select auth.jwt() ->> 'client_id') is not null then return false; end if;
  -- Ids of coaches are any text.
  if may_join.topic like 'coach:%' then
    return exists (
      select from public.coach_experts as expert
      where expert.coach_id = substr(may_join.topic, length('coach:') + 1) and expert.user_id = signed_in_id
    );
  end if;
  topic_id := substring(may_join.topic from '^thread:([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$');
  return exists (
    select from public.threads as thread
    where thread.id = topic_id and (thread.user_id = signed_in_id::text or exists (
      select from public.coach_experts as expert
      where expert.coach_id = thread.coach_id and expert.user_id = signed_in_id
    ))
  );
end $$;

-- Tells those who listen to Supabase Realtime what has happened.
-- Realtime makes the partition of a day when somebody connects. Without it, nobody listens, and each message would only
-- raise a warning.
-- Whatever becomes of the broadcast, the event is recorded, and with it what has happened.
create function private.broadcast_event() returns trigger
language plpgsql volatile security invoker set search_path = '' as $$
declare payload jsonb;
begin
  if to_regclass('realtime.messages_' || to_char(now() at time zone 'utc', 'YYYY_MM_DD')) is null then return null; end if;
  payload := private.describe_event(new)::jsonb;
  perform realtime.send(payload, new.kind, 'coach:' || new.coach_id, true);
  if new.thread_id is not null and new.question_id is null and new.kind <> 'thread.changed' then
    perform realtime.send(payload, new.kind, 'thread:' || new.thread_id, true);
  end if;
  return null;
exception when others then
  raise warning 'An event was not broadcast: %', sqlerrm;
  return null;
end $$;

do $$
begin
  if to_regprocedure('realtime.send(jsonb, text, text, boolean)') is not null then
    create trigger events_broadcast after insert on private.events
      for each row execute function private.broadcast_event();
    grant execute on function private.may_join to authenticated;
    create policy "Users hear of their threads, experts also of their coaches"
      on realtime.messages for select to authenticated
      using (realtime.messages.extension = 'broadcast' and private.may_join((select realtime.topic())));
  end if;
end $$;
