import { assertEquals, assertMatch, assertNotEquals } from "../support/assert.ts";
import { ask, assertInvalid, assertRefused, assertReply, type Credentials, readEvents } from "../support/client.ts";
import { handOver } from "../support/hand_over.ts";
import { createTenant, createUser, operator } from "../support/project.ts";
import { type Service, startService } from "../support/service.ts";
import { startTurn } from "../support/turns.ts";

async function prepare() {
  await using stack = new AsyncDisposableStack();
  const service = stack.use(await startService({ timeouts: { poll: 20, flush: 20 } }));
  // Represents another isolate: the two share only the database.
  const other = stack.use(await startService({ timeouts: { poll: 20, flush: 20 } }));
  const tenant = await createTenant({ requests_per_minute: 1_000 });
  const stranger = await createTenant();
  const newId = () => crypto.randomUUID();
  const context = { coachId: tenant.coachId, userId: "u" };
  const say = (new_thread_id: string, fields: Record<string, unknown> = {}, by: Credentials = tenant, at = service) =>
    ask(at, "POST", "/chat", by, { message: "Hi", context, new_thread_id, ...fields });
  const rowsOf = async (threadId: string) =>
    (await operator.from("messages").select("role, content").eq("thread_id", threadId).order("created_at")
      .throwOnError()).data.map(({ role, content }) => [role, content]);
  return handOver(stack, { service, other, tenant, stranger, newId, context, say, rowsOf });
}

Deno.test("POST /chat with new_thread_id", async (t) => {
  await using prepared = await prepare();
  const { service, other, tenant, newId, say, rowsOf } = prepared;

  await t.step("starts a thread under that id, and with it goes on", async () => {
    const id = newId();
    for (const message of ["One", "Two"]) {
      const reply = await say(id, { message });
      assertReply(reply, 200);
      assertEquals(reply.headers.get("X-Thread-Id"), id);
    }
    // From here on both names mean the same thread, and the coach is known.
    assertReply(await ask(service, "POST", "/chat", tenant, { message: "Three", thread_id: id }), 200);
    assertReply(await say(id, { message: "Four", context: { userId: "u" } }), 200);
    const { json } = await ask(service, "GET", `/threads/${id}/messages`, tenant);
    const questions = json.data.filter(({ role }: { role: string }) => role === "user");
    assertEquals(questions.map(({ content }: { content: string }) => content), ["One", "Two", "Three", "Four"]);
    assertEquals(service.model.requestsOf(tenant.modelName).at(-1)!.body.input!.length, 7);
    const { data } = await operator.from("threads").select("title").eq("id", id).single().throwOnError();
    assertEquals(data.title, "One");
  });

  await t.step("an id in capitals is the same id", async () => {
    const id = newId();
    assertEquals((await say(id.toUpperCase())).headers.get("X-Thread-Id"), id);
    assertEquals((await say(id)).headers.get("X-Thread-Id"), id);
    assertEquals((await rowsOf(id)).length, 4);
  });

  await t.step("first messages that arrive together land in one thread, each beside its answer", async () => {
    const id = newId();
    const sent = ["a", "b", "c", "d", "e", "f"];
    const replies = await Promise.all(
      sent.map((message, index) => say(id, { message }, tenant, index % 2 ? other : service)),
    );
    for (const reply of replies) {
      assertReply(reply, 200);
      assertEquals(reply.headers.get("X-Thread-Id"), id);
    }
    const rows = await rowsOf(id);
    assertEquals(rows.map(([role]) => role), sent.flatMap(() => ["user", "assistant"]));
    assertEquals(rows.filter(([role]) => role === "user").map(([, content]) => content).toSorted(), sent);
  });

  await t.step("with an idempotency key, a first message that is sent twice is one turn", async () => {
    const [id, idempotency_key] = [newId(), newId()];
    const [one, two] = await Promise.all([
      say(id, { idempotency_key }),
      say(id, { idempotency_key }, tenant, other),
    ]);
    assertEquals(one.headers.get("X-Message-Id"), two.headers.get("X-Message-Id"));
    assertEquals([readEvents(one.text), readEvents(two.text)], ["Hello world", "Hello world"]);
    assertEquals((await rowsOf(id)).length, 2);
  });

  await t.step("its address can be used while the first answer is written", async () => {
    const id = newId();
    const turn = await startTurn(service, tenant, { said: ["Half"], body: { new_thread_id: id } });
    assertEquals(turn.threadId, id);
    assertReply(await ask(other, "GET", `/threads/${id}/messages`, tenant), 200);
    turn.goOn();
    await turn.reply;
  });

  await t.step("the key alone without a user starts an anonymous thread, and goes on with it", async () => {
    const id = newId();
    for (let time = 0; time < 2; time++) assertReply(await say(id, { context: { coachId: tenant.coachId } }), 200);
    const { data } = await operator.from("threads").select("user_id").eq("id", id).single().throwOnError();
    assertMatch(data.user_id, /^anonymous-[0-9a-f-]{36}$/);
    assertEquals((await rowsOf(id)).length, 4);
    assertRefused(await say(id), "thread_not_found");
  });
});

