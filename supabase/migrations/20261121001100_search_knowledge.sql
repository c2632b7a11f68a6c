-- Search: the best passages of a coach for the chat, and the list of files for the API, from one ranking.
-- BM25 over the words of text, heading and file name; any of the words may match. The rarest words choose the
-- candidates and the frequent ones only add to their score (the idea of MaxScore), so the cost is bounded however
-- much a coach knows. The best passages then show which other words belong to the subject, and the order of the
-- first two hundred takes them into account (pseudo relevance feedback).
-- All arithmetic is in double precision: numeric is ten times slower.
-- A later ranking by embeddings is fused in by reciprocal rank where the two public functions call this one.

-- Robertson and Zaragoza (2009), in the form that is never negative.
create function private.rarity(passages bigint, holding bigint) returns double precision
language sql immutable security invoker set search_path = ''
return ln(1 + (rarity.passages - rarity.holding + 0.5::double precision) / (rarity.holding + 0.5::double precision));

comment on function private.rarity(bigint, bigint) is 'Inverse document frequency of a word that so many of all passages hold.';
revoke execute on function private.rarity(bigint, bigint) from public;

create function private.describe_file(file public.knowledge_files, score double precision, snippet text) returns json
language sql stable security invoker set search_path = ''
return json_build_object(
  'fileId', file.id,
  'filename', file.name,
  'size', file.size,
  'contentType', file.content_type,
  'uploadedAt', to_char(file.uploaded_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
  'category', file.category,
  'status', file.status,
  'score', round(score::numeric, 4),
  'snippet', snippet
);

comment on function private.describe_file(public.knowledge_files, double precision, text) is 'An entry of the list of knowledge files.';
revoke execute on function private.describe_file(public.knowledge_files, double precision, text) from public;

-- Words that the parser hides in a path are laid open where nothing else matches.
create function private.excerpt(language text, content text, lexemes tsquery) returns text
language sql stable security invoker set search_path = ''
return regexp_replace(btrim(ts_headline(
  excerpt.language::regconfig,
  case when to_tsvector(excerpt.language::regconfig, excerpt.content) @@ excerpt.lexemes then excerpt.content
    else translate(excerpt.content, '/\_', '   ') end,
  excerpt.lexemes,
  'StartSel="", StopSel="", MaxWords=40, MinWords=20, MaxFragments=2, FragmentDelimiter=" … "'
)), '\s+', ' ', 'g');

comment on function private.excerpt(text, text, tsquery) is 'The words of a passage around what was searched for.';
revoke execute on function private.excerpt(text, text, tsquery) from public;

-- The best passages with their score, and at least the best passage of each file up to that many files. Files found
-- only through words too frequent to be read whole come with a passage of null. No promise about the order.
create function private.rank_passages(coach_id text, query text, category text, file_count integer)
returns table (passage_id integer, file_number integer, score double precision)
language plpgsql stable security definer set search_path = ''
as $$
declare
  -- Postings read to find candidates, and rows of a single word: 100 postings each.
  budget constant integer := 12000;
  budget_rows constant integer := 120;
  kept_passages constant integer := 300;
  feedback_passages constant integer := 10;
  feedback_terms constant integer := 10;
  reranked_passages constant integer := 200;
  total private.passage_totals;
  language text;
  average double precision;
  ids integer[];
  weights double precision[];
  counts integer[];
  read_terms integer := 0;
  complete_terms integer := 0;
  read_postings integer := 0;
  candidates integer[];
  files integer[];
  scores double precision[];
  feedback_ids integer[];
  feedback_weights double precision[];
begin
  select coach.language into language from public.coach_profiles as coach where coach.id = rank_passages.coach_id;
  select * into total from private.passage_totals as candidate where candidate.coach_id = rank_passages.coach_id;
  if total.passages is null or total.passages = 0 then
    return;
  end if;
  average := greatest(total.length::double precision / total.passages, 1);

  -- The words of the query that occur at all, rarest first.
  select array_agg(word.id order by word.passages, word.id), array_agg(word.weight order by word.passages, word.id),
    array_agg(word.passages order by word.passages, word.id)
  into ids, weights, counts
  from (
    select term.id, term.passages, cardinality(asked.positions) * private.rarity(total.passages, term.passages) as weight
    from unnest(private.to_lexemes(language, left(rank_passages.query, 10000))) as asked
    join private.passage_terms as term
      on term.coach_id = rank_passages.coach_id and term.lexeme = asked.lexeme collate "C"
    order by weight desc, term.id
    limit 32
  ) as word;
  if ids is null then
    return;
  end if;

  while read_terms < cardinality(ids) and read_postings < budget loop
    read_terms := read_terms + 1;
    read_postings := read_postings + counts[read_terms];
    if counts[read_terms] <= budget then
      complete_terms := read_terms;
    end if;
  end loop;

  with posting as (
    select list.weight, unnest(list.passages) as passage, unnest(list.files) as file,
      unnest(list.frequencies) as frequency, unnest(list.lengths) as length
    from unnest(ids[:read_terms], weights[:read_terms]) as term (id, weight)
    cross join lateral (
      select term.weight, postings.* from private.postings
      where postings.term_id = term.id
      order by postings.best desc
      limit budget_rows
    ) as list
  ), passage as (
    select posting.passage, min(posting.file) as file,
      sum(posting.weight * private.weigh(posting.frequency, posting.length / average)) as score
    from posting
    where rank_passages.category is null or posting.file in (
      select file.number from public.knowledge_files as file
      where file.coach_id = rank_passages.coach_id and file.category = rank_passages.category
    )
    group by posting.passage
  ), best as (
    (select passage.* from passage order by passage.score desc, passage.passage limit kept_passages)
    union
    (
      select first.* from (
        select distinct on (passage.file) passage.* from passage
        where rank_passages.file_count > 0
        order by passage.file, passage.score desc, passage.passage
      ) as first
      order by first.score desc, first.file limit rank_passages.file_count
    )
  )
  select array_agg(best.passage), array_agg(best.file), array_agg(best.score) into candidates, files, scores
  from best;

  -- The frequent words add to the score of the best candidates.
  if read_terms < cardinality(ids) then
    select array_agg(rescored.id), array_agg(rescored.file), array_agg(rescored.score) into candidates, files, scores
    from (
      select candidate.id, candidate.file, candidate.score + coalesce((
        select sum(term.weight * private.weigh(passage.frequencies[term.place], passage.length / average))
        from (
          select wanted.weight, array_position(passage.terms, wanted.id) as place
          from unnest(ids[read_terms + 1:], weights[read_terms + 1:]) as wanted (id, weight)
        ) as term
        where term.place is not null
      ), 0) as score
      from (
        select entry.*, row_number() over (order by entry.score desc, entry.id) as place
        from unnest(candidates, files, scores) as entry (id, file, score)
      ) as candidate
      left join public.passages as passage on passage.id = candidate.id and candidate.place <= kept_passages
    ) as rescored;
  end if;

  -- The words that mark the best passages, together worth half the query.
  with best as (
    select candidate.id, candidate.score / sum(candidate.score) over () as share
    from (
      select id, candidate.score from unnest(candidates, scores) as candidate (id, score)
      order by candidate.score desc, id limit feedback_passages
    ) as candidate
  ), marking as (
    select term.id, entry.weight * private.rarity(total.passages, term.passages) as weight
    from (
      select entry.id, sum(best.share * private.weigh(entry.frequency, passage.length / average)) as weight
      from best
      join public.passages as passage on passage.id = best.id
      cross join lateral unnest(passage.terms, passage.frequencies) as entry (id, frequency)
      group by entry.id
    ) as entry
    join private.passage_terms as term on term.id = entry.id
    where term.passages > 1
    order by weight desc, term.id
    limit feedback_terms
  )
  select array_agg(marking.id),
    array_agg(marking.weight * 0.5::double precision * (select sum(weight) from unnest(weights) as weight) / whole.weight)
  into feedback_ids, feedback_weights
  from marking cross join (select sum(marking.weight) as weight from marking) as whole;

  return query
  with candidate as (
    select entry.id, entry.file, entry.score, row_number() over (order by entry.score desc, entry.id) as place
    from unnest(candidates, files, scores) as entry (id, file, score)
  )
  select candidate.id, candidate.file, candidate.score + (
    select coalesce(sum(term.weight * private.weigh(passage.frequencies[term.place], passage.length / average)), 0)
    from (
      select wanted.weight, array_position(passage.terms, wanted.id) as place
      from unnest(feedback_ids, feedback_weights) as wanted (id, weight)
    ) as term
    where term.place is not null
  )
  from candidate
  join public.passages as passage on passage.id = candidate.id
  where candidate.place <= reranked_passages
  union all
  select candidate.id, candidate.file, candidate.score from candidate where candidate.place > reranked_passages;

  -- Files that hold none of the words but the most frequent: each word counts as standing there once.
  if rank_passages.file_count > 0 and complete_terms < cardinality(ids)
    and (select count(distinct file) from unnest(files) as file) < rank_passages.file_count
  then
    return query
    select null::integer, found.file, sum(found.weight) * private.weigh(1, 1)
    from (
      select distinct term.id, term.weight, unnest(list.file_set) as file
      from unnest(ids[complete_terms + 1:], weights[complete_terms + 1:]) as term (id, weight)
      join private.postings as list on list.term_id = term.id
    ) as found
    where found.file <> all (coalesce(files, '{}')) and (
      rank_passages.category is null or found.file in (
        select file.number from public.knowledge_files as file
        where file.coach_id = rank_passages.coach_id and file.category = rank_passages.category
      )
    )
    group by found.file
    order by 3 desc, 2
    limit rank_passages.file_count;
  end if;
end;
$$;

comment on function private.rank_passages(text, text, text, integer) is 'Ranks the passages of a coach for a query, and as many files as wanted.';
revoke execute on function private.rank_passages(text, text, text, integer) from public;

-- Definer: service_role has no rights on the private schema.
create function public.search_passages(coach_id text, query text, how_many integer default 8)
returns table (
  passage_id integer, file_id uuid, filename text, "position" integer, page integer, heading text, content text, score double precision
)
language sql stable security definer set search_path = ''
as $$
  select passage.id, file.id, file.name, passage.position, passage.page, passage.heading, passage.content, best.score
  from (
    select ranked.passage_id, ranked.score
    from private.rank_passages(search_passages.coach_id, search_passages.query, null, 0) as ranked
    order by ranked.score desc, ranked.passage_id
    limit search_passages.how_many
  ) as best
  join public.passages as passage on passage.id = best.passage_id
  join public.knowledge_files as file on file.id = passage.file_id
  order by best.score desc, passage.id;
$$;

comment on function public.search_passages(text, text, integer) is 'The passages of a coach that answer a question best, best first.';
revoke execute on function public.search_passages(text, text, integer) from public, anon, authenticated;
grant execute on function public.search_passages(text, text, integer) to service_role;

-- Null when the account has no such coach. Pages are numbered from 1.
-- Definer: service_role has no rights on the private schema.
create function public.search_knowledge(
  account_id uuid,
  coach_id text,
  search text default null,
  category text default null,
  page integer default 1,
  page_size integer default 20
) returns json
language plpgsql stable security definer set search_path = ''
as $$
declare
  -- As far as a search counts and pages.
  file_count constant integer := 1000;
  skipped constant bigint := (greatest(search_knowledge.page, 1)::bigint - 1) * search_knowledge.page_size;
  language text;
  words text[];
  patterns text[];
  lexemes tsquery;
  term_ids integer[];
  total bigint;
  files json;
begin
  select coach.language into language from public.coach_profiles as coach
  where coach.id = search_knowledge.coach_id and coach.account_id = search_knowledge.account_id;
  if not found then
    return null;
  end if;

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
      on term.coach_id = search_knowledge.coach_id and term.lexeme = word.lexeme collate "C";

    with named as materialized (
      select file.number, file.name from public.knowledge_files as file
      where file.coach_id = search_knowledge.coach_id
        and (search_knowledge.category is null or file.category = search_knowledge.category)
        and file.name ilike any (patterns)
      limit file_count
    ), hit as materialized (
      select word, named.number from unnest(words) as word join named on position(word in lower(named.name)) > 0
    ), by_name as (
      select hit.number, sum(private.rarity(everything.count, seen.count)) as score
      from hit
      join (select hit.word, count(*) as count from hit group by hit.word) as seen on seen.word = hit.word
      cross join (select count(*) from public.knowledge_files as file where file.coach_id = search_knowledge.coach_id) as everything
      group by hit.number
    ), by_content as (
      select distinct on (ranked.file_number) ranked.file_number as number, ranked.passage_id, ranked.score
      from private.rank_passages(search_knowledge.coach_id, search_knowledge.search, search_knowledge.category, file_count) as ranked
      order by ranked.file_number, ranked.score desc, ranked.passage_id
    ), ranked as (
      select number, by_content.passage_id, by_content.score is null as is_name_alone,
        coalesce(by_content.score, 0) + coalesce(by_name.score, 0) as score
      from by_content full join by_name using (number)
      order by score desc, number
      limit file_count
    ), listed as (
      select * from ranked order by ranked.score desc, ranked.number limit search_knowledge.page_size offset skipped
    )
    select
      (select count(*) from ranked),
      json_agg(
        private.describe_file(file, listed.score, private.excerpt(language, passage.content, lexemes))
        order by listed.score desc, listed.number
      )
    into total, files
    from listed
    join public.knowledge_files as file on file.number = listed.number
    left join public.passages as passage on passage.id = coalesce(listed.passage_id, (
      -- Found through frequent words alone: the first passage with one of them. By its name alone: the first passage.
      select shown.id from public.passages as shown
      where shown.file_id = file.id and (listed.is_name_alone or shown.terms && term_ids)
      order by shown.position
      limit 1
    ));
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

comment on function public.search_knowledge(uuid, text, text, text, integer, integer)
  is 'Reply of GET /knowledge-handler: the files of a coach, best match first, without a search newest first; null for an unknown coach.';
revoke execute on function public.search_knowledge(uuid, text, text, text, integer, integer) from public, anon, authenticated;
grant execute on function public.search_knowledge(uuid, text, text, text, integer, integer) to service_role;
