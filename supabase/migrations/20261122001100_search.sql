-- Search: the passages that a turn draws on, and the list of files. Both use the ranking by words and, where the
-- deployment has embeddings, the ranking by meaning; the two become one by reciprocal rank.
-- Functions: search_passages and, for a turn, find_passages; search_knowledge, the list of files. In all of them
-- query_vector is the embedding of the query as JSON, {"model", "vector"}; null: there are no embeddings.

-- Cormack, Clarke and Büttcher (2009), with their k = 60, scaled so that the first in both rankings gets 1.
create function private.fuse(place_by_words bigint, place_by_meaning bigint) returns double precision
language plpgsql immutable security invoker set search_path = ''
as $$
begin
  return 30.5::double precision * (
    coalesce(1 / (60::double precision + fuse.place_by_words), 0) + coalesce(1 / (60::double precision + fuse.place_by_meaning), 0)
  );
end;
$$;

comment on function private.fuse is 'Score by reciprocal rank, 0 to 1, of an item with these places in two rankings; a place is null where the item is not ranked.';

-- A message that says little by itself is understood from what was said before it. Its own words are repeated, so that
-- they still weigh most.
create function private.widen_query(coach_id text, query text, context text) returns text
language plpgsql stable security invoker set search_path = ''
as $$
begin
  return (
    select case
      when widen_query.context is not null and length(private.to_lexemes(coach.language, left(widen_query.query, 1000))) < 3
      then repeat(widen_query.query || ' ', 10) || widen_query.context
      else widen_query.query
    end
    from public.coach_profiles as coach
    where coach.id = widen_query.coach_id
  );
end;
$$;

comment on function private.widen_query is 'The query, with the words of its context where it has fewer than three of its own.';

-- context: what was said before, for a query that says little by itself. Barred passages are left out.
create function public.search_passages(
  coach_id text,
  query text,
  how_many integer default 8,
  context text default null,
  query_vector text default null
)
returns table (
  passage_id integer, file_id uuid, filename text, "position" integer, page integer, heading text, content text, score double precision
)
language plpgsql stable security definer set search_path = ''
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
declare
  has_barred constant boolean :=
    exists (select from private.barred_passages as barred where barred.coach_id = search_passages.coach_id);
begin
  return query
  with by_words as (
    select ranked.passage_id, ranked.score, row_number() over (order by ranked.score desc, ranked.passage_id) as place
    from private.rank_passages(
      search_passages.coach_id,
      private.widen_query(search_passages.coach_id, search_passages.query, search_passages.context),
      null,
      0
    ) as ranked
  ), best as (
    select coalesce(by_words.passage_id, by_meaning.passage_id) as id,
      case when search_passages.query_vector is null then by_words.score
        else private.fuse(by_words.place, by_meaning.place) end as points
    from by_words
    full join private.rank_by_meaning(search_passages.coach_id, (
      -- A message like "and then?" is left out: its vector says as little as its words, and cannot be widened.
      select search_passages.query_vector from public.coach_profiles as coach
      where coach.id = search_passages.coach_id and (
        search_passages.context is null or private.to_lexemes(coach.language, left(search_passages.query, 1000)) <> ''
      )
    ), null, 50) as by_meaning on by_meaning.passage_id = by_words.passage_id
    order by points desc, id
    offset 0
  )
  select passage.id, file.id, file.name, passage.position, passage.page, passage.heading, passage.content, passage.points
  from (
    -- In the order of best: only so many are read as are wanted and barred.
    select held.*, best.points from best
    cross join lateral (
      select * from public.passages as candidate where candidate.id = best.id offset 0
    ) as held
    where not has_barred or not exists (
      select from private.barred_passages as barred
      where barred.coach_id = search_passages.coach_id and barred.passage_id = md5(held.content)
    )
    limit search_passages.how_many
  ) as passage
  join public.knowledge_files as file on file.id = any (array[passage.file_id])
  order by passage.points desc, passage.id;
end;
$$;

comment on function public.search_passages is 'The passages of a coach that answer a question best, best first.';

-- The search is given the last exchange as well, since a question may only make sense with it. Null for none.
create function private.find_passages(coach_id text, thread_id uuid, before timestamptz, question text, query_vector text)
returns json
language plpgsql stable security invoker set search_path = '' set enable_seqscan = off
as $$
declare
  passage_count constant integer := 6;
  passage_characters constant integer := 12000;
  last_exchange text;
