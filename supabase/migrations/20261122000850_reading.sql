-- Reading: the files of a coach and their passages, for those who may look up what an answer draws on.
-- Surprise: find_original() knows no caller, since it serves signed addresses.

-- coach_not_found, missing_scope or file_not_found; null if the caller may read the file: a server whose key has the scope
-- knowledge:read, an expert of the coach, and whoever may talk to the coach if its sources are open, on the days of the file.
create function private.refuse_reading(caller private.caller, coach_id text, found_file public.knowledge_files) returns text
language plpgsql stable security invoker set search_path = '' as $$
declare
  coach constant public.coach_profiles := private.find_coach(caller, coach_id);
  -- Not one of the people that the coach talks to.
  reads_all constant boolean := coalesce(caller.user_id is null and 'knowledge:read' = any (caller.scopes)
    or private.find_role(coach.id, caller.user_id) is not null, false);
begin
  return case
    when coach.id is null then 'coach_not_found'
    when not coalesce(reads_all or coach.is_active and coach.sources_are_open and 'chat' = any (caller.scopes), false)
      then 'missing_scope'
    when found_file.id is null
      or not reads_all and not private.is_valid_today(found_file.valid_from, found_file.valid_until) then 'file_not_found'
  end;
end $$;

-- Runs of passages under one heading, or on one page where there is none: {passages, sections}.
create function private.outline_file(file public.knowledge_files) returns jsonb
language sql stable security invoker set search_path = '' as $$
  with place as (
    select passage.position, passage.page, passage.heading,
      coalesce('h' || passage.heading, 'p' || passage.page, '') as name
    from public.passages as passage where passage.file_id = file.id
  ), marked as (
    select place.*, lag(place.name) over (order by place.position) is distinct from place.name as begins,
      count(*) over () as total
    from place
  ), section as (
    select marked.*,
      lead(marked.position, 1, marked.total::integer) over (order by marked.position) - marked.position as passages
    from marked where marked.begins order by marked.position limit 1000
  )
  select jsonb_build_object('passages', (select count(*) from place), 'sections', coalesce(jsonb_agg(jsonb_build_object(
    'heading', section.heading, 'page', section.page, 'passage_id', md5(passage.content),
    'position', section.position, 'passages', section.passages
  ) || private.describe_reading(file.category, section.heading, passage.is_recognized) order by section.position), '[]'))
  from section join public.passages as passage
    on passage.file_id = file.id and passage.position = section.position;
$$;

-- is_outlined: the whole reply; otherwise its id alone.
create function public.get_knowledge_file(caller jsonb, coach_id text, file_id uuid, is_outlined boolean) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller);
  found_file constant public.knowledge_files := private.find_file(client, coach_id, file_id);
  refusal constant text := private.refuse_reading(client, coach_id, found_file);
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  -- The error of a file is no refusal of this function: jsonb puts the size before it.
  return private.answer(client, (case
    when is_outlined then private.describe_file(found_file, null, null)::jsonb - array['score', 'snippet']
      || private.outline_file(found_file)
    else jsonb_build_object('fileId', found_file.id)
  end)::json);
end $$;
comment on function public.get_knowledge_file is 'Reply of GET /knowledge-handler/{fileId}, or {"error": "coach_not_found" | "missing_scope" | "file_not_found"}.';

-- before, after: the number of passages around it; one more of each is read, if there are any.
create function public.get_passage(
  caller jsonb, coach_id text, file_id uuid, passage_id text, before integer, after integer
) returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller);
  found_file constant public.knowledge_files := private.find_file(client, coach_id, file_id);
  refusal constant text := private.refuse_reading(client, coach_id, found_file);
  place constant integer := (
    select min(passage.position) from public.passages as passage
    where md5(passage.content) = get_passage.passage_id and passage.file_id = found_file.id
  );
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  if place is null then return private.refuse(client, 'passage_not_found'); end if;
  return private.answer(client, json_build_object(
    'file_id', found_file.id, 'filename', found_file.name, 'content_type', found_file.content_type,
    'source_url', found_file.source_url, 'fetched_at', private.to_wire_time(found_file.fetched_at), 'position', place,
    'passages', (
      select json_agg(jsonb_build_object('passage_id', md5(passage.content), 'position', passage.position,
        'page', passage.page, 'heading', passage.heading, 'content', passage.content)
        || private.describe_reading(found_file.category, passage.heading, passage.is_recognized) order by passage.position)
      from public.passages as passage
      where passage.file_id = found_file.id and passage.position between place - before - 1 and place + after + 1
    )
  ));
end $$;
comment on function public.get_passage is 'A passage among its neighbors: {file_id, filename, content_type, source_url, fetched_at, position, passages}, or {"error"} as of get_knowledge_file, or "passage_not_found".';

create function public.find_original(file_id uuid) returns json
language sql stable security definer set search_path = '' as $$
  select json_build_object('storage_path', file.storage_path, 'filename', file.name, 'content_type', file.content_type,
    'size', file.size)
  from public.knowledge_files as file where file.id = find_original.file_id;
$$;
comment on function public.find_original is 'Where the bytes of a file are, for a signed address; null if it is deleted.';
