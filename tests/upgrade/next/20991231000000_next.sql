-- A migration that is never deployed: it stands for those of a next release, in the test of upgrades. It has what is
-- allowed there: a column with a default, an index, and a function with a further parameter, which has a default. The
-- functions of the release before call that function until they are replaced.

alter table public.threads add column upgrade_note text not null default 'none';
alter table public.messages add column upgrade_count integer;
create index threads_by_upgrade_note on public.threads (upgrade_note);
update public.messages set upgrade_count = length(content);

do $$
declare definition text := pg_get_functiondef('public.list_coaches'::regproc);
begin
  drop function public.list_coaches;
  execute regexp_replace(definition, '\)\s+RETURNS', ', is_upgraded boolean default true) RETURNS');
  revoke execute on function public.list_coaches from public, anon, authenticated;
  grant execute on function public.list_coaches to service_role;
end $$;
