import type { ErrorCode } from "../../shared/infra/errors.ts";
import { assert, assertEquals, assertMatch } from "../support/assert.ts";
import { setBudget, stateOf } from "../support/budgets.ts";
import { ask, assertInvalid, assertRefused, assertReply, chat, clientOf, type Credentials } from "../support/client.ts";
import { addFile } from "../support/knowledge.ts";
import { bodiesOf } from "../support/model_requests.ts";
import { addExpert, createTenant, createUser, operator, type Tenant } from "../support/project.ts";
import { startService } from "../support/service.ts";
import { failures } from "../support/turn_record.ts";
import { readTraces } from "../support/turns.ts";
import { pinAnswer } from "../support/questions.ts";

const question = "When should I fast?";
const answer = "From eight in the evening,\nuntil noon.";
const none = { exact: null, near: [], passages: [], answer: null };
const scopes = ["chat", "expert", "threads:read", "threads:write"];

/** A coach with a pinned answer, and with one file. */
async function createDesk(coach: Parameters<typeof createTenant>[1] = {}) {
  const owner = await createUser();
  const tenant = await createTenant({ scopes, requests_per_minute: 1_000 }, { owner_id: owner.id, ...coach });
  const fileId = await addFile(tenant, "Fasting.md", "Coffee breaks no fast. Milk does.");
  const { accountId, coachId } = tenant;
  const data = await pinAnswer({ accountId, coachId }, { question, answer });
  return { tenant, fileId, pinned: { id: data.id, version: 1, question, answer }, accessToken: owner.accessToken };
}

/** Everything that a trial must not change. */
async function readState(tenant: Tenant) {
  const usage = operator.rpc("read_usage", { grouped_by: ["coach"] }).eq("coach_id", tenant.coachId);
  return { ...await readTraces(tenant), usage: (await usage.throwOnError()).data };
}

