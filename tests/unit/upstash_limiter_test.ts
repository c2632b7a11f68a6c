import type { Quotas, Spent } from "../../shared/infra/rate_limit/rate_limiter.ts";
import { createUpstashLimiter } from "../../shared/infra/rate_limit/upstash_limiter.ts";
import { assertEquals, assertRejects } from "../support/assert.ts";
import { startRedisServer } from "../support/redis_server.ts";
import { serve } from "../support/serve.ts";

const minute = 60_000;
/** A time in the middle of a minute, an hour and a day. */
const start = Date.parse("2026-11-20T12:30:30Z");

/** Stops `Date.now`, so that no window ends during a test. */
function stopDate(): Disposable & { pass(milliseconds: number): void } {
  const real = Date.now;
  let now = start;
  Date.now = () => now;
  return {
    pass: (milliseconds) => now += milliseconds,
    [Symbol.dispose]: () => Date.now = real,
  };
}

function countAllowed(results: Spent[]): number {
  return results.filter(({ isAllowed }) => isAllowed).length;
}

async function prepare() {
  const redis = await startRedisServer();
  const limiter = createUpstashLimiter(redis, 60_000);

  /** A new key for each step, and the step's clock. */
  function setUp(quotas: Quotas) {
    const clock = stopDate();
    const keyId = crypto.randomUUID();
    const spend = (changed = quotas) => limiter.spend([{ name: keyId, quotas: changed }]);
    return {
      spend,
      spendAll: async (count: number) => {
        const results: Spent[] = [];
        for (let i = 0; i < count; i++) results.push(await spend());
        return results;
      },
      spendAtOnce: (count: number) => Promise.all(Array.from({ length: count }, () => spend())),
      pass: clock.pass,
      [Symbol.dispose]: clock[Symbol.dispose],
    };
  }
  const usual = { perMinute: 60, perHour: 1_000, perDay: 10_000 };
  return { redis, limiter, setUp, usual, [Symbol.asyncDispose]: () => redis[Symbol.asyncDispose]() };
}

