import { assertEquals } from "deno-std/assert/mod.js";
import { createChatApp } from "../../shared/chat/app.ts";
import type { Database } from "../../shared/db/database.ts";
import { createServices } from "../../shared/services.ts";
import { useFakeClock } from "../support/fake_clock.ts";

const env = {
  supabaseUrl: "http://supabase.invalid",
  secretKey: "sb_secret_1",
  secretKeys: ["sb_secret_1"],
  publishableKeys: [],
  jwks: null,
  jwtSecret: null,
  upstash: null,
  openai: {
    apiKey: "none",
    baseUrl: null,
    model: "none",
    embeddingModel: null,
    visionModel: null,
    transcriptionModel: null,
  },
  turnSeconds: 140,
};

/** Admits every key and knows no coach. */
const database: Database = {
  call: (name) =>
    Promise.resolve(
      name !== "admit_request" ? { error: "coach_not_found" } : {
        id: "key",
        account_id: "account",
        scopes: ["chat"],
        spent: { is_allowed: true, limit: 60, remaining: 59, reset: 60, retry_after: 60 },
      },
    ),
  callForBytes: () => Promise.reject(new Error("Not asked")),
};

Deno.test("postChat", async (t) => {
  await t.step("a refused message leaves nothing running", async () => {
    const app = createChatApp(createServices(env, { database, createLog: () => () => {} }));
    using clock = useFakeClock();
    const response = await app.request("/chat", {
      method: "POST",
      headers: { "X-API-Key": "hi_live_0123456789ABCDEFGHIJabcdefghijZzf52c3e" },
      body: JSON.stringify({ message: "Hi", context: { coachId: "nobody" } }),
    });
    assertEquals([response.status, await response.json()], [404, { error: "Coach not found" }]);
    assertEquals(clock.timers, 0);
  });
});