Deno.test("POST /coaches/{coachId}/try", async (t) => {
  await using service = await startService();
  const desk = await createDesk({ no_answer: "That I leave open." });
  const { tenant, pinned } = desk;
  const path = `/coaches/${tenant.coachId}/try`;
  const before = await readState(tenant);
  const attempt = (body: object, caller: Credentials = tenant) => ask(service, "POST", path, caller, body);
  const asked = () => bodiesOf(service, tenant.modelName);

  await t.step("a question that is pinned: the answer that would be given word for word, nothing else", async () => {
    assertReply(await attempt({ question: "when SHOULD i fast" }), 200, { ...none, exact: pinned });
    const quote = answer.replace("\n", " ");
    const source = { kind: "pinned_answer", pinnedAnswerId: pinned.id, version: 1, question, quote };
    assertReply(await attempt({ question, answer: true }), 200, {
      ...none,
      exact: pinned,
      answer: { text: answer, author: "expert", sources: [{ ...source, isWordForWord: true }], asks_expert: null },
    });
    assertEquals(asked(), []);
  });

  await t.step("where Postgres asks for the language, its error, which it logs, has none of the words", async () => {
    const caller = { account_id: tenant.accountId };
    const args = { caller, user_id: null!, coach_id: tenant.coachId, question, query_vector: null! };
    for (const content of [question, undefined]) {
      const { error } = await operator.rpc("try_question", { ...args, asked: { content, language: "" } });
      assertEquals([error?.code, error?.message, error?.details], ["PT412", "english", ""]);
    }
    const { error } = await operator.rpc("try_question", { ...args, asked: { content: "Why?", language: "" } });
    assertEquals(error?.details, question);
  });

  await t.step("one that is near: pinned answers and passages that the model would be given", async () => {
    const { json } = await attempt({ question: "Does coffee break my fast?" });
    assertEquals([json.exact, json.near, json.answer], [null, [pinned], null]);
    const [{ score, passageId, ...passage }, ...others] = json.passages;
    assertEquals(passage, {
      kind: "passage",
      fileId: desk.fileId,
      file_id: desk.fileId,
      source_url: null,
      position: 0,
      filename: "Fasting.md",
      page: null,
      heading: null,
      quote: "Coffee breaks no fast. Milk does.",
    });
    assertEquals([typeof score, /^[0-9a-f]{32}$/.test(passageId), others], ["number", true, []]);
    assertEquals(asked(), []);
  });

  await t.step("with answer: what the model says, given what a turn would give it, and kept nowhere", async () => {
    service.model.script(tenant.modelName, { steps: [{ text: "No, " }, { text: "it does not." }] });
    const { json } = await attempt({ question: "Does coffee break my fast?", answer: true });
    assertEquals(json.answer, { text: "No, it does not.", author: "ai", sources: [], asks_expert: null });
    assertEquals([json.near.length, json.passages.length], [1, 1]);
    const [body, ...others] = asked();
    assertEquals(others, []);
    const contents = (body!.input as { content: string }[]).map(({ content }) => content);
    assertEquals(contents.length, 3);
    assert(contents[0]!.includes(JSON.stringify(answer)) && contents[1]!.includes("Milk does"), contents.join("\n"));
    assertEquals([contents[2], body!.store, body!.tools?.length], ["Does coffee break my fast?", false, 1]);
  });

  await t.step("of a model that does not know: the question that a turn would have kept", async () => {
    const call = (given: unknown) => ({ call: { id: "call_1", name: "ask_expert", arguments: given } });
    for (
      const [given, kept] of [[{ question: "Owls?", for_human: false }, "Owls?"], ["{", "What do owls eat?"]] as const
    ) {
      service.model.script(tenant.modelName, { steps: [call(given)] }, { steps: [{ text: "No idea." }] });
      const { json } = await attempt({ question: "What do owls eat?", answer: true });
      assertEquals(json.answer, { text: "No idea.", author: "ai", sources: [], asks_expert: kept });
    }
    service.model.script(tenant.modelName, { steps: [call("{}")] }, { steps: [{ status: 400 }] });
    const { json } = await attempt({ question: "What do owls eat?", answer: true });
    assertEquals([json.answer.text, json.answer.asks_expert], ["That I leave open.", "What do owls eat?"]);
  });

  await t.step("of a model that fails: what a turn would have failed with", async () => {
    const { status, error, code } = failures.misconfigured;
    service.model.script(tenant.modelName, { steps: [{ status: 401 }] });
    const reply = await attempt({ question: "What do owls eat?", answer: true });
    assertEquals([reply.status, reply.json.error, reply.headers.get("X-Error-Code")], [status, error, code]);
    service.model.script(tenant.modelName, { steps: [{ text: "Well" }, { cut: true }] });
    assertEquals((await attempt({ question: "What do owls eat?", answer: true })).status, 502);
    service.model.script(tenant.modelName, { steps: [{ text: "Well" }] });
  });

  await t.step("for its own user, signed in, and for the typed client", async () => {
    const owner = { apiKey: tenant.apiKey, accessToken: desk.accessToken };
    assertReply(await attempt({ question }, owner), 200, { ...none, exact: pinned });
    const tried = await clientOf(service, owner).tryQuestion(tenant.coachId, { question, answer: null });
    assertEquals(tried, { ...none, exact: pinned });
  });

  await t.step("leaves no thread, no open question, no hit and no turn", async () => {
    assertEquals(await readState(tenant), before);
    assertEquals(before.threads, []);
    const { data } = await operator.rpc("read_usage", { grouped_by: ["coach"] }).eq("coach_id", tenant.coachId);
    assertEquals(data, []);
  });

  await t.step("is a request like any other for the limits of the key", async () => {
    const left = async () => Number((await attempt({ question })).headers.get("X-RateLimit-Remaining"));
    const first = await left();
    assertEquals(await left(), first - 1);
  });

  await t.step("tries a coach that is not active, and one that has nothing", async () => {
    const other = await createTenant({ scopes }, { is_active: false });
    assertReply(await ask(service, "POST", `/coaches/${other.coachId}/try`, other, { question }), 200, none);
  });

  const stranger = await createUser();
  const foreign = await createDesk();
  const refused: Record<string, [Credentials, number, ErrorCode, string?]> = {
    "another user": [{ apiKey: tenant.apiKey, accessToken: stranger.accessToken }, 403, "not_the_expert"],
    "the expert of another coach": [{ apiKey: tenant.apiKey, accessToken: foreign.accessToken }, 403, "not_the_expert"],
    "another account": [foreign.tenant, 404, "coach_not_found"],
    "a coach that there is not": [tenant, 404, "coach_not_found", "/coaches/nobody/try"],
    "a coach whose id nobody can have": [tenant, 404, "coach_not_found", "/coaches/a%00b/try"],
  };
  const requests = asked().length;
  for (const [who, [caller, status, code, at = path]] of Object.entries(refused)) {
    await t.step(`${who}: ${status}`, async () => {
      const reply = await ask(service, "POST", at, caller, { question: "What do owls eat?", answer: true });
      assertEquals([reply.status, reply.headers.get("X-Error-Code")], [status, code], reply.text);
    });
  }
  for (
    const [body, error] of [
      [{}, "question is required"],
      [{ question: 7 }, "question must be a string"],
      [{ question: " " }, "question must not be blank"],
      [{ question: "a\0" }, "question must not contain NUL characters or unpaired surrogates"],
      [{ question: "x".repeat(32_001) }, "question must be at most 32,000 characters long"],
      [{ question, answer: "yes" }, "answer must be true or false"],
    ] as const
  ) {
    await t.step(`400 ${error}`, async () => assertInvalid(await attempt(body), error));
  }
  await t.step("and the model was not asked", () => assertEquals(asked().length, requests));
});

