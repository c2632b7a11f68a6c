import { failuresOfAnswers } from "../../shared/infra/errors.ts";
import { createParser } from "eventsource-parser";
import { assert, assertEquals, assertRejects } from "../support/assert.ts";
import { handOver } from "../support/hand_over.ts";
import { readUntil } from "../support/read_until.ts";
import { eventually } from "../support/eventually.ts";
import { acceptOf, ask, assertInvalid, assertRefused, assertReply, type Credentials, send } from "../support/client.ts";
import { createTenant, createUser, operator } from "../support/project.ts";
import { type Service, startService } from "../support/service.ts";
import { changeAnswer, startTurn, storeAnswer, storedAnswer } from "../support/turns.ts";

const quick = { poll: 20, flush: 20 };

/** Text and last id of a stream, as a standard parser reads them. */
function readResumed(stream: string): [text: string, id: string | undefined] {
  let [text, lastId] = ["", undefined as string | undefined];
  createParser({ onEvent: ({ data, id }) => [text, lastId] = [text + data, id] }).feed(stream);
  return [text, lastId];
}

/** The text of a stream up to the point where it breaks. */
async function textOf({ body }: Response): Promise<string> {
  let text = "";
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value;
  } catch {
    return text;
  }
  throw new Error(`The stream ended cleanly: ${text}`);
}

async function prepare() {
  await using stack = new AsyncDisposableStack();
  const service = stack.use(await startService({ timeouts: quick }));
  // Represents another isolate: the two share only the database.
  const other = stack.use(await startService({ timeouts: quick }));
  const tenant = await createTenant({ requests_per_minute: 1_000 });
  const headersOf = (lastId?: string, accept = acceptOf.text) => ({
    headers: { Accept: accept, ...(lastId === undefined ? {} : { "Last-Event-ID": lastId }) },
  });
  const open = (at: Service, messageId: string, lastId?: string, credentials: Credentials = tenant, accept?: string) =>
    send(at, "GET", `/chat/${messageId}/stream`, credentials, undefined, headersOf(lastId, accept));
  const resume = (
    at: Service,
    messageId: string,
    lastId?: string,
    credentials: Credentials = tenant,
    accept?: string,
  ) => ask(at, "GET", `/chat/${messageId}/stream`, credentials, undefined, headersOf(lastId, accept));
  return handOver(stack, { service, other, tenant, headersOf, open, resume });
}

