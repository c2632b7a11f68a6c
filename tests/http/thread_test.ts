import { assert, assertEquals, assertNotEquals } from "../support/assert.ts";
import { ask, assertInvalid, assertRefused, assertReply, chat, clientOf, receive, send } from "../support/client.ts";
import { sweep } from "../support/knowledge.ts";
import { createCoach, createTenant, createUser, issueKey, operator, type Tenant } from "../support/project.ts";
import { type Service, startService } from "../support/service.ts";
import { startTurn, storeAnswer, talk } from "../support/turns.ts";

const listed = ["id", "title", "created_at", "updated_at", "coach_id", "user_id", "coach_profiles"];
const state = [
  "active_message_id",
  "handled_by",
  "taken_over_until",
  "is_pinned",
  "is_archived",
  "unread",
  "request_status",
];

async function idsOf(service: Service, tenant: Tenant, query = ""): Promise<string[]> {
  const reply = await ask(service, "GET", `/users/u/threads${query}`, tenant);
  assertReply(reply, 200);
  return reply.json.data.map(({ id }: { id: string }) => id);
}

async function start(service: Service, tenant: Tenant, message: string, userId = "u"): Promise<string> {
  return (await chat(service, tenant, { message, context: { coachId: tenant.coachId, userId } })).threadId;
}

Deno.test("GET /threads/{threadId}", async (t) => {
  await using service = await startService({ timeouts: { flush: 20 } });
  const tenant = await createTenant({ requests_per_minute: 1_000 });
  const threadId = await start(service, tenant, "Hello");

  await t.step("the thread as the list shows it, and its state", async () => {
    const { json } = await ask(service, "GET", `/threads/${threadId}`, tenant);
    assertEquals(Object.keys(json), [...listed, ...state]);
    const { active_message_id, handled_by, taken_over_until, is_pinned, is_archived, unread, request_status, ...rest } =
      json;
    assertEquals(
      [active_message_id, handled_by, taken_over_until, is_pinned, is_archived, unread, request_status],
      [null, "ai", null, false, false, 0, null],
    );
    assertEquals((await ask(service, "GET", "/users/u/threads", tenant)).json, { data: [rest], count: 1 });
    const stated = await ask(service, "GET", "/users/u/threads?include=state", tenant);
    assertEquals(stated.json, { data: [json], count: 1 });
  });

  await t.step("names the answer that is being written, until it has ended", async () => {
    const turn = await startTurn(service, tenant, { said: ["Well"], body: { thread_id: threadId } });
    const active = async () => (await ask(service, "GET", `/threads/${threadId}`, tenant)).json.active_message_id;
    assertEquals(await active(), turn.messageId);
    const { json } = await ask(service, "GET", "/users/u/threads?include=state&limit=1", tenant);
    assertEquals(json.data[0].active_message_id, turn.messageId);
    turn.goOn();
    await turn.reply;
    assertEquals(await active(), null);
  });

  await t.step("an abandoned answer is no active one", async () => {
    const { threadId } = await storeAnswer(tenant, { content: "So", status: "streaming", user_id: "w" }, 60);
    assertEquals((await ask(service, "GET", `/threads/${threadId}`, tenant)).json.active_message_id, null);
  });

  await t.step("an unknown id, no UUID → 404; none → 400", async () => {
    for (const id of [crypto.randomUUID(), "x", "%00", "..%2Fx", "'", threadId + "0"]) {
      assertRefused(await ask(service, "GET", `/threads/${id}`, tenant), "thread_not_found");
    }
    for (const path of ["/threads", "/threads/", "/threads/%20"]) {
      for (const method of ["GET", "PATCH", "DELETE"]) {
        assertInvalid(await ask(service, method, path, tenant), "threadId is required in path");
      }
    }
  });
});

