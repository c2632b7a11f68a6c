import type { PGlite } from "@electric-sql/pglite";
import { type Database, parseReply } from "../../shared/infra/db/database.ts";
import { timeouts } from "../../shared/infra/timeouts.ts";
import { deliverWebhooks } from "../../shared/features/webhooks/deliver_webhooks.ts";
import { EventKind } from "../../shared/features/events/fields.ts";
import { createPostMessage } from "../../shared/features/webhooks/post_message.ts";
import { assert, assertEquals, assertMatch, assertNotEquals } from "../support/assert.ts";
import { handOver } from "../support/hand_over.ts";
import { askForValue, createMigratedPostgres, insertCoach } from "../support/migrated_postgres.ts";
import { startWebhookReceiver } from "../support/webhook_receiver.ts";

/** The functions of a Postgres in this process, as REST offers them. */
function databaseOf(postgres: PGlite): Database {
  const call = async (name: string, args: object) => {
    const all = Object.entries(args);
    const named = all.map(([key], index) => `${key} => $${index + 1}`).join(", ");
    const values = all.map(([, value]) => typeof value === "object" ? JSON.stringify(value) : value);
    return await askForValue(postgres)(`select ${name}(${named})`, values);
  };
  return {
    call: async (name, args, schema) => parseReply(name, schema, await call(name, args)),
    callForBytes: async (name, args) => new TextEncoder().encode(JSON.stringify(await call(name, args))),
  };
}

async function prepare() {
  await using stack = new AsyncDisposableStack();
  const postgres = stack.use(await createMigratedPostgres());
  const receiver = stack.use(startWebhookReceiver());
  const value = askForValue(postgres);
  const database = databaseOf(postgres);
  const lines: [event: string, fields: unknown][] = [];
  const deliver = (webhookTimeout = timeouts.webhook) =>
    deliverWebhooks({
      database,
      postMessage: createPostMessage({ allowsPrivate: true }),
      timeouts: { webhook: webhookTimeout },
    }, {
      mayGoOn: () => true,
      signal: new AbortController().signal,
      log: (_level, event, fields) => void lines.push([event, fields]),
    });
  const setWebhook = async (accountId: string, path: string, isRotated = false) => {
    const webhook = await value("select set_webhook($1, $2, $3)", [accountId, receiver.url + path, isRotated]);
    if (webhook.secret !== undefined) receiver.secrets[path] = webhook.secret;
    return webhook;
  };
  const record = ({ accountId, coachId }: { accountId: string; coachId: string }, kind = "takeover.expired") =>
    postgres.query("select private.record_event($1, $2, $3, $4)", [kind, accountId, coachId, crypto.randomUUID()]);
  const waiting = async () =>
    (await postgres.query<{ id: string; attempts: number; seconds: number; last_error: string | null }>(
      `select id, attempts, round(extract(epoch from due_at - now()))::int as seconds, last_error
       from private.webhook_messages order by created_at`,
    )).rows;
  const makeDue = () => postgres.exec("update private.webhook_messages set due_at = now() - interval '1 second'");
  const read = async (accountId: string) => await value("select read_webhook($1)", [accountId]);
  const reset = async () => {
    await postgres.exec("delete from private.webhook_messages; update private.webhooks set failing_since = null");
    receiver.received.length = 0;
    receiver.answer = () => new Response(null, { status: 204 });
    lines.length = 0;
  };

  const one = await insertCoach(postgres);
  const two = await insertCoach(postgres);
  const none = await insertCoach(postgres);
  const first = await setWebhook(one.accountId, "/one");
  await setWebhook(two.accountId, "/two");
  return handOver(stack, {
    postgres,
    receiver,
    value,
    database,
    lines,
    deliver,
    setWebhook,
    record,
    waiting,
    makeDue,
    read,
    reset,
    one,
    two,
    none,
    first,
  });
}

