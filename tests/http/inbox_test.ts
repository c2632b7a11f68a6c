import { assert, assertEquals, assertMatch } from "../support/assert.ts";
import { ask, assertInvalid, assertRefused, assertReply, chat, clientOf, type Credentials } from "../support/client.ts";
import {
  addExpert,
  allScopes,
  createCoach,
  createTenant,
  createUser,
  issueKey,
  issuePublishableKey,
  operator,
  signInAnonymously,
  type Tenant,
} from "../support/project.ts";
import { startLogin } from "../support/login.ts";
import { startService } from "../support/service.ts";
import { storeAnswer } from "../support/turns.ts";
import { addFile } from "../support/knowledge.ts";
import { storeQuestion } from "../support/questions.ts";

const limits = { requests_per_minute: 10_000, requests_per_hour: 10_000 };

async function prepare() {
  const service = await startService();
  const [owner, colleague, person, stranger] = await Promise.all([1, 2, 3, 4].map(() => createUser()));
  const tenant = await createTenant({ ...limits, scopes: allScopes }, { owner_id: owner!.id });
  const { coachId } = tenant;
  await addExpert(coachId, colleague!, "answerer");
  const as = (user: { accessToken: string }): Credentials => ({ apiKey: tenant.apiKey, accessToken: user.accessToken });
  /** Asks in a new thread or in one that goes on, and returns the thread. */
  const say = async (credentials: Credentials, context: object, threadId?: string) => {
    const start = threadId === undefined ? { coachId } : {};
    const body = { message: "When is tea?", context: { ...start, ...context }, thread_id: threadId };
    const reply = await ask(service, "POST", "/chat", credentials, body);
    assertReply(reply, 200);
    return reply.headers.get("X-Thread-Id")!;
  };
  const list = async (query = "", credentials = as(owner!)) =>
    (await ask(service, "GET", `/coaches/${coachId}/threads${query}`, credentials)).json.data;
  // deno-lint-ignore no-explicit-any -- An entry as JSON.
  const entry = async (threadId: string, credentials = as(owner!)): Promise<any> =>
    (await list("?limit=100", credentials)).find(({ id }: { id: string }) => id === threadId);
  const change = (threadId: string, body: object, credentials = as(owner!)) =>
    ask(service, "PATCH", `/coaches/${coachId}/threads/${threadId}`, credentials, body);
  const people = { owner: owner!, colleague: colleague!, person: person!, stranger: stranger! };
  return { service, tenant, coachId, ...people, as, say, list, entry, change };
}

