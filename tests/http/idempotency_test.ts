import { assert, assertEquals, assertNotEquals, assertRejects } from "../support/assert.ts";
import {
  ask,
  assertInvalid,
  assertRefused,
  assertReply,
  type Credentials,
  formOf,
  type NewFile,
  readEvents,
  type Reply,
  send,
} from "../support/client.ts";
import { handOver } from "../support/hand_over.ts";
import { objectsOf, rowsOf, sweep } from "../support/knowledge.ts";
import { createCoach, createTenant, createUser, operator, type Tenant } from "../support/project.ts";
import { type Service, startService } from "../support/service.ts";
import { changeAnswer, startTurn, storedAnswer } from "../support/turns.ts";

const quick = { poll: 20, flush: 20 };
const newKey = () => crypto.randomUUID();

/** Sends a message with an idempotency key. */
function chatWith(service: Service, credentials: Credentials, key: string, body: unknown): Promise<Reply> {
  return ask(service, "POST", "/chat", credentials, body, { headers: { "Idempotency-Key": key } });
}

/** The ids of thread and message in a reply's headers. */
function idsOf({ headers }: { headers: Headers }): (string | null)[] {
  return [headers.get("X-Thread-Id"), headers.get("X-Message-Id")];
}

async function contentsOf(threadId: string | null): Promise<string[]> {
  const { data } = await operator.from("messages").select("content").eq("thread_id", threadId!).order("sequence")
    .throwOnError();
  return data.map(({ content }) => content);
}

async function prepare() {
  await using stack = new AsyncDisposableStack();
  const service = stack.use(await startService({ timeouts: quick }));
  const other = stack.use(await startService({ timeouts: quick }));
  const tenant = await createTenant({ requests_per_minute: 1_000 });
  const context = { coachId: tenant.coachId, userId: "u" };
  const body = { message: "Hi", context };
  const asked = () =>
    service.model.requestsOf(tenant.modelName).length + other.model.requestsOf(tenant.modelName).length;
  return handOver(stack, { service, other, tenant, context, body, asked });
}

Deno.test("POST /chat with Idempotency-Key", async (t) => {
  await using prepared = await prepare();
  const { service, other, tenant, context, body, asked } = prepared;

  await t.step("sent again after its end → the same thread, message and text; the model is not called", async () => {
    const key = newKey();
    service.model.script(tenant.modelName, { steps: [{ text: "Hello " }, { text: "you" }] });
    const first = await chatWith(service, tenant, key, body);
    const count = asked();
    for (const at of [service, other]) {
      const again = await chatWith(at, tenant, key, body);
      assertReply(again, 200);
      assertEquals(idsOf(again), idsOf(first));
      assertEquals(again.text, "data: Hello you\n\n");
    }
    assertEquals(asked(), count);
    assertEquals(await contentsOf(idsOf(first)[0]!), ["Hi", "Hello you"]);
  });

  await t.step("without a key, the same message twice is two turns", async () => {
    const [first, second] = [
      await ask(service, "POST", "/chat", tenant, body),
      await ask(service, "POST", "/chat", tenant, body),
    ];
    assertNotEquals(idsOf(first), idsOf(second));
  });

  await t.step("fields in another order, and unknown fields, are still the same body", async () => {
    const key = newKey();
    const first = await chatWith(service, tenant, key, body);
    const again = await chatWith(service, tenant, key, {
      context: { userId: "u", coachId: tenant.coachId },
      extra: 1,
      message: "Hi",
    });
    assertReply(again, 200);
    assertEquals(idsOf(again), idsOf(first));
  });

  await t.step("five at once, at two isolates → one turn, and each caller gets the whole answer", async () => {
    const key = newKey();
    for (const { model } of [service, other]) {
      model.script(tenant.modelName, { steps: [{ text: "Only " }, { text: "once" }] });
    }
    const count = asked();
    const replies = await Promise.all(
      [service, other, service, other, service].map((at) => chatWith(at, tenant, key, body)),
    );
    for (const reply of replies) {
      assertReply(reply, 200);
      assertEquals(readEvents(reply.text), "Only once");
      assertEquals(idsOf(reply), idsOf(replies[0]!));
    }
    assertEquals(asked(), count + 1);
    assertEquals(await contentsOf(idsOf(replies[0]!)[0]!), ["Hi", "Only once"]);
  });

  await t.step("sent again while it runs → follows the turn to its end", async () => {
    const key = newKey();
    const turn = await startTurn(service, tenant, {
      said: ["One "],
      rest: [{ text: "two" }],
      body,
      headers: { "Idempotency-Key": key },
    });
    const again = chatWith(other, tenant, key, body);
    turn.goOn();
    assertEquals(readEvents((await again).text), "One two");
    assertEquals(idsOf(await again), [turn.threadId, turn.messageId]);
  });

  await t.step("with another body → 422, and nothing is stored", async () => {
    const key = newKey();
    const first = await chatWith(service, tenant, key, body);
    const [threadId] = idsOf(first);
    for (
      const changed of [
        { ...body, message: "Hi!" },
        { ...body, context: { ...context, userId: "other" } },
        { ...body, context: { ...context, mode: "exam" } },
        { ...body, thread_id: threadId },
      ]
    ) {
      const reply = await chatWith(service, tenant, key, changed);
      assertRefused(reply, "idempotency_key_reused");
    }
    assertEquals((await contentsOf(threadId!)).length, 2);
  });

  await t.step("a refused request does not use up the key", async () => {
    const key = newKey();
    assertReply(await chatWith(service, tenant, key, { message: " ", context }), 400);
    assertReply(await chatWith(service, tenant, key, { message: "Hi", context: { coachId: "nobody" } }), 404);
    assertReply(await chatWith(service, tenant, key, body), 200);
  });
});

