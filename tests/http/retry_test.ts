import { assert, assertEquals, assertNotEquals, assertRejects } from "../support/assert.ts";
import { eventually } from "../support/eventually.ts";
import {
  acceptOf,
  ask,
  assertRefused,
  assertReply,
  chat,
  clientOf,
  type Credentials,
  readEvents,
  send,
} from "../support/client.ts";
import { handOver } from "../support/hand_over.ts";
import { addFile } from "../support/knowledge.ts";
import type { Step } from "../support/model_server.ts";
import { createTenant, createUser, issueKey, operator, type Tenant } from "../support/project.ts";
import { type Service, startService } from "../support/service.ts";
import { changeAnswer, fallSilent, storeAnswer, storedAnswer } from "../support/turns.ts";

const quick = { poll: 20, flush: 20 };

const past = "2026-03-01T12:00:00+00:00";
/** A new run of an answer has none of these; the former one gets them back where that run fails. */
const former = { revised_at: past, revision_id: crypto.randomUUID(), stop_requested_at: past };

/** The stored row of an answer, without the time at which its run last showed activity. */
async function stateOf(messageId: string) {
  const { updated_at: _, ...state } = await storedAnswer(messageId);
  return state;
}

/** The messages of a thread as clients see them. */
async function listed(service: Service, tenant: Tenant, threadId: string): Promise<string[]> {
  const { json } = await ask(service, "GET", `/threads/${threadId}/messages`, tenant);
  assertEquals(json.count, json.data.length);
  return json.data.map(({ content }: { content: string }) => content);
}

/** The responses of the sweep's list of those to remove. */
async function removalsOf(ids: string[]): Promise<string[]> {
  const { data } = await operator.rpc("take_indexing_work").throwOnError();
  const { responses } = data as { responses: string[] };
  return responses.filter((id) => ids.includes(id)).toSorted();
}

async function prepare() {
  await using stack = new AsyncDisposableStack();
  const service = stack.use(await startService({ timeouts: quick }));
  // Represents another isolate: the two share only the database.
  const other = stack.use(await startService({ timeouts: quick }));
  const tenant = await createTenant({ requests_per_minute: 10_000 });
  const context = { coachId: tenant.coachId, userId: "u" };
  const asked = () => [service, other].reduce((sum, { model }) => sum + model.requestsOf(tenant.modelName).length, 0);
  const lastRequest = () => service.model.requestsOf(tenant.modelName).at(-1)!.body;
  const script = (steps: Step[], responseId?: string) => service.model.script(tenant.modelName, { steps, responseId });
  const retry = (messageId: string, credentials: Credentials = tenant, at = service, accept?: string) =>
    ask(at, "POST", `/chat/${messageId}/retry`, credentials, undefined, { headers: accept ? { Accept: accept } : {} });
  const openRetry = (messageId: string, at = service) => send(at, "POST", `/chat/${messageId}/retry`, tenant);

  /** Has a turn answered in a thread with one turn before it. */
  async function answered(said = "The old answer", responseId = `resp_${crypto.randomUUID()}`) {
    script([{ text: "Well." }]);
    const { threadId } = await chat(service, tenant, { message: "First", context });
    script([{ text: said }, { end: true, usage: { input_tokens: 5, output_tokens: 2 } }], responseId);
    const { messageId } = await chat(service, tenant, { message: "Second", thread_id: threadId });
    return { threadId, messageId, responseId, before: await stateOf(messageId) };
  }

  /** Starts a retry whose model has said something, and waits. */
  async function running(messageId: string, { said = "", rest = [], at = service, responseId }: {
    said?: string;
    rest?: Step[];
    at?: Service;
    responseId?: string;
  }) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const steps: Step[] = [...said === "" ? [] : [{ text: said }], { waitFor: promise }, ...rest];
    at.model.script(tenant.modelName, { steps, responseId }, { steps: [{ text: "Hello world" }] });
    const requests = () => at.model.requestsOf(tenant.modelName).length;
    const count = requests();
    const reply = openRetry(messageId, at).then(async (response) => ({ response, text: await response.text() }));
    reply.catch(() => {});
    await eventually(() => requests() > count, "the model is asked");
    return { reply, goOn: resolve };
  }

  /** Sends a retry that follows the run of another request, as soon as it does so. */
  async function startFollowing(messageId: string) {
    other.supabase.requests.splice(0);
    const reply = retry(messageId, tenant, other);
    const isFollowing = () => other.supabase.requests.some((path) => path.endsWith("/read_answers"));
    await eventually(isFollowing, "the retry follows");
    return { reply };
  }
  return handOver(stack, {
    service,
    other,
    tenant,
    context,
    asked,
    lastRequest,
    script,
    retry,
    openRetry,
    answered,
    running,
    startFollowing,
  });
}

