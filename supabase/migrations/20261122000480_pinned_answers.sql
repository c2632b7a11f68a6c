-- Pinned answers: the expert's own answers to questions, which outrank whatever the model would say; and barred
-- passages, which answers must not draw on.
-- Tables: pinned_answers. In private: pinned_answer_versions (what each of them said before), pinned_answer_hits (how
-- often they were given), barred_passages.
-- A message is answered word for word only if it is the same question (see phrases.sql). What is merely near goes
-- to the model.
-- Surprises: rows may be edited by hand; triggers count the version, store it, and write the phrases, which the next sweep
-- reads. Everything that changes the pinned answers of a coach calls lock_pinned_answers() first.

-- In public, since checks are made with the rights of whoever writes the row.
create function public.are_variants(variants text[]) returns boolean
language sql immutable security invoker set search_path = ''
return cardinality(variants) <= 20 and not exists (
  select from unnest(variants) as variant where variant is null or btrim(variant) = '' or char_length(variant) > 1000
);
comment on function public.are_variants is 'Whether these can be the variants of a question: at most 20, each of 1 to 1000 characters.';

create table public.pinned_answers (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null,
  coach_id text not null,
  question text not null,
  variants text[] not null default '{}',
  answer text not null,
  is_active boolean not null default true,
  version integer not null default 1,
  written_by text,
  writer text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default clock_timestamp(),
  constraint pinned_answers_coach_is_of_the_account foreign key (account_id, coach_id)
    references public.coach_profiles (account_id, id) on update cascade on delete cascade,
  constraint pinned_answers_question_is_1_to_1000_characters check (btrim(question) <> '' and char_length(question) <= 1000),
  constraint pinned_answers_variants_are_at_most_20 check (public.are_variants(variants)),
  constraint pinned_answers_answer_is_1_to_20000_characters check (btrim(answer) <> '' and char_length(answer) <= 20000)
);
comment on table public.pinned_answers is 'The expert''s own answers. A message that asks the same question gets one word for word; near ones go to the model.';
comment on column public.pinned_answers.id is 'Names the pinned answer; sources of answers refer to it.';
comment on column public.pinned_answers.coach_id is 'The coach whose expert says this.';
comment on column public.pinned_answers.question is 'The question, 1 to 1000 characters. No two pinned answers of a coach have the same question or variant.';
comment on column public.pinned_answers.variants is 'Other ways to ask it: at most 20, each of 1 to 1000 characters.';
comment on column public.pinned_answers.answer is 'What the expert says, 1 to 20000 characters.';
comment on column public.pinned_answers.is_active is 'One that is not active is never given, nor shown to the model.';
comment on column public.pinned_answers.version is 'Counted up with every change, by a trigger.';
comment on column public.pinned_answers.written_by is 'The user who wrote this version; null: a server with a key, an operator by hand, or somebody who was erased.';
comment on column public.pinned_answers.writer is 'The user who makes a change, named together with it; a trigger moves the name to written_by.';

-- The list of a coach's pinned answers, the newest change first.
create index pinned_answers_by_change on public.pinned_answers (coach_id, updated_at desc, id desc);
-- Renaming or deleting a coach.
create index pinned_answers_by_coach on public.pinned_answers (account_id, coach_id);

create table private.pinned_answer_versions (
  pinned_answer_id uuid not null references public.pinned_answers (id) on delete cascade,
  version integer not null,
  question text not null,
  variants text[] not null,
  answer text not null,
  is_active boolean not null,
  written_by text,
  written_at timestamptz not null,
  lexemes text[] not null default '{}',
  primary key (pinned_answer_id, version)
);
comment on table private.pinned_answer_versions is 'What each pinned answer has said, the current version included.';
comment on column private.pinned_answer_versions.pinned_answer_id is 'The pinned answer; its versions are deleted with it.';
comment on column private.pinned_answer_versions.written_at is 'When this version was written.';
comment on column private.pinned_answer_versions.lexemes is 'The words of the answer, as to_lexemes() writes them in the language of the coach; see choose_given().';

