-- Ranking by words: the passages of a coach that fit a query best, for the chat and for the list of files.
-- Types: word_search, candidate. The last function, rank_passages(), calls the others in their order.
-- The score is BM25 over the words of text, heading and file name, and any of the words may match. Of its weight a word
-- gives a passage f / (f + k1 * (1 - b + b * length / average length)), with k1 = 1.2 and b = 0.75; f counts how often
-- the passage holds it.
-- The cost is bounded, however much a coach knows. The rarest words choose the candidates, as many as a budget of
-- postings allows. Frequent words are read in part or not at all, and only add to the score of the best candidates (the
-- idea of MaxScore). The best passages then show which other words belong to the subject; these reorder the first two
-- hundred (pseudo relevance feedback).
-- Surprises: the settings of rank_passages() also hold for the functions that it calls. All arithmetic is in double
-- precision, four times as fast as numeric, which literals such as 1.2 are.

create type private.word_search as (
  coach_id text,
  -- Category of the files; null: any.
  category text,
  -- How many files are wanted, at least with their best passage; 0: only passages.
  file_count integer,
  -- Numbers of the files that must not be found; null: none.
  hidden integer[],
  -- How many passages the coach has.
  passages integer,
  -- What each word of a passage's length adds to the divisor of BM25.
  per_length double precision,
  -- The words of the query that occur, rarest first: ids of private.passage_terms.
  ids bigint[],
  weights double precision[],
  -- How many of the words are read to find candidates; the first complete_words in all their rows, the one that may
  -- follow in next_rows of its rows.
  read_words integer,
  complete_words integer,
  next_rows integer
);
comment on type private.word_search is 'A query as rank_passages() works on it.';

create type private.candidate as (
  passage_id integer,
  file_number integer,
  score double precision,
  -- The part of the score from words that were read in all their rows.
  certain_score double precision
);
comment on type private.candidate is 'A passage that may be among the best.';

-- Inverse document frequency of a word that so many of all passages hold.
-- Robertson and Zaragoza (2009), in the form that is never negative.
create function private.rarity(passages bigint, holding bigint) returns double precision
language plpgsql immutable security invoker set search_path = '' as $$
begin
  return ln(1 + (rarity.passages - rarity.holding + 0.5::double precision) / (rarity.holding + 0.5::double precision));
end $$;

-- The words of a text around what was searched for, each of which has the mark before and after it.
-- If the text as it is does not match, words that the parser hides in a path are made visible first; then words are looked
-- for that are spelled in another way.
create function private.excerpt(
  language text, content text, lexemes tsquery, words integer default 40, mark text default ''
) returns text
language plpgsql stable security invoker set search_path = '' as $$
declare
  config constant regconfig := excerpt.language;
  shown text := normalize(private.break_runs(excerpt.content), nfc);
  wanted tsquery := excerpt.lexemes;
begin
  if shown ~ '[/\\_]' and not to_tsvector(config, shown) @@ wanted then shown := translate(shown, '/\_', '   '); end if;
  if not to_tsvector(config, shown) @@ wanted then
    select coalesce(string_agg(plainto_tsquery(config, spelled.word)::text, ' | ')::tsquery, wanted) into wanted
    from (
      select distinct word from regexp_split_to_table(shown, '\s+') as word where word !~ '^[a-z]+[.,;:!?]?$' limit 100
    ) as spelled
    where private.to_lexemes(excerpt.language, spelled.word) @@ excerpt.lexemes
      and plainto_tsquery(config, spelled.word) <> '';
  end if;
  return regexp_replace(btrim(ts_headline(
    config, shown, wanted,
    format('StartSel="%s", StopSel="%1$s", MaxWords=%s, MinWords=%s, MaxFragments=2, FragmentDelimiter=" … "', mark, words, words / 2)
  )), '\s+', ' ', 'g');
end $$;

