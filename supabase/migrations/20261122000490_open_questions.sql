-- Open questions: what the persona could not answer well, waiting for the expert.
-- Tables: open_questions; private: askings (who has asked one, and where), question_keys and question_words (how one is
-- found again).
-- Functions, in the order in which a question passes them: keep_question (of a run, for what its model did not know),
-- open_question (the same for everybody who opens one), list_questions, dismiss_question, reopen_question and
-- answer_question for the expert.
--
-- What says the same is one question: those with the same key at once (see key_of_question), near ones when a sweep has
-- looked at them. A question without a sentence refers to its message only, until a sweep has put it into words.
-- A question lives as long as one of its askings, whatever its status: who is erased, is forgotten here too. The pinned
-- answer that it led to stays.
-- It opens again by itself: an answered one when it is asked again after that, since its answer did not reach the person;
-- a dismissed one when as many further people as had asked by then, and at least three, have asked since.
-- Surprises: triggers on the askings count them, reopen the question, and delete it. Locks are taken in the order of
-- turns, answers, threads, questions by id; before a question is looked up by its key, an advisory lock on that key.

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
  pinned_answer_id uuid,
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
comment on column public.open_questions.account_id is 'The account of the coach.';
comment on column public.open_questions.coach_id is 'The coach who was asked.';
comment on column public.open_questions.question is 'The question in one sentence that stands alone, without personal details, 1 to 1000 characters; null until there is one.';
comment on column public.open_questions.status is 'open, answered or dismissed.';
comment on column public.open_questions.times is 'How often it was asked; a trigger counts.';
comment on column public.open_questions.people is 'By how many different people; a trigger counts.';
comment on column public.open_questions.first_asked_at is 'When it was first asked.';
comment on column public.open_questions.last_asked_at is 'When it was last asked.';
comment on column public.open_questions.decided_at is 'When it was last answered or dismissed; null: never.';
comment on column public.open_questions.dismissed_people is 'How many people had asked it when it was dismissed.';
comment on column public.open_questions.pinned_answer_id is 'The pinned answer that answers it; null for none.';
comment on column public.open_questions.attempts is 'How often a sweep has looked at it in vain.';
comment on column public.open_questions.claim is 'The sweep that looks at it now; null for none.';
comment on column public.open_questions.due_at is 'When a sweep is to find its sentence, or what else says the same; null: it has been looked at.';
comment on column public.open_questions.created_at is 'When the row was made.';

-- The list of a coach, most asked first.
create index open_questions_by_rank on public.open_questions (coach_id, status, people desc, times desc, id);
-- How many were opened on which day.
create index open_questions_by_first_asking on public.open_questions (coach_id, first_asked_at);
-- Deleting or moving a coach looks for its questions.
create index open_questions_by_coach on public.open_questions (account_id, coach_id);
-- The sweep takes what is due.
create index open_questions_by_due_time on public.open_questions (due_at) where due_at is not null;

alter table public.open_questions enable row level security;

create policy "Only the service reaches open questions" on public.open_questions
  for all to anon, authenticated using (false) with check (false);

revoke all on public.open_questions from anon, authenticated;
grant select, insert, update, delete on public.open_questions to service_role;

create table private.askings (
  message_id uuid not null references public.messages (id) on delete cascade,
  question_id uuid not null references public.open_questions (id) on delete cascade,
  thread_id uuid not null,
  user_id text not null,
  reason text not null,
  asked_at timestamptz not null,
  constraint askings_are_kept_once primary key (message_id, question_id),
  constraint askings_reason_is_known check (reason in ('unknown', 'feedback', 'human'))
);

comment on table private.askings is 'Who has asked an open question, and where. Deleted with the answer.';
comment on column private.askings.message_id is 'The answer that did not answer it.';
comment on column private.askings.question_id is 'The open question.';
comment on column private.askings.thread_id is 'The thread of the answer.';
comment on column private.askings.user_id is 'The user of the thread.';
comment on column private.askings.reason is 'unknown: the model did not know; feedback: the answer has a thumbs-down; human: the person has asked for a human.';
comment on column private.askings.asked_at is 'When the person asked.';

-- Whether the same person has asked before, and what is deleted with a question.
create index askings_by_user on private.askings (question_id, user_id);
-- Why and when a question was asked first and last.
create index askings_by_reason on private.askings (question_id, reason, asked_at);
-- What a thread has asked.
create index askings_by_thread on private.askings (thread_id);

