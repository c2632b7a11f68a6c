import { assert, assertEquals } from "../support/assert.ts";
import { ask, assertReply, chat, formOf, send } from "../support/client.ts";
import { handOver } from "../support/hand_over.ts";
import { deleteRows, sweep } from "../support/knowledge.ts";
import { createTenant, createUser, operator, type Tenant } from "../support/project.ts";
import { type Service, startService } from "../support/service.ts";
import { countThreads, startTurn, storeAnswer, talk } from "../support/turns.ts";

const newId = () => `resp_${crypto.randomUUID().replaceAll("-", "")}`;

async function erase({ accountId }: Pick<Tenant, "accountId">, userId: string) {
  const { data } = await operator.rpc("erase_user", { account_id: accountId, user_id: userId }).throwOnError();
  return data as { threads: number; messages: number; responses: number };
}

function assertRemoved({ model }: Service, ...responseIds: string[]) {
  assertEquals(responseIds.filter((id) => !model.removals.includes(id)), []);
}

async function prepare() {
  await using stack = new AsyncDisposableStack();
  const service = stack.use(await startService({ timeouts: { flush: 20 } }));
  // Removes what other tests have left to the sweeps.
  await sweep(service);
  return handOver(stack, { service });
}

Deno.test("erasing a user", async (t) => {
  await using prepared = await prepare();
  const { service } = prepared;

  await t.step("deletes threads and messages, and has the backend delete the responses", async () => {
    const tenant = await createTenant();
    const first = await talk(service, tenant, "u");
    const second = await talk(service, tenant, "u");
    assertEquals(await erase(tenant, "u"), { threads: 2, messages: 4, responses: 2 });
    assertReply(await ask(service, "GET", `/threads/${first.threadId}/messages`, tenant), 404);
    assertEquals(await countThreads(service, tenant, "u"), 0);
    await sweep(service);
    assertRemoved(service, first.responseId, second.responseId);
  });

  await t.step("other users stay, and so does another account's user with the same id", async () => {
    const tenant = await createTenant();
    const stranger = await createTenant();
    await talk(service, tenant, "u");
    const others = [await talk(service, tenant, "v"), await talk(service, stranger, "u")];
    await erase(tenant, "u");
    await sweep(service);
    assertEquals([await countThreads(service, tenant, "v"), await countThreads(service, stranger, "u")], [1, 1]);
    for (const { responseId } of others) assert(!service.model.removals.includes(responseId));
  });

  await t.step("erasing a second time, or an unknown user, deletes nothing", async () => {
    const tenant = await createTenant();
    await talk(service, tenant, "u");
    await erase(tenant, "u");
    const nothing = { threads: 0, messages: 0, responses: 0 };
    assertEquals(await erase(tenant, "u"), nothing);
    assertEquals(await erase(tenant, "nobody"), nothing);
    const { error } = await operator.rpc("erase_user", { account_id: crypto.randomUUID(), user_id: "u" });
    assertEquals([error?.code, error?.message], ["PT404", "Account not found"]);
  });

  await t.step("a blank user is refused, and idempotency keys used without a user stay", async () => {
    const tenant = await createTenant();
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const body = { message: "Hi", context: { coachId: tenant.coachId } };
    const threadId = async () =>
      (await ask(service, "POST", "/chat", tenant, body, { headers })).headers.get("X-Thread-Id");
    const first = await threadId();
    for (const user_id of ["", "  "]) {
      const { error } = await operator.rpc("erase_user", { account_id: tenant.accountId, user_id });
      assertEquals(error?.message, "user_id must not be blank");
    }
    assertEquals(await threadId(), first);
  });

  await t.step("more responses than one sweep takes are deleted by the sweeps that follow", async () => {
    const tenant = await createTenant();
    const { threadId } = await talk(service, tenant, "u");
    const responseIds = Array.from({ length: 450 }, newId);
    await operator.from("messages").insert(
      responseIds.map((response_id) => ({ thread_id: threadId, role: "assistant", content: "Well.", response_id })),
    ).throwOnError();
    assertEquals((await erase(tenant, "u")).responses, 451);
    await sweep(service);
    assertRemoved(service, ...responseIds);
  });

  await t.step("a backend that has no deletion is not called again", async () => {
    const tenant = await createTenant();
    const { responseId } = await talk(service, tenant, "u");
    service.model.failRemoval(responseId, { status: 405 });
    await erase(tenant, "u");
    await sweep(service);
    assertRemoved(service, responseId);
    assertEquals((await service.logs()).filter(({ event }) => event === "responses_not_removed"), []);
  });

  await t.step("a response is deleted once; one that the backend does not have counts as deleted", async () => {
    const tenant = await createTenant();
    const { responseId } = await talk(service, tenant, "u");
    service.model.keep(responseId, null);
    await erase(tenant, "u");
    await sweep(service);
    await sweep(service);
    assertEquals(service.model.removals.filter((id) => id === responseId).length, 1);
  });
});

