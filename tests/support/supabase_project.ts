/** The default grants of a project to its API roles on new tables, functions and sequences in `public`. */
export type DefaultGrants = "everything" | "nothing";

/** Roles of the REST API, which every project has. */
export const apiRoles = ["anon", "authenticated", "service_role"];

/** The owner of an embedded project; as on a hosted one, not a superuser. */
export const projectOwner = "project_owner";

const makeOwner = (owner: string) => `
  create role ${owner} createrole createdb bypassrls;
  grant anon, authenticated, service_role to ${owner} with admin option;
  do $owner$
  begin
    execute format('alter database %I owner to ${owner}', current_database());
  end;
  $owner$;
`;

const letOwnerIn = (owner: string) => `
  grant usage, create on schema extensions to ${owner};
  grant usage on schema auth, storage to ${owner};
  grant all on auth.users, storage.buckets, storage.objects to ${owner};
`;

/** SQL that gives a project without an owner one of this name, who is not a superuser. */
export function describeOwner(owner: string): string {
  return makeOwner(owner) + letOwnerIn(owner);
}

function grantEverything(owner: string): string {
  const kinds = ["tables", "functions", "sequences"];
  return kinds.map((kind) =>
    `alter default privileges for role ${owner} in schema public grant all on ${kind} to ${apiRoles.join(", ")};`
  ).join("\n");
}

export type ProjectDescription = {
  /** If false, the role that runs the SQL owns the project. */
  hasOwner: boolean;
  /** Projects made before May 2026 grant everything, newer ones nothing. */
  defaultGrants?: DefaultGrants;
};

/**
 * SQL that creates in an empty database what every Supabase project has before its first migration, as far as
 * migrations and policies use it.
 */
export function describeProject({ hasOwner, defaultGrants = "everything" }: ProjectDescription): string {
  return `
    do $roles$
    declare
      role_name text;
    begin
      foreach role_name in array array['${apiRoles.join("', '")}'] loop
        -- Roles belong to the whole server, so another database may already have created them.
        if not exists (select from pg_roles where rolname = role_name) then
          execute format('create role %I nologin noinherit', role_name);
        end if;
      end loop;
      if not (select rolbypassrls from pg_roles where rolname = 'service_role') then
        alter role service_role bypassrls;
      end if;
    end;
    $roles$;
    ${hasOwner ? makeOwner(projectOwner) : ""}

    create schema extensions;
    grant usage on schema extensions to anon, authenticated, service_role;
    -- On a hosted project the platform creates it, since the owner is not a superuser.
    create extension vector with schema extensions;

    create schema auth;
    grant usage on schema auth to anon, authenticated, service_role;
    create table auth.users (
      id uuid primary key,
      email text,
      email_confirmed_at timestamptz default now(),
      created_at timestamptz default now()
    );
    alter table auth.users enable row level security;
    create function auth.jwt() returns jsonb language sql stable
      return nullif(current_setting('request.jwt.claims', true), '')::jsonb;
    create function auth.uid() returns uuid language sql stable return (auth.jwt() ->> 'sub')::uuid;
    create function auth.role() returns text language sql stable return auth.jwt() ->> 'role';

    create schema storage;
    grant usage on schema storage to anon, authenticated, service_role;
    create table storage.buckets (
      id text primary key,
      name text not null unique,
      owner_id text,
      public boolean default false,
      file_size_limit bigint,
      allowed_mime_types text[],
      created_at timestamptz default now(),
      updated_at timestamptz default now()
    );
    create table storage.objects (
      id uuid primary key default gen_random_uuid(),
      bucket_id text references storage.buckets (id),
      name text,
      owner_id text,
      metadata jsonb,
      created_at timestamptz default now(),
      updated_at timestamptz default now(),
      unique (bucket_id, name)
    );
    alter table storage.buckets enable row level security;
    alter table storage.objects enable row level security;
    grant all on storage.buckets, storage.objects to anon, authenticated, service_role;

    grant usage on schema public to anon, authenticated, service_role;
    ${hasOwner ? letOwnerIn(projectOwner) : ""}
    ${defaultGrants === "everything" ? grantEverything("current_user") : ""}
    ${defaultGrants === "everything" && hasOwner ? grantEverything(projectOwner) : ""}
  `;
}
