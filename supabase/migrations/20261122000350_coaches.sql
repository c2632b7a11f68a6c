-- Coaches for clients: which coaches exist for a caller, and what the public sees of them. Never the instructions, the
-- owner or the model.
-- Surprise: inactive coaches are not listed, but their expert goes on working with them.

-- For how many days an account keeps threads; null: until somebody deletes them.
create function private.retention_of(account_id uuid) returns integer
language plpgsql stable security invoker set search_path = '' as $$
begin return (select account.retention_days from public.accounts as account where account.id = retention_of.account_id); end $$;

-- A coach in the JSON of the API. pictures_url: the address of the bucket of pictures. retention_days: that of its
-- account, which a list looks up once.
create function private.describe_coach(coach public.coach_profiles, pictures_url text, retention_days integer) returns json
language plpgsql stable security invoker set search_path = '' as $$
begin
  return json_build_object(
    'id', coach.id, 'name', coach.name, 'title', coach.title, 'picture_url', pictures_url || '/' || coach.picture,
    'greeting', coach.greeting, 'starters', coach.starters, 'is_ai', true, 'sources_are_open', coach.sources_are_open,
    'retention_days', retention_days
  );
end $$;

-- The coaches of a caller
--
-- Every function that takes the id of a coach from a client finds the coach, or asks who the caller is to it, here.

-- The coach with this id, if it exists for the caller; otherwise nulls.
-- Inactive coaches too: their threads stay readable, and their expert goes on working with them.
create function private.find_coach(caller private.caller, coach_id text) returns public.coach_profiles
language plpgsql stable security invoker set search_path = '' as $$
declare found_coach public.coach_profiles;
begin
  select * into found_coach from public.coach_profiles as coach
  where coach.id = find_coach.coach_id and coach.account_id = caller.account_id
    and (caller.coach_ids is null or coach.id = any (caller.coach_ids));
  return found_coach;
end $$;

-- coach_not_found, not_the_expert or role_not_sufficient; null if the caller is an expert of the coach with a role that
-- includes the needed one. An expert is a user, signed in, or a server with a key of the scope `expert` (user_id null),
-- which counts as an owner: the scope was checked when the request was admitted.
create function private.refuse_unless_expert(caller private.caller, coach_id text, needed text default 'answerer')
returns text language plpgsql stable security invoker set search_path = '' as $$
declare
  found_id constant text := (private.find_coach(caller, coach_id)).id;
  role text;
begin
  if found_id is null then return 'coach_not_found'; end if;
  if caller.user_id is null then return null; end if;
  role := private.find_role(found_id, caller.user_id);
  return case
    when role is null then 'not_the_expert' when private.includes_role(role, needed) is not true then 'role_not_sufficient'
  end;
end $$;

-- The same for the coach of a thread, with thread_not_found.
create function private.refuse_unless_expert_of_thread(caller private.caller, thread_id uuid, needed text default 'answerer')
returns text language plpgsql stable security invoker set search_path = '' as $$
declare
  coach_id constant text := (
    select thread.coach_id from public.threads as thread where thread.id = refuse_unless_expert_of_thread.thread_id
  );
begin
  return replace(private.refuse_unless_expert(caller, coach_id, needed), 'coach_not_found', 'thread_not_found');
end $$;

-- The cursor has the name and the id of a coach, each as UTF-8 in hex. page_size null: the whole list.
create function public.list_coaches(
  caller jsonb, page_size integer default null, after_name text default null, after_id text default null,
  pictures_url text default null
) returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller);
  entries private.entry[];
begin
  if not client.is_admitted then return private.answer(client); end if;
  entries := array(
    select row(private.describe_coach(coach, pictures_url, (select private.retention_of(client.account_id))),
      encode(convert_to(coach.name, 'UTF8'), 'hex') || '_' || encode(convert_to(coach.id, 'UTF8'), 'hex'))::private.entry
    from public.coach_profiles as coach
    where coach.account_id = client.account_id and coach.is_active
      and (client.coach_ids is null or coach.id = any (client.coach_ids))
      -- No name is blank: without a cursor all come after these.
      and (coach.name, coach.id) > (coalesce(list_coaches.after_name, ''), coalesce(list_coaches.after_id, ''))
    order by coach.name, coach.id limit list_coaches.page_size + 1
  );
  return private.answer(client, private.describe_entries(entries, list_coaches.page_size));
end $$;
comment on function public.list_coaches is 'Reply of GET /coaches: by name, whole or one page.';

create function public.get_coach(caller jsonb, coach_id text, pictures_url text default null) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller);
  coach constant public.coach_profiles := private.find_coach(client, coach_id);
begin
  return private.answer(client, case when coach.is_active then
    private.describe_coach(coach, pictures_url, private.retention_of(client.account_id)) end);
end $$;
comment on function public.get_coach is 'Reply of GET /coaches/{coachId}; null if the caller may talk to no such coach.';