-- The words of a coach that are another form of a word (see list_word_forms), the compounds among them that begin or end with it,
-- and the words that a compound consists of. Such a word is at least four letters long, three if the files do not have it
-- ("Hafen", of which the stem is "haf", in "Flughafen"), and a compound is only cut into words that they have.
-- Verbs have forms with syllables before them ("angerufen", "anzurufen", "ruft … an"), and endings that a stem keeps: they
-- are looked for if the files do not have the word, since that takes 0.2 ms.
create function private.find_relatives(coach_id text, language text, lexeme text, is_known boolean)
returns table (id bigint, passages integer) language plpgsql stable security invoker set search_path = '' as $$
declare
  most constant integer := 8;
  stem text collate "C"; back text collate "C"; prefix text; wanted text[] collate "C";
  size constant integer := char_length(find_relatives.lexeme);
  prefixes constant text := case find_relatives.language
    when 'german' then 'ab|an|auf|aus|be|bei|durch|ein|ent|er|fest|fort|her|heraus|hin|los|mit|nach|statt|teil|uber|um|unter|ver|vor'
      || '|vorbei|weg|weiter|wieder|zer|zu|zuruck|zusammen'
    when 'dutch' then 'aan|achter|af|be|bij|door|in|mee|na|om|onder|ont|op|over|samen|terug|toe|uit|ver|voor|weg'
  end;
begin
  if find_relatives.lexeme !~ '^[[:alpha:]]{2,}$' then return; end if;
  wanted := private.list_word_forms(find_relatives.language, find_relatives.lexeme);
  if prefixes is not null and not is_known then
    prefix := substring(find_relatives.lexeme, format('^(?:%s)(?=.{3})', prefixes));
    wanted := wanted || array(
      select concat(given.head, affix.head, verb.stem, affix.tail)
      from (
        select '' as head, find_relatives.lexeme as rest
        union all
        select prefix, substr(find_relatives.lexeme, char_length(prefix) + 1) where prefix is not null
      ) as part
      cross join lateral regexp_replace(part.rest, '^zu(?=.{3})', '') as base
      cross join lateral (
        select regexp_replace(form, '^ge', '') as stem, true as is_listed
        from unnest(array[base, 'ge' || base]) as said
        cross join lateral unnest(private.list_word_forms(find_relatives.language, said)) as form
        union
        select regexp_replace(regexp_replace(base, ending, ''), '^ge', ''), false from unnest(array['e?t$', 'ung$', '$']) as ending
      ) as verb
      cross join unnest(case when part.head = '' then array[''] else array[part.head, ''] end) as given (head)
      cross join (values ('', ''), ('ge', ''), ('zu', ''), ('', 't'), ('', 'et'), ('ge', 't'), ('ge', 'et')) as affix (head, tail)
      where char_length(verb.stem) >= 3 and (affix.tail = '' or not verb.is_listed)
    );
  end if;
  if wanted <> '{}' then
    return query
    select term.id, term.passages from private.passage_terms as term
    where term.coach_id = find_relatives.coach_id and term.lexeme = any (wanted) and term.lexeme <> find_relatives.lexeme;
  end if;
  if size < 3 or size = 3 and is_known or find_relatives.language not in ('german', 'dutch', 'danish', 'norwegian', 'swedish')
  then return; end if;
  -- Stems of longer words lack an ending that a shorter one keeps: "Heizung", but "Fußbodenheiz".
  stem := regexp_replace(find_relatives.lexeme, '(?<=.{4})ung$', '');
  back := reverse(stem);
  return query
  (
    select term.id, term.passages from private.passage_terms as term
    where size >= 4 and term.coach_id = find_relatives.coach_id and term.lexeme > stem and term.lexeme < stem || '~'
      and char_length(term.lexeme) >= size + 4
    order by term.passages desc, term.id limit most
  )
  union
  (
    select term.id, term.passages from private.passage_terms as term
    where term.coach_id = find_relatives.coach_id and char_length(term.lexeme) >= 7
      and reverse(term.lexeme) collate "C" > back and reverse(term.lexeme) collate "C" < back || '~'
      and char_length(term.lexeme) >= size + 3
    order by term.passages desc, term.id limit most
  )
  union
  select part.id, part.passages
  from generate_series(4, size - 4) as place
  cross join lateral (
    select term.id, term.passages from private.passage_terms as term
    where term.coach_id = find_relatives.coach_id and term.lexeme = any (array[
      left(find_relatives.lexeme, place), regexp_replace(left(find_relatives.lexeme, place), '(?:e?[sn]|er?|(?<=.{4})ungs)$', '')
    ]) order by char_length(term.lexeme) desc limit 1
  ) as first_part
  cross join lateral (
    select term.id, term.passages from private.passage_terms as term
    where term.coach_id = find_relatives.coach_id and term.lexeme = any (array[
      substr(find_relatives.lexeme, place + 1), substr(find_relatives.lexeme, place + 1) || 'ung'
    ]) order by char_length(term.lexeme) limit 1
  ) as last_part
  cross join lateral (values (first_part.id, first_part.passages), (last_part.id, last_part.passages)) as part (id, passages);
