import { assert, assertEquals, assertNotEquals } from "../support/assert.ts";
import { ask, assertRefused, assertReply, type Reply } from "../support/client.ts";
import { createTenant, issueKey, issuePublishableKey, operator, type Tenant } from "../support/project.ts";
import { startRedisServer } from "../support/redis_server.ts";
import { type Service, startService } from "../support/service.ts";
import { inventKey } from "../support/invent_key.ts";
import { startPlatform } from "../support/platform.ts";

const numberOf = (reply: Reply, name: string) => Number(reply.headers.get(name));

async function askOften(service: Service, apiKey: string, count: number): Promise<Reply[]> {
  return await Promise.all(Array.from({ length: count }, () => ask(service, "GET", "/users/u/threads", { apiKey })));
}

/** The promises are the same whether Postgres or Upstash counts. `readClock` is the clock of the windows. */
async function judgeLimits(t: Deno.TestContext, service: Service, readClock: () => number) {
  await t.step("61 requests at the same time: 60 pass, one gets the 429 of the interface", async () => {
    const { apiKey } = await createTenant();
    const replies = await askOften(service, apiKey, 61);
    const refused = replies.filter(({ status }) => status === 429);
    assertEquals(refused.length, 1);
    const [reply] = refused as [Reply];
    assertRefused(reply, "rate_limit_exceeded");
    const retryAfter = numberOf(reply, "Retry-After");
    assert(Number.isInteger(retryAfter) && retryAfter >= 1 && retryAfter <= 60, String(retryAfter));
    assertEquals(numberOf(reply, "X-RateLimit-Limit"), 60);
    assertEquals(numberOf(reply, "X-RateLimit-Remaining"), 0);
    assertEquals(reply.headers.get("Access-Control-Allow-Origin"), "*");
    const remaining = replies.filter(({ status }) => status === 200).map((each) =>
      numberOf(each, "X-RateLimit-Remaining")
    );
    assertEquals(remaining.toSorted((a, b) => a - b), Array.from({ length: 60 }, (_, index) => index));
  });

  await t.step("Reset is in epoch seconds, within the window", async () => {
    const { apiKey } = await createTenant();
    const [reply] = await askOften(service, apiKey, 1) as [Reply];
    const now = readClock() / 1000;
    const reset = numberOf(reply, "X-RateLimit-Reset");
    assert(Number.isInteger(reset) && reset >= Math.floor(now) && reset <= now + 61, `${reset} at ${now}`);
  });

  await t.step("the headers describe the tightest window: first the hour, then the day", async () => {
    const hourly = await createTenant({ requests_per_hour: 5 });
    const daily = await createTenant({ requests_per_hour: 7, requests_per_day: 3 });
    for (const [{ apiKey }, quota, hours] of [[hourly, 5, 1], [daily, 3, 24]] as const) {
      const replies = await askOften(service, apiKey, quota + 2);
      assertEquals(replies.filter(({ status }) => status === 200).length, quota);
      for (const reply of replies) assertEquals(numberOf(reply, "X-RateLimit-Limit"), quota);
      const refused = replies.find(({ status }) => status === 429)!;
      const left = numberOf(refused, "X-RateLimit-Reset") - readClock() / 1000;
      assert(left > 0 && left <= hours * 3_600 + 1, `${left} s`);
    }
  });

  await t.step("a refused request does not count in the longer windows", async () => {
    const { apiKey } = await createTenant({ requests_per_minute: 2, requests_per_hour: 3 });
    const replies = [];
    for (let count = 0; count < 10; count++) replies.push(...await askOften(service, apiKey, 1));
    assertEquals(replies.filter(({ status }) => status === 200).length, 2);
    // If the eight refused requests had counted, the headers would describe the hour, with a later reset.
    for (const reply of replies) assert(numberOf(reply, "X-RateLimit-Reset") <= readClock() / 1000 + 61);
  });

  await t.step("keys are counted separately, also within an account", async () => {
    const first = await createTenant({ requests_per_minute: 1 });
    await askOften(service, first.apiKey, 2);
    const second = await createTenant({ requests_per_minute: 1 });
    const [reply] = await askOften(service, second.apiKey, 1) as [Reply];
    assertEquals(reply.status, 200);
  });

  await t.step("every kind of refused input counts, a bad bearer too", async () => {
    const { apiKey } = await createTenant({ requests_per_minute: 2 });
    assertEquals((await ask(service, "POST", "/chat", { apiKey }, "{")).status, 400);
    assertEquals((await ask(service, "GET", "/users/u/threads", { apiKey, accessToken: "bad" })).status, 401);
    assertEquals((await ask(service, "GET", "/users/u/threads", { apiKey })).status, 429);
  });
}

