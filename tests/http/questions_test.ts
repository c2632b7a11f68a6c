import { assertEquals } from "deno-std/assert/mod.js";
import { ask, assertReply, clientOf, type Credentials } from "../support/client.ts";
import { connect } from "../support/mcp.ts";
import {
  createCoach,
  createTenant,
  createUser,
  issueKey,
  issuePublishableKey,
  operator,
  type Tenant,
} from "../support/project.ts";
import { startService } from "../support/service.ts";
import { storeAnswer } from "../support/turns.ts";

/** Has a person ask what the persona does not know. */
async function keep(
  tenant: Tenant,
  user_id: string,
  question: string | null,
  is_for_human = false,
): Promise<{ questionId: string; threadId: string; messageId: string }> {
  const ids = await storeAnswer(tenant, { content: "I do not know", status: "complete", user_id });
  const { data } = await operator.rpc("keep_question", {
    message_id: ids.messageId,
    run_id: ids.messageId,
    question: question!,
    is_for_human,
  }).throwOnError();
  return { ...ids, questionId: data };
}

/** The expert behind a tenant's coach. */
async function createExpert({ coachId }: Tenant) {
  const expert = await createUser();
  await operator.from("coach_profiles").update({ owner_id: expert.id }).eq("id", coachId).throwOnError();
  return expert;
}

const expertKey = { requests_per_minute: 1_000, scopes: ["expert", "chat", "threads:write"] };

Deno.test("GET /coaches/{coachId}/questions", async (t) => {
  await using service = await startService();
  const tenant = await createTenant(expertKey);
  const path = `/coaches/${tenant.coachId}/questions`;
  const list = async (query = "", credentials: Credentials = tenant) =>
    await ask(service, "GET", path + query, credentials);

  await t.step("none is an empty list", async () => {
    assertReply(await list(), 200, { data: [], count: 0 });
  });

  const rare = await keep(tenant, "ann", "Who invented it?");
  for (const userId of ["ann", "ann", "ben"]) await keep(tenant, userId, "What does it cost?");
  const common = await keep(tenant, "cat", "What does it cost?", true);
  const silent = await keep(tenant, "dan", null);
  await keep(await createTenant(), "ann", "What is of another account?");

  await t.step("most asked first, with how often, by how many and where last", async () => {
    const { json, text } = await list();
    assertEquals(json.data.map(({ question }: { question: string }) => question).toSorted(), [
      "What does it cost?",
      "Who invented it?",
      null,
    ]);
    const { first_asked_at, last_asked_at, ...first } = json.data[0];
    assertEquals(first, {
      id: common.questionId,
      question: "What does it cost?",
      status: "open",
      times: 4,
      people: 3,
      reasons: ["unknown", "human"],
      pinned_answer_id: null,
      thread_id: common.threadId,
      message_id: common.messageId,
    });
    assertEquals(first_asked_at < last_asked_at, true);
    assertEquals(text.includes("I do not know"), false, "never an answer of the model");
  });

  await t.step("page by page they are the same", async () => {
    const whole = (await list()).json.data;
    let cursor = "";
    for (const expected of whole) {
      const { json } = await list(`?limit=1${cursor}`);
      assertEquals([json.data, json.count], [[expected], 1]);
      cursor = `&cursor=${json.next_cursor}`;
    }
    assertEquals(cursor, "&cursor=null");
  });

  await t.step("what cannot be a page or a status → 400", async () => {
    for (const query of ["?limit=0", "?limit=x", "?cursor=1_2", "?cursor=1_2_3", "?status=closed", "?status="]) {
      assertEquals((await list(query)).status, 400, query);
    }
  });

  await t.step("dismissed ones are in a list of their own, and come back", async () => {
    const decide = (act: string) => ask(service, "POST", `${path}/${rare.questionId}/${act}`, tenant);
    for (let time = 0; time < 2; time++) {
      const { status, json } = await decide("dismiss");
      assertEquals([status, json.id, json.status], [200, rare.questionId, "dismissed"]);
    }
    assertEquals((await list()).json.count, 2);
    assertEquals((await list("?status=dismissed")).json.data.map(({ id }: { id: string }) => id), [rare.questionId]);
    assertEquals((await decide("reopen")).json.status, "open");
    assertEquals((await list()).json.count, 3);
  });

  await t.step("the typed client has all of it", async () => {
    const client = clientOf(service, tenant);
    const { data } = await client.listQuestions(tenant.coachId, { status: "open", limit: 1 });
    assertEquals(data[0]?.id, common.questionId);
    assertEquals((await client.dismissQuestion(tenant.coachId, silent.questionId)).status, "dismissed");
    assertEquals((await client.reopenQuestion(tenant.coachId, silent.questionId)).status, "open");
    const answered = await client.answerQuestion(tenant.coachId, silent.questionId, {
      answer: "On Sunday.",
      question: "When is it?",
    });
    assertEquals([answered.status, answered.question], ["answered", "When is it?"]);
  });
});

