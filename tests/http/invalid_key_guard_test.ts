import { assert, assertEquals } from "deno-std/assert/mod.js";
import { ask, assertReply } from "../support/client.ts";
import { inventKey } from "../support/invent_key.ts";
import { createTenant } from "../support/project.ts";
import { startService } from "../support/service.ts";

Deno.test("an address that shows invalid keys", async (t) => {
  await using service = await startService();
  const { apiKey } = await createTenant({ requests_per_minute: 1_000 });
  const knock = (apiKey: string | undefined, headers: Record<string, string>) =>
    ask(service, "GET", "/users/u/threads", { apiKey }, undefined, { headers });
  const attacker = { "CF-Connecting-IP": "203.0.113.7", "X-Real-IP": "10.0.0.1", "X-Forwarded-For": "198.51.100.1" };
  const known = await inventKey(crypto.randomUUID().replaceAll("-", ""));

  await t.step("is told 50 times in a minute that they are", async () => {
    for (let count = 0; count < 50; count++) {
      assertReply(await knock(count % 2 === 0 ? "garbage" : known, attacker), 401, { error: "Invalid API key" });
    }
  });

  await t.step("then gets 429 for the rest of the minute, whatever it shows, and nobody is asked", async () => {
    service.supabase.requests.length = 0;
    await service.advanceClock(20_000);
    for (const key of ["garbage", known, apiKey]) {
      const reply = await knock(key, attacker);
      assertReply(reply, 429, {
        error: "Rate limit exceeded",
        message: "Too many requests. Please try again later.",
        retryAfter: 40,
      });
      assertEquals([reply.headers.get("Retry-After"), reply.headers.has("X-RateLimit-Limit")], ["40", false]);
    }
    assertEquals(service.supabase.requests, []);
  });

  await t.step("at every endpoint of the worker, and with a forwarded address that it made up", async () => {
    assertReply(await ask(service, "POST", "/mcp", { apiKey }, {}, { headers: attacker }), 429);
    assertReply(await knock(apiKey, { ...attacker, "X-Forwarded-For": "192.0.2.1" }), 429);
  });

  await t.step("no other address does, nor a request without one", async () => {
    const others: Record<string, string>[] = [{ "CF-Connecting-IP": "203.0.113.8" }, { "X-Real-IP": "10.0.0.1" }, {}];
    for (const headers of others) {
      assertReply(await knock(apiKey, headers), 200);
      assertReply(await knock("garbage", headers), 401);
    }
    // A header that no proxy has written may hold anything, a key too.
    const strange: Record<string, string>[] = [{ "CF-Connecting-IP": apiKey }, { "X-Real-IP": "nowhere" }];
    for (const headers of [{}, ...strange]) {
      for (let count = 0; count < 60; count++) assertReply(await knock("garbage", headers), 401);
    }
  });

  await t.step("is let in again after the minute", async () => {
    await service.advanceClock(40_000);
    assertReply(await knock(apiKey, attacker), 200);
    assertReply(await knock("garbage", attacker), 401);
  });

  await t.step("is one line of the log, which says where from and holds no key", async () => {
    const lines = (await service.logs()).filter(({ event }) => event === "address_blocked");
    assertEquals(lines.map(({ level, address }) => [level, address]), [["warn", "203.0.113.7"]]);
    const text = JSON.stringify(await service.logs());
    for (const key of [apiKey, known, "garbage"]) assert(!text.includes(key), key);
  });

  await t.step("a missing key, a bad token or a missing scope is none of it", async () => {
    const headers = { "CF-Connecting-IP": "203.0.113.9" };
    for (let count = 0; count < 60; count++) {
      assertReply(await knock(undefined, headers), 401, { error: "Missing API key" });
      assertReply(await knock(apiKey, { ...headers, Authorization: "Bearer x" }), 401);
    }
    assertReply(await knock(apiKey, headers), 200);
  });
});
