-- Everything of one user: to hand it out, or to be rid of it. A user is a user of one account: another account's
-- "user-1" is somebody else. What a coach uploads or notes belongs to the coach's knowledge, not here.
-- Both may take longer than the 8 seconds that a request usually has: REST grants them the time that they ask for, up to
-- a minute.

-- A blank id is nobody's: what an API key did alone is kept under it.
create function private.require_user(account_id uuid, user_id text) returns void
language plpgsql stable security invoker set search_path = ''
as $$
begin
  if not exists (select from public.accounts as account where account.id = require_user.account_id) then
    raise exception using errcode = 'PT404', message = 'Account not found';
  end if;
  if btrim(coalesce(require_user.user_id, '')) = '' then
    raise exception using errcode = '22023', message = 'user_id must not be blank';
  end if;
end;
$$;

comment on function private.require_user(uuid, text) is 'Refuses an unknown account and a blank user.';
revoke execute on function private.require_user(uuid, text) from public;

-- System messages are the operators' own, and stay with them. Definer, like erase_user(): service_role has no rights on
-- the private schema.
create function public.export_user(account_id uuid, user_id text) returns json
language plpgsql stable security definer set search_path = '' set statement_timeout = '60s'
as $$
begin
  perform private.require_user(export_user.account_id, export_user.user_id);
  return json_build_object(
    'account_id', export_user.account_id,
    'user_id', export_user.user_id,
    'exported_at', now(),
    'threads', (
      select coalesce(json_agg(
        json_build_object(
          'id', thread.id,
          'title', thread.title,
          'coach_id', thread.coach_id,
          'coach_name', coach.name,
          'created_at', thread.created_at,
          'updated_at', thread.updated_at,
          'messages', (
            select coalesce(json_agg(
              json_build_object(
                'id', message.id,
                'role', message.role,
                'content', message.content,
                'status', message.status,
                'error_code', message.error_code,
                'error', message.error,
                'mode', message.mode,
                'sources', message.sources,
                'response_id', message.response_id,
                'other_response_ids', message.other_response_ids,
                'input_tokens', message.input_tokens,
                'output_tokens', message.output_tokens,
                'request_id', message.request_id,
                'created_at', message.created_at,
                'updated_at', message.updated_at
              ) order by message.created_at, message.sequence
            ), '[]')
            from public.messages as message
            where message.thread_id = thread.id and message.role <> 'system'
          )
        ) order by thread.created_at, thread.id
      ), '[]')
      from public.threads as thread
      join public.coach_profiles as coach on coach.id = thread.coach_id
      where thread.account_id = export_user.account_id and thread.user_id = export_user.user_id
    )
  );
end;
$$;

comment on function public.export_user(uuid, text) is 'All threads and messages of a user of an account, oldest first.';
revoke execute on function public.export_user(uuid, text) from public, anon, authenticated;
grant execute on function public.export_user(uuid, text) to service_role;

-- The messages go first, all at once: row by row, behind their threads, would take many times as long. Responses at the
-- model's backend are put on the list of those to remove. Usage stays: it counts and names nobody.
create function public.erase_user(account_id uuid, user_id text) returns json
language plpgsql volatile security definer set search_path = '' set statement_timeout = '60s'
as $$
declare
  threads integer;
  messages integer;
  responses integer;
begin
  perform private.require_user(erase_user.account_id, erase_user.user_id);
  with deleted as (
    delete from public.messages as message
    using public.threads as thread
    where thread.id = message.thread_id
      and thread.account_id = erase_user.account_id
      and thread.user_id = erase_user.user_id
    returning message.response_id, message.other_response_ids
  )
  select count(*), count(deleted.response_id) + coalesce(sum(cardinality(deleted.other_response_ids)), 0)
  into messages, responses
  from deleted;

  delete from public.threads as thread
  where thread.account_id = erase_user.account_id and thread.user_id = erase_user.user_id;
  get diagnostics threads = row_count;

  delete from private.idempotency_keys as request
  where request.account_id = erase_user.account_id and request.user_id = erase_user.user_id;
  return json_build_object('threads', threads, 'messages', messages, 'responses', responses);
end;
$$;

comment on function public.erase_user(uuid, text) is 'Deletes all threads and messages of a user of an account, and has their responses deleted at the model''s backend.';
revoke execute on function public.erase_user(uuid, text) from public, anon, authenticated;
grant execute on function public.erase_user(uuid, text) to service_role;
