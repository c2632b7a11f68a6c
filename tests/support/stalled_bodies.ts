/**
 * The entry file of a process with `--v8-flags=--expose-gc`: reads replies whose bodies stall, while garbage is collected
 * all the time, and prints as JSON how each read ended. Deno forgets the signal given to `fetch` once the response is
 * collected.
 */
import { generateKeyPair, SignJWT } from "jose";
import * as z from "zod/mini";
import { createBearerVerifier } from "../../shared/core/auth/verify_bearer.ts";
import { createClient } from "../../shared/clients/client/client.ts";
import { createDatabase } from "../../shared/infra/db/database.ts";
import { createModel } from "../../shared/libs/llm/model.ts";
import { unset } from "../../shared/libs/llm/model_settings.ts";
import { openReply } from "../../shared/libs/llm/read_reply.ts";
import { responsesApi } from "../../shared/libs/llm/responses_api.ts";
import { createUpstashLimiter } from "../../shared/infra/rate_limit/upstash_limiter.ts";
import { createFileStore } from "../../shared/infra/storage/file_store.ts";
import { callFunction } from "../../shared/core/wake_function.ts";
import { openaiEnv } from "./openai_env.ts";

declare const gc: () => void;

const timeout = 300;
/** Far more than any read may take. */
const patience = 10_000;

/** Sends headers and the beginning of a body, and nothing more. A path that holds `refuse` is answered with 500. */
const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (request) => {
  for await (const _ of request.body ?? []);
  const { pathname } = new URL(request.url);
  const isStream = pathname.includes("/chat");
  const start = isStream ? `event: delta\nid: 1\ndata: {"text":"Listen"}\n\n` : `{"a":`;
  const body = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode(start)) });
  const type = isStream ? "text/event-stream" : "application/json";
  return new Response(body, {
    status: pathname.includes("refuse") ? 500 : 200,
    headers: { "Content-Type": type, "X-Message-Id": "m", "X-Thread-Id": "t" },
  });
});
const url = `http://127.0.0.1:${server.addr.port}`;

const project = { supabaseUrl: url, secretKey: "sb_secret_1" };
const database = createDatabase(project, timeout);
const refusing = createDatabase({ ...project, supabaseUrl: `${url}/refuse` }, timeout);
const files = createFileStore(project, timeout);
const client = createClient({ baseUrl: url, apiKey: "hi_live_1", backOff: { retries: 0 } });

async function* oneChunk() {
  yield new Uint8Array(1_000);
}

async function verifyToken(): Promise<unknown> {
  const { privateKey } = await generateKeyPair("ES256");
  const token = await new SignJWT({ role: "authenticated" }).setSubject("user").setExpirationTime("1h")
    .setProtectedHeader({ alg: "ES256", kid: "unknown" }).sign(privateKey);
  return await createBearerVerifier({
    supabaseUrl: url,
    publishableKeys: [],
    jwks: null,
    jwtSecret: null,
    jwtIssuer: null,
  }, timeout)(token, () => Promise.resolve([]));
}

async function readAnswer(): Promise<unknown> {
  const signal = AbortSignal.timeout(timeout);
  return await Array.fromAsync(await client.followAnswer("m", { signal }));
}

/** Runs a read of a model's reply that begins and stalls, and waits until its server sees the connection closed. */
async function readModel(status: number, read: (baseUrl: string) => AsyncIterable<unknown>): Promise<void> {
  using listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  async function serveOnce(): Promise<void> {
    using connection = await listener.accept();
    const buffer = new Uint8Array(64 * 1024);
    await connection.read(buffer);
    const start =
      `HTTP/1.1 ${status} So\r\nContent-Type: text/event-stream\r\n\r\ndata: {"type":"response.queued"}\n\n`;
    await connection.write(new TextEncoder().encode(start));
    while (await connection.read(buffer).catch(() => null) !== null);
  }
  const closed = serveOnce();
  try {
    for await (const _ of read(`http://127.0.0.1:${listener.addr.port}`));
  } finally {
    await closed;
  }
}

function askModel(baseUrl: string): AsyncIterable<unknown> {
  const env = openaiEnv(baseUrl);
  const model = createModel(env, { configured: [], list: () => Promise.resolve(null) });
  const request = { model: null, settings: unset, instructions: "Listen", history: [], quoted: [], input: [] };
  return model.stream(request, AbortSignal.timeout(timeout), () => {});
}

async function* readWithoutSignalOfFetch(url: string): AsyncIterable<unknown> {
  const reply = openReply(responsesApi, "m", await fetch(url), AbortSignal.timeout(timeout));
  while (true) yield await reply.read();
}

const reads: Record<string, () => Promise<unknown>> = {
  "a reply of Postgres": () => database.call("count_refusal", { api_key_id: "k" }, z.null()),
  "the bytes of a reply of Postgres": () => database.callForBytes("count_refusal", { api_key_id: "k" }),
  "a refusal of Postgres": () => refusing.call("count_refusal", { api_key_id: "k" }, z.null()),
  "the reply to a stored object": () => files.put("a", oneChunk(), "text/plain"),
  "an object, within Storage's time": () => files.get("a", new AbortController().signal),
  "an object, within the caller's time": () =>
    createFileStore(project, 2 * patience).get("a", AbortSignal.timeout(timeout)),
  "the reply to removed objects": () => files.remove(["a"]),
  "the project's signing keys": verifyToken,
  "a reply of Upstash": () =>
    createUpstashLimiter({ url, token: "t" }, timeout).look({
      name: "key",
      quotas: { perMinute: 1, perHour: 1, perDay: 1 },
    }),
  "an answer, by the typed client": readAnswer,
  "a list, by the typed client": () => client.listThreads("u", {}, { signal: AbortSignal.timeout(timeout) }),
  "a stream of a model, at its server too": () => readModel(200, askModel),
  "a stream whose signal fetch has forgotten, at its server too": () => readModel(200, readWithoutSignalOfFetch),
  "a refusal of a model, at its server too": () => readModel(500, askModel),
  // Its body is not read.
  "the reply of the indexer": async () => Promise.reject(await callFunction("indexer", project, timeout)),
};

setInterval(gc, 10);
const ends = await Promise.all(
  Object.entries(reads).map(async ([name, read]) => {
    const ended = read().then(() => "has succeeded", () => "has failed");
    const end = new Promise<string>((resolve) => setTimeout(() => resolve("is still open"), patience));
    return [name, await Promise.race([ended, end])];
  }),
);
console.log(JSON.stringify(ends));
Deno.exit();