Deno.test("POST /chat with new_thread_id: ids that are taken or free", async (t) => {
  await using prepared = await prepare();
  const { service, other, tenant, stranger, newId, context, say, rowsOf } = prepared;

  await t.step("the id of somebody else's thread → 404, and nothing is written anywhere", async () => {
    const [alice, bob] = [await createUser(), await createUser()];
    const id = newId();
    const mine = { context: { coachId: tenant.coachId } };
    assertReply(await say(id, mine, { ...tenant, accessToken: alice.accessToken }), 200);
    const before = await rowsOf(id);
    for (
      const [credentials, said] of [
        [{ ...tenant, accessToken: bob.accessToken }, mine],
        [tenant, { context }],
        [stranger, { context: { coachId: stranger.coachId } }],
        [{ ...stranger, accessToken: alice.accessToken }, { context: { coachId: stranger.coachId } }],
        [{ ...stranger, accessToken: alice.accessToken }, { context: {} }],
      ] as const
    ) {
      const reply = await say(id, said, credentials);
      assertRefused(reply, "thread_not_found");
      assertEquals(reply.headers.has("X-Thread-Id"), false);
    }
    assertEquals(await rowsOf(id), before);
    assertReply(await say(id, mine, { ...tenant, accessToken: alice.accessToken }), 200);
  });

  await t.step("of two users who make the same id at once, one gets the thread and the other a 404", async () => {
    const id = newId();
    const users = [await createUser(), await createUser()];
    const replies = await Promise.all(
      users.map(({ accessToken }, index) =>
        say(id, { context: { coachId: tenant.coachId } }, { ...tenant, accessToken }, index ? other : service)
      ),
    );
    assertEquals(replies.map(({ status }) => status).toSorted(), [200, 404]);
    assertEquals((await rowsOf(id)).length, 2);
  });

  await t.step("refusals leave the id free", async () => {
    const id = newId();
    const asked = (fields: Record<string, unknown>, at: Service = service) => say(id, fields, tenant, at);
    assertInvalid(await asked({ context: { userId: "u" } }), "context.coachId is required to start a thread");
    assertRefused(await asked({ context: { coachId: "nobody" } }), "coach_not_found");
    assertRefused(await asked({ context: { coachId: stranger.coachId } }), "coach_not_found");
    assertInvalid(await asked({ thread_id: id }), "thread_id and new_thread_id cannot be sent together");
    assertInvalid(await say("7"), "new_thread_id must be a UUID");
    assertReply(await ask(service, "GET", `/threads/${id}/messages`, tenant), 404);
    assertReply(await asked({}), 200);
    const { data: { id: coachId } } = await operator.from("coach_profiles")
      .insert({ account_id: tenant.accountId, name: "Other", title: "Other", instructions: "Be." }).select("id")
      .single().throwOnError();
    assertRefused(await asked({ context: { coachId, userId: "u" } }), "coach_mismatch");
  });

  await t.step("after the thread was deleted, the same id starts it anew", async () => {
    const id = newId();
    const first = await say(id);
    await operator.from("threads").delete().eq("id", id).throwOnError();
    const again = await say(id);
    assertReply(again, 200);
    assertEquals(again.headers.get("X-Thread-Id"), id);
    assertNotEquals(again.headers.get("X-Message-Id"), first.headers.get("X-Message-Id"));
    assertEquals((await rowsOf(id)).length, 2);
  });

  await t.step("null counts as left out", async () => {
    assertReply(await ask(service, "POST", "/chat", tenant, { message: "Hi", context, new_thread_id: null }), 200);
  });
});
