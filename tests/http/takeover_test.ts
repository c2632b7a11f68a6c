import { assert, assertEquals, assertNotEquals } from "../support/assert.ts";
import { eventually } from "../support/eventually.ts";
import {
  acceptOf,
  ask,
  assertInvalid,
  assertRefused,
  assertReply,
  chat,
  clientOf,
  type Credentials,
  readEvents,
  receive,
  type Reply,
} from "../support/client.ts";
import { handOver } from "../support/hand_over.ts";
import { sweep } from "../support/knowledge.ts";
import {
  allScopes,
  createCoach,
  createTenant,
  createUser,
  issueKey,
  issuePublishableKey,
  operator,
} from "../support/project.ts";
import { startService } from "../support/service.ts";
import { changeAnswer, startTurn, storeAnswer, storedAnswer } from "../support/turns.ts";

/** The parts of a listed message: author, status and text. */
type Shown = [author: string, status: string, content: string];

const quick = { poll: 20, flush: 20, stop: 100 };

/** The row of a thread. */
async function rowOf(threadId: string) {
  return (await operator.from("threads").select("*").eq("id", threadId).single().throwOnError()).data;
}

/** Ends a takeover as time does. */
async function expire(threadId: string) {
  const past = new Date(Date.now() - 1_000).toISOString();
  await operator.from("threads").update({ taken_over_until: past }).eq("id", threadId).throwOnError();
}

async function prepare() {
  await using stack = new AsyncDisposableStack();
  const service = stack.use(await startService({ losesReplies: true, timeouts: quick }));
  const tenant = await createTenant({ requests_per_minute: 10_000, scopes: allScopes });
  const context = { coachId: tenant.coachId, userId: "u" };
  const post = (threadId: string, action: string, body?: unknown, credentials: Credentials = tenant) =>
    ask(service, "POST", `/threads/${threadId}/${action}`, credentials, body);
  const takeOver = (threadId: string) => post(threadId, "takeover");
  const release = (threadId: string) => post(threadId, "release");
  const say = (threadId: string, content: string, more = {}) => post(threadId, "messages", { content, ...more });
  const asked = () => service.model.requestsOf(tenant.modelName).length;

  /** A thread with one turn. */
  async function talked() {
    service.model.script(tenant.modelName, { steps: [{ text: "Well." }] });
    return await chat(service, tenant, { message: "First", context });
  }

  /** Asks in a thread that is taken over. */
  async function question(threadId: string, message: string): Promise<Reply> {
    const init = { headers: { Accept: acceptOf.object } };
    const reply = await ask(service, "POST", "/chat", tenant, { message, thread_id: threadId }, init);
    assertReply(reply, 200);
    assertEquals(reply.json.status, "waiting", reply.text);
    return reply;
  }

  /** The messages of a thread as they are listed; checks that they are in order, and that their number is right. */
  async function listed(threadId: string): Promise<Shown[]> {
    const { json } = await ask(service, "GET", `/threads/${threadId}/messages?include=status,author`, tenant);
    const times = json.data.map(({ created_at }: { created_at: string }) => created_at);
    assertEquals(times, [...new Set(times)].toSorted());
    const page = await ask(service, "GET", `/threads/${threadId}/messages?limit=1`, tenant);
    const withText = json.data.filter(({ content }: { content: string }) => content !== "");
    assertEquals(page.json.count, withText.length);
    return json.data.map(({ author, status, content }: Record<string, string>) => [author, status, content]);
  }

  const first: Shown[] = [["user", "complete", "First"], ["ai", "complete", "Well."]];
  return handOver(stack, {
    service,
    tenant,
    context,
    post,
    takeOver,
    release,
    say,
    asked,
    talked,
    question,
    listed,
    first,
  });
}

