import { existsSync } from "node:fs";
import { join } from "node:path";

/**
 * The path of something slow to make that the tests of a run share: the first test that needs it makes it, others wait
 * for that. It is stored in the folder of the run, so that a later run never uses an outdated one. Returns null without
 * `tests/support/run.ts`, since there is no such folder then.
 *
 * @param make creates it at the given path
 */
export async function madeOnce(name: string, make: (path: string) => Promise<unknown>): Promise<string | null> {
  const folder = Deno.env.get("TEST_RUN_FOLDER");
  if (!folder) return null;
  const path = join(folder, name);
  // The system releases the lock when this process dies.
  using lock = await Deno.open(`${path}.lock`, { create: true, write: true });
  await lock.lock(true);
  if (existsSync(path)) return path;
  await make(`${path}.unfinished`);
  await Deno.rename(`${path}.unfinished`, path);
  return path;
}