begin
  -- For a coach without files this is one look into an index.
  if not exists (select from public.knowledge_files as file where file.coach_id = find_passages.coach_id) then
    return null;
  end if;

  select string_agg(left(said.content, 1000), ' ') into last_exchange
  from (
    select message.content
    from public.messages as message
    where message.thread_id = find_passages.thread_id and message.role <> 'system' and message.content <> ''
      and message.created_at < find_passages.before
    order by message.created_at desc, message.sequence desc
    limit 2
  ) as said;

  return (
    select json_agg(
      json_build_object(
        -- Of the text: it stays the same when the file is read again.
        'passage_id', md5(found.content),
        'file_id', found.file_id,
        'filename', found.filename,
        'page', found.page,
        'heading', found.heading,
        'content', left(found.content, passage_characters),
        'score', round(found.score::numeric, 4)
      ) order by found.place
    )
    from (
      select passage.*, passage.ordinality as place,
        sum(char_length(passage.content)) over (order by passage.ordinality) as characters
      from public.search_passages(
        find_passages.coach_id, find_passages.question, passage_count, last_exchange, find_passages.query_vector
      ) with ordinality as passage
    ) as found
    where found.characters <= passage_characters or found.place = 1
  );
end;
$$;

comment on function private.find_passages is 'The passages of a coach that fit a question best, as many as the model is given.';

-- user_id null: any caller may search. A signed-in user with a publishable key must be the expert behind the coach.
-- The result is {"error": "coach_not_found" | "not_the_coach"} where they may not. Without a search all files, newest first. Pages are numbered from 1. The
-- files of the 50 passages that are closest in meaning count as found.
create function private.search_knowledge(
  account_id uuid,
  coach_ids text[],
  user_id text,
  coach_id text,
  search text,
  category text,
  page integer,
  page_size integer,
  query_vector text
) returns json
language plpgsql stable security invoker set search_path = '' set enable_seqscan = off
as $$
declare
  -- A search counts and shows no more files than these.
  file_count constant integer := 1000;
  skipped constant bigint := (greatest(search_knowledge.page, 1)::bigint - 1) * search_knowledge.page_size;
  refusal constant text := private.refuse_change(
    search_knowledge.account_id, search_knowledge.coach_ids, search_knowledge.coach_id, search_knowledge.user_id
  );
  language text;
  words text[];
  patterns text[];
  lexemes tsquery;
  term_ids bigint[];
  total bigint;
  files json;
