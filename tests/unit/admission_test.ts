import * as z from "zod/mini";
import { openAdmission } from "../../shared/core/auth/open_admission.ts";
import { createSeenKeys } from "../../shared/core/auth/seen_keys.ts";
import { type Database, DatabaseError } from "../../shared/infra/db/database.ts";
import { ApiError, errors } from "../../shared/infra/errors.ts";
import type { Spent } from "../../shared/infra/rate_limit/rate_limiter.ts";
import { assertEquals, assertRejects, assertStrictEquals } from "../support/assert.ts";
import { inventKey } from "../support/invent_key.ts";

const aKey = inventKey("0".repeat(32));
const spent = { is_allowed: true, limit: 60, remaining: 59, reset: 60, retry_after: 60 };
const counted: Spent = { isAllowed: true, limit: 60, remaining: 59, reset: 60, retryAfter: 60 };
const key = {
  key_id: "k",
  account_id: "a",
  scopes: ["chat"],
  options: [],
  spent,
  is_origin_allowed: true,
  is_budgeted: false,
};
const admitted = (result?: unknown, overrides: object = {}) => ({ admission: { ...key, ...overrides }, result });
const found = { key_id: "k", is_origin_allowed: true, requests: [60, 1_000, 10_000], publishable: null };
const timedOut = new DatabaseError("f", undefined, new DOMException("x", "TimeoutError"));

/** An admission whose database gives these replies, one after the other. It also returns the calls. */
function open(
  replies: unknown[],
  { spend, now = () => 0, seenKeys = createSeenKeys(now) }: {
    spend?: () => Promise<Spent>;
    now?: () => number;
    seenKeys?: ReturnType<typeof createSeenKeys>;
  } = {},
) {
  const calls: string[] = [];
  const background: Promise<unknown>[] = [];
  let invalidKeys = 0;
  const database: Database = {
    call: () => Promise.reject(new Error("is not called")),
    async callForBytes(name, args) {
      const { caller } = args as { caller?: Record<string, unknown> };
      const { key_digest: _, ...shown } = caller ?? {};
      calls.push(caller ? `${name} ${JSON.stringify(shown)}` : name);
      const reply = await replies.shift();
      if (reply instanceof Error) throw reply;
      return new TextEncoder().encode(JSON.stringify(reply ?? null));
    },
  };
  const admission = openAdmission(
    {
      database,
      limiter: spend ? { spend, look: spend } : null,
      seenKeys,
      invalidKeys: { secondsBlocked: () => null, countInvalidKey: () => ++invalidKeys < 0 },
      waitUntil: (promise) => void background.push(promise),
    },
    { apiKey: aKey, page: null, address: "192.0.2.1" },
    () => {},
  );
  const chat = admission.openDatabase("chat");
  const args = { user_id: null, message_id: "m", is_forced: false };
  const ask = () => chat.call("stop_turn", args, z.string());
  const askForBytes = async () => new TextDecoder().decode(await chat.callForBytes("stop_turn", args));
  return { admission, ask, askForBytes, calls, background, invalidKeys: () => invalidKeys };
}

const first = (name: string, { scope, ...rest }: Record<string, unknown> = { scope: "chat" }) =>
  `${name} ${JSON.stringify({ scope, is_counted: true, ...rest })}`;
const later = 'stop_turn {"account_id":"a","api_key_id":"k"}';

/** The status of a promised refusal. */
async function statusOf(promise: Promise<unknown>): Promise<number> {
  return (await assertRejects(() => promise, ApiError)).status;
}

