import { assert, assertEquals } from "../support/assert.ts";
import { ask, assertRefused, assertReply } from "../support/client.ts";
import { inventKey } from "../support/invent_key.ts";
import { startPlatform } from "../support/platform.ts";
import { createTenant, issuePublishableKey } from "../support/project.ts";
import { startService } from "../support/service.ts";

Deno.test("an address that sends invalid keys", async (t) => {
  await using service = await startService({ env: { CLIENT_ADDRESS_HEADER: "CF-Connecting-IP" } });
  const { apiKey } = await createTenant({ requests_per_minute: 1_000 });
  const tryKey = (apiKey: string | undefined, headers: Record<string, string>) =>
    ask(service, "GET", "/users/u/threads", { apiKey }, undefined, { headers });
  const attacker = { "CF-Connecting-IP": "203.0.113.7", "X-Real-IP": "10.0.0.1", "X-Forwarded-For": "198.51.100.1" };
  const known = await inventKey(crypto.randomUUID().replaceAll("-", ""));

  await t.step("gets 401 for 50 of them in a minute", async () => {
    for (let count = 0; count < 50; count++) {
      assertRefused(await tryKey(count % 2 === 0 ? "garbage" : known, attacker), "invalid_api_key");
    }
  });

  await t.step("then gets 429 for the rest of the minute, with any key, and no backend is called", async () => {
    service.supabase.requests.length = 0;
    await service.advanceClock(20_000);
    for (const key of ["garbage", known, apiKey]) {
      const reply = await tryKey(key, attacker);
      assertRefused(reply, "rate_limit_exceeded", undefined, { retryAfter: 40 });
      assertEquals([reply.headers.get("Retry-After"), reply.headers.has("X-RateLimit-Limit")], ["40", false]);
    }
    assertEquals(service.supabase.requests, []);
  });

  await t.step("gets it at every endpoint of the worker, and with other headers too", async () => {
    assertReply(await ask(service, "POST", "/mcp", { apiKey }, {}, { headers: attacker }), 429);
    assertReply(await tryKey(apiKey, { ...attacker, "X-Forwarded-For": "192.0.2.1", "X-Real-IP": "192.0.2.1" }), 429);
  });

  await t.step("other addresses, and requests without an address, are not blocked", async () => {
    const others: Record<string, string>[] = [{ "CF-Connecting-IP": "203.0.113.8" }, { "X-Real-IP": "10.0.0.1" }, {}];
    for (const headers of others) {
      assertReply(await tryKey(apiKey, headers), 200);
      assertReply(await tryKey("garbage", headers), 401);
    }
    // What is no address is not counted; it might even be a key.
    const strange: Record<string, string>[] = [
      { "CF-Connecting-IP": apiKey },
      { "CF-Connecting-IP": "203.0.113.8:4711" },
      { "X-Real-IP": "203.0.113.8" },
    ];
    for (const headers of [{}, ...strange]) {
      for (let count = 0; count < 60; count++) assertReply(await tryKey("garbage", headers), 401);
    }
  });

  await t.step("is admitted again after the minute", async () => {
    await service.advanceClock(40_000);
    assertReply(await tryKey(apiKey, attacker), 200);
    assertReply(await tryKey("garbage", attacker), 401);
  });

  await t.step("is logged in one line, with the address and without a key", async () => {
    const lines = (await service.logs()).filter(({ event }) => event === "address_blocked");
    assertEquals(lines.map(({ level, address }) => [level, address]), [["warn", "203.0.113.7"]]);
    const text = JSON.stringify(await service.logs());
    for (const key of [apiKey, known, "garbage"]) assert(!text.includes(key), key);
  });

  await t.step("a missing key, a bad token or a missing scope does not count as an invalid key", async () => {
    const headers = { "CF-Connecting-IP": "203.0.113.9" };
    for (let count = 0; count < 60; count++) {
      assertRefused(await tryKey(undefined, headers), "missing_api_key");
      assertReply(await tryKey(apiKey, { ...headers, Authorization: "Bearer x" }), 401);
    }
    assertReply(await tryKey(apiKey, headers), 200);
  });

  await t.step("an invalid key in the address of the MCP server counts, a missing sign-in does not", async () => {
    const headers = { "CF-Connecting-IP": "203.0.113.10" };
    const { accountId } = await createTenant();
    const { publishableKey } = await issuePublishableKey(accountId, { origins: [], allows_mcp: true });
    const call = (key: string) => ask(service, "POST", `/mcp/${key}`, {}, {}, { headers });
    for (let count = 0; count < 60; count++) {
      assertEquals((await call(publishableKey)).headers.get("X-Error-Code"), "sign_in_first");
    }
    const unknown = known.replace("hi_live_", "hi_pub_");
    for (let count = 0; count < 50; count++) {
      assertEquals((await call(count % 2 === 0 ? "garbage" : unknown)).headers.get("X-Error-Code"), "invalid_api_key");
    }
    assertReply(await call(publishableKey), 429);
  });
});

