-- Ranking by meaning: passages are also found by what they mean, where the deployment has a model that turns texts into
-- vectors (embeddings). Without such a model nothing of this is used.
-- Table: passage_embeddings. Functions: store_embeddings, rank_by_meaning.
-- Surprises: a vector goes with the name of its model, and only vectors of one model are compared.
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

comment on table private.passage_embeddings is 'What the passages mean, as vectors. Written by save_indexing(); deleted with the passage.';
comment on column private.passage_embeddings.passage_id is 'The passage.';
comment on column private.passage_embeddings.coach_id is 'The coach of the passage.';
comment on column private.passage_embeddings.category is 'Category of the file.';
comment on column private.passage_embeddings.model is 'Model that made the vector.';
comment on column private.passage_embeddings.embedding is 'The vector; shorter ones end in zeros.';

-- The vectors of a coach, all of which are compared as long as they are few.
create index passage_embeddings_by_coach on private.passage_embeddings (coach_id, model, category);
-- The closest vectors among many. With the usual m = 16 and ef_construction = 64 a vector takes twice as long to write.
create index passage_embeddings_by_angle on private.passage_embeddings
  using hnsw (embedding extensions.halfvec_cosine_ops) with (m = 12, ef_construction = 40);

alter table private.passage_embeddings enable row level security;

create function private.store_embeddings(file_id uuid, from_position integer, passages jsonb) returns void
language sql volatile security invoker set search_path = ''
as $$
  insert into private.passage_embeddings (passage_id, coach_id, category, model, embedding)
  select passage.id, passage.coach_id, file.category, entry.value #>> '{embedding,model}',
    (entry.value #>> '{embedding,vector}')::extensions.halfvec(1536)
  from jsonb_array_elements(store_embeddings.passages) with ordinality as entry
  join public.passages as passage on passage.file_id = store_embeddings.file_id
    and passage.position = store_embeddings.from_position + entry.ordinality::integer - 1
  join public.knowledge_files as file on file.id = passage.file_id
  where entry.value ? 'embedding';
$$;

comment on function private.store_embeddings is 'Stores the embeddings of passages that store_passages() has just stored, where they have one.';

-- The passages closest to a query, numbered from 1; only those whose cosine is above zero, since a smaller one says
-- nothing. query_vector is JSON, {"model", "vector"}; where it is null, nothing is found.
create function private.rank_by_meaning(coach_id text, query_vector text, category text, how_many integer)
returns table (passage_id integer, place bigint)
-- The planner knows little of vectors. Where it may sort, it would rather compare all of them than use their index. What
-- it may not do it still plans at a cost beyond measure, for which Postgres would compile each call: 100 ms.
language plpgsql stable rows 50 security invoker set search_path = '' set enable_sort = off set jit = off
as $$
declare
  -- Comparing so many takes as long as finding the way through the index among the vectors of other coaches.
  compared_at_most constant integer := 10000;
  wanted_model constant text := rank_by_meaning.query_vector::json ->> 'model';
  wanted constant extensions.halfvec(1536) := (rank_by_meaning.query_vector::json ->> 'vector')::extensions.halfvec(1536);
  candidates bigint;
begin
  if rank_by_meaning.query_vector is null then
    return;
  end if;
  select count(*) into candidates
  from (
    select from private.passage_embeddings as entry
    where entry.coach_id = rank_by_meaning.coach_id and entry.model = wanted_model
      and (rank_by_meaning.category is null or entry.category = rank_by_meaning.category)
    limit compared_at_most + 1
  ) as counted;

  if candidates <= compared_at_most then
    return query
    with compared as materialized (
      select entry.passage_id, entry.embedding operator(extensions.<=>) wanted as distance
      from private.passage_embeddings as entry
      where entry.coach_id = rank_by_meaning.coach_id and entry.model = wanted_model
        and (rank_by_meaning.category is null or entry.category = rank_by_meaning.category)
    )
    select compared.passage_id, row_number() over (order by compared.distance, compared.passage_id)
    from compared
    where compared.distance < 1
    order by 2
    limit rank_by_meaning.how_many;
  else
    return query
    with closest as materialized (
      select entry.passage_id, entry.embedding operator(extensions.<=>) wanted as distance
      from private.passage_embeddings as entry
      where entry.coach_id = rank_by_meaning.coach_id and entry.model = wanted_model
        and (rank_by_meaning.category is null or entry.category = rank_by_meaning.category)
      order by entry.embedding operator(extensions.<=>) wanted
      limit rank_by_meaning.how_many
    )
    select closest.passage_id, row_number() over (order by closest.distance, closest.passage_id)
    from closest
    where closest.distance < 1;
  end if;
end;
$$;

comment on function private.rank_by_meaning is 'Ranks the passages of a coach by the angle between their vectors and that of a query: {"model", "vector"}.';

-- By default a search of the index stops at the first 40.
do $$
begin
  -- Loads the library, and thereby its settings.
  perform '[1]'::extensions.vector;
  alter function private.rank_by_meaning set hnsw.ef_search = 100;
  if exists (select from pg_catalog.pg_settings where name = 'hnsw.iterative_scan') then
    alter function private.rank_by_meaning set hnsw.iterative_scan = 'relaxed_order';
  end if;
end;
$$;