Deno.test("POST /coaches/{coachId}/questions/{questionId}/answer", async (t) => {
  await using service = await startService();
  const tenant = await createTenant(expertKey);
  const expert = await createExpert(tenant);
  const answer = (questionId: string, body: unknown, credentials: Credentials = tenant, coachId = tenant.coachId) =>
    ask(service, "POST", `/coaches/${coachId}/questions/${questionId}/answer`, credentials, body);
  const pinned = async () =>
    (await operator.from("pinned_answers").select("id, question, variants, answer, written_by")
      .eq("coach_id", tenant.coachId).order("created_at").throwOnError()).data;

  await t.step("pins the answer, and the question is answered", async () => {
    const { questionId } = await keep(tenant, "ann", "What does it cost?");
    const reply = await answer(questionId, { answer: "Nothing.", variants: ["Is it free?"] }, {
      ...tenant,
      accessToken: expert.accessToken,
    });
    const [stored] = await pinned();
    assertEquals([reply.status, reply.json.status, reply.json.pinned_answer_id], [200, "answered", stored?.id]);
    assertEquals(stored, {
      id: stored!.id,
      question: "What does it cost?",
      variants: ["Is it free?"],
      answer: "Nothing.",
      written_by: expert.id,
    });
  });

  await t.step("asked again it is open again; a new answer takes the place of the old one", async () => {
    const { questionId } = await keep(tenant, "ben", "What does it cost?");
    assertEquals(
      (await ask(service, "GET", `/coaches/${tenant.coachId}/questions`, tenant)).json.data[0].status,
      "open",
    );
    const reply = await answer(questionId, { answer: "Ten euros." });
    assertEquals([reply.json.status, reply.json.times], ["answered", 2]);
    assertEquals((await pinned()).map((each) => each.answer), ["Ten euros."]);
  });

  await t.step("one without a sentence needs the question", async () => {
    const { questionId } = await keep(tenant, "ann", null);
    assertReply(await answer(questionId, { answer: "Yes." }), 400, {
      error: "question is required: this one has no sentence yet",
    });
    assertEquals((await pinned()).length, 1);
    const { json } = await answer(questionId, { answer: "Yes.", question: "Is it open on Sundays?" });
    assertEquals([json.id, json.question, json.status], [questionId, "Is it open on Sundays?", "answered"]);
  });

  await t.step("and becomes one with the question that has it already", async () => {
    const known = await keep(tenant, "ann", "Where is it?");
    const { questionId } = await keep(tenant, "ben", null);
    const { json } = await answer(questionId, { answer: "In Lund.", question: "Where is it?" });
    assertEquals([json.id, json.status, json.times, json.people], [known.questionId, "answered", 2, 2]);
    assertReply(await answer(questionId, { answer: "In Lund." }), 404, { error: "Question not found" });
  });

  await t.step("the pinned answer outlives the person, the question does not", async () => {
    const { questionId } = await keep(tenant, "eve", "Who built it?");
    await answer(questionId, { answer: "We did." });
    await operator.rpc("erase_user", { account_id: tenant.accountId, user_id: "eve" }).throwOnError();
    assertReply(await answer(questionId, { answer: "We did." }), 404, { error: "Question not found" });
    assertEquals((await pinned()).at(-1)?.answer, "We did.");
  });

  await t.step("what does not fit → 400, and nothing is pinned", async () => {
    const { questionId } = await keep(tenant, "ann", "Is it big?");
    const before = await pinned();
    for (
      const [body, error] of [
        [{}, "answer must be a string"],
        [{ answer: " " }, "answer must not be blank"],
        [{ answer: "x".repeat(20_001) }, "answer must be at most 20,000 characters long"],
        [{ answer: "a\0" }, "answer must not contain NUL characters or halves of surrogate pairs"],
        [{ answer: "Yes.", question: " " }, "question must not be blank"],
        [{ answer: "Yes.", question: "😀".repeat(1_001) }, "question must be at most 1,000 characters long"],
        [{ answer: "Yes.", variants: "Big?" }, "variants must be a list of strings"],
        [{ answer: "Yes.", variants: [""] }, "variants must not be blank"],
        [{ answer: "Yes.", variants: Array(21).fill("Big?") }, "variants must be at most 20"],
      ] as const
    ) {
      assertReply(await answer(questionId, body), 400, { error });
    }
    assertEquals(await pinned(), before);
  });

  await t.step("an unknown question, or one of another coach → 404", async () => {
    const other = await createCoach(tenant.accountId);
    const { questionId } = await keep({ ...tenant, coachId: other.id }, "ann", "What is it?");
    for (const id of [questionId, crypto.randomUUID(), "7", "%00", "'"]) {
      for (const act of ["answer", "dismiss", "reopen"]) {
        const path = `/coaches/${tenant.coachId}/questions/${id}/${act}`;
        const reply = await ask(service, "POST", path, tenant, { answer: "Yes." });
        assertReply(reply, 404, { error: "Question not found" });
        assertEquals(reply.headers.get("X-Error-Code"), "question_not_found");
      }
    }
  });
});