Deno.test("POST /chat/{messageId}/retry", async (t) => {
  await using prepared = await prepare();
  const { service, other, tenant, context, lastRequest, script, retry, answered, running } = prepared;

  for (const [name, status] of [["complete", 200], ["stopped", 200], ["failed", 502]] as const) {
    await t.step(`a ${name} answer is run again in its place`, async () => {
      const { threadId, messageId, before } = await answered();
      await changeAnswer(messageId, {
        ...former,
        status: name,
        ...status === 502 ? { error: "e", error_code: "answer_failed" } : {},
      });
      script([{ text: "The new " }, { text: "answer" }], "resp_new");
      const reply = await retry(messageId);
      assertReply(reply, 200);
      assertEquals(reply.text, "data: The new \n\ndata: answer\n\n");
      assertEquals([reply.headers.get("X-Thread-Id"), reply.headers.get("X-Message-Id")], [threadId, messageId]);
      const after = await stateOf(messageId);
      assertEquals([after.content, after.status, after.error, after.error_code, after.response_id, after.previous], [
        "The new answer",
        "complete",
        null,
        null,
        "resp_new",
        null,
      ]);
      assertEquals([after.created_at, after.sequence], [before.created_at, before.sequence]);
      assertEquals([after.revised_at, after.revision_id, after.stop_requested_at], [null, null, null]);
      assertNotEquals(after.run_id, before.run_id);
      assertEquals(await listed(service, tenant, threadId), ["First", "Well.", "Second", "The new answer"]);
    });
  }

  await t.step("the model is asked the question with what came before it, not with its old answer", async () => {
    const { messageId } = await answered();
    assertReply(await retry(messageId), 200);
    assertEquals(lastRequest().input, [
      { role: "user", content: "First" },
      { type: "message", role: "assistant", content: "Well." },
      { role: "user", content: "Second" },
    ]);
  });

  await t.step("the mode of the question is told again, and passages are searched anew", async () => {
    script([{ text: "I do not know." }]);
    const { messageId } = await chat(service, tenant, {
      message: "What do engines need?",
      context: { ...context, mode: "exam" },
    });
    await addFile(tenant, "engines.md", "Engines need rest and oil.");
    script([{ text: "Rest and oil [1]." }]);
    const { json } = await retry(messageId, tenant, service, acceptOf.object);
    assertEquals(json.sources.map(({ filename }: { filename: string }) => filename), ["engines.md"]);
    assertEquals(String(lastRequest().instructions).includes('this kind of conversation "exam"'), true);
    assertEquals((await stateOf(messageId)).sources, json.sources);
    await operator.from("knowledge_files").delete().eq("coach_id", tenant.coachId).throwOnError();
  });

  await t.step("in every form of a reply, and with the typed client", async () => {
    const { threadId, messageId } = await answered();
    const object = await retry(messageId, tenant, service, acceptOf.object);
    assertEquals([object.json.thread_id, object.json.message.id], [threadId, messageId]);
    const events = await retry(messageId, tenant, service, acceptOf.events);
    assert(
      events.text.startsWith(`event: meta\nid: 0-${(await stateOf(messageId)).run_id!.slice(0, 8)}\n`),
      events.text,
    );
    script([{ text: "Typed" }]);
    const answer = await clientOf(service, tenant).retryAnswer(messageId);
    assertEquals([(await Array.fromAsync(answer)).join(""), answer.messageId, answer.ending?.status], [
      "Typed",
      messageId,
      "complete",
    ]);
  });

  await t.step("the old text stays until the new run has some", async () => {
    const { threadId, messageId, responseId } = await answered();
    const { reply, goOn } = await running(messageId, { rest: [{ text: "New" }], responseId: "resp_n" });
    const { json } = await ask(other, "GET", `/threads/${threadId}/messages`, tenant);
    assertEquals([json.count, json.data[3].content, json.data[3].response_id], [4, "The old answer", responseId]);
    goOn();
    assertEquals((await reply).text, "data: New\n\n");
    assertEquals((await listed(other, tenant, threadId))[3], "New");
  });

  await t.step("then the new text is listed, also while it is shorter", async () => {
    const { threadId, messageId } = await answered("The old answer, and a long one");
    const { reply, goOn } = await running(messageId, { said: "N", rest: [{ text: "ew" }] });
    await eventually(async () => (await listed(other, tenant, threadId))[3] === "N", "the new text is listed");
    goOn();
    await reply;
    assertEquals((await listed(other, tenant, threadId))[3], "New");
  });
});

