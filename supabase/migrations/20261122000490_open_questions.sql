-- Open questions: what the persona could not answer well, waiting for the expert.
-- Tables: open_questions; private.askings (who has asked one, and where). What they say are phrases.
-- Two wordings with the same key are one question immediately (see phrases.sql); near ones become one when a sweep
-- has found them to be the same. A question without a sentence refers to its message only, until a sweep has put it
-- into words. A question lives as long as one of its askings, whatever its status: who is erased, is forgotten here
-- too. The pinned answer that it led to stays. An answered question opens again when another asking of it is kept, since
-- its answer did not reach that person; it stays open while somebody waits for the expert. A dismissed one opens again once the number of people who asked it has
-- doubled, with at least three new ones.
-- Surprises: triggers on the askings count them, reopen the question, and delete it. Whatever is pinned, by whomever,
-- answers the open questions that ask the same (answer_pinned_questions, called by a trigger of pinned_answers). Locks
-- are taken in the order of turns, answers, threads, questions by id; before a question is looked up by its key, an
-- advisory lock on that key.

create table public.open_questions (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null,
  coach_id text not null,
  question text,
  status text not null default 'open',
  times integer not null default 0,
  people integer not null default 0,
  first_asked_at timestamptz not null default now(),
  last_asked_at timestamptz not null default now(),
  decided_at timestamptz,
  dismissed_people integer not null default 0,
  is_requested boolean not null default false,
  pinned_answer_id uuid references public.pinned_answers (id) on delete set null,
  attempts integer not null default 0,
  claim uuid,
  due_at timestamptz default now(),
  created_at timestamptz not null default now(),
  constraint open_questions_coach_is_of_the_account foreign key (account_id, coach_id)
    references public.coach_profiles (account_id, id) on update cascade on delete cascade,
  constraint open_questions_question_is_1_to_1000_characters check (btrim(question) <> '' and char_length(question) <= 1000),
  constraint open_questions_status_is_known check (status in ('open', 'answered', 'dismissed'))
) with (
  -- Each asking moves a question within its list.
  autovacuum_vacuum_scale_factor = 0.05
);
comment on table public.open_questions is 'What people asked and the persona could not answer well, for the expert behind a coach. Each is one question, however often and in whatever words it was asked.';
comment on column public.open_questions.id is 'The questionId of the API.';
comment on column public.open_questions.question is 'The question in one sentence that stands alone, without personal details, 1 to 1000 characters; null until there is one.';
comment on column public.open_questions.status is 'open, answered or dismissed.';
comment on column public.open_questions.times is 'How often it was asked; a trigger counts.';
comment on column public.open_questions.people is 'By how many different people; a trigger counts.';
comment on column public.open_questions.first_asked_at is 'When it was first asked.';
comment on column public.open_questions.last_asked_at is 'When it was last asked.';
comment on column public.open_questions.decided_at is 'When it was last answered or dismissed; null: never.';
comment on column public.open_questions.dismissed_people is 'How many people had asked it when it was dismissed.';
comment on column public.open_questions.is_requested is 'Whether somebody who has asked it waits for the expert (see requests).';
comment on column public.open_questions.pinned_answer_id is 'The pinned answer that answers it; null for none.';
comment on column public.open_questions.attempts is 'How often a sweep has looked at it in vain.';
comment on column public.open_questions.due_at is 'When a sweep is to find its sentence, or what else says the same; null: it has been looked at.';

-- The list of a coach: what somebody waits for first, then what most people asked, then what was asked last.
create index open_questions_by_rank
  on public.open_questions (coach_id, status, is_requested desc, people desc, last_asked_at desc, id desc);
-- How many were opened on which day.
create index open_questions_by_first_asking on public.open_questions (coach_id, first_asked_at);
-- Deleting or moving a coach looks for its questions.
create index open_questions_by_coach on public.open_questions (account_id, coach_id);
-- Deleting a pinned answer looks for the questions that it answers.
create index open_questions_by_pinned_answer on public.open_questions (pinned_answer_id) where pinned_answer_id is not null;
-- The sweep takes what is due.
create index open_questions_by_due_time on public.open_questions (due_at) where due_at is not null;

create table private.askings (
  message_id uuid not null references public.messages (id) on delete cascade,
  question_id uuid not null references public.open_questions (id) on delete cascade,
  thread_id uuid not null,
  user_id text not null,
  reason text not null,
  asked_at timestamptz not null,
  is_merged boolean not null default false,
  constraint askings_are_kept_once primary key (message_id, question_id),
  constraint askings_reason_is_known check (reason in ('unknown', 'feedback', 'human'))
);
comment on table private.askings is 'Who has asked an open question, and where. Deleted with the answer.';
comment on column private.askings.message_id is 'The answer that did not answer it.';
comment on column private.askings.question_id is 'The open question.';
comment on column private.askings.reason is 'unknown: the model did not know; feedback: the answer has a thumbs-down; human: the person has asked for a human.';
comment on column private.askings.asked_at is 'When the person asked.';
comment on column private.askings.is_merged is 'Whether it was asked in other words than those of the question, and a model has found both to be the same. Such a person is only told the answer if the expert says so (see notices).';

