import { assert, assertEquals, assertMatch, assertNotEquals } from "../support/assert.ts";
import { ask, assertInvalid, assertRefused, assertReply, chat, send } from "../support/client.ts";
import { createCoach, createTenant, createUser, issueKey, operator } from "../support/project.ts";
import { startService } from "../support/service.ts";
import { changeAnswer, storeAnswer } from "../support/turns.ts";

const isoMilliseconds = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

Deno.test("GET /users/{userId}/threads", async (t) => {
  await using service = await startService();
  const tenant = await createTenant({ requests_per_minute: 1_000 });
  const other = await createCoach(tenant.accountId, { name: "Grace", title: "Navy Coach" });
  const start = async (coachId: string, message: string) =>
    (await chat(service, tenant, { message, context: { coachId, userId: "u" } })).threadId;
  const first = await start(tenant.coachId, "first");
  const second = await start(other.id, "second");
  const third = await start(tenant.coachId, "third");
  const list = async (path: string) => {
    const reply = await ask(service, "GET", path, tenant);
    assertReply(reply, 200);
    return reply.json;
  };
  const ids = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id);

  await t.step("lists all threads of the user, newest first, with the coach", async () => {
    const json = await list("/users/u/threads");
    assertEquals(Object.keys(json), ["data", "count"]);
    assertEquals(json.count, 3);
    assertEquals(ids(json), [third, second, first]);
    const { created_at, updated_at, ...rest } = json.data[1];
    assertEquals(rest, {
      id: second,
      title: "second",
      coach_id: other.id,
      user_id: "u",
      coach_profiles: { name: "Grace", title: "Navy Coach" },
    });
    assertMatch(created_at, isoMilliseconds);
    assertMatch(updated_at, isoMilliseconds);
  });

  await t.step("a thread with a new turn moves to the top", async () => {
    await chat(service, tenant, { message: "again", thread_id: first });
    assertEquals(ids(await list("/users/u/threads")), [first, third, second]);
  });

  await t.step("coachId lists only that coach's threads; an empty coachId lists all", async () => {
    assertEquals(ids(await list(`/users/u/threads?coachId=${other.id}`)), [second]);
    assertEquals((await list("/users/u/threads?coachId=")).count, 3);
    assertEquals(await list("/users/u/threads?coachId=unknown"), { data: [], count: 0 });
    assertEquals(await list("/users/u/threads?coachId=%00"), { data: [], count: 0 });
  });

  await t.step("include=coaches: with the coaches, and with how many threads of each something is unread", async () => {
    const unread = await storeAnswer(tenant, { content: "Said", status: "complete", user_id: "r" });
    const theirs = await storeAnswer(tenant, { content: "Said", status: "complete", user_id: "other" });
    for (const { messageId } of [unread, theirs]) await changeAnswer(messageId, { is_unread: true });
    await createCoach(tenant.accountId, { name: "Asleep", is_active: false });
    const coaches = (await list("/coaches")).data;
    const { data, ...rest } = await list("/users/r/threads?include=state,coaches&limit=1");
    assertEquals([ids({ data }), data[0].unread], [[unread.threadId], 1]);
    assertEquals(rest, { count: 1, next_cursor: null, coaches, unread_by_coach: { [tenant.coachId]: 1 } });
    assertEquals(coaches.length, 2);
    const one = await list(`/users/nobody/threads?include=coach&coachId=${other.id}`);
    assertEquals(one.coaches.map(({ id }: { id: string }) => id), [other.id]);
    assertEquals([one.data, one.unread_by_coach], [[], {}]);
    const bound = await issueKey(tenant.accountId, { coach_ids: [other.id] });
    const few = (await ask(service, "GET", "/users/r/threads?include=coaches", bound)).json;
    assertEquals([few.data, few.coaches.length, few.unread_by_coach], [[], 1, {}]);
    const foreign = await createTenant();
    const seen = (await ask(service, "GET", "/users/r/threads?include=coaches", foreign)).json;
    assertEquals(seen.coaches.map(({ id }: { id: string }) => id), [foreign.coachId]);
    assertEquals([seen.data, seen.unread_by_coach], [[], {}]);
    await operator.from("threads").update({ is_archived: true }).eq("id", unread.threadId).throwOnError();
    assertEquals((await list("/users/r/threads?include=coaches")).unread_by_coach, {});
  });

  await t.step("pages of any size add up to the list", async () => {
    const seen: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const page = await list(`/users/u/threads?limit=2${cursor && `&cursor=${cursor}`}`);
      assertEquals(page.count, page.data.length);
      seen.push(...ids(page));
      cursor = page.next_cursor;
    }
    assertEquals(seen, [first, third, second]);
  });

  await t.step("the last page has no next_cursor", async () => {
    assertEquals((await list("/users/u/threads?limit=3")).next_cursor, null);
  });

  for (const query of ["limit=0", "limit=101", "limit=1.5", "limit=x", "limit=", "limit=-1"]) {
    await t.step(`${query} → 400`, async () => {
      const reply = await ask(service, "GET", `/users/u/threads?${query}`, tenant);
      assertInvalid(reply, "limit must be a whole number from 1 to 100");
    });
  }
  for (const cursor of ["x", "1_2", `9_${first}_9`, "'", "99999999999999999_" + first]) {
    await t.step(`cursor=${cursor.replace(first, "<id>")} → 400`, async () => {
      const reply = await ask(service, "GET", `/users/u/threads?cursor=${encodeURIComponent(cursor)}`, tenant);
      assertInvalid(reply, "cursor must be a next_cursor of this list");
    });
  }

  for (const path of ["/users//threads", "/users/%20/threads", "/users/threads"]) {
    await t.step(`${path} → 400 userId is required in path`, async () => {
      assertInvalid(await ask(service, "GET", path, tenant), "userId is required in path");
    });
  }
  for (
    const userId of [
      "%00",
      "%E0%A4",
      "a,b",
      "'",
      '"',
      "..%2F..",
      "a%2Fb",
      "%F0%9F%98%80",
      "x".repeat(2_000),
      "1;drop table threads",
    ]
  ) {
    await t.step(`an unknown userId, taken literally: ${userId.slice(0, 20)} → an empty list`, async () => {
      assertEquals(await list(`/users/${encodeURI(decodeURISafely(userId))}/threads`), { data: [], count: 0 });
      assertEquals(await list(`/users/${userId}/threads`), { data: [], count: 0 });
    });
  }
  await t.step("a userId with odd characters finds its threads", async () => {
    const userId = `a/b,c'd"e?f#g%h😀 ..`;
    await chat(service, tenant, { message: "odd", context: { coachId: tenant.coachId, userId } });
    assertEquals((await list(`/users/${encodeURIComponent(userId)}/threads`)).data[0].user_id, userId);
  });

  await t.step("threads of a coach that was made inactive stay readable", async () => {
    await operator.from("coach_profiles").update({ is_active: false }).eq("id", other.id).throwOnError();
    assert(ids(await list("/users/u/threads")).includes(second));
    assertEquals((await list(`/threads/${second}/messages`)).count, 2);
  });
});

