import { assert, assertEquals } from "../support/assert.ts";
import { setBudget, stateOf } from "../support/budgets.ts";
import { acceptOf, ask, assertReply } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { finishIndexing, rowsOf, statesAndReasons, sweep, uploadAndIndex } from "../support/knowledge.ts";
import { callTool, connect } from "../support/mcp.ts";
import { complete } from "../support/openai_clients.ts";
import { allScopes, createTenant, createUser, operator, type Tenant } from "../support/project.ts";
import { sentenceOf } from "../support/refusals.ts";
import { sampleFiles } from "../support/sample_files.ts";
import { type Service, startService } from "../support/service.ts";
import { storeAnswer } from "../support/turns.ts";
import { storeQuestion } from "../support/questions.ts";

const said = { steps: [{ text: "Well." }, { end: true as const, usage: { input_tokens: 100, output_tokens: 10 } }] };
const key = { requests_per_minute: 1_000, scopes: allScopes };

/** A turn that is over, for entrances that need one. */
type Past = { threadId: string; messageId: string };

/** An entrance: its status and the code of its error, or `ok`. */
type Entrance = (service: Service, tenant: Tenant, past: Past) => Promise<string>;

const codeOf = ({ status, headers }: { status: number; headers: Headers }) =>
  status === 200 ? "ok" : `${status} ${headers.get("X-Error-Code")}`;

const chatAs = (form: keyof typeof acceptOf): Entrance => async (service, { coachId, ...tenant }) =>
  codeOf(
    await ask(service, "POST", "/chat", tenant, { message: "Hi", context: { coachId, userId: "u" } }, {
      headers: { Accept: acceptOf[form] },
    }),
  );

const responses = async (service: Service, { apiKey, coachId }: Tenant, more: object = {}) =>
  codeOf(
    await ask(service, "POST", "/openai/v1/responses", {}, { model: coachId, input: "Hi", ...more }, {
      headers: { Authorization: `Bearer ${apiKey}` },
    }),
  );

/** Every way to have a model asked in a request. */
const entrances: Record<string, Entrance> = {
  "chat, as text": chatAs("text"),
  "chat, as events": chatAs("events"),
  "chat, as an object": chatAs("object"),
  "chat, continued": async (service, tenant, { threadId }) =>
    codeOf(await ask(service, "POST", "/chat", tenant, { message: "And?", thread_id: threadId })),
  "chat, with an idempotency key": async (service, tenant) =>
    codeOf(
      await ask(service, "POST", "/chat", tenant, {
        message: "Hi",
        context: { coachId: tenant.coachId },
        idempotency_key: crypto.randomUUID(),
      }),
    ),
  retry: async (service, tenant, { messageId }) =>
    codeOf(await ask(service, "POST", `/chat/${messageId}/retry`, tenant)),
  replaces: async (service, tenant, { threadId, messageId }) =>
    codeOf(
      await ask(service, "POST", "/chat", tenant, { message: "Rather?", thread_id: threadId, replaces: messageId }),
    ),
  "MCP": async (service, { coachId, ...tenant }) => {
    await using client = await connect(service, tenant);
    const { isError, text } = await callTool(client, "chat", { message: "Hi", context: { coachId } });
    return isError ? text : "ok";
  },
  "openai, a completion": async (service, tenant) =>
    codeOf(await complete(service, tenant, [{ role: "user", content: "Hi" }])),
  "openai, a completion, streamed": async (service, tenant) =>
    codeOf(await complete(service, tenant, [{ role: "user", content: "Hi" }], { stream: true })),
  "openai, a task": async (service, tenant) =>
    codeOf(
      await complete(service, tenant, [{ role: "user", content: "Name this chat" }], {
        headers: { "X-OpenWebUI-Task": "title_generation" },
      }),
    ),
  "openai, a response": (service, tenant) => responses(service, tenant),
  "openai, a response that is not stored": (service, tenant) => responses(service, tenant, { store: false }),
  "openai, a task by responses": (service, tenant) => responses(service, tenant, { metadata: { task: "tags" } }),
  try: async (service, tenant) =>
    codeOf(await ask(service, "POST", `/coaches/${tenant.coachId}/try`, tenant, { question: "Hi?", answer: true })),
};

/** The refusals that are not named by status and code. */
const refusals: Record<string, string> = { MCP: sentenceOf("budget_exhausted") };

