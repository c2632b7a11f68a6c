import { assert, assertEquals, assertRejects } from "../support/assert.ts";
import { ask, assertInvalid, assertRefused, assertReply, clientOf, type Credentials } from "../support/client.ts";
import { handOver } from "../support/hand_over.ts";
import { createTenant, createUser, issueKey, operator } from "../support/project.ts";
import { startService } from "../support/service.ts";
import { startTurn, storeAnswer } from "../support/turns.ts";

/** The feedback as it is stored; null for none. */
async function storedFeedback(messageId: string) {
  const { data } = await operator.from("feedback").select("*").eq("message_id", messageId).maybeSingle().throwOnError();
  return data;
}

const pathOf = (threadId: string, messageId: string) => `/threads/${threadId}/messages/${messageId}/feedback`;

async function prepare() {
  await using stack = new AsyncDisposableStack();
  const service = stack.use(await startService({ timeouts: { flush: 20 } }));
  const tenant = await createTenant({ requests_per_minute: 1_000 });
  const { threadId, messageId } = await storeAnswer(tenant, { content: "Said", status: "complete" });
  const rate = (body: unknown, ids = { threadId, messageId }, credentials: Credentials = tenant) =>
    ask(service, "PUT", pathOf(ids.threadId, ids.messageId), credentials, body);
  const shown = async () => {
    const path = `/threads/${threadId}/messages?include=feedback`;
    return (await ask(service, "GET", path, tenant)).json.data[1].feedback;
  };
  return handOver(stack, { service, tenant, threadId, messageId, rate, shown });
}

Deno.test("PUT /threads/{threadId}/messages/{messageId}/feedback", async (t) => {
  await using prepared = await prepare();
  const { service, tenant, messageId, rate, shown } = prepared;

  await t.step("stores a rating, which the list of messages shows", async () => {
    assertReply(await rate({ rating: "up" }), 200, { messageId, rating: "up", comment: null });
    assertEquals(await shown(), { rating: "up", comment: null });
  });

  await t.step("a later one takes its place, comment and all: there is only ever one", async () => {
    assertReply(await rate({ rating: "down", comment: "Too long 😀" }), 200, {
      messageId,
      rating: "down",
      comment: "Too long 😀",
    });
    assertEquals(await shown(), { rating: "down", comment: "Too long 😀" });
    assertReply(await rate({ rating: "down" }), 200, { messageId, rating: "down", comment: null });
    assertEquals(await shown(), { rating: "down", comment: null });
  });

  await t.step("the same again changes nothing, also at the same time", async () => {
    const body = { rating: "up", comment: "Yes" };
    await rate(body);
    const before = await storedFeedback(messageId);
    const replies = await Promise.all(Array.from({ length: 5 }, () => rate(body)));
    for (const reply of replies) assertReply(reply, 200, { messageId, ...body });
    assertEquals(await storedFeedback(messageId), before);
  });

  await t.step("different ones at the same time: one of them is stored, whole", async () => {
    await rate({ rating: null });
    const bodies = ["up", "down", "up", "down"].map((rating, index) => ({ rating, comment: `${rating} ${index}` }));
    const replies = await Promise.all(bodies.map((body) => rate(body)));
    replies.forEach((reply, index) => assertReply(reply, 200, { messageId, ...bodies[index] }));
    const { rating, comment } = await shown();
    assert(bodies.some((body) => body.rating === rating && body.comment === comment));
  });

  await t.step("null takes it back, as often as it is sent", async () => {
    for (const comment of [undefined, "ignored"]) {
      assertReply(await rate({ rating: null, comment }), 200, { messageId, rating: null, comment: null });
      assertEquals(await storedFeedback(messageId), null);
      assertEquals(await shown(), null);
    }
  });

  for (const status of ["stopped", "failed"]) {
    await t.step(`an answer that is ${status} can be rated`, async () => {
      const ids = await storeAnswer(tenant, { content: "Half", status });
      assertReply(await rate({ rating: "down" }, ids), 200, {
        messageId: ids.messageId,
        rating: "down",
        comment: null,
      });
    });
  }

  await t.step("an answer that is being written → 409, and can be rated when it has ended", async () => {
    const turn = await startTurn(service, tenant, { said: ["So far"] });
    for (const rating of ["up", null]) {
      const reply = await rate({ rating }, turn);
      assertRefused(reply, "answer_unfinished");
    }
    assertEquals(await storedFeedback(turn.messageId), null);
    turn.goOn();
    await turn.reply;
    assertReply(await rate({ rating: "up" }, turn), 200);
    const waiting = await storeAnswer(tenant, { content: "", status: "waiting" });
    assertRefused(await rate({ rating: "up" }, waiting), "answer_unfinished");
  });
});