function decodeURISafely(text: string): string {
  try {
    return decodeURIComponent(text).replaceAll("/", "");
  } catch {
    return "x";
  }
}

Deno.test("GET /threads/{threadId}/messages", async (t) => {
  await using service = await startService();
  const tenant = await createTenant({ requests_per_minute: 1_000 });
  const { threadId } = await chat(service, tenant, {
    message: "one",
    context: { coachId: tenant.coachId, userId: "u" },
  });
  await chat(service, tenant, { message: "two", thread_id: threadId });
  const path = `/threads/${threadId}/messages`;

  await t.step("lists questions and answers, oldest first, with exactly the fields of the interface", async () => {
    const reply = await ask(service, "GET", path, tenant);
    assertReply(reply, 200);
    assertEquals(Object.keys(reply.json), ["data", "count"]);
    assertEquals(reply.json.count, 4);
    assertEquals(reply.json.data.map(({ content }: { content: string }) => content), [
      "one",
      "Hello world",
      "two",
      "Hello world",
    ]);
    for (const message of reply.json.data) {
      assertEquals(Object.keys(message), ["id", "thread_id", "content", "role", "response_id", "created_at"]);
      assertEquals(message.thread_id, threadId);
      assertMatch(message.created_at, isoMilliseconds);
    }
    const [question, answer] = reply.json.data;
    assertEquals(question.response_id, null);
    assertNotEquals(answer.response_id, null);
  });

  await t.step("rows inserted by hand are listed and counted, in thread and list; system messages never", async () => {
    await operator.from("messages").insert([
      { thread_id: threadId, role: "system", content: "hidden" },
      { thread_id: threadId, role: "user", content: "by hand" },
    ]).throwOnError();
    const { json } = await ask(service, "GET", path, tenant);
    assertEquals(json.count, 5);
    assertEquals(json.data.at(-1).content, "by hand");
    assert(!JSON.stringify(json).includes("hidden"));
  });

  await t.step("pages of any size add up to the list, and count is always the total", async () => {
    const { json: whole } = await ask(service, "GET", path, tenant);
    for (const limit of [1, 2, 3, 5, 100]) {
      const seen = [];
      let cursor: string | null = "";
      while (cursor !== null) {
        const { json } = await ask(service, "GET", `${path}?limit=${limit}${cursor && `&cursor=${cursor}`}`, tenant);
        assertEquals([json.count, json.data.length > 0], [5, true]);
        seen.push(...json.data);
        cursor = json.next_cursor;
      }
      assertEquals(seen, whole.data);
    }
  });

  for (const query of ["limit=0", "cursor=abc", "cursor=1_x"]) {
    await t.step(`${query} → 400`, async () => assertReply(await ask(service, "GET", `${path}?${query}`, tenant), 400));
  }
  for (const id of ["x", "%00", "'", "..%2F", "1,2", crypto.randomUUID(), threadId.slice(1), `${threadId}0`]) {
    await t.step(`an unknown thread → 404 thread_not_found: ${id.replaceAll(/[0-9a-f]{8,}/g, "…")}`, async () => {
      assertRefused(await ask(service, "GET", `/threads/${id}/messages`, tenant), "thread_not_found");
    });
  }
  for (const odd of ["/threads//messages", "/threads/%20/messages", "/threads/messages"]) {
    await t.step(`${odd} → 400 threadId is required in path`, async () => {
      assertInvalid(await ask(service, "GET", odd, tenant), "threadId is required in path");
    });
  }
});