Deno.test("who it is, as far as it is known", async (t) => {
  const { service, tenant, coachId, owner, person, as, say, entry } = await prepare();
  await using _ = service;
  const { accountId } = tenant;
  const nobody = { name: null, email: null, language: null, page_url: null };
  let threadId = "";

  await t.step("the address of the login, the page without what may be secret, language, earlier chats", async () => {
    const page = "https://ann:secret@shop.example/courses/1?token=secret#answer=secret";
    threadId = await say(as(person), { page_url: page, language: "pt-BR" });
    const { person: { first_seen_at, ...told } } = await entry(threadId);
    assertEquals(told, {
      ...{
        name: null,
        email: person.email,
        language: "pt-BR",
        page_url: "https://shop.example/courses/1",
        threads: 1,
      },
    });
    assertEquals(first_seen_at, (await entry(threadId)).created_at);
    await say(as(person), {});
    assertEquals((await entry(threadId)).person.threads, 2);
    const { data } = await operator.from("messages").select("content").eq("thread_id", threadId).throwOnError();
    assertEquals(JSON.stringify([data, service.model.requestsOf(tenant.modelName)]).includes("shop.example"), false);
  });
  await t.step("what is no page or no language is ignored, and what is known stays", async () => {
    const bad = [
      "javascript:alert(1)",
      "file:///etc/passwd",
      "nothing",
      `https://x.example/${"x".repeat(2_000)}`,
      7,
      null,
    ];
    for (const page_url of bad) await say(as(person), { page_url, language: "<b>" }, threadId);
    const { person: { page_url, language } } = await entry(threadId);
    assertEquals([page_url, language], ["https://shop.example/courses/1", "pt-BR"]);
  });
  await t.step("the same message from another page is the same message", async () => {
    const body = (page_url: string) => ({ message: "Tea?", idempotency_key: "once", context: { coachId, page_url } });
    const first = await chat(service, as(person), body("https://a.example/"));
    assertEquals((await chat(service, as(person), body("https://b.example/"))).messageId, first.messageId);
  });
  await t.step("nothing of a login for visitors, and for whom a server names", async () => {
    const { publishableKey } = await issuePublishableKey(accountId, { total_per_minute: 1_000 });
    const visitor = await signInAnonymously();
    const own = await say({ publishableKey, accessToken: visitor.accessToken }, { language: "de" });
    const named = await say(tenant, { userId: "u" });
    const tell = async (id: string) => {
      const { first_seen_at: _, ...told } = (await entry(id)).person;
      return told;
    };
    assertEquals(await tell(own), { ...nobody, language: "de", threads: 1 });
    assertEquals(await tell(named), { ...nobody, threads: 1 });
  });
  await t.step("a changed name changes everywhere", async () => {
    await using login = await startLogin();
    await login.join(tenant);
    const talk = async (name: string, threadId?: string) =>
      await say({ ...tenant, accessToken: await login.sign("grace", { name, email: "g@example.com" }) }, {}, threadId);
    const ids = [await talk("Grace Murray"), await talk("Grace Murray")];
    await talk("Grace Hopper", ids[0]);
    for (const id of ids) {
      const { name, email } = (await entry(id)).person;
      assertEquals([name, email], ["Grace Hopper", "g@example.com"]);
    }
  });
  await t.step("chats with another coach are not counted, and other experts do not see it", async () => {
    const other = await createCoach(accountId, { model: tenant.modelName });
    await chat(service, as(person), { message: "Hi", context: { coachId: other.id } });
    assertEquals((await entry(threadId)).person.threads, 3);
    assertRefused(await ask(service, "GET", `/coaches/${other.id}/threads`, as(owner)), "not_the_expert");
  });
});