Deno.test("erasing a user: responses at the model's server", async (t) => {
  await using prepared = await prepare();
  const { service } = prepared;

  await t.step("responses in which the model called tools are deleted too", async () => {
    const owner = await createUser();
    const tenant = await createTenant({}, { owner_id: owner.id });
    const [calling, answering] = [newId(), newId()];
    const call = { call: { id: "call_1", name: "create_knowledge", arguments: { text: "Owls hunt at night." } } };
    service.model.script(
      tenant.modelName,
      { responseId: calling, steps: [call] },
      { responseId: answering, steps: [{ text: "Noted." }] },
    );
    const body = { message: "Remember the owls", context: { coachId: tenant.coachId } };
    await chat(service, { ...tenant, accessToken: owner.accessToken }, body);
    assertEquals(await erase(tenant, owner.id), { threads: 1, messages: 2, responses: 2 });
    await sweep(service);
    assertRemoved(service, calling, answering);
  });

  await t.step("the response of a failed try is deleted when the turn is tried again", async () => {
    const tenant = await createTenant();
    const failed = newId();
    service.model.script(
      tenant.modelName,
      { responseId: failed, steps: [{ event: { type: "error", code: "server_error" } }] },
      { responseId: newId(), steps: [{ text: "Well." }] },
    );
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const body = { message: "Hi", context: { coachId: tenant.coachId, userId: "u" } };
    assertReply(await ask(service, "POST", "/chat", tenant, body, { headers }), 502);
    await sweep(service);
    assert(!service.model.removals.includes(failed));
    assertReply(await ask(service, "POST", "/chat", tenant, body, { headers }), 200);
    await sweep(service);
    assert(service.model.removals.includes(failed));
  });

  await t.step("a response is deleted under its own address, whatever characters its id has", async () => {
    const tenant = await createTenant();
    const other = newId();
    const ids = ["x/y+z=?#%2F&==".padEnd(300, "0123456789/+=") + "=", `${newId()}/../${other}`, "a b\u00e9"]
      .map((end) => newId() + end);
    for (const id of [other, ...ids]) service.model.keep(id, { status: "completed", text: "Well." });
    for (const response_id of ids) await storeAnswer(tenant, { content: "Well.", status: "complete", response_id });
    assertEquals((await erase(tenant, "u")).responses, ids.length);
    await sweep(service);
    assertRemoved(service, ...ids);
    assert(!service.model.removals.includes(other));
  });
});

Deno.test("erasing a user: what is under way, and keys", async (t) => {
  await using prepared = await prepare();
  const { service } = prepared;

  await t.step("in the middle of an answer: its stream breaks, and nothing is stored afterwards", async () => {
    const tenant = await createTenant();
    const responseId = newId();
    const turn = await startTurn(service, tenant, { said: ["Well"], responseId });
    const { threads, messages } = await erase(tenant, "u");
    assertEquals({ threads, messages }, { threads: 1, messages: 2 });
    await turn.reply.then(() => assert(false, "the stream ended as if all were well"), () => {});
    await service.turns();
    await sweep(service);
    assertEquals(await countThreads(service, tenant, "u"), 0);
    assert(service.model.removals.includes(responseId));
    turn.goOn();
  });

  await t.step("the user's idempotency keys are deleted too", async () => {
    const user = await createUser();
    const tenant = await createTenant();
    const credentials = { ...tenant, accessToken: user.accessToken };
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const ask = async () => {
      const reply = await send(service, "POST", "/chat", credentials, {
        message: "Hi",
        context: { coachId: tenant.coachId },
      }, { headers });
      await reply.text();
      return reply.headers.get("X-Thread-Id");
    };
    const first = await ask();
    assertEquals(await ask(), first);
    await erase(tenant, user.id);
    assert(await ask() !== first);
  });

  await t.step("so are the idempotency keys of uploads, when the user is a coach", async () => {
    const owner = await createUser();
    const tenant = await createTenant({}, { owner_id: owner.id });
    const credentials = { ...tenant, accessToken: owner.accessToken };
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const path = `/knowledge-handler?coachId=${tenant.coachId}`;
    const upload = async (text: string) =>
      (await ask(service, "POST", path, credentials, formOf(["a.txt", text]), { headers })).status;
    assertEquals([await upload("Owls hunt."), await upload("Gulls sleep.")], [200, 422]);
    await erase(tenant, owner.id);
    assertEquals(await upload("Gulls sleep."), 200);
    await service.turns();
    await deleteRows(tenant.coachId);
  });

  await t.step("deleting a thread by hand deletes its responses too", async () => {
    const tenant = await createTenant();
    const { threadId, responseId } = await talk(service, tenant, "u");
    await operator.from("threads").delete().eq("id", threadId).throwOnError();
    await sweep(service);
    assert(service.model.removals.includes(responseId));
  });

  await t.step("a backend that fails or hangs is logged and does not hold up the sweep", async () => {
    await using hasty = await startService({ timeouts: { responseRemoval: 500 } });
    const tenant = await createTenant();
    const [failing, hanging, fine] = [
      await talk(hasty, tenant, "u"),
      await talk(hasty, tenant, "u"),
      await talk(hasty, tenant, "u"),
    ];
    hasty.model.failRemoval(failing.responseId, { status: 500 });
    hasty.model.failRemoval(hanging.responseId, { hang: true });
    await erase(tenant, "u");
    await sweep(hasty);
    const of = async (event: string) =>
      (await hasty.logs()).filter((line) => line.event === event).map(({ responses }) => responses);
    assertEquals([await of("responses_not_removed"), await of("responses_removed")], [[2], [1]]);
    assertEquals(hasty.model.removals.filter((id) => id === fine.responseId).length, 1);
    // Failed deletions are tried again, but not at once.
    await sweep(hasty);
    assertEquals(hasty.model.removals.filter((id) => id === failing.responseId).length, 1);
    // Drops them, so that the sweeps of other tests do not try.
    await operator.rpc("end_response_removals", { response_ids: [failing.responseId, hanging.responseId] })
      .throwOnError();
  });
});