Deno.test("an answer that is tried is compared with another one", async (t) => {
  await using service = await startService();
  const { tenant } = await createDesk();
  const compare = async (reply: string, body: object = {}) => {
    const end = { end: true as const, usage: { input_tokens: 100, output_tokens: 10 } };
    const replies = ["It does.", reply].map((text) => ({ steps: [{ text }, end] }));
    service.model.script(tenant.modelName, ...replies);
    const given = { question: "Does milk break it?", reference: "It does not.", answer: true, ...body };
    return await ask(service, "POST", `/coaches/${tenant.coachId}/try`, tenant, given);
  };
  const differs = { verdict: "failed", reason: "It says the opposite." };

  await t.step("a sentence says what differs, and the coach is not shown the other one", async () => {
    const { json } = await compare(JSON.stringify(differs));
    assertEquals(json.answer.comparison, { ...differs, model: tenant.modelName, prompt_version: 2 });
    const [asked, judged] = bodiesOf(service, tenant.modelName).map((body) => JSON.stringify(body));
    assert(!asked!.includes("It does not.") && judged!.includes("It does not."), judged);
  });
  await t.step("a judge that says nothing has not judged; without an answer, nothing is compared", async () => {
    assertEquals((await compare("Hm.")).json.answer.comparison.verdict, "not_judged");
    const before = bodiesOf(service, tenant.modelName).length;
    assertEquals((await compare("Hm.", { answer: false })).json.answer, null);
    assertEquals((await compare("", { question })).json.answer.comparison, undefined);
    assertEquals(bodiesOf(service, tenant.modelName).length, before);
  });
  await t.step("the comparison counts on the budget", async () => {
    const budget = await setBudget(tenant, { amount: 1_000_000, coach: tenant.coachId });
    await compare(JSON.stringify(differs));
    assertEquals(bodiesOf(service, tenant.modelName).length, 6);
    const { used, reserved } = await stateOf(budget);
    assertEquals({ used, reserved }, { used: 220, reserved: 0 });
  });
  await t.step("400 for what is no answer", async () => {
    assertInvalid(await compare("", { reference: " " }), "reference must not be blank");
  });
});