alter table private.askings enable row level security;

create policy "Only the functions of this schema reach askings" on private.askings
  for all to anon, authenticated using (false) with check (false);

-- A question that was found to be the same as another leaves its keys to it, so that nobody has to find out twice.
create table private.question_keys (
  coach_id text not null references public.coach_profiles (id) on update cascade on delete cascade,
  key uuid not null,
  question_id uuid not null references public.open_questions (id) on delete cascade,
  constraint question_keys_are_of_one_question primary key (coach_id, key)
);

comment on table private.question_keys is 'The sentences that an open question was asked in, each as its key (see key_of_question).';
comment on column private.question_keys.coach_id is 'The coach of the question.';
comment on column private.question_keys.key is 'The key of a sentence.';
comment on column private.question_keys.question_id is 'The open question.';

-- The keys of a question, when it is deleted or becomes one with another.
create index question_keys_by_question on private.question_keys (question_id);

alter table private.question_keys enable row level security;

create policy "Only the functions of this schema reach keys of questions" on private.question_keys
  for all to anon, authenticated using (false) with check (false);

create table private.question_words (
  coach_id text not null references public.coach_profiles (id) on update cascade on delete cascade,
  lexeme text collate "C" not null,
  question_id uuid not null references public.open_questions (id) on delete cascade,
  constraint question_words_are_kept_once primary key (coach_id, lexeme, question_id)
);

comment on table private.question_words is 'The words of open questions, to find those that are near to another.';
comment on column private.question_words.coach_id is 'The coach of the question.';
comment on column private.question_words.lexeme is 'A word, as it is indexed.';
comment on column private.question_words.question_id is 'The open question.';

-- The words of a question, when it is deleted.
create index question_words_by_question on private.question_words (question_id);

alter table private.question_words enable row level security;

create policy "Only the functions of this schema reach words of questions" on private.question_words
  for all to anon, authenticated using (false) with check (false);

-- Counting

-- The lock makes the counts exact: what two transactions add at once is added one after the other.
create function private.count_askings() returns trigger
language plpgsql volatile security invoker set search_path = ''
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off
as $$
declare
  asked record;
  question public.open_questions;
begin
  for asked in
    select added.question_id, count(*) as times, min(added.asked_at) as first_at, max(added.asked_at) as last_at
    from added group by added.question_id order by added.question_id
  loop
    select * into question from public.open_questions as candidate where candidate.id = asked.question_id for no key update;
    question.people := question.people + (
      select count(*)
      from (
        select added.user_id, array_agg(added.message_id) as message_ids
        from added where added.question_id = asked.question_id group by added.user_id
      ) as person
      -- One look into the index: an `exists` may be met by reading all askings of the question.
      where (
        select true from private.askings as earlier
        where earlier.question_id = asked.question_id and earlier.user_id = person.user_id
          and earlier.message_id <> all (person.message_ids)
        limit 1
      ) is null
    );
    if question.times = 0
      or question.status = 'answered' and asked.last_at > question.decided_at
      or question.status = 'dismissed' and question.people - question.dismissed_people >= greatest(question.dismissed_people, 3)
    then
      question.status := 'open';
      perform private.record_event('question.opened', question.account_id, question.coach_id, added.thread_id,
        added.message_id, question.id)
      from added where added.question_id = question.id order by added.asked_at desc limit 1;
    end if;
    update public.open_questions as counted
    set status = question.status, people = question.people, times = counted.times + asked.times,
      first_asked_at = case when counted.times = 0 then asked.first_at else least(counted.first_asked_at, asked.first_at) end,
      last_asked_at = case when counted.times = 0 then asked.last_at else greatest(counted.last_asked_at, asked.last_at) end
    where counted.id = question.id;
  end loop;
  return null;
end;
$$;

comment on function private.count_askings is 'Counts new askings, and opens their questions again where it is time.';
revoke execute on function private.count_askings from public;

create trigger askings_count after insert on private.askings
  referencing new table as added
  for each statement execute function private.count_askings();