-- Whether the same person has asked before, and what is deleted with a question.
create index askings_by_user on private.askings (question_id, user_id);
-- What a model has found to be the same, for the expert to tick.
create index askings_by_merge on private.askings (question_id, asked_at) where is_merged;
-- Why and when a question was asked first and last.
create index askings_by_reason on private.askings (question_id, reason, asked_at);
-- What a thread has asked.
create index askings_by_thread on private.askings (thread_id);
-- How much a person has asked in a day, and what.
create index askings_by_person on private.askings (user_id, asked_at);

-- Phrases

create trigger open_questions_drop_phrases after delete on public.open_questions
  for each row execute function private.drop_phrases();

-- Has a question found by others that are near it, unless it is answered, and tells the other experts that somebody has
-- decided it.
-- Definer: operators edit questions by hand, and service_role has no rights on the private schema.
create function private.follow_question_status() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  if 'answered' in (old.status, new.status) then
    update private.phrases as phrase set is_active = new.status <> 'answered' where phrase.subject_id = new.id;
    perform private.index_phrases(new.id);
  end if;
  if old.status = 'open' then
    perform private.record_event('question.closed', new.account_id, new.coach_id, null, null, new.id);
  end if;
  return null;
end $$;
create trigger open_questions_follow_status after update of status on public.open_questions
  for each row when (old.status <> new.status) execute function private.follow_question_status();

-- Counting

-- Counts askings that a question has got, and opens it again where it is time. The lock makes the counts exact: what
-- two transactions add at once is added one after the other. is_new: nobody who has asked now was told the answer, even
-- if it was given while their own was written.
create function private.add_askings(question_id uuid, added private.askings[], is_new boolean) returns void
language plpgsql volatile security invoker set search_path = ''
set enable_sort = off as $$
declare
  question public.open_questions;
  newest private.askings;
  first_at timestamptz;
  opens boolean;
begin
  if coalesce(cardinality(added), 0) = 0 then return; end if;
  select * into question from public.open_questions as open_question
  where open_question.id = add_askings.question_id for no key update;
  select asked.* into newest from unnest(added) as asked order by asked.asked_at desc limit 1;
  first_at := (select min(asked.asked_at) from unnest(added) as asked);
  question.people := question.people + (
    select count(*) from (
      select asked.user_id, array_agg(asked.message_id) as message_ids from unnest(added) as asked group by asked.user_id
    ) as person
    -- One look into the index: an `exists` may be met by reading all askings of the question.
    where (
      select true from private.askings as earlier
      where earlier.question_id = question.id and earlier.user_id = person.user_id
        and earlier.message_id <> all (person.message_ids) limit 1
    ) is null
  );
  opens := question.times = 0 or question.status = 'answered' and (is_new or newest.asked_at > question.decided_at)
    or question.status = 'dismissed'
    and question.people - question.dismissed_people >= greatest(question.dismissed_people, 3);
  update public.open_questions as counted
  set status = case when opens then 'open' else counted.status end, people = question.people,
    times = counted.times + cardinality(added),
    first_asked_at = case when counted.times = 0 then first_at else least(counted.first_asked_at, first_at) end,
    last_asked_at = case when counted.times = 0 then newest.asked_at else greatest(counted.last_asked_at, newest.asked_at) end
  where counted.id = question.id;
  -- After the counts: a webhook tells them.
  if opens then
    perform private.record_event('question.opened', question.account_id, question.coach_id, newest.thread_id,
      newest.message_id, question.id);
  end if;
end $$;

-- Counts new askings.
create function private.count_askings() returns trigger language plpgsql volatile security invoker set search_path = '' as $$
declare asked record;
begin
  for asked in
    select added.question_id, array_agg(row(added.*)::private.askings) as askings
    from added group by added.question_id order by added.question_id
  loop
    perform private.add_askings(asked.question_id, asked.askings, is_new => true);
  end loop;
  return null;
end $$;
create trigger askings_count after insert on private.askings referencing new table as added
  for each statement execute function private.count_askings();

