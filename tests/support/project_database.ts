import { PGLiteSocketServer } from "@electric-sql/pglite-socket";
import { freePort } from "../../supabase/local/local_address.ts";
import { requireThisMachine } from "./running_project.ts";
import { becomeProjectOwner, createProjectPostgres } from "./migrated_postgres.ts";
import type { SupabaseCli } from "./supabase_cli.ts";
import { apiRoles, describeProject } from "./supabase_project.ts";

/** A database that programs can connect to, with what every Supabase project has, but without the migrations. */
export type ProjectDatabase = AsyncDisposable & { url: string };

/**
 * Creates such a database on the server that `DATABASE_URL` names, which must be on this machine and let its user
 * create databases and roles; without that variable, in a Postgres in this process.
 */
export function createProjectDatabase(cli: SupabaseCli): Promise<ProjectDatabase> {
  const server = Deno.env.get("DATABASE_URL");
  if (!server) return serveEmbedded();
  // A deployment uses the same variable for the database of a real project.
  requireThisMachine(server, ["postgres:", "postgresql:"]);
  return createOnServer(cli, server);
}

async function serveEmbedded(): Promise<ProjectDatabase> {
  const postgres = await createProjectPostgres();
  // PGlite has one session, which all clients share.
  await becomeProjectOwner(postgres);
  const answer = postgres.execProtocolRawStream.bind(postgres);
  postgres.execProtocolRawStream = async (...message) => {
    await answer(...message);
    // Every SQL error sets the exit code of this process; undo that.
    Deno.exitCode = 0;
  };
  const port = freePort();
  const server = new PGLiteSocketServer({ db: postgres, port, maxConnections: 10 });
  await server.start();
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres?sslmode=disable`,
    async [Symbol.asyncDispose]() {
      await server.stop();
      await postgres.close();
    },
  };
}

async function createOnServer(cli: SupabaseCli, server: string): Promise<ProjectDatabase> {
  const name = `migrations_${crypto.randomUUID().replaceAll("-", "_")}`;
  const roles: { rolname: string }[] = await cli.ask(server, "db", "query", "select rolname from pg_roles");
  const newRoles = apiRoles.filter((role) => !roles.some(({ rolname }) => rolname === role));
  await cli.executeOne(server, `create database ${name}`);
  const database: ProjectDatabase = {
    url: Object.assign(new URL(server), { pathname: `/${name}` }).href,
    async [Symbol.asyncDispose]() {
      await cli.executeOne(server, `drop database ${name} with (force)`);
      for (const role of newRoles) await cli.executeOne(server, `drop role ${role}`);
    },
  };
  try {
    await cli.execute(database.url, describeProject({ hasOwner: false }));
  } catch (error) {
    await database[Symbol.asyncDispose]();
    throw error;
  }
  return database;
}
