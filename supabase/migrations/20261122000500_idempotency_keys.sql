-- Idempotency keys: a repeated request with the same key gets the result of the first one, for a day.
-- Table: idempotency_keys. begin_turn(), ask_expert(), say_as_expert(), revise_answer() and end_upload() look a key up and store the
-- result of the request.
-- Surprise: a key belongs to its sender, that is, to an account and, with a bearer token, its user. The same key of
-- another sender is another key.

create table private.idempotency_keys (
  account_id uuid not null references public.accounts (id) on delete cascade,
  user_id text not null,
  operation text not null,
  key text not null,
  fingerprint text not null,
  message_id uuid references public.messages (id) on delete cascade,
  run_id uuid,
  reply json,
  created_at timestamptz not null default now(),
  primary key (account_id, user_id, operation, key),
  constraint idempotency_keys_operation_is_known check (operation in ('ask', 'chat', 'revise', 'say', 'upload')),
  constraint idempotency_keys_have_one_result check (num_nonnulls(message_id, reply) = 1)
) with (
  -- All rows are replaced within a day.
  autovacuum_vacuum_scale_factor = 0.05
);
comment on table private.idempotency_keys is 'Requests that were sent with an Idempotency-Key in the last 24 hours, and their results.';
comment on column private.idempotency_keys.user_id is 'User of the bearer token; empty where the API key acted alone.';
comment on column private.idempotency_keys.operation is 'What was asked for: chat, ask (for the expert), upload, say (a message of the expert) or revise.';
comment on column private.idempotency_keys.key is 'The Idempotency-Key, as it was sent.';
comment on column private.idempotency_keys.fingerprint is 'SHA-256 of the request, in hex: the same key with another request is refused.';
comment on column private.idempotency_keys.message_id is 'The answer of a chat, the question for the expert, or the message of the expert.';
comment on column private.idempotency_keys.run_id is 'The last request for this answer, as the run that it would have begun (see stop_turn).';
comment on column private.idempotency_keys.reply is 'What the reply said, where it was no message: the files of an upload, or a correction.';
comment on column private.idempotency_keys.created_at is 'When the request was carried out; a day later the key is free again.';

-- Deleting a message looks for its key.
create index idempotency_keys_by_message on private.idempotency_keys (message_id);
-- The expired ones, oldest first.
create index idempotency_keys_by_age on private.idempotency_keys (created_at);

-- The name of the lock on a key; null without one.
create function private.name_lock(account_id uuid, user_id text, operation text, key text) returns text
language plpgsql stable security invoker set search_path = '' as $$
begin return case when key is not null then concat_ws(' ', account_id, operation, user_id, key) end; end $$;

-- The request with a key, or nulls.
create function private.find_keyed_request(account_id uuid, user_id text, operation text, key text)
returns private.idempotency_keys language plpgsql stable security invoker set search_path = '' as $$
begin
  return (
    select request from private.idempotency_keys as request
    where request.account_id = find_keyed_request.account_id and request.user_id = find_keyed_request.user_id
      and request.operation = find_keyed_request.operation and request.key = find_keyed_request.key
  );
end $$;

-- The request that had this key, or nulls. lasts: how long a key stands for it; null: 24 hours. Deletes some expired
-- keys. Blocks other requests with this key until the transaction ends.
create function private.recall_request(account_id uuid, user_id text, operation text, key text, lasts interval default null)
returns private.idempotency_keys language plpgsql volatile security invoker set search_path = '' as $$
declare oldest constant timestamptz := now() - interval '24 hours';
begin
  perform pg_advisory_xact_lock(hashtextextended(private.name_lock(account_id, user_id, operation, key), 0));
  -- This key first, while no other row is locked, to avoid deadlocks.
  delete from private.idempotency_keys as request
  where request.account_id = recall_request.account_id and request.user_id = recall_request.user_id
    and request.operation = recall_request.operation and request.key = recall_request.key
    and request.created_at < coalesce(now() - recall_request.lasts, oldest);
  delete from private.idempotency_keys as request
  where request.ctid = any(array(
    select request.ctid from private.idempotency_keys as request
    where request.created_at < oldest order by request.created_at limit 100 for update skip locked
  ));
  return private.find_keyed_request(account_id, user_id, operation, key);
end $$;

-- Stores the result of a request, for requests that come with the same key. One of message_id and reply is given.
create function private.remember_request(
  account_id uuid, user_id text, operation text, key text, fingerprint text, message_id uuid default null,
  reply json default null, run_id uuid default null
) returns void language plpgsql volatile security invoker set search_path = '' as $$
begin
  insert into private.idempotency_keys (account_id, user_id, operation, key, fingerprint, message_id, reply, run_id)
  values (remember_request.account_id, remember_request.user_id, remember_request.operation, remember_request.key,
    remember_request.fingerprint, remember_request.message_id, remember_request.reply, remember_request.run_id);
end $$;
