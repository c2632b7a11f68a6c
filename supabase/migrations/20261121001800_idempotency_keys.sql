-- Idempotency keys: a request that is sent again with the key it had gets what the first one got, for a day.
-- A key belongs to whoever sent it: an account and, with a bearer token, its user. Another's equal key is another key.

create table private.idempotency_keys (
  account_id uuid not null references public.accounts (id) on delete cascade,
  user_id text not null,
  operation text not null,
  key text not null,
  fingerprint text not null,
  message_id uuid references public.messages (id) on delete cascade,
  files json,
  created_at timestamptz not null default now(),
  primary key (account_id, user_id, operation, key),
  constraint idempotency_keys_operation_is_known check (operation in ('chat', 'upload')),
  constraint idempotency_keys_have_one_result check (num_nonnulls(message_id, files) = 1)
);

comment on table private.idempotency_keys is 'Requests that were sent with an Idempotency-Key in the last 24 hours, and what became of them.';
comment on column private.idempotency_keys.user_id is 'User of the bearer token; empty where the API key acted alone.';
comment on column private.idempotency_keys.fingerprint is 'SHA-256 of what was asked, in hex: the same key with another request is refused.';
comment on column private.idempotency_keys.message_id is 'The answer of a chat.';
comment on column private.idempotency_keys.files is 'The files of an upload, as the reply named them.';

create index idempotency_keys_by_message on private.idempotency_keys (message_id);
-- The expired ones, oldest first.
create index idempotency_keys_by_age on private.idempotency_keys (created_at);

alter table private.idempotency_keys enable row level security;

create policy "Only the functions of this schema reach idempotency keys" on private.idempotency_keys
  for all to anon, authenticated using (false) with check (false);

-- Holds off every other request with this key until the transaction ends, and finds what the key stands for.
create function private.recall_request(account_id uuid, user_id text, operation text, key text)
returns private.idempotency_keys
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  oldest constant timestamptz := now() - interval '24 hours';
  earlier private.idempotency_keys;
begin
  perform pg_advisory_xact_lock(hashtextextended(
    concat_ws(' ', recall_request.account_id, recall_request.operation, recall_request.user_id, recall_request.key), 0
  ));
  -- This one first: whoever waits for it holds no other yet.
  delete from private.idempotency_keys as expired
  where expired.account_id = recall_request.account_id
    and expired.user_id = recall_request.user_id
    and expired.operation = recall_request.operation
    and expired.key = recall_request.key
    and expired.created_at < oldest;
  delete from private.idempotency_keys as expired
  where expired.ctid = any(array(
    select candidate.ctid from private.idempotency_keys as candidate
    where candidate.created_at < oldest
    order by candidate.created_at
    limit 100
    for update skip locked
  ));
  select * into earlier from private.idempotency_keys as candidate
  where candidate.account_id = recall_request.account_id
    and candidate.user_id = recall_request.user_id
    and candidate.operation = recall_request.operation
    and candidate.key = recall_request.key;
  return earlier;
end;
$$;

comment on function private.recall_request(uuid, text, text, text) is 'What a key of the last 24 hours stands for, or nulls; forgets some expired ones.';
revoke execute on function private.recall_request(uuid, text, text, text) from public;

create function private.remember_request(request private.idempotency_keys) returns void
language sql volatile security invoker set search_path = ''
as $$
  insert into private.idempotency_keys (account_id, user_id, operation, key, fingerprint, message_id, files)
  values (request.account_id, request.user_id, request.operation, request.key, request.fingerprint, request.message_id, request.files);
$$;

comment on function private.remember_request(private.idempotency_keys) is 'Keeps what became of a request for those that come with the same key.';
revoke execute on function private.remember_request(private.idempotency_keys) from public;

drop function public.end_upload(uuid, text, integer, jsonb);

