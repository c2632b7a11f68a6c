-- Contradictions: passages of two files of a coach that say something else about the same thing, as notes for the
-- expert. They block nothing, and change no answer until the expert says which of the two counts.
-- Tables, all private: comparisons (files that are to be compared with the others), contradictions.
-- A file is compared when it has been read, read again, or replaced. A sweep takes some of its passages with those of other files
-- that are near them; code looks for statements that differ, a model is asked whether they contradict each other, and
-- save_comparison() keeps what is left. A claim expires as that of a file does, and the next worker goes on at the
-- position.
-- Surprises: a note names passages by their text, as barred passages are named, so that it survives that a file is read
-- again. It is only shown while both files have the passage and answers may draw on it. Notes go with either file. A
-- settled note stays as long as both files do, so that the same two statements are not noted again. So does what a model
-- has denied, which nobody is shown: it is not asked again.

create table private.comparisons (
  file_id uuid primary key references public.knowledge_files (id) on delete cascade,
  position integer not null default 0,
  asked integer not null default 0,
  attempts integer not null default 0,
  claim uuid,
  due_at timestamptz not null default now()
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200);
comment on table private.comparisons is 'Files whose passages are to be compared with those of the other files of their coach.';
comment on column private.comparisons.position is 'The passage with which the next step begins.';
comment on column private.comparisons.asked is 'How often a model was asked about the file.';

-- The sweep takes what is due, longest due first.
create index comparisons_by_due_time on private.comparisons (due_at);

create table private.contradictions (
  id uuid primary key default gen_random_uuid(),
  number bigint generated always as identity,
  coach_id text not null references public.coach_profiles (id) on update cascade on delete cascade,
  file_id uuid not null references public.knowledge_files (id) on delete cascade,
  passage_id text not null,
  other_file_id uuid not null references public.knowledge_files (id) on delete cascade,
  other_passage_id text not null,
  statements jsonb not null,
  is_confirmed boolean not null,
  found_at timestamptz not null default now(),
  settled_at timestamptz,
  constraint contradictions_number_is_unique unique (coach_id, number),
  constraint contradictions_are_between_two_files check (file_id <> other_file_id),
  constraint contradictions_statements_are_a_list check (jsonb_typeof(statements) = 'array')
);
comment on table private.contradictions is 'Passages of two files that say something else about the same thing.';
comment on column private.contradictions.id is 'The contradictionId of the API.';
comment on column private.contradictions.file_id is 'The file that was compared.';
comment on column private.contradictions.passage_id is 'md5 of the text of its passage.';
comment on column private.contradictions.other_file_id is 'The other file.';
comment on column private.contradictions.other_passage_id is 'md5 of the text of its passage.';
comment on column private.contradictions.statements is 'What differs, as it stands in the passages: [{kind, one, other}].';
comment on column private.contradictions.is_confirmed is 'Whether a model has found that they contradict each other.';
comment on column private.contradictions.found_at is 'When it was found.';
comment on column private.contradictions.settled_at is 'When an expert said what counts, or a model that both can be right; null: not yet.';

-- The list of a coach, the newest first. Deleting or moving a coach uses the index of the numbers.
create index contradictions_by_coach on private.contradictions (coach_id, number desc) where settled_at is null;
-- What is known of a file, and what is deleted with it.
create index contradictions_by_file on private.contradictions (file_id);
-- The same of the other file.
create index contradictions_by_other_file on private.contradictions (other_file_id);

-- Has a file compared that was read or dated, as soon as answers may draw on it: on other days it is near nothing.
-- Definer: service_role may change files, but has no rights on the private schema.
create function private.queue_comparison() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.comparisons (file_id, due_at)
  values (new.id, greatest(now(), new.valid_from::timestamp at time zone 'utc'))
  on conflict (file_id) do update set position = 0, asked = 0, attempts = 0, claim = null, due_at = excluded.due_at;
  return null;
end $$;
create trigger knowledge_files_queue_comparison after update of status, number, valid_from on public.knowledge_files
  for each row
  when (new.status = 'ready' and new.replaces is null
    and (old.status <> 'ready' or old.number <> new.number or old.valid_from is distinct from new.valid_from))
  execute function private.queue_comparison();

