import { cp } from "node:fs/promises";
import { join } from "node:path";
import { startChildProcess } from "../../supabase/platform/child_process.ts";
import { publicKeySet } from "../../supabase/platform/asymmetric_tokens.ts";
import { readStackState } from "../../supabase/platform/state.ts";
import { freePort, waitForAnswer } from "../../supabase/platform/local_address.ts";
import { madeFrom } from "./made_once.ts";
import { databaseSources } from "./migrated_postgres.ts";
import { readRunningProject, type RunningProject } from "./running_project.ts";

/** The Supabase that tests use. */
export type Backend = AsyncDisposable & {
  url: string;
  /** The environment of functions that use it, as on a hosted project. */
  env: Record<string, string>;
};

/**
 * The running Supabase that the environment names for the tests; null when the tests start their own.
 *
 * @throws {Error} with a sentence for the person at the terminal.
 */
export async function findBackend(): Promise<Backend | null> {
  const project = readRunningProject(Deno.env.get);
  return project === null ? null : await joinProject(project);
}

async function joinProject({ url, publishableKey, secretKey }: RunningProject): Promise<Backend> {
  const keySet: { keys?: unknown[] } | null = await fetch(`${url}/auth/v1/.well-known/jwks.json`)
    .then((response) => response.json()).catch(() => null);
  if (!keySet?.keys?.length) throw new Error(`No Supabase with signing keys answers at ${url}`);
  return {
    url,
    env: variablesOf(url, { publishableKey, secretKey, keySet }),
    // It was running before the tests, and keeps running.
    async [Symbol.asyncDispose]() {},
  };
}

function variablesOf(
  url: string,
  { publishableKey, secretKey, keySet }: { publishableKey: string; secretKey: string; keySet: unknown },
): Backend["env"] {
  return {
    SUPABASE_URL: url,
    SUPABASE_SECRET_KEYS: JSON.stringify({ default: secretKey }),
    SUPABASE_PUBLISHABLE_KEYS: JSON.stringify({ default: publishableKey }),
    SUPABASE_JWKS: JSON.stringify(keySet),
  };
}

/**
 * Starts Postgres, REST, Auth and Storage as `npm start` does, on a temporary data folder: an empty one, to which all
 * migrations are applied, or a copy of one that has them.
 */
export async function startBackend(migrated?: string): Promise<Backend & { folder: string }> {
  const folder = await Deno.makeTempDir({ prefix: "human-intelligence-chat-" });
  if (migrated !== undefined) await cp(migrated, folder, { recursive: true });
  const { url, env, stop } = await startBackendOn(folder);
  return {
    url,
    env,
    folder,
    async [Symbol.asyncDispose]() {
      await stop();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

/** A data folder with all migrations, to be copied. */
export function migratedFolder(): Promise<string> {
  return madeFrom(databaseSources, "migrated-folder", async (folder) => {
    const { stop } = await startBackendOn(folder);
    await stop();
  });
}

/** Starts it on a data folder, which stays when it is stopped. */
export async function startBackendOn(
  folder: string,
): Promise<{ url: string; env: Backend["env"]; stop: () => Promise<void> }> {
  const { secrets } = await readStackState(folder);
  const port = freePort();
  const url = `http://127.0.0.1:${port}`;
  const logFile = join(folder, "backend.log");
  const child = startChildProcess({
    name: "backend",
    args: ["run", "--quiet", "-A", join(import.meta.dirname!, "../../supabase/platform/backend.ts")],
    // Users of tests are many, and their passwords protect nothing.
    env: { DATA_DIR: folder, BACKEND_PORT: String(port), PUBLIC_URL: url, LITE_AUTH_BCRYPT_COST: "4" },
    logFile,
    onExit(code) {
      console.error(`The backend ended with code ${code}\n${Deno.readTextFileSync(logFile)}`);
      Deno.exit(1);
    },
  });
  await waitForAnswer(`${url}/auth/v1/.well-known/jwks.json`);
  return {
    url,
    env: variablesOf(url, { ...secrets, keySet: publicKeySet(secrets.signingKey) }),
    stop: () => child.stop(),
  };
}