-- Counts askings that are gone, and deletes the questions that nobody else has asked.
create function private.uncount_askings() returns trigger language plpgsql volatile security invoker set search_path = ''
set enable_sort = off as $$
declare withdrawn record;
begin
  for withdrawn in
    select removed.question_id, count(*) as times, array_agg(distinct removed.user_id) as user_ids
    from removed group by removed.question_id order by removed.question_id
  loop
    perform from public.open_questions as question where question.id = withdrawn.question_id for update;
    if not exists (select from private.askings as asking where asking.question_id = withdrawn.question_id) then
      delete from public.open_questions as question where question.id = withdrawn.question_id;
    else
      update public.open_questions as question
      set times = question.times - withdrawn.times, people = question.people - gone.people,
        dismissed_people = least(question.dismissed_people, question.people - gone.people),
        first_asked_at = span.first_at, last_asked_at = span.last_at
      from (
        select min(first.asked_at) as first_at, max(last.asked_at) as last_at
        from unnest(array['unknown', 'feedback', 'human']) as kind (reason)
        cross join lateral (
          select asking.asked_at from private.askings as asking
          where asking.question_id = withdrawn.question_id and asking.reason = kind.reason
          order by asking.asked_at limit 1
        ) as first
        cross join lateral (
          select asking.asked_at from private.askings as asking
          where asking.question_id = withdrawn.question_id and asking.reason = kind.reason
          order by asking.asked_at desc limit 1
        ) as last
      ) as span, (
        select count(*)::integer as people from unnest(withdrawn.user_ids) as person (id)
        where (
          select true from private.askings as asking
          where asking.question_id = withdrawn.question_id and asking.user_id = person.id limit 1
        ) is null
      ) as gone
      where question.id = withdrawn.question_id;
      perform private.refresh_requested(array[withdrawn.question_id]);
    end if;
  end loop;
  return null;
end $$;
create trigger askings_uncount after delete on private.askings referencing old table as removed
  for each statement execute function private.uncount_askings();

-- Locks the questions that were asked in threads. Called before answers are deleted that may have asked several
-- questions: two that delete such answers at once then wait for each other in one order.
create function private.lock_questions(thread_ids uuid[]) returns void
language plpgsql volatile security invoker set search_path = '' as $$
begin
  perform from public.open_questions as question
  where question.id = any (array(
    select asking.question_id from private.askings as asking where asking.thread_id = any (lock_questions.thread_ids)
  ))
  order by question.id for update;
end $$;

-- Opening

-- Notes that the person of a thread waits for the expert, unless they do already, and tells who watches.
create function private.call_expert(message_id uuid) returns void
language plpgsql volatile security invoker set search_path = '' as $$
declare called record;
begin
  update public.threads as thread set needs_reply_at = now()
  where thread.id = (select message.thread_id from public.messages as message where message.id = call_expert.message_id)
    and thread.needs_reply_at is null
  returning thread.id, thread.account_id, thread.coach_id into called;
  if found then
    perform private.record_event('thread.needs_expert', called.account_id, called.coach_id, called.id, message_id);
    perform private.mail_call(called.account_id, called.coach_id, called.id);
  end if;
end $$;

-- Nobody else gives the key of a sentence to a question until the transaction ends. Whoever looks a question up by this
-- key, or makes one, comes here first.
create function private.lock_sentence(coach_id text, key uuid) returns void
language plpgsql volatile security invoker set search_path = '' as $$
begin
  if key is not null then perform pg_advisory_xact_lock(hashtextextended(coach_id || ' ' || key, 0)); end if;
end $$;

-- Makes a sentence that of a question, or finds the question that has it already. question_id null: of a new one.
-- Returns the question, locked; null where the one of question_id is gone.
create function private.place_sentence(account_id uuid, coach_id text, question_id uuid, sentence private.normal_question)
returns uuid language plpgsql volatile security invoker set search_path = '' as $$
declare
  language constant text := (select coach.language from public.coach_profiles as coach where coach.id = place_sentence.coach_id);
  placed_id uuid;
begin
  if sentence.language is distinct from language then perform private.ask_for_form(language); end if;
  perform private.lock_sentence(coach_id, sentence.key);
  if sentence.key is not null then
    loop
      select phrase.subject_id into placed_id from private.phrases as phrase
      where phrase.coach_id = place_sentence.coach_id and not phrase.is_pinned and phrase.key = sentence.key;
      exit when not found;
      perform from public.open_questions as question
      where question.id = any (array[placed_id, place_sentence.question_id]) order by question.id for no key update;
      -- It may have been deleted, or become one with another, while this waited for the lock.
      if exists (select from public.open_questions as question where question.id = placed_id) then return placed_id; end if;
    end loop;
  end if;
  if place_sentence.question_id is null then
    insert into public.open_questions (account_id, coach_id, question)
    values (place_sentence.account_id, place_sentence.coach_id, sentence.content) returning id into placed_id;
  else
    update public.open_questions as question set question = sentence.content
    where question.id = place_sentence.question_id returning question.id into placed_id;
    if not found then return null; end if;
  end if;
  perform private.store_phrases(coach_id, is_pinned => false, subject_id => placed_id, contents => array[sentence.content]);
  perform private.key_phrases(placed_id, array[sentence]);
  return placed_id;
end $$;

-- Whether a sentence asks in other words than an open question itself: then a model has found both to be the same. False
-- where either has no words yet.
create function private.is_worded_otherwise(question_id uuid, sentence private.normal_question) returns boolean
language plpgsql stable security invoker set search_path = '' as $$
begin
  return coalesce((
    select (private.recall_phrase(question.id, question.question)).key is distinct from sentence.key
    from public.open_questions as question
    where question.id = is_worded_otherwise.question_id and question.question <> sentence.content
  ), false);
