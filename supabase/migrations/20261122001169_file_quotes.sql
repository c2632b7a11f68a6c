-- Quotes of files: which answers of the last 30 days draw on a file, and which open questions it could answer.
-- Table: private.quotes, which follows messages.sources.

create table private.quotes (
  message_id uuid not null references public.messages (id) on delete cascade,
  -- No reference: it stays when the file is deleted, as in messages.
  file_id text not null,
  quoted_at timestamptz not null,
  constraint quotes_are_kept_once primary key (message_id, file_id)
);
comment on table private.quotes is 'Which answers that have ended draw on which files. Deleted with the answer.';
comment on column private.quotes.message_id is 'The answer.';
comment on column private.quotes.file_id is 'The file, as sources name it.';
comment on column private.quotes.quoted_at is 'messages.created_at of the answer.';

-- How many answers draw on a file, and the newest of them.
create index quotes_by_file on private.quotes (file_id, quoted_at desc, message_id);

-- Keeps the files on which an answer draws.
-- Definer: operators change messages too, and service_role has no rights on the private schema.
create function private.keep_quotes() returns trigger language plpgsql volatile security definer set search_path = '' as $$
begin
  if old.status <> 'streaming' then delete from private.quotes as former where former.message_id = new.id; end if;
  insert into private.quotes (message_id, file_id, quoted_at)
  select distinct new.id, file.id #>> '{}', new.created_at
  from jsonb_path_query(new.sources, '$[*].fileId ? (@.type() == "string")') as file (id)
  where new.role = 'assistant' and new.status <> 'streaming';
  return null;
end $$;
create trigger messages_keep_new_quotes after insert on public.messages
  for each row when (new.status <> 'streaming' and new.sources is not null) execute function private.keep_quotes();
create trigger messages_keep_quotes after update of status, sources, created_at on public.messages
  for each row when (
    (new.status <> 'streaming' and new.sources @? '$[*].fileId' or old.status <> 'streaming' and old.sources @? '$[*].fileId')
    and (new.status, new.created_at, new.sources) is distinct from (old.status, old.created_at, old.sources)
  ) execute function private.keep_quotes();

-- How many answers draw on a file.
create function private.count_quotes(file_id text) returns bigint
language sql stable security invoker set search_path = '' as $$
  select count(*) from private.quotes as quoted
  where quoted.file_id = count_quotes.file_id and quoted.quoted_at >= now() - interval '30 days';
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
        order by waiting.is_requested desc, waiting.people desc, waiting.last_asked_at desc, waiting.id desc limit 50
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
  select json_agg(json_build_object(
    'thread_id', answer.thread_id, 'message_id', answer.id, 'quoted_at', private.to_wire_time(answer.created_at),
    'quote', jsonb_path_query_first(answer.sources, '$[*] ? (@.fileId == $id).quote', jsonb_build_object('id', found_file.id)),
    'question', left(question.content, 300)
  ) order by answer.created_at desc, answer.id) into quotes
  from (
    select * from private.quotes as newest
    where newest.file_id = found_file.id::text and newest.quoted_at >= now() - interval '30 days'
    order by newest.quoted_at desc, newest.message_id limit 20
  ) as quoted
  join public.messages as answer on answer.id = any (array[quoted.message_id])
  join public.threads as thread on thread.id = any (array[answer.thread_id]) and thread.coach_id = coach.id
  left join lateral (
    select asked.content from public.messages as asked
    where asked.thread_id = answer.thread_id and asked.role = 'user' and asked.created_at <= answer.created_at
    order by asked.created_at desc, asked.sequence desc limit 1
  ) as question on true;
  return private.answer(client, json_build_object('count', private.count_quotes(found_file.id::text), 'data', coalesce(quotes, '[]'),
    'questions', coalesce(private.list_answerable(coach, found_file.id), '[]')));
end $$;
comment on function public.list_file_quotes is 'Reply of GET /knowledge-handler/{fileId}/quotes, or {"error": "coach_not_found" | "not_the_expert" | "file_not_found"}.';
