-- Search: the passages that a turn draws on, and the list of files. Both use the ranking by words and, if the
-- deployment has embeddings, the ranking by meaning. Reciprocal ranks make one ranking of the two.
-- Everywhere query_vector is the embedding of the query as JSON, {"model", "vector"}, or null without embeddings.

-- Score by reciprocal rank, 0 to 1, of an item with these places in two rankings; null: it is not in that ranking.
-- Cormack, Clarke and Büttcher (2009), with their k = 60. Scaled: an item that is first in both rankings gets 1.
create function private.fuse(place_by_words bigint, place_by_meaning bigint) returns double precision
language plpgsql immutable security invoker set search_path = '' as $$
begin
  return 30.5::double precision * (
    coalesce(1 / (60::double precision + fuse.place_by_words), 0)
      + coalesce(1 / (60::double precision + fuse.place_by_meaning), 0)
  );
end $$;

-- The passages that a question finds by its words. What was said before counts as well where the question says little
-- without it (it finds a passage that fits it twice as well) or goes on with it (both find one of the same among their
-- best eight): the words of the last answer and of the two questions before it. They add to a passage at most nine tenths
-- of what the question alone gives the best one, so that its own words still weigh most.
-- said: what was said before, oldest first: the texts, each after u for a user or a for an answer. says_something: false
-- if the question has no word of its own; then the last exchange counts, and its answer most.
create function private.rank_by_conversation(
  coach_id text, question text, said text[], says_something boolean
) returns table (passage_id integer, score double precision)
language plpgsql stable security invoker set search_path = '' set enable_seqscan = off as $$
declare
  -- Of a long message, the last paragraph counts most: that is where people ask what they want to know.
  is_long constant boolean := char_length(question) > 1000;
  asked constant text[] := case when is_long
    then array[question, split_part(btrim(replace(question, E'\r', ''), E' \n\t'), E'\n\n', -1)] else array[question] end;
  weights constant double precision[] := case when is_long then '{1,4}' else '{1}' end;
  texts text[]; shares double precision[];
begin
  select array_agg(left(substr(earlier.text, 2), 1000)),
    array_agg(case when earlier.role = 'u' then 0.5 ^ earlier.steps_back when says_something then 0.2 else 1 end)
  into texts, shares
  from (
    select given.text, left(given.text, 1) as role,
      row_number() over (partition by left(given.text, 1) order by given.place desc) as steps_back
    from unnest(rank_by_conversation.said) with ordinality as given (text, place)
  ) as earlier
  where earlier.steps_back = 1 or earlier.steps_back = 2 and earlier.role = 'u' and says_something;

  return query
  with alone as (
    select ranked.*, rank() over (order by ranked.score desc) as place
    from private.rank_passages(rank_by_conversation.coach_id, asked, weights, category => null, file_count => 0) as ranked
  ), before as (
    select ranked.*, rank() over (order by ranked.score desc) as place
    from private.rank_passages(rank_by_conversation.coach_id, texts, shares, category => null, file_count => 0) as ranked
    where texts is not null
  ), best as (
    select (select max(alone.score) from alone) as alone, (select max(before.score) from before) as before
  ), earlier as (
    select before.passage_id, before.score * coalesce(least(1, 0.9 * best.alone / best.before), 1) as score
    from before cross join best
    where coalesce(best.alone, 0) < best.before / 2 or exists (
      select from alone join before as shared on shared.passage_id = alone.passage_id
      where alone.place <= 8 and shared.place <= 8
    )
  )
  select coalesce(alone.passage_id, earlier.passage_id), coalesce(alone.score, 0) + coalesce(earlier.score, 0)
  from alone full join earlier on earlier.passage_id = alone.passage_id;
end $$;

-- Barred passages are left out. said: see rank_by_conversation().
create function public.search_passages(
  coach_id text, query text, how_many integer default 8, said text[] default null, query_vector text default null
)
returns table (passage_id integer, file_id uuid, filename text, source_url text, "position" integer, page integer,
  heading text, content text, score double precision, dated_at timestamptz, reading jsonb)