end $$;

-- Keeps that an answer did not answer a question: with the others who have asked it, or as a new one. question null:
-- there is no sentence. The answer then opens a question that only refers to it, unless it has asked one. reason human:
-- the person has asked for a human, and waits for the expert from now on. An answer asks a question once, however often
-- this is called. In 24 hours a person asks a coach most questions; further ones are not kept. Returns the question; null
-- where the answer is gone, or nothing is kept.
create function private.open_question(message_id uuid, question private.normal_question, reason text) returns uuid
language plpgsql volatile security invoker set search_path = '' as $$
declare
  most constant integer := 10;
  answer record;
  thread public.threads;
  question_id uuid;
begin
  -- Two that keep something of the same answer pass here one after the other.
  select message.thread_id, message.created_at into answer from public.messages as message
  where message.id = open_question.message_id and message.role = 'assistant' for no key update;
  if not found then return null; end if;
  if open_question.reason = 'human' then perform private.call_expert(open_question.message_id); end if;
  select * into thread from public.threads as asked where asked.id = answer.thread_id;
  if most <= (
    select count(distinct asking.question_id) from private.askings as asking
    join public.open_questions as asked on asked.id = asking.question_id and asked.coach_id = thread.coach_id
    where asking.user_id = thread.user_id and asking.asked_at > now() - interval '1 day'
      and asking.message_id <> open_question.message_id
  ) then
    return null;
  end if;
  if question.content is not null then
    question_id := private.place_sentence(thread.account_id, thread.coach_id, null, question);
  else
    select asking.question_id into question_id from private.askings as asking
    where asking.message_id = open_question.message_id order by asking.asked_at, asking.question_id limit 1;
    if found then
      update private.askings as asking set reason = open_question.reason
      where asking.message_id = open_question.message_id and open_question.reason = 'human' and asking.reason <> 'human';
      return question_id;
    end if;
    insert into public.open_questions (account_id, coach_id)
    values (thread.account_id, thread.coach_id) returning id into question_id;
  end if;
  insert into private.askings as asking (message_id, question_id, thread_id, user_id, reason, asked_at, is_merged)
  values (open_question.message_id, question_id, thread.id, thread.user_id, open_question.reason, answer.created_at,
    private.is_worded_otherwise(question_id, question))
  on conflict on constraint askings_are_kept_once do update set reason = excluded.reason
  where excluded.reason = 'human' and asking.reason <> 'human';
  return question_id;
end $$;

-- Nothing is kept where the answer is no longer this run's. An answer asks three questions at most: a model that goes
-- on and on fills no list. question: as the service reads it; null: there is no sentence.
create function public.keep_question(message_id uuid, run_id uuid, question jsonb, is_for_human boolean) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare most constant integer := 3;
begin
  perform from public.messages as message
  where message.id = keep_question.message_id and message.run_id = keep_question.run_id for no key update;
  if not found then return null; end if;
  if most <= (
    select count(*) from private.askings as asking
    where asking.message_id = keep_question.message_id and asking.reason <> 'feedback'
  ) then
    if is_for_human then perform private.call_expert(message_id); end if;
    return null;
  end if;
  return private.open_question(message_id, jsonb_populate_record(null::private.normal_question, question),
    case when is_for_human then 'human' else 'unknown' end);
end $$;
comment on function public.keep_question is 'Keeps a question that the run of an answer could not answer, and returns it; null where nothing is kept.';

-- For the expert

-- Whether the files of the coach have nothing to do with a question: no passage has a rare word of it, one that at most
-- a fifth of the passages hold. Without a sentence, or without files, nobody knows. Who asks for a human is never off
-- topic.
create function private.is_off_topic(question public.open_questions) returns boolean
language plpgsql stable security invoker set search_path = '' as $$
declare passage_count integer;
begin
  select total.passages into passage_count from private.passage_totals as total where total.coach_id = question.coach_id;
  return question.question is not null and coalesce(passage_count, 0) > 0 and not exists (
    select from public.coach_profiles as coach
    cross join lateral unnest(private.to_lexemes(coach.language, question.question)) as word
    cross join lateral (
      select term.passages from private.passage_terms as term
      where term.coach_id = question.coach_id and term.lexeme = word.lexeme collate "C" offset 0
    ) as term
    where coach.id = question.coach_id and term.passages between 1 and greatest(passage_count / 5, 1)
  ) and not exists (select from private.askings as asking where asking.question_id = question.id and asking.reason = 'human');
end $$;

-- An open question in the JSON of the API. thread_id and message_id: where it was asked last, so that the expert can
-- look.
create function private.describe_question(question public.open_questions) returns json
language plpgsql stable security invoker set search_path = ''
set enable_sort = off as $$
declare
  reasons text[] := '{}';
  newest private.askings;
  asked private.askings;
  wanted_reason text;