Deno.test("every entrance counts on the budget, and stays shut when that is used up", async (t) => {
  await using service = await startService();
  for (const [name, enter] of Object.entries(entrances)) {
    await t.step(name, async () => {
      const tenant = await createTenant(key);
      service.model.script(tenant.modelName, said);
      const first = await ask(service, "POST", "/chat", tenant, {
        message: "First",
        context: { coachId: tenant.coachId },
      });
      const past = { threadId: first.headers.get("X-Thread-Id")!, messageId: first.headers.get("X-Message-Id")! };
      const budget = await setBudget(tenant, { amount: 1_000_000, coach: tenant.coachId });
      assertEquals(await enter(service, tenant, past), "ok");
      await service.turns();
      const { used, reserved } = await stateOf(budget);
      assertEquals({ used, reserved }, { used: 110, reserved: 0 });

      await setBudget(tenant, { amount: 111, coach: tenant.coachId });
      const asked = service.model.requestsOf(tenant.modelName).length;
      const last = (await ask(service, "GET", `/threads/${past.threadId}/messages`, tenant)).json.data.at(-1);
      const refusal = await enter(service, tenant, { ...past, messageId: last.id });
      assert(refusal.startsWith(refusals[name] ?? "429 budget_exhausted"), refusal);
      assertEquals(service.model.requestsOf(tenant.modelName).length, asked);
      assertEquals((await stateOf(budget)).used, 110);
    });
  }
});

Deno.test("of a client's long history, only the part counts that the model is given", async () => {
  await using service = await startService();
  const tenant = await createTenant(key, { history_limit: 2 });
  service.model.script(tenant.modelName, said);
  await setBudget(tenant, { amount: 10_000 });
  const long = "word ".repeat(4_000);
  const history = Array.from({ length: 20 }, (_, place) => ({ role: place % 2 ? "assistant" : "user", content: long }));
  const short = [{ role: "user", content: "Short" }, { role: "assistant", content: "Well." }];
  const question = { role: "user", content: "And now?" };
  assertEquals(codeOf(await complete(service, tenant, [...history, ...short, question])), "ok");
  assertEquals(codeOf(await complete(service, tenant, [...short, ...history, question])), "429 budget_exhausted");
});

Deno.test("embeddings of questions and searches", async (t) => {
  await using service = await startService({ env: { OPENAI_EMBEDDING_MODEL: "embedder" } });
  service.model.scriptEmbeddings("embedder", () => [1, 0, 0, 0]);
  const embedded = () => service.model.embeddingsOf("embedder").length;
  const search = ({ coachId, apiKey }: Tenant) =>
    ask(service, "GET", `/knowledge-handler?coachId=${coachId}&search=owls`, { apiKey });
  const chat = (tenant: Tenant, more: object = {}) =>
    ask(service, "POST", "/chat", tenant, { message: "Any owls?", context: { coachId: tenant.coachId }, ...more });
  /** `Any owls?` has nine bytes, and a token three. */
  const [question, word] = [3, 2];

  for (const [name, more] of [["a new turn", {}], ["with an idempotency key", { idempotency_key: "once" }]] as const) {
    await t.step(`the question of a turn, ${name}`, async () => {
      const tenant = await createTenant(key);
      service.model.script(tenant.modelName, said);
      const budget = await setBudget(tenant, { amount: 1_000_000 });
      assertReply(await chat(tenant, more), 200);
      assertEquals((await stateOf(budget)).used, 110 + question);
      await setBudget(tenant, { amount: 114 });
      const before = embedded();
      assertReply(await chat(tenant, { idempotency_key: crypto.randomUUID() }), 429);
      assertEquals(embedded(), before);
    });
  }

  await t.step("an exhausted budget embeds nothing, and a pinned answer is given all the same", async () => {
    const tenant = await createTenant(key);
    const pinned = { question: "Any owls?", answer: "Two." };
    assertReply(await ask(service, "POST", `/coaches/${tenant.coachId}/answers`, tenant, pinned), 200);
    await setBudget(tenant, { amount: 1 });
    await service.turns();
    const before = embedded();
    assertReply(await chat(tenant), 200);
    assertEquals(embedded(), before);
  });

  await t.step("a search is embedded while the budget lasts, then it finds by words alone", async () => {
    const tenant = await createTenant(key);
    const budget = await setBudget(tenant, { amount: 3 });
    const before = embedded();
    assertReply(await search(tenant), 200);
    assertEquals([(await stateOf(budget)).used, embedded()], [word, before + 1]);
    assertReply(await search(tenant), 200);
    assertEquals([(await stateOf(budget)).used, embedded()], [word, before + 1]);
  });
});

