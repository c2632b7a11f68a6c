import { exportJWK, generateKeyPair } from "jose";
import { join, resolve } from "node:path";
import { z } from "zod";

/** Everything secret about a stack, made at its first start. */
const stackSecrets = z.object({
  publishableKey: z.string(),
  secretKey: z.string(),
  /** The key that `@supabase/lite` signs with; its tokens never leave the stack. */
  jwtSecret: z.string(),
  /** The key for tokens that leave the stack: ES256, with a `kid`. */
  signingKey: z.looseObject({ kty: z.string(), kid: z.string() }),
  demoPassword: z.string(),
  coachPassword: z.string(),
  /** The demo API key, once there is one. */
  apiKey: z.string().nullable(),
  /** The demo account's publishable API key, once there is one. */
  pageKey: z.string().nullable().default(null),
  /** The demo account's publishable API key for AI clients, once there is one. */
  mcpKey: z.string().nullable().default(null),
});
export type StackSecrets = z.output<typeof stackSecrets>;

/** A folder that holds all of a stack's data. */
export type StackState = {
  secrets: StackSecrets;
  /** A path inside the folder. */
  path: (...segments: string[]) => string;
  save: () => Promise<void>;
};

const root = resolve(import.meta.dirname!, "../..");

/** The root of the project. */
export const projectRoot: string = root;

/** The folder named by `DATA_DIR` or, by default, `supabase/.temp/stack`. */
export function dataFolder(): string {
  return resolve(root, Deno.env.get("DATA_DIR") || "supabase/.temp/stack");
}

/** Reads a data folder, and creates whatever is missing in it. */
export async function readStackState(folder: string = dataFolder()): Promise<StackState> {
  const file = join(folder, "secrets.json");
  await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  let secrets: StackSecrets;
  try {
    secrets = stackSecrets.parse(JSON.parse(await Deno.readTextFile(file)));
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    secrets = await createSecrets();
    await save();
  }
  async function save() {
    // Renamed into place, so that a process killed here leaves the old file or the new one.
    await Deno.writeTextFile(`${file}.new`, JSON.stringify(secrets, null, 2), { mode: 0o600 });
    await Deno.rename(`${file}.new`, file);
  }
  return { secrets, save, path: (...segments) => join(folder, ...segments) };
}

async function createSecrets(): Promise<StackSecrets> {
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  return {
    publishableKey: `sb_publishable_${randomText()}`,
    secretKey: `sb_secret_${randomText()}`,
    jwtSecret: randomText(48),
    signingKey: { ...await exportJWK(privateKey), kty: "EC", alg: "ES256", use: "sig", kid: crypto.randomUUID() },
    demoPassword: randomText(12),
    coachPassword: randomText(12),
    apiKey: null,
    pageKey: null,
    mcpKey: null,
  };
}

function randomText(bytes = 24): string {
  return crypto.getRandomValues(new Uint8Array(bytes)).toBase64({ alphabet: "base64url", omitPadding: true });
}