end $$;

-- The words of a coach with another ending: up to four letters from a vowel on, such as Polish mama and mamy. Each counts
-- as frequent as all together, since they are one word. The configuration simple has no stemmer; others miss some.
create function private.find_endings(coach_id text, lexeme text) returns table (id bigint, passages integer)
language plpgsql stable security invoker set search_path = '' as $$
declare
  vowels constant text := 'aeiouyàáâãäåăąæèéêęěìíîıòóôõöøőœùúûüůűýаеиоуыэіїєёюяйьъ';
  stem constant text collate "C" := coalesce(
    substring(find_endings.lexeme, format('^(.*?[%s][^%1$s]+(?<=.{3}))[%1$s].{0,3}$', vowels)), find_endings.lexeme);
begin
  return query
  select term.id, (sum(term.passages) over ())::integer from private.passage_terms as term
  where char_length(stem) >= 3 and term.coach_id = find_endings.coach_id and term.lexeme >= stem and term.lexeme < stem || chr(1114111)
    -- The length first: most words that begin like a short one are too long, and comparing it is cheap.
    and char_length(term.lexeme) <= char_length(stem) + 4 and term.lexeme <> find_endings.lexeme
    and substr(term.lexeme, char_length(stem) + 1) ~ format('^(?:[%s].{0,3})?$', vowels)
  order by term.passages desc, term.id limit 8;
end $$;

-- The words of a coach that are closest to one that its files do not have: with a letter more, less or another, or two
-- that changed places; else with another ending, which the stemmer leaves or does not know.
create function private.find_similar(coach_id text, lexeme text) returns table (id bigint, passages integer)
language plpgsql stable security invoker set search_path = '' as $$
declare
  size constant integer := char_length(find_similar.lexeme);
  head constant text collate "C" := left(find_similar.lexeme, 2);
  begun constant text := left(find_similar.lexeme, greatest(least(size, 5), size * 7 / 10));
  slips text;
begin
  select concat('^(?:', string_agg(concat(
    part.head, case when size > 5 then '.?' end, substr(part.tail, 2), '|', part.head, '.', part.tail, '|',
    part.head, substr(part.tail, 2, 1), left(part.tail, 1), substr(part.tail, 3)
  ), '|'), ')$')
  into slips
  from generate_series(2, size - 1) as place
  cross join lateral (
    values (left(find_similar.lexeme, place), substr(find_similar.lexeme, place + 1))
  ) as part (head, tail);
  return query
  select term.id, term.passages from private.passage_terms as term
  where term.coach_id = find_similar.coach_id and term.lexeme >= head and term.lexeme < head || chr(1114111)
    and char_length(term.lexeme) between greatest(4, size - 4) and size + 4
    and (starts_with(term.lexeme, begun)
      or char_length(term.lexeme) >= 5 and starts_with(find_similar.lexeme, term.lexeme)
      -- Patterns are slow.
      or size > 4 and abs(char_length(term.lexeme) - size) <= 1 and (starts_with(term.lexeme, left(begun, 3))
        or right(term.lexeme, size - 4) = right(find_similar.lexeme, size - 4)) and term.lexeme ~ slips)
  order by size > 4 and term.lexeme ~ slips desc, term.passages desc, term.id limit 4;
end $$;

-- Looks up the words of some texts, each counted as often as its share says, and decides which of them choose the
-- candidates; without ids where none occurs.
create function private.plan_word_search(
  coach_id text, texts text[], shares double precision[], category text, file_count integer
) returns private.word_search language plpgsql stable security invoker set search_path = '' as $$
declare
  -- Postings read to find candidates, and how many of them are enough if no files are counted.
  budget constant integer := 12000;
  enough constant integer := 1000;
  search private.word_search; language text; read_postings integer;