begin
  foreach wanted_reason in array array['unknown', 'feedback', 'human'] loop
    select * into asked from private.askings as asking
    where asking.question_id = question.id and asking.reason = wanted_reason order by asking.asked_at desc limit 1;
    if found then
      reasons := reasons || wanted_reason;
      if newest.asked_at is null or asked.asked_at > newest.asked_at then newest := asked; end if;
    end if;
  end loop;
  return json_build_object(
    'id', question.id, 'question', question.question, 'status', question.status, 'times', question.times,
    'people', question.people, 'first_asked_at', private.to_wire_time(question.first_asked_at),
    'last_asked_at', private.to_wire_time(question.last_asked_at), 'reasons', reasons,
    'off_topic', private.is_off_topic(question), 'is_requested', question.is_requested,
    'pinned_answer_id', question.pinned_answer_id, 'thread_id', newest.thread_id, 'message_id', newest.message_id
  );
end $$;

-- A cursor is <1 if somebody waits, else 0>_<people>_<microseconds since 1970>_<id> of the last row of a page.
-- page_size null: the whole list.
-- off_topic null: all questions. has_askings: with who has asked each (see describe_askings); their words are for
-- callers who may read their threads. topic_id: only those that were asked in conversations of this topic.
create function public.list_questions(caller jsonb, coach_id text, user_id text default null,
  status text default 'open', off_topic boolean default null, has_askings boolean default false,
  page_size integer default null, after_people integer default null, after_asked bigint default null,
  after_id uuid default null, after_requested boolean default true, topic_id uuid default null) returns json
language plpgsql volatile security definer set search_path = ''
-- However many questions there are, a page is read from its place in the index on.
set enable_sort = off as $$
declare
  client constant private.caller := private.admit(caller, user_id);
  refusal constant text := private.refuse_unless_expert(client, coach_id);
  -- No question has as many: without a cursor all come after these.
  first_people constant integer := coalesce(after_people, 2147483647);
  first_asked constant timestamptz := coalesce(timestamptz 'epoch' + after_asked * interval '1 microsecond', 'infinity');
  first_id constant uuid := coalesce(after_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
  found public.open_questions[];
  entries private.entry[];
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  if topic_id is null then
    found := array(
      select known from public.open_questions as known
      where known.coach_id = list_questions.coach_id and known.status = list_questions.status
        and (known.is_requested, known.people, known.last_asked_at, known.id)
          < (after_requested, first_people, first_asked, first_id)
        and (list_questions.off_topic is null or private.is_off_topic(known) = list_questions.off_topic)
      order by known.is_requested desc, known.people desc, known.last_asked_at desc, known.id desc limit page_size + 1
    );
  else
    found := array(
      select known from (
        select distinct asking.question_id from private.topic_threads as held
        cross join lateral (
          select said.question_id from private.askings as said where said.thread_id = held.thread_id offset 0
        ) as asking
        where held.topic_id = list_questions.topic_id and held.coach_id = list_questions.coach_id
      ) as asked
      join public.open_questions as known on known.id = asked.question_id
      where known.status = list_questions.status and (known.is_requested, known.people, known.last_asked_at, known.id)
          < (after_requested, first_people, first_asked, first_id)
        and (list_questions.off_topic is null or private.is_off_topic(known) = list_questions.off_topic)
    );
  end if;
  entries := array(
    select row(
      case when has_askings then (private.describe_question(open_question)::jsonb || private.describe_askings(
        open_question.id, shows_words => 'threads:read' = any (client.scopes)
      ))::json else private.describe_question(open_question) end,
      open_question.is_requested::integer || '_' || open_question.people || '_' || (extract(epoch from open_question.last_asked_at) * 1000000)::bigint || '_'
        || open_question.id
    )::private.entry
    from unnest(found) as open_question
    order by open_question.is_requested desc, open_question.people desc, open_question.last_asked_at desc,
      open_question.id desc limit page_size + 1
  );
  return private.answer(client, private.describe_entries(entries, page_size));
end $$;
comment on function public.list_questions is 'Reply of GET /coaches/{coachId}/questions: most asked first, whole or one page; or {error}.';

-- coach_not_found, not_the_expert or question_not_found; null if the caller is the expert of the question.
create function private.refuse_question(caller private.caller, coach_id text, question_id uuid) returns text
language plpgsql stable security invoker set search_path = '' as $$
begin
  return coalesce(private.refuse_unless_expert(caller, coach_id), case when not exists (
    select from public.open_questions as question
    where question.id = question_id and question.coach_id = refuse_question.coach_id
  ) then 'question_not_found' end);
end $$;

-- status: open or dismissed. The same again changes nothing: what has been asked since goes on counting.
create function public.decide_question(caller jsonb, coach_id text, user_id text, question_id uuid, status text)
returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id, is_change => true);
  refusal constant text := private.refuse_question(client, coach_id, question_id);
  is_dismissal constant boolean := status = 'dismissed';
  question public.open_questions;
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  select * into question from public.open_questions as open_question
  where open_question.id = question_id for no key update;
  if not found then return private.refuse(client, 'question_not_found'); end if;
  if question.status <> decide_question.status then
    update public.open_questions as decided
    set status = decide_question.status,
      decided_at = case when is_dismissal then clock_timestamp() else decided.decided_at end,
      dismissed_people = case when is_dismissal then decided.people else decided.dismissed_people end
    where decided.id = question.id returning * into question;
    if not is_dismissal then
      perform private.record_event('question.opened', question.account_id, question.coach_id, null, null, question.id);
    end if;
  end if;
  return private.answer(client, private.describe_question(question));