Deno.test("POST /chat/{messageId}/retry: runs that fail or are stopped", async (t) => {
  await using prepared = await prepare();
  const { service, other, tenant, script, retry, openRetry, answered, running } = prepared;

  await t.step("a run that fails before its first word leaves everything as it was", async () => {
    const { threadId, messageId } = await answered();
    await changeAnswer(messageId, former);
    const before = await stateOf(messageId);
    script([{ status: 400 }]);
    const reply = await retry(messageId, await issueKey(tenant.accountId));
    assertRefused(reply, "model_unavailable");
    assertEquals([reply.headers.get("X-Thread-Id"), reply.headers.get("X-Message-Id")], [threadId, messageId]);
    assertEquals(await stateOf(messageId), before);
    assertEquals(await listed(service, tenant, threadId), ["First", "Well.", "Second", "The old answer"]);
  });

  await t.step("so does a run that fails half-way, whose response is removed at the backend", async () => {
    const { threadId, messageId, before, responseId } = await answered();
    await removalsOf([]);
    script([{ text: "Half of something much longer than it was" }, { cut: true }], "resp_half");
    const response = await openRetry(messageId);
    assertEquals(response.status, 200);
    await assertRejects(() => response.text());
    assertEquals(await stateOf(messageId), before);
    assertEquals(await listed(service, tenant, threadId), ["First", "Well.", "Second", "The old answer"]);
    assertEquals(await removalsOf(["resp_half", responseId]), ["resp_half"]);
    // It can be tried once more.
    script([{ text: "At last" }], "resp_last");
    assertEquals((await retry(messageId)).text, "data: At last\n\n");
    assertEquals(await removalsOf(["resp_last", responseId]), [responseId]);
  });

  await t.step("stopped before its first word: the old text stays", async () => {
    const { messageId, before } = await answered();
    const { reply } = await running(messageId, {});
    const stopped = await ask(other, "POST", `/chat/${messageId}/stop`, tenant);
    assertReply(stopped, 200);
    assertEquals(stopped.json.message.content, "The old answer");
    assertEquals([(await reply).response.status, (await reply).text], [200, ""]);
    assertEquals(await stateOf(messageId), before);
  });

  await t.step("stopped after that: what the new run has said is the answer", async () => {
    const { messageId } = await answered();
    const { reply } = await running(messageId, { said: "So far" });
    const stopped = await ask(other, "POST", `/chat/${messageId}/stop`, tenant);
    assertEquals(stopped.json.message.content, "So far");
    assertEquals(readEvents((await reply).text), "So far");
    const { content, status, previous } = await stateOf(messageId);
    assertEquals([content, status, previous], ["So far", "stopped", null]);
  });
});

