/**
 * Applies the pending migrations to a database of the local stack, which no other process uses: that of `DATA_DIR`, or
 * the one in `POSTGRES_FOLDER`. If one fails, its reason is on standard error. A process of its own, because Postgres
 * keeps its memory.
 */
import { listMigrationFiles } from "@supabase/lite/cli";
import { errorMessage } from "../error_message.ts";
import { openStackApp } from "./open_stack_app.ts";
import { readStackState } from "./state.ts";

const app = await openStackApp(await readStackState());
let isDone = false;
try {
  await app.applyMigrations();
  isDone = true;
} catch (error) {
  const { rows } = await app.driver.query<{ version: string }>(
    "select version from supabase_migrations.schema_migrations",
  );
  const applied = new Set(rows.map(({ version }) => version));
  const failed = (await listMigrationFiles(app.app)).find(({ version }) => !applied.has(version));
  console.error(`${failed?.filename ?? "A migration"}: ${errorMessage(error)}`);
}
await app.app.connection.close();
// PGlite sets an exit code of its own after an error of SQL.
Deno.exit(isDone ? 0 : 1);