end $$;
comment on function public.decide_question is 'Dismisses a question or opens it again, and returns it, or {error}.';

-- Dismisses the open questions that only the person of a thread has asked: in this thread or, of_person, in any with the
-- coach. What others have asked, too, stays open.
create function public.dismiss_questions(caller jsonb, coach_id text, user_id text, thread_id uuid, of_person boolean)
returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id, is_change => true);
  refusal constant text := private.refuse_unless_expert(client, coach_id);
  thread constant public.threads := private.find_thread(client, thread_id, with_expert => true);
  ids uuid[];
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  if thread.coach_id is distinct from dismiss_questions.coach_id then return private.refuse(client, 'thread_not_found'); end if;
  ids := array(
    select asking.question_id from private.askings as asking
    where asking.user_id = thread.user_id and (of_person or asking.thread_id = thread.id)
  );
  perform from public.open_questions as question where question.id = any (ids) order by question.id for no key update;
  with dismissed as (
    update public.open_questions as question
    set status = 'dismissed', decided_at = clock_timestamp(), dismissed_people = question.people
    where question.id = any (ids) and question.coach_id = thread.coach_id and question.status = 'open'
      and question.people = 1
    returning question.id
  )
  select array_agg(dismissed.id) into ids from dismissed;
  return private.answer(client, json_build_object('question_ids', coalesce(to_json(ids), '[]')));
end $$;
comment on function public.dismiss_questions is 'Dismisses what only the person of a thread has asked and returns {question_ids}, or {error}.';

-- Makes one question of two, and returns which is left; null where both are gone. The older gets the askings and the
-- phrases of the other, so that nobody has to find out twice that they are the same. Askings are moved, not written
-- anew: that would lock their answers, after the questions. sentence: what one without a sentence asks.
create function private.merge_questions(one_id uuid, other_id uuid, sentence private.normal_question default null) returns uuid
language plpgsql volatile security invoker set search_path = '' as $$
declare
  ids uuid[];
  moved private.askings[];
  is_otherwise boolean;
begin
  if one_id = other_id then return one_id; end if;
  perform from public.open_questions as question
  where question.id = any (array[one_id, other_id]) order by question.id for update;
  -- Of one that has no sentence, there is nothing to compare: it goes.
  ids := array(
    select question.id from public.open_questions as question where question.id = any (array[one_id, other_id])
    order by question.question is null, question.created_at, question.id
  );
  if cardinality(ids) < 2 then return ids[1]; end if;
  is_otherwise := private.is_worded_otherwise(ids[1], coalesce((
    select private.recall_phrase(question.id, question.question) from public.open_questions as question
    where question.id = ids[2] and question.question is not null
  ), sentence));
  -- An answer that has asked both asks one of them from now on.
  with changed as (
    update private.askings as asking set question_id = ids[1], is_merged = asking.is_merged or is_otherwise
    where asking.question_id = ids[2] and not exists (
      select from private.askings as same where same.message_id = asking.message_id and same.question_id = ids[1]
    ) returning asking as moved_asking
  )
  select array_agg(changed.moved_asking) into moved from changed;
  perform private.add_askings(ids[1], moved, is_new => false);
  perform private.refresh_requested(array[ids[1]]);
  update private.phrases as phrase
  set subject_id = ids[1],
    is_active = (select question.status <> 'answered' from public.open_questions as question where question.id = ids[1])
  where phrase.subject_id = ids[2];
  perform private.index_phrases(ids[1]);
  delete from public.open_questions as question where question.id = ids[2];
  return ids[1];
end $$;