Deno.test("POST /chat with Idempotency-Key: after a failure", async (t) => {
  await using prepared = await prepare();
  const { service, other, tenant, body, asked } = prepared;

  await t.step("after a failure the turn runs again in its place, without a second question", async () => {
    const key = newKey();
    service.model.script(tenant.modelName, { steps: [{ status: 400 }] });
    const first = await chatWith(service, tenant, key, body);
    assertReply(first, 502);
    const [threadId] = idsOf(first);
    service.model.script(tenant.modelName, { steps: [{ text: "Later" }] });
    assertReply(await ask(service, "POST", "/chat", tenant, { message: "Another", thread_id: threadId }), 200);

    service.model.script(tenant.modelName, { steps: [{ text: "At last" }] });
    const again = await chatWith(service, tenant, key, body);
    assertReply(again, 200);
    assertEquals(again.text, "data: At last\n\n");
    assertEquals(idsOf(again), idsOf(first));
    assertEquals(await contentsOf(threadId!), ["Hi", "At last", "Another", "Later"]);
    // The model is sent what came before the question, not what came after.
    const { body: request } = service.model.requestsOf(tenant.modelName).at(-1)!;
    assertEquals(request.input, [{ role: "user", content: "Hi" }]);
    assertEquals((await chatWith(service, tenant, key, body)).text, "data: At last\n\n");
  });

  await t.step("after a failure half-way it also runs again, from the beginning", async () => {
    const key = newKey();
    service.model.script(tenant.modelName, { responseId: "resp_half", steps: [{ text: "Half" }, { cut: true }] });
    const response = await send(service, "POST", "/chat", tenant, body, { headers: { "Idempotency-Key": key } });
    await assertRejects(() => response.text());
    const [, messageId] = idsOf(response);
    assertEquals((await storedAnswer(messageId!)).content, "Half");
    service.model.script(tenant.modelName, { responseId: "resp_whole", steps: [{ text: "All of it" }] });
    const again = await chatWith(service, tenant, key, body);
    assertEquals(again.text, "data: All of it\n\n");
    const { content, status, error, response_id } = await storedAnswer(messageId!);
    assertEquals([content, status, error, response_id], ["All of it", "complete", null, "resp_whole"]);
  });

  await t.step("two retries after a failure → one of them runs, the other follows it", async () => {
    const key = newKey();
    service.model.script(tenant.modelName, { steps: [{ status: 400 }] });
    const first = await chatWith(service, tenant, key, body);
    service.model.script(tenant.modelName, { steps: [{ text: "At last" }] });
    const count = asked();
    const [one, two] = await Promise.all([chatWith(service, tenant, key, body), chatWith(service, tenant, key, body)]);
    for (const reply of [one, two]) {
      assertReply(reply, 200);
      assertEquals(readEvents(reply.text), "At last");
      assertEquals(idsOf(reply), idsOf(first));
    }
    assertEquals(asked(), count + 1);
  });

  await t.step("an abandoned answer comes from the backend when the backend still has it", async () => {
    const key = newKey();
    const turn = await startTurn(service, tenant, {
      said: ["All"],
      responseId: "resp_kept",
      body,
      headers: { "Idempotency-Key": key },
    });
    // As if another run had taken over: the saves of this one are no longer accepted.
    await changeAnswer(turn.messageId, {
      run_id: crypto.randomUUID(),
      content: "All",
      response_id: "resp_kept",
      updated_at: new Date(0).toISOString(),
    });
    other.model.keep("resp_kept", { status: "completed", text: "All of it" });
    const count = asked();
    const again = await chatWith(other, tenant, key, body);
    assertEquals(readEvents(again.text), "All of it");
    assertEquals(asked(), count);
  });

  await t.step("an abandoned answer that the backend no longer has runs again", async () => {
    const key = newKey();
    const turn = await startTurn(service, tenant, { said: ["All"], body, headers: { "Idempotency-Key": key } });
    await changeAnswer(turn.messageId, {
      run_id: crypto.randomUUID(),
      content: "All",
      response_id: null,
      updated_at: new Date(0).toISOString(),
    });
    other.model.script(tenant.modelName, { steps: [{ text: "Again" }] });
    const again = await chatWith(other, tenant, key, body);
    assertEquals([readEvents(again.text), ...idsOf(again)], ["Again", turn.threadId, turn.messageId]);
    // The run that was given up is cut off, and so is its reader; what it still saves is not accepted.
    await assertRejects(() => turn.reply);
    await service.model.requestsOf(tenant.modelName).at(-1)!.over;
    await service.turns();
    const { content, status } = await storedAnswer(turn.messageId);
    assertEquals([content, status], ["Again", "complete"]);
  });
});