Deno.test("only the expert behind a coach has its questions", async () => {
  await using service = await startService();
  const [tenant, foreign] = [await createTenant(expertKey), await createTenant(expertKey)];
  const expert = await createExpert(tenant);
  const stranger = await createUser();
  const { questionId } = await keep(tenant, stranger.id, "What does it cost?");
  const { apiKey } = await issueKey(tenant.accountId, { scopes: ["chat"] });
  const page = await issuePublishableKey(tenant.accountId);
  const other = await createCoach(tenant.accountId);
  const bound = await issueKey(tenant.accountId, { scopes: ["expert"], coach_ids: [other.id] });
  const callers: [name: string, credentials: Credentials, status: number][] = [
    ["a stranger with the key", { ...tenant, accessToken: stranger.accessToken }, 403],
    ["a stranger on a page", { ...page, accessToken: stranger.accessToken }, 403],
    ["a key without the scope", { apiKey }, 403],
    ["a key of another account", foreign, 404],
    ["the expert with a key of another account", { ...foreign, accessToken: expert.accessToken }, 404],
    ["a key that is bound to another coach", bound, 404],
    ["the expert with a key without the scope", { apiKey, accessToken: expert.accessToken }, 200],
    ["the expert on a page", { ...page, accessToken: expert.accessToken }, 200],
    ["a key alone", tenant, 200],
  ];
  const path = `/coaches/${tenant.coachId}/questions`;
  for (const [name, credentials, status] of callers) {
    assertEquals((await ask(service, "GET", path, credentials)).status, status, name);
    for (const act of ["dismiss", "reopen", "answer"]) {
      const reply = await ask(service, "POST", `${path}/${questionId}/${act}`, credentials, { answer: "Yes." });
      assertEquals(reply.status, status, `${name}: ${act}`);
    }
    const { data } = await operator.from("open_questions").select("status").eq("id", questionId).single()
      .throwOnError();
    assertEquals(data.status, status === 200 ? "answered" : "open", name);
  }
  await operator.from("coach_profiles").update({ is_active: false }).eq("id", tenant.coachId).throwOnError();
  assertEquals((await ask(service, "GET", path, tenant)).status, 200, "an inactive coach has an expert, too");
});

Deno.test("a thumbs-down over HTTP is in the list, until it is taken back", async () => {
  await using service = await startService();
  const tenant = await createTenant(expertKey);
  const { threadId, messageId } = await storeAnswer(tenant, { content: "Said", status: "complete" });
  const rate = (rating: string | null) =>
    ask(service, "PUT", `/threads/${threadId}/messages/${messageId}/feedback`, tenant, { rating });
  const list = async () => (await ask(service, "GET", `/coaches/${tenant.coachId}/questions`, tenant)).json.data;
  await rate("down");
  const [{ reasons, question, message_id }] = await list();
  assertEquals([reasons, question, message_id], [["feedback"], null, messageId]);
  await rate(null);
  assertEquals(await list(), []);
});

Deno.test("over MCP, experts list questions and answer them", async () => {
  await using service = await startService();
  const tenant = await createTenant(expertKey);
  const { questionId } = await keep(tenant, "ann", "What does it cost?");
  await using client = await connect(service, tenant);
  const listed = await client.callTool({ name: "list-questions", arguments: { coachId: tenant.coachId } });
  assertEquals((listed.structuredContent as { count: number }).count, 1);
  const answered = await client.callTool({
    name: "answer-question",
    arguments: { coachId: tenant.coachId, questionId, answer: "Nothing." },
  });
  assertEquals((answered.structuredContent as { status: string }).status, "answered");
});