Deno.test("a thread can be read, changed and deleted by those whose it is", async (t) => {
  await using service = await startService();
  const tenant = await createTenant({ requests_per_minute: 1_000 });
  const stranger = await createTenant({ requests_per_minute: 1_000 });
  const [user, other] = [await createUser(), await createUser()];
  const threadId = await start(service, tenant, "Mine", user.id);
  const before = await ask(service, "GET", `/threads/${threadId}`, tenant);
  const all = [["GET", undefined], ["PATCH", { title: "Theirs" }], ["DELETE", undefined]] as const;

  await t.step("another user, another account: 404, and nothing changes", async () => {
    for (const credentials of [{ ...tenant, accessToken: other.accessToken }, stranger]) {
      for (const [method, body] of all) {
        assertRefused(await ask(service, method, `/threads/${threadId}`, credentials, body), "thread_not_found");
      }
    }
    assertEquals((await ask(service, "GET", `/threads/${threadId}`, tenant)).json, before.json);
  });

  await t.step("the expert behind its coach reads it, and does nothing else to it; other experts do not", async () => {
    const [expert, another] = [await createUser(), await createUser()];
    const second = await createCoach(tenant.accountId, { owner_id: another.id });
    await operator.from("coach_profiles").update({ owner_id: expert.id }).eq("id", tenant.coachId).throwOnError();
    const as = ({ accessToken }: { accessToken: string }) => ({ ...tenant, accessToken });
    const read = await ask(service, "GET", `/threads/${threadId}`, as(expert));
    assertReply(read, 200, before.json);
    for (const [method, body] of all.slice(1)) {
      assertRefused(await ask(service, method, `/threads/${threadId}`, as(expert), body), "thread_not_found");
    }
    assertRefused(await ask(service, "GET", `/threads/${threadId}`, as(another)), "thread_not_found");
    // Bound to another coach, the key knows nothing of it, whoever shows it.
    const bound = await issueKey(tenant.accountId, { coach_ids: [second.id] });
    assertRefused(await ask(service, "GET", `/threads/${threadId}`, { ...as(expert), ...bound }), "thread_not_found");
  });

  await t.step("also when the coach is inactive: its user, and the key alone", async () => {
    await operator.from("coach_profiles").update({ is_active: false }).eq("id", tenant.coachId).throwOnError();
    for (const credentials of [{ ...tenant, accessToken: user.accessToken }, tenant]) {
      for (const [method, body] of all.slice(0, 2)) {
        assertReply(await ask(service, method, `/threads/${threadId}`, credentials, body), 200);
      }
    }
    const deleted = await ask(service, "DELETE", `/threads/${threadId}`, { ...tenant, accessToken: user.accessToken });
    assertReply(deleted, 200, { message: "Thread deleted successfully", threadId });
  });
});

