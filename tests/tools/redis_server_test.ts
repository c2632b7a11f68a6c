import { assertEquals, assertRejects } from "deno-std/assert/mod.js";
import { Ratelimit } from "@upstash/ratelimit";
import { Redis } from "@upstash/redis";
import { startRedisServer } from "../support/redis_server.ts";

Deno.test("redis server", async (t) => {
  await using server = await startRedisServer();
  const redis = new Redis({ ...server, enableTelemetry: false });

  await t.step("values come back as they were stored", async () => {
    assertEquals(await redis.set("text", "héllo 🙂"), "OK");
    assertEquals(await redis.get("text"), "héllo 🙂");
    assertEquals(await redis.get("none"), null);
    assertEquals(await redis.incr("number"), 1);
    await redis.hset("hash", { a: 1, b: "x" });
    assertEquals(await redis.hgetall("hash"), { a: 1, b: "x" });
    await redis.rpush("list", "eins", "zwei");
    assertEquals(await redis.lrange("list", 0, -1), ["eins", "zwei"]);
  });

  await t.step("an error of one command stops no other", async () => {
    const replies = await redis.pipeline().set("x", "text").incr("x").get("x").exec({ keepErrors: true });
    assertEquals(replies.map(({ result }) => result), ["OK", undefined, "text"]);
    assertEquals(replies[1]?.error, "ERR value is not an integer or out of range");
    await assertRejects(() => redis.incr("x"), Error, "ERR value is not an integer");
  });

  await t.step("a transaction answers every command", async () => {
    assertEquals(await redis.multi().set("y", 1).incr("y").get("y").exec(), ["OK", 2, 2]);
  });

  await t.step("a command alone, encoded or not, is one request", async () => {
    const plain = new Redis({
      ...server,
      responseEncoding: false,
      enableAutoPipelining: false,
      enableTelemetry: false,
    });
    const before = server.requests;
    assertEquals(await plain.get("text"), "héllo 🙂");
    assertEquals(server.requests - before, 1);
  });

  await t.step("every algorithm of the rate limiter refuses the third of two", async () => {
    const algorithms = {
      fixedWindow: Ratelimit.fixedWindow(2, "1 d"),
      slidingWindow: Ratelimit.slidingWindow(2, "1 d"),
      tokenBucket: Ratelimit.tokenBucket(2, "1 d", 2),
    };
    for (const [prefix, limiter] of Object.entries(algorithms)) {
      const rate = new Ratelimit({ redis, limiter, prefix, ephemeralCache: false });
      const successes = [await rate.limit("x"), await rate.limit("x"), await rate.limit("x")].map((r) => r.success);
      assertEquals(successes, [true, true, false], prefix);
      assertEquals((await rate.limit("y")).success, true, prefix);
    }
  });

  await t.step("another token is refused", async () => {
    const stranger = new Redis({ ...server, token: "stranger", enableTelemetry: false });
    await assertRejects(() => stranger.get("text"), Error, "WRONGPASS");
  });

  await t.step("a pause holds requests back until it ends", async () => {
    server.pause();
    const asked = redis.get("text");
    const error = await assertRejects(
      () => fetch(server.url, { method: "POST", body: "[]", signal: AbortSignal.timeout(20) }),
      DOMException,
    );
    assertEquals(error.name, "TimeoutError");
    server.resume();
    assertEquals(await asked, "héllo 🙂");
  });
});