language plpgsql stable security definer set search_path = ''
set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  -- A message like "and then?" says nothing by itself, and neither does its vector.
  says_something constant boolean := search_passages.said is null or length(private.to_lexemes(
    (select coach.language from public.coach_profiles as coach where coach.id = search_passages.coach_id),
    left(search_passages.query, 1000)
  )) > 0;
  has_barred constant boolean :=
    exists (select from private.barred_passages as barred where barred.coach_id = search_passages.coach_id);
begin
  return query
  with by_words as (
    select ranked.*, row_number() over (order by ranked.score desc, ranked.passage_id) as place
    from private.rank_by_conversation(search_passages.coach_id, search_passages.query, search_passages.said,
      says_something) as ranked
  ), best as (
    select coalesce(by_words.passage_id, by_meaning.passage_id) as id,
      case when search_passages.query_vector is null then by_words.score
        else private.fuse(by_words.place, by_meaning.place) end as points
    from by_words
    full join private.rank_by_meaning(search_passages.coach_id,
      case when says_something then search_passages.query_vector end, category => null, how_many => 50, is_quoting => true) as by_meaning
      on by_meaning.passage_id = by_words.passage_id
    order by points desc, id offset 0
  )
  select passage.id, file.id, file.name, file.source_url, passage.position, passage.page, passage.heading, passage.content, passage.points,
    coalesce(file.fetched_at, file.uploaded_at),
    private.describe_reading(file.category, passage.heading, passage.is_recognized)
  from (
    -- In the order of best: only so many are read as are wanted and barred.
    select candidate.*, best.points from best
    cross join lateral (select * from public.passages as passage where passage.id = best.id offset 0) as candidate
    where not has_barred or not exists (
      select from private.barred_passages as barred
      where barred.coach_id = search_passages.coach_id and barred.passage_id = md5(candidate.content)
    )
    limit search_passages.how_many
  ) as passage
  join public.knowledge_files as file on file.id = any (array[passage.file_id])
  order by passage.points desc, passage.id;
end $$;
comment on function public.search_passages is 'The passages of a coach that answer a question best, best first.';

-- The newest messages of a thread before an instant, oldest first, as rank_by_conversation() takes them.
create function private.list_said(thread_id uuid, before timestamptz) returns text[]
language plpgsql stable security invoker set search_path = ''
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off as $$
begin
  return (
    select array_agg(left(told.role, 1) || told.content order by told.created_at, told.sequence)
    from (
      select message.* from public.messages as message
      where message.thread_id = list_said.thread_id and message.role <> 'system' and message.content <> ''
        and message.created_at < list_said.before
      order by message.created_at desc, message.sequence desc limit 4
    ) as told
  );
end $$;

-- The passages of a coach that fit a question best, as many as the model is given.
-- said: what a client says was said before, see rank_by_conversation(); null: what was said in the thread.
create function private.find_passages(
  coach_id text, thread_id uuid, before timestamptz, question text, said text[], query_vector text
) returns json language plpgsql stable security invoker set search_path = '' set enable_seqscan = off as $$
declare
  passage_count constant integer := 6;
  passage_characters constant integer := 12000;
begin
  return (
    select json_agg(
      jsonb_build_object(
        -- Of the text: it stays the same when the file is read again.
        'passage_id', md5(found.content),
        'file_id', found.file_id, 'filename', found.filename, 'source_url', found.source_url,
        'position', found."position", 'page', found.page, 'heading', found.heading,
        'date', to_char(found.dated_at at time zone 'UTC', 'YYYY-MM-DD'),
        'content', left(found.content, passage_characters), 'score', round(found.score::numeric, 4)
      ) || found.reading order by found.place
    )
    from (
      select passage.*, row_number() over (order by passage.ordinality) as place,
        sum(char_length(passage.content)) over (order by passage.ordinality) as characters
      from (
        -- The same text in several files takes one place, and more remain for others.
        select distinct on (md5(candidate.content)) candidate.*
        from public.search_passages(
          find_passages.coach_id, find_passages.question, 3 * passage_count,
          coalesce(find_passages.said, private.list_said(find_passages.thread_id, find_passages.before)),
          find_passages.query_vector
        ) with ordinality as candidate
        order by md5(candidate.content), candidate.ordinality
      ) as passage
    ) as found
    where found.place <= passage_count and (found.characters <= passage_characters or found.place = 1)
  );