Deno.test("a question is embedded only for who may try it, and not where it is pinned", async () => {
  await using service = await startService({ env: { OPENAI_EMBEDDING_MODEL: "try-embeddings" } });
  service.model.scriptEmbeddings("try-embeddings", () => [1, 0, 0]);
  const { tenant } = await createDesk();
  const stranger = await createUser();
  const path = `/coaches/${tenant.coachId}/try`;
  const embedded = () => service.model.embeddingsOf("try-embeddings").length;
  const attempt = (caller: Credentials, asked: string) => ask(service, "POST", path, caller, { question: asked });
  assertEquals((await attempt({ apiKey: tenant.apiKey, accessToken: stranger.accessToken }, "Owls?")).status, 403);
  assertEquals((await attempt({ apiKey: "hi_live_bad" }, "Owls?")).status, 401);
  assertEquals((await attempt(tenant, question)).status, 200);
  assertEquals(embedded(), 0);
  assertEquals((await attempt(tenant, "Owls?")).status, 200);
  assertEquals(embedded(), 1);
});

Deno.test("a drafted reply is looked up once more with its embedding, and its question is known by then", async () => {
  await using service = await startService({ env: { OPENAI_EMBEDDING_MODEL: "draft-embeddings" } });
  service.model.scriptEmbeddings("draft-embeddings", () => [1, 0, 0]);
  const { tenant } = await createDesk();
  service.model.script(tenant.modelName, { steps: [{ text: "Hm." }] });
  const { threadId } = await chat(service, tenant, {
    message: "Does coffee break my fast?",
    context: { coachId: tenant.coachId, userId: "ada" },
  });
  service.model.script(tenant.modelName, { steps: [{ text: "No." }] });
  service.supabase.requests.splice(0);
  const { content } = await clientOf(service, tenant).draftReply(threadId, {});
  const calls = service.supabase.requests.filter((path) => path.endsWith("/draft_reply"));
  // The first of them finds out what the question is.
  assertEquals([content, calls.length], ["No.", 3]);
});

Deno.test("a model that falls silent is given up as in a turn", async () => {
  await using service = await startService({ timeouts: { firstChunk: 200 } });
  const { tenant } = await createDesk();
  service.model.script(tenant.modelName, { steps: [{ hang: true }] });
  const reply = await ask(service, "POST", `/coaches/${tenant.coachId}/try`, tenant, {
    question: "Owls?",
    answer: true,
  });
  assertEquals([reply.status, reply.headers.get("X-Error-Code")], [504, "model_timed_out"], reply.text);
  assertMatch(reply.json.error, /did not answer in time/);
});

