-- Ranking by meaning: passages are also found by their meaning, if the deployment has a model that turns texts into
-- vectors (embeddings). Without such a model nothing of this is used.
-- Table: passage_embeddings.
-- Surprises: a vector is stored with the name of its model, and only vectors of one model are compared.
-- Needs pgvector 0.7; from 0.8 on, a filtered search continues until it has found enough.

-- A table of its own: the rows of passages, which every search by words reads, stay small.
create table private.passage_embeddings (
  passage_id integer primary key references public.passages (id) on delete cascade,
  coach_id text not null references public.coach_profiles (id) on update cascade on delete cascade,
  category text not null,
  model text not null,
  embedding extensions.halfvec(1536) not null
);

-- Within the row: a scan would otherwise spend most of its time on fetching each vector from elsewhere.
alter table private.passage_embeddings alter column embedding set storage plain;
comment on table private.passage_embeddings is 'The meaning of passages, as vectors. Written by save_indexing(); deleted with the passage.';
comment on column private.passage_embeddings.passage_id is 'The passage.';
comment on column private.passage_embeddings.category is 'Category of the file.';
comment on column private.passage_embeddings.model is 'Model that made the vector.';
comment on column private.passage_embeddings.embedding is 'The vector; shorter ones end in zeros.';

-- The vectors of a coach, all of which are compared as long as they are few.
create index passage_embeddings_by_coach on private.passage_embeddings (coach_id, model, category);
-- The closest vectors among many. With the usual m = 16 and ef_construction = 64 a vector takes twice as long to write.
create index passage_embeddings_by_angle on private.passage_embeddings
  using hnsw (embedding extensions.halfvec_cosine_ops) with (m = 12, ef_construction = 40);

-- Stores the embeddings of passages that store_passages() has just stored.
create function private.store_embeddings(file_id uuid, from_position integer, passages jsonb) returns void
language sql volatile security invoker set search_path = '' as $$
  insert into private.passage_embeddings (passage_id, coach_id, category, model, embedding)
  select passage.id, passage.coach_id, file.category, given.value #>> '{embedding,model}',
    (given.value #>> '{embedding,vector}')::extensions.halfvec(1536)
  from jsonb_array_elements(store_embeddings.passages) with ordinality as given
  join public.passages as passage on passage.file_id = store_embeddings.file_id
    and passage.position = store_embeddings.from_position + given.ordinality::integer - 1
  join public.knowledge_files as file on file.id = passage.file_id
  where given.value ? 'embedding';
$$;

-- Ranks the passages of a coach by the angle between their vectors and that of a query. Only passages with a cosine
-- above zero, numbered from 1. query_vector is JSON, {"model", "vector"}; if it is null, nothing is found. is_quoting: see list_hidden().
create function private.rank_by_meaning(
  coach_id text, query_vector text, category text, how_many integer, is_quoting boolean default false
) returns table (passage_id integer, place bigint)
-- The planner knows little of vectors. If it may sort, it compares all of them instead of using their index. Without
-- sorting its estimates become so high that Postgres would compile each call, which takes 100 ms.
language plpgsql stable rows 50 security invoker set search_path = '' set enable_sort = off as $$
declare
  -- Comparing this many takes as long as a search of the index, which also holds the vectors of other coaches.
  compared_at_most constant integer := 10000;
  wanted_model constant text := rank_by_meaning.query_vector::json ->> 'model';
  wanted constant extensions.halfvec(1536) := (rank_by_meaning.query_vector::json ->> 'vector')::extensions.halfvec(1536);
  candidates bigint; hidden integer[];
begin
  if query_vector is null then return; end if;
  -- The passages of files that must not be found; null: none.
  select array_agg(passage.id) into hidden from public.knowledge_files as file
  join public.passages as passage on passage.file_id = file.id
  where file.number = any (private.list_hidden(rank_by_meaning.coach_id, is_quoting));
  select count(*) into candidates from (
    select from private.passage_embeddings as vector
    where vector.coach_id = rank_by_meaning.coach_id and vector.model = wanted_model
      and (rank_by_meaning.category is null or vector.category = rank_by_meaning.category)
    limit compared_at_most + 1
  ) as counted;
  if candidates <= compared_at_most then
    return query
    with compared as materialized (
      select vector.passage_id, vector.embedding operator(extensions.<=>) wanted as distance
      from private.passage_embeddings as vector
      where vector.coach_id = rank_by_meaning.coach_id and vector.model = wanted_model
        and (rank_by_meaning.category is null or vector.category = rank_by_meaning.category)
        and (hidden is null or vector.passage_id not in (select unnest(hidden)))
    )
    select compared.passage_id, row_number() over (order by compared.distance, compared.passage_id)
    from compared where compared.distance < 1 order by 2
    limit rank_by_meaning.how_many;
  else
    return query
    with closest as materialized (
      select vector.passage_id, vector.embedding operator(extensions.<=>) wanted as distance
      from private.passage_embeddings as vector
      where vector.coach_id = rank_by_meaning.coach_id and vector.model = wanted_model
        and (rank_by_meaning.category is null or vector.category = rank_by_meaning.category)
        and (hidden is null or vector.passage_id not in (select unnest(hidden)))
      order by vector.embedding operator(extensions.<=>) wanted limit rank_by_meaning.how_many
    )
    select closest.passage_id, row_number() over (order by closest.distance, closest.passage_id)
    from closest where closest.distance < 1;
  end if;
end $$;

-- By default a search of the index stops at the first 40.
do $$
begin
  -- Loads the library, and thereby its settings.
  perform '[1]'::extensions.vector;
  alter function private.rank_by_meaning set hnsw.ef_search = 100;
  alter function private.rank_phrases_by_meaning set hnsw.ef_search = 100;
  if exists (select from pg_catalog.pg_settings where name = 'hnsw.iterative_scan') then
    alter function private.rank_by_meaning set hnsw.iterative_scan = 'relaxed_order';
    alter function private.rank_phrases_by_meaning set hnsw.iterative_scan = 'relaxed_order';
  end if;
end $$;
