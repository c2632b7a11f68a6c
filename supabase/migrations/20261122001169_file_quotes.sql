-- Quotes of files: which answers of the last 30 days draw on a file, and which open questions it could answer. For the
-- desk, which asks when somebody looks: nothing is counted during a turn, and what is erased is counted no longer.

-- The passages that answers of a coach name, one row for each answer and file.
create function private.list_quotes(coach public.coach_profiles)
returns table (file_id text, thread_id uuid, message_id uuid, quoted_at timestamptz, quote text)
language plpgsql stable security invoker set search_path = '' as $$
declare since constant timestamptz := now() - interval '30 days';
begin
  return query
  select distinct on (answer.id, source->>'fileId')
    source->>'fileId', answer.thread_id, answer.id, answer.created_at, source->>'quote'
  from unnest('{false,true}'::boolean[]) as kind (is_standalone)
  cross join lateral (
    select thread.id from public.threads as thread
    where thread.account_id = coach.account_id and thread.coach_id = coach.id
      and thread.is_standalone = kind.is_standalone and thread.updated_at >= since offset 0
  ) as thread
  cross join lateral (
    select message.id, message.thread_id, message.created_at, message.sources from public.messages as message
    where message.thread_id = thread.id and message.created_at >= since and message.role = 'assistant'
      and message.status <> 'streaming' and jsonb_typeof(message.sources) = 'array' offset 0
  ) as answer
  cross join lateral jsonb_array_elements(answer.sources) as source
  where source ? 'fileId' order by answer.id, source->>'fileId';
end $$;

-- Entries of a list of files with the numbers of answers that draw on them.
create function private.add_quotes(coach public.coach_profiles, files json) returns json
language sql stable security invoker set search_path = '' as $$
  with counted as (
    select quoted.file_id, count(*) as answers from private.list_quotes(coach) as quoted group by quoted.file_id
  )
  select json_agg((entry.file::jsonb || jsonb_build_object('quotes', coalesce(counted.answers, 0)))::json order by entry.place)
  from json_array_elements(files) with ordinality as entry (file, place)
  left join counted on counted.file_id = entry.file->>'fileId';
$$;

-- The open questions that a passage of the file shares rare words with, as many as two of a single passage weigh; at most
-- ten, those that it fits best first.
create function private.list_answerable(coach public.coach_profiles, file_id uuid) returns json
language plpgsql stable security invoker set search_path = '' as $$
declare
  passage_count constant integer := coalesce(
    (select total.passages from private.passage_totals as total where total.coach_id = coach.id), 0
  );
begin
  return (
    with asked as materialized (
      select question.id, question.question, question.times, term.id as term_id,
        private.rarity(passage_count, term.passages) as weight
      from (
        select * from public.open_questions as waiting
        where waiting.coach_id = coach.id and waiting.status = 'open' and waiting.question is not null
        order by waiting.times desc, waiting.id limit 50
      ) as question
      cross join lateral unnest(private.to_lexemes(coach.language, question.question)) as word
      cross join lateral (
        select known.id, known.passages from private.passage_terms as known
        where known.coach_id = coach.id and known.lexeme = word.lexeme collate "C" offset 0
      ) as term
      where term.passages <= greatest(passage_count / 5, 1)
    ), fitting as (
      select asked.id, passage.id as passage_id, sum(asked.weight) as weight
      from public.passages as passage cross join lateral unnest(passage.terms) as term (id)
      join asked on asked.term_id = term.id
      where passage.file_id = list_answerable.file_id group by asked.id, passage.id
    ), best as (
      select fitting.id, max(fitting.weight) as weight from fitting group by fitting.id
      having max(fitting.weight) >= 1.5 * private.rarity(passage_count, 1) order by 2 desc, 1 limit 10
    )
    select json_agg(json_build_object('id', best.id, 'question', question.question, 'times', question.times)
      order by best.weight desc, best.id)
    from best join public.open_questions as question on question.id = best.id
  );
end $$;

create function public.list_file_quotes(caller jsonb, user_id text, coach_id text, file_id uuid) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id);
  refusal constant text := private.refuse_unless_expert(client, coach_id);
  coach constant public.coach_profiles := private.find_coach(client, coach_id);
  found_file constant public.knowledge_files := private.find_file(client, coach_id, file_id);
  quotes json;
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  if found_file.id is null then return private.refuse(client, 'file_not_found'); end if;
  select json_build_object('count', count(*), 'data', coalesce(json_agg(json_build_object(
    'thread_id', quoted.thread_id, 'message_id', quoted.message_id,
    'quoted_at', private.to_wire_time(quoted.quoted_at), 'quote', quoted.quote, 'question', left(question.content, 300)
  ) order by quoted.quoted_at desc, quoted.message_id) filter (where quoted.place <= 20), '[]')) into quotes
  from (
    select *, row_number() over (order by listed.quoted_at desc, listed.message_id) as place
    from private.list_quotes(coach) as listed where listed.file_id = found_file.id::text
  ) as quoted
  left join lateral (
    select asked.content from public.messages as asked
    where quoted.place <= 20 and asked.thread_id = quoted.thread_id and asked.role = 'user'
      and asked.created_at <= quoted.quoted_at
    order by asked.created_at desc, asked.sequence desc limit 1
  ) as question on true;
  return private.answer(client, (
    quotes::jsonb || jsonb_build_object('questions', coalesce(private.list_answerable(coach, found_file.id), '[]'))
  )::json);
end $$;
comment on function public.list_file_quotes is 'Reply of GET /knowledge-handler/{fileId}/quotes, or {"error": "coach_not_found" | "not_the_expert" | "file_not_found"}.';