-- question, and a list of variants: as the service reads them. question: how the pinned answer has it; null: as the open
-- question says. One that has no sentence needs it; it becomes that sentence, or one with the question that has it already. notify: whether those who have asked get the
-- answer in their threads, askings: also these whom a model has found to ask the same (see notices). Locks their threads
-- first, then the sentence, then the pinned answers, then the questions.
create function public.answer_question(caller jsonb, coach_id text, user_id text, question_id uuid, answer text,
  question jsonb default null, variants jsonb default '[]', notify boolean default true, askings uuid[] default '{}',
  request_id text default null) returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id, is_change => true);
  refusal constant text := private.refuse_question(client, coach_id, question_id);
  sentence text;
  asked private.normal_question[];
  pinned json;
  ticked uuid[] := askings;
  answered_id uuid := question_id;
  answered public.open_questions;
  given public.pinned_answers;
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  select known.question into sentence from public.open_questions as known where known.id = question_id;
  if question is null and sentence is null then return private.refuse(client, 'question_required'); end if;
  asked := private.read_questions(coach_id, coalesce(question, '[]') || variants);
  if question is null then asked := private.recall_phrase(question_id, sentence) || asked; end if;
  if sentence is null then
    -- The expert has seen what these ask, whatever it becomes one with.
    ticked := ticked || array(
      select asking.message_id from private.askings as asking where asking.question_id = answer_question.question_id
    );
  end if;
  if notify then perform private.lock_askers(question_id, private.find_askers(question_id, ticked, null, 1000)); end if;
  if sentence is null then
    -- Before the questions that pinning answers.
    perform private.lock_sentence(coach_id, (asked[1]).key);
  end if;
  pinned := private.pin_answer(client.account_id, coach_id, asked, answer, written_by => client.user_id, replaces_same => true);
  if sentence is null then
    answered_id := private.merge_questions(
      answered_id, private.place_sentence(client.account_id, coach_id, answered_id, asked[1]), asked[1]
    );
  end if;
  update public.open_questions as known
  set status = 'answered', decided_at = clock_timestamp(), pinned_answer_id = (pinned->>'id')::uuid
  where known.id = answered_id returning * into answered;
  -- Deleted meanwhile, with its last asking. The answer is pinned all the same.
  if not found then return private.refuse(client, 'question_not_found'); end if;
  if notify then
    -- A thread that was not locked before is left to send_answer() if something else has it just now: waiting might never end.
    select * into given from public.pinned_answers as known where known.id = answered.pinned_answer_id;
    perform private.send_notices(given, array(
      select asker.id from unnest(private.find_askers(answered_id, ticked, given, 1000)) as asker (id)
      cross join lateral (
        select * from private.askings as known where known.message_id = asker.id and known.question_id = answered_id offset 0
      ) as asking
      join public.threads as thread on thread.id = asking.thread_id
      where not thread.is_archived or private.is_held(asker.id) for update of thread skip locked
    ), request_id, client.api_key_id);
  end if;
  return private.answer(client, private.settle_answered(answered_id, notify, askings));
end $$;
comment on function public.answer_question is 'Pins an answer to a question, puts it into the threads of those who have asked, and returns the question, or {error}.';

-- Has a pinned answer answer those of the questions that are open. Of a pinned answer, who waits for the expert is told
-- nothing: what they have asked stays open. pinned_answer_id null: they were answered in person. In the order of the ids,
-- as everywhere.
create function private.close_questions(ids uuid[], pinned_answer_id uuid) returns void
language plpgsql volatile security invoker set search_path = '' as $$
begin
  perform from public.open_questions as question where question.id = any (ids) order by question.id for no key update;
  update public.open_questions as question
  set status = 'answered', decided_at = clock_timestamp(), pinned_answer_id = close_questions.pinned_answer_id
  where question.id = any (ids) and question.status = 'open'
    and not (question.is_requested and close_questions.pinned_answer_id is not null);
end $$;

-- Has active pinned answers answer the open questions that they or one of their variants ask word for word. What is
-- pinned need not be asked of the expert again. In the order of the questions, as everywhere.
create function private.answer_pinned_questions(pinned_ids uuid[]) returns void
language plpgsql volatile security invoker set search_path = '' as $$
begin
  perform private.close_questions(array[asked.subject_id], phrase.subject_id)
  from private.phrases as phrase
  cross join lateral (
    select known.subject_id from private.phrases as known
    where known.coach_id = phrase.coach_id and not known.is_pinned and known.key = phrase.key offset 0
  ) as asked
  where phrase.subject_id = any (pinned_ids) and phrase.is_active order by asked.subject_id;
end $$;

-- For the sweeps
--
-- A sweep claims one question at a time. A claim runs out after three minutes, longer than all that a sweep does with a
-- question: what a killed worker leaves behind is due again. After five attempts a question stays as it is. No step of
-- this changes what people see but by its last call, so that a step that is lost costs nothing.

-- The result is {id, claim, model, question, exchange}. exchange: only where there is no sentence, how the thread came to
-- the answer, [{role, content}], oldest first: the last messages before it, and the answer itself, each cut where it is
-- long.
create function public.take_question() returns json
language plpgsql volatile security definer set search_path = '' set enable_sort = off as $$
declare
  most_attempts constant integer := 5;
  most_messages constant integer := 4;
  most_characters constant integer := 4000;
  question public.open_questions;