Deno.test("PUT /threads/{threadId}/messages/{messageId}/feedback: what cannot be rated", async (t) => {
  await using prepared = await prepare();
  const { service, tenant, threadId, messageId, rate, shown } = prepared;

  await t.step("a question, an answer of another thread, an unknown message → 404 message_not_found", async () => {
    const other = await storeAnswer(tenant, { content: "Other", status: "complete" });
    const { data } = await operator.from("messages").select("id").eq("thread_id", threadId).eq("role", "user").single()
      .throwOnError();
    for (const id of [data.id, other.messageId, crypto.randomUUID(), threadId, "7", "%00", "'", "x".repeat(500)]) {
      assertRefused(await rate({ rating: "up" }, { threadId, messageId: id }), "message_not_found");
    }
    const { count } = await operator.from("feedback").select("*", { count: "exact" })
      .in("message_id", [data.id, other.messageId]).throwOnError();
    assertEquals(count, 0);
  });

  await t.step("an unknown thread → 404 thread_not_found, whatever the message", async () => {
    for (const id of [crypto.randomUUID(), messageId, "7", "%00"]) {
      assertRefused(await rate({ rating: "up" }, { threadId: id, messageId }), "thread_not_found");
    }
    assertRefused(await rate({ rating: "up" }, { threadId: crypto.randomUUID(), messageId: "7" }), "thread_not_found");
  });

  const wrongRating = "rating must be up, down or null";
  const wrongComment = "comment must not contain NUL characters or unpaired surrogates";
  for (
    const [body, error] of [
      [{}, wrongRating],
      [{ rating: "UP" }, wrongRating],
      [{ rating: "" }, wrongRating],
      [{ rating: 1 }, wrongRating],
      [{ rating: true }, wrongRating],
      [{ rating: ["up"] }, wrongRating],
      [{ comment: "No rating" }, wrongRating],
      [{ rating: "up", comment: 5 }, "comment must be a string"],
      [{ rating: "up", comment: {} }, "comment must be a string"],
      [{ rating: "up", comment: "a\0b" }, wrongComment],
      [{ rating: "up", comment: "\ud800" }, wrongComment],
      [{ rating: "up", comment: "😀".repeat(2_001) }, "comment must be at most 2,000 characters long"],
      [[], "The request body must be a JSON object"],
    ] as const
  ) {
    await t.step(`${JSON.stringify(body).slice(0, 40)} → 400`, async () => {
      assertInvalid(await rate(body), error);
      assertEquals(await storedFeedback(messageId), null);
    });
  }
  await t.step("broken JSON → 400", async () => assertRefused(await rate("{"), "invalid_json"));

  await t.step("a comment of 2,000 characters is stored as it is, and so is an empty one", async () => {
    for (const comment of ["😀".repeat(2_000), "'; drop table feedback; --\n\\", ""]) {
      assertReply(await rate({ rating: "up", comment }), 200, { messageId, rating: "up", comment });
      assertEquals(await shown(), { rating: "up", comment });
    }
    assertReply(await rate({ rating: "up", comment: null }), 200, { messageId, rating: "up", comment: null });
  });

  for (const odd of [`/threads//messages/${messageId}/feedback`, `/threads/%20/messages/${messageId}/feedback`]) {
    await t.step(`${odd.replace(messageId, "…")} → 400 threadId is required in path`, async () => {
      assertInvalid(await ask(service, "PUT", odd, tenant, { rating: "up" }), "threadId is required in path");
    });
  }
  await t.step("…/messages//feedback → 400 messageId is required in path", async () => {
    assertInvalid(await rate({ rating: "up" }, { threadId, messageId: "" }), "messageId is required in path");
  });

  await t.step("a rating marks its thread, but does not move it", async () => {
    const read = async () =>
      (await operator.from("threads").select("*").eq("id", threadId).single().throwOnError()).data;
    const before = await read();
    await rate({ rating: "down" });
    assertEquals(await read(), { ...before, has_down: true });
  });

  await t.step("the typed client has it", async () => {
    const client = clientOf(service, tenant);
    assertEquals(await client.rateAnswer(threadId, messageId, { rating: "up" }), {
      messageId,
      rating: "up",
      comment: null,
    });
    const { data } = await client.listMessages(threadId, { order: "desc", include: "feedback", limit: 1 });
    assertEquals(data[0]?.feedback, { rating: "up", comment: null });
    const error = await assertRejects(() => client.rateAnswer(threadId, threadId, { rating: null }));
    assertEquals((error as { code?: string }).code, "message_not_found");
  });
});