begin
  if refusal is not null then
    return json_build_object('error', refusal);
  end if;
  select coach.language into language from public.coach_profiles as coach where coach.id = search_knowledge.coach_id;

  if btrim(coalesce(search_knowledge.search, '')) = '' then
    select count(*) into total from public.knowledge_files as file
    where file.coach_id = search_knowledge.coach_id
      and (search_knowledge.category is null or file.category = search_knowledge.category);
    select json_agg(private.describe_file(listed, null, null) order by listed.uploaded_at desc, listed.id desc) into files
    from (
      select * from public.knowledge_files as file
      where file.coach_id = search_knowledge.coach_id
        and (search_knowledge.category is null or file.category = search_knowledge.category)
      order by file.uploaded_at desc, file.id desc
      limit search_knowledge.page_size offset skipped
    ) as listed;
  else
    -- Stop words say nothing about a name.
    select array_agg(word.text), array_agg('%' || regexp_replace(word.text, '([\\%_])', '\\\1', 'g') || '%')
    into words, patterns
    from (
      select distinct entry.text
      from regexp_split_to_table(lower(left(search_knowledge.search, 1000)), '\s+') as entry (text)
      where char_length(entry.text) >= 3 and private.to_lexemes(language, entry.text) <> ''
      limit 16
    ) as word;
    select string_agg('''' || regexp_replace(word.lexeme, '([\\''])', '\1\1', 'g') || '''', ' | ')::tsquery,
      array_agg(term.id)
    into lexemes, term_ids
    from (
      select asked.lexeme from unnest(private.to_lexemes(language, left(search_knowledge.search, 10000))) as asked limit 64
    ) as word
    left join private.passage_terms as term
      on term.coach_id = search_knowledge.coach_id and term.lexeme = any (array[word.lexeme collate "C"]);

    -- by_name: the files whose name holds a word of the search; a rare word counts more. by_content: the best passage of
    -- each file. by_words: the scores of both, added up. by_meaning: the files of the closest passages. ranked: by_words
    -- and by_meaning as one.
    with named as materialized (
      select file.number, file.name from public.knowledge_files as file
      where file.coach_id = search_knowledge.coach_id
        and (search_knowledge.category is null or file.category = search_knowledge.category)
        and file.name ilike any (patterns)
      order by (select count(*) from unnest(words) as word where position(word in lower(file.name)) > 0) desc, file.number
      limit file_count
    ), hit as materialized (
      select word, named.number from unnest(words) as word join named on position(word in lower(named.name)) > 0
    ), by_name as (
      select hit.number, sum(private.rarity(
        (select count(*) from public.knowledge_files as file where file.coach_id = search_knowledge.coach_id), seen.count
      )) as score
      from hit
      join (select hit.word, count(*) as count from hit group by hit.word) as seen on seen.word = hit.word
      group by hit.number
    ), by_content as (
      select distinct on (ranked.file_number) ranked.file_number as number, ranked.passage_id, ranked.score
      from private.rank_passages(search_knowledge.coach_id, search_knowledge.search, search_knowledge.category, file_count) as ranked
      order by ranked.file_number, ranked.score desc, ranked.passage_id
    ), by_words as (
      select found.*, row_number() over (order by found.score desc, found.number) as place
      from (
        select number, by_content.passage_id, by_content.score is null as is_name_alone,
          coalesce(by_content.score, 0) + coalesce(by_name.score, 0) as score
        from by_content full join by_name using (number)
      ) as found
      order by place
      limit file_count
    ), by_meaning as (
      select closest.number, closest.passage_id, row_number() over (order by closest.place) as place
      from (
        select distinct on (file.number) file.number, found.passage_id, found.place
        from private.rank_by_meaning(search_knowledge.coach_id, search_knowledge.query_vector, search_knowledge.category, 50) as found
        join public.passages as passage on passage.id = any (array[found.passage_id])
        join public.knowledge_files as file on file.id = any (array[passage.file_id])
        order by file.number, found.place
      ) as closest
    ), ranked as (
      select number,
        -- A file found by its name only has no passage to show by words.
        case when by_words.is_name_alone is false then by_words.passage_id else by_meaning.passage_id end as passage_id,
        coalesce(by_words.is_name_alone, false) as is_name_alone,
        case when search_knowledge.query_vector is null then by_words.score
          else private.fuse(by_words.place, by_meaning.place) end as score
      from by_words full join by_meaning using (number)
      order by score desc, number
      limit file_count
    ), listed as (
      select * from ranked order by ranked.score desc, ranked.number limit search_knowledge.page_size offset skipped
    )
    select
      (select count(*) from ranked),
      json_agg(
        private.describe_file(file, listed.score, private.excerpt(language, passage.content, coalesce(lexemes, '')))
        order by listed.score desc, listed.number
      )
    into total, files
    from listed
    join public.knowledge_files as file on file.number = any (array[listed.number])
    left join public.passages as passage on passage.id = any (array[coalesce(listed.passage_id, (
      -- Where only frequent words were found, the first passage with one of them; where only the name, the first
      -- passage.
      select shown.id from public.passages as shown
      where shown.file_id = file.id and (listed.is_name_alone or shown.terms && term_ids)
      order by shown.position
      limit 1
    ))]);
  end if;

  return json_build_object(
    'data', coalesce(files, '[]'),
    'count', coalesce(json_array_length(files), 0),
    'total', total,
    'page', search_knowledge.page,
    'limit', search_knowledge.page_size
  );
end;
$$;

comment on function private.search_knowledge is 'What public.search_knowledge() does for an account.';

create function public.search_knowledge(caller jsonb, coach_id text, search text default null,
  category text default null, page integer default 1, page_size integer default 20,
  query_vector text default null) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare client constant private.caller := private.admit(caller);
begin
  return private.answer(client, case when client.is_admitted then
    private.search_knowledge(client.account_id, client.coach_ids, client.user_id, coach_id, search, category, page,
      page_size, query_vector) end);
end;
$$;

comment on function public.search_knowledge is 'Reply of GET /knowledge-handler: the files of a coach, best match first, without a search newest first; or {"error": "coach_not_found" | "not_the_coach"}.';