Deno.test("questions of a thread that is taken over wait for the expert", async (t) => {
  await using prepared = await prepare();
  const { service, tenant, takeOver, release, say, asked, talked, question, listed, first } = prepared;

  await t.step("a thread that is taken over shows it, and its questions wait without the model", async () => {
    const { threadId } = await talked();
    const taken = await takeOver(threadId);
    assertReply(taken, 200);
    assertEquals(taken.json, (await ask(service, "GET", `/threads/${threadId}`, tenant)).json);
    assertEquals([taken.json.id, taken.json.handled_by, taken.json.active_message_id], [threadId, "expert", null]);
    assertEquals(
      Date.parse(taken.json.taken_over_until),
      Math.floor(Date.parse((await rowOf(threadId)).taken_over_until!)),
    );
    const list = await ask(service, "GET", "/users/u/threads?include=state", tenant);
    assertEquals(list.json.data[0].taken_over_until, taken.json.taken_over_until);
    const before = asked();
    await question(threadId, "Are you there?");
    assertEquals(asked(), before);
    assertEquals(await listed(threadId), [...first, ["user", "complete", "Are you there?"], ["ai", "waiting", ""]]);
    assertNotEquals((await rowOf(threadId)).needs_reply_at, null);
  });

  await t.step("taking over again only makes it last longer", async () => {
    const { threadId } = await talked();
    const once = await takeOver(threadId);
    const { taken_over_until: until } = await rowOf(threadId);
    const twice = await takeOver(threadId);
    assertEquals({ ...twice.json, taken_over_until: "" }, { ...once.json, taken_over_until: "" });
    assert(twice.json.taken_over_until >= once.json.taken_over_until);
    assert(Date.parse((await rowOf(threadId)).taken_over_until!) >= Date.parse(until!));
    const minutes = (Date.parse(until!) - Date.now()) / 60_000;
    assert(minutes > 58 && minutes <= 60, String(minutes));
  });

  await t.step("a message of the expert answers the oldest question that waits, the next one the next", async () => {
    const { threadId } = await talked();
    await takeOver(threadId);
    const ids = [];
    for (const text of ["One?", "Two?"]) ids.push((await question(threadId, text)).json.message.id);
    const said = await say(threadId, "One 😀.");
    assertReply(said, 200);
    const { created_at, ...message } = said.json;
    assertEquals(message, {
      id: ids[0],
      thread_id: threadId,
      content: "One 😀.",
      role: "assistant",
      response_id: null,
      status: "complete",
      author: "expert",
    });
    const { run_id, model, sources, error, is_by_expert } = await storedAnswer(ids[0]);
    assertEquals([run_id, model, sources, error, is_by_expert], [null, null, null, null, true]);
    assertEquals(await listed(threadId), [
      ...first,
      ["user", "complete", "One?"],
      ["expert", "complete", "One 😀."],
      ["user", "complete", "Two?"],
      ["ai", "waiting", ""],
    ]);
    assertNotEquals((await rowOf(threadId)).needs_reply_at, null);

    assertEquals((await say(threadId, "Two.")).json.id, ids[1]);
    assertEquals((await rowOf(threadId)).needs_reply_at, null);
    const alone = await say(threadId, "And a third thing.");
    assert(!ids.includes(alone.json.id) && alone.json.created_at > created_at);
    assertEquals((await listed(threadId)).slice(2), [
      ["user", "complete", "One?"],
      ["expert", "complete", "One 😀."],
      ["user", "complete", "Two?"],
      ["expert", "complete", "Two."],
      ["expert", "complete", "And a third thing."],
    ]);
  });

  await t.step("whoever repeats the question reads the expert's answer, as does who follows it", async () => {
    const { threadId } = await talked();
    await takeOver(threadId);
    const body = { message: "Again?", thread_id: threadId, idempotency_key: crypto.randomUUID() };
    const waiting = await ask(service, "POST", "/chat", tenant, body, { headers: { Accept: acceptOf.object } });
    await say(threadId, "In person");
    const again = await ask(service, "POST", "/chat", tenant, body, { headers: { Accept: acceptOf.object } });
    assertEquals(
      [again.json.message.id, again.json.message.content, again.json.status, again.json.author],
      [waiting.json.message.id, "In person", "complete", "expert"],
    );
    const followed = await ask(service, "GET", `/chat/${waiting.json.message.id}/stream`, tenant);
    assertEquals(readEvents(followed.text), "In person");
  });

  await t.step("a message takes over by itself, and the model is silent until the release", async () => {
    const { threadId } = await talked();
    assertReply(await say(threadId, "Let me take this."), 200);
    assertEquals((await listed(threadId)).at(-1), ["expert", "complete", "Let me take this."]);
    assertEquals((await ask(service, "GET", `/threads/${threadId}`, tenant)).json.handled_by, "expert");
    assertEquals((await release(threadId)).json.handled_by, "ai");
    service.model.script(tenant.modelName, { steps: [{ text: "The model." }] });
    await chat(service, tenant, { message: "And now?", thread_id: threadId });
    assertEquals((await listed(threadId)).at(-1), ["ai", "complete", "The model."]);
    // What the expert has said is part of the conversation.
    const { input } = service.model.requestsOf(tenant.modelName).at(-1)!.body;
    assert(JSON.stringify(input).includes("Let me take this."));
  });

  await t.step("each message of the expert makes the takeover last longer", async () => {
    const { threadId } = await talked();
    await takeOver(threadId);
    const soon = new Date(Date.now() + 60_000).toISOString();
    await operator.from("threads").update({ taken_over_until: soon }).eq("id", threadId).throwOnError();
    await say(threadId, "Still here");
    assert(Date.parse((await rowOf(threadId)).taken_over_until!) > Date.now() + 58 * 60_000);
  });
});