Deno.test("GET /chat/{messageId}/stream", async (t) => {
  await using prepared = await prepare();
  const { service, other, tenant, headersOf, open, resume } = prepared;

  await t.step("replays a finished answer; event ids count the characters sent so far", async () => {
    const { threadId, messageId } = await storeAnswer(tenant, { content: "One\ntwo 😀", status: "complete" });
    const reply = await resume(service, messageId);
    assertReply(reply, 200);
    assertEquals(reply.text, "id: 9\ndata: One\ndata: two 😀\n\n");
    assertEquals(reply.headers.get("Content-Type"), "text/event-stream; charset=utf-8");
    assertEquals(reply.headers.get("Cache-Control"), "no-cache, no-transform");
    assertEquals([reply.headers.get("X-Thread-Id"), reply.headers.get("X-Message-Id")], [threadId, messageId]);
  });

  await t.step("continues after Last-Event-ID, at any position", async () => {
    const content = "a😀b\nc";
    const { messageId } = await storeAnswer(tenant, { content, status: "stopped" });
    for (const [at, rest] of ["a😀b\nc", "😀b\nc", "b\nc", "\nc", "c"].entries()) {
      assertEquals(readResumed((await resume(service, messageId, String(at))).text), [rest, "5"]);
    }
  });

  await t.step("continues after the query parameter after, and after Last-Event-ID where both are sent", async () => {
    const { messageId } = await storeAnswer(tenant, { content: "123456789", status: "complete" });
    const read = (query: string, lastId?: string, accept?: string) =>
      ask(service, "GET", `/chat/${messageId}/stream${query}`, tenant, undefined, headersOf(lastId, accept));
    assertEquals(readResumed((await read("?after=4")).text), ["56789", "9"]);
    assertReply(await read("?after=9"), 204);
    // What an EventSource sends that was opened with `after`, when it reconnects.
    assertEquals(readResumed((await read("?after=4", "7")).text), ["89", "9"]);
    assertRefused(await read("?after=4-abcdef01"), "answer_changed");
    assertEquals((await read("?after=4", undefined, acceptOf.object)).json.message.content, "123456789");
    for (const wrong of ["x", "-1", "1.5", "1-abc", ""]) {
      assertInvalid(await read(`?after=${wrong}`), "after must be the id of an event of this stream");
    }
  });

  await t.step("nothing left to send → 204, so that the reader does not reconnect", async () => {
    for (const status of ["complete", "stopped"]) {
      const { messageId } = await storeAnswer(tenant, { content: "All", status });
      for (const lastId of ["3", "100"]) assertReply(await resume(service, messageId, lastId), 204);
      assertReply(await resume(service, messageId, "2"), 200);
    }
    const { threadId, messageId } = await storeAnswer(tenant, { content: "", status: "stopped" });
    const reply = await resume(service, messageId);
    assertReply(reply, 204);
    assertEquals([reply.headers.get("X-Thread-Id"), reply.headers.get("X-Message-Id")], [threadId, messageId]);
  });

  for (const [name, at] of [["the isolate that streams", service], ["another isolate", other]] as const) {
    await t.step(`at ${name}, follows a running answer to its end`, async () => {
      const turn = await startTurn(service, tenant, { said: ["One ", "😀 "], rest: [{ text: "three\n😀" }] });
      const response = await open(at, turn.messageId);
      assertEquals(response.status, 200);
      const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
      let stream = await readUntil(reader, "id: 6\n");
      assertEquals(readResumed(stream), ["One 😀 ", "6"]);
      turn.goOn();
      for (let part = await reader.read(); !part.done; part = await reader.read()) stream += part.value;
      assertEquals(readResumed(stream), ["One 😀 three\n😀", "13"]);
      assertEquals((await storedAnswer(turn.messageId)).status, "complete");
    });
  }

  await t.step("a reader who already has more than is stored gets no text twice", async () => {
    const turn = await startTurn(service, tenant, { said: ["12345"], rest: [{ text: "6789" }] });
    const resumed = resume(other, turn.messageId, "7");
    turn.goOn();
    assertEquals(readResumed((await resumed).text), ["89", "9"]);
  });

  await t.step("while the model is silent, comments keep the stream open", async () => {
    await using quiet = await startService({ timeouts: { ...quick, quiet: 50 } });
    const { messageId } = await storeAnswer(tenant, { content: "", status: "streaming" });
    const response = await open(quiet, messageId);
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    assertEquals((await reader.read()).value, ": ping\n\n");
    await changeAnswer(messageId, { content: "Said", status: "complete" });
    let rest = "";
    for (let part = await reader.read(); !part.done; part = await reader.read()) rest += part.value;
    assertEquals(rest.replaceAll(": ping\n\n", ""), "id: 4\ndata: Said\n\n");
  });
});