Deno.test("background work counts on coach and account, and waits while they are used up", async (t) => {
  const [seer, listener] = [crypto.randomUUID(), crypto.randomUUID()];
  const env = { OPENAI_EMBEDDING_MODEL: "embedder", OPENAI_VISION_MODEL: seer, OPENAI_TRANSCRIPTION_MODEL: listener };
  await using service = await startService({ env });
  service.model.scriptEmbeddings("embedder", () => [1, 0, 0, 0]);
  // Far more than is reserved for an image, as some models count them.
  service.model.script(seer, {
    steps: [{ text: "An owl." }, { end: true, usage: { input_tokens: 30_000, output_tokens: 20 } }],
  });
  service.model.scriptTranscription(listener, {
    text: "They talk.",
    usage: { type: "tokens", input_tokens: 900, output_tokens: 50, total_tokens: 950 },
  });
  /** Makes what waits for the budget due again, as after a quarter of an hour. */
  const wait = async (coachId: string) => {
    const due_at = new Date(0).toISOString();
    await operator.from("knowledge_files").update({ due_at }).eq("coach_id", coachId).eq("status", "queued")
      .throwOnError();
    await operator.from("open_questions").update({ due_at }).eq("coach_id", coachId).not("due_at", "is", null)
      .throwOnError();
  };

  const files: Record<string, [name: string, content: Uint8Array | string, reported: number]> = {
    "embeddings of a text": ["owls.txt", "Owls sleep by day.", 0],
    "the description of an image": ["owl.png", sampleFiles.png, 30_020],
    "the transcript of a video": ["owl.mp4", sampleFiles.mp4, 950],
  };
  for (const [name, [filename, content, reported]] of Object.entries(files)) {
    await t.step(name, async () => {
      const tenant = await createTenant(key);
      const budget = await setBudget(tenant, { amount: 1 });
      // The budget of each user does not matter here.
      await setBudget(tenant, { amount: 1, each_user: true });
      await uploadAndIndex(service, tenant, [filename, content as Uint8Array<ArrayBuffer>]);
      assertEquals(await statesAndReasons(tenant), [[filename, "queued", "A budget does not allow it now"]]);
      // However often it is looked at, this is no attempt.
      for (const _ of [1, 2, 3, 4]) {
        await wait(tenant.coachId);
        await finishIndexing(service, tenant.coachId);
      }
      assertEquals((await rowsOf(tenant.coachId))[0]!.attempts, 0);
      await setBudget(tenant, { amount: 100_000 });
      await wait(tenant.coachId);
      await finishIndexing(service, tenant.coachId);
      assertEquals((await rowsOf(tenant.coachId))[0]!.status, "ready");
      const { used, reserved } = await stateOf(budget);
      // What is read of it is embedded, too.
      assert(used > reported && used < reported + 100 && reserved === 0, JSON.stringify({ used, reserved }));
    });
  }

  await t.step("the wording and the sorting of questions", async () => {
    const tenant = await createTenant(key);
    service.model.script(tenant.modelName, { steps: [{ text: "Do owls sleep by day?" }] });
    const { messageId } = await storeAnswer(tenant, { content: "I do not know", status: "complete" });
    await storeQuestion(messageId, null);
    const budget = await setBudget(tenant, { amount: 1, coach: tenant.coachId });
    await wait(tenant.coachId);
    const asked = () => service.model.requestsOf(tenant.modelName).length;
    await sweep(service);
    const row = async () =>
      (await operator.from("open_questions").select().eq("coach_id", tenant.coachId).single().throwOnError()).data;
    await eventually(async () => Date.parse((await row()).due_at ?? "") > Date.now() + 600_000, "it waits");
    assertEquals([asked(), (await row()).attempts, (await row()).question], [0, 0, null]);
    await setBudget(tenant, { amount: 100_000, coach: tenant.coachId });
    await wait(tenant.coachId);
    await eventually(async () => {
      await sweep(service);
      return (await row()).question !== null;
    }, "it is worded");
    assert((await stateOf(budget)).used > 0);
  });

  await t.step("questions that have waited for the expert go on waiting", async () => {
    const expert = await createUser();
    const tenant = await createTenant(key, { owner_id: expert.id });
    service.model.script(tenant.modelName, said);
    const chat = (thread_id?: string) =>
      ask(service, "POST", "/chat", tenant, { message: "Hi", thread_id, context: { coachId: tenant.coachId } });
    const threadId = (await chat()).headers.get("X-Thread-Id")!;
    const post = (what: string) => ask(service, "POST", `/threads/${threadId}/${what}`, tenant);
    assertReply(await post("takeover"), 200);
    assertReply(await chat(threadId), 200);
    const budget = await setBudget(tenant, { amount: 1 });
    const asked = () => service.model.requestsOf(tenant.modelName).length;
    assertReply(await post("release"), 200);
    await service.turns();
    await sweep(service);
    const statuses = async () =>
      (await operator.from("messages").select("status").eq("thread_id", threadId).eq("role", "assistant")
        .order("sequence").throwOnError()).data.map(({ status }) => status);
    assertEquals([asked(), await statuses()], [1, ["complete", "waiting"]]);
    await setBudget(tenant, { amount: 100_000 });
    await operator.from("threads").update({ put_off_until: null }).eq("id", threadId).throwOnError();
    await sweep(service);
    await eventually(async () => (await statuses())[1] === "complete", "the model has answered it");
    assertEquals((await stateOf(budget)).used, 110 + 1);
  });
});
