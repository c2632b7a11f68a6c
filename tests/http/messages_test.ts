import { assert, assertEquals } from "../support/assert.ts";
import { eventually } from "../support/eventually.ts";
import {
  ask,
  assertInvalid,
  assertRefused,
  assertReply,
  chat,
  clientOf,
  type Credentials,
  send,
} from "../support/client.ts";
import { handOver } from "../support/hand_over.ts";
import { connect } from "../support/mcp.ts";
import { createCoach, createTenant, createUser, issueKey, issuePublishableKey, operator } from "../support/project.ts";
import type { Refusal } from "../support/refusals.ts";
import { startService } from "../support/service.ts";
import { changeAnswer, startTurn, storeAnswer } from "../support/turns.ts";

const usualFields = ["id", "thread_id", "content", "role", "response_id", "created_at"];

type Listed = { id: string; content: string } & Record<string, unknown>;

Deno.test("GET /threads/{threadId}/messages?order=", async (t) => {
  await using service = await startService();
  const tenant = await createTenant({ requests_per_minute: 1_000 });
  const { threadId } = await chat(service, tenant, { message: "one", context: { coachId: tenant.coachId } });
  await chat(service, tenant, { message: "two", thread_id: threadId });
  // Of the same instant, so that only their order of writing tells them apart.
  const rows = Array.from(
    { length: 7 },
    (_, index) => ({ thread_id: threadId, role: "user", content: `row ${index}` }),
  );
  await operator.from("messages").insert(rows).throwOnError();
  await operator.from("messages").insert({ thread_id: threadId, role: "system", content: "hidden" }).throwOnError();
  const path = `/threads/${threadId}/messages`;
  const list = async (query: string) => {
    const reply = await ask(service, "GET", `${path}?${query}`, tenant);
    assertReply(reply, 200);
    assertEquals(reply.headers.get("Cache-Control"), "no-store");
    return reply.json as { data: Listed[]; count: number; next_cursor?: string | null };
  };

  await t.step("asc is the usual list, byte by byte, whole and in pages", async () => {
    for (const query of ["", "limit=3", "limit=100"]) {
      const usual = await ask(service, "GET", `${path}?${query}`, tenant);
      assertEquals((await ask(service, "GET", `${path}?${query}&order=asc`, tenant)).text, usual.text);
    }
  });

  await t.step("desc is the same list, newest first", async () => {
    const { data, count } = await list("");
    assertEquals(await list("order=desc"), { data: data.toReversed(), count });
  });

  await t.step("pages of any size add up to the list in both orders, with anything included", async () => {
    for (const form of ["order=asc", "order=desc", "include=status", "order=desc&include=author,feedback"]) {
      const whole = await list(form);
      for (const limit of [1, 2, 4, 11, 100]) {
        const seen: Listed[] = [];
        let cursor: string | null | undefined = "";
        while (typeof cursor === "string") {
          const page = await list(`${form}&limit=${limit}${cursor && `&cursor=${cursor}`}`);
          assertEquals(page.count, whole.count);
          seen.push(...page.data);
          cursor = page.next_cursor;
        }
        assertEquals([cursor, seen], [null, whole.data], `${form} ${limit}`);
      }
    }
  });

  await t.step("a cursor alone asks for the next page, of at most 100", async () => {
    const { data } = await list("order=desc");
    const { next_cursor } = await list("order=desc&limit=2");
    assertEquals((await list(`order=desc&cursor=${next_cursor}`)).data, data.slice(2));
  });

  await t.step("messages that are written meanwhile move no page", async () => {
    const { data: before } = await list("order=desc");
    const first = await list("order=desc&limit=4");
    await chat(service, tenant, { message: "meanwhile", thread_id: threadId });
    const second = await list(`order=desc&limit=100&cursor=${first.next_cursor}`);
    assertEquals([...first.data, ...second.data], before);
    assertEquals([first.count, second.count], [before.length, before.length + 2]);
    const oldest = await list("limit=4");
    await chat(service, tenant, { message: "later", thread_id: threadId });
    const rest = await list(`limit=100&cursor=${oldest.next_cursor}`);
    assertEquals([...oldest.data, ...rest.data].map(({ id }) => id), (await list("")).data.map(({ id }) => id));
    assertEquals(rest.data.at(-2)?.content, "later");
  });

  for (const order of ["", "DESC", "down", "asc,desc", "%00"]) {
    await t.step(`order=${order} → 400`, async () => {
      assertInvalid(await ask(service, "GET", `${path}?order=${order}`, tenant), "order must be asc or desc");
    });
  }
});