create table private.pinned_answer_hits (
  pinned_answer_id uuid primary key references public.pinned_answers (id) on delete cascade,
  hits bigint not null default 0,
  near_hits bigint not null default 0,
  last_hit_at timestamptz
) with (
  -- Rows are rewritten each minute: half a page stays free for that.
  fillfactor = 50
);
comment on table private.pinned_answer_hits is 'How often pinned answers were used, without what is still in the ledger. Apart from them, so that it never waits for an edit.';
comment on column private.pinned_answer_hits.pinned_answer_id is 'The pinned answer.';
comment on column private.pinned_answer_hits.hits is 'How often it was given word for word.';
comment on column private.pinned_answer_hits.near_hits is 'How often the model was given it.';
comment on column private.pinned_answer_hits.last_hit_at is 'When it was last used, one way or the other; null: never.';

create table private.barred_passages (
  coach_id text not null references public.coach_profiles (id) on update cascade on delete cascade,
  passage_id text not null,
  barred_by text,
  created_at timestamptz not null default now(),
  primary key (coach_id, passage_id),
  constraint barred_passages_passage_id_is_an_md5 check (passage_id ~ '^[0-9a-f]{32}$')
);
comment on table private.barred_passages is 'Passages that answers must not draw on. They stay barred when their file is read again.';
comment on column private.barred_passages.passage_id is 'md5 of the passage''s text, as sources name it.';
comment on column private.barred_passages.barred_by is 'The user who barred it; null: a server with a key, or somebody who was erased.';

-- The list of a coach's barred passages, the newest first.
create index barred_passages_by_time on private.barred_passages (coach_id, created_at desc, passage_id desc);

-- Triggers

-- Lets one transaction at a time change the pinned answers of a coach.
create function private.lock_pinned_answers(coach_id text) returns void
language plpgsql volatile security invoker set search_path = '' as $$
begin perform pg_advisory_xact_lock(hashtextextended('pinned answers of ' || lock_pinned_answers.coach_id, 0)); end $$;

-- Counts the changes of a pinned answer, and keeps who wrote the last one. A change by hand names no writer, and must
-- not be taken for one of the last writer.
create function private.count_answer_version() returns trigger
language plpgsql volatile security invoker set search_path = '' as $$
begin
  if tg_op = 'UPDATE' and (new.question, new.variants, new.answer, new.is_active) is not distinct from
    (old.question, old.variants, old.answer, old.is_active) then
    new.version := old.version;
    -- An author can be forgotten, but not replaced.
    new.written_by := case when new.written_by is not null then old.written_by end;
    new.updated_at := old.updated_at;
  else
    new.version := case when tg_op = 'UPDATE' then old.version + 1 else 1 end;
    new.written_by := new.writer;
    new.updated_at := case when tg_op = 'UPDATE' then clock_timestamp() else new.updated_at end;
  end if;
  new.writer := null;
  return new;
end $$;
create trigger pinned_answers_count_version before insert or update on public.pinned_answers
  for each row execute function private.count_answer_version();

-- Stores a version of a pinned answer and its phrases, and answers the open questions that it settles.
-- Definer: operators edit pinned answers by hand, and service_role has no rights on the private schema.
create function private.keep_pinned_answer() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' or new.version <> old.version then
    insert into private.pinned_answer_versions
      (pinned_answer_id, version, question, variants, answer, is_active, written_by, written_at, lexemes)
    select new.id, new.version, new.question, new.variants, new.answer, new.is_active, new.written_by, new.updated_at,
      private.list_lexemes(coach.language, new.answer)
    from public.coach_profiles as coach where coach.id = new.coach_id;
  end if;
  if tg_op = 'INSERT' then insert into private.pinned_answer_hits (pinned_answer_id) values (new.id); end if;
  if tg_op = 'INSERT' or (new.question, new.variants, new.is_active, new.coach_id) is distinct from
    (old.question, old.variants, old.is_active, old.coach_id)
    -- A coach that is renamed takes the phrases along.
    and exists (select from public.coach_profiles as coach where coach.id = old.coach_id) then
    perform private.lock_pinned_answers(new.coach_id);
    perform private.store_phrases(new.coach_id, is_pinned => true, subject_id => new.id,
      contents => new.question || new.variants, is_active => new.is_active);
  end if;
  perform private.answer_pinned_questions(array[new.id]);
  return null;
