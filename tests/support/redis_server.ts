import { createHash } from "node:crypto";
import { createInMemoryClient } from "js-redis-server";
import { serve } from "./serve.ts";

/** A Redis with the part of Upstash's REST protocol that `@upstash/ratelimit` uses: its scripts. */
export type RedisServer = AsyncDisposable & {
  url: string;
  token: string;
  /** The number of HTTP requests so far. */
  readonly requests: number;
  /** Leaves requests unanswered from now on. */
  pause(): void;
  /** Answers the unanswered requests, and all later ones. */
  resume(): void;
};

type Reply = { result: unknown } | { error: string };

/** Starts a Redis in this process, on a free port of 127.0.0.1. Disposing of it first answers unanswered requests. */
export async function startRedisServer(): Promise<RedisServer> {
  const redis = await createInMemoryClient();
  const token = crypto.randomUUID();
  const scripts = new Map<string, string>();
  let requests = 0;
  let gate: PromiseWithResolvers<void> | null = null;

  async function run([name, script = "", ...args]: unknown[]): Promise<Reply> {
    const digest = name === "eval" ? createHash("sha1").update(String(script)).digest("hex") : String(script);
    // Only Upstash accepts the first line of the rate limiter's scripts; the digest is that of the script with it.
    if (name === "eval") scripts.set(digest, String(script).replace(/^#!lua flags=allow-key-locking\r?\n/, ""));
    const known = scripts.get(digest);
    if (known === undefined) return { error: "NOSCRIPT No matching script" };
    return await redis.command("eval", known, ...args.map(String))
      .then((result) => ({ result }), ({ message }: Error) => ({ error: message }));
  }

  async function answer(request: Request): Promise<Response> {
    requests++;
    // Read the body at once, since a client that stops waiting cancels the rest of it.
    const text = await request.text();
    await gate?.promise;
    if (request.headers.get("Authorization") !== `Bearer ${token}`) {
      return Response.json({ error: "WRONGPASS invalid or missing auth token" }, { status: 401 });
    }
    const replies: Reply[] = [];
    for (const command of JSON.parse(text)) replies.push(await run(command));
    return Response.json(replies);
  }

  const server = serve(answer);
  function resume() {
    gate?.resolve();
    gate = null;
  }
  return {
    url: server.url,
    token,
    get requests() {
      return requests;
    },
    pause: () => void (gate ??= Promise.withResolvers()),
    resume,
    async [Symbol.asyncDispose]() {
      resume();
      await server[Symbol.asyncDispose]();
      redis.close();
    },
  };
}