-- files: [{object, name, size, content_type, category, digest}]; object is the number of the stored object, objects how
-- many were stored. The same bytes under the same name are the file that is already there. The result describes the
-- files in the order given; null when the upload was given up meanwhile: nothing is stored then. A request may arrive
-- twice when its connection breaks: the second is told what the first has stored.
-- idempotency_key: an upload that was already made with it stands, and its files are the result; with another
-- fingerprint the result is {"error": "idempotency_key_reused"}. Either way what was stored this time is removed.
create function public.end_upload(
  upload_id uuid,
  coach_id text,
  objects integer,
  files jsonb,
  account_id uuid default null,
  user_id text default null,
  idempotency_key text default null,
  fingerprint text default null
) returns json
language plpgsql volatile security definer set search_path = ''
as $$
declare
  upload private.uploads;
  earlier private.idempotency_keys;
  described json;
begin
  if end_upload.idempotency_key is not null then
    earlier := private.recall_request(
      end_upload.account_id, coalesce(end_upload.user_id, ''), 'upload', end_upload.idempotency_key
    );
  end if;

  delete from private.uploads as candidate
  where candidate.id = end_upload.upload_id and candidate.coach_id = end_upload.coach_id
  returning * into upload;

  if found then
    if earlier.key is null then
      insert into public.knowledge_files (account_id, coach_id, name, size, content_type, category, digest, storage_path)
      select upload.account_id, upload.coach_id, file.name, file.size, file.content_type, file.category, file.digest,
        format('%s/%s/%s', upload.account_id, upload.id, file.object)
      from jsonb_to_recordset(end_upload.files) as file (
        object integer, name text, size bigint, content_type text, category text, digest text
      )
      order by file.object
      on conflict on constraint knowledge_files_same_file_is_stored_once do nothing;

      -- Whoever sends a failed file again wants it tried again.
      update public.knowledge_files as file
      set status = 'queued', error = null, attempts = 0, bookmark = null, claim = null, due_at = now(), updated_at = now()
      from jsonb_to_recordset(end_upload.files) as sent (name text, digest text)
      where file.coach_id = upload.coach_id and file.digest = sent.digest and file.name = sent.name
        and file.status = 'failed';
    end if;

    insert into private.object_removals (storage_path)
    select stored.path
    from (
      select format('%s/%s/%s', upload.account_id, upload.id, number) as path
      from generate_series(1, end_upload.objects) as number
    ) as stored
    where not exists (select from public.knowledge_files as file where file.storage_path = stored.path)
    on conflict do nothing;
  end if;

  if earlier.key is not null then
    if earlier.fingerprint <> end_upload.fingerprint then
      return json_build_object('error', 'idempotency_key_reused');
    end if;
    return earlier.files;
  end if;

  select json_agg(private.describe_upload(file) order by sent.object) into described
  from jsonb_to_recordset(end_upload.files) as sent (object integer, name text, digest text)
  join public.knowledge_files as file
    on file.coach_id = end_upload.coach_id and file.digest = sent.digest and file.name = sent.name;
  if upload.id is null and coalesce(json_array_length(described), 0) < jsonb_array_length(end_upload.files) then
    return null;
  end if;
  described := coalesce(described, '[]');
  if end_upload.idempotency_key is not null then
    perform private.remember_request(row(
      end_upload.account_id, coalesce(end_upload.user_id, ''), 'upload', end_upload.idempotency_key,
      end_upload.fingerprint, null, described, now()
    )::private.idempotency_keys);
  end if;
  return described;
end;
$$;

comment on function public.end_upload(uuid, text, integer, jsonb, uuid, text, text, text)
  is 'Makes the stored objects of an upload files of the coach, all at once, queued for indexing.';
revoke execute on function public.end_upload(uuid, text, integer, jsonb, uuid, text, text, text) from public, anon, authenticated;
grant execute on function public.end_upload(uuid, text, integer, jsonb, uuid, text, text, text) to service_role;