Deno.test("a takeover and the answer that is being written", async (t) => {
  await using prepared = await prepare();
  const { service, tenant, context, takeOver, say, asked, talked, listed, first } = prepared;

  await t.step("an answer with text that is being written ends with it, and nothing is added", async () => {
    const turn = await startTurn(service, tenant, { said: ["So far"], rest: [{ text: " and more" }] });
    await eventually(async () => (await storedAnswer(turn.messageId)).content !== "", "the text is stored");
    assertReply(await takeOver(turn.threadId), 200);
    assertEquals((await storedAnswer(turn.messageId)).status, "stopped");
    await turn.reply;
    turn.goOn();
    await say(turn.threadId, "My own words");
    assertEquals(await listed(turn.threadId), [
      ["user", "complete", "Talk"],
      ["ai", "stopped", "So far"],
      ["expert", "complete", "My own words"],
    ]);
  });

  await t.step("an answer without text waits; its run ends without a word, and the expert answers", async () => {
    for (const isAbandoned of [false, true]) {
      const { promise, resolve } = Promise.withResolvers<void>();
      service.model.script(tenant.modelName, { steps: [{ waitFor: promise }, { text: "Too late" }] });
      const before = asked();
      const reply = ask(service, "POST", "/chat", tenant, { message: "Talk", context }).catch(() => null);
      await eventually(() => asked() > before, "the model is asked");
      const { id: threadId } = await rowOfNewest(tenant.coachId);
      const { data: answer } = await operator.from("messages").select("id").eq("thread_id", threadId)
        .eq("role", "assistant").single().throwOnError();
      if (isAbandoned) await changeAnswer(answer.id, { updated_at: new Date(0).toISOString() });
      assertReply(await takeOver(threadId), 200);
      assertEquals((await storedAnswer(answer.id)).status, "waiting");
      // The run ends by itself: the model has not gone on.
      await reply;
      await service.turns();
      resolve();
      assertEquals(await listed(threadId), [["user", "complete", "Talk"], ["ai", "waiting", ""]]);
      assertEquals((await say(threadId, "In person")).json.id, answer.id);
      assertEquals(await listed(threadId), [["user", "complete", "Talk"], ["expert", "complete", "In person"]]);
    }
  });

  await t.step("a retry that is being written: the earlier answer comes back, or what the retry has said", async () => {
    for (const said of ["", "Something new"]) {
      const { threadId, messageId } = await talked();
      const { promise, resolve } = Promise.withResolvers<void>();
      const steps = [...said === "" ? [] : [{ text: said }], { waitFor: promise }, { text: " and too late" }];
      service.model.script(tenant.modelName, { steps });
      const before = asked();
      const reply = ask(service, "POST", `/chat/${messageId}/retry`, tenant).catch(() => null);
      await eventually(() => asked() > before, "the model is asked");
      await eventually(async () => (await storedAnswer(messageId)).content === (said || "Well."), "it is stored");
      assertReply(await takeOver(threadId), 200);
      const expected: Shown[] = [["user", "complete", "First"], said === "" ? first[1]! : ["ai", "stopped", said]];
      assertEquals(await listed(threadId), expected);
      await reply;
      resolve();
      await service.turns();
      assertEquals(await listed(threadId), expected);
      assertEquals((await storedAnswer(messageId)).previous, null);
      await say(threadId, "In person");
      assertEquals(await listed(threadId), [...expected, ["expert", "complete", "In person"]]);
    }
  });

  await t.step("an answer that its user has just stopped does not wait for the expert", async () => {
    const { threadId, messageId } = await storeAnswer(tenant, { content: "", status: "streaming" });
    await changeAnswer(messageId, { stop_requested_at: new Date().toISOString() });
    await takeOver(threadId);
    assertEquals((await storedAnswer(messageId)).status, "stopped");
  });
});