-- The passages of other files that are near one, by its words and its meaning, nearest first. Barred ones are left out.
create function private.find_near_passages(passage public.passages, own_number integer) returns integer[]
language plpgsql stable security invoker set search_path = '' as $$
declare
  -- By words, and again by meaning. The text of a passage begins with its own file, and others come after it.
  most constant integer := 5;
  vector constant text := (
    select json_build_object('model', stored.model, 'vector', stored.embedding::text)::text
    from private.passage_embeddings as stored where stored.passage_id = passage.id
  );
begin
  return array(
    select candidate.id from (
      (select ranked.passage_id, row_number() over (order by ranked.score desc, ranked.passage_id) as place
      from private.rank_passages(passage.coach_id,
        array[left(concat_ws(E'\n', passage.heading, passage.content), 2000)], '{1}', category => null, file_count => 0) as ranked
      where ranked.file_number <> own_number order by place limit most)
      union all
      (select found.passage_id, row_number() over (order by found.place)
      from private.rank_by_meaning(passage.coach_id, vector, category => null, how_many => 30, is_quoting => true) as found
      cross join lateral (select other.file_id from public.passages as other where other.id = found.passage_id offset 0) as other
      where other.file_id <> passage.file_id order by found.place limit most)
    ) as near
    cross join lateral (select * from public.passages as each where each.id = near.passage_id offset 0) as candidate
    where candidate.content <> passage.content and not exists (
      select from private.barred_passages as barred
      where barred.coach_id = passage.coach_id and barred.passage_id = md5(candidate.content)
    )
    group by candidate.id order by min(near.place), candidate.id
  );
end $$;

create function public.take_comparison() returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  step constant integer := 6;
  most_passages constant integer := 300;
  taken private.comparisons;
  compared public.knowledge_files;
  near jsonb;
begin
  loop
    select * into taken from private.comparisons as due where due.due_at <= now()
    order by due.due_at limit 1 for no key update skip locked;
    if not found then return null; end if;
    select * into compared from public.knowledge_files as file where file.id = taken.file_id and file.status = 'ready';
    exit when found;
    -- It is queued again when it has been read.
    delete from private.comparisons as gone where gone.file_id = taken.file_id;
  end loop;
  -- What a file has lost since is no contradiction any more.
  if taken.position = 0 then
    delete from private.contradictions as gone
    where gone.settled_at is null and (gone.file_id = taken.file_id or gone.other_file_id = taken.file_id)
      and not exists (
        select from public.passages as passage where passage.file_id = taken.file_id and md5(passage.content)
          = case when gone.file_id = taken.file_id then gone.passage_id else gone.other_passage_id end
      );
  end if;
  update private.comparisons as claimed
  set attempts = claimed.attempts + 1, claim = gen_random_uuid(), due_at = now() + interval '4 minutes'
  where claimed.file_id = taken.file_id returning * into taken;
  select coalesce(jsonb_agg(jsonb_build_object(
    'passage_id', md5(passage.content), 'heading', passage.heading, 'content', passage.content, 'near', (
      select coalesce(jsonb_agg(jsonb_build_object('file_id', file.id, 'filename', file.name,
        'passage_id', md5(other.content), 'heading', other.heading, 'content', other.content) order by id.place), '[]')
      from unnest(private.find_near_passages(passage, compared.number)) with ordinality as id (id, place)
      cross join lateral (select * from public.passages as each where each.id = id.id offset 0) as other
      join public.knowledge_files as file on file.id = any (array[other.file_id])
    )
  ) order by passage.position), '[]') into near
  from public.passages as passage
  where passage.file_id = compared.id and passage.position >= taken.position
    and passage.position < least(taken.position + step, most_passages)
    and not exists (
      select from private.barred_passages as barred
      where barred.coach_id = compared.coach_id and barred.passage_id = md5(passage.content)
    );
  return json_build_object(
    'file_id', compared.id, 'claim', taken.claim, 'coach_id', compared.coach_id, 'filename', compared.name,
    'model', (select coach.model from public.coach_profiles as coach where coach.id = compared.coach_id),
    'attempt', taken.attempts, 'asked', taken.asked, 'passages', near, 'next', case when exists (
      select from public.passages as passage where passage.file_id = compared.id
        and passage.position >= taken.position + step and passage.position < most_passages
    ) then taken.position + step end,
    'known', private.list_known_statements(compared.id)
  );
end $$;
comment on function public.take_comparison is 'Claims the next step of comparing a file: {file_id, claim, coach_id, filename, model, attempt, asked, passages: [{passage_id, heading, content, near}], next: the position after it or null, known: [[statement, statement]]}; null when none is due.';