begin
  loop
    select * into question from public.open_questions as open_question where open_question.due_at <= now()
    order by open_question.due_at limit 1 for no key update skip locked;
    if not found then return null; end if;
    exit when question.attempts < most_attempts;
    update public.open_questions as given_up set due_at = null, claim = null where given_up.id = question.id;
  end loop;
  update public.open_questions as taken
  set attempts = taken.attempts + 1, claim = gen_random_uuid(), due_at = now() + interval '3 minutes'
  where taken.id = question.id returning * into question;
  return json_build_object(
    'id', question.id, 'claim', question.claim, 'coach_id', question.coach_id,
    'model', (select coach.model from public.coach_profiles as coach where coach.id = question.coach_id),
    'question', question.question, 'exchange', case when question.question is null then (
      select coalesce(json_agg(json_build_object('role', said.role, 'content', left(said.content, most_characters))
        order by said.created_at, said.sequence), '[]')
      from (
        select asking.message_id from private.askings as asking
        where asking.question_id = question.id order by asking.asked_at desc limit 1
      ) as asked
      cross join lateral (select * from public.messages as message where message.id = asked.message_id offset 0) as answer
      cross join lateral (
        select message.role, message.content, message.created_at, message.sequence from public.messages as message
        where message.thread_id = answer.thread_id and message.is_listed
          and (message.created_at, message.sequence) <= (answer.created_at, answer.sequence)
        order by message.created_at desc, message.sequence desc limit most_messages
      ) as said
    ) end
  );
end $$;
comment on function public.take_question is 'Claims the question that a sweep is to look at next; null when none is due.';

-- sentence: as the service reads it; null: nothing was asked. Returns whether to go on with the question: it is still
-- claimed, has a sentence, and no other has the same.
create function public.word_question(question_id uuid, claim uuid, sentence jsonb) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  asked constant private.normal_question := jsonb_populate_record(null::private.normal_question, sentence);
  question public.open_questions;
  placed_id uuid;
begin
  -- Without a lock, which comes after that on the key.
  select * into question from public.open_questions as unworded
  where unworded.id = question_id and unworded.claim = word_question.claim and unworded.question is null;
  if not found then return false; end if;
  if asked.content is null then
    update public.open_questions as done set due_at = null, claim = null, attempts = 0 where done.id = question.id;
    return false;
  end if;
  placed_id := private.place_sentence(question.account_id, question.coach_id, question.id, asked);
  if placed_id is distinct from question.id then
    perform private.merge_questions(question.id, placed_id, asked);
    return false;
  end if;
  -- The next step has all its attempts again.
  update public.open_questions as worded set attempts = 1 where worded.id = question.id;
  return true;
end $$;
comment on function public.word_question is 'Gives a claimed question its sentence, or makes it one with the question that has it already.';

-- Also stores the vector, so that later questions find this one. Returns [{id, question}], best first.
create function public.find_near_questions(question_id uuid, claim uuid, query_vector text) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  budget constant integer := 150;
  question public.open_questions;
  near uuid[];
begin
  select * into question from public.open_questions as claimed
  where claimed.id = question_id and claimed.claim = find_near_questions.claim for key share;
  if not found then return json_build_array(); end if;
  if query_vector is not null then
    perform public.save_phrases(jsonb_agg(jsonb_build_object('id', phrase.id, 'embedding', query_vector::jsonb)), false)
    from private.phrases as phrase where phrase.subject_id = question.id and phrase.content = question.question;
  end if;
  near := private.find_near_phrases(question.coach_id, is_pinned => false, query_vector => query_vector,
    asked => private.recall_phrase(question.id, question.question), except_id => question.id, budget => budget);
  return (
    select coalesce(json_agg(json_build_object('id', asked.id, 'question', asked.question) order by best.place), '[]')
    from unnest(near) with ordinality as best (id, place)
    cross join lateral (
      select asked.id, asked.question from public.open_questions as asked where asked.id = best.id offset 0
    ) as asked
  );
end $$;
comment on function public.find_near_questions is 'The open or dismissed questions that may be the same as a claimed one, at most three.';

-- same_id: the question that it is the same as; null: none is.
create function public.end_question(question_id uuid, claim uuid, same_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform from public.open_questions as question where question.id = question_id and question.claim = end_question.claim;
  if not found then return; end if;
  if same_id is not null then perform private.merge_questions(question_id, same_id); end if;
  update public.open_questions as done set due_at = null, claim = null, attempts = 0 where done.id = question_id;
end $$;
comment on function public.end_question is 'Ends the work on a claimed question, and makes it one with another where they are the same.';

-- The pauses grow: 1, 4, 9 and 16 minutes.
-- waits_for_budget: no model was asked, so this was no attempt.
create function public.postpone_question(question_id uuid, claim uuid, waits_for_budget boolean default false) returns void
language plpgsql volatile security invoker set search_path = '' as $$
begin
  update public.open_questions as postponed
  set claim = null, attempts = postponed.attempts - postpone_question.waits_for_budget::integer,
    due_at = now() + case when postpone_question.waits_for_budget then interval '15 minutes'
      else postponed.attempts * postponed.attempts * interval '1 minute' end
  where postponed.id = question_id and postponed.claim = postpone_question.claim;
end $$;
comment on function public.postpone_question is 'Gives a claimed question back, to be tried again later.';
