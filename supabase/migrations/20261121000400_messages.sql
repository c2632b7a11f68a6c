-- Messages: what was said in a thread. A turn writes two rows at once, the question and the answer to come;
-- the answer is filled in while the model speaks and completed when it ends.

create table public.messages (
  id uuid primary key default gen_random_uuid(),
  thread_id uuid not null references public.threads (id) on delete cascade,
  sequence bigint generated always as identity,
  role text not null,
  content text not null default '',
  status text not null default 'complete',
  error text,
  mode text,
  response_id text,
  input_tokens integer,
  output_tokens integer,
  request_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint messages_role_is_known check (role in ('user', 'assistant', 'system')),
  constraint messages_status_is_known check (status in ('streaming', 'complete', 'stopped', 'failed')),
  constraint messages_only_answers_stream check (role = 'assistant' or status = 'complete')
);

comment on table public.messages is 'Everything said in a thread, oldest first by created_at, then sequence.';
comment on column public.messages.sequence is 'Order of writing; decides between rows of the same instant.';
comment on column public.messages.role is 'user, assistant, or system. System messages reach the model and are never returned to clients.';
comment on column public.messages.status is 'streaming while the answer is being written; complete, stopped and failed are final.';
comment on column public.messages.error is 'Why an answer failed, for operators.';
comment on column public.messages.mode is 'context.mode of the request.';
comment on column public.messages.response_id is 'Id of the response at the language-model backend; null where there is none.';
comment on column public.messages.input_tokens is 'Tokens the model read for this answer.';
comment on column public.messages.output_tokens is 'Tokens the model wrote for this answer.';
comment on column public.messages.request_id is 'X-Request-Id of the request that wrote the row: leads to its log lines.';
comment on column public.messages.updated_at is 'Last sign of life of the writer; a streaming answer silent for 30 seconds has lost its writer.';

-- A thread in order, its newest messages, and where a page begins.
create index messages_by_thread on public.messages (thread_id, created_at, sequence);

alter table public.messages enable row level security;

create policy "Only the service reaches messages" on public.messages
  for all to anon, authenticated using (false) with check (false);

revoke all on public.messages from anon, authenticated;
grant select, insert, update, delete on public.messages to service_role;

-- A message written by anyone, by hand included, moves its thread to the top of the list.
create function private.touch_threads() returns trigger
language plpgsql volatile security invoker set search_path = ''
as $$
begin
  update public.threads as thread
  set updated_at = newest.created_at
  from (select thread_id, max(created_at) as created_at from written group by thread_id) as newest
  where thread.id = newest.thread_id and thread.updated_at < newest.created_at;
  return null;
end;
$$;

comment on function private.touch_threads() is 'Carries the time of new messages over to their threads.';
revoke execute on function private.touch_threads() from public;

create trigger messages_touch_threads after insert on public.messages
  referencing new table as written
  for each statement execute function private.touch_threads();