Deno.test("POST /chat with Idempotency-Key: whose key it is, and which keys are good", async (t) => {
  await using prepared = await prepare();
  const { service, tenant, body, asked } = prepared;

  await t.step("a key belongs to an account and its signed-in user", async () => {
    const key = newKey();
    const [alice, bob] = [await createUser(), await createUser()];
    const stranger = await createTenant();
    const mine = { message: "Hi", context: { coachId: tenant.coachId } };
    const ids = new Set<string | null>();
    for (
      const [credentials, said] of [
        [tenant, mine],
        [{ ...tenant, accessToken: alice.accessToken }, mine],
        [{ ...tenant, accessToken: bob.accessToken }, mine],
        [stranger, { message: "Hi", context: { coachId: stranger.coachId } }],
      ] as const
    ) {
      const reply = await chatWith(service, credentials, key, said);
      assertReply(reply, 200);
      ids.add(idsOf(reply)[1]!);
    }
    assertEquals(ids.size, 4);
  });

  await t.step("a stopped turn stays stopped", async () => {
    const key = newKey();
    const turn = await startTurn(service, tenant, { said: ["Half"], body, headers: { "Idempotency-Key": key } });
    assertReply(await ask(service, "POST", `/chat/${turn.messageId}/stop`, tenant), 200);
    assertEquals((await chatWith(service, tenant, key, body)).text, "data: Half\n\n");
  });

  await t.step("a note is stored once", async () => {
    const coach = await createUser();
    await operator.from("coach_profiles").update({ owner_id: coach.id }).eq("id", tenant.coachId).throwOnError();
    const note = { message: "Engines need rest.", context: { coachId: tenant.coachId, mode: "create_knowledge" } };
    const credentials = { ...tenant, accessToken: coach.accessToken };
    const key = newKey();
    const first = await chatWith(service, credentials, key, note);
    assertReply(first, 200);
    const again = await chatWith(service, credentials, key, note);
    assertEquals([again.text, ...idsOf(again)], [first.text, ...idsOf(first)]);
    await service.turns();
    assertEquals((await rowsOf(tenant.coachId)).length, 1);
  });

  await t.step("the body field idempotency_key is the same key as the header", async () => {
    const key = newKey();
    const first = await ask(service, "POST", "/chat", tenant, { ...body, idempotency_key: key });
    assertReply(first, 200);
    const count = asked();
    for (
      const again of [
        await ask(service, "POST", "/chat", tenant, { ...body, idempotency_key: key }),
        await chatWith(service, tenant, key, body),
        await chatWith(service, tenant, key, { ...body, idempotency_key: key }),
        await chatWith(service, tenant, key, { ...body, idempotency_key: null }),
      ]
    ) {
      assertReply(again, 200);
      assertEquals(idsOf(again), idsOf(first));
    }
    assertEquals(asked(), count);
    const changed = { ...body, message: "Hi!", idempotency_key: key };
    assertReply(await ask(service, "POST", "/chat", tenant, changed), 422);
  });

  await t.step("two different keys in header and body → 400, and nothing is stored", async () => {
    const context = { coachId: tenant.coachId, userId: "two keys" };
    const reply = await chatWith(service, tenant, newKey(), { message: "Hi", context, idempotency_key: newKey() });
    assertInvalid(reply, "idempotency_key must be the same as Idempotency-Key");
    assertEquals((await ask(service, "GET", "/users/two%20keys/threads", tenant)).json.count, 0);
  });

  await t.step("an idempotency_key that is empty, too long, not printable or no string → 400", async () => {
    for (const key of ["", "x".repeat(256), "ключ", "a\tb"]) {
      const reply = await ask(service, "POST", "/chat", tenant, { ...body, idempotency_key: key });
      assertInvalid(reply, "idempotency_key must be 1 to 255 printable ASCII characters");
    }
    const reply = await ask(service, "POST", "/chat", tenant, { ...body, idempotency_key: 7 });
    assertInvalid(reply, "idempotency_key must be a string");
  });

  await t.step("a key that is empty, too long or not printable → 400", async () => {
    for (const key of ["", "x".repeat(256), "ключ", "a\tb"].filter((key) => isSendable(key))) {
      const reply = await chatWith(service, tenant, key, body);
      assertInvalid(reply, "Idempotency-Key must be 1 to 255 printable ASCII characters");
    }
    assertReply(await chatWith(service, tenant, "x".repeat(255), body), 200);
  });
});