Deno.test("createUpstashLimiter", async (t) => {
  await using prepared = await prepare();
  const { redis, setUp, usual } = prepared;

  await t.step("the 60th request of a minute is admitted, the 61st is not", async () => {
    using key = setUp(usual);
    const results = await key.spendAll(61);
    assertEquals(results.map(({ isAllowed }) => isAllowed), [...Array(60).fill(true), false]);
    assertEquals(results.map(({ remaining }) => remaining), [...Array(60).keys().map((i) => 59 - i), 0]);
    const reset = Date.parse("2026-11-20T12:31:00Z") / 1000;
    assertEquals(results[60], { isAllowed: false, limit: 60, remaining: 0, reset, retryAfter: 30 });
  });

  await t.step("the next minute admits again", async () => {
    using key = setUp({ ...usual, perMinute: 1 });
    assertEquals(countAllowed(await key.spendAll(2)), 1);
    key.pass(30_000 - 1);
    const { isAllowed, retryAfter } = await key.spend();
    assertEquals({ isAllowed, retryAfter }, { isAllowed: false, retryAfter: 1 });
    key.pass(1);
    assertEquals((await key.spend()).isAllowed, true);
  });

  const uncounted: [name: string, quotas: Quotas, wait: number][] = [
    ["the minute refuses does not count in the hour", { perMinute: 2, perHour: 3, perDay: 10_000 }, minute],
    ["the minute refuses does not count in the day", { perMinute: 2, perHour: 1_000, perDay: 3 }, minute],
    ["the hour refuses does not count in the minute and the day", { perMinute: 3, perHour: 2, perDay: 3 }, 60 * minute],
  ];
  for (const [name, quotas, wait] of uncounted) {
    await t.step(`a request that ${name}`, async () => {
      using key = setUp(quotas);
      assertEquals(countAllowed(await key.spendAll(10)), 2);
      key.pass(wait);
      assertEquals(countAllowed(await key.spendAll(2)), 1);
    });
  }

  await t.step("the hour is described when it is tighter than the minute", async () => {
    using key = setUp({ perMinute: 60, perHour: 3, perDay: 10_000 });
    const [first, , , refused] = await key.spendAll(4);
    const reset = Date.parse("2026-11-20T13:00:00Z") / 1000;
    assertEquals(first, { isAllowed: true, limit: 3, remaining: 2, reset, retryAfter: 1770 });
    assertEquals(refused, { isAllowed: false, limit: 3, remaining: 0, reset, retryAfter: 1770 });
  });

  await t.step("the day is described when it is the tightest window", async () => {
    using key = setUp({ perMinute: 60, perHour: 1_000, perDay: 1 });
    const [, refused] = await key.spendAll(2);
    const reset = Date.parse("2026-11-21T00:00:00Z") / 1000;
    assertEquals(refused, { isAllowed: false, limit: 1, remaining: 0, reset, retryAfter: 41_370 });
  });

  await t.step("of equally full windows the longest is described", async () => {
    using key = setUp({ perMinute: 1, perHour: 1, perDay: 10_000 });
    assertEquals((await key.spend()).retryAfter, 1770);
    assertEquals((await key.spend()).retryAfter, 1770);
  });

  await t.step("of 100 requests at the same time, exactly the quota is admitted", async () => {
    using key = setUp(usual);
    assertEquals(countAllowed(await key.spendAtOnce(100)), 60);
    assertEquals((await key.spend()).isAllowed, false);
  });

  for (
    const [name, perMinute, perHour] of [
      ["of requests at the same time, the refused ones do not count in the hour", 60, 120],
      ["a request that two windows refuse counts in neither", 5, 10],
    ] as const
  ) {
    await t.step(name, async () => {
      using key = setUp({ perMinute, perHour, perDay: 10_000 });
      assertEquals(countAllowed(await key.spendAtOnce(100)), perMinute);
      key.pass(minute);
      assertEquals(countAllowed(await key.spendAtOnce(100)), perMinute);
    });
  }

  await t.step("a refusal describes the window that refuses, not one whose last unit is given back", async () => {
    using key = setUp({ perMinute: 1, perHour: 2, perDay: 10_000 });
    const [, refused] = await key.spendAll(2);
    const reset = Date.parse("2026-11-20T12:31:00Z") / 1000;
    assertEquals(refused, { isAllowed: false, limit: 1, remaining: 0, reset, retryAfter: 30 });
  });

  await t.step("when a window ended while Redis counted, Retry-After is still a second", async () => {
    using key = setUp({ ...usual, perMinute: 1 });
    await key.spend();
    const [before, now] = [redis.requests, Date.now()];
    Date.now = () => redis.requests === before ? now : now + 30_000;
    const { isAllowed, retryAfter } = await key.spend();
    assertEquals({ isAllowed, retryAfter }, { isAllowed: false, retryAfter: 1 });
  });
});