Deno.test("an inbox for two", async (t) => {
  const { service, tenant, coachId, owner, colleague, person, stranger, as, say, list, entry, change } =
    await prepare();
  await using _ = service;
  const threadId = await say(as(person), {});
  const other = await say(as(person), {});
  const state = async (credentials = as(owner)) => {
    const { assigned_to, is_closed, note } = await entry(threadId, credentials);
    return [assigned_to, is_closed, note];
  };

  await t.step("assigned, annotated and closed by one, seen by the other", async () => {
    assertEquals(await state(), [null, false, null]);
    const reply = await change(threadId, { assigned_to: colleague.id, note: " Call back\non Monday " });
    assertReply(reply, 200);
    const { json } = reply;
    assertEquals([json.assigned_to, json.note, json.is_closed], [colleague.id, "Call back\non Monday", false]);
    assertReply(await change(threadId, { is_closed: true }, as(colleague)), 200);
    assertEquals(await state(as(colleague)), [colleague.id, true, "Call back\non Monday"]);
    assertReply(await change(threadId, { note: "  ", assigned_to: null }), 200);
    assertEquals(await state(), [null, true, null]);
  });
  await t.step("who answers in person: the expert who has taken over last, or a server", async () => {
    const answering = async () => (await entry(threadId)).taken_over_by;
    const post = async (operation: string, caller: Credentials, body?: object) =>
      assertReply(await ask(service, "POST", `/threads/${threadId}/${operation}`, caller, body), 200);
    assertEquals(await answering(), null);
    await post("takeover", as(colleague));
    assertEquals(await answering(), colleague.id);
    await post("takeover", as(owner));
    assertEquals(await answering(), owner.id);
    await post("messages", as(colleague), { content: "Well" });
    assertEquals(await answering(), colleague.id);
    await post("takeover", tenant);
    assertEquals([await answering(), (await entry(threadId)).handled_by], [null, "expert"]);
    await post("release", as(owner));
    assertEquals([await answering(), (await entry(threadId)).handled_by], [null, "ai"]);
  });
  await t.step("only those that are open, or closed, also with a search", async () => {
    const ids = async (query: string) => (await list(query)).map(({ id }: { id: string }) => id);
    assertEquals(await ids("?is_closed=true"), [threadId]);
    assertEquals(await ids("?is_closed=false"), [other]);
    assertEquals((await ids("")).length, 2);
    assertEquals(await ids("?is_closed=true&search=tea"), [threadId]);
    assertEquals(await ids("?is_closed=false&search=tea"), [other]);
    assertEquals(await ids("?is_closed=true&needs_reply=true"), []);
    assertInvalid(
      await ask(service, "GET", `/coaches/${coachId}/threads?is_closed=no`, as(owner)),
      "is_closed must be true or false",
    );
  });
  await t.step("a new question opens it again, and so does a request to the expert", async () => {
    await say(as(person), {}, threadId);
    assertEquals((await state())[1], false);
    await change(threadId, { is_closed: true });
    assertReply(await ask(service, "POST", `/threads/${threadId}/ask-expert`, as(person), {}), 201);
    assertEquals((await state())[1], false);
  });
  await t.step("unread is per expert: until each has looked, and again when something is said", async () => {
    const unread = async () => [(await entry(threadId)).is_unread, (await entry(threadId, as(colleague))).is_unread];
    assertEquals(await unread(), [true, true]);
    await ask(service, "GET", `/threads/${threadId}/messages?include=basis`, as(owner));
    assertEquals(await unread(), [false, true]);
    await say(as(person), {}, threadId);
    assertEquals(await unread(), [true, true]);
    await change(threadId, { is_closed: true });
    assertEquals(await unread(), [false, false]);
    assertEquals((await entry(threadId, tenant)).is_unread, null);
  });
  await t.step("colleagues hear of it; the person does not, nor reads a note anywhere", async () => {
    const secret = `note ${crypto.randomUUID()}`;
    await change(threadId, { note: secret });
    const { data: events } = await operator.rpc("export_user", { account_id: tenant.accountId, user_id: person.id })
      .throwOnError();
    assert(JSON.stringify(events).includes(secret));
    for (
      const path of [
        `/threads/${threadId}`,
        `/threads/${threadId}/messages?include=author,status`,
        "/users/me/threads?include=state",
      ]
    ) {
      const { text } = await ask(service, "GET", path, as(person));
      assertEquals(text.includes(secret) || /assigned_to|taken_over_by/.test(text), false, text);
    }
  });
  await t.step("others are refused, and nothing changes", async () => {
    const before = await state();
    const bad = { assigned_to: stranger.id, note: "Mallory", is_closed: false };
    assertInvalid(await change(threadId, bad), "assigned_to must be an expert of the coach");
    assertInvalid(await change(threadId, { assigned_to: "me" }), "assigned_to must be an expert of the coach");
    assertInvalid(await change(threadId, { note: "x".repeat(4_001) }), "note must be at most 4000 characters long");
    for (const user of [person, stranger]) {
      assertRefused(await change(threadId, { note: "Mallory" }, as(user)), "not_the_expert");
    }
    const foreign = await createTenant({ ...limits, scopes: allScopes });
    assertRefused(await change(threadId, { note: "Mallory" }, foreign), "coach_not_found");
    const coach = await createCoach(tenant.accountId, { owner_id: owner.id });
    const elsewhere = await storeAnswer({ ...tenant, coachId: coach.id }, { content: "A", status: "complete" });
    assertRefused(await change(elsewhere.threadId, { note: "Mallory" }), "thread_not_found");
    assertRefused(await change(crypto.randomUUID(), { note: "Mallory" }), "thread_not_found");
    const reader = await issueKey(tenant.accountId, { scopes: ["threads:write"] });
    assertRefused(await change(threadId, { note: "Mallory" }, reader), "missing_scope", "expert");
    assertEquals(await state(), before);
  });
  await t.step("an expert who leaves is assigned nothing", async () => {
    await change(threadId, { assigned_to: colleague.id });
    assertReply(await ask(service, "DELETE", `/coaches/${coachId}/experts/me`, as(colleague)), 200);
    assertEquals((await state())[0], null);
    assertEquals((await clientOf(service, as(owner)).listConversations(coachId)).data.length, 2);
  });
});

