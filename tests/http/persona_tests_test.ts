import { assert, assertEquals, assertMatch, assertRejects } from "../support/assert.ts";
import { ask, assertInvalid, assertRefused, assertReply, clientOf, type Credentials } from "../support/client.ts";
import { createCoach, createTenant, createUser, operator } from "../support/project.ts";
import { startService } from "../support/service.ts";
import { storeAnswer } from "../support/turns.ts";

const key = { requests_per_minute: 10_000, requests_per_hour: 10_000, scopes: ["chat", "threads:write", "expert"] };
const unknownId = crypto.randomUUID();

Deno.test("the tests of a coach", async (t) => {
  await using service = await startService();
  const tenant = await createTenant(key);
  const { coachId } = tenant;
  const client = clientOf(service, tenant);
  const path = `/coaches/${coachId}/tests`;
  const create = (body: unknown) => ask(service, "POST", path, tenant, body);
  const full = {
    question: " Why? ",
    history: [{ role: "user", content: "Hi" }, { role: "assistant", content: "Hello" }],
    expect: {
      outcome: "answered",
      contains: ["a", " b "],
      contains_any: ["c"],
      icontains: ["D"],
      not_contains: ["{{e}}"],
      sources: { all: ["F.md"], any: ["G.md"] },
      rubric: "Kind.",
    },
    reference: " Because.\n",
  };

  await t.step("a test is kept as it was sent", async () => {
    const { status, json } = await create(full);
    const { id, created_at, updated_at, ...rest } = json;
    assertEquals([status, rest], [200, { ...full, thread_id: null, last_verdict: null }]);
    assertMatch(id, /^[0-9a-f-]{36}$/);
    assertEquals(created_at, updated_at);
    const { json: least } = await create({ question: "And?" });
    assertEquals([least.history, least.expect, least.reference], [[], {}, null]);
  });
  await t.step("the list: newest first, whole or in pages", async () => {
    await create({ question: "Third?" });
    const questions = async (query?: { limit?: number; cursor?: string }) => {
      const { data, count, next_cursor } = await client.listTests(coachId, query);
      assertEquals(count, data.length);
      return [data.map(({ question }) => question), next_cursor] as const;
    };
    assertEquals(await questions(), [["Third?", "And?", full.question], undefined]);
    const [first, cursor] = await questions({ limit: 2 });
    assertEquals(first, ["Third?", "And?"]);
    assertEquals(await questions({ limit: 2, cursor: cursor! }), [[full.question], null]);
  });
  await t.step("a change: what is sent, and nothing else", async () => {
    const [test] = (await client.listTests(coachId)).data;
    const changed = await client.updateTest(coachId, test!.id, { expect: { outcome: "pinned" } });
    assertEquals({ ...changed, updated_at: test!.updated_at }, { ...test!, expect: { outcome: "pinned" } });
    assertEquals(
      (await client.updateTest(coachId, test!.id, { question: "Fourth?", history: [] })).question,
      "Fourth?",
    );
    const reference = async (given: object) => (await client.updateTest(coachId, test!.id, given)).reference;
    assertEquals(await reference({ reference: "So." }), "So.");
    assertEquals(await reference({ question: "Fifth?" }), "So.");
    assertEquals(await reference({ reference: null }), null);
  });
  await t.step("a deletion; a second one → 404", async () => {
    const { data: [test] } = await client.listTests(coachId);
    const reply = () => ask(service, "DELETE", `${path}/${test!.id}`, tenant);
    assertReply(await reply(), 200, { message: "Test deleted successfully", testId: test!.id });
    assertRefused(await reply(), "test_not_found");
    assertEquals((await client.listTests(coachId)).count, 2);
  });
  for (const id of [unknownId, "x", "a%00b"]) {
    await t.step(`no test ${id} → 404`, async () => {
      assertRefused(await ask(service, "PATCH", `${path}/${id}`, tenant, { question: "Q" }), "test_not_found");
    });
  }

  const long = "x".repeat(1_001);
  const bad: [body: unknown, error: string | RegExp][] = [
    [{}, "question is required"],
    [{ question: " " }, "question must not be blank"],
    [{ question: 7 }, "question must be a string"],
    [{ question: "a\0" }, "question must not contain NUL characters or unpaired surrogates"],
    [{ question: "x".repeat(32_001) }, "question must be at most 32,000 characters long"],
    [{ question: "Q", history: "x" }, /^history must be a list/],
    [{ question: "Q", history: [{ role: "system", content: "x" }] }, "role must be user or assistant"],
    [{ question: "Q", history: [{ role: "user", content: "" }] }, "content must not be blank"],
    [
      { question: "Q", history: Array(21).fill({ role: "user", content: "x" }) },
      /^history must be a list of at most 20/,
    ],
    [{ question: "Q", history: Array(4).fill({ role: "user", content: "x".repeat(30_000) }) }, /100,000 characters/],
    [{ question: "Q", expect: [] }, "expect must be an object"],
    [{ question: "Q", expect: { javascript: "1" } }, "expect has no field javascript"],
    [{ question: "Q", expect: { outcome: "good" } }, "expect.outcome must be answered, not_known or pinned"],
    [{ question: "Q", expect: { contains: "x" } }, "expect.contains must be a list of at most 20 texts"],
    [{ question: "Q", expect: { contains: [long] } }, /must be at most 1,000 characters long$/],
    [{ question: "Q", expect: { not_contains: [""] } }, "Each of expect.not_contains must not be blank"],
    [{ question: "Q", expect: { icontains: Array(21).fill("x") } }, /at most 20 texts$/],
    [{ question: "Q", expect: { sources: ["F.md"] } }, "expect.sources must be an object with all or any"],
    [{ question: "Q", expect: { sources: { some: [] } } }, "expect.sources must be an object with all or any"],
    [{ question: "Q", expect: { rubric: "x".repeat(4_001) } }, "expect.rubric must be at most 4,000 characters long"],
    [{ question: "Q", reference: " " }, "reference must not be blank"],
    [{ question: "Q", reference: "x".repeat(10_001) }, "reference must be at most 10,000 characters long"],
    [{ question: "Q", reference: "a\0" }, "reference must not contain NUL characters or unpaired surrogates"],
    [{ question: "Q", thread_id: "x" }, "thread_id must be a UUID"],
  ];
  for (const [body, error] of bad) {
    await t.step(`400 ${error}`, async () => {
      const { status, json, text } = await create(body);
      assertEquals(status, 400, text);
      if (typeof error === "string") assertEquals(json.error, error);
      else assertMatch(json.error, error);
    });
  }
  await t.step("a change of nothing → 400", async () => {
    const { data: [test] } = await client.listTests(coachId);
    assertInvalid(
      await ask(service, "PATCH", `${path}/${test!.id}`, tenant, {}),
      "One of question, history, expect and reference is required",
    );
  });
});