Deno.test("limits, counted by Postgres", async (t) => {
  await using service = await startService();
  await judgeLimits(t, service, Date.now);
  await t.step("in the call that does the work", async () => {
    const { apiKey } = await createTenant();
    service.supabase.requests.length = 0;
    await ask(service, "GET", "/users/u/threads", { apiKey });
    assertEquals(service.supabase.requests, ["/rest/v1/rpc/list_threads"]);
  });
});

Deno.test("limits, counted by Upstash", async (t) => {
  await using redis = await startRedisServer();
  const stoppedAt = Date.now();
  await using service = await startService({
    env: { UPSTASH_REDIS_REST_URL: redis.url, UPSTASH_REDIS_REST_TOKEN: redis.token },
    stoppedAt,
  });
  await judgeLimits(t, service, () => stoppedAt);

  await t.step("in one request to it", async () => {
    const { apiKey } = await createTenant();
    await ask(service, "GET", "/users/u/threads", { apiKey });
    const before = redis.requests;
    service.supabase.requests.length = 0;
    await ask(service, "GET", "/users/u/threads", { apiKey });
    assertEquals(redis.requests - before, 1);
    assertEquals(service.supabase.requests, ["/rest/v1/rpc/list_threads"]);
  });

  await t.step("when Upstash is silent, Postgres counts, just as exactly", async () => {
    redis.pause();
    await using hasty = await startService({
      env: { UPSTASH_REDIS_REST_URL: redis.url, UPSTASH_REDIS_REST_TOKEN: redis.token },
      timeouts: { limiter: 100 },
    });
    const { apiKey } = await createTenant({ requests_per_minute: 3 });
    const replies = await askOften(hasty, apiKey, 5);
    assertEquals(replies.filter(({ status }) => status === 200).length, 3);
    assertEquals(replies.filter(({ status }) => status === 429).length, 2);
    assert((await hasty.logs()).some(({ event }) => event === "limiter_unavailable"));
    redis.resume();
  });

  await t.step("when Upstash cannot be reached, Postgres counts as well", async () => {
    await using alone = await startService({
      env: { UPSTASH_REDIS_REST_URL: "http://127.0.0.1:1", UPSTASH_REDIS_REST_TOKEN: "x" },
    });
    const { apiKey } = await createTenant({ requests_per_minute: 1 });
    const replies = await askOften(alone, apiKey, 2);
    assertEquals(replies.map(({ status }) => status).toSorted(), [200, 429]);
  });
});

const hour = 3_600_000;

type Rotated = { id: string; api_key: string; replaces: string; replaced_expires_at: string };

async function rotate(keyId: string, overlapHours?: number): Promise<Rotated> {
  const { data } = await operator.rpc("rotate_api_key", { id: keyId, overlap_hours: overlapHours }).throwOnError();
  return data as Rotated;
}

async function keysOf({ accountId }: Tenant) {
  return (await operator.rpc("list_api_keys").eq("account_id", accountId).throwOnError()).data;
}

