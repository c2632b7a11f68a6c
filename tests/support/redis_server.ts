import { Buffer } from "node:buffer";
import { createInMemoryClient, type RedisNativeReply } from "js-redis-server";

/** A Redis of its own behind the REST protocol of Upstash, for the clients `@upstash/redis` and `@upstash/ratelimit`. */
export type RedisServer = AsyncDisposable & {
  url: string;
  token: string;
  /** How many HTTP requests have arrived so far. */
  readonly requests: number;
  /** Lets requests hang from now on. */
  pause(): void;
  /** Answers what hangs, and what follows. */
  resume(): void;
};

type Command = (string | number | boolean)[];
type Reply = { result: unknown } | { error: string };

/** Starts a Redis in this process, on a free port of 127.0.0.1. Disposing of it answers what still hangs first. */
export async function startRedisServer(): Promise<RedisServer> {
  const redis = await createInMemoryClient();
  const token = crypto.randomUUID();
  // Only Upstash accepts the first line of the ratelimit scripts; clients know the SHA of the script with it.
  const strippedShas = new Map<string, string>();
  let requests = 0;
  let gate: PromiseWithResolvers<void> | null = null;
  // One request at a time: nothing comes between the commands of a transaction.
  let turn: Promise<Reply[]> = Promise.resolve([]);

  async function strip(script: string): Promise<string> {
    const stripped = script.replace(/^#!lua flags=allow-key-locking\r?\n/, "");
    strippedShas.set(await sha1Hex(script), await sha1Hex(stripped));
    return stripped;
  }

  async function run(command: Command): Promise<RedisNativeReply> {
    const [name = "", ...args] = command.map(String);
    const [first = "", ...rest] = args;
    const mapShas = (shas: string[]) => shas.map((sha) => strippedShas.get(sha) ?? sha);
    switch (`${name} ${name.toLowerCase() === "script" ? first : ""}`.trim().toLowerCase()) {
      case "eval":
        return await redis.command(name, await strip(first), ...rest);
      case "evalsha":
        return await redis.command(name, ...mapShas([first]), ...rest);
      case "script load":
        await redis.command(name, first, await strip(rest[0] ?? ""));
        return await sha1Hex(rest[0] ?? "");
      case "script exists":
        return await redis.command(name, first, ...mapShas(rest));
      default:
        return await redis.command(name, ...args);
    }
  }

  async function replyToAll(commands: Command[]): Promise<Reply[]> {
    const replies: Reply[] = [];
    for (const command of commands) {
      replies.push(await run(command).then((result) => ({ result }), (error: Error) => ({ error: error.message })));
    }
    return replies;
  }

  async function answer(request: Request): Promise<Response> {
    requests++;
    // Read at once: a client that does not wait takes the rest of it away.
    const text = await request.text();
    await gate?.promise;
    if (request.headers.get("Authorization") !== `Bearer ${token}`) {
      return Response.json({ error: "WRONGPASS invalid or missing auth token" }, { status: 401 });
    }
    const { pathname } = new URL(request.url);
    if (!["/", "/pipeline", "/multi-exec"].includes(pathname)) {
      return Response.json({ error: "ERR unknown path" }, { status: 404 });
    }
    const body = JSON.parse(text);
    const replies = await (turn = turn.then(() => replyToAll(pathname === "/" ? [body] : body)));
    const written = request.headers.get("Upstash-Encoding") === "base64" ? replies.map(encodeReply) : replies;
    if (pathname !== "/") return Response.json(written);
    return Response.json(written[0], { status: "error" in written[0]! ? 400 : 200 });
  }

  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, answer);
  function resume() {
    gate?.resolve();
    gate = null;
  }
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    token,
    get requests() {
      return requests;
    },
    pause: () => void (gate ??= Promise.withResolvers()),
    resume,
    async [Symbol.asyncDispose]() {
      resume();
      await server.shutdown();
      redis.close();
    },
  };
}

function encodeReply(reply: Reply): Reply {
  return "error" in reply ? reply : { result: encode(reply.result) };
}

/** Strings become base64, but never `OK`; numbers and null stay as they are; a map is a flat list, as in RESP2. */
function encode(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(encode);
  if (typeof value === "object" && value !== null) return Object.entries(value).flat().map(encode);
  return typeof value === "string" && value !== "OK" ? Buffer.from(value).toString("base64") : value;
}

async function sha1Hex(text: string): Promise<string> {
  return Buffer.from(await crypto.subtle.digest("SHA-1", new TextEncoder().encode(text))).toString("hex");
}