create function private.uncount_askings() returns trigger
language plpgsql volatile security invoker set search_path = ''
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off
as $$
declare
  withdrawn record;
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
      set times = question.times - withdrawn.times,
        people = question.people - gone.people,
        dismissed_people = least(question.dismissed_people, question.people - gone.people),
        first_asked_at = span.first_at,
        last_asked_at = span.last_at
      from (
        select
          min((
            select asking.asked_at from private.askings as asking
            where asking.question_id = withdrawn.question_id and asking.reason = kind.reason
            order by asking.asked_at
            limit 1
          )) as first_at,
          max((
            select asking.asked_at from private.askings as asking
            where asking.question_id = withdrawn.question_id and asking.reason = kind.reason
            order by asking.asked_at desc
            limit 1
          )) as last_at
        from unnest(array['unknown', 'feedback', 'human']) as kind (reason)
      ) as span,
      (
        select count(*)::integer as people from unnest(withdrawn.user_ids) as person (id)
        where (
          select true from private.askings as asking
          where asking.question_id = withdrawn.question_id and asking.user_id = person.id
          limit 1
        ) is null
      ) as gone
      where question.id = withdrawn.question_id;
    end if;
  end loop;
  return null;
end;
$$;

comment on function private.uncount_askings is 'Counts askings that are gone, and deletes the questions that nobody else has asked.';
revoke execute on function private.uncount_askings from public;

create trigger askings_uncount after delete on private.askings
  referencing old table as removed
  for each statement execute function private.uncount_askings();

-- Called before answers are deleted that may have asked several questions: two that delete such answers at once then
-- wait for each other in one order.
create function private.lock_questions(thread_ids uuid[]) returns void
language plpgsql volatile security invoker set search_path = '' set enable_seqscan = off
as $$
begin
  perform from public.open_questions as question
  where question.id = any (array(
    select asking.question_id from private.askings as asking where asking.thread_id = any (lock_questions.thread_ids)
  ))
  order by question.id
  for update;
end;
$$;

comment on function private.lock_questions is 'Locks the questions that were asked in threads.';
revoke execute on function private.lock_questions from public;

-- Opening

-- A person waits for the expert from now on, unless one does already.
create function private.call_expert(message_id uuid) returns void
language plpgsql volatile security invoker set search_path = '' set enable_seqscan = off
as $$
declare
  called record;
begin
  update public.threads as thread
  set needs_reply_at = now()
  where thread.id = (select message.thread_id from public.messages as message where message.id = call_expert.message_id)
    and thread.needs_reply_at is null
  returning thread.id, thread.account_id, thread.coach_id into called;
  if found then
    perform private.record_event('thread.needs_expert', called.account_id, called.coach_id, called.id, call_expert.message_id);
  end if;
end;
$$;

comment on function private.call_expert is 'Notes that the person of a thread waits for the expert, and tells who watches.';
revoke execute on function private.call_expert from public;

-- Makes a sentence that of a question, or finds the question that has it already. question_id null: of a new one.
-- Returns the question, locked.
create function private.place_sentence(account_id uuid, coach_id text, question_id uuid, sentence text) returns uuid
language plpgsql volatile security invoker set search_path = '' set enable_seqscan = off
as $$
declare
  language constant text := (
    select coach.language from public.coach_profiles as coach where coach.id = place_sentence.coach_id
  );
  wanted_key constant uuid := private.key_of_question(language, place_sentence.sentence);
  placed_id uuid;
begin
  if wanted_key is not null then
    perform pg_advisory_xact_lock(hashtextextended(place_sentence.coach_id || ' ' || wanted_key, 0));
    loop
      select known.question_id into placed_id from private.question_keys as known
      where known.coach_id = place_sentence.coach_id and known.key = wanted_key;
      exit when not found;
      perform from public.open_questions as question
      where question.id = any (array[placed_id, place_sentence.question_id]) order by question.id for no key update;
      -- It may have been deleted, or become one with another, while this waited for the lock.
      if exists (select from public.open_questions as question where question.id = placed_id) then
        return placed_id;
      end if;
    end loop;
  end if;

  if place_sentence.question_id is null then
    insert into public.open_questions (account_id, coach_id, question)
    values (place_sentence.account_id, place_sentence.coach_id, place_sentence.sentence)
    returning id into placed_id;
  else
    update public.open_questions as question set question = place_sentence.sentence
    where question.id = place_sentence.question_id
    returning question.id into placed_id;
  end if;
  insert into private.question_keys (coach_id, key, question_id)
  select place_sentence.coach_id, wanted_key, placed_id where wanted_key is not null;
  insert into private.question_words (coach_id, lexeme, question_id)
  select place_sentence.coach_id, word.lexeme, placed_id
  from unnest(private.to_lexemes(language, place_sentence.sentence)) as word;
  return placed_id;