/** Returns true if `fetch` accepts a text as a header. */
function isSendable(value: string): boolean {
  try {
    new Headers({ value });
    return true;
  } catch {
    return false;
  }
}

Deno.test("POST /knowledge-handler with Idempotency-Key", async (t) => {
  await using service = await startService({ isIndexerAsleep: true });
  const tenant = await createTenant({ requests_per_minute: 1_000 });
  const upload = (
    key: string,
    files: NewFile[],
    { coachId, apiKey, accessToken }: Credentials & Pick<Tenant, "coachId"> = tenant,
  ) =>
    ask(service, "POST", `/knowledge-handler?coachId=${coachId}`, { apiKey, accessToken }, formOf(...files), {
      headers: { "Idempotency-Key": key },
    });
  const namesOf = async () => (await rowsOf(tenant.coachId)).map(({ name }) => name);

  await t.step("sent again → the same reply, bad files included, and nothing is stored twice", async () => {
    const key = newKey();
    const files: NewFile[] = [["a.txt", "Tea."], ["b.exe", "MZ"], ["c.md", "# Tea"]];
    const first = await upload(key, files);
    assertReply(first, 200);
    assertEquals([first.json.totalUploaded, first.json.totalFailed], [2, 1]);
    assertReply(await upload(key, files), 200, first.json);
    assertEquals(await namesOf(), ["a.txt", "c.md"]);
  });

  await t.step("sent again after its file was deleted → the same reply without its name; it stays so", async () => {
    const key = newKey();
    const first = await upload(key, [["gone.txt", "Soon gone."]]);
    const [file] = first.json.uploadedFiles;
    const path = `/knowledge-handler/${file.fileId}?coachId=${tenant.coachId}`;
    assertReply(await ask(service, "DELETE", path, tenant), 200);
    const kept = { ...first.json, uploadedFiles: [{ ...file, filename: "" }] };
    assertReply(await upload(key, [["gone.txt", "Soon gone."]]), 200, kept);
    assertEquals((await namesOf()).includes("gone.txt"), false);
  });

  await t.step("sent again after its file was renamed → the same reply with the new name", async () => {
    const key = newKey();
    const first = await upload(key, [["draft.txt", "A draft."]]);
    const [file] = first.json.uploadedFiles;
    const path = `/knowledge-handler/${file.fileId}?coachId=${tenant.coachId}`;
    assertReply(await ask(service, "PATCH", path, tenant, { filename: "final.txt" }), 200);
    const renamed = { ...first.json, uploadedFiles: [{ ...file, filename: "final.txt" }] };
    assertReply(await upload(key, [["draft.txt", "A draft."]]), 200, renamed);
  });

  await t.step("with other files → 422, and none of them is stored", async () => {
    const key = newKey();
    assertReply(await upload(key, [["one.txt", "One."], ["two.txt", "Two."]]), 200);
    const before = await namesOf();
    for (
      const files of [
        [["one.txt", "Other."], ["two.txt", "Two."]],
        [["uno.txt", "One."], ["two.txt", "Two."]],
        [["two.txt", "Two."], ["one.txt", "One."]],
        [["one.txt", "One."]],
        [["one.txt", "One."], ["two.txt", "Two."], ["three.exe", "MZ"]],
      ] as NewFile[][]
    ) {
      const reply = await upload(key, files);
      assertRefused(reply, "idempotency_key_reused");
    }
    assertEquals(await namesOf(), before);
  });

  await t.step("for another coach → 422", async () => {
    const key = newKey();
    const { id: coachId } = await createCoach(tenant.accountId);
    assertReply(await upload(key, [["coach.txt", "Coach."]]), 200);
    assertReply(await upload(key, [["coach.txt", "Coach."]], { ...tenant, coachId }), 422);
    assertEquals(await rowsOf(coachId), []);
  });

  await t.step("at the same moment → the same reply to all", async () => {
    const key = newKey();
    const replies = await Promise.all(Array.from({ length: 4 }, () => upload(key, [["same.txt", "Same."]])));
    for (const reply of replies) assertReply(reply, 200, replies[0]!.json);
    assertEquals((await namesOf()).filter((name) => name === "same.txt").length, 1);
  });

  await t.step("after a failure → the same key stores the files", async () => {
    const key = newKey();
    service.supabase.fault = (path) => path.startsWith("/storage/") ? "refuse" : "pass";
    assertReply(await upload(key, [["late.txt", "Late."]]), 503);
    service.supabase.fault = "pass";
    assertReply(await upload(key, [["late.txt", "Late."]]), 200);
    assert((await namesOf()).includes("late.txt"));
  });

  await t.step("a key belongs to an account and its signed-in user", async () => {
    const key = newKey();
    const stranger = await createTenant();
    const mine = await upload(key, [["mine.txt", "Mine."]]);
    const theirs = await upload(key, [["mine.txt", "Mine."]], stranger);
    assertReply(theirs, 200);
    assertNotEquals(theirs.json.uploadedFiles[0].fileId, mine.json.uploadedFiles[0].fileId);
    const { id, accessToken } = await createUser();
    await operator.from("coach_profiles").update({ owner_id: id }).eq("id", tenant.coachId).throwOnError();
    assertReply(await upload(key, [["owner.txt", "The owner's."]], { ...tenant, accessToken }), 200);
  });

  await t.step("the same key used for a chat is a different key", async () => {
    const key = newKey();
    assertReply(await chatWith(service, tenant, key, { message: "Hi", context: { coachId: tenant.coachId } }), 200);
    assertReply(await upload(key, [["chat.txt", "Chat."]]), 200);
  });

  await t.step("after all these, Storage holds only the objects of listed files", async () => {
    await sweep(service);
    const paths = (await rowsOf(tenant.coachId)).map(({ storage_path }) => storage_path).toSorted();
    assertEquals((await objectsOf(tenant.accountId)).filter((path) => !paths.includes(path)), []);
  });
});
