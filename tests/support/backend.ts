import { join } from "deno-std/path/mod.js";
import { startChildProcess } from "../../supabase/local/child_process.ts";
import { publicKeySet } from "../../supabase/local/asymmetric_tokens.ts";
import { readStackState } from "../../supabase/local/state.ts";
import { freePort, waitForAnswer } from "../../supabase/local/local_address.ts";

/** A backend of its own, on an empty data folder that goes when it does. */
export type Backend = AsyncDisposable & {
  url: string;
  /** What functions that use it are given, as on a hosted project. */
  env: Record<string, string>;
};

/** Starts Postgres, REST, Auth and Storage as `npm start` does, with all migrations. */
export async function startBackend(): Promise<Backend> {
  const folder = await Deno.makeTempDir({ prefix: "human-intelligence-chat-" });
  const { secrets } = await readStackState(folder);
  const port = freePort();
  const url = `http://127.0.0.1:${port}`;
  const logFile = join(folder, "backend.log");
  const child = startChildProcess({
    name: "backend",
    args: ["run", "--quiet", "-A", join(import.meta.dirname!, "../../supabase/local/backend.ts")],
    env: { DATA_DIR: folder, BACKEND_PORT: String(port), PUBLIC_URL: url },
    logFile,
    onExit(code) {
      console.error(`The backend ended with code ${code}\n${Deno.readTextFileSync(logFile)}`);
      Deno.exit(1);
    },
  });
  await waitForAnswer(`${url}/auth/v1/.well-known/jwks.json`);
  return {
    url,
    env: {
      SUPABASE_URL: url,
      SUPABASE_SECRET_KEYS: JSON.stringify({ default: secrets.secretKey }),
      SUPABASE_PUBLISHABLE_KEYS: JSON.stringify({ default: secrets.publishableKey }),
      SUPABASE_JWKS: JSON.stringify(publicKeySet(secrets.signingKey)),
    },
    async [Symbol.asyncDispose]() {
      await child.stop();
      await Deno.remove(folder, { recursive: true });
    },
  };
}