Deno.test("an admission, where Postgres counts", async (t) => {
  await t.step("the first call admits, those after it name the account", async () => {
    const { admission, ask, calls } = open([admitted("one"), "two"]);
    assertEquals([admission.key, admission.spent], [null, null]);
    assertEquals([await ask(), await ask()], ["one", "two"]);
    assertEquals(calls, [first("stop_turn"), later]);
    assertEquals([admission.key?.accountId, admission.spent], ["a", counted]);
    assertEquals((await admission.require()).keyId, "k");
    assertEquals(calls.length, 2);
  });

  await t.step("a result with the words of the reply around it is passed on whole", async () => {
    const text = ', "result" : [{"admission": 1}]'.repeat(200);
    assertEquals(await open([admitted(text)]).ask(), text);
    assertEquals(await open([admitted(text)]).askForBytes(), JSON.stringify(text));
  });

  await t.step("a refusal of the work is thrown, for a request that is admitted", async () => {
    const refusal = { error: "thread_not_found" };
    const { admission, ask, askForBytes } = open([admitted(refusal), refusal, refusal]);
    assertEquals([await statusOf(ask()), await statusOf(ask()), await statusOf(askForBytes())], [404, 404, 404]);
    assertEquals(admission.key?.keyId, "k");
    assertEquals(await statusOf(open([admitted(refusal)]).askForBytes()), 404);
  });

  await t.step("a call that comes while the first is under way waits for it", async () => {
    const reply = Promise.withResolvers<unknown>();
    const { ask, calls } = open([reply.promise, "two"]);
    const both = [ask(), ask()];
    reply.resolve(admitted("one"));
    assertEquals(await Promise.all(both), ["one", "two"]);
    assertEquals(calls, [first("stop_turn"), later]);
  });

  await t.step("no valid key → 401, asked once, whatever else failed", async () => {
    const { admission, ask, calls, invalidKeys } = open([null]);
    assertEquals(await statusOf(ask()), 401);
    assertEquals((await admission.judge(new Error("x")) as ApiError).status, 401);
    assertEquals(await statusOf(ask()), 401);
    assertEquals([calls, invalidKeys(), admission.key], [[first("stop_turn")], 1, null]);
  });

  await t.step("over the limit → 429 in the same call", async () => {
    const { admission, ask, calls } = open([admitted(undefined, { spent: { ...spent, is_allowed: false } })]);
    assertEquals(await statusOf(ask()), 429);
    assertEquals([calls.length, admission.key, admission.spent?.isAllowed], [1, null, false]);
  });

  await t.step("without the scope → 403 in the same call", async () => {
    const { ask, calls } = open([admitted(undefined, { scopes: ["threads:read"] })]);
    assertEquals(await statusOf(ask()), 403);
    assertEquals(calls.length, 1);
  });

  await t.step("admitted, but not carried out, since a window ended meanwhile: it is carried out then", async () => {
    const { ask, calls } = open([admitted(), "one"]);
    assertEquals(await ask(), "one");
    assertEquals(calls, [first("stop_turn"), later]);
  });

  await t.step("taken back, since the limit was reached meanwhile: the refusal has a call of its own", async () => {
    const late = new DatabaseError("stop_turn", "PT429");
    const { ask, calls } = open([late, admitted(undefined, { spent: { ...spent, is_allowed: false } })]);
    assertEquals(await statusOf(ask()), 429);
    assertEquals(calls, [first("stop_turn"), first("admit_request", {})]);
    const lucky = open([late, admitted(), "one"]);
    assertEquals(await lucky.ask(), "one");
  });

  await t.step("what failed before any call is judged by a call of its own", async () => {
    const failure = errors.invalidInput("word is required");
    const { admission, calls } = open([admitted()]);
    assertStrictEquals(await admission.judge(failure, "chat"), failure);
    assertStrictEquals(await admission.judge(failure, "chat"), failure);
    assertEquals((await admission.judge(failure, "knowledge:read") as ApiError).status, 403);
    assertEquals(calls, [first("admit_request", {})]);
  });

  await t.step("a call that Postgres refuses: the request is admitted for that, and counted once", async () => {
    const refusal = new DatabaseError("stop_turn", "42501");
    const { admission, ask, calls } = open([refusal, admitted()]);
    assertStrictEquals(await assertRejects(ask), refusal);
    assertStrictEquals(await admission.judge(refusal, "chat"), refusal);
    assertEquals(calls, [first("stop_turn"), first("admit_request", {})]);
  });

  await t.step("Postgres is down: 503", async () => {
    const down = () => new DatabaseError("f", 502);
    const { admission, ask } = open([down(), down()]);
    const error = await assertRejects(ask, DatabaseError);
    assertEquals((await admission.judge(error, "chat") as ApiError).status, 503);
  });

  await t.step("Postgres does not answer in time: nobody waits for it again", async () => {
    const { admission, ask, calls } = open([timedOut, admitted("one")]);
    assertStrictEquals(await assertRejects(ask), timedOut);
    assertEquals((await admission.judge(timedOut, "chat") as ApiError).status, 503);
    assertEquals(calls.length, 1);
    // But who tries the call itself again may.
    assertEquals(await ask(), "one");
    assertEquals(calls[1], first("stop_turn"));
  });

  await t.step("a statement that took too long is counted, since Postgres has worked for it", async () => {
    const cancelled = new DatabaseError("stop_turn", "57014");
    const { admission, ask, calls } = open([cancelled, admitted()]);
    await assertRejects(ask);
    assertStrictEquals(await admission.judge(cancelled, "chat"), cancelled);
    assertEquals(calls, [first("stop_turn"), first("admit_request", {})]);
  });

  await t.step("before what costs money: without the scope → 403", async () => {
    const { admission, calls } = open([admitted()]);
    assertEquals(await statusOf(admission.openDatabase("knowledge:read").admit()), 403);
    await admission.openDatabase("chat").admit();
    assertEquals(calls, [first("admit_request", {})]);
  });

  await t.step("it settles whatever happens", async () => {
    for (const reply of [admitted("one"), null, timedOut]) {
      const { admission, ask } = open([reply]);
      await ask().catch(() => {});
      await admission.settled;
    }
  });
});

