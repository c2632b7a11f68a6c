import { EventSourceParserStream } from "eventsource-parser/stream";
import { ServiceError } from "../../shared/clients/client/service_error.ts";
import { assert, assertEquals, assertMatch, assertRejects } from "../support/assert.ts";
import {
  ask,
  assertRefused,
  assertReply,
  chat,
  clientOf,
  type Credentials,
  readTypedEvents,
  receive,
  send,
} from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { handOver } from "../support/hand_over.ts";
import { pageOrigin } from "../support/page_origin.ts";
import { createTenant, createUser, issueKey, issuePublishableKey, operator } from "../support/project.ts";
import { sentenceOf } from "../support/refusals.ts";
import { type Service, startService } from "../support/service.ts";
import { startTurn, storeAnswer } from "../support/turns.ts";

/** An open stream of events, read one by one. */
type OpenStream = AsyncDisposable & {
  headers: Headers;
  /** The id and the data of the event that it began with. */
  position?: string;
  state?: Record<string, string>;
  next(): Promise<{ event?: string; id?: string; data: Record<string, string> } | null>;
};

/** Opens a stream and checks that it begins with `begins`. */
async function open(
  service: Pick<Service, "url">,
  path: string,
  credentials: Credentials,
  { begins = "watching", headers = {} }: { begins?: string; headers?: Record<string, string> } = {},
): Promise<OpenStream> {
  const response = await send(service, "GET", path, credentials, undefined, { headers });
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())
    .getReader();
  const stream: OpenStream = {
    headers: response.headers,
    async next() {
      const { value, done } = await reader.read();
      return done ? null : { ...value, data: JSON.parse(value.data) };
    },
    [Symbol.asyncDispose]: () => reader.cancel(),
  };
  const first = await stream.next();
  assertEquals(first?.event, begins);
  return { ...stream, position: first?.id, state: first?.data };
}

const quick = { watch: 50 };

async function prepare() {
  await using stack = new AsyncDisposableStack();
  const service = stack.use(await startService({ timeouts: quick }));
  const expert = await createUser();
  const tenant = await createTenant({ requests_per_minute: 1_000 }, { owner_id: expert.id });
  const user = await createUser();
  const stranger = await createUser();
  const foreign = await createTenant();
  const signedIn = { ...tenant, accessToken: user.accessToken };
  const begin = () => storeAnswer(tenant, { content: "Said", status: "complete", user_id: user.id });
  const { threadId } = await begin();
  const path = `/threads/${threadId}/events`;
  const say = (message: string) => chat(service, signedIn, { message, thread_id: threadId });
  return handOver(stack, { service, expert, tenant, user, stranger, foreign, signedIn, begin, threadId, path, say });
}