begin
  select coach.language, coach.id, category, file_count, private.list_hidden(coach.id, file_count = 0), total.passages,
    1.2 * 0.75 / greatest(total.length::double precision / total.passages, 1)
  into language, search.coach_id, search.category, search.file_count, search.hidden, search.passages, search.per_length
  from private.passage_totals as total join public.coach_profiles as coach on coach.id = total.coach_id
  where total.coach_id = plan_word_search.coach_id and total.passages > 0;
  if not found then return null; end if;

  select array_agg(word.id order by word.passages, word.id), array_agg(word.weight order by word.passages, word.id),
    count(*) filter (where word.postings_so_far <= budget),
    coalesce(max(word.postings_so_far) filter (where word.postings_so_far <= budget), 0)
  into search.ids, search.weights, search.complete_words, read_postings
  from (
    select asked.*, sum(asked.passages) over (order by asked.passages, asked.id) as postings_so_far
    from (
      select term.id, max(term.passages) as passages, sum(given.share * term.part * cardinality(word.positions)
          * private.rarity(search.passages, least(term.passages, search.passages))) as weight
      from unnest(plan_word_search.texts, plan_word_search.shares) as given (content, share)
      cross join lateral (
        -- The place of each among those that no file has; a long text has words enough.
        select each.*, known.*, row_number() over (partition by known.is_unknown) as place
        from unnest(private.to_lexemes(language, given.content, with_names => given.content !~ '\S\s+\S')) as each
        cross join lateral (
          select term.id, term.passages,
            term.id is null and octet_length(given.content) <= 1000 and each.lexeme ~ '^[[:alpha:]]{4,30}$' as is_unknown
          from (values (plan_word_search.coach_id, each.lexeme collate "C")) as asked (coach_id, lexeme)
          left join private.passage_terms as term on term.coach_id = asked.coach_id and term.lexeme = any (array[asked.lexeme])
          offset 0
        ) as known
      ) as word
      cross join lateral (
        -- A further spelling is not another word.
        select word.id, word.passages, case when word.weights[1] = 'A' then 0.5 else 1 end as part where word.id is not null
        union all
        select relative.id, relative.passages, 0.5
        from private.find_relatives(plan_word_search.coach_id, language, word.lexeme,
          word.id is not null or word.is_unknown and word.place > 4) as relative
        where octet_length(given.content) <= 1000
        union all
        select form.id, form.passages, case when word.id is null then 0.5 else 0.25 end
        from private.find_endings(plan_word_search.coach_id, word.lexeme) as form
        where octet_length(given.content) <= 1000 and (language = 'simple' or word.is_unknown and language <> 'english')
        union all
        select similar_term.id, similar_term.passages, 0.5
        from private.find_similar(plan_word_search.coach_id, word.lexeme) as similar_term
        -- Of a large vocabulary each takes 10 ms.
        where word.is_unknown and word.place <= 4
      ) as term
      group by term.id order by weight desc, term.id limit 32
    ) as asked
  ) as word;

  -- The next word is read in the rows in which it weighs most, as many as the budget has room for.
  search.read_words := search.complete_words
    + case when read_postings < enough or search.file_count > 0 then 1 else 0 end;
  search.next_rows := (budget - read_postings) / 100 + 1;
  return search;
end $$;

-- The best passages by the words that are read, and the best passage of each of the best files.
create function private.find_candidates(search private.word_search) returns private.candidate[]
language plpgsql stable security invoker set search_path = '' as $$
declare
  most_passages constant integer := 300;
  constant_part constant double precision := 1.2 * 0.25;
  has_removals constant boolean := exists (
    select from private.passage_removals as removal where removal.coach_id = search.coach_id
  );
