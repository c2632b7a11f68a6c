import { assertEquals, assertNotEquals, assertRejects } from "../support/assert.ts";
import {
  ask,
  assertInvalid,
  assertRefused,
  assertReply,
  chat,
  type Credentials,
  readEvents,
} from "../support/client.ts";
import { handOver } from "../support/hand_over.ts";
import type { Step } from "../support/model_server.ts";
import { createTenant, createUser, operator } from "../support/project.ts";
import { startService } from "../support/service.ts";
import { startTurn, storedAnswer } from "../support/turns.ts";

async function prepare() {
  await using stack = new AsyncDisposableStack();
  const service = stack.use(await startService({ timeouts: { poll: 20, flush: 20 } }));
  // Represents another isolate: the two share only the database.
  const other = stack.use(await startService({ timeouts: { poll: 20, flush: 20 } }));
  const tenant = await createTenant({ requests_per_minute: 10_000 });
  const stranger = await createTenant();
  const context = { coachId: tenant.coachId, userId: "u" };
  const script = (steps: Step[], responseId?: string) => service.model.script(tenant.modelName, { steps, responseId });
  const say = (body: Record<string, unknown>, by: Credentials = tenant, at = service) =>
    ask(at, "POST", "/chat", by, { message: "Instead", ...body });
  const rowsOf = async (threadId: string) =>
    (await operator.from("messages").select("id, role, content").eq("thread_id", threadId).order("created_at")
      .throwOnError()).data;
  const contentsOf = async (threadId: string) => (await rowsOf(threadId)).map(({ content }) => content);
  const titleOf = async (threadId: string) =>
    (await operator.from("threads").select("title").eq("id", threadId).single().throwOnError()).data.title;

  /** A thread of three turns, and the ids of its questions. */
  async function talked(by: Credentials = tenant, said: Record<string, unknown> = { context }) {
    script([{ text: "A1" }], `resp_${crypto.randomUUID()}`);
    const first = await ask(service, "POST", "/chat", by, { message: "Q1", ...said });
    const threadId = first.headers.get("X-Thread-Id")!;
    for (const number of [2, 3]) {
      script([{ text: `A${number}` }], `resp_${crypto.randomUUID()}`);
      await ask(service, "POST", "/chat", by, { message: `Q${number}`, thread_id: threadId });
    }
    const rows = await rowsOf(threadId);
    assertEquals(rows.map(({ content }) => content), ["Q1", "A1", "Q2", "A2", "Q3", "A3"]);
    script([{ text: "Anew" }]);
    return { threadId, questions: rows.filter(({ role }) => role === "user").map(({ id }) => id), rows };
  }
  return handOver(stack, {
    service,
    other,
    tenant,
    stranger,
    context,
    script,
    say,
    rowsOf,
    contentsOf,
    titleOf,
    talked,
  });
}