Deno.test("lists of more than 1,000 rows are complete", async (t) => {
  await using service = await startService();
  const tenant = await createTenant();

  await t.step("threads", async () => {
    const rows = Array.from({ length: 1_205 }, (_, index) => ({
      account_id: tenant.accountId,
      coach_id: tenant.coachId,
      user_id: "many",
      // Many have the same time, so that only the tie-breaker orders them.
      updated_at: new Date(1_700_000_000_000 + Math.floor(index / 10)).toISOString(),
    }));
    await operator.from("threads").insert(rows).throwOnError();
    const { json } = await ask(service, "GET", "/users/many/threads", tenant);
    assertEquals([json.count, json.data.length], [1_205, 1_205]);
    const page = (await ask(service, "GET", "/users/many/threads?limit=100", tenant)).json;
    const next = (await ask(service, "GET", `/users/many/threads?limit=100&cursor=${page.next_cursor}`, tenant)).json;
    assertEquals([...page.data, ...next.data], json.data.slice(0, 200));
  });

  await t.step("messages", async () => {
    const { threadId } = await chat(service, tenant, { message: "0", context: { coachId: tenant.coachId } });
    const rows = Array.from(
      { length: 1_500 },
      (_, index) => ({ thread_id: threadId, role: "user", content: `row ${index}` }),
    );
    await operator.from("messages").insert(rows).throwOnError();
    const { json } = await ask(service, "GET", `/threads/${threadId}/messages`, tenant);
    assertEquals([json.count, json.data.length], [1_502, 1_502]);
    assertEquals(
      json.data.slice(2).map(({ content }: { content: string }) => content),
      rows.map(({ content }) => content),
    );
  });
});