Deno.test("saved replies", async (t) => {
  await using service = await startService();
  const [owner, colleague, stranger] = await Promise.all([1, 2, 3].map(() => createUser()));
  const limits = { requests_per_minute: 10_000, requests_per_hour: 10_000, scopes: allScopes };
  const tenant = await createTenant(limits, { owner_id: owner!.id });
  await addExpert(tenant.coachId, colleague!, "answerer");
  const as = (user: { accessToken: string }) => ({ apiKey: tenant.apiKey, accessToken: user.accessToken });
  const { coachId } = tenant;
  const path = `/coaches/${coachId}/replies`;
  const jon = clientOf(service, as(colleague!));
  const list = async () => (await clientOf(service, as(owner!)).listReplies(coachId)).data;
  let id = "";

  await t.step("one saves it, the other finds it, and changes it", async () => {
    const saved = await jon.createReply(coachId, { name: " Thanks ", content: "Thank you,\n  for asking." });
    id = saved.id;
    assertEquals([saved.name, saved.content], ["Thanks", "Thank you,\n  for asking."]);
    assertEquals(await list(), [saved]);
    await clientOf(service, as(owner!)).updateReply(coachId, id, { name: "Thank you" });
    assertEquals((await list()).map(({ name, content }) => [name, content]), [["Thank you", saved.content]]);
    assertEquals((await jon.updateReply(coachId, id, { content: "Thanks!" })).name, "Thank you");
  });
  await t.step("page by page, in the order in which they were saved", async () => {
    const second = await jon.createReply(coachId, { name: "Later", content: "I come back to you." });
    const first = await jon.listReplies(coachId, { limit: 1 });
    assertEquals(first.data.map((reply) => reply.id), [id]);
    const rest = await jon.listReplies(coachId, { limit: 1, cursor: first.next_cursor! });
    assertEquals([rest.data.map((reply) => reply.id), rest.next_cursor], [[second.id], null]);
    assertEquals(await jon.deleteReply(coachId, second.id), {
      message: "Reply deleted successfully",
      replyId: second.id,
    });
  });
  await t.step("another coach, its experts and strangers do not reach them", async () => {
    const before = await list();
    const other = await createCoach(tenant.accountId, { owner_id: stranger!.id });
    assertEquals((await clientOf(service, as(stranger!)).listReplies(other.id)).data, []);
    for (
      const [method, where] of [["PATCH", `/coaches/${other.id}/replies/${id}`], [
        "DELETE",
        `/coaches/${other.id}/replies/${id}`,
      ]] as const
    ) {
      const body = method === "PATCH" ? { name: "Mine" } : undefined;
      assertRefused(await ask(service, method, where, as(stranger!), body), "reply_not_found");
      assertRefused(await ask(service, method, `${path}/${id}`, as(stranger!), body), "not_the_expert");
      assertRefused(await ask(service, method, `${path}/x`, as(owner!), body), "reply_not_found");
    }
    assertRefused(await ask(service, "GET", path, as(stranger!)), "not_the_expert");
    assertRefused(await ask(service, "GET", path, await createTenant(limits)), "coach_not_found");
    assertEquals(await list(), before);
  });
  await t.step("what is none is refused, and there is an end to them", async () => {
    const send = (body: object) => ask(service, "POST", path, as(owner!), body);
    assertInvalid(await send({ name: "x".repeat(81), content: "C" }), "name must be one line of 1 to 80 characters");
    assertReply(await send({ name: "N", content: " " }), 400);
    assertReply(await send({ name: "N", content: "x".repeat(8_001) }), 400);
    await Promise.all(
      Array.from({ length: 199 }, (_, number) => jon.createReply(coachId, { name: `${number}`, content: "C" })),
    );
    assertRefused(await send({ name: "N", content: "C" }), "too_many_replies");
  });
  await t.step("they go with the coach", async () => {
    await operator.from("coach_profiles").delete().eq("id", coachId).throwOnError();
    assertRefused(await ask(service, "GET", path, as(owner!)), "coach_not_found");
  });
});