Deno.test("messages of webhooks are delivered, and tried again for a day", async (t) => {
  await using prepared = await prepare();
  const {
    postgres,
    receiver,
    lines,
    deliver,
    setWebhook,
    record,
    waiting,
    makeDue,
    read,
    reset,
    one,
    none,
    first,
  } = prepared;

  await t.step("the secret is shown once, stays when the address changes, and is made anew when asked to", async () => {
    assertMatch(first.secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    assertEquals("secret" in await setWebhook(one.accountId, "/one"), false);
    assertEquals("secret" in await read(one.accountId), false);
    assertNotEquals((await setWebhook(one.accountId, "/one", true)).secret, first.secret);
  });

  await t.step("only what an expert should hear of is sent, and only where there is a webhook", async () => {
    const page = await Deno.readTextFile(new URL("../../supabase/docs/webhooks.md", import.meta.url));
    // The first two say that a stream begins.
    const kinds = EventKind.options.slice(2);
    const sent = [
      "feedback.down",
      "question.opened",
      "request.opened",
      "request.withdrawn",
      "takeover.expired",
      "thread.needs_expert",
    ];
    assertEquals(kinds.filter((kind) => page.includes(`| \`${kind}\` `)).toSorted(), sent);
    for (const kind of kinds) for (const account of [one, none]) await record(account, kind);
    await deliver();
    assertEquals(
      receiver.received.map(({ type, path }) => [type, path]).toSorted(),
      sent.map((kind) => [kind, "/one"]),
    );
    assertEquals([receiver.forged, await waiting()], [0, []]);
    const { id, timestamp, data } = receiver.received[0]!;
    assertMatch(id, /^[0-9a-f-]{36}$/);
    assertMatch(timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assertEquals(Object.keys(data).toSorted(), ["coach_id", "thread_id"]);
    const { last_delivered_at, failing_since, last_error } = await read(one.accountId);
    assertEquals([last_delivered_at !== null, failing_since, last_error], [true, null, null]);
  });

  await t.step("pauses grow until a day is over; then it is given up, and the error stays to be seen", async () => {
    await reset();
    receiver.answer = () => new Response("Do not read this", { status: 500 });
    await record(one);
    const pauses = [10, 60, 300, 900, 3_600, 10_800, 21_600, 43_200, 43_200];
    for (const [index, pause] of pauses.entries()) {
      await deliver();
      const [message] = await waiting();
      assertEquals([message!.attempts, message!.seconds, message!.last_error], [index + 1, pause, "It answered 500"]);
      // Nothing is sent before its time.
      await deliver();
      assertEquals(receiver.received.length, index + 1);
      await makeDue();
    }
    // It is failing since the first of them.
    await postgres.exec("update private.webhooks set failing_since = failing_since - interval '1 hour'");
    const { failing_since: since } = await read(one.accountId);
    // Each try tells when it has happened.
    assertEquals(new Set(receiver.received.map(({ timestamp }) => timestamp)).size, 1);
    // The last try is when the day is over.
    await postgres.exec("update private.webhook_messages set created_at = now() - interval '23 hours'");
    await deliver();
    assertEquals((await waiting())[0]!.seconds, 3_600);
    await makeDue();
    await postgres.exec("update private.webhook_messages set created_at = now() - interval '24 hours'");
    await deliver();
    assertEquals(await waiting(), []);
    assertEquals(new Set(receiver.received.map(({ id }) => id)).size, 1);
    const { failing_since, last_error } = await read(one.accountId);
    assertEquals([failing_since, last_error], [since, "It answered 500"]);
    const [[event, fields] = []] = lines.filter(([event]) => event === "webhook_given_up");
    assertEquals([event, (fields as { account_id: string }).account_id], ["webhook_given_up", one.accountId]);
  });

  await t.step("a receiver that recovers is no longer failing", async () => {
    receiver.answer = () => new Response("Thanks");
    await record(one);
    await deliver();
    const { failing_since, last_error } = await read(one.accountId);
    assertEquals([failing_since, last_error], [null, null]);
  });

  await t.step("redirects are not followed, and who does not answer in time is tried again", async () => {
    await reset();
    receiver.answer = () => Response.redirect(`${receiver.url}/two`, 307);
    await record(one);
    await deliver();
    assertEquals([receiver.received.length, (await waiting())[0]!.last_error], [1, "It answered 307"]);
    receiver.answer = () => new Promise(() => {});
    await makeDue();
    await deliver(50);
    assertEquals((await waiting())[0]!.last_error, "It did not answer in time");
    await postgres.query("update private.webhooks set url = 'http://127.0.0.1:2/' where account_id = $1", [
      one.accountId,
    ]);
    await makeDue();
    await deliver();
    assertEquals((await waiting())[0]!.last_error, "It cannot be reached");
    await setWebhook(one.accountId, "/one");
  });
});

Deno.test("webhooks that are dead, switched off or removed", async (t) => {
  await using prepared = await prepare();
  const { postgres, receiver, value, database, deliver, setWebhook, record, waiting, makeDue, read, reset, one, two } =
    prepared;

  await t.step("a dead receiver keeps no other account waiting, and is asked one message at a time", async () => {
    await reset();
    receiver.answer = ({ path }) => path === "/one" ? new Response(null, { status: 404 }) : new Response(null);
    for (let index = 0; index < 30; index++) await record(one);
    for (let index = 0; index < 8; index++) await record(two);
    await postgres.query("update private.webhooks set failing_since = now() where account_id = $1", [one.accountId]);
    await value("select count(*) from json_array_elements(take_webhook_messages())");
    // One of the failing account and five of the other are claimed, and no more until they have ended.
    const claimed = async () =>
      (await postgres.query<{ account_id: string; count: number }>(
        "select account_id, count(*)::int from private.webhook_messages where claim is not null group by account_id",
      )).rows.toSorted((a, b) => a.count - b.count);
    const expected = [{ account_id: one.accountId, count: 1 }, { account_id: two.accountId, count: 5 }];
    assertEquals(await claimed(), expected);
    await value("select take_webhook_messages()");
    assertEquals(await claimed(), expected);
    await postgres.exec("update private.webhook_messages set claim = null, due_at = now() where claim is not null");
    // Sweeps may only do one batch each.
    for (let sweep = 0; sweep < 2; sweep++) {
      await deliverWebhooks({ database, postMessage: createPostMessage({ allowsPrivate: true }), timeouts }, {
        mayGoOn: () => false,
        signal: new AbortController().signal,
        log: () => {},
      });
    }
    assertEquals(receiver.received.filter(({ path }) => path === "/two").length, 8);
    assertEquals(receiver.received.filter(({ path }) => path === "/one").length, 2);
  });

  await t.step("the claim of a worker that was killed runs out; what it stores later changes nothing", async () => {
    await reset();
    await record(one);
    const [taken] = await value("select take_webhook_messages()");
    assertEquals(await value("select take_webhook_messages()"), []);
    assert((await waiting())[0]!.seconds <= 60);
    await makeDue();
    const [again] = await value("select take_webhook_messages()");
    assertEquals([again.id, again.claim === taken.claim], [taken.id, false]);
    const finish = (claim: string) =>
      value("select finish_webhook_messages($1)", [
        JSON.stringify([{ id: taken.id, claim, error: null, is_gone: false }]),
      ]);
    await finish(taken.claim);
    assertEquals((await waiting()).length, 1);
    await finish(again.claim);
    assertEquals(await waiting(), []);
  });

  await t.step("410 switches the webhook off, until it is set again", async () => {
    await reset();
    receiver.answer = () => new Response(null, { status: 410 });
    await record(two);
    await record(one);
    await postgres.exec("update private.webhook_messages set due_at = now() + interval '1 minute'");
    await record(one);
    await deliver();
    await record(one);
    const left = await waiting();
    assertEquals([left.length, left[0]?.attempts, (await read(one.accountId)).is_active], [1, 0, false]);
    assertEquals((await read(two.accountId)).is_active, true);
    await postgres.exec("delete from private.webhook_messages");
    assertEquals((await setWebhook(one.accountId, "/one")).is_active, true);
    await record(one);
    assertEquals((await waiting()).length, 1);
  });

  await t.step("what waits goes with the webhook, and the webhook with its account", async () => {
    await value("select remove_webhook($1)", [one.accountId]);
    assertEquals(await waiting(), []);
    await record(one);
    assertEquals(await waiting(), []);
    await record(two);
    await postgres.query("delete from coach_profiles where account_id = $1", [two.accountId]);
    await postgres.query("delete from accounts where id = $1", [two.accountId]);
    assertEquals(await value("select count(*)::int from private.webhooks"), 0);
  });
});