async function prepare() {
  await using stack = new AsyncDisposableStack();
  const service = stack.use(await startService({ timeouts: { flush: 20 } }));
  const tenant = await createTenant({ requests_per_minute: 1_000 });
  const { threadId, messageId } = await storeAnswer(tenant, { content: "Said", status: "complete" });
  const source = {
    kind: "passage",
    passageId: "p",
    fileId: "f",
    file_id: "f",
    filename: "a.md",
    source_url: null,
    position: 0,
    page: null,
    heading: "H",
    quote: "So.",
    score: 1.5,
  };
  await operator.from("messages").update({ sources: [source] }).eq("id", messageId).throwOnError();
  await operator.from("feedback").insert({ message_id: messageId, rating: "down", comment: "No" }).throwOnError();
  const list = async (query: string, thread = threadId) => {
    const reply = await ask(service, "GET", `/threads/${thread}/messages?${query}`, tenant);
    assertReply(reply, 200);
    return reply.json as { data: Listed[]; count: number };
  };
  const added: Record<string, [ofQuestion: Record<string, unknown>, ofAnswer: Record<string, unknown>]> = {
    status: [{ status: "complete", error_code: null }, { status: "complete", error_code: null }],
    sources: [{ sources: [] }, { sources: [source] }],
    feedback: [{ feedback: null }, { feedback: { rating: "down", comment: "No" } }],
    author: [{ author: "user" }, { author: "ai" }],
  };
  return handOver(stack, { service, tenant, threadId, messageId, list, added });
}

Deno.test("GET /threads/{threadId}/messages?include=", async (t) => {
  await using prepared = await prepare();
  const { service, tenant, threadId, list, added } = prepared;

  await t.step("each adds its fields to every message, and no others; all combinations do", async () => {
    const { data: [question, answer] } = await list("");
    assertEquals([question, answer].map((message) => Object.keys(message!)), [usualFields, usualFields]);
    const names = Object.keys(added);
    for (let mask = 1; mask < 2 ** names.length; mask++) {
      const some = names.filter((_, index) => mask & 2 ** index);
      for (const order of ["asc", "desc"]) {
        const expected = [question, answer].map((message, index) =>
          Object.assign({}, message, ...some.map((name) => added[name]![index]))
        );
        const { data, count } = await list(`include=${some.toReversed().join(",")}&order=${order}`);
        assertEquals([data, count], [order === "asc" ? expected : expected.toReversed(), 2]);
      }
    }
  });

  for (
    const include of [
      "",
      "all",
      "status,",
      "status,status",
      "Status",
      "status, author",
      "error",
      "%00",
      "status;author",
    ]
  ) {
    await t.step(`include=${include} → 400 that names the parameter`, async () => {
      const reply = await ask(service, "GET", `/threads/${threadId}/messages?include=${include}`, tenant);
      assertInvalid(
        reply,
        "include must be status, sources, feedback, author, basis or several of them, comma separated, each at most once",
      );
    });
  }
});