const expertKey = { requests_per_minute: 1_000, scopes: ["expert", "chat"] };

/** Has a person ask something that the persona does not know; null where it is not kept. */
async function keep(tenant: Pick<Tenant, "accountId" | "coachId">, user_id: string, question: string) {
  const { threadId, messageId } = await storeAnswer(tenant as Tenant, {
    content: "I do not know",
    status: "complete",
    user_id,
  });
  return { threadId, messageId, questionId: await storeQuestion(messageId, question) };
}

Deno.test("a person opens at most ten questions of a coach a day", async (t) => {
  await using service = await startService();
  const tenant = await createTenant(expertKey);
  const { coachId, modelName } = tenant;
  const numbers = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
  const kept: Awaited<ReturnType<typeof keep>>[] = [];
  for (const number of numbers) kept.push(await keep(tenant, "ann", `May I bring ${number} owls?`));

  await t.step(
    "the eleventh is not kept; the answer says that it does not know, not that it passes it on",
    async () => {
      const call = { id: "call_1", name: "ask_expert", arguments: { question: "Any herons?", for_human: false } };
      service.model.script(modelName, { steps: [{ call }] }, { steps: [{ text: "I do not know." }] });
      const body = { message: "Any herons?", context: { coachId, userId: "ann" } };
      const reply = await ask(service, "POST", "/chat", tenant, body, { headers: { Accept: "application/json" } });
      assertEquals([reply.json.message.content, reply.json.sources], ["I do not know.", []]);
      const input = service.model.requestsOf(modelName).at(-1)!.body.input as { output?: string }[];
      assertMatch(input.at(-1)!.output!, /"passed_on":false/);
      assertEquals((await clientOf(service, tenant).listQuestions(coachId)).count, 10);
    },
  );
  await t.step("those of other people, and of another coach, are", async () => {
    const other = await createCoach(tenant.accountId);
    for (const [place, person] of [[tenant, "ben"], [{ ...tenant, coachId: other.id }, "ann"]] as const) {
      assertEquals(typeof (await keep(place, person, "Any herons?")).questionId, "string");
    }
  });
  await t.step("a day later, there is room again", async () => {
    const { messageId } = kept[0]!;
    const ago = new Date(Date.now() - 25 * 3_600_000).toISOString();
    await operator.from("messages").update({ created_at: ago }).eq("id", messageId).throwOnError();
    assertEquals((await keep(tenant, "ann", "Any cranes?")).questionId, null, "as it was asked");
    await operator.from("messages").delete().eq("id", messageId).throwOnError();
    assertEquals(typeof (await keep(tenant, "ann", "Any cranes?")).questionId, "string");
  });
});

