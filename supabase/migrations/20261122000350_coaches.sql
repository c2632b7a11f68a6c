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

create function public.list_coaches(
  caller jsonb,
  page_size integer default null,
  after_name text default null,
  after_id text default null
) returns json
language plpgsql volatile security definer set search_path = ''
as $$
declare
  admission constant private.admission := private.begin_admission(list_coaches.caller);
begin
  return private.end_admission(admission, case when admission.account_id is not null then
    private.list_coaches(
      admission.account_id, admission.coach_ids, list_coaches.page_size, list_coaches.after_name, list_coaches.after_id
    )
  end);
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
language plpgsql volatile security definer set search_path = ''
as $$
declare
  admission constant private.admission := private.begin_admission(get_coach.caller);
begin
  return private.end_admission(admission, case when admission.account_id is not null then
    private.get_coach(admission.account_id, admission.coach_ids, get_coach.coach_id)
  end);
end;
$$;

comment on function public.get_coach is 'Reply of GET /coaches/{coachId}; null where the caller may talk to no such coach.';

-- The expert
--
-- Only the expert behind a coach may see and change what these two guard: the coach's own user, signed in, or a server
-- with a key of the scope `expert` (user_id null), which was checked when its request was admitted. An expert has
-- inactive coaches, too.

create function private.refuse_expert(account_id uuid, coach_ids text[], coach_id text, user_id text) returns text
language plpgsql stable security invoker set search_path = '' set enable_seqscan = off
as $$
begin
  return (
    select case
      when coach.id is null then 'coach_not_found'
      when refuse_expert.user_id is not null and (coach.owner_id::text = refuse_expert.user_id) is not true then 'not_the_expert'
    end
    from (values (1)) as one
    left join public.coach_profiles as coach
      on coach.id = refuse_expert.coach_id and coach.account_id = refuse_expert.account_id
      and (refuse_expert.coach_ids is null or coach.id = any (refuse_expert.coach_ids))
  );
end;
$$;

comment on function private.refuse_expert is 'Why the caller is not the expert behind a coach: coach_not_found, not_the_expert, or null where they are.';

create function private.refuse_expert_of_thread(account_id uuid, coach_ids text[], thread_id uuid, user_id text) returns text
language plpgsql stable security invoker set search_path = '' set enable_seqscan = off
as $$
declare
  coach_id text;
  refusal text;
begin
  select thread.coach_id into coach_id from public.threads as thread where thread.id = refuse_expert_of_thread.thread_id;
  refusal := private.refuse_expert(
    refuse_expert_of_thread.account_id, refuse_expert_of_thread.coach_ids, coach_id, refuse_expert_of_thread.user_id
  );
  return case refusal when 'coach_not_found' then 'thread_not_found' else refusal end;
end;
$$;

comment on function private.refuse_expert_of_thread is 'Why the caller is not the expert of a thread: thread_not_found, not_the_expert, or null where they are.';
