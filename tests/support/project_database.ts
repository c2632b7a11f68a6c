import { PGLiteSocketServer } from "@electric-sql/pglite-socket";
import { freePort } from "../../supabase/platform/local_address.ts";
import { becomeProjectOwner, createProjectPostgres } from "./migrated_postgres.ts";
import { createServerDatabase } from "./server_database.ts";

/** A database that programs can connect to, with what every Supabase project has, but without the migrations. */
export type ProjectDatabase = AsyncDisposable & { url: string };

/**
 * Creates such a database on the server that `DATABASE_URL` names, which must be on this machine and let its user
 * create databases and roles; without that variable, in a Postgres in this process.
 */
export function createProjectDatabase(): Promise<ProjectDatabase> {
  const server = Deno.env.get("DATABASE_URL");
  // A deployment uses the same variable for the database of a real project: other machines are refused.
  return server ? createServerDatabase(server) : serveEmbedded();
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