Deno.test("GET /chat/{messageId}/stream: answers that fail or are abandoned", async (t) => {
  await using prepared = await prepare();
  const { service, other, tenant, open, resume } = prepared;

  await t.step("a failed answer → its stored text, then a visibly broken stream", async () => {
    const { messageId } = await storeAnswer(tenant, { content: "Half", status: "failed" });
    const response = await open(service, messageId);
    assertEquals(response.status, 200);
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    assertEquals((await reader.read()).value, "id: 4\ndata: Half\n\n");
    await assertRejects(() => reader.read());
  });

  await t.step("a failed answer with no text left to send → 502", async () => {
    const wordless = await storeAnswer(tenant, { content: "", status: "failed" });
    assertRefused(await resume(service, wordless.messageId), "answer_failed");
    const half = await storeAnswer(tenant, { content: "Half", status: "failed" });
    const reply = await resume(service, half.messageId, "4");
    assertRefused(reply, "answer_failed");
    assertEquals(reply.headers.get("X-Thread-Id"), half.threadId);
  });

  await t.step("an answer that fails while it is followed → a visibly broken stream", async () => {
    const turn = await startTurn(service, tenant, { said: ["Half"], rest: [{ cut: true }] });
    const response = await open(other, turn.messageId);
    turn.goOn();
    await assertRejects(() => response.text());
    await assertRejects(() => turn.reply);
  });

  await t.step("followers get the same error as the client that asked first", async () => {
    for (const error of failuresOfAnswers()) {
      const { messageId } = await storeAnswer(tenant, { content: "", status: "streaming" });
      const reply = resume(service, messageId);
      await changeAnswer(messageId, { status: "failed", error_code: error.code });
      assertReply(await reply, error.status, error.toJSON());
    }
  });

  await t.step("a thread deleted while its answer is followed → a visibly broken stream", async () => {
    const { threadId, messageId } = await storeAnswer(tenant, { content: "Half", status: "streaming" });
    const response = await open(service, messageId);
    assertEquals(response.status, 200);
    await operator.from("threads").delete().eq("id", threadId).throwOnError();
    await assertRejects(() => response.text());
  });

  await t.step("an abandoned answer comes from the backend when the backend still has it", async () => {
    service.model.keep("resp_kept", { status: "completed", text: "All of it" });
    const kept = { content: "All", status: "streaming", response_id: "resp_kept" };
    const { messageId } = await storeAnswer(tenant, kept, 31);
    assertEquals(readResumed((await resume(service, messageId, "2")).text), ["l of it", "9"]);
    assertEquals((await storedAnswer(messageId)).status, "complete");
  });

  await t.step("an abandoned answer that the backend no longer has is marked as failed", async () => {
    const { messageId } = await storeAnswer(tenant, { content: "Half", status: "streaming" }, 31);
    const response = await open(service, messageId);
    await assertRejects(() => response.text());
    const { status, content } = await storedAnswer(messageId);
    assertEquals([status, content], ["failed", "Half"]);
    const lines = (await service.logs()).filter(({ event, message_id }) =>
      event === "answer_lost" && message_id === messageId
    );
    assertEquals(lines.map(({ level, request_id }) => [level, typeof request_id]), [["warn", "string"]]);
  });

  await t.step("a run that dies while its answer is followed does not keep the readers waiting", async () => {
    const { messageId } = await storeAnswer(tenant, { content: "Half", status: "streaming" }, 29);
    const response = await open(service, messageId);
    assertEquals(response.status, 200);
    await changeAnswer(messageId, { updated_at: new Date(0).toISOString() });
    await assertRejects(() => response.text());
    assertEquals((await storedAnswer(messageId)).status, "failed");
  });

  await t.step("an answer run again while it is followed → a visibly broken stream, never a mixture", async () => {
    const { messageId } = await storeAnswer(tenant, { content: "First run.", status: "streaming" });
    const response = await open(service, messageId);
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    assertEquals((await reader.read()).value, "id: 10\ndata: First run.\n\n");
    await changeAnswer(messageId, {
      run_id: crypto.randomUUID(),
      content: "The second run says more.",
      status: "complete",
    });
    await assertRejects(() => reader.read());
  });
});

