-- Coaches for clients: which coaches exist for a caller, and what the public sees of them. Never the instructions, the
-- owner or the model.
-- Table: private.coach_slugs, the names of coaches in addresses, also of those that are gone.
-- Surprises: inactive coaches are not listed, but their expert goes on working with them. A deleted coach exists for nobody,
-- and the sweep erases it (see retention). A name that has once led to a coach leads to it for good, or to nobody.

create table private.coach_slugs (
  digest text primary key,
  coach_id text references public.coach_profiles (id) on update cascade on delete set null deferrable initially deferred
);
comment on table private.coach_slugs is 'The slugs that coaches have or had. Nobody else gets them, also when the coach is gone.';
comment on column private.coach_slugs.digest is 'SHA-256 of the slug, in hex: the slug itself goes with its coach.';
comment on column private.coach_slugs.coach_id is 'The coach to which it leads; null: it is gone.';

-- Deleting a coach looks for its slugs.
create index coach_slugs_by_coach on private.coach_slugs (coach_id);

create function private.digest_slug(slug text) returns text language sql immutable security invoker set search_path = ''
return encode(sha256(convert_to(slug, 'UTF8')), 'hex');

-- Whether a text can be a slug: 3 to 40 of a-z, 0-9 and -, no UUID, and neither a word of our addresses nor the name of a
-- file or folder beside the pages.
create function private.is_slug(slug text) returns boolean language sql immutable security invoker set search_path = ''
return slug ~ '^[a-z0-9][a-z0-9-]{1,38}[a-z0-9]$' and slug !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
  and slug <> all (array['invitations', 'desk', 'oauth', 'consent', 'index', 'page', 'icon', 'icon-unread', 'human-chat',
    'human-desk', 'human-consent', 'human-chat-launcher', 'manifest', 'robots', 'sitemap', 'favicon', 'vercel', 'headers', 'assets',
    'functions', 'auth', 'rest', 'storage', 'realtime', 'docs', 'mails', 'api', 'www', 'admin', 'privacy', 'well-known']);

-- Makes a slug lead to a coach; false if it is somebody else's, was of one who is gone, or is the ID of a coach.
-- One at a time: whoever waits for a name holds none that others wait for.
create function private.take_slug(coach_id text, slug text) returns boolean
language plpgsql volatile security invoker set search_path = '' as $$
declare own_digest constant text := private.digest_slug(take_slug.slug);
begin
  perform pg_advisory_xact_lock(hashtextextended('slugs', 0));
  if exists (select from public.coach_profiles as coach where coach.id = take_slug.slug and coach.id <> take_slug.coach_id) then
    return false;
  end if;
  insert into private.coach_slugs (digest, coach_id) values (own_digest, coach_id) on conflict do nothing;
  return exists (
    select from private.coach_slugs as taken where taken.digest = own_digest and taken.coach_id = take_slug.coach_id
  );
end $$;