end $$;

create type private.file_search as (
  coach_id text,
  language text,
  -- Null or blank: all files, newest first.
  search text,
  category text,
  query_vector text,
  page_size integer,
  skipped bigint
);
comment on type private.file_search is 'A page of the list of files, as it is looked for.';

-- The files whose name holds a word of the search, also as a part of another word, with accents joined or apart.
-- A rare word counts more. Stop words say nothing about a name.
create function private.match_names(wanted private.file_search, most_files integer)
returns table (number integer, score double precision)
language plpgsql stable security invoker set search_path = ''
-- The index of parts of names is read as a bitmap alone.
set enable_bitmapscan = on as $$
declare
  words text[]; patterns text[];
begin
  select array_agg(word.text), array_agg(word.pattern) || array_agg(normalize(word.pattern, nfd)) into words, patterns
  from (
    select distinct asked.text, '%' || regexp_replace(asked.text, '([\\%_])', '\\\1', 'g') || '%' as pattern
    from regexp_split_to_table(normalize(lower(left(wanted.search, 1000)), nfc), '\s+') as asked (text)
    where octet_length(asked.text) >= 3 and private.to_lexemes(wanted.language, asked.text) <> '' limit 16
  ) as word;

  return query
  with named as materialized (
    select file.number, normalize(lower(file.name), nfc) as name from public.knowledge_files as file
    where file.coach_id = wanted.coach_id and file.replaces is null
      and (wanted.category is null or file.category = wanted.category)
      and file.name ilike any (patterns)
    order by (
      select count(*) from unnest(words) as word where position(word in normalize(lower(file.name), nfc)) > 0
    ) desc, file.number
    limit most_files
  ), hit as materialized (select word, named.number from unnest(words) as word join named on position(word in named.name) > 0)
  select hit.number, sum(private.rarity(
    (select count(*) from public.knowledge_files as file where file.coach_id = wanted.coach_id), seen.count
  ))
  from hit
  join (select hit.word, count(*) as count from hit group by hit.word) as seen on seen.word = hit.word
  group by hit.number;
end $$;

-- The files that fit a search best, at most 1,000, each with the passage to show. Scores by words are those of the best
-- passage of each file and of its name, added up. By meaning, the files of the 50 closest passages are found.
create function private.rank_files(wanted private.file_search)
returns table (file_number integer, passage_id integer, is_name_alone boolean, score double precision)
language plpgsql stable security invoker set search_path = '' as $$
declare most_files constant integer := 1000;
begin
  return query
  with by_content as (
    select distinct on (ranked.file_number) ranked.file_number as number, ranked.passage_id, ranked.score
    from private.rank_passages(wanted.coach_id, array[wanted.search], '{1}', wanted.category, most_files) as ranked
    order by ranked.file_number, ranked.score desc, ranked.passage_id
  ), by_words as (
    select found.*, row_number() over (order by found.score desc, found.number) as place
    from (
      select number, by_content.passage_id, by_content.score is null as is_name_alone,
        coalesce(by_content.score, 0) + coalesce(by_name.score, 0) as score
      from by_content full join private.match_names(wanted, most_files) as by_name using (number)
    ) as found
    order by place limit most_files
  ), by_meaning as (
    select closest.number, closest.passage_id, row_number() over (order by closest.place) as place
    from (
      select distinct on (file.number) file.number, found.passage_id, found.place
      from private.rank_by_meaning(wanted.coach_id, wanted.query_vector, wanted.category, 50, is_quoting => false) as found
      join public.passages as passage on passage.id = any (array[found.passage_id])
      join public.knowledge_files as file on file.id = any (array[passage.file_id])
      order by file.number, found.place
    ) as closest
  )
  select number,
    -- A file found by its name only has no passage to show by words.
    case when by_words.is_name_alone is false then by_words.passage_id else by_meaning.passage_id end,
    coalesce(by_words.is_name_alone, false),
    case when wanted.query_vector is null then by_words.score
      else private.fuse(by_words.place, by_meaning.place) end as points
  from by_words full join by_meaning using (number) order by points desc, number
  limit most_files;
