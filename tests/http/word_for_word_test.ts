import { assertEquals, assertMatch } from "../support/assert.ts";
import { ask, chat, type Credentials, send } from "../support/client.ts";
import { bodiesOf } from "../support/model_requests.ts";
import { createTenant, createUser, operator, type Tenant } from "../support/project.ts";
import { type Service, startService } from "../support/service.ts";
import { storedAnswer } from "../support/turns.ts";
import { pinAnswer } from "../support/questions.ts";

const question = "When should I fast?";
const answer = "From eight in the evening,\nuntil noon.";

/** Pins an answer, as an operator does by hand. */
const pin = (tenant: Tenant, fields: { question?: string; variants?: string[]; answer?: string } = {}) =>
  pinAnswer(tenant, { question, answer, ...fields });

/** The request to the model in a turn: everything before the message. */
function quotedIn(service: Service, { modelName }: Tenant): string {
  return JSON.stringify(bodiesOf(service, modelName).at(-1)?.input);
}

Deno.test("a message that asks what the expert has pinned", async (t) => {
  await using service = await startService();
  const tenant = await createTenant();
  const { coachId } = tenant;
  const pinned = await pin(tenant);
  const context = { coachId, userId: "u" };
  const source = {
    kind: "pinned_answer",
    pinnedAnswerId: pinned.id,
    version: 1,
    question,
    quote: answer,
    isWordForWord: true,
  };

  let threadId = "";
  await t.step("is answered word for word in all forms, as the expert's own, and the model is not asked", async () => {
    const first = await chat(service, tenant, { message: "when SHOULD I fast", context });
    assertEquals(first.answer, answer);
    threadId = first.threadId;
    const json = await ask(service, "POST", "/chat", tenant, { message: question, context }, {
      headers: { Accept: "application/json" },
    });
    const { message, ...rest } = json.json;
    assertEquals([message.content, message.response_id], [answer, null]);
    assertEquals(rest, { thread_id: message.thread_id, sources: [source], status: "complete", author: "expert" });
    assertEquals(service.model.requestsOf(tenant.modelName), []);
  });

  await t.step("is kept in the thread like any other turn, and counted", async () => {
    const { status, is_by_expert, model, sources, coach_version } = await storedAnswer(
      (await ask(service, "GET", `/threads/${threadId}/messages`, tenant)).json.data[1].id,
    );
    assertEquals([status, is_by_expert, model, coach_version], ["complete", true, null, 1]);
    assertEquals(sources, [source] as unknown);
    const list = await ask(service, "GET", `/threads/${threadId}/messages?include=author,sources,status`, tenant);
    const authors = list.json.data.map(({ author, status }: Record<string, string>) => [author, status]);
    assertEquals(authors, [["user", "complete"], ["expert", "complete"]]);
    assertEquals(list.json.count, 2);
    const { data } = await operator.rpc("read_usage", { grouped_by: ["coach"] }).eq("coach_id", coachId).throwOnError();
    assertEquals(data.map(({ turns }: { turns: number }) => turns), [2]);
  });

  await t.step("and the model sees the turn the next time", async () => {
    service.model.script(tenant.modelName, { steps: [{ text: "Because." }] });
    await chat(service, tenant, { message: "And why so long, of all things in the world?", thread_id: threadId });
    const [said] = bodiesOf(service, tenant.modelName).slice(-1);
    const input = said?.input as { role: string; content: string }[];
    assertEquals(input.slice(0, 2).map(({ role, content }) => [role, content]), [
      ["user", "when SHOULD I fast"],
      ["assistant", answer],
    ]);
  });

  await t.step("where it is only near, the model gets the expert's answer", async () => {
    const asked = service.model.requestsOf(tenant.modelName).length;
    await chat(service, tenant, { message: "Why should I fast?", context });
    assertEquals(service.model.requestsOf(tenant.modelName).length, asked + 1);
    assertMatch(quotedIn(service, tenant), /until noon/);
    await chat(service, tenant, { message: "Tell me about lighthouses.", context });
    assertEquals(/until noon/.test(quotedIn(service, tenant)), false);
  });

  await t.step("not where it shares nothing but a short word that many questions have", async () => {
    const variants = ["How much is the first session?"];
    await pin(tenant, { question: "What does a first appointment cost?", variants, answer: "90 €." });
    for (
      const [message, isQuoted] of [
        ["How much protein should I eat in the morning?", false],
        ["How much is a session in the morning?", true],
        ["May I bring my dog to an appointment in winter?", true],
      ] as const
    ) {
      await chat(service, tenant, { message, context });
      assertEquals([message, /90 €/.test(quotedIn(service, tenant))], [message, isQuoted]);
    }
  });

  await t.step("a repeated request gets the same answer, also of a pinned answer that has changed", async () => {
    const body = { message: question, context, idempotency_key: "pinned-once" };
    const first = await chat(service, tenant, body);
    await operator.from("pinned_answers").update({ answer: "Never." }).eq("id", pinned.id).throwOnError();
    const again = await chat(service, tenant, body);
    assertEquals([again.messageId, again.answer], [first.messageId, answer]);
    const fresh = await chat(service, tenant, { message: question, context });
    assertEquals(fresh.answer, "Never.");
    const { sources } = await storedAnswer(fresh.messageId);
    assertEquals((sources as { version: number }[]).map(({ version }) => version), [2]);
  });

  await t.step("run again, it gets what is pinned now; without it, the model answers", async () => {
    const first = await chat(service, tenant, { message: question, context });
    await operator.from("pinned_answers").update({ answer }).eq("id", pinned.id).throwOnError();
    const retried = await send(service, "POST", `/chat/${first.messageId}/retry`, tenant, undefined, {
      headers: { Accept: "application/json" },
    });
    const { message, author } = await retried.json();
    assertEquals([message.id, message.content, author], [first.messageId, answer, "expert"]);
    await operator.from("pinned_answers").update({ is_active: false }).eq("id", pinned.id).throwOnError();
    service.model.script(tenant.modelName, { steps: [{ text: "Ask a doctor." }] });
    const other = await send(service, "POST", `/chat/${first.messageId}/retry`, tenant, undefined, {
      headers: { Accept: "application/json" },
    });
    const reply = await other.json();
    assertEquals([reply.message.content, reply.author], ["Ask a doctor.", "ai"]);
    const { is_by_expert, sources, model } = await storedAnswer(first.messageId);
    assertEquals([is_by_expert, sources, model], [false, null, tenant.modelName]);
    await operator.from("pinned_answers").update({ is_active: true }).eq("id", pinned.id).throwOnError();
  });

  await t.step("a retry that fails leaves the expert's words, as the expert's", async () => {
    const first = await chat(service, tenant, { message: question, context });
    await operator.from("pinned_answers").update({ is_active: false }).eq("id", pinned.id).throwOnError();
    service.model.script(tenant.modelName, { steps: [{ status: 400 }] });
    await (await send(service, "POST", `/chat/${first.messageId}/retry`, tenant)).body?.cancel();
    const { content, is_by_expert, status } = await storedAnswer(first.messageId);
    assertEquals([content, is_by_expert, status], [answer, true, "complete"]);
    await operator.from("pinned_answers").update({ is_active: true }).eq("id", pinned.id).throwOnError();
  });

  await t.step("typed events name the author", async () => {
    const { text } = await ask(service, "POST", "/chat", tenant, { message: question, context }, {
      headers: { Accept: "text/event-stream; profile=events" },
    });
    assertMatch(text, /event: done\nid: \d+\ndata: \{"status":"complete","author":"expert"/);
  });

  await t.step("of another coach, or of another account, changes nothing", async () => {
    const other = await createTenant();
    service.model.script(other.modelName, { steps: [{ text: "By the model." }] });
    const reply = await chat(service, other, { message: question, context: { coachId: other.coachId } });
    assertEquals(reply.answer, "By the model.");
    assertEquals(/until noon/.test(quotedIn(service, other)), false);
  });

  await t.step("a note of the coach is stored as a note", async () => {
    const owner = await createUser();
    const owned = await createTenant({}, { owner_id: owner.id });
    await pin(owned);
    const credentials: Credentials = { apiKey: owned.apiKey, accessToken: owner.accessToken };
    const reply = await chat(service, credentials, {
      message: question,
      context: { coachId: owned.coachId, mode: "create_knowledge" },
    });
    assertMatch(reply.answer, /^Noted/);
    const asked = await chat(service, owned, { message: question, context: { coachId: owned.coachId } });
    assertEquals(asked.answer, answer);
  });
});