end $$;
create trigger pinned_answers_keep_new after insert on public.pinned_answers
  for each row execute function private.keep_pinned_answer();
create trigger pinned_answers_keep_changed after update of question, variants, answer, is_active, coach_id
  on public.pinned_answers for each row execute function private.keep_pinned_answer();
create trigger pinned_answers_drop_phrases after delete on public.pinned_answers
  for each row execute function private.drop_phrases();

-- The words of a pinned answer for private.pinned_answer_versions.
create function private.list_lexemes(language text, answer text) returns text[]
language plpgsql stable security invoker set search_path = '' as $$
begin return tsvector_to_array(private.to_lexemes(language, left(answer, 10000))); end $$;

-- Writing answers

-- Pins an answer of the expert to a question: the first of asked; the others are its variants. The result is {"id",
-- "version"}, or {"error": "already_pinned", "answer_id"} if another pinned answer has the question or a variant.
-- replaces_same: a pinned answer that has the question gets the new text instead and becomes active; variants that are
-- pinned elsewhere are left out. The caller has checked that the coach is the account's.
create function private.pin_answer(account_id uuid, coach_id text, asked private.normal_question[], answer text,
  written_by text, replaces_same boolean, is_active boolean default true) returns json
language plpgsql volatile security invoker set search_path = '' as $$
declare
  taken_id uuid;
  variant private.normal_question;
  wanted text[] := '{}';
  pinned public.pinned_answers;
begin
  perform private.lock_pinned_answers(coach_id);
  taken_id := private.find_taken_question(coach_id, case when replaces_same then asked[:1] else asked end);
  if taken_id is not null and not replaces_same then
    return json_build_object('error', 'already_pinned', 'answer_id', taken_id);
  end if;
  if taken_id is not null then
    update public.pinned_answers as pinned_answer
    set answer = pin_answer.answer, is_active = true, writer = pin_answer.written_by
    where pinned_answer.id = taken_id returning * into pinned;
  else
    foreach variant in array asked[2:] loop
      if private.find_taken_question(coach_id, array[variant]) is null then wanted := wanted || variant.content; end if;
    end loop;
    insert into public.pinned_answers (account_id, coach_id, question, variants, answer, writer, is_active)
    values (pin_answer.account_id, pin_answer.coach_id, (asked[1]).content, wanted, pin_answer.answer,
      pin_answer.written_by, pin_answer.is_active) returning * into pinned;
    perform private.key_phrases(pinned.id, asked);
    perform private.answer_pinned_questions(array[pinned.id]);
  end if;
  return json_build_object('id', pinned.id, 'version', pinned.version);
end $$;

-- The first pinned answer of the coach, other than except_id, that has one of these questions.
create function private.find_taken_question(coach_id text, asked private.normal_question[], except_id uuid default null) returns uuid
language plpgsql stable security invoker set search_path = '' as $$
begin
  return (
    select phrase.subject_id from unnest(asked) with ordinality as wanted
    cross join lateral (
      select known.subject_id from private.phrases as known
      where known.coach_id = find_taken_question.coach_id and known.is_pinned and known.key = wanted.key
        and known.subject_id is distinct from except_id offset 0
    ) as phrase
    order by wanted.ordinality limit 1
  );
end $$;

-- Barred passages

create function private.bar_passages(coach_id text, passage_ids text[], barred_by text) returns void
language plpgsql volatile security invoker set search_path = '' as $$
begin
  insert into private.barred_passages (coach_id, passage_id, barred_by)
  select distinct bar_passages.coach_id, passage_id, bar_passages.barred_by
  from unnest(bar_passages.passage_ids) as passage_id order by passage_id on conflict do nothing;
end $$;

-- What the expert sees and changes
--
-- In all of these the result is {"error": …} if the caller is not the expert of the coach (see refuse_unless_expert),
-- or if there is no such pinned answer or passage: pinned_answer_not_found, passage_not_found. An editor changes them.

