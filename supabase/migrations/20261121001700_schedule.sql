-- The clock of the indexer: where the platform has pg_cron and pg_net, as every hosted project does, it is called each
-- minute in which something is due. The address of the project and a secret key are in the vault:
--   select vault.create_secret('https://<ref>.supabase.co', 'project_url');
--   select vault.create_secret('sb_secret_…', 'secret_key');
-- Without them, or without these extensions, uploads still call the indexer; only what was interrupted has to wait for
-- the next one.

-- Definer: it reads the vault and the private schema.
create function private.wake_indexer() returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  project_url text;
  secret_key text;
begin
  if not exists (select from public.knowledge_files as file where file.due_at <= now())
    and not exists (select from private.object_removals as removal where removal.due_at <= now())
    and not exists (select from private.uploads as upload where upload.due_at <= now())
  then
    return;
  end if;
  select secret.decrypted_secret into project_url from vault.decrypted_secrets as secret where secret.name = 'project_url';
  select secret.decrypted_secret into secret_key from vault.decrypted_secrets as secret where secret.name = 'secret_key';
  if project_url is null or secret_key is null then
    raise warning 'The indexer cannot be called: store project_url and secret_key in the vault';
    return;
  end if;
  perform net.http_post(
    url := rtrim(project_url, '/') || '/functions/v1/indexer',
    headers := jsonb_build_object('apikey', secret_key, 'Content-Type', 'application/json'),
    body := '{}'::jsonb,
    timeout_milliseconds := 10000
  );
end;
$$;

comment on function private.wake_indexer() is 'Calls the function indexer when something is due.';
revoke execute on function private.wake_indexer() from public;

do $$
begin
  if (select count(*) from pg_available_extensions where name in ('pg_cron', 'pg_net', 'supabase_vault')) = 3 then
    create extension if not exists pg_cron with schema pg_catalog;
    create extension if not exists pg_net with schema extensions;
    perform cron.schedule('wake-indexer', '* * * * *', 'select private.wake_indexer()');
  end if;
end;
$$;