Deno.test("an admission, where Upstash counts", async (t) => {
  const spend = () => Promise.resolve(counted);
  const uncounted = admitted("one", { spent: null });
  const asked = first("stop_turn", { scope: "chat", is_counted: false });

  await t.step("the limits are looked up first, and remembered for a minute", async () => {
    let time = 0;
    const now = () => time;
    const seenKeys = createSeenKeys(now);
    const calls = async () => {
      const { ask, calls, admission } = open([time % 60_000 === 0 ? found : uncounted, uncounted], {
        ...{ spend, seenKeys, now },
      });
      assertEquals([await ask(), admission.spent], ["one", counted]);
      return calls;
    };
    assertEquals(await calls(), ["find_api_key", asked]);
    time = 59_999;
    assertEquals(await calls(), [asked]);
    time = 60_000;
    assertEquals(await calls(), ["find_api_key", asked]);
  });

  await t.step("an unknown key → 401, and nothing is counted", async () => {
    let isSpent = false;
    const { ask, calls, invalidKeys } = open([null], {
      spend: () => {
        isSpent = true;
        return Promise.resolve(counted);
      },
    });
    assertEquals(await statusOf(ask()), 401);
    assertEquals([calls, invalidKeys(), isSpent], [["find_api_key"], 1, false]);
  });

  await t.step("a key that was revoked since it was seen → 401", async () => {
    const { ask, calls } = open([found, null], { spend });
    assertEquals(await statusOf(ask()), 401);
    assertEquals(calls, ["find_api_key", asked]);
  });

  await t.step("a refusal of the limiter → 429, nothing is carried out, the refusal is counted", async () => {
    const { ask, calls, background } = open([found], {
      spend: () => Promise.resolve({ ...counted, isAllowed: false }),
    });
    assertEquals(await statusOf(ask()), 429);
    await Promise.all(background);
    assertEquals(calls, ["find_api_key", "count_refusal"]);
  });

  await t.step(
    "a key that was revoked since it was seen → 401 over its limits too, without their headers",
    async () => {
      const seenKeys = createSeenKeys(() => 0);
      const spend = () => Promise.resolve({ ...counted, isAllowed: false });
      assertEquals(await statusOf((open([found], { spend, seenKeys })).ask()), 429);
      const { ask, calls, admission } = open([null], { spend, seenKeys });
      assertEquals(await statusOf(ask()), 401);
      assertEquals([calls, admission.spent], [["find_api_key"], null]);
    },
  );

  await t.step("when the limiter fails, Postgres counts", async () => {
    let spendings = 0;
    const { ask, calls, admission } = open([found, timedOut, admitted("one")], {
      spend: () => {
        spendings++;
        return Promise.reject(new Error("x"));
      },
    });
    await assertRejects(ask);
    assertEquals(await ask(), "one");
    assertEquals(calls, [
      "find_api_key",
      first("stop_turn"),
      first("stop_turn"),
    ]);
    assertEquals([spendings, admission.spent], [1, counted]);
  });
});

Deno.test("createSeenKeys forgets the oldest of too many", () => {
  const seen = createSeenKeys(() => 0);
  const quotas = { perMinute: 1, perHour: 1, perDay: 1 };
  const remembered = { keyId: "k", isOriginAllowed: true, quotas, publishable: null };
  for (let index = 0; index <= 10_000; index++) seen.set(String(index), remembered);
  assertEquals([seen.get("0"), seen.get("1"), seen.get("10000")], [undefined, remembered, remembered]);
});