Deno.test("POST /chat with replaces", async (t) => {
  await using prepared = await prepare();
  const { service, other, tenant, context, say, rowsOf, contentsOf, titleOf, talked } = prepared;

  await t.step("drops the question and all after it, and asks the new one", async () => {
    for (const isNamed of [false, true]) {
      const { threadId, questions } = await talked();
      const reply = await say({ replaces: questions[1], ...isNamed ? { thread_id: threadId } : {} });
      assertReply(reply, 200);
      assertEquals([reply.text, reply.headers.get("X-Thread-Id")], ["data: Anew\n\n", threadId]);
      assertEquals(await contentsOf(threadId), ["Q1", "A1", "Instead", "Anew"]);
      const { json } = await ask(service, "GET", `/threads/${threadId}/messages`, tenant);
      assertEquals([json.count, json.data.length], [4, 4]);
      assertEquals(service.model.requestsOf(tenant.modelName).at(-1)!.body.input, [
        { role: "user", content: "Q1" },
        { type: "message", role: "assistant", content: "A1" },
        { role: "user", content: "Instead" },
      ]);
      assertEquals(await titleOf(threadId), "Q1");
    }
  });

  await t.step("the first question: the title that was made from it is made anew, another stays", async () => {
    const { threadId, questions } = await talked();
    assertReply(await say({ replaces: questions[0] }), 200);
    assertEquals([await contentsOf(threadId), await titleOf(threadId)], [["Instead", "Anew"], "Instead"]);
    await operator.from("threads").update({ title: "Mine" }).eq("id", threadId).throwOnError();
    const [question] = await rowsOf(threadId);
    assertReply(await say({ message: "Once more", replaces: question!.id }), 200);
    assertEquals([await contentsOf(threadId), await titleOf(threadId)], [["Once more", "Anew"], "Mine"]);
  });

  await t.step("an answer stands for its question, whose id a page may not know", async () => {
    const { threadId } = await talked();
    const answers = (await rowsOf(threadId)).filter(({ role }) => role === "assistant");
    assertReply(await say({ replaces: answers[1]!.id }), 200);
    assertEquals((await contentsOf(threadId)).slice(2), ["Instead", "Anew"]);
  });

  await t.step("a title that was shortened is known again", async () => {
    const message = `A long   first question\n${"with many words ".repeat(10)}`;
    const { threadId } = await chat(service, tenant, { message, context });
    const [question] = await rowsOf(threadId);
    assertReply(await say({ replaces: question!.id }), 200);
    assertEquals(await titleOf(threadId), "Instead");
  });

  await t.step("the responses of what was dropped are removed at the backend", async () => {
    const { threadId, questions } = await talked();
    const { data } = await operator.from("messages").select("response_id").eq("thread_id", threadId)
      .order("created_at").throwOnError();
    const ids = data.flatMap(({ response_id }) => response_id ?? []);
    assertEquals(ids.length, 3);
    await say({ replaces: questions[1] });
    const { data: work } = await operator.rpc("take_indexing_work").throwOnError();
    const { responses } = work as { responses: string[] };
    assertEquals(ids.map((id) => responses.includes(id)), [false, true, true]);
  });

  await t.step("while the dropped answer is written: its run ends, and its reader sees that", async () => {
    const turn = await startTurn(service, tenant, {
      said: ["Half"],
      rest: [{ text: " late" }],
      responseId: "resp_run",
    });
    const [question] = await rowsOf(turn.threadId);
    other.model.script(tenant.modelName, { steps: [{ text: "Anew" }] });
    const reply = await say({ replaces: question!.id }, tenant, other);
    assertReply(reply, 200);
    await assertRejects(() => turn.reply);
    turn.goOn();
    await service.turns();
    assertEquals(await contentsOf(turn.threadId), ["Instead", "Anew"]);
    const { data: work } = await operator.rpc("take_indexing_work").throwOnError();
    assertEquals((work as { responses: string[] }).responses.includes("resp_run"), true);
  });
});