Deno.test("POST /threads/{threadId}/draft-reply", async (t) => {
  await using service = await startService();
  const { tenant, pinned, accessToken } = await createDesk();
  const context = { coachId: tenant.coachId, userId: "ada" };
  const say = async (message: string, thread_id?: string) => {
    service.model.script(tenant.modelName, { steps: [{ text: "Hm [1]." }] });
    return await chat(service, tenant, { message, thread_id, context });
  };
  const { threadId } = await say("Good morning");
  await say("Does coffee break my fast?", threadId);
  const { threadId: pinnedId } = await say(question);
  const path = `/threads/${threadId}/draft-reply`;
  const draft = (body: object = {}, caller: Credentials = tenant) => ask(service, "POST", path, caller, body);
  const asked = () => bodiesOf(service, tenant.modelName);
  const listed = () => clientOf(service, tenant).listMessages(threadId, { include: "status,sources" });
  const before = [await listed(), await readState(tenant)];

  await t.step("drafts a reply from thread, pinned answers and passages, and shows what it draws on", async () => {
    service.model.script(tenant.modelName, {
      steps: [{ text: "Coffee " }, { text: "does not [2].\n\nMilk: [how much?]" }],
    });
    const { json, status } = await draft({}, { apiKey: tenant.apiKey, accessToken });
    assertEquals([status, Object.keys(json)], [200, ["content", "sources"]]);
    assertEquals(json.content, "Coffee does not.\n\nMilk: [how much?]");
    assertEquals(json.sources.map(({ filename, number }: Record<string, unknown>) => [filename, number]), [
      ["Fasting.md", undefined],
    ]);
    const body = asked().at(-1)!;
    const contents = (body.input as { content: string }[]).map(({ content }) => content);
    assertEquals([...contents.slice(0, 2), contents.at(-1)], ["Good morning", "Hm.", "Does coffee break my fast?"]);
    assert(contents[2]!.includes(JSON.stringify(answer)) && contents[3]!.includes("Milk does"), contents.join("\n"));
    assertEquals([contents.length, body.store, body.tools], [5, false, undefined]);
    assertMatch(String(body.instructions), /send it as their own words/);
  });
  await t.step("of the message that is named; a pinned answer as it is, without the model", async () => {
    const { data } = await listed();
    await draft({ in_reply_to: data[0]!.id });
    assertEquals((asked().at(-1)!.input as unknown[]).length, 1);
    const count = asked().length;
    const { content, sources } = await clientOf(service, tenant).draftReply(pinnedId, {});
    assertEquals([content, sources.map((source) => source.kind === "pinned_answer" && source.pinnedAnswerId)], [
      answer,
      [pinned.id],
    ]);
    assertEquals(asked().length, count);
    assertInvalid(await draft({ in_reply_to: "first" }), "in_reply_to must be a UUID");
    for (const id of [data[1]!.id, crypto.randomUUID()]) {
      assertRefused(await draft({ in_reply_to: id }), "message_not_found");
    }
  });
  await t.step("a model that fails, a budget that is used up: no half draft", async () => {
    service.model.script(tenant.modelName, { steps: [{ text: "Well" }, { cut: true }] });
    const cut = await draft();
    assertEquals([cut.status, cut.json.content], [502, undefined]);
    service.model.script(tenant.modelName, {
      steps: [{ text: "Well." }, { end: true, usage: { input_tokens: 100, output_tokens: 10 } }],
    });
    const budget = await setBudget(tenant, { amount: 1_000_000, coach: tenant.coachId });
    assertEquals((await draft()).status, 200);
    assertEquals((await stateOf(budget)).used, 110);
    await operator.from("budgets").update({ amount: 1 }).eq("id", budget.id).throwOnError();
    assertEquals((await draft()).headers.get("X-Error-Code"), "budget_exhausted");
  });
  await t.step("others reach none of it, and the thread is as it was", async () => {
    const [user, foreign, count] = [await createUser(), await createDesk(), asked().length];
    const other = await createUser();
    await addExpert(tenant.coachId, other, "answerer");
    assertRefused(await draft({}, { apiKey: tenant.apiKey, accessToken: user.accessToken }), "not_the_expert");
    assertRefused(await draft({}, { apiKey: tenant.apiKey, accessToken: foreign.accessToken }), "not_the_expert");
    assertRefused(await draft({}, foreign.tenant), "thread_not_found");
    assertEquals(
      (await draft({}, { apiKey: tenant.apiKey, accessToken: other.accessToken })).headers.get("X-Error-Code"),
      "budget_exhausted",
    );
    assertEquals(asked().length, count);
    assertEquals([await listed(), await readState(tenant)], before);
  });
});

Deno.test("a draft draws on what its question needs, though another one comes meanwhile", async () => {
  await using service = await startService({ env: { OPENAI_EMBEDDING_MODEL: "embedder" } });
  const tenant = await createTenant({ scopes, requests_per_minute: 1_000 });
  await addFile(tenant, "Fasting.md", "Coffee breaks no fast.");
  await addFile(tenant, "Boats.md", "The boats lie in the harbor.");
  service.model.script(tenant.modelName, { steps: [{ text: "So it is [1]." }] });
  const context = { coachId: tenant.coachId, userId: "ada" };
  const { threadId } = await chat(service, tenant, { message: "Does coffee break my fast?", context });
  service.model.scriptEmbeddings("embedder", async () => {
    await operator.from("messages").insert({ thread_id: threadId, role: "user", content: "Where are the boats?" })
      .throwOnError();
    return [1, 0, 0, 0];
  });
  const { sources } = await clientOf(service, tenant).draftReply(threadId, {});
  assertEquals(sources.map((source) => "filename" in source && source.filename), ["Fasting.md"]);
});