Deno.test("GET /threads/{threadId}/events", async (t) => {
  await using prepared = await prepare();
  const { service, expert, tenant, user, stranger, foreign, signedIn, begin, threadId, path, say } = prepared;

  await t.step("it begins with what the thread is at that moment, as reading it says", async () => {
    await using stream = await open(service, path, signedIn);
    const { updated_at, handled_by } = (await ask(service, "GET", `/threads/${threadId}`, signedIn)).json;
    assertEquals(stream.state, { updated_at, handled_by });
    const turn = await startTurn(service, signedIn, { said: ["So far"], body: { thread_id: threadId, context: {} } });
    await using later = await open(service, path, signedIn);
    assertEquals(later.state?.active_message_id, turn.messageId);
    turn.goOn();
    await turn.reply;
  });

  await t.step("what happens arrives as it happens: ids, never contents, and nothing of other threads", async () => {
    await using stream = await open(service, path, signedIn);
    assertMatch(stream.headers.get("Content-Type")!, /^text\/event-stream/);
    await chat(service, signedIn, { message: "Elsewhere", thread_id: (await begin()).threadId });
    const turn = await startTurn(service, signedIn, {
      said: ["Hidden words"],
      body: { thread_id: threadId, context: {} },
    });
    const begun = (await stream.next())!;
    assertEquals(begun, {
      event: "message.begun",
      id: begun.id,
      data: { thread_id: threadId, message_id: turn.messageId, at: begun.data.at! },
    });
    turn.goOn();
    const completed = (await stream.next())!;
    assertEquals([completed.event, completed.data.message_id], ["message.completed", turn.messageId]);
    await turn.reply;
  });

  await t.step("its user, the coach's expert and a key alone see them; a page with its own key too", async () => {
    const page = await issuePublishableKey(tenant.accountId);
    const readers = [signedIn, { ...tenant, accessToken: expert.accessToken }, tenant, {
      ...page,
      accessToken: user.accessToken,
    }];
    const streams = await Promise.all(readers.map((credentials) => open(service, path, credentials)));
    await say("To all");
    for (const stream of streams) {
      assertEquals([(await stream.next())?.event, (await stream.next())?.event], [
        "message.begun",
        "message.completed",
      ]);
      await stream[Symbol.asyncDispose]();
    }
  });

  await t.step("to others the thread does not exist; without the scope nobody gets in", async () => {
    const strangers = [{ ...tenant, accessToken: stranger.accessToken }, foreign, {
      ...foreign,
      accessToken: user.accessToken,
    }];
    for (const credentials of strangers) {
      assertRefused(await ask(service, "GET", path, credentials), "thread_not_found");
    }
    assertRefused(await ask(service, "GET", "/threads/x/events", tenant), "thread_not_found");
    const { apiKey } = await issueKey(tenant.accountId, { scopes: ["chat", "expert"] });
    assertEquals((await ask(service, "GET", path, { apiKey })).status, 403);
  });

  await t.step("who comes back gets what was missed, by header or in the query, from any worker", async () => {
    const first = await open(service, path, signedIn);
    await say("One");
    const seen = (await first.next())!;
    await first[Symbol.asyncDispose]();
    await say("Two");
    for (const way of [{ headers: { "Last-Event-ID": seen.id! } }, { query: `?after=${seen.id}` }]) {
      await using second = await open(service, path + (way.query ?? ""), signedIn, { headers: way.headers });
      const kinds: unknown[] = [];
      let last: Awaited<ReturnType<OpenStream["next"]>>;
      do {
        last = (await second.next())!;
        kinds.push(last.event);
      } while (kinds.filter((kind) => kind === "message.completed").length < 2 || last.data.at! <= seen.data.at!);
      assert(kinds.includes("message.begun"));
    }
  });

  await t.step("who loses the connection before what was missed has come, comes back for it", async () => {
    const timeOf = (id?: string) => id?.split("_")[0];
    const first = await open(service, path, signedIn);
    await say("One more");
    const seen = (await first.next())!;
    await first[Symbol.asyncDispose]();
    await using second = await open(service, `${path}?after=${seen.id}`, signedIn);
    assertEquals(timeOf(second.position), timeOf(seen.id));
  });
});

Deno.test("POST /threads/{threadId}/typing", async (t) => {
  await using prepared = await prepare();
  const { service, expert, tenant, stranger, foreign, signedIn, begin, threadId, path } = prepared;
  const expertIn = { ...tenant, accessToken: expert.accessToken };
  const tell = (caller: Credentials, id = threadId) => ask(service, "POST", `/threads/${id}/typing`, caller);
  await clientOf(service, expertIn).saveExpertFace(tenant.coachId, { name: "Anna Berg" });

  await t.step("each side is told of the other, with the name that people see of the expert, no more", async () => {
    await using stream = await open(service, path, signedIn);
    await using desk = await open(service, `/coaches/${tenant.coachId}/events`, expertIn);
    assertReply(await tell(expertIn), 200, { thread_id: threadId });
    assertReply(await tell(signedIn), 200, { thread_id: threadId });
    for (const reader of [stream, desk]) {
      const [first, second] = [(await reader.next())!, (await reader.next())!];
      assertEquals([first.event, first.data], ["typing.expert", {
        thread_id: threadId,
        name: "Anna Berg",
        at: first.data.at!,
      }]);
      assertEquals([second.event, second.data], ["typing.user", { thread_id: threadId, at: second.data.at! }]);
    }
  });
  await t.step("nobody else tells or is told", async () => {
    const strangerIn = { ...tenant, accessToken: stranger.accessToken };
    assertRefused(await tell(strangerIn), "thread_not_found");
    assertRefused(await tell(foreign), "thread_not_found");
    const other = await storeAnswer(tenant, { content: "Said", status: "complete", user_id: stranger.id });
    await using stream = await open(service, `/threads/${other.threadId}/events`, strangerIn);
    assertReply(await tell(signedIn, (await begin()).threadId), 200);
    await chat(service, strangerIn, { message: "Hi", thread_id: other.threadId });
    assertEquals((await stream.next())!.event, "message.begun");
  });
});