-- The role that a change of a pinned answer needs: those who answer open questions may change the answers to these.
create function private.role_for_change(answer_id uuid) returns text
language plpgsql stable security invoker set search_path = '' as $$
begin
  return case when exists (select from public.open_questions as question where question.pinned_answer_id = answer_id)
    then 'answerer' else 'editor' end;
end $$;

-- Forgets which answers of an account a user has written, and which passages they have barred.
create function private.forget_writer(account uuid, writer_id text) returns void
language plpgsql volatile security invoker set search_path = '' as $$
begin
  update private.pinned_answer_versions as version set written_by = null
  from public.pinned_answers as pinned
  where pinned.account_id = account and version.pinned_answer_id = pinned.id and version.written_by = writer_id;
  update public.pinned_answers as pinned set written_by = null
  where pinned.account_id = account and pinned.written_by = writer_id;
  update private.barred_passages as barred set barred_by = null
  from public.coach_profiles as coach
  where coach.account_id = account and barred.coach_id = coach.id and barred.barred_by = writer_id;
end $$;

-- A pinned answer in the JSON of the API. Its hits are those that are folded.
create function private.describe_pinned_answer(pinned public.pinned_answers) returns json
language plpgsql stable security invoker set search_path = '' as $$
declare counted private.pinned_answer_hits;
begin
  select * into counted
  from private.pinned_answer_hits as used where used.pinned_answer_id = pinned.id;
  return json_build_object(
    'id', pinned.id, 'question', pinned.question, 'variants', pinned.variants, 'answer', pinned.answer,
    'is_active', pinned.is_active, 'version', pinned.version, 'written_by', pinned.written_by,
    'hits', coalesce(counted.hits, 0), 'near_hits', coalesce(counted.near_hits, 0),
    'last_hit_at', private.to_wire_time(counted.last_hit_at), 'created_at', private.to_wire_time(pinned.created_at),
    'updated_at', private.to_wire_time(pinned.updated_at)
  );
end $$;

-- Patterns that match texts with the words of a search, or with parts of words: at most 16.
create function private.to_patterns(search text) returns text[] language sql immutable security invoker set search_path = ''
return array(
  select '%' || regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%'
  from regexp_split_to_table(left(search, 1000), '\s+') as word where word <> '' limit 16
);

-- search: words that question, variants and answer together must hold, as parts of words too; null: all. A cursor is
-- <microseconds since 1970>_<id> of the last row of a page. page_size null: the whole list.
create function public.list_pinned_answers(caller jsonb, user_id text, coach_id text, search text default null,
  is_active boolean default null, page_size integer default null, after_at bigint default null,
  after_id uuid default null) returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id);
  refusal constant text := private.refuse_unless_expert(client, coach_id);
  after_time constant timestamptz := coalesce(timestamptz 'epoch' + after_at * interval '1 microsecond', 'infinity');
  patterns constant text[] := private.to_patterns(search);
  entries private.entry[];
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  perform private.fold_ledger();
  entries := array(
    select row(private.describe_pinned_answer(pinned),
      private.to_microseconds(pinned.updated_at) || '_' || pinned.id)::private.entry
    from public.pinned_answers as pinned
    where pinned.coach_id = list_pinned_answers.coach_id
      and (list_pinned_answers.is_active is null or pinned.is_active = list_pinned_answers.is_active)
      and (pinned.updated_at, pinned.id) < (after_time, after_id)
      and (patterns = '{}' or
        concat_ws(' ', pinned.question, array_to_string(pinned.variants, ' '), pinned.answer) ilike all (patterns))
    order by pinned.updated_at desc, pinned.id desc limit page_size + 1
  );
  return private.answer(client, private.describe_entries(entries, page_size));
end $$;
comment on function public.list_pinned_answers is 'Reply of GET /coaches/{coachId}/answers: the newest change first, whole or one page.';