-- Names a coach that becomes active for the first time: its own name in the letters of addresses, with a number if others
-- have it.
-- Definer: service_role may make coaches, but has no rights on the private schema.
create function private.name_coach() returns trigger language plpgsql volatile security definer set search_path = '' as $$
declare
  plain constant text := translate(replace(replace(replace(lower(normalize(new.name, nfkd)), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'øłđı', 'oldi');
  named constant text := btrim(left(btrim(regexp_replace(
    regexp_replace(plain, '[\u0300-\u036f]', '', 'g'), '[^a-z0-9]+', '-', 'g'), '-'), 33), '-');
  base constant text := case when private.is_slug(named) then named else btrim(left('persona-' || named, 33), '-') end;
  tried text := base;
begin
  for number in 2..100 loop
    if private.take_slug(new.id, tried) then
      new.slug := tried;
      return new;
    end if;
    tried := base || '-' || case when number < 10 then number::text else left(gen_random_uuid()::text, 6) end;
  end loop;
  raise exception using errcode = 'PT409', message = 'No slug is free for a coach of this name';
end $$;
create trigger coach_profiles_name before insert or update on public.coach_profiles
  for each row when (new.is_active and new.slug is null) execute function private.name_coach();

-- An ID must not be the slug of another coach: an ID wins.
-- Definer: as name_coach().
create function private.refuse_id_of_slug() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  if exists (select from private.coach_slugs as taken
    where taken.digest = private.digest_slug(new.id) and taken.coach_id <> new.id) then
    raise exception using errcode = 'PT409', message = 'This coach id is taken';
  end if;
  return new;
end $$;
create trigger coach_profiles_check_id before insert or update of id on public.coach_profiles
  for each row execute function private.refuse_id_of_slug();

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
    'retention_days', retention_days, 'slug', coach.slug, 'accent_color', coach.accent_color,
    'launcher_text', coach.launcher_text
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
  where coach.id = find_coach.coach_id and coach.account_id = caller.account_id and coach.deleted_at is null
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
  if caller.is_change then perform private.act_as(caller); end if;
  if caller.user_id is null then return null; end if;
  role := private.find_role(found_id, caller.user_id);
  return case
    when role is null then 'not_the_expert' when private.includes_role(role, needed) is not true then 'role_not_sufficient'
  end;
end $$;

-- coach_not_found or coach_paused; null if people may talk to a coach. Only one that was published has a slug.
create function private.refuse_inactive(coach public.coach_profiles) returns text
language plpgsql immutable security invoker set search_path = '' as $$
begin
  return case when coach.is_active then null when coach.slug is not null then 'coach_paused' else 'coach_not_found' end;
end $$;

-- The same for the coach of a thread, with thread_not_found.
create function private.refuse_unless_expert_of_thread(caller private.caller, thread_id uuid, needed text default 'answerer')
returns text language plpgsql stable security invoker set search_path = '' as $$
declare
  coach_id constant text := (
    select thread.coach_id from public.threads as thread where thread.id = refuse_unless_expert_of_thread.thread_id
  );
begin return replace(private.refuse_unless_expert(caller, coach_id, needed), 'coach_not_found', 'thread_not_found'); end $$;

-- The cursor has the name and the id of a coach, each as UTF-8 in hex. page_size null: the whole list.
create function public.list_coaches(
  caller jsonb, page_size integer default null, after_name text default null, after_id text default null,
  pictures_url text default null
) returns json language plpgsql volatile security definer set search_path = '' as $$
declare client constant private.caller := private.admit(caller);
begin
  if not client.is_admitted then return private.answer(client); end if;
  return private.answer(client, private.describe_entries(array(
    select row(private.describe_coach(coach, pictures_url, (select private.retention_of(client.account_id))),
      encode(convert_to(coach.name, 'UTF8'), 'hex') || '_' || encode(convert_to(coach.id, 'UTF8'), 'hex'))::private.entry
    from public.coach_profiles as coach
    where coach.account_id = client.account_id and coach.is_active
      and (client.coach_ids is null or coach.id = any (client.coach_ids))
      -- No name is blank: without a cursor all come after these.
      and (coach.name, coach.id) > (coalesce(list_coaches.after_name, ''), coalesce(list_coaches.after_id, ''))
    order by coach.name, coach.id limit list_coaches.page_size + 1
  ), list_coaches.page_size));
end $$;
comment on function public.list_coaches is 'Reply of GET /coaches: by name, whole or one page.';

-- tells_by_mail: whether this service sends mails to people who ask.
create function public.get_coach(caller jsonb, coach_id text, pictures_url text default null,
  tells_by_mail boolean default false) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller);
  coach constant public.coach_profiles := private.find_coach(client, coach_id);
  refusal constant text := private.refuse_inactive(coach);
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  return private.answer(client, (
    private.describe_coach(coach, pictures_url, private.retention_of(client.account_id))::jsonb
      || jsonb_build_object('usual_reply_hours', private.usual_reply_hours(coach), 'tells_by_mail', tells_by_mail)
  )::json);
end $$;
comment on function public.get_coach is 'Reply of GET /coaches/{coachId}, or {error} if the caller may talk to no such coach.';

-- The id of the coach that a slug leads to, or that has it as its id; null: none. The only function that knows slugs.
create function public.find_coach_id(name text) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return coalesce((select coach.id from public.coach_profiles as coach where coach.id = find_coach_id.name),
    (select taken.coach_id from private.coach_slugs as taken
      where taken.digest = private.digest_slug(find_coach_id.name)));
end $$;
comment on function public.find_coach_id is 'The id of a coach by its id or one of its slugs, of whatever account: others look whether the caller may reach it.';

-- Settings

-- changes: some of what an owner sets at once, besides what is published; the color and the text may be null. Null: the
-- settings are only read, by editors as well.
create function public.save_settings(caller jsonb, user_id text, coach_id text, changes jsonb default null) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id, is_change => changes is not null);
  needed constant text := case when changes is null then 'editor' else 'owner' end;
  refusal text := private.refuse_unless_expert(client, coach_id, needed);
  coach public.coach_profiles := private.find_coach(client, coach_id);
  wanted public.coach_profiles;
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  if changes is not null then
    coach := private.lock_coach(coach_id);
    wanted := jsonb_populate_record(coach, changes);
    refusal := case
      when coach.deleted_at is not null then 'coach_not_found'
      when coach.slug is null and wanted.is_active then 'not_published'
      when wanted.slug is not distinct from coach.slug then null
      when coach.slug is null then 'not_published'
      when not private.is_slug(wanted.slug) then 'slug_not_valid'
      when coach.slug_changes >= 10 then 'too_many_slugs'
      when not private.take_slug(coach.id, wanted.slug) then 'slug_taken'
    end;
    if refusal is not null then return private.refuse(client, refusal); end if;
    update public.coach_profiles as known
    set slug = wanted.slug, slug_changes = coach.slug_changes + (wanted.slug <> coach.slug)::integer,
      is_active = wanted.is_active, sources_are_open = wanted.sources_are_open, accent_color = wanted.accent_color,
      launcher_text = wanted.launcher_text, set_at = clock_timestamp()
    where known.id = coach.id returning * into coach;
  end if;
  return private.answer(client, json_build_object('slug', coach.slug, 'is_active', coach.is_active,
    'sources_are_open', coach.sources_are_open, 'accent_color', coach.accent_color,
    'launcher_text', coach.launcher_text));
end $$;
comment on function public.save_settings is 'Returns the settings of a coach, after changes of some, or {"error": "not_published" | "slug_not_valid" | "slug_taken" | "too_many_slugs"}.';

-- Deleting

-- confirm: the published name.
create function public.delete_coach(caller jsonb, user_id text, coach_id text, confirm text) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id, is_change => true);
  refusal text := private.refuse_unless_expert(client, coach_id, 'owner');
  coach public.coach_profiles;
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  coach := private.lock_coach(coach_id);
  refusal := case when coach.deleted_at is not null then 'coach_not_found' when confirm is distinct from coach.name then 'not_confirmed' end;
  if refusal is not null then return private.refuse(client, refusal); end if;
  update public.coach_profiles as known set deleted_at = now(), is_active = false, set_at = clock_timestamp() where known.id = coach.id;
  return private.answer(client, json_build_object('id', coach.id));
