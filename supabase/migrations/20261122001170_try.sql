-- Trying a question out, for the expert behind a coach: what a turn would use, without a turn.
-- Function: try_question.
-- Surprise: it writes nothing, so that no pinned answer counts a hit.

-- {coach, user_hash, pinned, passages, exact} as of the first turn of a thread: exact is the pinned answer that would be
-- given word for word, or null; with it there is nothing else. Or {"error"}, as of refuse_expert.
create function private.try_question(
  account_id uuid, coach_ids text[], user_id text, coach_id text, question text, query_vector text
) returns jsonb
language plpgsql stable security invoker set search_path = '' set enable_seqscan = off
as $$
declare
  refusal constant text := private.refuse_expert(
    try_question.account_id, try_question.coach_ids, try_question.coach_id, try_question.user_id
  );
  coach public.coach_profiles;
  -- As they would be in the first turn of a person whom nobody knows.
  thread public.threads;
  answer public.messages;
  found json;
  is_exact boolean;
begin
  if refusal is not null then
    return jsonb_build_object('error', refusal);
  end if;
  select * into coach from public.coach_profiles as candidate where candidate.id = try_question.coach_id;
  thread.account_id := try_question.account_id;
  thread.coach_id := coach.id;
  thread.user_id := coalesce(try_question.user_id, '');
  found := private.find_pinned_answers(coach.id, false, try_question.question, try_question.query_vector);
  is_exact := json_typeof(found->'exact') = 'object';
  return jsonb_build_object('exact', found->'exact') || private.describe_turn(
    thread, coach, answer, now(), case when not is_exact then try_question.question end,
    case when not is_exact then found->'near' end, try_question.query_vector, 0
  )::jsonb;
end;
$$;

comment on function private.try_question is 'What public.try_question() does for an account.';

create function public.try_question(caller jsonb, coach_id text, user_id text, question text,
  query_vector text) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare client constant private.caller := private.admit(caller, user_id);
begin
  return private.answer(client, case when client.is_admitted then
    private.try_question(client.account_id, client.coach_ids, user_id, coach_id, question, query_vector)::json end);
end;
$$;

comment on function public.try_question is 'What a coach would answer a question from, for its expert: pinned answers and passages, or {error}.';
