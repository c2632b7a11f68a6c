/// <reference lib="dom" />
import { readServiceError } from "../../shared/clients/client/service_error.ts";
import { readTrouble } from "../../shared/clients/page/chat/trouble.ts";
import { countdown } from "../../shared/clients/page/ui/countdown.ts";
import { assert, assertEquals } from "../support/assert.ts";
import { useFakeClock } from "../support/fake_clock.ts";

function troubleOf(status: number, code: string | null, body = {}) {
  const headers = new Headers(code === null ? {} : { "X-Error-Code": code });
  return readTrouble(readServiceError(new Response(null, { status, headers }), body));
}

/** The seconds that a page waits before it tries again. */
function waitAfter(code: string, body = {}): number {
  const now = Date.now();
  const trouble = troubleOf(429, code, body);
  assert(trouble.kind === "limited");
  // Further from the next second than a slow machine takes.
  return Math.floor((trouble.until - now + 500) / 1_000);
}

Deno.test("a limit passes: after the time it names, or else after half a minute", () => {
  assertEquals(waitAfter("rate_limit_exceeded", { retryAfter: 7 }), 7);
  assertEquals(waitAfter("rate_limit_exceeded"), 30);
});

Deno.test("the limit of mails and a budget that is used up do not pass", () => {
  assertEquals(troubleOf(429, "too_many_mails", { error: "No more today" }), {
    kind: "trouble",
    message: "No more today",
    code: "too_many_mails",
  });
  assertEquals(troubleOf(429, "budget_exhausted"), { kind: "usedUp", until: null });
});

Deno.test("a countdown shows the second that has begun, and asks to be shown again with the next", () => {
  using clock = useFakeClock();
  const realNow = Date.now;
  let now = 1_000_000;
  Date.now = () => now;
  try {
    let updates = 0;
    const secondsTo = countdown({
      addController() {},
      removeController() {},
      requestUpdate: () => void updates++,
      updateComplete: Promise.resolve(true),
    });
    const until = now + 2_500;
    assertEquals(secondsTo(until), 3);
    clock.tick(501);
    assertEquals(updates, 1);
    now = until - 1_000;
    assertEquals(secondsTo(until), 1);
    now = until;
    assertEquals([secondsTo(until), clock.timers], [0, 0]);
  } finally {
    Date.now = realNow;
  }
});
