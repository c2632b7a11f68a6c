-- Ranking by words: which passages of a coach fit a query best, for the chat and for the list of files.
-- Functions: rank_passages, with rarity and excerpt. No tables of their own (see passages).
-- BM25 over the words of text, heading and file name; any of the words may match. The rarest words choose the
-- candidates, as many as a budget of postings allows; of the others only a part is read, or nothing, and they add to the
-- score of the best candidates (the idea of MaxScore). So the cost has a bound however much a coach knows. The best
-- passages then show which other words belong to the subject, and the order of the first two hundred takes these into
-- account (pseudo relevance feedback).
-- Surprise: all arithmetic is in double precision, since numeric is ten times slower.

-- Robertson and Zaragoza (2009), in the form that is never negative.
create function private.rarity(passages bigint, holding bigint) returns double precision
language plpgsql immutable security invoker set search_path = ''
as $$
begin
  return ln(1 + (rarity.passages - rarity.holding + 0.5::double precision) / (rarity.holding + 0.5::double precision));
end;
$$;

comment on function private.rarity is 'Inverse document frequency of a word that so many of all passages hold.';

-- Where the text as it is does not match, words that the parser hides in a path are made visible first.
create function private.excerpt(language text, content text, lexemes tsquery) returns text
language plpgsql stable security invoker set search_path = ''
as $$
begin
  return regexp_replace(btrim(ts_headline(
    excerpt.language::regconfig,
    case
      when excerpt.content !~ '[/\\_]' or to_tsvector(excerpt.language::regconfig, excerpt.content) @@ excerpt.lexemes
        then excerpt.content
      else translate(excerpt.content, '/\_', '   ')
    end,
    excerpt.lexemes,
    'StartSel="", StopSel="", MaxWords=40, MinWords=20, MaxFragments=2, FragmentDelimiter=" … "'
  )), '\s+', ' ', 'g');
end;
$$;

comment on function private.excerpt is 'The words of a passage around what was searched for.';

-- The best passages with their score, and at least the best passage of each file up to that many files. Files found
-- only through words too frequent to be read whole come with a passage of null. In no particular order.
create function private.rank_passages(coach_id text, query text, category text, file_count integer)
returns table (passage_id integer, file_number integer, score double precision)
-- Compiling would take longer than the whole ranking.
language plpgsql stable security invoker set search_path = '' set enable_seqscan = off set jit = off
as $$
declare
  -- Postings read to find candidates.
  budget constant integer := 12000;
  -- So many are enough where no files are counted.
  enough constant integer := 1000;
  kept_passages constant integer := 300;
  most_feedback_passages constant integer := 10;
  feedback_terms constant integer := 10;
  reranked_passages constant integer := 200;
  total private.passage_totals;
  language text;
  -- BM25 with k1 = 1.2 and b = 0.75: of its weight a word has f / (f + k1 * (1 - b + b * length / average length)).
  constant_part constant double precision := 1.2 * 0.25;
  per_length double precision;
  ids bigint[];
  weights double precision[];
  counts integer[];
  complete_terms integer := 0;
  read_terms integer;
  read_postings integer := 0;
  has_removals boolean;
  candidates integer[];
  files integer[];
  scores double precision[];
  certain_scores double precision[];
  feedback_passages integer;
  feedback_ids bigint[];
  feedback_weights double precision[];
  has_few_files boolean;