Deno.test("the tests of a coach are its expert's", async (t) => {
  await using service = await startService();
  const owner = await createUser();
  const stranger = await createUser();
  const tenant = await createTenant(key, { owner_id: owner.id });
  const foreign = await createTenant(key, { owner_id: stranger.id });
  const sibling = await createCoach(tenant.accountId);
  const mine = await clientOf(service, tenant).createTest(tenant.coachId, { question: "Mine?" });
  const run = await clientOf(service, tenant).startTestRun(tenant.coachId, {});
  await service.turns();
  const paths: [method: string, path: string, body?: object][] = [
    ["GET", "tests"],
    ["POST", "tests", { question: "Q" }],
    ["PATCH", `tests/${mine.id}`, { question: "Q" }],
    ["DELETE", `tests/${mine.id}`],
    ["GET", "test-runs"],
    ["POST", "test-runs", {}],
    ["GET", `test-runs/${run.id}`],
    ["POST", `test-runs/${run.id}/stop`],
  ];
  const callers: [name: string, credentials: Credentials, status: number][] = [
    ["another user of the account", { apiKey: tenant.apiKey, accessToken: stranger.accessToken }, 403],
    ["another account", foreign, 404],
    ["the user of another account", { apiKey: foreign.apiKey, accessToken: owner.accessToken }, 404],
  ];
  for (const [name, credentials, status] of callers) {
    await t.step(`${name} → ${status}, and nothing has changed`, async () => {
      for (const [method, rest, body] of paths) {
        const reply = await ask(service, method, `/coaches/${tenant.coachId}/${rest}`, credentials, body);
        assertEquals([method, rest, reply.status], [method, rest, status]);
      }
    });
  }
  await t.step("nor are they found through another coach, of the account or not", async () => {
    for (const [coachId, credentials] of [[sibling.id, tenant], [foreign.coachId, foreign]] as const) {
      for (const [method, rest, body] of paths.filter(([, rest]) => rest.includes("/"))) {
        const reply = await ask(service, method, `/coaches/${coachId}/${rest}`, credentials, body);
        assertEquals([method, rest, reply.status], [method, rest, 404]);
      }
      const started = await ask(service, "POST", `/coaches/${coachId}/test-runs`, credentials, { tests: [mine.id] });
      assertRefused(started, "test_not_found");
    }
  });
  await t.step("the owner, signed in, has them", async () => {
    const client = clientOf(service, { apiKey: tenant.apiKey, accessToken: owner.accessToken });
    // Its run may have ended meanwhile.
    const tests = (await client.listTests(tenant.coachId)).data.map((test) => ({ ...test, last_verdict: null }));
    assertEquals(tests, [mine]);
    assertEquals((await client.listTestRuns(tenant.coachId)).data.map(({ id }) => id), [run.id]);
  });
  await t.step("deleting a coach takes them", async () => {
    const client = clientOf(service, tenant);
    const test = await client.createTest(sibling.id, { question: "Sibling?" });
    await client.startTestRun(sibling.id, {});
    await operator.from("coach_profiles").delete().eq("id", sibling.id).throwOnError();
    const { data } = await operator.from("test_cases").select("id").eq("id", test.id).throwOnError();
    assertEquals(data, []);
    await service.turns();
  });
});