-- The pairs of statements that are noted of a file, settled ones too, each in both orders.
create function private.list_known_statements(file_id uuid) returns jsonb
language plpgsql stable security invoker set search_path = '' as $$
begin
  return (
    select coalesce(jsonb_agg(pair), '[]') from (
      select noted.statements from private.contradictions as noted where noted.file_id = list_known_statements.file_id
      union all
      select noted.statements from private.contradictions as noted where noted.other_file_id = list_known_statements.file_id
    ) as noted
    cross join lateral jsonb_array_elements(noted.statements) as statement
    cross join lateral (values
      (jsonb_build_array(statement->'one', statement->'other')), (jsonb_build_array(statement->'other', statement->'one'))
    ) as known (pair)
  );
end $$;

-- notes: [{passage_id, other_file_id, other_passage_id, statements, is_confirmed, is_denied}]. next: the position after
-- this step; null: it was the last. A worker that has lost its claim saves nothing. At most 20 open notes a file, and 100
-- a coach. What a model denies is kept as settled, whatever it finds about the other statements of the same passages.
-- The result is {is_claimed, step}: with takes_next, the next step that is due.
create function public.save_comparison(
  file_id uuid, claim uuid, notes jsonb, asked integer, next integer, takes_next boolean
) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  coach constant text := (select file.coach_id from public.knowledge_files as file where file.id = save_comparison.file_id);
  known jsonb;
  room integer;
begin
  perform from private.comparisons as claimed
  where claimed.file_id = save_comparison.file_id and claimed.claim = save_comparison.claim for update;
  if not found then
    return json_build_object('is_claimed', false, 'step', case when takes_next then public.take_comparison() end);
  end if;
  -- Two files that are compared at the same time would note the same.
  perform pg_advisory_xact_lock(hashtextextended('contradictions of ' || coach, 0));
  known := private.list_known_statements(file_id);
  select least(20 - count(*) filter (where save_comparison.file_id in (noted.file_id, noted.other_file_id)), 100 - count(*))
  into room from private.contradictions as noted where noted.coach_id = coach and noted.settled_at is null;
  insert into private.contradictions
    (coach_id, file_id, passage_id, other_file_id, other_passage_id, statements, is_confirmed, settled_at)
  select coach, save_comparison.file_id, noted.passage_id, noted.other_file_id, noted.other_passage_id, noted.news,
    noted.is_confirmed, case when noted.is_denied then now() end
  from (
    select given.*, left_over.news, row_number() over (partition by given.is_denied is true) as place
    from jsonb_to_recordset(save_comparison.notes)
      as given (passage_id text, other_file_id uuid, other_passage_id text, statements jsonb, is_confirmed boolean, is_denied boolean)
    join public.knowledge_files as other on other.id = given.other_file_id and other.coach_id = coach
    cross join lateral (
      select jsonb_agg(statement) as news from jsonb_array_elements(given.statements) as statement
      where not known @> jsonb_build_array(jsonb_build_array(statement->'one', statement->'other'))
    ) as left_over
    where left_over.news is not null
  ) as noted
  where noted.is_denied or noted.place <= room;
  if next is null then delete from private.comparisons as done where done.file_id = save_comparison.file_id;
  else
    update private.comparisons as going set position = next, asked = going.asked + save_comparison.asked, attempts = 0,
      claim = null, due_at = now()
    where going.file_id = save_comparison.file_id;
  end if;
  return json_build_object('is_claimed', true, 'step', case when takes_next then public.take_comparison() end);
end $$;
comment on function public.save_comparison is 'Notes what a step of comparing a file has found, and where the next one begins: {is_claimed: false if the claim is lost, step}.';

-- waits_for_budget: no model was asked, so this was no attempt.
create function public.postpone_comparison(file_id uuid, claim uuid, waits_for_budget boolean default false) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  update private.comparisons as postponed
  set claim = null, attempts = postponed.attempts - postpone_comparison.waits_for_budget::integer,
    due_at = now() + case when postpone_comparison.waits_for_budget then interval '15 minutes'
      else postponed.attempts * interval '1 minute' end
  where postponed.file_id = postpone_comparison.file_id and postponed.claim = postpone_comparison.claim;
end $$;
comment on function public.postpone_comparison is 'Gives a step of comparing a file back, to be tried again later.';

-- What the expert sees and changes