Deno.test("GET /threads/{threadId}/messages?include=: answers that have not ended well", async (t) => {
  await using prepared = await prepare();
  const { service, tenant, threadId, list } = prepared;

  await t.step("an answer that is being written is listed with status, from before its first text on", async () => {
    const begun = Promise.withResolvers<void>();
    service.model.script(tenant.modelName, { steps: [{ waitFor: begun.promise }, { text: "First" }] });
    const reply = send(service, "POST", "/chat", tenant, {
      message: "Think",
      context: { coachId: tenant.coachId, userId: "t" },
    });
    const threadsOf = async () => (await ask(service, "GET", "/users/t/threads", tenant)).json.data;
    await eventually(async () => (await threadsOf()).length === 1, "the thread is there");
    const [thread] = await threadsOf();
    const { data: [question, answer], count } = await list("include=status", thread.id);
    assertEquals([question?.status, answer?.status, answer?.error_code, answer?.content], [
      "complete",
      "streaming",
      null,
      "",
    ]);
    assertEquals(count, 1);
    const newest = await list("order=desc&limit=1&include=status", thread.id);
    assertEquals([newest.data.map(({ id }) => id), newest.count], [[answer!.id], 1]);
    for (const query of ["", "include=sources,feedback,author", "order=desc"]) {
      assertEquals((await list(query, thread.id)).data.map(({ id }) => id), [question!.id], query);
    }
    begun.resolve();
    assertEquals((await reply).headers.get("X-Message-Id"), answer?.id);
    await (await reply).text();
    assertEquals((await list("include=status&order=desc", thread.id)).data[0]?.status, "complete");
  });

  await t.step("a page reloaded in the middle of an answer finds its text so far, and goes on with it", async () => {
    const turn = await startTurn(service, tenant, { said: ["Said ", "so far"], rest: [{ text: ", and the rest" }] });
    const newest = async () => (await list("include=status&order=desc&limit=1", turn.threadId)).data[0]!;
    await eventually(async () => (await newest()).content === "Said so far", "the text is stored");
    const answer = await newest();
    assertEquals([answer.id, answer.status], [turn.messageId, "streaming"]);
    const resumed = clientOf(service, tenant).followAnswer(answer.id, { lastEventId: String(answer.content.length) });
    turn.goOn();
    assertEquals((await Array.fromAsync(await resumed)).join(""), ", and the rest");
    await turn.reply;
  });

  await t.step("failed and stopped answers say so, also without any text", async () => {
    for (
      const [status, content, code] of [["failed", "Half", "model_unavailable"], ["failed", "", "model_busy"], [
        "stopped",
        "",
        null,
      ]] as const
    ) {
      const { threadId, messageId } = await storeAnswer(tenant, { content, status });
      await operator.from("messages").update({ error_code: code }).eq("id", messageId).throwOnError();
      const { data: [, answer], count } = await list("include=status", threadId);
      assertEquals([answer?.id, answer?.status, answer?.error_code], [messageId, status, code]);
      assertEquals(count, content === "" ? 1 : 2);
      assertEquals((await list("", threadId)).data.length, count);
    }
  });

  await t.step("an abandoned answer is recovered before it is shown", async () => {
    service.model.keep("resp_kept", { status: "completed", text: "The whole answer" });
    for (
      const [response_id, content, status, code] of [["resp_kept", "The whole answer", "complete", null], [
        "resp_gone",
        "The",
        "failed",
        "answer_failed",
      ]] as const
    ) {
      const { threadId } = await storeAnswer(tenant, { content: "The", status: "streaming", response_id }, 31);
      const { data: [answer] } = await list("include=status&order=desc&limit=1", threadId);
      assertEquals([answer?.content, answer?.status, answer?.error_code], [content, status, code]);
    }
  });

  await t.step("the tool threads takes the same", async () => {
    await using client = await connect(service, tenant);
    const { tools } = await client.listTools();
    const { inputSchema } = tools.find(({ name }) => name === "threads")!;
    assertEquals(Object.keys(inputSchema.properties!), ["threadId", "order", "include", "limit", "cursor"]);
    const query = { order: "desc", include: "status,sources,feedback,author" };
    const { structuredContent } = await client.callTool({ name: "threads", arguments: { threadId, ...query } });
    assertEquals(structuredContent, await list(String(new URLSearchParams(query))));
    const refused = await client.callTool({ name: "threads", arguments: { threadId, include: "text" } });
    assertEquals(refused.isError, true);
  });
});

Deno.test("nobody sees more of another's messages with order or include", async () => {
  await using service = await startService();
  const [tenant, stranger] = [await createTenant(), await createTenant()];
  const [alice, bob] = [await createUser(), await createUser()];
  const { threadId } = await storeAnswer(tenant, { content: "Private", status: "complete", user_id: alice.id });
  const path = `/threads/${threadId}/messages?order=desc&include=status,sources,feedback,author`;
  for (const accessToken of [undefined, alice.accessToken]) {
    assertRefused(await ask(service, "GET", path, { ...stranger, accessToken }), "thread_not_found");
  }
  const ofBob = await ask(service, "GET", path, { ...tenant, accessToken: bob.accessToken });
  assertRefused(ofBob, "thread_not_found");
  for (const accessToken of [undefined, alice.accessToken]) {
    const { json } = await ask(service, "GET", path, { ...tenant, accessToken });
    assert(json.data[0].content === "Private");
  }
});