Deno.test("a test with the words of a conversation goes with it", async (t) => {
  await using service = await startService();
  const tenant = await createTenant(key);
  const { coachId, accountId } = tenant;
  const client = clientOf(service, tenant);
  const say = async (user_id: string) =>
    (await storeAnswer(tenant, { content: "Said", status: "complete", user_id })).threadId;
  const save = async (thread_id: string) =>
    (await client.createTest(coachId, { question: "Why me?", reference: "I said so.", thread_id })).id;
  const left = async () => (await client.listTests(coachId)).data.map(({ id }) => id);
  const threads = [await say("ann"), await say("ann"), await say("ben")] as const;
  const tests = [await save(threads[0]), await save(threads[1]), await save(threads[2])] as const;

  await t.step("it names the conversation", async () => {
    assertEquals((await client.listTests(coachId)).data.map(({ thread_id }) => thread_id), [...threads].reverse());
  });
  await t.step("the export of the person shows it", async () => {
    const { data } = await operator.rpc("export_user", { account_id: accountId, user_id: "ben" }).throwOnError();
    const exported = data as { threads: { tests: { question: string; reference: string }[] }[] };
    const shown = exported.threads.map(({ tests }) => tests.map(({ question, reference }) => [question, reference]));
    assertEquals(shown, [[["Why me?", "I said so."]]]);
  });
  await t.step("deleting the thread deletes it", async () => {
    await client.deleteThread(threads[0]);
    assertEquals(await left(), [tests[2], tests[1]]);
  });
  await t.step("erasing the person deletes it, and its results", async () => {
    const run = await client.startTestRun(coachId, {});
    await service.turns();
    assertEquals((await client.getTestRun(coachId, run.id)).total, 2);
    await operator.rpc("erase_user", { account_id: accountId, user_id: "ann" }).throwOnError();
    assertEquals(await left(), [tests[2]]);
    const { total, results } = await client.getTestRun(coachId, run.id);
    assertEquals([total, results.every(({ test_id }) => test_id === tests[2])], [1, true]);
  });
  await t.step("a conversation with another coach, or of another account, is none", async () => {
    const other = await createCoach(accountId);
    const foreign = await createTenant(key);
    for (const place of [{ ...tenant, coachId: other.id }, foreign]) {
      const { threadId } = await storeAnswer(place, { content: "Said", status: "complete", user_id: "ann" });
      const reply = await ask(service, "POST", `/coaches/${coachId}/tests`, tenant, {
        question: "Why?",
        thread_id: threadId,
      });
      assertRefused(reply, "thread_not_found");
    }
  });
});

