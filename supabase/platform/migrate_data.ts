/**
 * Applies the pending migrations to a database of the local stack, which no other process uses: that of `DATA_DIR`, or
 * the one in `POSTGRES_FOLDER`. If one fails, its reason is on standard error. A process of its own, because Postgres
 * keeps its memory.
 */
import { listMigrationFiles } from "@supabase/lite/cli";
import { errorMessage } from "../commands/command_error.ts";
import { openStackApp } from "./open_stack_app.ts";
import { readStackState } from "./state.ts";

const complain = console.error;
/** The reason is only in the error that the library prints, not in the one that it throws. */
let printed: string | null = null;
console.error = (...values: unknown[]) => {
  for (const value of values) if (value instanceof Error) printed = value.message;
};
const { app, driver, applyMigrations } = await openStackApp(await readStackState());
let isDone = false;
try {
  await applyMigrations();
  isDone = true;
} catch (error) {
  const { rows } = await driver.query<{ version: string }>(
    "select version from supabase_migrations.schema_migrations",
  );
  const applied = new Set(rows.map(({ version }) => version));
  const failed = (await listMigrationFiles(app)).find(({ version }) => !applied.has(version));
  complain(`${failed?.filename ?? "A migration"} failed: ${printed ?? errorMessage(error)}`);
}
await app.connection.close();
// PGlite sets an exit code of its own after an error of SQL.
Deno.exit(isDone ? 0 : 1);