Deno.test("POST /coaches/{coachId}/questions/dismiss", async (t) => {
  await using service = await startService();
  const tenant = await createTenant(expertKey);
  const stranger = await createTenant(expertKey);
  const client = clientOf(service, tenant);
  const path = `/coaches/${tenant.coachId}/questions/dismiss`;
  const dismiss = (body: object, credentials: Credentials = tenant) => ask(service, "POST", path, credentials, body);
  const open = async () => (await client.listQuestions(tenant.coachId)).data.map(({ question }) => question).toSorted();
  const first = await keep(tenant, "ann", "Any owls?");
  const second = await keep(tenant, "ann", "Any herons?");
  await keep(tenant, "ann", "Any cranes?");
  await keep(tenant, "ben", "Any cranes?");
  await keep(tenant, "ben", "Any gulls?");

  await t.step("dismisses what the thread has asked, and each can be reopened", async () => {
    const reply = await dismiss({ thread_id: first.threadId });
    assertReply(reply, 200, { question_ids: [first.questionId] });
    assertEquals(await open(), ["Any cranes?", "Any gulls?", "Any herons?"]);
    assertReply(await dismiss({ thread_id: first.threadId }), 200, { question_ids: [] });
    assertEquals((await client.reopenQuestion(tenant.coachId, first.questionId!)).status, "open");
  });
  await t.step("with of_person, what they have asked in any thread, but nothing that others asked too", async () => {
    const { question_ids } = await client.dismissQuestions(tenant.coachId, {
      thread_id: first.threadId,
      of_person: true,
    });
    assertEquals(question_ids.toSorted(), [first.questionId!, second.questionId!].toSorted());
    assertEquals(await open(), ["Any cranes?", "Any gulls?"]);
  });
  await t.step("not for a stranger, for the person, or for a thread of another coach", async () => {
    const other = await createCoach(tenant.accountId);
    const elsewhere = await keep({ ...tenant, coachId: other.id }, "ben", "Any gulls?");
    const user = await createUser();
    const body = { thread_id: first.threadId, of_person: true };
    assertEquals((await dismiss(body, stranger)).status, 404);
    assertEquals((await dismiss(body, { ...tenant, accessToken: user.accessToken })).status, 403);
    for (const thread_id of [elsewhere.threadId, crypto.randomUUID()]) {
      assertRefused(await dismiss({ thread_id, of_person: true }), "thread_not_found");
    }
    for (const wrong of [{}, { thread_id: "x" }, { thread_id: first.threadId, of_person: 1 }]) {
      assertEquals((await dismiss(wrong)).status, 400);
    }
    assertEquals(await open(), ["Any cranes?", "Any gulls?"]);
  });
});

Deno.test("the list of questions for triage", async (t) => {
  await using service = await startService();
  const tenant = await createTenant(expertKey);
  const client = clientOf(service, tenant);
  const list = async (query: Parameters<typeof client.listQuestions>[1] = {}) =>
    (await client.listQuestions(tenant.coachId, query)).data.map(({ question, off_topic }) => [question, off_topic]);
  await keep(tenant, "ann", "What is the capital of Mongolia?");
  await keep(tenant, "ann", "How do owls sleep?");

  await t.step("without files, nothing is off topic", async () => {
    assertEquals(await list({ off_topic: "true" }), []);
  });
  await t.step("of what one person has asked, the latest comes first; what more people asked, before it", async () => {
    for (let time = 0; time < 3; time++) await keep(tenant, "ben", "May I feed them?");
    await keep(tenant, "cat", "When do they wake?");
    assertEquals((await list()).map(([question]) => question), [
      "When do they wake?",
      "May I feed them?",
      "How do owls sleep?",
      "What is the capital of Mongolia?",
    ]);
    await keep(tenant, "dan", "How do owls sleep?");
    const pages: (string | null)[] = [];
    let cursor: string | undefined;
    do {
      const page = await client.listQuestions(tenant.coachId, { limit: 1, cursor });
      pages.push(page.data[0]!.question);
      cursor = page.next_cursor ?? undefined;
    } while (cursor);
    assertEquals(pages, [
      "How do owls sleep?",
      "When do they wake?",
      "May I feed them?",
      "What is the capital of Mongolia?",
    ]);
  });
  await t.step("off topic is what shares no rare word with any passage", async () => {
    const common = Array.from({ length: 9 }, (_, index) => `Number ${index}: what a capital idea, they wake.`);
    await addFile(tenant, "owls.md", "Owls sleep by day. Feed them mice.", ...common);
    assertEquals(await list(), [
      ["How do owls sleep?", false],
      ["When do they wake?", true],
      ["May I feed them?", false],
      ["What is the capital of Mongolia?", true],
    ]);
    assertEquals(await list({ off_topic: "true", limit: 1 }), [["When do they wake?", true]]);
    assertEquals((await list({ off_topic: "false" })).length, 2);
    // Whoever asks for a human is not put away, whatever they ask.
    const { messageId } = await keep(tenant, "eve", "What is the capital of Mongolia?");
    await storeQuestion(messageId, "What is the capital of Mongolia?", { isForHuman: true });
    assertEquals((await list({ off_topic: "true" })).length, 1);
    const reply = await ask(service, "GET", `/coaches/${tenant.coachId}/questions?off_topic=1`, tenant);
    assertInvalid(reply, "off_topic must be true or false");
  });
});
