import type { PGlite } from "@electric-sql/pglite";
import type { App } from "@supabase/lite";
import type { PgliteConnection } from "@supabase/lite/pglite";
import { relative } from "node:path";
import type { StackState } from "./state.ts";

/** Postgres, REST, Auth and Storage of a data folder, in this process. */
type StackApp = {
  app: App;
  driver: PGlite;
  /** Applies the pending migrations, each in a transaction. */
  applyMigrations: () => Promise<unknown>;
};

/** Opens a data folder that no other process uses. The migrations are those of the working directory. */
export async function openStackApp(state: StackState): Promise<StackApp> {
  Deno.env.set("EXPERIMENTAL_STORAGE", "1");
  Deno.env.set("LITE_TELEMETRY", "0");
  const { createApi, applyPendingMigrations } = await import("@supabase/lite/cli");
  const api = await createApi({ withSupabaseClient: false });
  const root = Deno.cwd();
  // Lite stores objects below the working directory in which it is created.
  Deno.chdir(state.path());
  const app: App = await api.project.local.createApp(
    relative(state.path(), `${import.meta.dirname}/lite.config.ts`),
    // Its admin mode would give requests without a key the rights of service_role.
    { admin: false },
  );
  Deno.chdir(root);
  const { driver } = app.connection as PgliteConnection;
  return { app, driver: driver as PGlite, applyMigrations: () => applyPendingMigrations(app) };
}

/**
 * Calls `act` when Postgres has panicked, which happens when it cannot write its log to a full disk. PGlite reports
 * this like any error, but its next call never returns and blocks the whole process.
 */
export function onPanic(postgres: PGlite, act: (error: Error) => void): void {
  // Every statement passes through this.
  const send = postgres.execProtocolStream.bind(postgres);
  postgres.execProtocolStream = async (...args) => {
    try {
      return await send(...args);
    } catch (error) {
      if (error instanceof Error && "severity" in error && error.severity === "PANIC") act(error);
      throw error;
    }
  };
}
