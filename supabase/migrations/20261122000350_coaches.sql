-- What clients see of coaches: whom they may talk to, and how a conversation may begin. Never the instructions, the
-- owner or the model.
-- Surprises: an inactive coach and one that the key is not bound to do not exist here.

create function private.describe_coach(coach public.coach_profiles) returns json
language sql stable security invoker set search_path = ''
return json_build_object(
  'id', coach.id,
  'name', coach.name,
  'title', coach.title,
  'greeting', coach.greeting,
  'starters', coach.starters,
  'is_ai', true
);

comment on function private.describe_coach is 'A coach in the JSON of the API.';

-- A cursor is <name>_<id> of the last row of a page, each as UTF-8 in hex. page_size null: the whole list.
create function private.list_coaches(
  account_id uuid,
  coach_ids text[],
  page_size integer,
  after_name text,
  after_id text
) returns json
language plpgsql stable security invoker set search_path = ''
-- However many coaches there are, a page is read from its place in the index on.
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off
as $$
declare
  coaches json;
  total bigint;
  next_cursor text;
begin
  select
    json_agg(private.describe_coach(coach.profile)) filter (where (coach.place > list_coaches.page_size) is not true),
    least(count(*), list_coaches.page_size),
    case when count(*) > list_coaches.page_size then
      max(encode(convert_to((coach.profile).name, 'UTF8'), 'hex') || '_' || encode(convert_to((coach.profile).id, 'UTF8'), 'hex'))
        filter (where coach.place = list_coaches.page_size)
    end
  into coaches, total, next_cursor
  from (
    select candidate as profile, row_number() over (order by candidate.name, candidate.id) as place
    from public.coach_profiles as candidate
    where candidate.account_id = list_coaches.account_id
      and candidate.is_active
      and (list_coaches.coach_ids is null or candidate.id = any (list_coaches.coach_ids))
      -- No name is blank: without a cursor all come after these.
      and (candidate.name, candidate.id) > (coalesce(list_coaches.after_name, ''), coalesce(list_coaches.after_id, ''))
    order by candidate.name, candidate.id
    -- One more than the page tells whether there is another.
    limit list_coaches.page_size + 1
  ) as coach;

  if list_coaches.page_size is null then
    return json_build_object('data', coalesce(coaches, '[]'), 'count', total);
  end if;
  return json_build_object('data', coalesce(coaches, '[]'), 'count', total, 'next_cursor', next_cursor);
end;
$$;

comment on function private.list_coaches is 'What public.list_coaches() does for an account.';

create function public.list_coaches(caller jsonb, page_size integer default null, after_name text default null,
  after_id text default null) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare client constant private.caller := private.admit(caller);
begin
  return private.answer(client, case when client.is_admitted then
    private.list_coaches(client.account_id, client.coach_ids, page_size, after_name, after_id) end);
end;
$$;

comment on function public.list_coaches is 'Reply of GET /coaches: by name, whole or one page.';

create function private.get_coach(account_id uuid, coach_ids text[], coach_id text) returns json
language sql stable security invoker set search_path = '' set enable_seqscan = off
return (
  select private.describe_coach(coach)
  from public.coach_profiles as coach
  where coach.id = get_coach.coach_id
    and coach.account_id = get_coach.account_id
    and coach.is_active
    and (get_coach.coach_ids is null or coach.id = any (get_coach.coach_ids))
);

comment on function private.get_coach is 'What public.get_coach() does for an account.';

create function public.get_coach(caller jsonb, coach_id text) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare client constant private.caller := private.admit(caller);
begin
  return private.answer(client, case when client.is_admitted then
    private.get_coach(client.account_id, client.coach_ids, coach_id) end);
end;
$$;

comment on function public.get_coach is 'Reply of GET /coaches/{coachId}; null where the caller may talk to no such coach.';

-- The coaches of a caller
--
-- Every function that takes the id of a coach from a client finds the coach, or asks who the caller is to it, here.

-- Inactive coaches too: their threads stay readable, and their expert goes on working with them.
create function private.find_coach(caller private.caller, coach_id text) returns public.coach_profiles
language plpgsql stable security invoker set search_path = '' set enable_seqscan = off
as $$
declare
  found_coach public.coach_profiles;
begin
  select * into found_coach from public.coach_profiles as coach
  where coach.id = find_coach.coach_id
    and coach.account_id = caller.account_id
    and (caller.coach_ids is null or coach.id = any (caller.coach_ids));
  return found_coach;
end;
$$;

comment on function private.find_coach is 'The coach with this id, if it exists for the caller; otherwise nulls.';

-- The expert of a coach is its own user, signed in, or a server with a key of the scope `expert` (user_id null): the
-- scope was checked when the request was admitted.
create function private.refuse_unless_expert(caller private.caller, coach_id text) returns text
language plpgsql stable security invoker set search_path = ''
as $$
declare
  coach constant public.coach_profiles := private.find_coach(caller, coach_id);
begin
  return case
    when coach.id is null then 'coach_not_found'
    when caller.user_id is not null and (coach.owner_id::text = caller.user_id) is not true then 'not_the_expert'
  end;
end;
$$;

comment on function private.refuse_unless_expert is 'coach_not_found or not_the_expert; null if the caller is the expert of the coach.';

create function private.refuse_unless_expert_of_thread(caller private.caller, thread_id uuid) returns text
language plpgsql stable security invoker set search_path = '' set enable_seqscan = off
as $$
declare
  coach_id constant text := (
    select thread.coach_id from public.threads as thread where thread.id = refuse_unless_expert_of_thread.thread_id
  );
begin
  return replace(private.refuse_unless_expert(caller, coach_id), 'coach_not_found', 'thread_not_found');
end;
$$;

comment on function private.refuse_unless_expert_of_thread is 'thread_not_found or not_the_expert; null if the caller is the expert of the thread.';

create function private.refuse_expert(account_id uuid, coach_ids text[], coach_id text, user_id text) returns text
language plpgsql stable security invoker set search_path = ''
as $$
begin
  return private.refuse_unless_expert(private.caller_of(account_id, user_id, coach_ids), coach_id);
end;
$$;

comment on function private.refuse_expert is 'As refuse_unless_expert(), for functions that have no caller yet.';

create function private.refuse_expert_of_thread(account_id uuid, coach_ids text[], thread_id uuid, user_id text) returns text
language plpgsql stable security invoker set search_path = ''
as $$
begin
  return private.refuse_unless_expert_of_thread(private.caller_of(account_id, user_id, coach_ids), thread_id);
end;
$$;

comment on function private.refuse_expert_of_thread is 'As refuse_unless_expert_of_thread(), for functions that have no caller yet.';
