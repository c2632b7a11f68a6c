-- Knowledge files: what a coach knows beyond its instructions. The bytes are in Storage, everything else is here.
-- The name is data and never shapes the storage path. The state is the work list of the indexer: a sweep takes
-- what is queued or was left behind, so that a killed worker loses nothing.

-- Parts of file names are found by trigram. The schema and its grants are those of a hosted project.
create schema if not exists extensions;
grant usage on schema extensions to anon, authenticated, service_role;
create extension if not exists pg_trgm with schema extensions;

alter table public.coach_profiles add column language text not null default 'english';
comment on column public.coach_profiles.language is 'Language of the knowledge files: any text search configuration (select cfgname from pg_ts_config). Changing it queues the files to be indexed anew.';

create table public.knowledge_files (
  id uuid primary key default gen_random_uuid(),
  number integer generated always as identity,
  account_id uuid not null,
  coach_id text not null,
  name text not null,
  size bigint not null,
  content_type text not null,
  category text not null,
  digest text not null,
  storage_path text not null,
  status text not null default 'queued',
  error text,
  attempts integer not null default 0,
  due_at timestamptz default now(),
  uploaded_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint knowledge_files_name_is_not_blank check (btrim(name) <> ''),
  constraint knowledge_files_name_is_at_most_500_characters check (char_length(name) <= 500),
  constraint knowledge_files_size_is_positive check (size > 0),
  constraint knowledge_files_category_is_known check (category in ('documents', 'images', 'videos')),
  constraint knowledge_files_digest_is_sha_256 check (digest ~ '^[0-9a-f]{64}$'),
  constraint knowledge_files_status_is_known check (status in ('queued', 'indexing', 'ready', 'empty', 'failed')),
  constraint knowledge_files_attempts_are_counted_up check (attempts >= 0),
  constraint knowledge_files_number_is_unique unique (number),
  constraint knowledge_files_storage_path_is_unique unique (storage_path),
  constraint knowledge_files_same_file_is_stored_once unique (coach_id, digest, name),
  constraint knowledge_files_coach_is_unique_per_id unique (id, coach_id),
  constraint knowledge_files_coach_is_of_the_account foreign key (account_id, coach_id)
    references public.coach_profiles (account_id, id) on update cascade on delete restrict
);

comment on table public.knowledge_files is 'A file in the knowledge base of a coach. A coach that has files cannot be deleted: set is_active to false instead.';
comment on column public.knowledge_files.number is 'Short name of the file inside the search index.';
comment on column public.knowledge_files.account_id is 'The account of the coach.';
comment on column public.knowledge_files.name is 'As uploaded. The same name with other bytes is another file.';
comment on column public.knowledge_files.size is 'In bytes.';
comment on column public.knowledge_files.content_type is 'MIME type, confirmed by the content.';
comment on column public.knowledge_files.category is 'documents, images or videos.';
comment on column public.knowledge_files.digest is 'SHA-256 of the bytes, in hex.';
comment on column public.knowledge_files.storage_path is 'Where Storage keeps the bytes.';
comment on column public.knowledge_files.status is 'queued and indexing are on the way; ready can be searched by content; empty holds no text; failed says why in error.';
comment on column public.knowledge_files.error is 'Why indexing failed.';
comment on column public.knowledge_files.attempts is 'How often indexing was begun; counted before the work.';
comment on column public.knowledge_files.due_at is 'When a sweep may take the file; null when nothing is left to do.';

-- The files of a coach, newest first.
create index knowledge_files_by_coach on public.knowledge_files (coach_id, uploaded_at desc, id desc);
-- The same of one category.
create index knowledge_files_by_category on public.knowledge_files (coach_id, category, uploaded_at desc, id desc);
-- Deleting or moving a coach checks for its files.
create index knowledge_files_by_account on public.knowledge_files (account_id, coach_id);
-- The sweep takes what is due, longest due first.
create index knowledge_files_by_due_time on public.knowledge_files (due_at) where due_at is not null;
-- Parts of names.
create index knowledge_files_by_part_of_name on public.knowledge_files using gin (name extensions.gin_trgm_ops);

alter table public.knowledge_files enable row level security;

create policy "Only the service reaches knowledge files" on public.knowledge_files
  for all to anon, authenticated using (false) with check (false);

revoke all on public.knowledge_files from anon, authenticated;
grant select, insert, update, delete on public.knowledge_files to service_role;

create function private.check_coach_language() returns trigger
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  is_known boolean;
begin
  begin
    -- The cast alone takes any number for an object's id.
    is_known := exists (select from pg_catalog.pg_ts_config where oid = new.language::regconfig and new.language !~ '^[0-9]+$');
  exception when others then
    is_known := false;
  end;
  if not is_known then
    raise exception using errcode = '22023',
      message = format('language %L is not a text search configuration of this database', new.language);
  end if;
  return new;
end;
$$;

comment on function private.check_coach_language() is 'Refuses a language that Postgres cannot index.';
revoke execute on function private.check_coach_language() from public;

create trigger coach_profiles_check_language before insert or update of language on public.coach_profiles
  for each row execute function private.check_coach_language();

create function private.queue_files_of_coach() returns trigger
language plpgsql volatile security invoker set search_path = ''
as $$
begin
  update public.knowledge_files as file
  set status = 'queued', error = null, attempts = 0, due_at = now(), updated_at = now()
  where file.coach_id = new.id;
  return null;
end;
$$;

comment on function private.queue_files_of_coach() is 'Has the files of a coach indexed anew.';
revoke execute on function private.queue_files_of_coach() from public;

create trigger coach_profiles_queue_files after update of language on public.coach_profiles
  for each row when (old.language is distinct from new.language) execute function private.queue_files_of_coach();