Deno.test("POST /chat with replaces: repeated, at once, and refused", async (t) => {
  await using prepared = await prepare();
  const { service, other, tenant, stranger, context, script, say, rowsOf, contentsOf, talked } = prepared;

  await t.step("with an idempotency key, sent again → the first result, and nothing is dropped again", async () => {
    const { threadId, questions } = await talked();
    const body = { replaces: questions[1], idempotency_key: crypto.randomUUID() };
    const first = await say(body);
    script([{ text: "On" }]);
    await ask(service, "POST", "/chat", tenant, { message: "Q4", thread_id: threadId });
    const again = await say(body, tenant, other);
    assertReply(again, 200);
    assertEquals(again.headers.get("X-Message-Id"), first.headers.get("X-Message-Id"));
    assertEquals(await contentsOf(threadId), ["Q1", "A1", "Instead", "Anew", "Q4", "On"]);
  });

  await t.step("after a failure the same key runs the new turn again", async () => {
    const { threadId, questions } = await talked();
    const body = { replaces: questions[2], idempotency_key: crypto.randomUUID() };
    script([{ status: 400 }]);
    assertReply(await say(body), 502);
    script([{ text: "At last" }]);
    assertEquals((await say(body)).text, "data: At last\n\n");
    assertEquals(await contentsOf(threadId), ["Q1", "A1", "Q2", "A2", "Instead", "At last"]);
  });

  await t.step("two at once → one replaces the question, and the other finds it gone", async () => {
    const { threadId, questions } = await talked();
    other.model.script(tenant.modelName, { steps: [{ text: "Anew" }] });
    const replies = await Promise.all([service, other].map((at) => say({ replaces: questions[1] }, tenant, at)));
    assertEquals(replies.map(({ status }) => status).toSorted(), [200, 404]);
    assertEquals(await contentsOf(threadId), ["Q1", "A1", "Instead", "Anew"]);
  });

  await t.step("an answer that was dropped cannot be followed, stopped or run again", async () => {
    const { threadId, questions, rows } = await talked();
    await say({ replaces: questions[2] });
    const { id } = rows.at(-1)!;
    for (const [method, path] of [["GET", "stream"], ["POST", "stop"], ["POST", "retry"]] as const) {
      assertRefused(await ask(service, method, `/chat/${id}/${path}`, tenant), "message_not_found");
    }
    const answer = (await rowsOf(threadId)).at(-1)!;
    assertNotEquals(answer.id, id);
    script([{ text: "Retried" }]);
    assertEquals(readEvents((await ask(service, "POST", `/chat/${answer.id}/retry`, tenant)).text), "Retried");
    assertEquals((await storedAnswer(answer.id)).content, "Retried");
  });

  await t.step("what is not a turn of the caller's → 404, and nothing is dropped", async () => {
    const [alice, bob] = [await createUser(), await createUser()];
    const asAlice = { ...tenant, accessToken: alice.accessToken };
    const { threadId, questions, rows } = await talked(asAlice, { context: { coachId: tenant.coachId } });
    const mine = await talked();
    const cases: [Credentials, Record<string, unknown>][] = [
      [{ ...tenant, accessToken: bob.accessToken }, { replaces: questions[0] }],
      [tenant, { replaces: questions[0], context }],
      [stranger, { replaces: questions[0] }],
      [{ ...stranger, accessToken: alice.accessToken }, { replaces: questions[0] }],
      [{ ...tenant, accessToken: bob.accessToken }, { replaces: rows[1]!.id }],
      [asAlice, { replaces: crypto.randomUUID() }],
      [tenant, { replaces: questions[0], thread_id: mine.threadId }],
      [asAlice, { replaces: questions[0], thread_id: mine.threadId }],
    ];
    for (const [credentials, body] of cases) {
      assertRefused(await say(body, credentials), "message_not_found");
    }
    assertEquals([await rowsOf(threadId), await rowsOf(mine.threadId)], [rows, mine.rows]);
    assertReply(await say({ replaces: questions[0] }, asAlice), 200);
  });

  await t.step("a refused message drops nothing", async () => {
    const { threadId, questions, rows } = await talked();
    const replaces = questions[0];
    assertInvalid(await say({ replaces: "7" }), "replaces must be a UUID");
    assertInvalid(
      await say({ replaces, new_thread_id: crypto.randomUUID() }),
      "replaces and new_thread_id cannot be sent together",
    );
    assertReply(await say({ replaces, message: " " }), 400);
    assertRefused(await say({ replaces, context: { coachId: "nobody" } }), "coach_mismatch");
    const note = { replaces, context: { mode: "create_knowledge" } };
    const someone = await createUser();
    const own = await talked({ ...tenant, accessToken: someone.accessToken }, { context: { coachId: tenant.coachId } });
    const refused = await say({ ...note, replaces: own.questions[0] }, { ...tenant, accessToken: someone.accessToken });
    assertRefused(refused, "not_the_coach");
    await operator.from("coach_profiles").update({ is_active: false }).eq("id", tenant.coachId).throwOnError();
    assertRefused(await say({ replaces }), "coach_paused");
    await operator.from("coach_profiles").update({ is_active: true }).eq("id", tenant.coachId).throwOnError();
    assertEquals([await rowsOf(threadId), await rowsOf(own.threadId)], [rows, own.rows]);
  });
});