Deno.test("a release, by the expert or by itself", async (t) => {
  await using prepared = await prepare();
  const { service, tenant, takeOver, release, say, talked, question, listed, first } = prepared;

  await t.step("a release twice, or of a thread that nobody has taken over, changes nothing", async () => {
    const { threadId } = await talked();
    const { json: before } = await ask(service, "GET", `/threads/${threadId}`, tenant);
    service.supabase.requests.splice(0);
    for (const _ of [1, 2]) assertReply(await release(threadId), 200, before);
    assertEquals(service.supabase.requests.filter((path) => path.includes("indexer")), []);
  });

  await t.step("after a release, nobody who has asked for a human waits for the expert", async () => {
    const { threadId } = await talked();
    const call = async () =>
      await operator.from("threads").update({ needs_reply_at: new Date().toISOString() }).eq("id", threadId)
        .throwOnError();
    for (const begin of [takeOver, () => Promise.resolve()]) {
      await call();
      await begin(threadId);
      assertNotEquals((await rowOf(threadId)).needs_reply_at, null);
      await release(threadId);
      assertEquals((await rowOf(threadId)).needs_reply_at, null);
    }
  });

  await t.step("a release with a question that waits wakes the indexer", async () => {
    const { threadId } = await talked();
    await takeOver(threadId);
    await question(threadId, "One?");
    service.supabase.requests.splice(0);
    assertEquals((await release(threadId)).json.handled_by, "ai");
    await service.turns();
    assert(service.supabase.requests.some((path) => path.endsWith("/take_indexing_work")));
  });

  await t.step("a takeover ends by itself, at once and in the next sweep", async () => {
    const { threadId } = await talked();
    await takeOver(threadId);
    await expire(threadId);
    const { handled_by, taken_over_until } = (await ask(service, "GET", `/threads/${threadId}`, tenant)).json;
    assertEquals([handled_by, taken_over_until], ["ai", null]);
    await sweep(service);
    assertEquals((await rowOf(threadId)).taken_over_until, null);
  });

  await t.step("after a release the model answers what waits, the oldest first", async () => {
    const { threadId } = await talked();
    await takeOver(threadId);
    await question(threadId, "One?");
    await question(threadId, "Two?");
    service.model.script(tenant.modelName, { steps: [{ text: "For one." }] }, { steps: [{ text: "For two." }] });
    assertEquals((await release(threadId)).json.handled_by, "ai");
    await service.turns();
    assertEquals((await listed(threadId)).slice(2), [
      ["user", "complete", "One?"],
      ["ai", "complete", "For one."],
      ["user", "complete", "Two?"],
      ["ai", "complete", "For two."],
    ]);
    assertEquals((await rowOf(threadId)).needs_reply_at, null);
  });

  await t.step("a takeover ends by itself, and the sweep has the model answer what waits", async () => {
    const { threadId } = await talked();
    await takeOver(threadId);
    await question(threadId, "One?");
    await expire(threadId);
    assertEquals((await ask(service, "GET", `/threads/${threadId}`, tenant)).json.handled_by, "ai");
    service.model.script(tenant.modelName, { steps: [{ text: "For one." }] });
    await sweep(service);
    assertEquals((await rowOf(threadId)).taken_over_until, null);
    assertEquals((await listed(threadId)).slice(2), [["user", "complete", "One?"], ["ai", "complete", "For one."]]);
  });

  await t.step("two experts at once: one answers the question, the other stands alone, no word is lost", async () => {
    const { threadId } = await talked();
    await takeOver(threadId);
    const { json } = await question(threadId, "One?");
    const texts = ["a", "b", "c", "d"];
    const replies = await Promise.all(texts.map((text) => say(threadId, text)));
    for (const reply of replies) assertReply(reply, 200);
    assertEquals(replies.filter((reply) => reply.json.id === json.message.id).length, 1);
    const shown = await listed(threadId);
    assertEquals(shown.slice(0, 3), [...first, ["user", "complete", "One?"]]);
    assertEquals(shown.slice(3).map(([author, status]) => [author, status]), texts.map(() => ["expert", "complete"]));
    assertEquals(shown.slice(3).map(([, , content]) => content).toSorted(), texts);
  });

  await t.step("a question and the expert's messages at once: each question has one answer, in its place", async () => {
    const { threadId } = await talked();
    for (const round of [1, 2, 3]) {
      await release(threadId);
      service.model.script(tenant.modelName, { steps: [{ text: `Model ${round}` }] });
      // The stream of an answer that the expert takes over may break off.
      const question = receive(service, "POST", "/chat", tenant, { message: `Q ${round}`, thread_id: threadId });
      const said = [say(threadId, `E ${round}`), takeOver(threadId)];
      for (const reply of await Promise.all(said)) assertReply(reply, 200);
      assertEquals((await question).status, 200);
    }
    await service.turns();
    const shown = await listed(threadId);
    const saidBy = (one: string) => shown.filter(([author]) => author === one).map(([, , content]) => content);
    assertEquals(saidBy("user"), ["First", "Q 1", "Q 2", "Q 3"]);
    assertEquals(saidBy("expert"), ["E 1", "E 2", "E 3"]);
    shown.forEach(([author], index) => author === "user" && assertNotEquals(shown[index + 1]?.[0] ?? "user", "user"));
    assertEquals(shown.filter(([, status]) => status === "streaming" || status === "failed"), []);
  });
});