Deno.test("GET /threads/{threadId}/events: what was missed, and the end", async (t) => {
  await using prepared = await prepare();
  const { service, tenant, expert, signedIn, begin, threadId, path, say } = prepared;

  await t.step("an id that is too old or none is answered with missed, and then with what happens", async () => {
    for (const after of ["1000000_1", "garbage", "99999999999999999999_1"]) {
      await using stream = await open(service, `${path}?after=${after}`, signedIn, { begins: "missed" });
      await say("Anew");
      assertEquals((await stream.next())?.event, "message.begun");
    }
  });

  await t.step("no event comes twice over one connection", async () => {
    await using stream = await open(service, path, signedIn);
    await say("Once");
    await say("Again");
    const ids = [];
    for (let count = 0; count < 4; count++) ids.push((await stream.next())!.id);
    assertEquals(new Set(ids).size, 4);
    await say("The end");
    const next = (await stream.next())!;
    assertEquals([next.event, ids.includes(next.id)], ["message.begun", false]);
  });

  await t.step("the stream ends cleanly when the thread is deleted", async () => {
    const { threadId } = await begin();
    await using stream = await open(service, `/threads/${threadId}/events`, signedIn);
    await ask(service, "DELETE", `/threads/${threadId}`, signedIn);
    assertEquals(await stream.next(), null);
  });

  await t.step("all streams of a process are read for in one call, and none once they are left", async () => {
    const others = await Promise.all([begin(), begin(), begin()]);
    const before = service.supabase.requests.length;
    const streams = await Promise.all(
      others.map(({ threadId }) => open(service, `/threads/${threadId}/events`, signedIn)),
    );
    await chat(service, signedIn, { message: "Hi", thread_id: others[2]!.threadId });
    assertEquals((await streams[2]!.next())?.event, "message.begun");
    const calls = service.supabase.requests.slice(before).filter((request) => request.endsWith("watch_thread"));
    assertEquals(calls.length, 3);
    for (const stream of streams) await stream[Symbol.asyncDispose]();
    const countReads = () => service.supabase.requests.filter((request) => request.endsWith("read_events")).length;
    // A read that was under way when the last reader left may still be counted; then there are none.
    await say("Nobody watches");
    const left = countReads();
    for (let turn = 0; turn < 3; turn++) await say("Still nobody");
    assertEquals(countReads(), left);
  });

  await t.step("a user has 20 streams at most; a key alone, and other users, have their own", async () => {
    const streams = await Promise.all(Array.from({ length: 20 }, () => open(service, path, signedIn)));
    const refused = await ask(service, "GET", path, signedIn);
    assertRefused(refused, "rate_limit_exceeded", undefined, { retryAfter: 60 });
    await using _alone = await open(service, path, tenant);
    await using _expert = await open(service, path, { ...tenant, accessToken: expert.accessToken });
    await streams[0]![Symbol.asyncDispose]();
    await eventually(async () => {
      await using again = await open(service, path, signedIn);
      return again.position !== undefined;
    }, "one that was left makes room");
    for (const stream of streams.slice(1)) await stream[Symbol.asyncDispose]();
  });

  await t.step("the streams of a key end when it is revoked", async () => {
    const key = await issueKey(tenant.accountId);
    await using stream = await open(service, path, key);
    await using other = await open(service, path, tenant);
    await operator.rpc("revoke_api_key", { id: key.keyId }).throwOnError();
    assertEquals(await stream.next(), null);
    await say("For the others");
    assertEquals((await other.next())?.event, "message.begun");
  });

  await t.step("the typed client mends a connection that breaks", async () => {
    const leave = new AbortController();
    const client = clientOf(service, signedIn, { backOff: { sleep: () => Promise.resolve() } });
    const seen: string[] = [];
    for await (const { kind, thread_id } of client.watchThread(threadId, { signal: leave.signal })) {
      seen.push(kind);
      if (kind === "watching") say("To the client");
      if (kind === "message.completed") {
        assertEquals(thread_id, threadId);
        break;
      }
    }
    assertEquals(seen, ["watching", "message.begun", "message.completed"]);
    await assertRejects(
      async () => {
        for await (const _ of client.watchThread(crypto.randomUUID())) { /* none */ }
      },
      ServiceError,
      sentenceOf("thread_not_found"),
    );
    await service.turns();
  });
});