Deno.test("PATCH /threads/{threadId}", async (t) => {
  await using service = await startService();
  const tenant = await createTenant({ requests_per_minute: 1_000 });
  const threadId = await start(service, tenant, "First");
  const later = await start(service, tenant, "Second");
  const path = `/threads/${threadId}`;
  const patch = (body: unknown) => ask(service, "PATCH", path, tenant, body);

  await t.step("changes what is sent and nothing else, and does not move the thread", async () => {
    const { json: before } = await ask(service, "GET", path, tenant);
    const changes = [{ title: "Renamed" }, { is_pinned: true }, { is_archived: true }, {
      title: "Again",
      is_pinned: false,
      is_archived: false,
    }];
    let expected = before;
    for (const change of changes) {
      expected = { ...expected, ...change };
      assertReply(await patch(change), 200, expected);
      assertReply(await ask(service, "GET", path, tenant), 200, expected);
    }
    assertEquals(await idsOf(service, tenant), [later, threadId]);
  });

  const longest = "😀".repeat(120);
  const titles: [sent: string, kept: string][] = [
    ["  Trimmed\t", "Trimmed"],
    ["Two\r\nlines\n\nhere", "Two lines here"],
    ["\u202Egnp.\u202C\u200Bfile", "gnp.file"],
    [` ${longest} `, longest],
    [`'; drop table threads; -- "é\u200d`, `'; drop table threads; -- "é\u200d`],
  ];
  for (const [sent, kept] of titles) {
    await t.step(`the title ${JSON.stringify(sent).slice(0, 20)} is kept`, async () => {
      assertEquals((await patch({ title: sent })).json.title, kept);
    });
  }

  const controls = "title must not contain control characters or unpaired surrogates";
  const refusals: [body: unknown, error: string][] = [
    [{ title: "" }, "title must not be blank"],
    [{ title: " \n\u2003" }, "title must not be blank"],
    [{ title: "x".repeat(121) }, "title must be at most 120 characters long"],
    [{ title: "x".repeat(10_000) }, "title must be at most 120 characters long"],
    [{ title: "a\0b" }, controls],
    [{ title: "a\u001bb" }, controls],
    ['{"title": "a\\ud800"}', controls],
    [{ title: null }, "title must be a string"],
    [{ title: 5 }, "title must be a string"],
    [{ is_pinned: "true" }, "is_pinned must be true or false"],
    [{ is_archived: 1 }, "is_archived must be true or false"],
    [{}, "One of title, is_pinned and is_archived is required"],
    [{ user_id: "v" }, "One of title, is_pinned and is_archived is required"],
    [[], "The request body must be a JSON object"],
  ];
  for (const [body, error] of refusals) {
    await t.step(`${JSON.stringify(body).slice(0, 30)} → 400 ${error}`, async () => {
      assertInvalid(await patch(body), error);
    });
  }
  await t.step("broken JSON → 400", async () => assertRefused(await patch("{"), "invalid_json"));

  await t.step("two at once: both are done, and the last title stays", async () => {
    const replies = await Promise.all(Array.from({ length: 10 }, (_, n) => patch({ title: `Title ${n}` })));
    assertEquals(replies.map(({ status }) => status), Array(10).fill(200));
    assert((await ask(service, "GET", path, tenant)).json.title.startsWith("Title "));
  });

  await t.step("archived=true|false lists those that are, or are not; without it both", async () => {
    await patch({ is_archived: true });
    assertEquals(await idsOf(service, tenant, "?archived=true"), [threadId]);
    assertEquals(await idsOf(service, tenant, "?archived=false&limit=5"), [later]);
    assertEquals(await idsOf(service, tenant), [later, threadId]);
  });

  for (
    const [query, error] of [
      ["archived=yes", "archived must be true or false"],
      ["archived=", "archived must be true or false"],
      [
        "include=everything",
        "include must be state, coach, coaches or several of them, comma separated, each at most once",
      ],
    ] as const
  ) {
    await t.step(`?${query} → 400 ${error}`, async () => {
      assertInvalid(await ask(service, "GET", `/users/u/threads?${query}`, tenant), error);
    });
  }
});