Deno.test("messages of the expert are stored once, and only good ones", async (t) => {
  await using prepared = await prepare();
  const { service, tenant, post, takeOver, release, say, talked, question, listed, first } = prepared;

  await t.step("with the same key, a message is stored once, however often and how quickly it comes", async () => {
    const { threadId } = await talked();
    await takeOver(threadId);
    await question(threadId, "One?");
    const idempotency_key = crypto.randomUUID();
    const replies = await Promise.all([1, 2, 3, 4].map(() => say(threadId, "Once", { idempotency_key })));
    for (const reply of replies) assertReply(reply, 200, replies[0]!.json);
    await release(threadId);
    assertReply(await say(threadId, "Once", { idempotency_key }), 200, replies[0]!.json);
    // A repetition is not a message: it takes nothing over.
    assertEquals((await rowOf(threadId)).taken_over_until, null);
    assertEquals((await listed(threadId)).at(-1), ["expert", "complete", "Once"]);
    assertEquals((await listed(threadId)).length, 4);
    for (const [thread, content] of [[threadId, "Other"], [(await talked()).threadId, "Once"]] as const) {
      const reused = await say(thread, content, { idempotency_key });
      assertRefused(reused, "idempotency_key_reused");
    }
    // That of an expert who is signed in is another one.
    const { id, accessToken } = await createUser();
    await operator.from("coach_profiles").update({ owner_id: id }).eq("id", tenant.coachId).throwOnError();
    const body = { content: "Other", idempotency_key };
    assertReply(await ask(service, "POST", `/threads/${threadId}/messages`, { ...tenant, accessToken }, body), 200);
  });

  await t.step("a call whose reply is lost is made again, and says nothing twice", async () => {
    const { threadId } = await talked();
    let lost = 0;
    service.supabase.fault = (path) => path.endsWith("/say_as_expert") && lost++ === 0 ? "lose" : "pass";
    assertReply(await say(threadId, "Once"), 200);
    service.supabase.fault = "pass";
    assertEquals(lost, 2);
    assertEquals(await listed(threadId), [...first, ["expert", "complete", "Once"]]);
  });

  await t.step("what the expert has said is not run again", async () => {
    const { threadId } = await talked();
    await takeOver(threadId);
    await question(threadId, "One?");
    const { json } = await say(threadId, "In person");
    const reply = await ask(service, "POST", `/chat/${json.id}/retry`, tenant);
    assertReply(reply, 409);
    assertEquals(reply.headers.get("X-Error-Code"), "answer_not_retryable");
    await release(threadId);
    assertEquals((await ask(service, "POST", `/chat/${json.id}/retry`, tenant)).status, 409);
  });

  await t.step("the coach that is put away still has its expert", async () => {
    const resting = await createCoach(tenant.accountId, { is_active: false });
    const { threadId } = await storeAnswer({ ...tenant, coachId: resting.id }, { content: "Said", status: "complete" });
    assertReply(await takeOver(threadId), 200);
    assertReply(await say(threadId, "Good bye"), 200);
    assertReply(await release(threadId), 200);
  });

  await t.step("with the typed client", async () => {
    const { threadId } = await talked();
    const client = clientOf(service, tenant);
    assertEquals((await client.takeOver(threadId)).handled_by, "expert");
    const idempotencyKey = crypto.randomUUID();
    const said = await client.sayAsExpert(threadId, { content: "Typed" }, { idempotencyKey });
    assertEquals([said.author, said.content], ["expert", "Typed"]);
    assertEquals((await client.sayAsExpert(threadId, { content: "Typed" }, { idempotencyKey })).id, said.id);
    assertEquals((await client.releaseThread(threadId)).handled_by, "ai");
  });

  const storable = "content must not contain NUL characters or unpaired surrogates";
  for (
    const [body, error] of [
      [{}, "content is required"],
      [{ content: 1 }, "content must be a string"],
      [{ content: " \n" }, "content must not be blank"],
      [{ content: "x".repeat(32_001) }, "content must be at most 32,000 characters long"],
      [{ content: "a\0" }, storable],
      [{ content: "a\ud800" }, storable],
      [{ content: "a", idempotency_key: "" }, "idempotency_key must be 1 to 255 printable ASCII characters"],
    ] as const
  ) {
    await t.step(`${JSON.stringify(body).slice(0, 40)} → 400, and nothing is taken over`, async () => {
      const { threadId } = await storeAnswer(tenant, { content: "Said", status: "complete" });
      assertInvalid(await post(threadId, "messages", body), error);
      assertEquals((await rowOf(threadId)).taken_over_until, null);
    });
  }

  await t.step("32,000 characters are not too many", async () => {
    const { threadId } = await talked();
    assertReply(await say(threadId, "😀".repeat(32_000)), 200);
  });
});

