import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type EdgeRuntime, startEdgeRuntime } from "../../../supabase/platform/edge_runtime/edge_runtime.ts";
import { limitsOf } from "../../../supabase/platform/edge_runtime/limits.ts";
import { createGateway, forwardTo, type Target } from "../../../supabase/platform/gateway.ts";
import { startServer } from "../../bench/measured_process.ts";
import { type ModelServer, startModelServer } from "../../support/model_server.ts";
import { serve } from "../../support/serve.ts";
import { startObjectStore } from "./object_store.ts";
import type { UpgradeDatabase } from "./upgrade_database.ts";

/** The functions that the traffic calls, and the one that they call themselves. */
const names = ["chat", "coaches", "indexer", "knowledge-handler", "threads", "users"];

/** A service whose functions can be replaced while it is in use, as a deployment does. */
export type UpgradeService = AsyncDisposable & {
  /** The address of the project, with the functions at `${baseUrl}/functions/v1`. */
  baseUrl: string;
  model: ModelServer;
  /** Lines that functions have logged as errors. */
  errors: string[];
  /** Signs a user in. */
  signIn(userId: string): Promise<string>;
  /** Gives new requests to the functions of a folder; those before finish theirs. */
  deploy(root: string): Promise<void>;
};

/** Starts it on a database, without functions. REST and Storage are substitutes; Auth is a key that signs tokens. */
export async function startUpgradeService(database: UpgradeDatabase): Promise<UpgradeService> {
  await using resources = new AsyncDisposableStack();
  const secretKey = `sb_secret_${crypto.randomUUID()}`;
  const rest = resources.use(
    await startServer("tests/bench/rest_stand_in.ts", {
      DATABASE_URL: database.url,
      SECRET_KEY: secretKey,
      LATENCY: "0",
      CONNECTIONS: String(database.connections),
    }),
  );
  const storage = resources.use(startObjectStore());
  const model = resources.use(await startModelServer());
  let functions: EdgeRuntime | null = null;
  const target = (name: string): Target => (path, request) =>
    functions?.fetch(name, path, request) ?? Promise.reject(new Error("No functions are deployed"));
  const backend = serve((request) => {
    const { pathname, search } = new URL(request.url);
    return forwardTo(pathname.startsWith("/storage/") ? storage.url : rest.url)(pathname + search, request);
  });
  resources.use(backend);
  const gateway = resources.use(serve(createGateway({
    functions: Object.fromEntries(names.map((name) => [name, target(name)])),
    backend: backend.url,
  })));
  const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
  const issuer = `${gateway.url}/auth/v1`;
  const errors: string[] = [];
  const env = {
    SUPABASE_URL: gateway.url,
    SUPABASE_SECRET_KEYS: JSON.stringify({ default: secretKey }),
    SUPABASE_PUBLISHABLE_KEYS: "{}",
    SUPABASE_JWKS: JSON.stringify({
      keys: [{ ...await exportJWK(publicKey), kid: "test", alg: "ES256", use: "sig" }],
    }),
    JWT_ISSUER: issuer,
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_API_KEY: "sk-test",
    OPENAI_MODEL: "",
    // On a busy machine, an upgrade takes longer than an answer usually may.
    TURN_SECONDS: "390",
    OPENAI_EMBEDDING_MODEL: "",
    OPENAI_VISION_MODEL: "",
    OPENAI_TRANSCRIPTION_MODEL: "",
    UPSTASH_REDIS_REST_URL: "",
    SMTP_URL: "",
  };

  async function deploy(root: string): Promise<void> {
    const codeOf = (name: string) => ({
      entryPoint: pathToFileURL(join(root, "functions", name, "index.ts")).href,
      config: join(root, "functions", name, "deno.json"),
      lock: join(root, "functions", name, "deno.lock"),
    });
    const next = owned.use(startEdgeRuntime({
      functions: Object.fromEntries(names.map((name) => [name, codeOf(name)])),
      env,
      limits: limitsOf("paid"),
      onEvent: ({ event, function: name }) => void (event === "worker_crashed" && errors.push(`${name}: ${event}`)),
      onLine: (name, line) => void (line.includes('"level":"error"') && errors.push(`${name}: ${line}`)),
    }));
    await Promise.all(names.map((name) => next.boot(name)));
    functions = next;
  }

  const owned = resources.move();
  return {
    baseUrl: gateway.url,
    model,
    errors,
    signIn: (userId) =>
      new SignJWT({ sub: userId, role: "authenticated", aud: "authenticated", iss: issuer, is_anonymous: false })
        .setProtectedHeader({ alg: "ES256", kid: "test", typ: "JWT" }).setIssuedAt().setExpirationTime("1h")
        .sign(privateKey),
    deploy,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
