import { assert, assertEquals } from "../support/assert.ts";
import { ask, assertRefused, type Reply } from "../support/client.ts";
import { createTenant } from "../support/project.ts";
import { startRedisServer } from "../support/redis_server.ts";
import { type Service, startService } from "../support/service.ts";

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