/** The thread of a coach that was made last. */
async function rowOfNewest(coachId: string) {
  const { data } = await operator.from("threads").select("*").eq("coach_id", coachId)
    .order("created_at", { ascending: false }).limit(1).single().throwOnError();
  return data;
}

Deno.test("only the expert behind a coach takes over, and only where they are", async (t) => {
  await using service = await startService({ timeouts: quick });
  const expert = await createUser();
  const tenant = await createTenant({ requests_per_minute: 10_000 }, { owner_id: expert.id });
  const foreign = await createTenant({ scopes: allScopes });
  const [user, ofOtherCoach] = [await createUser(), await createUser()];
  await createCoach(tenant.accountId, { owner_id: ofOtherCoach.id });
  const page = await issuePublishableKey(tenant.accountId);
  const server = await issueKey(tenant.accountId, { scopes: ["expert"] });
  const answer = { content: "Said", status: "complete", user_id: user.id };

  const callers: [name: string, credentials: Credentials, status: number, code?: string][] = [
    ["the expert with any key", { ...tenant, accessToken: expert.accessToken }, 200],
    ["the expert in a page", { ...page, accessToken: expert.accessToken }, 200],
    ["a server with the scope", server, 200],
    ["a server without it", { apiKey: tenant.apiKey }, 403, "missing_scope"],
    ["the user of the thread", { ...tenant, accessToken: user.accessToken }, 403, "not_the_expert"],
    ["the user with a key that has the scope", { ...server, accessToken: user.accessToken }, 403, "not_the_expert"],
    ["the user in a page", { ...page, accessToken: user.accessToken }, 403, "not_the_expert"],
    ["the expert of another coach", { ...tenant, accessToken: ofOtherCoach.accessToken }, 403, "not_the_expert"],
    ["another account", foreign, 404, "thread_not_found"],
    [
      "the expert with a key of another account",
      { ...foreign, accessToken: expert.accessToken },
      404,
      "thread_not_found",
    ],
  ];
  const actions = [["takeover"], ["messages", { content: "Here I am" }], ["release"]] as const;
  for (const [name, credentials, status, code] of callers) {
    await t.step(`${name} → ${code ?? status}`, async () => {
      for (const [action, body] of actions) {
        const { threadId } = await storeAnswer(tenant, answer);
        const reply = await ask(service, "POST", `/threads/${threadId}/${action}`, credentials, body);
        assertEquals([reply.status, reply.headers.get("X-Error-Code") ?? undefined], [status, code], reply.text);
        const isTaken = (await rowOf(threadId)).taken_over_until !== null;
        assertEquals(isTaken, status === 200 && action !== "release");
        const { count } = await operator.from("messages").select("*", { count: "exact" }).eq("thread_id", threadId)
          .throwOnError();
        assertEquals(count, status === 200 && action === "messages" ? 3 : 2);
      }
    });
  }

  await t.step("a thread that does not exist, or cannot → 404 thread_not_found", async () => {
    for (const id of [crypto.randomUUID(), "7", "%00", "'"]) {
      for (const [action, body] of actions) {
        assertRefused(await ask(service, "POST", `/threads/${id}/${action}`, server, body), "thread_not_found");
      }
    }
  });

  await t.step("the user sees who answers, and reads what the expert has said", async () => {
    const { threadId } = await storeAnswer(tenant, answer);
    await ask(service, "POST", `/threads/${threadId}/messages`, server, { content: "Here I am" });
    const asUser = { ...page, accessToken: user.accessToken };
    assertEquals((await ask(service, "GET", `/threads/${threadId}`, asUser)).json.handled_by, "expert");
    const { json } = await ask(service, "GET", `/threads/${threadId}/messages?include=author`, asUser);
    assertEquals(json.data.map(({ author }: { author: string }) => author), ["user", "ai", "expert"]);
  });
});