end;
$$;

comment on function private.place_sentence is 'The question that a sentence is, or becomes.';
revoke execute on function private.place_sentence from public;

create function private.tidy_sentence(sentence text) returns text
language plpgsql immutable security invoker set search_path = ''
as $$
begin
  return nullif(btrim(left(btrim(regexp_replace(tidy_sentence.sentence, '\s+', ' ', 'g')), 1000)), '');
end;
$$;

comment on function private.tidy_sentence is 'A sentence on one line and short enough to be kept; null where nothing is left.';
revoke execute on function private.tidy_sentence from public;

-- question null: there is no sentence. The answer then opens a question that only refers to it, unless it has asked one.
-- reason human: the person has asked for a human, and waits for the expert from now on.
-- An answer asks a question once, however often this is called. Returns the question; null where the answer is gone.
create function private.open_question(message_id uuid, question text, reason text) returns uuid
language plpgsql volatile security invoker set search_path = '' set enable_seqscan = off
as $$
declare
  sentence constant text := private.tidy_sentence(open_question.question);
  answer record;
  thread record;
  question_id uuid;
begin
  -- Two that keep something of the same answer pass here one after the other.
  select message.thread_id, message.created_at into answer from public.messages as message
  where message.id = open_question.message_id and message.role = 'assistant'
  for no key update;
  if not found then
    return null;
  end if;
  if open_question.reason = 'human' then
    perform private.call_expert(open_question.message_id);
  end if;
  select held.id, held.account_id, held.coach_id, held.user_id into thread
  from public.threads as held where held.id = answer.thread_id;

  if sentence is not null then
    question_id := private.place_sentence(thread.account_id, thread.coach_id, null, sentence);
  else
    select asking.question_id into question_id from private.askings as asking
    where asking.message_id = open_question.message_id
    order by asking.asked_at, asking.question_id
    limit 1;
    if not found then
      insert into public.open_questions (account_id, coach_id) values (thread.account_id, thread.coach_id)
      returning id into question_id;
    end if;
  end if;
  insert into private.askings as asking (message_id, question_id, thread_id, user_id, reason, asked_at)
  values (open_question.message_id, question_id, thread.id, thread.user_id, open_question.reason, answer.created_at)
  on conflict on constraint askings_are_kept_once do update set reason = excluded.reason
  where excluded.reason = 'human' and asking.reason <> 'human';
  return question_id;
end;
$$;

comment on function private.open_question is 'Keeps that an answer did not answer a question: with the others who have asked it, or as a new one.';
revoke execute on function private.open_question from public;

-- The expert has seen a question that they have answered or dismissed: it stays as it was counted.
create function private.withdraw_feedback(message_id uuid) returns void
language plpgsql volatile security invoker set search_path = '' set enable_seqscan = off
as $$
begin
  delete from private.askings as asking
  where asking.message_id = withdraw_feedback.message_id and asking.reason = 'feedback'
    and exists (
      select from public.open_questions as question where question.id = asking.question_id and question.status = 'open'
    );
end;
$$;

comment on function private.withdraw_feedback is 'Takes back the question that a thumbs-down has opened, as long as it is open.';
revoke execute on function private.withdraw_feedback from public;

-- Nothing is kept where the answer is no longer this run's. An answer asks three questions at most: a model that goes
-- on and on fills no list.
-- Definer: service_role has no rights on the private schema.
create function public.keep_question(message_id uuid, run_id uuid, question text, is_for_human boolean) returns uuid
language plpgsql volatile security definer set search_path = '' set enable_seqscan = off
as $$
declare
  most constant integer := 3;
begin
  perform from public.messages as message
  where message.id = keep_question.message_id and message.run_id = keep_question.run_id
  for no key update;
  if not found then
    return null;
  end if;
  if most <= (
    select count(*) from private.askings as asking
    where asking.message_id = keep_question.message_id and asking.reason <> 'feedback'
  ) then
    if keep_question.is_for_human then
      perform private.call_expert(keep_question.message_id);
    end if;
    return null;
  end if;
  return private.open_question(
    keep_question.message_id, keep_question.question, case when keep_question.is_for_human then 'human' else 'unknown' end
  );
end;
$$;

comment on function public.keep_question is 'Keeps a question that the run of an answer could not answer, and returns it; null where nothing is kept.';
revoke execute on function public.keep_question from public, anon, authenticated;
grant execute on function public.keep_question to service_role;
