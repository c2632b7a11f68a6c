import { existsSync } from "node:fs";
import { join } from "deno-std/path/mod.js";

/**
 * The path of something that costs time to make and that the tests of a run have in common: the first who needs it
 * makes it, others wait for that. It is kept in the run's own folder, so that it never outlives what it was made of.
 * Without `tests/run.ts` there is no such folder, and null is returned.
 *
 * @param make puts it at the path that it is given
 */
export async function madeOnce(name: string, make: (path: string) => Promise<unknown>): Promise<string | null> {
  const folder = Deno.env.get("TEST_RUN_FOLDER");
  if (!folder) return null;
  const path = join(folder, name);
  // The system releases it when this process dies.
  using lock = await Deno.open(`${path}.lock`, { create: true, write: true });
  await lock.lock(true);
  if (existsSync(path)) return path;
  await make(`${path}.unfinished`);
  await Deno.rename(`${path}.unfinished`, path);
  return path;
}