Deno.test("GET /threads/{threadId}/messages, for the expert behind the coach", async (t) => {
  await using service = await startService();
  const tenant = await createTenant({ requests_per_minute: 1_000 });
  const [expert, person, stranger] = [await createUser(), await createUser(), await createUser()];
  await operator.from("coach_profiles").update({ owner_id: expert.id }).eq("id", tenant.coachId).throwOnError();
  const { threadId, messageId } = await storeAnswer(tenant, {
    content: "Said",
    status: "complete",
    user_id: person.id,
  });
  const passage = {
    kind: "passage",
    passageId: "p",
    fileId: "f",
    file_id: "f",
    filename: "a.md",
    source_url: null,
    position: 0,
    page: 2,
    heading: null,
    quote: "Quote",
    score: 1,
  };
  const pinned = {
    kind: "pinned_answer",
    pinnedAnswerId: crypto.randomUUID(),
    version: 3,
    question: "When?",
    quote: "At noon.",
    isWordForWord: false,
  };
  const revision_id = crypto.randomUUID();
  await operator.from("messages").update({ mode: "brief" }).eq("thread_id", threadId).eq("role", "user").throwOnError();
  await operator.from("messages").update({
    model: "a-model",
    coach_version: 4,
    sources: [pinned, passage],
    revised_at: "2026-03-01T12:00:00Z",
    revision_id,
  }).eq("id", messageId).throwOnError();
  await operator.from("messages").insert([
    { thread_id: threadId, role: "assistant", content: "In person", is_by_expert: true },
    { thread_id: threadId, role: "user", content: "And now?" },
    { thread_id: threadId, role: "assistant", status: "waiting" },
  ]).throwOnError();

  const path = `/threads/${threadId}/messages`;
  const page = await issuePublishableKey(tenant.accountId);
  const server = await issueKey(tenant.accountId, { scopes: ["threads:read", "expert"] });
  const ofExpert = { ...page, accessToken: expert.accessToken };
  const basis = {
    model: "a-model",
    coach_version: 4,
    mode: "brief",
    pinned_answers: [pinned],
    revised_at: "2026-03-01T12:00:00.000Z",
    revision_id,
  };

  await t.step("include=basis says what each answer was made with", async () => {
    for (const credentials of [ofExpert, { ...tenant, accessToken: expert.accessToken }, server]) {
      const { json } = await ask(service, "GET", `${path}?include=basis,sources,author,status`, credentials);
      assertEquals(json.data.map((message: Listed) => [message.author, message.status, message.basis]), [
        ["user", "complete", null],
        ["ai", "complete", basis],
        ["expert", "complete", {
          ...basis,
          model: null,
          coach_version: null,
          pinned_answers: [],
          revised_at: null,
          revision_id: null,
        }],
        ["user", "complete", null],
        ["ai", "waiting", {
          ...basis,
          model: null,
          coach_version: null,
          mode: null,
          pinned_answers: [],
          revised_at: null,
          revision_id: null,
        }],
      ]);
      assertEquals(json.data[1].sources, [pinned, passage]);
      assertEquals(json.count, 4);
    }
    const { data } = await clientOf(service, server).listMessages(threadId, { include: "basis", order: "desc" });
    assertEquals(data.at(-2)?.basis?.coach_version, 4);
  });

  await t.step("while an answer is run again, the basis is that of the text that is shown", async () => {
    const answer = await storeAnswer(tenant, { content: "Earlier", status: "streaming" });
    const previous = { model: "former", coach_version: 1, sources: [pinned], revised_at: null, revision_id: null };
    await changeAnswer(answer.messageId, { model: "new", coach_version: 2, previous });
    const { json } = await ask(service, "GET", `/threads/${answer.threadId}/messages?include=basis`, server);
    assertEquals([json.data[1].basis.model, json.data[1].basis.pinned_answers], ["former", [pinned]]);
    await changeAnswer(answer.messageId, { previous: { ...previous, content: "Earlier" }, content: "New" });
    const { json: later } = await ask(service, "GET", `/threads/${answer.threadId}/messages?include=basis`, server);
    assertEquals([later.data[1].basis.model, later.data[1].basis.pinned_answers], ["new", []]);
  });

  await t.step("the expert reads what its user reads, byte by byte but for the names of experts", async () => {
    const ofPerson = { ...tenant, accessToken: person.accessToken };
    for (const query of ["", "?limit=2", "?include=status,sources,feedback,author"]) {
      const usual = await ask(service, "GET", path + query, ofPerson);
      assertReply(usual, 200);
      const { text } = await ask(service, "GET", path + query, ofExpert);
      assertEquals(text.replaceAll(/"(?:expert|email|user_id|own_name)" ?: ?null, ?/g, ""), usual.text);
    }
  });

  await t.step("nobody else sees the basis, and strangers nothing at all", async () => {
    const other = await createTenant();
    const refusals: [Credentials, string, Refusal, what?: string][] = [
      [
        { ...page, accessToken: person.accessToken },
        "?include=basis",
        "not_the_expert",
      ],
      [
        { ...server, accessToken: person.accessToken },
        "?include=basis",
        "not_the_expert",
      ],
      [tenant, "?include=basis", "missing_scope", "expert"],
      [{ ...server, accessToken: stranger.accessToken }, "?include=basis", "thread_not_found"],
      [{ ...page, accessToken: stranger.accessToken }, "", "thread_not_found"],
      [{ ...other, accessToken: expert.accessToken }, "", "thread_not_found"],
    ];
    for (const [credentials, query, ...refusal] of refusals) {
      assertRefused(await ask(service, "GET", path + query, credentials), ...refusal);
    }
  });

  await t.step("an expert is a stranger to threads with other coaches", async () => {
    const otherCoach = await createCoach(tenant.accountId);
    const { threadId } = await storeAnswer({ ...tenant, coachId: otherCoach.id }, {
      content: "Said",
      status: "complete",
    });
    for (const query of ["", "?include=basis"]) {
      const reply = await ask(service, "GET", `/threads/${threadId}/messages${query}`, ofExpert);
      assertRefused(reply, "thread_not_found");
    }
  });
});