end $$;
comment on function public.delete_coach is 'Deletes a coach, which the sweep erases: {"id"}, or {"error": "not_confirmed"}.';

-- Making

-- Makes an unpublished coach. Nobody can talk to it until it is published.
create function private.make_coach(account_id uuid, name text, title text, instructions text, language text)
returns public.coach_profiles language plpgsql volatile security invoker set search_path = '' as $$
declare made public.coach_profiles;
begin
  insert into public.coach_profiles as coach (account_id, name, title, instructions, language, is_active) values (
    make_coach.account_id, make_coach.name, make_coach.title, make_coach.instructions, make_coach.language, false
  ) returning * into made;
  return made;
end $$;

-- Whose owner makes it, becomes its owner.
create function public.make_own_coach(caller jsonb, user_id text, name text, instructions text, language text,
  pictures_url text) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id, is_change => true);
  expert_id constant uuid := private.to_auth_id(client.user_id);
  owned integer;
  made public.coach_profiles;
  refusal text;
begin
  if not client.is_admitted then return private.answer(client); end if;
  -- One after the other: they are counted.
  perform pg_advisory_xact_lock(hashtextextended('coaches of ' || client.account_id || client.user_id, 0));
  select count(*) into owned from public.coach_experts as expert
  join public.coach_profiles as coach on coach.id = expert.coach_id and coach.deleted_at is null
  where expert.user_id = expert_id and expert.account_id = client.account_id and expert.role = 'owner';
  refusal := case
    when private.is_bound(client) or client.is_anonymous or owned = 0 or not (
      select account.experts_may_create from public.accounts as account where account.id = client.account_id
    ) then 'may_not_create'
    when owned >= 20 then 'too_many_coaches'
  end;
  if refusal is not null then return private.refuse(client, refusal); end if;
  perform private.act_as(client);
  made := private.make_coach(client.account_id, name, name, instructions, language);
  insert into public.coach_experts (coach_id, account_id, user_id, role) values (made.id, client.account_id, expert_id, 'owner');
  return private.answer(client, (private.describe_coach(made, pictures_url, private.retention_of(client.account_id))::jsonb
    || '{"role": "owner", "is_active": false}')::json);
end $$;
comment on function public.make_own_coach is 'Makes an unpublished coach of a signed-in owner, or {"error": "may_not_create" | "too_many_coaches"}.';