create function public.get_pinned_answer(caller jsonb, user_id text, coach_id text, answer_id uuid) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id);
  version_count constant integer := 100;
  refusal constant text := private.refuse_unless_expert(client, coach_id);
  pinned public.pinned_answers;
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  select * into pinned from public.pinned_answers as pinned_answer
  where pinned_answer.id = answer_id and pinned_answer.coach_id = get_pinned_answer.coach_id;
  if not found then return private.refuse(client, 'pinned_answer_not_found'); end if;
  perform private.fold_ledger();
  return private.answer(client, (private.describe_pinned_answer(pinned)::jsonb || jsonb_build_object('versions', (
    select jsonb_agg(jsonb_build_object(
      'version', kept.version, 'question', kept.question, 'variants', kept.variants, 'answer', kept.answer,
      'is_active', kept.is_active, 'written_by', kept.written_by, 'written_at', private.to_wire_time(kept.written_at)
    ) order by kept.version desc)
    from (
      select * from private.pinned_answer_versions as version where version.pinned_answer_id = pinned.id
      order by version.version desc limit version_count
    ) as kept
  )))::json);
end $$;
comment on function public.get_pinned_answer is 'Reply of GET /coaches/{coachId}/answers/{answerId}: with its versions, newest first.';

-- questions: the question and its variants, as the service reads them.
create function public.create_pinned_answer(caller jsonb, user_id text, coach_id text, questions jsonb, answer text,
  is_active boolean) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id, is_change => true);
  refusal constant text := private.refuse_unless_expert(client, coach_id, 'editor');
  created json;
  pinned public.pinned_answers;
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  created := private.pin_answer(client.account_id, coach_id, private.read_questions(coach_id, questions), answer,
    client.user_id, replaces_same => false, is_active => is_active);
  if created->>'error' is not null then return private.answer(client, created); end if;
  select * into pinned from public.pinned_answers as pinned_answer where pinned_answer.id = (created->>'id')::uuid;
  return private.answer(client, private.describe_pinned_answer(pinned));
end $$;
comment on function public.create_pinned_answer is 'Pins an answer and returns it, or {"error": "already_pinned", "answer_id"}.';

-- What is null stays as it is. variants: a JSON array; as the service reads them, like the question.
create function public.update_pinned_answer(caller jsonb, user_id text, coach_id text, answer_id uuid,
  question jsonb default null, variants jsonb default null, answer text default null, is_active boolean default null)
returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id, is_change => true);
  refusal constant text := private.refuse_unless_expert(client, coach_id, private.role_for_change(answer_id));
  asked private.normal_question[];
  pinned public.pinned_answers;
  taken_id uuid;
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  asked := private.read_questions(coach_id, coalesce(question, '[]') || coalesce(variants, '[]'));
  perform private.lock_pinned_answers(coach_id);
  select * into pinned from public.pinned_answers as pinned_answer
  where pinned_answer.id = answer_id and pinned_answer.coach_id = update_pinned_answer.coach_id for no key update;
  if not found then return private.refuse(client, 'pinned_answer_not_found'); end if;
  taken_id := private.find_taken_question(coach_id, asked, except_id => pinned.id);
  if taken_id is not null then
    return private.answer(client, json_build_object('error', 'already_pinned', 'answer_id', taken_id));
  end if;
  update public.pinned_answers as pinned_answer
  set question = coalesce(update_pinned_answer.question->>'content', pinned.question),
    variants = case when update_pinned_answer.variants is null then pinned.variants
      else array(select variant->>'content' from jsonb_array_elements(update_pinned_answer.variants) as variant) end,
    answer = coalesce(update_pinned_answer.answer, pinned.answer),
    is_active = coalesce(update_pinned_answer.is_active, pinned.is_active), writer = client.user_id
  where pinned_answer.id = pinned.id returning * into pinned;
  perform private.key_phrases(pinned.id, asked);
  perform private.answer_pinned_questions(array[pinned.id]);
  perform private.fold_ledger();
  return private.answer(client, private.describe_pinned_answer(pinned));
end $$;
comment on function public.update_pinned_answer is 'Changes what is given of a pinned answer and returns it, or an error.';