-- One side of a note in the JSON of the API; null if its file has it no more, or answers do not draw on it.
create function private.describe_side(coach_id text, file_id uuid, passage_id text) returns json
language plpgsql stable security invoker set search_path = '' as $$
begin
  return (
    select json_build_object('file_id', file.id, 'filename', file.name, 'source_url', file.source_url,
      'dated_at', private.to_wire_time(coalesce(file.fetched_at, file.uploaded_at)),
      'passage_id', describe_side.passage_id, 'position', passage.position, 'page', passage.page,
      'heading', passage.heading, 'content', passage.content)
    from public.passages as passage join public.knowledge_files as file on file.id = passage.file_id
    where md5(passage.content) = describe_side.passage_id and passage.file_id = describe_side.file_id
      and private.is_valid_today(file.valid_from, file.valid_until)
      and not exists (
        select from private.barred_passages as barred
        where barred.coach_id = describe_side.coach_id and barred.passage_id = describe_side.passage_id
      )
    limit 1
  );
end $$;

create function public.list_contradictions(
  caller jsonb, coach_id text, page_size integer default null, after_number bigint default null
) returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller);
  refusal constant text := private.refuse_change(client, coach_id, 'answerer');
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  return private.answer(client, private.describe_entries(array(
    select row(json_build_object('id', noted.id, 'is_confirmed', noted.is_confirmed,
      'found_at', private.to_wire_time(noted.found_at), 'statements', noted.statements,
      'one', side.one, 'other', side.other), noted.number::text)::private.entry
    from private.contradictions as noted
    cross join lateral (
      select private.describe_side(noted.coach_id, noted.file_id, noted.passage_id) as one,
        private.describe_side(noted.coach_id, noted.other_file_id, noted.other_passage_id) as other offset 0
    ) as side
    where noted.coach_id = list_contradictions.coach_id and noted.settled_at is null
      and noted.number < coalesce(after_number, 9223372036854775807) and side.one is not null and side.other is not null
    order by noted.number desc limit page_size + 1
  ), page_size));
end $$;
comment on function public.list_contradictions is 'Reply of GET /knowledge-handler/contradictions: open ones, newest first, whole or one page, or {"error": "coach_not_found" | "not_the_coach"}.';

-- counts: the passage that counts; null: both stay. Passages overlap, so that all of the other file that hold a
-- statement in question are barred. ends_file: instead, yesterday was the last day of the other file.
create function public.settle_contradiction(caller jsonb, user_id text, coach_id text, contradiction_id uuid, counts text,
  ends_file boolean default false)
returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id, is_change => true);
  refusal constant text := private.refuse_change(client, coach_id);
  yesterday constant date := (now() at time zone 'utc')::date - 1;
  noted private.contradictions;
  is_other boolean;
  other_file_id uuid;
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  -- As when a file is deleted: files are locked before their notes.
  perform from public.knowledge_files as file where ends_file and file.id in (
    select unnest(array[known.file_id, known.other_file_id]) from private.contradictions as known
    where known.id = contradiction_id and known.coach_id = settle_contradiction.coach_id
  ) order by file.id for no key update;
  select * into noted from private.contradictions as known
  where known.id = contradiction_id and known.coach_id = settle_contradiction.coach_id for update;
  if noted.id is null then return private.refuse(client, 'contradiction_not_found'); end if;
  is_other := case counts when noted.passage_id then true when noted.other_passage_id then false end;
  if counts is not null and is_other is null then return private.refuse(client, 'passage_not_found'); end if;
  if noted.settled_at is null then
    update private.contradictions as settled set settled_at = now() where settled.id = noted.id;
    other_file_id := case when is_other then noted.other_file_id when not is_other then noted.file_id end;
    if ends_file then
      update public.knowledge_files as file
      set valid_until = least(file.valid_until, yesterday),
        valid_from = case when file.valid_from > yesterday then yesterday else file.valid_from end
      where file.id = other_file_id;
    elsif is_other is not null then
      perform private.bar_passages(noted.coach_id, array(
        select md5(passage.content) from public.passages as passage
        where passage.file_id = other_file_id and exists (
          select from jsonb_array_elements(noted.statements) as statement
          where strpos(passage.content, statement->>case when is_other then 'other' else 'one' end) > 0
        )
      ), client.user_id);
    end if;
  end if;
  return private.answer(client, json_build_object('id', noted.id));
end $$;
comment on function public.settle_contradiction is 'Settles a contradiction: {"id"}, or {"error": "coach_not_found" | "not_the_coach" | "contradiction_not_found" | "passage_not_found"}.';
