import { assertEquals } from "../support/assert.ts";
import { eventually } from "../support/eventually.ts";
import { ask, assertRefused, assertReply, chat, readEvents, send } from "../support/client.ts";
import { handOver } from "../support/hand_over.ts";
import { createTenant, createUser, operator } from "../support/project.ts";
import { type Service, startService } from "../support/service.ts";
import { startTurn, storeAnswer, storedAnswer } from "../support/turns.ts";

async function prepare() {
  await using stack = new AsyncDisposableStack();
  const service = stack.use(await startService({ timeouts: { poll: 20, flush: 20 } }));
  // Represents another isolate: the two share only the database.
  const other = stack.use(await startService({ timeouts: { poll: 20 } }));
  const hasty = stack.use(await startService({ timeouts: { poll: 20, stop: 100 } }));
  const tenant = await createTenant({ requests_per_minute: 1_000 });
  const stop = (at: Service, messageId: string, credentials: Parameters<typeof send>[3] = tenant) =>
    ask(at, "POST", `/chat/${messageId}/stop`, credentials);

  async function latestAnswer(threadId: string): Promise<string> {
    const { data } = await operator.from("messages").select("id").eq("thread_id", threadId).eq("role", "assistant")
      .order("sequence", { ascending: false }).limit(1).single().throwOnError();
    return data.id;
  }
  return handOver(stack, { service, other, hasty, tenant, stop, latestAnswer });
}

Deno.test("POST /chat/{messageId}/stop", async (t) => {
  await using prepared = await prepare();
  const { service, other, tenant, stop, latestAnswer } = prepared;

  for (const [name, at] of [["the isolate that streams", service], ["another isolate", other]] as const) {
    await t.step(`at ${name}, ends the model call; the text so far stays as the message`, async () => {
      const turn = await startTurn(service, tenant, { said: ["Said ", "so far"], responseId: "resp_stopped" });
      const reply = await stop(at, turn.messageId);
      assertReply(reply, 200, {
        thread_id: turn.threadId,
        message: {
          id: turn.messageId,
          thread_id: turn.threadId,
          content: "Said so far",
          role: "assistant",
          response_id: "resp_stopped",
          created_at: reply.json.message.created_at,
        },
        sources: [],
        status: "stopped",
        author: "ai",
      });
      const { status, error } = await storedAnswer(turn.messageId);
      assertEquals([status, error], ["stopped", null]);
      const { json } = await ask(service, "GET", `/threads/${turn.threadId}/messages`, tenant);
      assertEquals(json.data[1], reply.json.message);
      // The stream ends cleanly, since the caller wanted no more text.
      assertEquals(readEvents(await turn.reply), "Said so far");
      const exchange = service.model.requestsOf(tenant.modelName).at(-1)!;
      await exchange.over;
      assertEquals(exchange.aborted, true);
    });
  }

  await t.step("before the first text → an empty message that is not listed, and a reply without text", async () => {
    service.model.script(tenant.modelName, { steps: [{ hang: true }] });
    const asked = service.model.requestsOf(tenant.modelName).length;
    const reply = ask(service, "POST", "/chat", tenant, {
      message: "Think",
      context: { coachId: tenant.coachId, userId: "thinker" },
    });
    await eventually(() => service.model.requestsOf(tenant.modelName).length > asked, "the model is asked");
    const { json: { data: [thread] } } = await ask(service, "GET", "/users/thinker/threads", tenant);
    const messageId = await latestAnswer(thread.id);
    const stopped = await stop(other, messageId);
    assertReply(stopped, 200);
    assertEquals(stopped.json.message.content, "");
    assertReply(await reply, 200);
    assertEquals((await reply).text, "");
    assertEquals((await ask(service, "GET", `/threads/${thread.id}/messages`, tenant)).json.count, 1);
  });

  await t.step("waits for text that was sent but not yet stored", async () => {
    await using unhurried = await startService({ timeouts: { flush: 500 } });
    const turn = await startTurn(unhurried, tenant, { said: ["Said ", "so far"] });
    assertEquals((await storedAnswer(turn.messageId)).content, "");
    assertEquals((await stop(service, turn.messageId)).json.message.content, "Said so far");
  });

  await t.step("the thread can be continued, with the stopped text in its history", async () => {
    const turn = await startTurn(service, tenant, { said: ["Half a"] });
    assertReply(await stop(service, turn.messageId), 200);
    service.model.script(tenant.modelName, { steps: [{ text: "Well?" }] });
    assertEquals((await chat(service, tenant, { message: "Go on", thread_id: turn.threadId })).answer, "Well?");
    assertEquals(service.model.requestsOf(tenant.modelName).at(-1)?.body.input, [
      { role: "user", content: "Talk" },
      { type: "message", role: "assistant", content: "Half a" },
      { role: "user", content: "Go on" },
    ]);
  });

  await t.step("two stops at the same time get the same message", async () => {
    const turn = await startTurn(service, tenant, { said: ["Said"] });
    const [one, two] = await Promise.all([stop(service, turn.messageId), stop(other, turn.messageId)]);
    assertReply(one, 200);
    assertEquals(one.json, two.json);
  });

  for (const status of ["complete", "failed", "stopped"]) {
    await t.step(`an answer that is already ${status} → 200 with the message, and nothing changes`, async () => {
      const { messageId } = await storeAnswer(tenant, { content: "Over", status });
      const before = await storedAnswer(messageId);
      const reply = await stop(service, messageId);
      assertReply(reply, 200);
      assertEquals(reply.json.message.content, "Over");
      assertEquals(await storedAnswer(messageId), before);
    });
  }
});