Deno.test("exporting a user", async (t) => {
  await using service = await startService();
  const exportOf = async ({ accountId }: Pick<Tenant, "accountId">, userId: string) =>
    // deno-lint-ignore no-explicit-any
    (await operator.rpc("export_user", { account_id: accountId, user_id: userId }).throwOnError()).data as any;

  await t.step("returns every thread with every message, oldest first", async () => {
    const tenant = await createTenant();
    const first = await talk(service, tenant, "u");
    const second = await talk(service, tenant, "u");
    await talk(service, tenant, "v");
    await chat(service, tenant, { message: "And then?", thread_id: first.threadId });
    const { threads, ...rest } = await exportOf(tenant, "u");
    assertEquals([rest.account_id, rest.user_id], [tenant.accountId, "u"]);
    assert(!Number.isNaN(Date.parse(rest.exported_at)));
    assertEquals(threads.map(({ id }: { id: string }) => id), [first.threadId, second.threadId]);
    const [{ messages, ...thread }] = threads;
    assertEquals([thread.title, thread.coach_id, thread.coach_name], ["Hi", tenant.coachId, "Ada Byron"]);
    assertEquals(
      messages.map(({ role, content }: { role: string; content: string }) => `${role}: ${content}`),
      ["user: Hi", "assistant: Well.", "user: And then?", "assistant: Well."],
    );
    assertEquals(messages[1].response_id, first.responseId);
    assertEquals([messages[1].input_tokens, messages[1].status], [11, "complete"]);
    assertEquals(
      Object.keys(messages[1]).join(),
      "id,role,author,content,is_unread,status,error_code,error,mode,sources,phase,response_id,other_response_ids," +
        "input_tokens,cached_tokens,output_tokens,reasoning_tokens,is_estimated,request_id,feedback," +
        "unanswered_questions,in_reply_to,corrects,request,created_at,updated_at",
    );
  });

  await t.step("another account's user with the same id is a different user", async () => {
    const tenant = await createTenant();
    const { id, accessToken } = await createUser();
    const stranger = await createTenant({}, { owner_id: id });
    await talk(service, stranger, id);
    const path = `/coaches/${stranger.coachId}/settings`;
    assertReply(await ask(service, "PATCH", path, { ...stranger, accessToken }, { sources_are_open: true }), 200);
    const nothing = { threads: [], asked: [], expert_of: [], mail: { address: null, settings: [] }, acts: [] };
    const named = { account_id: tenant.accountId, user_id: id, exported_at: "" };
    assertEquals({ ...await exportOf(tenant, id), exported_at: "" }, { ...named, ...nothing });
  });

  await t.step("system messages are left out", async () => {
    const tenant = await createTenant();
    const { threadId } = await talk(service, tenant, "u");
    await operator.from("messages").insert({ thread_id: threadId, role: "system", content: "Be brief." })
      .throwOnError();
    const { threads: [{ messages }] } = await exportOf(tenant, "u");
    assertEquals(messages.map(({ role }: { role: string }) => role), ["user", "assistant"]);
  });

  await t.step("an unknown account, or a blank user → a sentence", async () => {
    const { accountId } = await createTenant();
    const unknown = await operator.rpc("export_user", { account_id: crypto.randomUUID(), user_id: "u" });
    assertEquals([unknown.error?.code, unknown.error?.message], ["PT404", "Account not found"]);
    const blank = await operator.rpc("export_user", { account_id: accountId, user_id: " " });
    assertEquals(blank.error?.message, "user_id must not be blank");
  });
});