Deno.test("POST /chat/{messageId}/retry: runs beside and after each other", async (t) => {
  await using prepared = await prepare();
  const { service, other, tenant, context, asked, script, retry, answered, running, startFollowing } = prepared;

  await t.step("two retries at once → one run, and both readers get its answer", async () => {
    const { messageId } = await answered();
    for (const at of [service, other]) {
      at.model.script(tenant.modelName, { steps: [{ text: "Only " }, { text: "once" }] });
    }
    const count = asked();
    const { reply, goOn } = await running(messageId, { said: "Only ", rest: [{ text: "once" }] });
    const second = await startFollowing(messageId);
    goOn();
    assertEquals([readEvents((await reply).text), readEvents((await second.reply).text)], ["Only once", "Only once"]);
    assertEquals(asked(), count + 1);
  });

  await t.step("an answer that is written for the first time is followed, not begun again", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    script([{ text: "One " }, { waitFor: promise }, { text: "two" }]);
    const response = await send(service, "POST", "/chat", tenant, { message: "Talk", context });
    const count = asked();
    const second = await startFollowing(response.headers.get("X-Message-Id")!);
    resolve();
    assertEquals(readEvents((await second.reply).text), "One two");
    assertEquals(readEvents(await response.text()), "One two");
    assertEquals(asked(), count);
  });

  await t.step("ids of events of the old run → 409; those of the new run go on", async () => {
    const { messageId } = await answered();
    script([{ text: "The new" }]);
    await retry(messageId);
    const follow = (lastId: string) =>
      ask(service, "GET", `/chat/${messageId}/stream`, tenant, undefined, { headers: { "Last-Event-ID": lastId } });
    assertRefused(await follow("3"), "answer_changed");
    const run = (await stateOf(messageId)).run_id!.slice(0, 8);
    assertEquals((await follow(`4-${run}`)).text, `id: 7-${run}\ndata: new\n\n`);
  });

  await t.step("after a retry that failed, ids of the old run are good again", async () => {
    const { messageId } = await answered();
    script([{ status: 400 }]);
    await retry(messageId);
    const reply = await ask(service, "GET", `/chat/${messageId}/stream?after=4`, tenant);
    assertEquals(reply.text, "id: 14\ndata: old answer\n\n");
  });

  for (const said of ["", "Half of the new"]) {
    await t.step(
      `a run whose process dies ${said ? "half-way" : "before a word"}: the old answer comes back`,
      async () => {
        await using dying = await startService({ timeouts: quick });
        const { threadId, messageId, before } = await answered();
        const { goOn, reply } = await running(messageId, { said, rest: [{ text: "late" }], at: dying });
        if (said) await eventually(async () => (await storedAnswer(messageId)).content === said, "it is stored");
        await fallSilent(dying, messageId);
        assertEquals(await listed(service, tenant, threadId), ["First", "Well.", "Second", "The old answer"]);
        assertEquals(await stateOf(messageId), before);
        // What the process still says, should it live after all, is not accepted.
        dying.supabase.fault = "pass";
        goOn();
        await reply.catch(() => {});
        await dying.turns();
        assertEquals(await stateOf(messageId), before);
      },
    );
  }

  await t.step("a run whose process dies is completed where the backend has kept its response", async () => {
    const { threadId, messageId } = await answered();
    await using dying = await startService({ timeouts: quick });
    const { goOn } = await running(messageId, { said: "All", at: dying, responseId: "resp_kept_retry" });
    await eventually(async () => (await storedAnswer(messageId)).content === "All", "it is stored");
    await fallSilent(dying, messageId);
    service.model.keep("resp_kept_retry", { status: "completed", text: "All of it" });
    assertEquals((await listed(service, tenant, threadId))[3], "All of it");
    const { status, previous } = await stateOf(messageId);
    assertEquals([status, previous], ["complete", null]);
    dying.supabase.fault = "pass";
    goOn();
    await dying.turns();
    assertEquals((await stateOf(messageId)).content, "All of it");
  });

  await t.step("a retry of an abandoned answer runs it again", async () => {
    const { messageId } = await storeAnswer(tenant, { content: "Left", status: "streaming" }, 31);
    script([{ text: "Again" }]);
    assertEquals((await retry(messageId)).text, "data: Again\n\n");
    assertEquals((await stateOf(messageId)).content, "Again");
  });

  await t.step("a thread that is deleted meanwhile takes both runs with it", async () => {
    const { threadId, messageId, responseId } = await answered();
    await removalsOf([]);
    const { reply } = await running(messageId, { said: "New", responseId: "resp_gone" });
    await eventually(async () => (await storedAnswer(messageId)).content === "New", "it is stored");
    await operator.from("threads").delete().eq("id", threadId).throwOnError();
    await assertRejects(() => reply);
    assertEquals(await removalsOf(["resp_gone", responseId]), ["resp_gone", responseId].toSorted());
  });
});