end $$;

-- A page of the files that a search finds, best first, with excerpts; total counts at most 1,000.
create function private.find_files(wanted private.file_search, out total bigint, out files json)
language plpgsql stable security invoker set search_path = '' as $$
declare
  lexemes tsquery; term_ids bigint[];
begin
  select string_agg('''' || regexp_replace(word.lexeme, '([\\''])', '\1\1', 'g') || '''', ' | ')::tsquery, array_agg(term.id)
  into lexemes, term_ids
  from (
    select asked.lexeme from unnest(private.to_lexemes(wanted.language, left(wanted.search, 10000))) as asked limit 64
  ) as word
  left join private.passage_terms as term
    on term.coach_id = wanted.coach_id and term.lexeme = any (array[word.lexeme collate "C"]);

  with ranked as materialized (select * from private.rank_files(wanted)), listed as (
    select * from ranked order by ranked.score desc, ranked.file_number limit wanted.page_size offset wanted.skipped
  )
  select
    (select count(*) from ranked),
    json_agg(
      private.describe_file(file, listed.score, private.excerpt(wanted.language, passage.content, coalesce(lexemes, '')))::jsonb
        || private.describe_reading(null, null, passage.is_recognized)
      order by listed.score desc, listed.file_number
    )
  into total, files
  from listed
  join public.knowledge_files as file on file.number = any (array[listed.file_number])
  left join public.passages as passage on passage.id = any (array[coalesce(listed.passage_id, (
    -- If only frequent words were found, the first passage with one of them; if only the name, the first passage.
    select passage.id from public.passages as passage
    where passage.file_id = file.id and (listed.is_name_alone or passage.terms && term_ids)
    order by passage.position limit 1
  ))]);
end $$;

-- Any key alone may search. A signed-in user with a publishable key must be an expert of the coach.
create function public.search_knowledge(caller jsonb, coach_id text, search text default null,
  category text default null, page integer default 1, page_size integer default 20,
  query_vector text default null, with_quotes boolean default false) returns json
language plpgsql volatile security definer set search_path = '' set enable_seqscan = off as $$
declare
  client constant private.caller := private.admit(caller);
  refusal constant text := private.refuse_change(client, coach_id, 'answerer');
  coach constant public.coach_profiles := private.find_coach(client, coach_id);
  wanted constant private.file_search := row(
    coach.id, coach.language, search, category, query_vector, page_size, (greatest(page, 1)::bigint - 1) * page_size
  );
  listed record;
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  if btrim(coalesce(search, '')) = '' then
    select (
      select count(*) from public.knowledge_files as file where file.coach_id = coach.id and file.replaces is null
        and (wanted.category is null or file.category = wanted.category)
    ) as total, json_agg(private.describe_file(newest, null, null) order by newest.uploaded_at desc, newest.id desc)
      as files into listed
    from (
      select * from public.knowledge_files as file where file.coach_id = coach.id and file.replaces is null
        and (wanted.category is null or file.category = wanted.category)
      order by file.uploaded_at desc, file.id desc limit wanted.page_size offset wanted.skipped
    ) as newest;
  else
    listed := private.find_files(wanted);
  end if;
  if with_quotes then
    select json_agg((entry.file::jsonb || jsonb_build_object('quotes', private.count_quotes(entry.file->>'fileId'))
    )::json order by entry.place) into listed.files
    from json_array_elements(listed.files) with ordinality as entry (file, place);
  end if;
  return private.answer(client, json_build_object('data', coalesce(listed.files, '[]'),
    'count', coalesce(json_array_length(listed.files), 0), 'total', listed.total, 'page', page, 'limit', page_size));
end $$;
comment on function public.search_knowledge is 'Reply of GET /knowledge-handler: the files of a coach, best match first, without a search newest first; or {"error": "coach_not_found" | "not_the_coach"}.';