begin
  return (
    with occurrence as (
      select word.weight, word.place <= search.complete_words as is_certain, unnest(posting.passages) as passage_id,
        unnest(posting.files) as file_number, unnest(posting.frequencies) as frequency, unnest(posting.lengths) as length
      from unnest(search.ids[:search.read_words], search.weights[:search.read_words])
        with ordinality as word (id, weight, place)
      cross join lateral (
        select posting.* from private.postings as posting
        where posting.term_id = word.id order by posting.best desc
        -- Deleting leaves rows of fewer than a hundred: a word within the budget is read in all its rows.
        limit case when word.place > search.complete_words then search.next_rows end
      ) as posting
    ), scored as (
      select given.passage_id, min(given.file_number) as file_number, sum(given.score) as score,
        coalesce(sum(given.score) filter (where given.is_certain), 0) as certain_score
      from (
        select occurrence.*, occurrence.weight * occurrence.frequency
          / (occurrence.frequency + constant_part + search.per_length * occurrence.length) as score
        from occurrence
      ) as given
      where (search.hidden is null or given.file_number <> all (search.hidden))
        and (search.category is null or given.file_number in (
          select file.number from public.knowledge_files as file
          where file.coach_id = search.coach_id and file.category = search.category
        ))
        -- The index still has passages that were deleted a moment ago.
        and (not has_removals or not exists (
          select from private.passage_removals as removal where removal.passage_id = given.passage_id
        ))
      group by given.passage_id
    ), best as (
      (select scored.* from scored order by scored.score desc, scored.passage_id limit most_passages)
      union
      (
        select first.* from (
          select distinct on (scored.file_number) scored.* from scored
          where search.file_count > 0 order by scored.file_number, scored.score desc, scored.passage_id
        ) as first
        order by first.score desc, first.file_number limit search.file_count
      )
    )
    select array_agg(row(best.passage_id, best.file_number, best.score, best.certain_score)::private.candidate) from best
  );
end $$;

-- Adds what further words give to the best candidates, as many as most_passages; the others stay as they are.
create function private.add_words(
  candidates private.candidate[], ids bigint[], weights double precision[], per_length double precision, most_passages integer
) returns private.candidate[] language plpgsql stable security invoker set search_path = '' as $$
declare constant_part constant double precision := 1.2 * 0.25;
begin
  return (
    -- Otherwise Postgres would compute each score twice.
    with scored as materialized (
      select candidate.passage_id, candidate.file_number,
        case when passage.id is null then candidate.score
          else candidate.certain_score + coalesce((
            select sum(word.weight * passage.frequencies[word.place]
              / (passage.frequencies[word.place] + constant_part + add_words.per_length * passage.length))
            from (
              select wanted.weight, array_position(passage.terms, wanted.id) as place
              from unnest(add_words.ids, add_words.weights) as wanted (id, weight)
            ) as word
            where word.place is not null
          ), 0)
        end as score
      from (
        select given.*, row_number() over (order by given.score desc, given.passage_id) as place
        from unnest(add_words.candidates) as given
      ) as candidate
      left join public.passages as passage
        on passage.id = any (array[case when candidate.place <= add_words.most_passages then candidate.passage_id end])
    )
    select array_agg(row(scored.passage_id, scored.file_number, scored.score, scored.score)::private.candidate) from scored
  );
end $$;

-- The words that mark the best tenth of the candidates, ten passages at most; null if fewer than ten were found. Together
-- they weigh half as much as the query, and a quarter if an answer is wanted: the one passage that has it must stay first.
create function private.find_marking_words(
  search private.word_search, candidates private.candidate[], out ids bigint[], out weights double precision[]
)
language plpgsql stable security invoker set search_path = '' as $$
declare
  most_words constant integer := 10;
  most_passages constant integer := 10;
  part constant double precision := case when search.file_count > 0 then 0.5 else 0.25 end;
  constant_part constant double precision := 1.2 * 0.25;
begin
  with best as (
    select candidate.passage_id, candidate.score / sum(candidate.score) over () as share
    from (
      select given.passage_id, given.score from unnest(find_marking_words.candidates) as given
      order by given.score desc, given.passage_id
      limit least(cardinality(find_marking_words.candidates) / 10, most_passages)
    ) as candidate
  ), held as (
    select word.id,
      sum(best.share * word.frequency / (word.frequency + constant_part + search.per_length * passage.length)) as weight
    from best
    join public.passages as passage on passage.id = any (array[best.passage_id])
    -- Another spelling marks nothing that the word itself does not.
    cross join lateral unnest(
      passage.terms[:passage.written_terms], passage.frequencies[:passage.written_terms]
    ) as word (id, frequency)
    group by word.id
  ), marking as (
    -- private.rarity(), written out: for a thousand words the calls would take 4 ms.
    select term.id, held.weight * ln(
      1 + (search.passages - term.passages + 0.5::double precision) / (term.passages + 0.5::double precision)
    ) as weight
    from held
    join private.passage_terms as term on term.id = any (array[held.id])
    where term.passages > 1 order by weight desc, term.id limit most_words
  )
  select array_agg(marking.id), array_agg(
    marking.weight * part * (select sum(weight) from unnest(search.weights) as weight) / whole.weight
  )
  into find_marking_words.ids, find_marking_words.weights
  from marking cross join (select sum(marking.weight) as weight from marking) as whole;