Deno.test("rotate_api_key", async (t) => {
  await using service = await startService();
  const statusOf = async (apiKey: string, path = "/users/u/threads") =>
    (await ask(service, "GET", path, { apiKey })).status;

  await t.step("both keys work until the overlap ends", async () => {
    const tenant = await createTenant();
    const began = Date.now();
    const rotated = await rotate(tenant.keyId, 2);
    assertEquals(rotated.replaces, tenant.keyId);
    assertNotEquals(rotated.api_key, tenant.apiKey);
    assertEquals([await statusOf(tenant.apiKey), await statusOf(rotated.api_key)], [200, 200]);
    const left = Date.parse(rotated.replaced_expires_at) - began;
    assert(Math.abs(left - 2 * hour) < hour, rotated.replaced_expires_at);
    const [old, successor] = await keysOf(tenant);
    assertEquals([old?.status, old?.replaced_by, successor?.status], ["replaced", rotated.id, "active"]);
  });

  await t.step("the overlap is a day by default", async () => {
    const { keyId } = await createTenant();
    const began = Date.now();
    const left = Date.parse((await rotate(keyId)).replaced_expires_at) - began;
    assert(Math.abs(left - 24 * hour) < hour);
  });

  await t.step("without an overlap the old key is refused from the next request on", async () => {
    const tenant = await createTenant();
    const rotated = await rotate(tenant.keyId, 0);
    assertEquals([await statusOf(tenant.apiKey), await statusOf(rotated.api_key)], [401, 200]);
    assertEquals((await keysOf(tenant)).map(({ status }) => status), ["expired", "active"]);
  });

  await t.step("the new key has the account, name, scopes and limits of the old one", async () => {
    const tenant = await createTenant({ scopes: ["threads:read"], requests_per_minute: 7, requests_per_hour: 8 });
    const rotated = await rotate(tenant.keyId);
    const [old, successor] = await keysOf(tenant);
    for (
      const field of ["name", "account_id", "requests_per_minute", "requests_per_hour", "requests_per_day"] as const
    ) {
      assertEquals(successor?.[field], old?.[field]);
    }
    assertEquals(successor?.scopes, ["threads:read"]);
    await rotate((await issueKey(tenant.accountId, { coach_ids: [tenant.coachId] })).keyId);
    assertEquals((await keysOf(tenant)).at(-1)?.coach_ids, [tenant.coachId]);
    assertEquals(await statusOf(rotated.api_key, `/knowledge-handler?coachId=${tenant.coachId}`), 403);
  });

  await t.step("one that never expires gets such a successor; others live as long as the old key did", async () => {
    const eternal = await createTenant();
    await rotate(eternal.keyId);
    assertEquals((await keysOf(eternal))[1]?.expires_at, null);
    const mortal = await createTenant({ expires_at: new Date(Date.now() + 90 * 24 * hour).toISOString() });
    await rotate(mortal.keyId);
    const life = Date.parse((await keysOf(mortal))[1]!.expires_at) - Date.now();
    assert(Math.abs(life - 90 * 24 * hour) < hour, String(life));
  });

  await t.step("an old key that expires before the overlap ends still expires then", async () => {
    const expires_at = new Date(Date.now() + hour).toISOString();
    const tenant = await createTenant({ expires_at });
    assertEquals(Date.parse((await rotate(tenant.keyId, 24)).replaced_expires_at), Date.parse(expires_at));
  });

  await t.step("a rotation refused with a sentence issues no key", async () => {
    const tenant = await createTenant();
    const revoked = await createTenant();
    await operator.rpc("revoke_api_key", { id: revoked.keyId }).throwOnError();
    const expired = await createTenant({ expires_at: new Date(Date.now() - hour).toISOString() });
    const replaced = await createTenant();
    const { id: successor } = await rotate(replaced.keyId);
    // Bound to none, it would reach all.
    const other = await createTenant();
    const orphan = await issueKey(other.accountId, { coach_ids: [other.coachId] });
    await operator.from("coach_profiles").delete().eq("id", other.coachId).throwOnError();
    const outOfBounds = "overlap_hours must be from 0 to 8760";
    for (
      const [id, overlap_hours, sentence] of [
        [crypto.randomUUID(), 1, "API key not found"],
        [tenant.keyId, -1, outOfBounds],
        [tenant.keyId, 8761, outOfBounds],
        [revoked.keyId, 1, "This API key has ended: issue a new one"],
        [expired.keyId, 1, "This API key has ended: issue a new one"],
        [orphan.keyId, 1, "coach_ids must be coaches of the account"],
        [replaced.keyId, 1, `This API key was rotated before: ${successor} is its successor`],
      ] as const
    ) {
      assertEquals((await operator.rpc("rotate_api_key", { id, overlap_hours })).error?.message, sentence);
    }
    assertEquals((await keysOf(tenant)).length, 1);
    assertEquals((await keysOf(replaced)).length, 2);
  });

  await t.step("the successor can be rotated and revoked like any other key", async () => {
    const tenant = await createTenant();
    const second = await rotate(tenant.keyId, 1);
    const third = await rotate(second.id, 1);
    await operator.rpc("revoke_api_key", { id: tenant.keyId }).throwOnError();
    assertEquals(
      [await statusOf(tenant.apiKey), await statusOf(second.api_key), await statusOf(third.api_key)],
      [401, 200, 200],
    );
    assertEquals((await keysOf(tenant)).map(({ status }) => status), ["revoked", "replaced", "active"]);
  });
});

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