Deno.test("a stream of events ends cleanly after the time of a turn, and breaks off where Postgres fails", async (t) => {
  await using service = await startService({ timeouts: { ...quick, turn: 200, quiet: 60, save: 100 } });
  const tenant = await createTenant();
  const { threadId } = await storeAnswer(tenant, { content: "Said", status: "complete" });
  const path = `/threads/${threadId}/events`;

  await t.step("its end is a clean one, after comments that keep it open", async () => {
    const { text, isBroken, status } = await receive(service, "GET", path, tenant);
    assertEquals([status, isBroken], [200, false]);
    assert(text.startsWith("retry: 1000\nevent: watching\nid: "), text);
    assertMatch(text, /: ping\n\n/);
    assertEquals(readTypedEvents(text).length, 1);
  });

  await t.step("it breaks off", async () => {
    service.supabase.fault = (path) => path.endsWith("/read_events") ? "refuse" : "pass";
    assertEquals((await receive(service, "GET", path, tenant)).isBroken, true);
  });
});

Deno.test("GET /coaches/{coachId}/events", async (t) => {
  await using service = await startService({ timeouts: quick });
  const expert = await createUser();
  const tenant = await createTenant({ requests_per_minute: 1_000 }, { owner_id: expert.id });
  const path = `/coaches/${tenant.coachId}/events`;
  const { apiKey } = await issueKey(tenant.accountId, { scopes: ["expert"] });
  const say = (userId: string) =>
    chat(service, tenant, { message: "Hi", context: { coachId: tenant.coachId, userId } });

  await t.step("the expert sees what happens in all threads, and so does a server with the scope", async () => {
    const page = await issuePublishableKey(tenant.accountId);
    const readers = [{ ...tenant, accessToken: expert.accessToken }, { apiKey }, {
      ...page,
      accessToken: expert.accessToken,
    }];
    const streams = await Promise.all(readers.map((credentials) => open(service, path, credentials)));
    const threads = [(await say("ada")).threadId, (await say("bob")).threadId];
    for (const stream of streams) {
      const seen = new Set<string | undefined>();
      for (let count = 0; count < 4; count++) seen.add((await stream.next())?.data.thread_id);
      assertEquals([...seen].toSorted(), threads.toSorted());
      await stream[Symbol.asyncDispose]();
    }
  });

  await t.step("other users are refused, and to other accounts the coach does not exist", async () => {
    const other = await createUser();
    const foreign = await createTenant({}, { owner_id: other.id });
    const refused = [
      [{ ...tenant, accessToken: other.accessToken }, 403],
      [tenant, 403],
      [{ ...foreign, accessToken: expert.accessToken }, 404],
      [{ ...(await issueKey(foreign.accountId, { scopes: ["expert"] })) }, 404],
      [{ ...foreign, accessToken: other.accessToken }, 404],
    ] as const;
    for (const [credentials, status] of refused) {
      const reply = await ask(service, "GET", path, credentials);
      assertEquals(reply.status, status, reply.text);
    }
  });

  await t.step("an id that Postgres cannot hold is that of no coach", async () => {
    assertRefused(await ask(service, "GET", "/coaches/%00/events", { apiKey }), "coach_not_found");
  });

  await t.step("a coach that gets another expert is watched by the former one no longer", async () => {
    await using stream = await open(service, path, { ...tenant, accessToken: expert.accessToken });
    await operator.from("coach_profiles").update({ owner_id: null }).eq("id", tenant.coachId).throwOnError();
    assertEquals(await stream.next(), null);
  });

  await t.step("a page of another origin cannot use its key here", async () => {
    const page = await issuePublishableKey(tenant.accountId);
    const reply = await ask(service, "GET", path, { ...page, accessToken: expert.accessToken }, undefined, {
      headers: { Origin: pageOrigin.replace("app", "evil") },
    });
    assertEquals(reply.status, 403);
  });
});