Deno.test("abandoned answers are fetched from the backend when they are read", async (t) => {
  await using service = await startService({ timeouts: { recovery: 300, flush: 20 } });
  const tenant = await createTenant({ requests_per_minute: 1_000 });
  const longAgo = new Date(Date.now() - 60_000).toISOString();

  /** A thread with an abandoned answer. */
  async function abandon(responseId: string | null, content: string, updatedAt = longAgo) {
    const { threadId } = await chat(service, tenant, { message: "Q", context: { coachId: tenant.coachId } });
    const { data } = await operator.from("messages").insert({
      thread_id: threadId,
      role: "assistant",
      status: "streaming",
      response_id: responseId,
      content,
      updated_at: updatedAt,
    }).select("id").single().throwOnError();
    return { threadId, messageId: data.id };
  }
  const read = async (threadId: string) => {
    const reply = await ask(service, "GET", `/threads/${threadId}/messages`, tenant);
    assertReply(reply, 200);
    return reply.json.data.slice(2).map(({ content }: { content: string }) => content);
  };
  const statusOf = async (messageId: string) =>
    (await operator.from("messages").select("status").eq("id", messageId).single().throwOnError()).data.status;

  await t.step("a complete response is returned and stored; the next read does not call the backend", async () => {
    service.model.keep("resp_whole", {
      status: "completed",
      text: "The whole answer",
      usage: { input_tokens: 1, output_tokens: 2 },
    });
    const { threadId, messageId } = await abandon("resp_whole", "The wh");
    assertEquals(await read(threadId), ["The whole answer"]);
    assertEquals(await statusOf(messageId), "complete");
    service.model.keep("resp_whole", null);
    assertEquals(await read(threadId), ["The whole answer"]);
  });

  await t.step("when the backend no longer has it, the thread is listed with the stored text", async () => {
    const { threadId, messageId } = await abandon("resp_gone", "Only this");
    assertEquals(await read(threadId), ["Only this"]);
    assertEquals(await statusOf(messageId), "failed");
  });

  for (
    const [kept, text, content, state] of [
      ["cancelled", "Stored", "Stored and more", "failed"],
      ["failed", "", "Stored and more", "failed"],
      ["failed", "Stored and more still", "Stored and more still", "failed"],
      ["completed", "", "Stored and more", "failed"],
      ["completed", "Other", "Other", "complete"],
    ] as const
  ) {
    await t.step(`a ${kept} response of ${text.length} characters never replaces more stored text`, async () => {
      service.model.keep("resp_shorter", { status: kept, text });
      const { threadId, messageId } = await abandon("resp_shorter", "Stored and more");
      assertEquals(await read(threadId), [content]);
      assertEquals(await statusOf(messageId), state);
    });
  }

  await t.step("a response of the backend is cleaned as a stream is: NUL, half pairs, CRLF break nothing", async () => {
    service.model.keep("resp_odd", { status: "completed", text: "a\0b\ud800\r\nc" });
    const { threadId } = await abandon("resp_odd", "");
    assertEquals(await read(threadId), ["ab\ufffd\nc"]);
  });

  await t.step("a response that cannot be stored is still shown", async () => {
    service.model.keep("resp_unsaved", { status: "completed", text: "not saved" });
    const { threadId } = await abandon("resp_unsaved", "Stored");
    service.supabase.fault = (path) => path.endsWith("/save_turns") ? "refuse" : "pass";
    assertEquals(await read(threadId), ["Stored"]);
    service.supabase.fault = "pass";
    assertEquals(await read(threadId), ["not saved"]);
  });

  await t.step("when a run given up as dead was only slow, its whole answer is stored", async () => {
    const more = Promise.withResolvers<void>();
    service.model.script(tenant.modelName, {
      steps: [{ text: "Slow" }, { waitFor: more.promise }, { text: " but whole" }],
    });
    const response = await send(service, "POST", "/chat", tenant, {
      message: "Q",
      context: { coachId: tenant.coachId },
    });
    const messageId = response.headers.get("X-Message-Id")!;
    // As a reader does that finds no sign of life.
    await changeAnswer(messageId, { status: "failed" });
    const path = `/threads/${response.headers.get("X-Thread-Id")}/messages`;
    const saves = () => service.supabase.requests.filter((path) => path.endsWith("/save_turns")).length;
    // The replies to its saves must not stop the run.
    for (const before = saves(); saves() < before + 2;) await statusOf(messageId);
    more.resolve();
    await response.text();
    assertEquals((await ask(service, "GET", path, tenant)).json.data[1].content, "Slow but whole");
    assertEquals(await statusOf(messageId), "complete");
  });

  await t.step("an answer with neither text nor response is not listed", async () => {
    const { threadId, messageId } = await abandon(null, "");
    assertEquals(await read(threadId), []);
    assertEquals(await statusOf(messageId), "failed");
  });

  await t.step("an answer that the backend is still generating is left as it is", async () => {
    service.model.keep("resp_running", { status: "in_progress", text: "" });
    const { threadId, messageId } = await abandon("resp_running", "So far");
    assertEquals(await read(threadId), ["So far"]);
    assertEquals(await statusOf(messageId), "streaming");
  });

  await t.step("an answer whose run is alive is not looked up", async () => {
    service.model.keep("resp_alive", { status: "completed", text: "should not be seen" });
    const { threadId, messageId } = await abandon("resp_alive", "Being written", new Date().toISOString());
    assertEquals(await read(threadId), ["Being written"]);
    assertEquals(await statusOf(messageId), "streaming");
  });

  await t.step("twenty abandoned answers in one thread are all fetched", async () => {
    const { threadId } = await abandon(null, "");
    const rows = Array.from({ length: 20 }, (_, index) => {
      service.model.keep(`resp_many_${index}`, { status: "completed", text: `answer ${index}` });
      return {
        thread_id: threadId,
        role: "assistant",
        status: "streaming",
        response_id: `resp_many_${index}`,
        updated_at: longAgo,
      };
    });
    await operator.from("messages").insert(rows).throwOnError();
    assertEquals(await read(threadId), rows.map((_, index) => `answer ${index}`));
  });
});

