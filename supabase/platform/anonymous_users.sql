-- Anonymous users of the local stack, whom lite_auth.ts signs up under an address that it makes up. Run at every
-- start, since Supabase Auth's own tables are no part of the migrations.
-- A user who adds an address becomes permanent immediately: the local stack does not ask for a confirmation.

create or replace function auth.mark_anonymous_user() returns trigger
language plpgsql volatile security invoker set search_path = ''
as $$
begin
  if new.email like '%@anonymous.invalid' and new.email_change <> '' then
    new.email := new.email_change;
    new.email_change := null;
    new.email_change_token_new := null;
    new.email_change_token_current := null;
    new.email_change_sent_at := null;
    new.raw_user_meta_data := new.raw_user_meta_data || jsonb_build_object('email', new.email, 'email_verified', true);
    update auth.identities
    set identity_data = identity_data || jsonb_build_object('email', new.email) where user_id = new.id;
  end if;
  new.is_anonymous := new.email like '%@anonymous.invalid';
  return new;
end;
$$;

create or replace trigger mark_anonymous_user before insert or update on auth.users
  for each row execute function auth.mark_anonymous_user();