create function public.delete_pinned_answer(caller jsonb, user_id text, coach_id text, answer_id uuid) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id, is_change => true);
  refusal constant text := private.refuse_unless_expert(client, coach_id, private.role_for_change(answer_id));
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  perform private.lock_pinned_answers(coach_id);
  delete from public.pinned_answers as pinned
  where pinned.id = answer_id and pinned.coach_id = delete_pinned_answer.coach_id;
  if not found then return private.refuse(client, 'pinned_answer_not_found'); end if;
  return private.answer(client, json_build_object('id', answer_id));
end $$;
comment on function public.delete_pinned_answer is 'Deletes a pinned answer with its versions: {"id"} or an error. Answers that were given from it stay.';

-- A sheet is imported in parts of a bounded size, each in a transaction of its own: it is compared with what is pinned,
-- and then what differs is stored. Both work for seconds with a large sheet, so one part at a time does, of all accounts:
-- the result is null if another is at work, and the caller comes again. No connection waits.
create function private.may_work_long() returns boolean language plpgsql volatile security invoker set search_path = '' as $$
begin return pg_try_advisory_xact_lock(hashtextextended('long work', 0)); end $$;

-- keys: of each row, those of its question and variants, in the language. The result says of each row which pinned
-- answers have the keys, and of the one that has the question: what it says, its own keys, and whether the question is
-- one of its variants.
create function public.compare_pinned_answers(caller jsonb, user_id text, coach_id text, language text, keys jsonb) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id);
  refusal constant text := private.refuse_unless_expert(client, coach_id, 'editor');
  compared json;
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  if not private.may_work_long() then return private.answer(client); end if;
  perform private.read_questions(coach_id, jsonb_build_array(json_build_object('language', language)));
  select json_agg(json_build_object('owners', asked.owners, 'pinned', (
    select json_build_object('id', pinned.id, 'version', pinned.version, 'question', pinned.question,
      'variants', pinned.variants, 'answer', pinned.answer, 'is_active', pinned.is_active,
      'is_variant', (private.recall_phrase(pinned.id, pinned.question)).key is distinct from (given.row->>0)::uuid,
      'keys', array(
        select replace(phrase.key::text, '-', '') from private.phrases as phrase
        where phrase.subject_id = pinned.id and phrase.key is not null
      ))
    from public.pinned_answers as pinned where pinned.id = asked.owners[1]
  )) order by given.place) into compared
  from jsonb_array_elements(keys) with ordinality as given (row, place)
  cross join lateral (
    select array_agg((
      select phrase.subject_id from private.phrases as phrase
      where phrase.coach_id = compare_pinned_answers.coach_id and phrase.is_pinned and phrase.key = said.key::uuid
    ) order by said.place) as owners
    from jsonb_array_elements_text(given.row) with ordinality as said (key, place)
  ) as asked;
  return private.answer(client, coalesce(compared, '[]'));
end $$;
comment on function public.compare_pinned_answers is 'Tells what is pinned of the questions of a part of a sheet, a list of each row; null: another part is at work.';

-- rows: [{id, version, question, variants, answer, is_active, asked: question and variants, as the service reads them}];
-- without an ID it is a new pinned answer. Either all are stored, and the result is their IDs, or none, and it is empty:
-- one of them has another version by now, or a question is pinned elsewhere.
create function public.import_pinned_answers(caller jsonb, user_id text, coach_id text, rows jsonb) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id, is_change => true);
  refusal constant text := private.refuse_unless_expert(client, coach_id, 'editor');
  begun_at constant timestamptz := clock_timestamp();
  ids uuid[] := '{}';
  entry jsonb;
  given public.pinned_answers;
  asked private.normal_question[];
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  if not private.may_work_long() then return private.answer(client); end if;
  perform private.lock_pinned_answers(coach_id);
  for entry in select each from jsonb_array_elements(rows) as each loop
    given := jsonb_populate_record(null::public.pinned_answers, '{"variants": [], "is_active": true}' || entry);
    asked := private.read_questions(coach_id, entry->'asked');
    if given.id is null then
      -- Listed in the order of the sheet, also where the clock stands still meanwhile.
      insert into public.pinned_answers (account_id, coach_id, question, variants, answer, is_active, writer, updated_at)
      select client.account_id, import_pinned_answers.coach_id, given.question, given.variants, given.answer,
        given.is_active, client.user_id, begun_at + cardinality(ids) * interval '1 microsecond'
      returning pinned_answers.id into given.id;
    else
      update public.pinned_answers as pinned
      set (question, variants, answer, is_active, writer) =
        (given.question, given.variants, given.answer, given.is_active, client.user_id)
      where pinned.id = given.id and pinned.coach_id = import_pinned_answers.coach_id and pinned.version = given.version;
      if not found then raise unique_violation; end if;
    end if;
    if private.find_taken_question(coach_id, asked, except_id => given.id) is not null then raise unique_violation; end if;
    perform private.key_phrases(given.id, asked);
    ids := array_append(ids, given.id);
  end loop;
  perform private.answer_pinned_questions(ids);
  return private.answer(client, to_json(ids));