Deno.test("GET /chat/{messageId}/stream: other runs, other forms, other callers", async (t) => {
  await using prepared = await prepare();
  const { service, tenant, open, resume } = prepared;

  await t.step("Last-Event-ID of an earlier run → 409, never a mixture", async () => {
    const key = { "Idempotency-Key": crypto.randomUUID() };
    const first = await startTurn(service, tenant, { said: ["First run."], rest: [{ cut: true }], headers: key });
    first.goOn();
    await assertRejects(() => first.reply);
    const [, firstId] = readResumed(await textOf(await open(service, first.messageId)));
    assertEquals(firstId, "10");
    const second = await startTurn(service, tenant, {
      said: ["The second "],
      rest: [{ text: "says more." }],
      headers: key,
    });
    second.goOn();
    await second.reply;
    assertRefused(await resume(service, first.messageId, firstId), "answer_changed");
    const [text, id] = readResumed((await resume(service, first.messageId)).text);
    assertEquals(text, "The second says more.");
    assert(/^21-[0-9a-f]{8}$/.test(id!), id);
    assertReply(await resume(service, first.messageId, id), 204);
    const middle = id!.replace("21", "11");
    assertEquals(readResumed((await resume(service, first.messageId, middle)).text), ["says more.", id]);
  });

  for (const accept of [acceptOf.text, acceptOf.events]) {
    await t.step(`when a reader of ${accept} leaves, the database is no longer polled for it`, async () => {
      const leaving = await startTurn(service, tenant, { said: ["Said"] });
      await using watched = await startService({ timeouts: quick });
      const response = await open(watched, leaving.messageId, undefined, tenant, accept);
      const reader = response.body!.getReader();
      await reader.read();
      await reader.cancel();
      // The answer continues; this settles only when no reader follows it any more.
      assertEquals((await watched.keptAlive()).count, 1);
      await watched.turns();
      assertEquals((await storedAnswer(leaving.messageId)).status, "streaming");
      leaving.goOn();
      assertEquals(await leaving.reply, "data: Said\n\n");
    });
  }

  await t.step("an invalid Last-Event-ID → 400", async () => {
    const { messageId } = await storeAnswer(tenant, { content: "All", status: "complete" });
    for (const lastId of ["x", "-1", "1.5", "1e3", "99999999999", "1-", "1-abc", "1-ABCDEF01", "1-abcdef012"]) {
      for (const accept of Object.values(acceptOf)) {
        const reply = await resume(service, messageId, lastId, tenant, accept);
        assertInvalid(reply, "Last-Event-ID must be the id of an event of this stream");
      }
    }
  });

  await t.step("an answer that is not the caller's → 404", async () => {
    const [alice, bob] = [await createUser(), await createUser()];
    const stranger = await createTenant();
    const secret = { content: "Private", status: "complete", user_id: alice.id };
    const { threadId, messageId } = await storeAnswer(tenant, secret);
    const { json } = await ask(service, "GET", `/threads/${threadId}/messages`, tenant);
    for (
      const [id, credentials] of [
        [messageId, stranger],
        [messageId, { apiKey: stranger.apiKey, accessToken: alice.accessToken }],
        [messageId, { ...tenant, accessToken: bob.accessToken }],
        [json.data[0].id, tenant],
        [crypto.randomUUID(), tenant],
        ["7", tenant],
      ] as const
    ) {
      assertRefused(await resume(service, id, undefined, credentials), "message_not_found");
    }
    const reply = await resume(service, messageId, undefined, { ...tenant, accessToken: alice.accessToken });
    assertEquals(readResumed(reply.text)[0], "Private");
  });

  await t.step("as one object, sent when the answer has ended: all of it, whatever the reader had", async () => {
    const { threadId, messageId } = await storeAnswer(tenant, { content: "One ", status: "streaming" });
    await using watched = await startService({ timeouts: quick });
    const replies = [undefined, "4", "7"].map((lastId) => resume(watched, messageId, lastId, tenant, acceptOf.object));
    const polls = () => watched.supabase.requests.filter((path) => path.endsWith("/read_answers")).length;
    await eventually(() => polls() >= 5, "the answer is read again");
    await changeAnswer(messageId, { content: "One two", status: "complete", response_id: "resp_o" });
    for (
      const reply of [...await Promise.all(replies), await resume(watched, messageId, "7", tenant, acceptOf.object)]
    ) {
      assertReply(reply, 200);
      const { thread_id, message, sources } = reply.json;
      assertEquals([thread_id, message.content, message.response_id, sources], [threadId, "One two", "resp_o", []]);
    }
  });

  await t.step("all readers of a process share one poll of the database", async () => {
    const turns = [
      await startTurn(service, tenant, { said: ["Said"] }),
      await startTurn(service, tenant, { said: ["Other"] }),
    ];
    const readers = 20;
    await using watched = await startService({ timeouts: { ...quick, poll: 300 } });
    const replies = Array.from({ length: readers }, (_, place) => resume(watched, turns[place % 2]!.messageId));
    const polls = () => watched.supabase.requests.filter((path) => path.endsWith("/read_answers")).length;
    await eventually(() => polls() >= 2, "the answers are read again");
    for (const turn of turns) turn.goOn();
    for (const [place, reply] of (await Promise.all(replies)).entries()) {
      assertEquals(readResumed(reply.text), place % 2 === 0 ? ["Said", "4"] : ["Other", "5"]);
    }
    assert(polls() < readers, `${polls()} calls`);
  });
});
