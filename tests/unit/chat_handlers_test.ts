import { addresses } from "../../shared/api/endpoints/chat.gen.ts";
import type { Database } from "../../shared/infra/db/database.ts";
import { readModelSettings } from "../../shared/infra/env.ts";
import { createOperationsApp } from "../../shared/http/operations_app.ts";
import { createServices } from "../../shared/core/services.ts";
import { assertEquals } from "../support/assert.ts";
import { useFakeClock } from "../support/fake_clock.ts";
import { sentenceOf, told } from "../support/refusals.ts";

const env = {
  supabaseUrl: "http://supabase.invalid",
  secretKey: "sb_secret_1",
  secretKeys: ["sb_secret_1"],
  publishableKeys: [],
  jwks: null,
  jwtSecret: null,
  jwtIssuer: null,
  clientAddressHeader: null,
  publicUrl: "http://127.0.0.1",
  pageUrl: null,
  deskUrl: null,
  mail: null,
  upstash: null,
  openai: {
    apiKey: "none",
    baseUrl: null,
    model: "none",
    embeddingModel: null,
    visionModel: null,
    transcriptionModel: null,
    ...readModelSettings(() => null),
  },
  turnSeconds: 140,
  allowsPrivateWebhooks: false,
  allowsPrivateSources: false,
  traces: null,
};

const key = {
  key_id: "key",
  account_id: "account",
  scopes: ["chat"],
  options: [],
  spent: { is_allowed: true, limit: 60, remaining: 59, reset: 60, retry_after: 60 },
  is_origin_allowed: true,
  is_budgeted: false,
};

/** The function `chat` with a database that admits every request like this, and then replies like this. */
function createApp({ admitted, begun }: { admitted: unknown; begun: unknown }) {
  const database: Database = {
    call: () => Promise.reject(new Error("is not called")),
    callForBytes: (name) => {
      const reply = name === "admit_request" ? { admission: admitted } : { admission: admitted, result: begun };
      return Promise.resolve(new TextEncoder().encode(JSON.stringify(reply)));
    },
  };
  return createOperationsApp("chat", createServices(env, { database, createLog: () => () => {} }), addresses);
}

/** Status and body of the reply to a message. */
async function post(app: ReturnType<typeof createApp>): Promise<[number, unknown]> {
  const body = JSON.stringify({ message: "Hi", context: { coachId: crypto.randomUUID() } });
  const response = await app.request("/chat", {
    method: "POST",
    headers: { "X-API-Key": "hi_live_0123456789ABCDEFGHIJabcdefghijZzf52c3e", "Content-Length": String(body.length) },
    body,
  });
  return [response.status, await response.json()];
}

Deno.test("postChat", async (t) => {
  await t.step("after a refused message nothing keeps running", async () => {
    const app = createApp({ admitted: key, begun: { error: "coach_not_found" } });
    using clock = useFakeClock();
    assertEquals(await post(app), [404, { error: sentenceOf("coach_not_found") }]);
    assertEquals(clock.timers, 0);
  });

  await t.step("an unknown reply of Postgres to the check of the key → 503", async () => {
    const app = createApp({ admitted: { ...key, scopes: "chat" }, begun: { error: "coach_not_found" } });
    const { status, error, fields } = told("unavailable");
    assertEquals(await post(app), [status, { error, ...fields }]);
  });

  await t.step("an unknown reply of Postgres to the beginning of a turn → 500", async () => {
    const app = createApp({ admitted: key, begun: { error: "an error of a later version" } });
    const { status, error, fields } = told("internal_error", "Failed to answer the message");
    assertEquals(await post(app), [status, { error, ...fields }]);
  });
});