Deno.test("a coach has at most 500 tests", async (t) => {
  await using service = await startService();
  const tenant = await createTenant(key);
  const { coachId } = tenant;
  const importAll = (tests: unknown) =>
    operator.rpc("import_tests", { coach: coachId, tests: tests as never }).throwOnError();
  const many = Array.from({ length: 499 }, (_, index) => ({ question: `Question ${index}?` }));
  const count = async () => (await clientOf(service, tenant).listTests(coachId)).count;

  await t.step("an operator imports many, in their order, and the same ones once", async () => {
    assertEquals((await importAll([...many, many[0]])).data, { added: 499, skipped: 1 });
    assertEquals((await importAll(many.slice(0, 3))).data, { added: 0, skipped: 3 });
    const referred = { ...many[0], reference: "So." };
    assertEquals((await importAll([referred, referred])).data, { added: 1, skipped: 1 });
    const { data: [last] } = await clientOf(service, tenant).listTests(coachId, { limit: 1 });
    assertEquals(last!.reference, "So.");
    await clientOf(service, tenant).deleteTest(coachId, last!.id);
    const { data } = await clientOf(service, tenant).listTests(coachId, { limit: 2 });
    assertEquals(data.map(({ question }) => question), ["Question 498?", "Question 497?"]);
  });
  await t.step("all of them or none", async () => {
    const wrong: unknown[] = [
      [{ question: "One?" }, { question: "Two?", expect: { javascript: "1" } }],
      [{ question: "One?" }, { question: " " }],
      [{ question: "One?" }, {}],
      [{ question: "One?", history: [{ role: "system", content: "x" }] }],
      { question: "One?" },
      // There is room for one.
      [{ question: "One?" }, { question: "Two?" }],
    ];
    for (const tests of wrong) {
      const isRefused = await importAll(tests).then(() => false, () => true);
      assert(isRefused, JSON.stringify(tests));
      assertEquals(await count(), 499);
    }
  });
  await t.step("the last one fits, and one more → 409", async () => {
    const add = (question: string) => ask(service, "POST", `/coaches/${coachId}/tests`, tenant, { question });
    assertEquals((await add("Last?")).status, 200);
    const reply = await add("One too many?");
    assertRefused(reply, "too_many_tests");
  });
});

Deno.test("tests of a persona are searched by the words of their questions", async (t) => {
  await using service = await startService();
  const [tenant, other] = await Promise.all([1, 2].map(() => createTenant({ scopes: ["expert"] })));
  const client = clientOf(service, tenant!);
  const questions = ["Do owls sleep?", "Do 100% of OWLS hunt?", "What is an engine?"];
  for (const question of questions) {
    await client.createTest(tenant!.coachId, { question, expect: { contains: ["engine"] } });
  }
  await clientOf(service, other!).createTest(other!.coachId, { question: "Do owls swim?" });
  const found = async (search: string) =>
    (await client.listTests(tenant!.coachId, { search })).data.map(({ question }) => question);

  await t.step("all words or parts of them, in upper or lower case, newest first", async () => {
    assertEquals(await found("OWL"), ["Do 100% of OWLS hunt?", "Do owls sleep?"]);
    assertEquals(await found("sleep  owl"), ["Do owls sleep?"]);
    assertEquals(await found("%"), ["Do 100% of OWLS hunt?"]);
    assertEquals(await found("engine"), ["What is an engine?"]);
    assertEquals(await found("whale"), []);
    assertEquals(await found(" "), questions.toReversed());
  });

  await t.step("page by page", async () => {
    const first = await client.listTests(tenant!.coachId, { search: "owl", limit: 1 });
    const second = await client.listTests(tenant!.coachId, { search: "owl", limit: 1, cursor: first.next_cursor! });
    assertEquals([first.data[0]!.question, second.data[0]!.question], ["Do 100% of OWLS hunt?", "Do owls sleep?"]);
    assertEquals(second.next_cursor, null);
  });

  await t.step("a test that no run had has no verdict", async () => {
    const { data } = await client.listTests(tenant!.coachId, {});
    assertEquals(data.map(({ last_verdict }) => last_verdict), [null, null, null]);
  });

  await t.step("text that cannot be stored is refused", async () => {
    await assertRejects(() => client.listTests(tenant!.coachId, { search: "a\0b" }), Error, "NUL");
  });
});
