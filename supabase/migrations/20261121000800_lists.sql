-- Lists: the replies of the two list endpoints, built here as the JSON that clients receive.
-- One JSON value is not cut at max_rows, so a list is whole however long it is.
-- A cursor is <microseconds since 1970>_<tie-breaker> of the last row of a page.

create function public.list_threads(
  account_id uuid,
  user_id text,
  coach_id text default null,
  page_size integer default null,
  after_at bigint default null,
  after_id uuid default null
) returns json
language plpgsql stable security invoker set search_path = ''
as $$
declare
  after_updated_at constant timestamptz := timestamptz 'epoch' + list_threads.after_at * interval '1 microsecond';
  threads json;
  total bigint;
  next_cursor text;
begin
  with found as (
    select thread.*, coach.name as coach_name, coach.title as coach_title
    from public.threads as thread
    join public.coach_profiles as coach on coach.id = thread.coach_id
    where thread.account_id = list_threads.account_id
      and thread.user_id = list_threads.user_id
      and (list_threads.coach_id is null or thread.coach_id = list_threads.coach_id)
      and (after_updated_at is null or (thread.updated_at, thread.id) < (after_updated_at, list_threads.after_id))
    order by thread.updated_at desc, thread.id desc
    -- One more than the page tells whether there is another.
    limit list_threads.page_size + 1
  ), page as (
    select * from found order by updated_at desc, id desc limit list_threads.page_size
  )
  select
    json_agg(json_build_object(
      'id', page.id,
      'title', page.title,
      'created_at', to_char(page.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'updated_at', to_char(page.updated_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'coach_id', page.coach_id,
      'user_id', page.user_id,
      'coach_profiles', json_build_object('name', page.coach_name, 'title', page.coach_title)
    ) order by page.updated_at desc, page.id desc),
    count(*),
    case when (select count(*) from found) > list_threads.page_size then
      (array_agg((extract(epoch from page.updated_at) * 1000000)::bigint || '_' || page.id order by page.updated_at, page.id))[1]
    end
  into threads, total, next_cursor
  from page;

  if list_threads.page_size is null then
    return json_build_object('data', coalesce(threads, '[]'), 'count', total);
  end if;
  return json_build_object('data', coalesce(threads, '[]'), 'count', total, 'next_cursor', next_cursor);
end;
$$;

comment on function public.list_threads(uuid, text, text, integer, bigint, uuid)
  is 'Reply of GET /users/{userId}/threads: newest first, whole or one page.';
revoke execute on function public.list_threads(uuid, text, text, integer, bigint, uuid) from public, anon, authenticated;
grant execute on function public.list_threads(uuid, text, text, integer, bigint, uuid) to service_role;

-- Null when the thread does not exist for the caller. When answers have lost their writer, the reply is
-- {"abandoned": [{message_id, response_id, content}]} instead, unless skip_abandoned says to list what is there.
-- user_id null: the key alone reads, and may read any thread of its account.
create function public.list_messages(
  account_id uuid,
  thread_id uuid,
  user_id text default null,
  page_size integer default null,
  after_at bigint default null,
  after_sequence bigint default null,
  skip_abandoned boolean default false
) returns json
language plpgsql stable security invoker set search_path = ''
as $$
declare
  after_created_at constant timestamptz := timestamptz 'epoch' + list_messages.after_at * interval '1 microsecond';
  abandoned json;
  messages json;
  total bigint;
  next_cursor text;
begin
  if not exists (
    select from public.threads as thread
    where thread.id = list_messages.thread_id
      and thread.account_id = list_messages.account_id
      and (list_messages.user_id is null or thread.user_id = list_messages.user_id)
  ) then
    return null;
  end if;

  select
    count(*) filter (where message.role = 'user' or message.content <> ''),
    json_agg(json_build_object('message_id', message.id, 'response_id', message.response_id, 'content', message.content))
      filter (where message.status = 'streaming' and message.updated_at < now() - interval '30 seconds')
  into total, abandoned
  from public.messages as message
  where message.thread_id = list_messages.thread_id and message.role in ('user', 'assistant');

  if abandoned is not null and not list_messages.skip_abandoned then
    return json_build_object('abandoned', abandoned);
  end if;

  with found as (
    select message.*
    from public.messages as message
    where message.thread_id = list_messages.thread_id
      and (message.role = 'user' or message.role = 'assistant' and message.content <> '')
      and (after_created_at is null or (message.created_at, message.sequence) > (after_created_at, list_messages.after_sequence))
    order by message.created_at, message.sequence
    -- One more than the page tells whether there is another.
    limit list_messages.page_size + 1
  ), page as (
    select * from found order by created_at, sequence limit list_messages.page_size
  )
  select
    json_agg(json_build_object(
      'id', page.id,
      'thread_id', page.thread_id,
      'content', page.content,
      'role', page.role,
      'response_id', page.response_id,
      'created_at', to_char(page.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    ) order by page.created_at, page.sequence),
    case when (select count(*) from found) > list_messages.page_size then
      (array_agg((extract(epoch from page.created_at) * 1000000)::bigint || '_' || page.sequence order by page.created_at desc, page.sequence desc))[1]
    end
  into messages, next_cursor
  from page;

  if list_messages.page_size is null then
    return json_build_object('data', coalesce(messages, '[]'), 'count', total);
  end if;
  return json_build_object('data', coalesce(messages, '[]'), 'count', total, 'next_cursor', next_cursor);
end;
$$;

comment on function public.list_messages(uuid, uuid, text, integer, bigint, bigint, boolean)
  is 'Reply of GET /threads/{threadId}/messages: oldest first, whole or one page; null for an unknown thread.';
revoke execute on function public.list_messages(uuid, uuid, text, integer, bigint, bigint, boolean) from public, anon, authenticated;
grant execute on function public.list_messages(uuid, uuid, text, integer, bigint, bigint, boolean) to service_role;
