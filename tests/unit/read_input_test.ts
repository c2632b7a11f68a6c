import { Hono } from "hono";
import * as z from "zod/mini";
import type { IncomingRequest } from "../../shared/core/context.ts";
import { ApiError } from "../../shared/infra/errors.ts";
import type { AppEnv } from "../../shared/http/app_env.ts";
import { createInputReader } from "../../shared/http/read_input.ts";
import { type AnyEndpoint, defineEndpoint } from "../../shared/http/endpoint.ts";
import { timeouts } from "../../shared/infra/timeouts.ts";
import { assertEquals } from "../support/assert.ts";
import { sentenceOf } from "../support/refusals.ts";

const schema = z.object({
  id: z.string(),
  key: z.optional(z.string().check(z.regex(/^[a-z]+$/, "key must be small letters"))),
  limit: z._default(z.int("limit must be a whole number"), 20),
  word: z.optional(z.string()),
});
const get: AnyEndpoint = defineEndpoint({
  name: "read",
  method: "GET",
  path: "/things/:id{[^/]*}",
  headers: { key: "X-Key" },
  scope: "chat",
  failure: "Failed to read",
  input: schema,
  output: z.object({}),
  verb: () => Promise.resolve({}),
});
const post: AnyEndpoint = { ...get, method: "POST", body: "application/json" };

/** The fields read from a request, or the sentence of the refusal. */
async function read(endpoint: AnyEndpoint, path: string, init?: RequestInit): Promise<unknown> {
  const app = new Hono<AppEnv>();
  const admission = { require: () => Promise.resolve() };
  app.use(async (c, next) => {
    c.set("incoming", { admission, services: { timeouts } } as unknown as IncomingRequest);
    await next();
  });
  app.on(endpoint.method, endpoint.path, async (c) => c.json(await createInputReader(endpoint)(c)));
  app.onError((error, c) => c.json(error instanceof ApiError ? error.message : String(error)));
  return await (await app.request(path, { method: endpoint.method, ...init })).json();
}

Deno.test("createInputReader", async (t) => {
  await t.step("refuses what would cost too much to walk through", async () => {
    const refusal = "The request body is larger than 100,000 values, or nested too deeply";
    for (const value of [`${"[".repeat(1_000)}${"]".repeat(1_000)}`, `[${"1,".repeat(100_001)}1]`]) {
      assertEquals(await read(post, "/things/path", { body: `{"word":${value}}` }), refusal);
    }
  });

  const json = (body: unknown): RequestInit => ({ body: JSON.stringify(body) });

  await t.step("takes each field from its own place", async () => {
    const everywhere = "id=query&key=query&limit=1&word=query&more=query";
    const init = { headers: { "X-Key": "header" } };
    assertEquals(await read(get, `/things/path?${everywhere}`, init), {
      id: "path",
      key: "header",
      limit: 1,
      word: "query",
    });
    assertEquals(await read(get, `/things/path?${everywhere}`), { id: "path", limit: 1, word: "query" });
    const body = json({ id: "body", key: "body", limit: 2, word: "body", more: "body" });
    assertEquals(await read(post, `/things/path?${everywhere}`, body), { id: "path", limit: 2, word: "body" });
    const withQuery = { ...post, query: ["word"] };
    assertEquals(await read(withQuery, `/things/path?${everywhere}`, body), { id: "path", limit: 2, word: "query" });
  });

  await t.step("fields that the endpoint has read replace all others of the same name", async () => {
    const endpoint = { ...get, readFields: () => ({ word: "own" }) };
    assertEquals(await read(endpoint, "/things/path?word=query"), { id: "path", word: "own" });
  });

  const numbers: [text: string, read: number | null][] = [
    ["7", 7],
    ["0", 0],
    ["", null],
    ["07", null],
    ["-7", null],
    ["7.0", null],
    ["7e1", null],
    ["0x7", null],
    ["%207", null],
    ["seven", null],
  ];
  for (const [text, limit] of numbers) {
    await t.step(`?limit=${text} → ${limit ?? "refused"}, since the schema wants a number`, async () => {
      const expected = limit === null ? "limit must be a whole number" : { id: "x", limit };
      assertEquals(await read(get, `/things/x?limit=${text}`), expected);
    });
    await t.step(`?word=${text} stays a text`, async () => {
      assertEquals(await read(get, `/things/x?word=${text}`), { id: "x", word: decodeURIComponent(text) });
    });
  }

  await t.step("a header that does not fit is refused before the body is read", async () => {
    const init = { headers: { "X-Key": "" }, body: "{" };
    assertEquals(await read(post, "/things/x", init), "key must be small letters");
  });

  await t.step("… also where the endpoint reads another value for its field", async () => {
    const endpoint = { ...get, readFields: () => ({ key: undefined }) };
    assertEquals(await read(endpoint, "/things/x", { headers: { "X-Key": "" } }), "key must be small letters");
  });

  await t.step("an empty or blank parameter is refused before the body is read", async () => {
    for (const path of ["/things/", "/things/%20"]) {
      assertEquals(await read(post, path, { body: "{" }), "id is required in path");
    }
  });

  await t.step("a body that is not a JSON object is refused", async () => {
    assertEquals(await read(post, "/things/x", { body: "{" }), sentenceOf("invalid_json"));
    for (const body of [[], "text", 1, null, true]) {
      assertEquals(await read(post, "/things/x", json(body)), "The request body must be a JSON object");
    }
    assertEquals(
      await read(post, "/things/x", json({ word: "a".repeat(256 * 1024) })),
      sentenceOf("body_too_large", "256 KB"),
    );
  });
});