Deno.test("DELETE /threads/{threadId}", async (t) => {
  await using service = await startService({ timeouts: { flush: 20 } });
  // Removes what other tests have left to the sweeps.
  await sweep(service);
  const tenant = await createTenant({ requests_per_minute: 1_000 });
  const rowsOf = async (threadId: string) =>
    (await operator.from("messages").select("id").eq("thread_id", threadId).throwOnError()).data.length;

  await t.step("removes it with its messages and responses; a second time → 404; others stay", async () => {
    const { threadId, responseId } = await talk(service, tenant, "u");
    const kept = await talk(service, tenant, "u");
    const deletion = () => ask(service, "DELETE", `/threads/${threadId}`, tenant);
    assertReply(await deletion(), 200, { message: "Thread deleted successfully", threadId });
    assertRefused(await deletion(), "thread_not_found");
    assertRefused(await ask(service, "GET", `/threads/${threadId}`, tenant), "thread_not_found");
    assertRefused(await ask(service, "GET", `/threads/${threadId}/messages`, tenant), "thread_not_found");
    assertRefused(
      await ask(service, "POST", "/chat", tenant, { message: "And?", thread_id: threadId }),
      "thread_not_found",
    );
    assertEquals(await rowsOf(threadId), 0);
    assertEquals(await idsOf(service, tenant), [kept.threadId]);
    await sweep(service);
    assert(service.model.removals.includes(responseId));
    assert(!service.model.removals.includes(kept.responseId));
  });

  await t.step("the idempotency key of its turn is free again", async () => {
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const body = { message: "Hi", context: { coachId: tenant.coachId, userId: "u" } };
    const again = async () =>
      (await ask(service, "POST", "/chat", tenant, body, { headers })).headers.get("X-Thread-Id");
    const first = await again();
    assertReply(await ask(service, "DELETE", `/threads/${first}`, tenant), 200);
    const second = await again();
    assertNotEquals(second, first);
    assertEquals(await again(), second);
  });

  await t.step("in the middle of an answer: its stream and its followers break, and nothing is left", async () => {
    const responseId = `resp_${crypto.randomUUID()}`;
    const turn = await startTurn(service, tenant, { said: ["Well"], responseId });
    const events = { headers: { Accept: 'text/event-stream; profile="events"' } };
    const follower = await send(service, "GET", `/chat/${turn.messageId}/stream`, tenant, undefined, events);
    assertReply(await ask(service, "DELETE", `/threads/${turn.threadId}`, tenant), 200);
    await turn.reply.then(() => assert(false, "the stream ended as if all were well"), () => {});
    assert(/event: error\n/.test(await follower.text()));
    await service.turns();
    assertEquals(await rowsOf(turn.threadId), 0);
    const late = await receive(service, "GET", `/chat/${turn.messageId}/stream`, tenant);
    assertEquals(late.status, 404);
    await sweep(service);
    assert(service.model.removals.includes(responseId));
    turn.goOn();

    const ending = await startTurn(service, tenant, { said: ["Well"] });
    assertReply(await ask(service, "DELETE", `/threads/${ending.threadId}`, tenant), 200);
    ending.goOn();
    await ending.reply.then(() => assert(false, "the end is told as if it were stored"), () => {});
  });

  await t.step("beside turns, renames and other deletions: each has its reply, one deletion succeeds", async () => {
    for (let round = 0; round < 5; round++) {
      const threadId = await start(service, tenant, "Busy");
      const path = `/threads/${threadId}`;
      const replies = await Promise.all([
        receive(service, "POST", "/chat", tenant, { message: "More", thread_id: threadId }),
        ask(service, "PATCH", path, tenant, { title: "One" }),
        ask(service, "DELETE", path, tenant),
        ask(service, "PATCH", path, tenant, { title: "Two" }),
        ask(service, "DELETE", path, tenant),
        receive(service, "POST", "/chat", tenant, { message: "Even more", thread_id: threadId }),
      ]);
      const statuses = replies.map(({ status }) => status);
      for (const status of statuses) assert([200, 404].includes(status), String(statuses));
      assertEquals([statuses[2], statuses[4]].toSorted(), [200, 404]);
      await service.turns();
      assertEquals(await rowsOf(threadId), 0);
    }
  });
});

Deno.test("the typed client reads, changes and deletes a thread", async () => {
  await using service = await startService();
  const tenant = await createTenant();
  const client = clientOf(service, tenant);
  const threadId = await start(service, tenant, "Hello");
  assertEquals((await client.updateThread(threadId, { is_archived: true })).is_archived, true);
  assertEquals((await client.getThread(threadId)).is_archived, true);
  const { data: [listed] } = await client.listThreads("u", { archived: "true", include: "state" });
  assertEquals(listed?.is_archived, true);
  assertEquals(await client.deleteThread(threadId), { message: "Thread deleted successfully", threadId });
});
