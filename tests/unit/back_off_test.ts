import { backOff, type BackOffOptions } from "../../shared/clients/client/back_off.ts";
import { assertEquals, assertRejects } from "../support/assert.ts";

/** A server that sends these replies one after the other, and a record of the client's requests and waits. */
function play(answers: (number | { retryAfter: string })[], options: Partial<BackOffOptions> = {}) {
  const delays: number[] = [];
  const bodies: string[] = [];
  const send = backOff(async (request) => {
    bodies.push(await request.text());
    const answer = answers[bodies.length - 1] ?? 200;
    if (typeof answer === "number") return new Response(`${bodies.length}`, { status: answer });
    return new Response("{}", { status: 429, headers: { "Retry-After": answer.retryAfter } });
  }, {
    retries: 4,
    maxDelay: 60_000,
    random: () => 0,
    sleep: (milliseconds) => Promise.resolve(void delays.push(milliseconds)),
    ...options,
  });
  const request = () => send(new Request("http://127.0.0.1/", { method: "POST", body: "the same" }));
  return { request, delays, bodies };
}

Deno.test("backOff", async (t) => {
  await t.step("lets everything but a 429 pass", async () => {
    for (const status of [200, 401, 500, 503]) {
      const { request, delays, bodies } = play([status]);
      assertEquals((await request()).status, status);
      assertEquals([delays, bodies], [[], ["the same"]]);
    }
  });

  await t.step("waits as long as Retry-After says, and sends the same request again", async () => {
    const { request, delays, bodies } = play([{ retryAfter: "12" }]);
    assertEquals((await request()).status, 200);
    assertEquals([delays, bodies], [[12_000], ["the same", "the same"]]);
  });

  await t.step("without Retry-After, waits twice as long each time", async () => {
    const { request, delays } = play([429, 429, 429, 429]);
    assertEquals((await request()).status, 200);
    assertEquals(delays, [500, 1_000, 2_000, 4_000]);
  });

  await t.step("ignores a Retry-After that makes no sense", async () => {
    for (const retryAfter of ["soon", "", "Sat, 21 Nov 2026 12:00:00 GMT", "0"]) {
      const { request, delays } = play([{ retryAfter }]);
      await request();
      assertEquals(delays, [500]);
    }
  });

  await t.step("adds up to half of the wait at random, and never waits less than requested", async () => {
    const { request, delays } = play([{ retryAfter: "10" }, 429], { random: () => 0.8 });
    await request();
    assertEquals(delays, [14_000, 1_400]);
  });

  await t.step("gives up after its last retry, with the last reply", async () => {
    const { request, delays, bodies } = play(Array(9).fill(429), { retries: 2 });
    const response = await request();
    assertEquals([response.status, await response.text()], [429, "3"]);
    assertEquals([delays.length, bodies.length], [2, 3]);
  });

  await t.step("when the wait would be too long, as for a window of hours, returns the 429 at once", async () => {
    const { request, delays } = play([{ retryAfter: "61" }]);
    assertEquals((await request()).status, 429);
    assertEquals(delays, []);
    const { request: exact, delays: longest } = play([{ retryAfter: "60" }]);
    assertEquals((await exact()).status, 200);
    assertEquals(longest, [60_000]);
    const { request: slow, delays: capped } = play([{ retryAfter: "50" }], { random: () => 0.9 });
    await slow();
    assertEquals(capped, [60_000]);
  });

  await t.step("stops waiting when the request is aborted", async () => {
    const { request, bodies } = play([429], { sleep: () => Promise.reject(new DOMException("gone", "AbortError")) });
    await assertRejects(request, DOMException, "gone");
    assertEquals(bodies.length, 1);
  });

  await t.step(
    "without an option for waiting, waits in real time, and not at all once the request is aborted",
    async () => {
      for (const isEarly of [true, false]) {
        const controller = new AbortController();
        const send = backOff(() => {
          if (isEarly) controller.abort();
          else queueMicrotask(() => controller.abort());
          return Promise.resolve(new Response(null, { status: 429, headers: { "Retry-After": "50" } }));
        });
        const request = new Request("http://127.0.0.1/", { signal: controller.signal });
        await assertRejects(() => send(request), DOMException);
      }
    },
  );
});