Deno.test("POST /chat/{messageId}/stop: runs that are gone, late or not the caller's", async (t) => {
  await using prepared = await prepare();
  const { service, hasty, tenant, stop } = prepared;

  await t.step("an abandoned answer is stopped with its stored text", async () => {
    for (const [at, silence] of [[service, 31], [hasty, 0]] as const) {
      const { messageId } = await storeAnswer(tenant, { content: "Left", status: "streaming" }, silence);
      assertEquals((await stop(at, messageId)).json.message.content, "Left");
      assertEquals((await storedAnswer(messageId)).status, "stopped");
    }
  });

  await t.step("a run that learns late of the stop also ends, and stores its missing text", async () => {
    await using slow = await startService();
    slow.supabase.fault = (path) => path.endsWith("/save_turns") ? "refuse" : "pass";
    const turn = await startTurn(slow, tenant, { said: ["Said ", "so far"] });
    assertEquals((await stop(hasty, turn.messageId)).json.message.content, "");
    slow.supabase.fault = "pass";
    assertEquals(readEvents(await turn.reply), "Said so far");
    const { status, content } = await storedAnswer(turn.messageId);
    assertEquals([status, content], ["stopped", "Said so far"]);
  });

  await t.step("a run that never learns of the stop stores its whole text, and the answer stays stopped", async () => {
    await using slow = await startService();
    slow.supabase.fault = (path) => path.endsWith("/save_turns") ? "refuse" : "pass";
    const turn = await startTurn(slow, tenant, { said: ["Said "], rest: [{ text: "to the end" }] });
    assertReply(await stop(hasty, turn.messageId), 200);
    turn.goOn();
    slow.supabase.fault = "pass";
    assertEquals(readEvents(await turn.reply), "Said to the end");
    const { status, content } = await storedAnswer(turn.messageId);
    assertEquals([status, content], ["stopped", "Said to the end"]);
  });

  await t.step("an answer that is not the caller's → 404, and it continues", async () => {
    const [alice, bob] = [await createUser(), await createUser()];
    const stranger = await createTenant();
    const turn = await startTurn(service, tenant, {
      said: ["Private"],
      body: { context: { coachId: tenant.coachId, userId: alice.id } },
    });
    const { json } = await ask(service, "GET", `/threads/${turn.threadId}/messages`, tenant);
    const questionId = json.data[0].id;
    for (
      const [messageId, credentials] of [
        [turn.messageId, stranger],
        [turn.messageId, { apiKey: stranger.apiKey, accessToken: alice.accessToken }],
        [turn.messageId, { ...tenant, accessToken: bob.accessToken }],
        [questionId, tenant],
        [crypto.randomUUID(), tenant],
        ["7", tenant],
        ["%00", tenant],
      ] as const
    ) {
      assertRefused(await stop(service, messageId, credentials), "message_not_found");
    }
    assertEquals((await storedAnswer(turn.messageId)).stop_requested_at, null);
    turn.goOn();
    assertEquals(readEvents(await turn.reply), "Private");
    assertEquals((await storedAnswer(turn.messageId)).status, "complete");
    assertReply(await stop(service, turn.messageId, { ...tenant, accessToken: alice.accessToken }), 200);
  });
});
