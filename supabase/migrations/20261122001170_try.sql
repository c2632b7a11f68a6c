-- Trying out a question, for the expert behind a coach: the sources of a turn, without a turn.
-- Function: try_question. Tests use what it finds, too.
-- Surprise: it writes nothing, so no pinned answer counts a hit.

-- What a question is answered from: {coach, user_hash, pinned, passages, exact, …} as of a turn. exact: the pinned answer
-- that would be given word for word, or null; with it there are no others.
-- said: what was said before, see rank_by_conversation(); empty: nothing.
create function private.find_for_question(coach public.coach_profiles, user_id text, question text, said text[],
  query_vector text, asked jsonb) returns jsonb
language plpgsql stable security invoker set search_path = '' as $$
declare
  request private.turn_request;
  turn private.turn;
  found json;
  is_exact boolean;
begin
  request.query_vector := find_for_question.query_vector;
  request.conversation := row(null, null, nullif(said, '{}'), true, false)::private.client_conversation;
  turn.coach := coach;
  turn.asked_at := now();
  found := private.find_pinned_answers(coach.id, coach.language, cardinality(said) > 0, question, query_vector,
    jsonb_populate_record(null::private.normal_question, asked));
  is_exact := json_typeof(found->'exact') = 'object';
  return jsonb_build_object('exact', found->'exact') || private.describe_turn(
    request, turn, (
      select private.hash_asker(account, find_for_question.user_id) from public.accounts as account where account.id = coach.account_id
    ), case when not is_exact then question end, case when not is_exact then found->'near' end
  )::jsonb;
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
