-- An application's own login: whose tokens, beside those of the project's Auth, sign in users of an account.
-- Tables: token_issuers. Operators fill it with set_token_issuer(), remove_token_issuer() and list_token_issuers().
-- A user of such an issuer is stored as `<name>:<sub>`: another name makes other users, another issuer under the same
-- name takes the users over.
-- Surprises: functions remember the issuers of an account, and their keys, for a minute. An issuer that is the project
-- itself is refused by npm run admin, and has no effect: Postgres does not know under which name Auth issues tokens.

-- Whether keys may be fetched from an address: https, or http on this machine, without a user or a password.
create function private.is_key_set_address(address text) returns boolean
language sql immutable security invoker set search_path = ''
return is_key_set_address.address ~ '^https://[A-Za-z0-9.-]+(:[0-9]{1,5})?(/[!-~]*)?$'
  or is_key_set_address.address ~ '^http://(127\.0\.0\.1|localhost)(:[0-9]{1,5})?(/[!-~]*)?$';

create table private.token_issuers (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references public.accounts (id) on delete cascade,
  name text not null,
  issuer text not null,
  jwks_url text not null,
  audience text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint token_issuers_name_is_unique unique (account_id, name),
  constraint token_issuers_issuer_is_unique unique (account_id, issuer),
  constraint token_issuers_name_is_a_short_word check (name ~ '^[a-z][a-z0-9-]{0,31}$'),
  constraint token_issuers_issuer_is_1_to_255_characters check (btrim(issuer) <> '' and char_length(issuer) <= 255),
  constraint token_issuers_jwks_url_is_https_or_local check (private.is_key_set_address(jwks_url)),
  constraint token_issuers_jwks_url_is_at_most_2000_characters check (char_length(jwks_url) <= 2000),
  constraint token_issuers_audience_is_1_to_255_characters check (btrim(audience) <> '' and char_length(audience) <= 255)
);
comment on table private.token_issuers is 'Whose tokens sign in users of an account, beside those of the project''s Auth. Filled with set_token_issuer().';
comment on column private.token_issuers.name is 'What the ids of these users begin with, before a colon.';
comment on column private.token_issuers.issuer is 'The claim iss of the tokens, exactly.';
comment on column private.token_issuers.jwks_url is 'Where the issuer publishes its keys, as a JSON Web Key Set.';
comment on column private.token_issuers.audience is 'What the claim aud of the tokens must name.';

create function public.set_token_issuer(account_id uuid, name text, issuer text, jwks_url text, audience text) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  refusal text;
  stored private.token_issuers;
begin
  if not exists (select from public.accounts as account where account.id = set_token_issuer.account_id) then
    raise exception using errcode = 'PT404', message = 'Account not found';
  end if;
  refusal := case
    when (name ~ '^[a-z][a-z0-9-]{0,31}$') is not true
      then 'name must begin with a letter and have at most 32 of a-z, 0-9 and -'
    when btrim(coalesce(issuer, '')) = '' or btrim(coalesce(audience, '')) = ''
      then 'issuer and audience must not be blank'
    when greatest(char_length(issuer), char_length(audience)) > 255
      then 'issuer and audience must have at most 255 characters'
    when private.is_key_set_address(jwks_url) is not true or char_length(jwks_url) > 2000
      then 'jwks_url must be an https address without a user or a password, of at most 2000 characters'
  end;
  if refusal is not null then raise exception using errcode = '22023', message = refusal; end if;
  if exists (
    select from private.token_issuers as issuer
    where issuer.account_id = set_token_issuer.account_id and issuer.issuer = set_token_issuer.issuer
      and issuer.name <> set_token_issuer.name
  ) then
    raise exception using errcode = 'PT409', message = 'The account has this issuer under another name';
  end if;
  insert into private.token_issuers (account_id, name, issuer, jwks_url, audience)
  values (set_token_issuer.account_id, set_token_issuer.name, set_token_issuer.issuer, set_token_issuer.jwks_url,
    set_token_issuer.audience)
  on conflict on constraint token_issuers_name_is_unique do update
  set issuer = excluded.issuer, jwks_url = excluded.jwks_url, audience = excluded.audience, updated_at = now()
  returning * into stored;
  return row_to_json(stored);
end $$;
comment on function public.set_token_issuer is 'Has tokens of an issuer sign in users of an account, or changes the issuer of this name. Takes effect within a minute.';

create function public.remove_token_issuer(account_id uuid, name text) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare removed private.token_issuers;
begin
  delete from private.token_issuers as issuer
  where issuer.account_id = remove_token_issuer.account_id and issuer.name = remove_token_issuer.name
  returning * into removed;
  if not found then raise exception using errcode = 'PT404', message = 'Token issuer not found'; end if;
  return row_to_json(removed);
end $$;
comment on function public.remove_token_issuer is 'Has tokens of an issuer refused, within a minute. What its users have written stays.';

create function public.list_token_issuers() returns table (
  id uuid, account_id uuid, name text, issuer text, jwks_url text, audience text, created_at timestamptz, updated_at
  timestamptz
)
language sql stable security definer set search_path = '' as $$
  select issuer.id, issuer.account_id, issuer.name, issuer.issuer, issuer.jwks_url, issuer.audience,
    issuer.created_at, issuer.updated_at
  from private.token_issuers as issuer order by issuer.account_id, issuer.name;
$$;
comment on function public.list_token_issuers is 'The token issuers of all accounts.';

create function public.find_token_issuers(key_digest text) returns json
language plpgsql stable security definer set search_path = '' as $$
declare api_key constant private.api_keys := private.find_valid_key(find_token_issuers.key_digest);
begin
  if api_key.id is null then return null; end if;
  return (
    select coalesce(json_agg(json_build_object(
      'name', issuer.name, 'issuer', issuer.issuer, 'jwks_url', issuer.jwks_url, 'audience', issuer.audience
    )), '[]')
    from private.token_issuers as issuer where issuer.account_id = api_key.account_id
  );
end $$;
comment on function public.find_token_issuers is 'The token issuers of the account of a valid key; null where there is no such key. Counts nothing.';