Deno.test("createUpstashLimiter: what is spent and given back", async (t) => {
  await using prepared = await prepare();
  const { redis, limiter, setUp, usual } = prepared;

  await t.step("a unit taken from a window that has ended is not given back to the next", async () => {
    using key = setUp({ perMinute: 2, perHour: 1, perDay: 10_000 });
    await key.spend();
    const [before, now] = [redis.requests, Date.now()];
    // The minute ends while Redis counts the request that the hour refuses.
    Date.now = () => redis.requests === before ? now : now + 30_000;
    assertEquals((await key.spend()).isAllowed, false);
    const later = await Promise.all(Array.from({ length: 3 }, () => key.spend({ ...usual, perMinute: 2 })));
    assertEquals(countAllowed(later), 2);
  });

  await t.step("three windows cost one request to Redis, and a refusal two", async () => {
    using key = setUp({ ...usual, perMinute: 1 });
    // The very first request also sends the script.
    await limiter.spend([{ name: "another key", quotas: usual }]);
    const before = redis.requests;
    assertEquals((await key.spend()).isAllowed, true);
    assertEquals(redis.requests - before, 1);
    assertEquals((await key.spend()).isAllowed, false);
    assertEquals(redis.requests - before, 3);
  });

  await t.step("two counters are spent together, or neither; a refusal describes the first that refuses", async () => {
    using _clock = stopDate();
    const [shared, one, other] = Array.from({ length: 3 }, () => crypto.randomUUID());
    const spend = (name: string) =>
      limiter.spend([
        { name: shared!, quotas: { ...usual, perMinute: 3 } },
        { name, quotas: { ...usual, perMinute: 2 } },
      ]);
    const [seen, requests]: [unknown[], number[]] = [[], []];
    for (const name of [one!, one!, one!, one!, other!, other!]) {
      const before = redis.requests;
      const { isAllowed, limit, remaining } = await spend(name);
      seen.push([isAllowed, limit, remaining]);
      requests.push(redis.requests - before);
    }
    // The third and fourth of one user cost what is shared nothing: the other still gets the last of it.
    assertEquals(seen, [[true, 2, 1], [true, 2, 0], [false, 2, 0], [false, 2, 0], [true, 2, 1], [false, 3, 0]]);
    // Not even for a moment: a counter that refuses is asked before the one that is wider.
    assertEquals(requests, [2, 2, 2, 2, 2, 3]);
  });

  await t.step("a look spends nothing", async () => {
    using key = setUp({ ...usual, perMinute: 1 });
    const [name, quotas] = [crypto.randomUUID(), { ...usual, perMinute: 1 }];
    const look = async () => {
      const { isAllowed, remaining } = await limiter.look({ name, quotas });
      return { isAllowed, remaining };
    };
    for (let i = 0; i < 3; i++) assertEquals(await look(), { isAllowed: true, remaining: 1 });
    assertEquals((await limiter.spend([{ name, quotas }])).isAllowed, true);
    assertEquals(await look(), { isAllowed: false, remaining: 0 });
    key.pass(minute);
    assertEquals(await look(), { isAllowed: true, remaining: 1 });
  });

  await t.step("keys are counted separately", async () => {
    using one = setUp({ ...usual, perMinute: 1 });
    await one.spendAll(2);
    using other = setUp({ ...usual, perMinute: 1 });
    assertEquals((await other.spend()).isAllowed, true);
  });

  await t.step("keys with different quotas are counted separately too", async () => {
    using one = setUp({ ...usual, perMinute: 1 });
    await one.spendAll(2);
    using other = setUp({ ...usual, perMinute: 2 });
    assertEquals(countAllowed(await other.spendAll(3)), 2);
  });

  await t.step("another limiter on the same Redis continues the count", async () => {
    using _clock = stopDate();
    const quotas = { ...usual, perMinute: 2 };
    const spend = (from = limiter) => from.spend([{ name: "shared", quotas }]);
    await spend();
    const other = createUpstashLimiter(redis, 60_000);
    const results = [await spend(other), await spend(other), await spend()];
    assertEquals(results.map(({ isAllowed }) => isAllowed), [true, false, false]);
  });

  await t.step("an unknown token rejects", async () => {
    await assertRejects(() =>
      createUpstashLimiter({ ...redis, token: "unknown" }, 60_000).look({ name: "key", quotas: usual })
    );
  });

  await t.step("a silent Redis rejects", async () => {
    const impatient = createUpstashLimiter(redis, 10);
    redis.pause();
    const before = redis.requests;
    await assertRejects(() => impatient.spend([{ name: "key", quotas: usual }]));
    // Sent only once: a Redis that does not answer may still have counted.
    assertEquals(redis.requests - before, 1);
    redis.resume();
  });

  await t.step("a Redis that cannot be reached rejects", async () => {
    const gone = await startRedisServer();
    await gone[Symbol.asyncDispose]();
    await assertRejects(() => createUpstashLimiter(gone, 60_000).look({ name: "key", quotas: usual }));
  });

  await t.step("a reply without a count rejects, whether it would admit or refuse", async () => {
    for (const count of [null, "many", [], [1], ["NaN", "x"], [-5, -1], [0, 0], [1e300, 1e300]]) {
      await using server = serve(async (request) => {
        const commands: unknown[] = await request.json();
        return Response.json(commands.map(() => ({ result: count })));
      });
      const confused = createUpstashLimiter({ url: server.url, token: "t" }, 60_000);
      await assertRejects(() => confused.spend([{ name: "key", quotas: usual }]));
    }
  });
});