begin
  select coach.language into language from public.coach_profiles as coach where coach.id = rank_passages.coach_id;
  select * into total from private.passage_totals as candidate where candidate.coach_id = rank_passages.coach_id;
  if total.passages is null or total.passages = 0 then
    return;
  end if;
  per_length := 1.2 * 0.75 / greatest(total.length::double precision / total.passages, 1);

  -- The words of the query that occur at all, rarest first.
  select array_agg(word.id order by word.passages, word.id), array_agg(word.weight order by word.passages, word.id),
    array_agg(word.passages order by word.passages, word.id)
  into ids, weights, counts
  from (
    select term.id, term.passages, cardinality(asked.positions) * private.rarity(total.passages, term.passages) as weight
    from unnest(private.to_lexemes(language, left(rank_passages.query, 10000))) as asked
    join private.passage_terms as term
      on term.coach_id = rank_passages.coach_id and term.lexeme = any (array[asked.lexeme collate "C"])
    order by weight desc, term.id
    limit 32
  ) as word;
  if ids is null then
    return;
  end if;

  while complete_terms < cardinality(ids) and read_postings + counts[complete_terms + 1] <= budget loop
    complete_terms := complete_terms + 1;
    read_postings := read_postings + counts[complete_terms];
  end loop;
  -- Of the next word, the rows in which it weighs most, as many as the budget still has room for.
  read_terms := case when read_postings < enough or rank_passages.file_count > 0
    then least(complete_terms + 1, cardinality(ids)) else complete_terms end;

  has_removals := exists (
    select from private.passage_removals as removal where removal.coach_id = rank_passages.coach_id
  );
  with posting as (
    select list.weight, list.certain_weight, unnest(list.passages) as passage, unnest(list.files) as file,
      unnest(list.frequencies) as frequency, unnest(list.lengths) as length
    from unnest(ids[:read_terms], weights[:read_terms]) with ordinality as term (id, weight, place)
    cross join lateral (
      select term.weight, case when term.place <= complete_terms then term.weight else 0 end as certain_weight, postings.*
      from private.postings
      where postings.term_id = term.id
      order by postings.best desc
      -- Deleting leaves rows of fewer than a hundred: a word within the budget is read whole, however many rows it has.
      limit case when term.place > complete_terms then (budget - read_postings) / 100 + 1 end
    ) as list
  ), passage as (
    select posting.passage, min(posting.file) as file,
      sum(posting.weight * posting.frequency / (posting.frequency + constant_part + per_length * posting.length)) as score,
      sum(posting.certain_weight * posting.frequency / (posting.frequency + constant_part + per_length * posting.length))
        as certain_score
    from posting
    where (
        rank_passages.category is null or posting.file in (
          select file.number from public.knowledge_files as file
          where file.coach_id = rank_passages.coach_id and file.category = rank_passages.category
        )
      )
      -- The index still has passages that were deleted a moment ago.
      and (
        not has_removals or not exists (
          select from private.passage_removals as removal where removal.passage_id = posting.passage
        )
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
  select array_agg(best.passage), array_agg(best.file), array_agg(best.score), array_agg(best.certain_score)
  into candidates, files, scores, certain_scores
  from best;

  -- Words that were not read whole add to the score of the best candidates.
  if complete_terms < cardinality(ids) then
    select array_agg(rescored.id), array_agg(rescored.file), array_agg(rescored.score) into candidates, files, scores
    from (
      select candidate.id, candidate.file, case when passage.id is null then candidate.score
        else candidate.certain_score + coalesce((
          select sum(term.weight * passage.frequencies[term.place]
            / (passage.frequencies[term.place] + constant_part + per_length * passage.length))
          from (
            select wanted.weight, array_position(passage.terms, wanted.id) as place
            from unnest(ids[complete_terms + 1:], weights[complete_terms + 1:]) as wanted (id, weight)
          ) as term
          where term.place is not null
        ), 0) end as score
      from (
        select entry.*, row_number() over (order by entry.score desc, entry.id) as place
        from unnest(candidates, files, scores, certain_scores) as entry (id, file, score, certain_score)
      ) as candidate
      left join public.passages as passage
        on passage.id = any (array[case when candidate.place <= kept_passages then candidate.id end])
    ) as rescored;
  end if;

  -- The words that mark the best tenth, ten passages at most, together weigh half as much as the query. Where fewer
  -- than ten are found there is no tenth, and nothing that sets the best apart.
  feedback_passages := least(cardinality(candidates) / 10, most_feedback_passages);
  if feedback_passages > 0 then
    with best as (
      select candidate.id, candidate.score / sum(candidate.score) over () as share
      from (
        select id, candidate.score from unnest(candidates, scores) as candidate (id, score)
        order by candidate.score desc, id limit feedback_passages
      ) as candidate
    ), marking as (
      -- private.rarity(), written out: a thousand calls would take longer than all the rest.
      select term.id, entry.weight * ln(
        1 + (total.passages - term.passages + 0.5::double precision) / (term.passages + 0.5::double precision)
      ) as weight
      from (
        select entry.id,
          sum(best.share * entry.frequency / (entry.frequency + constant_part + per_length * passage.length)) as weight
        from best
        join public.passages as passage on passage.id = any (array[best.id])
        cross join lateral unnest(passage.terms, passage.frequencies) as entry (id, frequency)
        group by entry.id
      ) as entry
      join private.passage_terms as term on term.id = any (array[entry.id])
      where term.passages > 1
      order by weight desc, term.id
      limit feedback_terms
    )
    select array_agg(marking.id),
      array_agg(marking.weight * 0.5::double precision * (select sum(weight) from unnest(weights) as weight) / whole.weight)
    into feedback_ids, feedback_weights
    from marking cross join (select sum(marking.weight) as weight from marking) as whole;
  end if;

  return query
  with candidate as (
    select entry.id, entry.file, entry.score, row_number() over (order by entry.score desc, entry.id) as place
    from unnest(candidates, files, scores) as entry (id, file, score)
  )
  select candidate.id, candidate.file, candidate.score + (
    select coalesce(sum(term.weight * passage.frequencies[term.place]
      / (passage.frequencies[term.place] + constant_part + per_length * passage.length)), 0)
    from (
      select wanted.weight, array_position(passage.terms, wanted.id) as place
      from unnest(feedback_ids, feedback_weights) as wanted (id, weight)
    ) as term
    where term.place is not null
  )
  from candidate
  join public.passages as passage on passage.id = any (array[candidate.id])
  where candidate.place <= reranked_passages
  union all
  select candidate.id, candidate.file, candidate.score from candidate where candidate.place > reranked_passages;

  -- Files that hold only the most frequent words: each word counts as if the file held it once. A word as frequent as
  -- that is in one of the first passages of nearly every file. So few files are looked through one by one; of many,
  -- only those that the index names.
  if rank_passages.file_count > 0 and complete_terms < cardinality(ids)
    and (select count(distinct file) from unnest(files) as file) < rank_passages.file_count
  then
    select count(*) <= 2 * rank_passages.file_count into has_few_files
    from public.knowledge_files as file where file.coach_id = rank_passages.coach_id;
    return query
    select null::integer, file.number, sum(term.weight) / (1 + 1.2::double precision)
    from (
      select other.id, other.number
      from (
        -- The offset keeps Postgres from stepping through the numbers of all coaches' files.
        select known.id, known.number from public.knowledge_files as known
        where known.coach_id = rank_passages.coach_id
          and (rank_passages.category is null or known.category = rank_passages.category)
        offset 0
      ) as other
      where other.number not in (select unnest(files))
        and (has_few_files or other.number in (
          select list.file
          from unnest(ids[complete_terms + 1:]) as term (id)
          cross join lateral (
            -- The offset keeps Postgres from joining, for which it would read the words of all coaches.
            select unnest(postings.files) as file from private.postings where postings.term_id = term.id offset 0
          ) as list
        ))
      order by other.number
      limit 2 * rank_passages.file_count
    ) as file
    cross join unnest(ids[complete_terms + 1:], weights[complete_terms + 1:]) as term (id, weight)
    where exists (
      select from public.passages as passage where passage.file_id = file.id and term.id = any (passage.terms)
    )
    group by file.number
    order by 3 desc, 2
    limit rank_passages.file_count;
  end if;
end;
$$;

comment on function private.rank_passages is 'Ranks the passages of a coach for a query, and as many files as wanted.';
