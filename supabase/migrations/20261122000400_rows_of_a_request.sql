-- X-Request-Id leads to the rows that a request has written: to its messages, and from here on to its files.

-- Messages of a request.
create index messages_by_request on public.messages (request_id) where request_id is not null;

alter table public.knowledge_files add column request_id text;
comment on column public.knowledge_files.request_id is 'X-Request-Id of the request that uploaded the file: leads to its log lines.';

drop function public.end_upload(uuid, text, integer, jsonb, uuid, text, text, text);

-- files: [{object, name, size, content_type, category, digest}]; object is the number of the stored object, objects how
-- many were stored. The same bytes under the same name are the file that is already there. The result describes the
-- files in the order given; null when the upload was given up meanwhile: nothing is stored then. A request may arrive
-- twice when its connection breaks: the second is told what the first has stored.
-- idempotency_key: an upload that was already made with it stands, and its files are the result; with another
-- fingerprint the result is {"error": "idempotency_key_reused"}. Either way what was stored this time is removed.
-- Definer: service_role has no rights on the private schema.
create function public.end_upload(
  upload_id uuid,
  coach_id text,
  objects integer,
  files jsonb,
  account_id uuid default null,
  user_id text default null,
  idempotency_key text default null,
  fingerprint text default null,
  request_id text default null
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
      insert into public.knowledge_files (
        account_id, coach_id, name, size, content_type, category, digest, storage_path, request_id
      )
      select upload.account_id, upload.coach_id, file.name, file.size, file.content_type, file.category, file.digest,
        format('%s/%s/%s', upload.account_id, upload.id, file.object), end_upload.request_id
      from jsonb_to_recordset(end_upload.files) as file (
        object integer, name text, size bigint, content_type text, category text, digest text
      )
      order by file.object
      on conflict on constraint knowledge_files_same_file_is_stored_once do nothing;

      -- Whoever sends a failed file again wants it tried again.
      update public.knowledge_files as file
      set status = 'queued', error = null, attempts = 0, bookmark = null, claim = null, due_at = now(), updated_at = now(),
        request_id = end_upload.request_id
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

comment on function public.end_upload(uuid, text, integer, jsonb, uuid, text, text, text, text)
  is 'Makes the stored objects of an upload files of the coach, all at once, queued for indexing.';
revoke execute on function public.end_upload(uuid, text, integer, jsonb, uuid, text, text, text, text) from public, anon, authenticated;
grant execute on function public.end_upload(uuid, text, integer, jsonb, uuid, text, text, text, text) to service_role;
