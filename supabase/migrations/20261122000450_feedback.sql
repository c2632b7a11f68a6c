-- Feedback: what users think of answers.
-- Table: feedback, at most one row for each answer: a thread has one user, so that it need not be named again.
-- Surprises: a rating is about the text that was rated. When an answer is run again, its feedback is deleted. A
-- thumbs-down opens a question for the expert, and its withdrawal takes the question back (see open_questions).
-- Triggers do this, also for ratings that operators write.

create table public.feedback (
  message_id uuid primary key references public.messages (id) on delete cascade,
  thread_id uuid,
  coach_id text references public.coach_profiles (id) on update cascade on delete cascade,
  rating text not null,
  comment text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint feedback_rating_is_known check (rating in ('up', 'down')),
  constraint feedback_comment_is_at_most_2000_characters check (char_length(comment) <= 2000)
);
comment on table public.feedback is 'What users think of answers; the view rated_answers shows it with what was said.';
comment on column public.feedback.message_id is 'The answer. The feedback is that of its thread''s user.';
comment on column public.feedback.thread_id is 'The thread of the answer; filled in by a trigger.';
comment on column public.feedback.coach_id is 'The coach of the thread; filled in by a trigger.';
comment on column public.feedback.rating is 'up or down.';
comment on column public.feedback.comment is 'Why, in the user''s words; null for none.';
comment on column public.feedback.created_at is 'When the answer was first rated.';
comment on column public.feedback.updated_at is 'When the rating or the comment last changed.';

-- The newest thumbs-down, for operators and the view rated_answers.
create index feedback_by_rating on public.feedback (rating, updated_at desc);
-- The usage of a coach by day, and deleting or moving a coach.
create index feedback_by_coach on public.feedback (coach_id, updated_at);
-- Whether a thread has a thumbs-down.
create index feedback_by_thread on public.feedback (thread_id) where rating = 'down';

create function private.place_feedback() returns trigger
language plpgsql volatile security invoker set search_path = '' as $$
begin
  select thread.id, thread.coach_id into new.thread_id, new.coach_id
  from public.messages as message
  join public.threads as thread on thread.id = message.thread_id
  where message.id = new.message_id;
  return new;
end $$;
create trigger feedback_place before insert on public.feedback for each row execute function private.place_feedback();

-- Marks the thread of a rating, opens or withdraws a question, and tells those who watch.
-- Definer: operators rate answers too, and service_role has no rights on the private schema.
create function private.follow_feedback() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare
  changed constant public.feedback := coalesce(new, old);
  rating constant text := case when tg_op <> 'DELETE' then new.rating end;
  was_down constant boolean := tg_op <> 'INSERT' and old.rating = 'down';
  account_id uuid;
begin
  if was_down or rating = 'down' then
    update public.threads as thread set has_down = found.is_down
    from (
      select exists (
        select from public.feedback as other where other.thread_id = changed.thread_id and other.rating = 'down'
      ) as is_down
    ) as found
    where thread.id = changed.thread_id and thread.has_down <> found.is_down;
  end if;
  -- When the answer is deleted, everything else is deleted with it, and no event is needed.
  if not exists (select from public.messages as message where message.id = changed.message_id) then return null; end if;
  if rating = 'down' then
    perform private.open_question(changed.message_id, null, 'feedback');
  else
    -- As long as its question is open: one that the expert has answered or dismissed stays as it was counted. Questions
    -- before their askings, as whoever makes one question of two.
    perform from public.open_questions as question
    where question.id = any (array(
      select asking.question_id from private.askings as asking
      where asking.message_id = changed.message_id and asking.reason = 'feedback'
    ))
    order by question.id for update;
    delete from private.askings as asking
    where asking.message_id = changed.message_id and asking.reason = 'feedback'
      and exists (select from public.open_questions as question
        where question.id = asking.question_id and question.status = 'open');
  end if;
  select thread.account_id into account_id from public.threads as thread where thread.id = changed.thread_id;
  perform private.record_event(
    'feedback.' || coalesce(rating, 'removed'), account_id, changed.coach_id, changed.thread_id, changed.message_id
  );
  return null;
end $$;
create trigger feedback_follow after insert or delete on public.feedback
  for each row execute function private.follow_feedback();
create trigger feedback_follow_change after update of rating on public.feedback
  for each row when (new.rating <> old.rating) execute function private.follow_feedback();

-- Deletes the feedback on an answer that another run has replaced.
-- Invoker: whoever may restart an answer may delete its feedback.
create function private.drop_feedback() returns trigger language plpgsql volatile security invoker set search_path = '' as $$
begin
  delete from public.feedback as feedback where feedback.message_id = new.id;
  return null;
end $$;

-- The feedback is about the earlier text. If that is restored, with its run, the feedback stays.
create trigger messages_drop_feedback after update of previous on public.messages
  for each row when (old.previous is not null and new.previous is null and new.run_id is not distinct from old.run_id)
  execute function private.drop_feedback();

-- rating null: takes the feedback back. comment null: none; an earlier one is not kept.
-- The result is the feedback, or {"error": …} with one of thread_not_found, message_not_found, answer_unfinished.
create function public.rate_answer(
  caller jsonb, user_id text, thread_id uuid, message_id uuid, rating text, comment text
) returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id, is_change => true);
  answer public.messages;
begin
  if (private.find_thread(client, rate_answer.thread_id)).id is null then
    return private.refuse(client, 'thread_not_found');
  end if;

  -- Locks as everywhere (see turns): the answer, then its thread and its questions, by the triggers.
  -- The lock waits for a new run that begins, and lets none begin until the feedback is stored: it is dropped then.
  -- Two ratings of the same answer pass here one after the other.
  select * into answer from public.messages as message where message.id = rate_answer.message_id for no key update;
  if (answer.thread_id = rate_answer.thread_id and answer.role = 'assistant') is not true then
    return private.refuse(client, 'message_not_found');
  end if;
  if answer.status in ('waiting', 'streaming') then return private.refuse(client, 'answer_unfinished'); end if;

  if rate_answer.rating is null then
    delete from public.feedback as feedback where feedback.message_id = rate_answer.message_id;
  else
    insert into public.feedback as feedback (message_id, rating, comment)
    values (rate_answer.message_id, rate_answer.rating, rate_answer.comment)
    on conflict on constraint feedback_pkey do update
    set rating = excluded.rating, comment = excluded.comment, updated_at = now()
    where (feedback.rating, feedback.comment) is distinct from (excluded.rating, excluded.comment);
  end if;
  return private.answer(client, json_build_object(
    'messageId', rate_answer.message_id, 'rating', rate_answer.rating,
    'comment', case when rate_answer.rating is not null then rate_answer.comment end
  ));
end $$;
comment on function public.rate_answer is 'Stores what a user thinks of an answer and returns it, or an error.';