/** The headers by which proxies tell a client's address, all written by the client itself. */
function forge(address: string): Record<string, string> {
  const names = ["CF-Connecting-IP", "X-Real-IP", "X-Forwarded-For", "True-Client-IP", "Forwarded"];
  return Object.fromEntries(names.map((name) => [name, name === "Forwarded" ? `for=${address}` : address]));
}

Deno.test("an address that a client makes up", async (t) => {
  const { apiKey } = await createTenant({ requests_per_minute: 1_000 });
  const tryKey = (service: { url: string }, key: string, headers: Record<string, string>) =>
    ask(service, "GET", "/users/u/threads", { apiKey: key }, undefined, { headers });
  const victim = "203.0.113.7";

  await t.step("locks nobody out where no proxy is known to write it", async () => {
    await using service = await startService();
    for (let count = 0; count < 60; count++) assertReply(await tryKey(service, "garbage", forge(victim)), 401);
    assertReply(await tryKey(service, apiKey, forge(victim)), 200);
    assertReply(await tryKey(service, apiKey, {}), 200);
    assertEquals((await service.logs()).filter(({ event }) => event === "address_blocked"), []);
  });

  await t.step("does so behind the gateway of npm start too", async () => {
    await using platform = startPlatform();
    const service = { url: platform.url };
    for (let count = 0; count < 60; count++) assertReply(await tryKey(service, "garbage", forge(victim)), 401);
    assertReply(await tryKey(service, apiKey, forge(victim)), 200);
  });

  await t.step("neither locks its owner out nor helps its maker when it stands before the proxy's own", async () => {
    await using service = await startService({ env: { CLIENT_ADDRESS_HEADER: "X-Forwarded-For" } });
    const through = (claimed: string, address: string) => ({
      ...forge(claimed),
      "X-Forwarded-For": `${claimed}, ${address}`,
    });
    for (let count = 0; count < 50; count++) {
      assertReply(await tryKey(service, "garbage", through(`192.0.2.${count}`, "2001:db8::1")), 401);
      assertReply(await tryKey(service, "garbage", through(victim, `198.51.100.${count}`)), 401);
    }
    assertReply(await tryKey(service, "garbage", through("192.0.2.99", "2001:db8::1")), 429);
    assertReply(await tryKey(service, apiKey, { "X-Forwarded-For": "2001:db8::1" }), 429);
    assertReply(await tryKey(service, apiKey, { "X-Forwarded-For": victim }), 200);
    assertReply(await tryKey(service, apiKey, through("192.0.2.1", victim)), 200);
  });

  await t.step("is not looked at when none is named", async () => {
    await using service = await startService({ env: { CLIENT_ADDRESS_HEADER: "none" } });
    for (let count = 0; count < 60; count++) assertReply(await tryKey(service, "garbage", forge(victim)), 401);
    assertReply(await tryKey(service, apiKey, forge(victim)), 200);
  });
});