Deno.test("only the user of a thread rates its answers", async (t) => {
  await using service = await startService();
  const [tenant, stranger] = [await createTenant(), await createTenant()];
  const [alice, bob] = [await createUser(), await createUser()];
  const { threadId, messageId } = await storeAnswer(tenant, { content: "Said", status: "complete", user_id: alice.id });
  const rate = (rating: string | null, credentials: Credentials) =>
    ask(service, "PUT", pathOf(threadId, messageId), credentials, { rating });

  await t.step("the user, and the key alone for that user", async () => {
    assertReply(await rate("up", { ...tenant, accessToken: alice.accessToken }), 200);
    assertReply(await rate("down", tenant), 200, { messageId, rating: "down", comment: null });
  });

  await t.step("others → 404, and nothing changes", async () => {
    const before = await storedFeedback(messageId);
    for (
      const credentials of [
        { ...tenant, accessToken: bob.accessToken },
        stranger,
        { ...stranger, accessToken: alice.accessToken },
        { ...stranger, accessToken: bob.accessToken },
      ]
    ) {
      for (const rating of ["up", null]) {
        assertRefused(await rate(rating, credentials), "thread_not_found");
      }
    }
    assertEquals(await storedFeedback(messageId), before);
  });

  await t.step("a key that may only read → 403", async () => {
    const { apiKey } = await issueKey(tenant.accountId, { scopes: ["chat", "threads:read"] });
    assertRefused(await rate("up", { apiKey }), "missing_scope", "threads:write");
  });
});

Deno.test("feedback lives as long as what it was given for", async (t) => {
  await using service = await startService();
  const tenant = await createTenant();
  const rated = async (userId: string, content = "Said") => {
    const ids = await storeAnswer(tenant, { content, status: "failed", user_id: userId });
    const body = { rating: "down", comment: `By ${userId}` };
    assertReply(await ask(service, "PUT", pathOf(ids.threadId, ids.messageId), tenant, body), 200);
    return ids;
  };

  await t.step("an answer that is only changed keeps it", async () => {
    const { messageId } = await rated("u");
    await operator.from("messages").update({ status: "complete", content: "Said and more" }).eq("id", messageId)
      .throwOnError();
    assertEquals((await storedFeedback(messageId))?.rating, "down");
  });

  await t.step("an answer that another run replaces loses it; one whose retry fails keeps it", async () => {
    const { messageId } = await rated("u");
    const retry = () => ask(service, "POST", `/chat/${messageId}/retry`, tenant);
    service.model.script(tenant.modelName, { steps: [{ status: 400 }] });
    assert((await retry()).status >= 400);
    assertEquals((await storedFeedback(messageId))?.rating, "down");
    service.model.script(tenant.modelName, { steps: [{ text: "Said better" }] });
    assertReply(await retry(), 200);
    assertEquals(await storedFeedback(messageId), null);
  });

  await t.step("a turn that is tried again with its idempotency key, over HTTP", async () => {
    service.model.script(tenant.modelName, { steps: [{ text: "Half" }, { cut: true }] }, {
      steps: [{ text: "Whole" }],
    });
    const body = { message: "Hi", context: { coachId: tenant.coachId, userId: "again" } };
    const init = { headers: { "Idempotency-Key": crypto.randomUUID(), "Accept": "application/json" } };
    const failed = await ask(service, "POST", "/chat", tenant, body, init);
    const [threadId, messageId] = ["X-Thread-Id", "X-Message-Id"].map((name) => failed.headers.get(name)!);
    assertReply(failed, 502);
    assertReply(await ask(service, "PUT", pathOf(threadId!, messageId!), tenant, { rating: "down" }), 200);
    const again = await ask(service, "POST", "/chat", tenant, body, init);
    assertEquals([again.json.message.id, again.json.message.content], [messageId, "Whole"]);
    assertEquals(await storedFeedback(messageId!), null);
  });

  await t.step("export shows it with its answer, and erasing a user reaches it, and no other's", async () => {
    const [first, second] = [await rated("leaver"), await rated("stayer")];
    const { data } = await operator.rpc("export_user", { account_id: tenant.accountId, user_id: "leaver" })
      .throwOnError();
    // deno-lint-ignore no-explicit-any
    const [question, answer] = (data as any).threads[0].messages;
    const { rating, comment } = answer.feedback;
    assertEquals([question.feedback, rating, comment], [null, "down", "By leaver"]);
    assert(!JSON.stringify(data).includes("stayer"));
    await operator.rpc("erase_user", { account_id: tenant.accountId, user_id: "leaver" }).throwOnError();
    assertEquals(await storedFeedback(first.messageId), null);
    assertEquals((await storedFeedback(second.messageId))?.comment, "By stayer");
  });

  await t.step("operators see the newest thumbs-down with question and answer", async () => {
    await rated("u", "An answer that did not help");
    const { data } = await operator.from("rated_answers").select(
      "rating, comment, question, answer, user_id, coach_name",
    )
      .eq("account_id", tenant.accountId).eq("rating", "down").limit(1).throwOnError();
    assertEquals(data, [{
      rating: "down",
      comment: "By u",
      question: "Talk",
      answer: "An answer that did not help",
      user_id: "u",
      coach_name: "Ada Byron",
    }]);
  });
});
