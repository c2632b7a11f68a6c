import { createHash } from "node:crypto";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { projectRoot } from "../../supabase/platform/state.ts";

type Make = (path: string) => Promise<unknown>;

/**
 * The path of something slow to make that the tests of a run share: the first test that needs it makes it, others wait
 * for that. It is stored in the folder of the run, so that a later run never uses an outdated one. Returns null without
 * `tests/support/run.ts`, since there is no such folder then.
 *
 * @param make creates it at the given path
 */
export async function madeOnce(name: string, make: Make): Promise<string | null> {
  const folder = Deno.env.get("TEST_RUN_FOLDER");
  return folder ? await makeLocked(join(folder, name), make) : null;
}

/**
 * As {@link madeOnce}, for what is made from files of the project alone: later runs use it as well, until one of them
 * changes.
 *
 * @param sources the files and folders, from the project's root
 */
export async function madeFrom(sources: string[], name: string, make: Make): Promise<string> {
  const folder = join(projectRoot, "supabase/.temp/tests", name);
  await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  const digest = digestOf(sources);
  return await makeLocked(join(folder, digest), async (path) => {
    const outdated = readdirSync(folder).filter((entry) => !entry.startsWith(digest));
    for (const entry of outdated) await Deno.remove(join(folder, entry), { recursive: true });
    await make(path);
  });
}

async function makeLocked(path: string, make: Make): Promise<string> {
  // The system releases the lock when this process dies.
  using lock = await Deno.open(`${path}.lock`, { create: true, write: true });
  await lock.lock(true);
  if (existsSync(path)) return path;
  const unfinished = `${path}.unfinished`;
  if (existsSync(unfinished)) await Deno.remove(unfinished, { recursive: true });
  await make(unfinished);
  await Deno.rename(unfinished, path);
  return path;
}

function digestOf(sources: string[]): string {
  const hash = createHash("sha256");
  for (const file of sources.map((source) => join(projectRoot, source)).flatMap(filesOf)) {
    const digest = createHash("sha256").update(Deno.readFileSync(file)).digest("hex");
    hash.update(`${relative(projectRoot, file)} ${digest}\n`);
  }
  return hash.digest("hex");
}

function filesOf(path: string): string[] {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name)).toSorted();
}