end $$;

-- Further files, which hold only words that are too frequent to be read in all their rows. Each word counts as if the
-- file held it once. A word that frequent is in one of the first passages of nearly every file. So if the coach has few
-- files, they are looked through one by one; of many files, only those that the index names.
create function private.find_files_of_frequent_words(search private.word_search, known_files integer[])
returns table (file_number integer, score double precision)
language plpgsql stable security invoker set search_path = '' as $$
declare
  ids constant bigint[] := search.ids[search.complete_words + 1:];
  weights constant double precision[] := search.weights[search.complete_words + 1:];
  has_few_files constant boolean := (
    select count(*) <= 2 * search.file_count from public.knowledge_files as file where file.coach_id = search.coach_id
  );
begin
  return query
  select file.number, sum(word.weight) / (1 + 1.2::double precision)
  from (
    select other.id, other.number
    from (
      -- The offset keeps Postgres from stepping through the numbers of all coaches' files.
      select file.id, file.number from public.knowledge_files as file
      where file.coach_id = search.coach_id and (search.category is null or file.category = search.category)
        and file.number <> all (coalesce(search.hidden, '{}'))
      offset 0
    ) as other
    where other.number not in (select unnest(find_files_of_frequent_words.known_files))
      and (has_few_files or other.number in (
        select posting.file
        from unnest(ids) as word (id)
        cross join lateral (
          -- The offset keeps Postgres from joining, for which it would read the words of all coaches.
          select unnest(posting.files) as file from private.postings as posting where posting.term_id = word.id offset 0
        ) as posting
      ))
    order by other.number limit 2 * search.file_count
  ) as file
  cross join unnest(ids, weights) as word (id, weight)
  where exists (select from public.passages as passage where passage.file_id = file.id and word.id = any (passage.terms))
  group by file.number
  order by 2 desc, 1 limit search.file_count;
end $$;

-- The best passages for some texts with their score, and at least the best passage of each of file_count files. Files
-- found only by the most frequent words come with a passage of null. In no particular order.
-- shares: how much each text counts.
create function private.rank_passages(
  coach_id text, texts text[], shares double precision[], category text, file_count integer
) returns table (passage_id integer, file_number integer, score double precision)
-- Compiling takes 100 ms, longer than the ranking.
language plpgsql stable security invoker set search_path = '' set enable_seqscan = off set jit = off as $$
declare
  search constant private.word_search := private.plan_word_search(
    rank_passages.coach_id, rank_passages.texts, rank_passages.shares, rank_passages.category, rank_passages.file_count
  );
  candidates private.candidate[]; files integer[]; marking record;
begin
  if search.ids is null then return; end if;
  candidates := private.find_candidates(search);
  if search.complete_words < cardinality(search.ids) then
    candidates := private.add_words(candidates, search.ids[search.complete_words + 1:],
      search.weights[search.complete_words + 1:], search.per_length, most_passages => 300);
  end if;
  marking := private.find_marking_words(search, candidates);
  if marking.ids is not null then
    candidates := private.add_words(candidates, marking.ids, marking.weights, search.per_length, most_passages => 200);
  end if;
  return query
  select candidate.passage_id, candidate.file_number, candidate.score from unnest(candidates) as candidate;

  if search.file_count > 0 and search.complete_words < cardinality(search.ids) then
    files := array(select distinct candidate.file_number from unnest(candidates) as candidate);
    if cardinality(files) < search.file_count then
      return query
      select null::integer, file.file_number, file.score from private.find_files_of_frequent_words(search, files) as file;
    end if;
  end if;
end $$;
