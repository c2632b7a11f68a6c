-- The sources of a turn, without a turn, for the expert behind a coach: of a question that is tried, and of a reply that is
-- drafted. Functions: try_question, draft_reply. Tests use what they find, too.
-- Surprise: it writes nothing, so no pinned answer counts a hit.

-- What a question is answered from: {coach, user_hash, pinned, passages, exact, …} as of a turn. exact: the pinned answer
-- that would be given word for word, or null; with it there are no others.
-- said: what was said before, see rank_by_conversation(); empty: nothing, or what was said in the thread before a moment.
create function private.find_for_question(coach public.coach_profiles, user_id text, question text, said text[],
  query_vector text, asked jsonb, thread public.threads default null, before timestamptz default now()) returns jsonb
language plpgsql volatile security invoker set search_path = '' as $$
declare
  turn private.begun_turn;
  form constant private.normal_question := jsonb_populate_record(null::private.normal_question, asked);
  described jsonb;
begin
  perform private.require_form(coach, form, question);
  turn.request.content := question;
  turn.request.query_vector := find_for_question.query_vector;
  turn.request.asked := form;
  turn.thread_id := thread.id;
  turn.coach_id := coach.id;
  turn.user_id := find_for_question.user_id;
  turn.asked_at := before;
  turn.said := nullif(find_for_question.said, '{}');
  turn.is_answered := true;
  described := (private.answer_turns(array[turn]))[1];
  -- As the coach would be.
  return '{"exact": null}' || described || jsonb_build_object('coach', (
    select jsonb_object_agg(field, to_jsonb(coach)->field) from jsonb_object_keys(described->'coach') as field
  ));
end $$;

-- The sources of an answer to a question, see find_for_question(); or {"error"} (see refuse_unless_expert).
-- is_draft: as the coach would be if its draft were published. said: see find_for_question().
create function public.try_question(caller jsonb, coach_id text, user_id text, question text,
  query_vector text, is_draft boolean default false, said text[] default '{}', asked jsonb default null) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id);
  refusal constant text := private.refuse_unless_expert(client, coach_id);
  coach public.coach_profiles := private.find_coach(client, coach_id);
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  if is_draft then coach := private.apply_draft(coach); end if;
  return private.answer(client, private.find_for_question(
    coach, coalesce(client.user_id, ''), question, said, query_vector, asked
  )::json);
end $$;
comment on function public.try_question is 'The pinned answers and passages from which a coach would answer a question, for its expert, or {error}.';

-- The sources of a reply to a question in a thread, by default the newest: what find_for_question() returns, with the
-- question and what was said before it; or an error.
create function public.draft_reply(caller jsonb, user_id text, thread_id uuid, in_reply_to uuid default null,
  query_vector text default null, asked jsonb default null) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id);
  refusal constant text := private.refuse_unless_expert_of_thread(client, thread_id);
  thread constant public.threads := private.find_thread(client, thread_id, with_expert => true);
  question public.messages;
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  select * into question from public.messages as message
  where message.thread_id = thread.id and message.role = 'user'
    and message.id = coalesce(draft_reply.in_reply_to, message.id)
  order by message.created_at desc, message.sequence desc limit 1;
  if question.id is null then return private.refuse(client, 'message_not_found'); end if;
  return private.answer(client, (private.find_for_question(
    private.find_coach(client, thread.coach_id), coalesce(client.user_id, ''), question.content, '{}', query_vector, asked,
    thread, question.created_at
  ) || jsonb_build_object('question', question.content, 'question_id', question.id))::json);
end $$;
comment on function public.draft_reply is 'The question, the history, the pinned answers and passages from which a reply of the expert is drafted, or {error}.';