exception when unique_violation then return private.answer(client, '[]');
end $$;
comment on function public.import_pinned_answers is 'Stores a part of a sheet, all rows or none: the IDs of the pinned answers; empty if they have changed; null: another part is at work.';

-- A barred passage in the JSON of the API, with its text where a file has it.
create function private.describe_barred_passage(barred private.barred_passages) returns json
language plpgsql stable security invoker set search_path = '' as $$
begin
  return (
    select json_build_object(
      'passage_id', barred.passage_id, 'content', passage.content, 'file_id', coalesce(file.replaces, file.id), 'filename', file.name,
      'barred_by', barred.barred_by, 'created_at', private.to_wire_time(barred.created_at)
    )
    from (values (1)) as one
    left join lateral (
      select passage.content, passage.file_id from public.passages as passage
      where md5(passage.content) = barred.passage_id and passage.coach_id = barred.coach_id limit 1
    ) as passage on true
    left join public.knowledge_files as file on file.id = any (array[passage.file_id])
  );
end $$;

-- As list_pinned_answers(): the newest first.
create function public.list_barred_passages(caller jsonb, user_id text, coach_id text, page_size integer default null,
  after_at bigint default null, after_id text default null) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id);
  refusal constant text := private.refuse_unless_expert(client, coach_id);
  after_time constant timestamptz := coalesce(timestamptz 'epoch' + after_at * interval '1 microsecond', 'infinity');
  entries private.entry[];
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  entries := array(
    select row(private.describe_barred_passage(barred),
      private.to_microseconds(barred.created_at) || '_' || barred.passage_id)::private.entry
    from private.barred_passages as barred
    where barred.coach_id = list_barred_passages.coach_id
      and (barred.created_at, barred.passage_id) < (after_time, coalesce(after_id, ''))
    order by barred.created_at desc, barred.passage_id desc limit page_size + 1
  );
  return private.answer(client, private.describe_entries(entries, page_size));
end $$;
comment on function public.list_barred_passages is 'Reply of GET /coaches/{coachId}/barred-passages: the newest first, whole or one page.';

-- is_barred: bars the passage or lets it be used again. passage_id null: no passage can have such an id.
create function public.set_passage_barred(caller jsonb, user_id text, coach_id text, passage_id text, is_barred boolean)
returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id, is_change => true);
  refusal constant text := private.refuse_unless_expert(client, coach_id, 'editor');
  barred private.barred_passages;
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  if is_barred and passage_id is not null then
    perform private.bar_passages(coach_id, array[passage_id], client.user_id);
    select * into barred from private.barred_passages as passage
    where passage.coach_id = set_passage_barred.coach_id and passage.passage_id = set_passage_barred.passage_id;
  else
    delete from private.barred_passages as passage
    where passage.coach_id = set_passage_barred.coach_id and passage.passage_id = set_passage_barred.passage_id
    returning * into barred;
  end if;
  if barred.passage_id is null then return private.refuse(client, 'passage_not_found'); end if;
  return private.answer(client, private.describe_barred_passage(barred));
end $$;
comment on function public.set_passage_barred is 'Bars a passage from answers, or lets it be used again, and returns it, or an error.';
