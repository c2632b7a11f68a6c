-- What a project of before May 2026 grants by default and nobody needs: rows get their numbers without any right on the
-- sequence, and passages are written by store_passages() alone.

revoke all on all sequences in schema public from anon, authenticated, service_role;
revoke all on public.passages from service_role;
grant select, delete on public.passages to service_role;