Deno.test("POST /chat/{messageId}/retry: answers that are not run again", async (t) => {
  await using prepared = await prepare();
  const { service, tenant, asked, script, retry, answered } = prepared;

  await t.step("another answer than the last → 409, and nothing changes", async () => {
    const { threadId, messageId, before } = await answered();
    for (const steps of [[{ text: "Third" }], [{ status: 400 }]] as Step[][]) {
      script(steps);
      await ask(service, "POST", "/chat", tenant, { message: "And then?", thread_id: threadId });
      const count = asked();
      assertRefused(await retry(messageId), "not_the_last_answer");
      assertEquals([asked(), await stateOf(messageId)], [count, before]);
    }
  });

  await t.step("a note, and an answer without a question → 409", async () => {
    const coach = await createUser();
    await operator.from("coach_profiles").update({ owner_id: coach.id }).eq("id", tenant.coachId).throwOnError();
    const credentials = { ...tenant, accessToken: coach.accessToken };
    const note = await chat(service, credentials, {
      message: "Engines need rest.",
      context: { coachId: tenant.coachId, mode: "create_knowledge" },
    });
    assertRefused(await retry(note.messageId, credentials), "answer_not_retryable");
    const { threadId, messageId } = await storeAnswer(tenant, { content: "Hello!", status: "complete" });
    await operator.from("messages").delete().eq("thread_id", threadId).eq("role", "user").throwOnError();
    assertRefused(await retry(messageId), "answer_not_retryable");
    await operator.from("knowledge_files").delete().eq("coach_id", tenant.coachId).throwOnError();
  });

  await t.step("an answer that is not the caller's → 404, and it stays", async () => {
    const [alice, bob] = [await createUser(), await createUser()];
    const stranger = await createTenant();
    const { threadId, messageId } = await storeAnswer(tenant, {
      content: "Private",
      status: "complete",
      user_id: alice.id,
    });
    const before = await stateOf(messageId);
    const { json } = await ask(service, "GET", `/threads/${threadId}/messages`, tenant);
    const count = asked();
    for (
      const [id, credentials] of [
        [messageId, stranger],
        [messageId, { apiKey: stranger.apiKey, accessToken: alice.accessToken }],
        [messageId, { ...tenant, accessToken: bob.accessToken }],
        [json.data[0].id, tenant],
        [crypto.randomUUID(), tenant],
        ["7", tenant],
        ["%00", tenant],
      ] as const
    ) {
      assertRefused(await retry(id, credentials), "message_not_found");
    }
    assertEquals([asked(), await stateOf(messageId)], [count, before]);
    script([{ text: "For Alice" }]);
    assertEquals((await retry(messageId, { ...tenant, accessToken: alice.accessToken })).text, "data: For Alice\n\n");
  });

  await t.step("a coach that is paused → 404, and the answer stays", async () => {
    const { messageId, before } = await answered();
    const set = (is_active: boolean) =>
      operator.from("coach_profiles").update({ is_active }).eq("id", tenant.coachId).throwOnError();
    await set(false);
    assertRefused(await retry(messageId), "coach_paused");
    await set(true);
    assertEquals(await stateOf(messageId), before);
  });

  await t.step("an empty object as body is fine", async () => {
    const { messageId } = await answered();
    assertReply(await ask(service, "POST", `/chat/${messageId}/retry`, tenant, {}), 200);
  });
});

Deno.test("usage counts every run, with its tokens", async () => {
  await using service = await startService({ timeouts: quick });
  const tenant = await createTenant();
  const script = (...steps: Step[]) => service.model.script(tenant.modelName, { steps });
  const used = async () => {
    const { data: [total] } = await operator.rpc("read_usage", { account: tenant.accountId, grouped_by: [] })
      .throwOnError();
    return [total?.turns, total?.input_tokens, total?.output_tokens];
  };
  const end = (input_tokens: number, output_tokens: number): Step => ({
    end: true,
    usage: { input_tokens, output_tokens },
  });
  script({ text: "One" }, end(5, 2));
  const { messageId } = await chat(service, tenant, { message: "Hi", context: { coachId: tenant.coachId } });
  assertEquals(await used(), [1, 5, 2]);
  script({ text: "Two" }, end(7, 3));
  await ask(service, "POST", `/chat/${messageId}/retry`, tenant);
  assertEquals(await used(), [2, 12, 5]);
  script({ status: 400 });
  assertReply(await ask(service, "POST", `/chat/${messageId}/retry`, tenant), 502);
  assertEquals(await used(), [3, 12, 5]);
  const { content, input_tokens } = await storedAnswer(messageId);
  assertEquals([content, input_tokens], ["Two", 7]);
});