Deno.test("two accounts and two users see nothing of each other", async (t) => {
  await using service = await startService();
  const [mine, theirs] = [await createTenant(), await createTenant()];
  const [alice, bob] = [await createUser(), await createUser()];
  const asAlice = { ...mine, accessToken: alice.accessToken };
  const asBob = { ...mine, accessToken: bob.accessToken };
  const context = { coachId: mine.coachId, userId: alice.id, isAuthenticated: true };
  const { threadId } = await chat(service, asAlice, { message: "private", context });
  const messages = `/threads/${threadId}/messages`;

  await t.step("another account's key: no thread, no list, no coach", async () => {
    assertRefused(await ask(service, "GET", messages, theirs), "thread_not_found");
    assertReply(await ask(service, "GET", `/users/${alice.id}/threads`, theirs), 200, { data: [], count: 0 });
    assertReply(await ask(service, "GET", `/users/${alice.id}/threads?coachId=${mine.coachId}`, theirs), 200, {
      data: [],
      count: 0,
    });
    assertRefused(
      await ask(service, "POST", "/chat", theirs, { message: "x", thread_id: threadId }),
      "thread_not_found",
    );
    assertReply(await ask(service, "POST", "/chat", theirs, { message: "x", context }), 401);
    assertRefused(
      await ask(service, "POST", "/chat", theirs, { message: "x", context: { coachId: mine.coachId } }),
      "coach_not_found",
    );
  });
  await t.step("another account's key with the user's own token: still nothing", async () => {
    const stolen = { apiKey: theirs.apiKey, accessToken: alice.accessToken };
    assertRefused(await ask(service, "GET", messages, stolen), "thread_not_found");
    assertReply(await ask(service, "GET", `/users/${alice.id}/threads`, stolen), 200, { data: [], count: 0 });
  });
  await t.step("another user of the same account: 403 for the list, 404 for the thread", async () => {
    assertRefused(await ask(service, "GET", `/users/${alice.id}/threads`, asBob), "user_mismatch");
    assertRefused(await ask(service, "GET", messages, asBob), "thread_not_found");
    assertRefused(
      await ask(service, "POST", "/chat", asBob, { message: "x", thread_id: threadId }),
      "thread_not_found",
    );
  });
  await t.step("the user sees it, and so does the account's key alone", async () => {
    for (const credentials of [asAlice, mine]) {
      assertEquals((await ask(service, "GET", messages, credentials)).json.count, 2);
      assertEquals((await ask(service, "GET", `/users/${alice.id}/threads`, credentials)).json.count, 1);
    }
  });
});
