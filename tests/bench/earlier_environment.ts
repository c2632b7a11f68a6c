import { createTempFolder } from "../../supabase/commands/deploy/run_deno.ts";
import { projectRoot } from "../../supabase/platform/state.ts";
import { runCommand } from "../support/run_command.ts";
import { bundleChat } from "./bundles.ts";
import { createEnvironment, type Environment } from "./environment.ts";
import { createNativePostgres } from "./native_postgres.ts";

/**
 * The environment of an earlier commit: its function `chat` on its migrations, in a database of its own.
 *
 * @throws {Error} if git does not know the commit; as `createNativePostgres` does.
 */
export async function createEarlierEnvironment(
  server: string,
  commit: string,
  options: { latency: number },
): Promise<Environment> {
  await using resources = new AsyncDisposableStack();
  const { folder } = resources.use(await createTempFolder());
  const git = (...args: string[]) => runCommand("git", ["-C", projectRoot, ...args]);
  const { code, stderr } = await git("worktree", "add", "--detach", `${folder}/tree`, commit);
  if (code !== 0) throw new Error(stderr);
  const root = `${folder}/tree`;
  resources.defer(async () => void await git("worktree", "remove", "--force", root));
  const database = resources.use(await createNativePostgres(server, root));
  const environment = resources.use(
    await createEnvironment(database, { ...options, make: (folder) => bundleChat(root, folder) }),
  );
  const owned = resources.move();
  return { ...environment, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
