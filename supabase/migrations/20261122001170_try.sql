-- Trying out a question, for the expert behind a coach: the sources of a turn, without a turn.
-- Function: try_question.
-- Surprise: it writes nothing, so no pinned answer counts a hit.

-- The sources of an answer to a question.
-- {coach, user_hash, pinned, passages, exact} as of the first turn of a thread. exact: the pinned answer that would be
-- given word for word, or null; with it there are no others. Or {"error"} (see refuse_unless_expert).
create function public.try_question(caller jsonb, coach_id text, user_id text, question text,
  query_vector text) returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id);
  refusal constant text := private.refuse_unless_expert(client, coach_id);
  request private.turn_request;
  turn private.turn;
  found json;
  is_exact boolean;
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  request.query_vector := try_question.query_vector;
  request.history_characters := 0;
  turn.coach := private.find_coach(client, coach_id);
  turn.thread.account_id := client.account_id;
  turn.thread.user_id := coalesce(client.user_id, '');
  turn.asked_at := now();
  found := private.find_pinned_answers(coach_id, false, question, query_vector);
  is_exact := json_typeof(found->'exact') = 'object';
  return private.answer(client, (jsonb_build_object('exact', found->'exact') || private.describe_turn(
    request, turn, case when not is_exact then question end, case when not is_exact then found->'near' end
  )::jsonb)::json);
end $$;
comment on function public.try_question is 'The pinned answers and passages from which a coach would answer a question, for its expert, or {error}.';
