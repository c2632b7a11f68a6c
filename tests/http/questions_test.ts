import { samenessBeginning, wordingBeginning } from "../../shared/features/questions/prompts.ts";
import { assertEquals } from "../support/assert.ts";
import { eventually } from "../support/eventually.ts";
import { ask, assertInvalid, assertRefused, assertReply, clientOf, type Credentials } from "../support/client.ts";
import { sweep } from "../support/knowledge.ts";
import { connect } from "../support/mcp.ts";
import type { ModelScript } from "../support/model_server.ts";
import {
  createCoach,
  createTenant,
  createUser,
  issueKey,
  issuePublishableKey,
  operator,
  type Tenant,
} from "../support/project.ts";
import { type Service, startService } from "../support/service.ts";
import { storeAnswer } from "../support/turns.ts";
import { storeQuestion } from "../support/questions.ts";

/** Has a person ask something that the persona does not know. */
async function keep(
  tenant: Tenant,
  user_id: string,
  question: string | null,
  isForHuman = false,
): Promise<{ questionId: string; threadId: string; messageId: string }> {
  const ids = await storeAnswer(tenant, { content: "I do not know", status: "complete", user_id });
  return { ...ids, questionId: await storeQuestion(ids.messageId, question, { isForHuman }) };
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
      off_topic: false,
      is_requested: false,
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
    assertInvalid(
      await answer(questionId, { answer: "Yes." }),
      "question is required: this question has no sentence yet",
    );
    assertEquals((await pinned()).length, 1);
    const { json } = await answer(questionId, { answer: "Yes.", question: "Is it open on Sundays?" });
    assertEquals([json.id, json.question, json.status], [questionId, "Is it open on Sundays?", "answered"]);
  });

  await t.step("and becomes one with the question that has it already", async () => {
    const known = await keep(tenant, "ann", "Where is it?");
    const { questionId } = await keep(tenant, "ben", null);
    const { json } = await answer(questionId, { answer: "In Lund.", question: "Where is it?" });
    assertEquals([json.id, json.status, json.times, json.people], [known.questionId, "answered", 2, 2]);
    assertRefused(await answer(questionId, { answer: "In Lund." }), "question_not_found");
  });

  await t.step("what is pinned otherwise answers the open questions that ask the same, and no others", async () => {
    const [same, variant, other, foreign] = [
      await keep(tenant, "ann", "Who wrote the notes?"),
      await keep(tenant, "ann", "Whose notes are these?"),
      await keep(tenant, "ann", "Who read the notes?"),
      await keep(await createTenant(), "ann", "Who wrote the notes?"),
    ];
    const statusOf = async ({ questionId }: { questionId: string }) => {
      const rows = operator.from("open_questions").select("status, pinned_answer_id").eq("id", questionId);
      const { status, pinned_answer_id } = (await rows.single().throwOnError()).data;
      return [status, pinned_answer_id];
    };
    const body = { question: "who wrote the NOTES", variants: ["Whose notes are these?"], answer: "Ada." };
    const pin = (method: string, body: unknown, id = "") =>
      ask(service, method, `/coaches/${tenant.coachId}/answers${id}`, tenant, body);
    const { json: { id } } = await pin("POST", { ...body, is_active: false });
    assertEquals(await statusOf(same), ["open", null], "an answer that nobody gets");

    assertEquals((await pin("PATCH", { is_active: true }, `/${id}`)).status, 200);
    for (const question of [same, variant]) assertEquals(await statusOf(question), ["answered", id]);
    for (const question of [other, foreign]) assertEquals(await statusOf(question), ["open", null]);

    // Asked again, its answer has not reached somebody. A new text may.
    await keep(tenant, "ben", "Who wrote the notes?");
    assertEquals(await statusOf(same), ["open", id]);
    await operator.from("pinned_answers").update({ answer: "Ada did." }).eq("id", id).throwOnError();
    assertEquals(await statusOf(same), ["answered", id]);

    await ask(service, "POST", `/coaches/${tenant.coachId}/questions/${other.questionId}/dismiss`, tenant);
    assertEquals((await pin("POST", { question: "Who read the notes?", answer: "Many." })).status, 200);
    assertEquals(await statusOf(other), ["dismissed", null], "what was decided stays");
  });

  await t.step("the pinned answer outlives the person, the question does not", async () => {
    const { questionId } = await keep(tenant, "eve", "Who built it?");
    await answer(questionId, { answer: "We did." });
    await operator.rpc("erase_user", { account_id: tenant.accountId, user_id: "eve" }).throwOnError();
    assertRefused(await answer(questionId, { answer: "We did." }), "question_not_found");
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
        [{ answer: "a\0" }, "answer must not contain NUL characters or unpaired surrogates"],
        [{ answer: "Yes.", question: " " }, "question must not be blank"],
        [{ answer: "Yes.", question: "😀".repeat(1_001) }, "question must be at most 1,000 characters long"],
        [{ answer: "Yes.", variants: "Big?" }, "variants must be a list of strings"],
        [{ answer: "Yes.", variants: [""] }, "variants must not be blank"],
        [{ answer: "Yes.", variants: Array(21).fill("Big?") }, "variants must have at most 20 questions"],
      ] as const
    ) {
      assertInvalid(await answer(questionId, body), error);
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
        assertRefused(reply, "question_not_found");
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

/** The stored questions of a coach. */
async function stored({ coachId }: Tenant) {
  const { data } = await operator.from("open_questions").select("question, times, people, status, attempts, due_at")
    .eq("coach_id", coachId).order("created_at").throwOnError();
  return data;
}

/** Sweeps until no question of the coach is due: those of other tests may be processed first. */
async function sweepAll(service: Service, tenant: Tenant): Promise<void> {
  const isDue = ({ due_at }: { due_at: string | null }) => due_at !== null && Date.parse(due_at) <= Date.now();
  await eventually(async () => {
    if (!(await stored(tenant)).some(isDue)) return true;
    await sweep(service);
    return false;
  }, "no question is due");
}

const makeDue = ({ coachId }: Tenant) =>
  operator.from("open_questions").update({ due_at: new Date(0).toISOString() }).eq("coach_id", coachId)
    .not("due_at", "is", null).throwOnError();

/** The model's replies, request by request. */
const say = (...texts: string[]) => texts.map((text) => ({ steps: [{ text }] }));

Deno.test("a sweep finds the sentence of a question that only refers to a message", async (t) => {
  await using service = await startService({ isIndexerAsleep: true });

  await t.step("and asks the coach's model for it, with the conversation as material", async () => {
    const tenant = await createTenant(expertKey);
    service.model.script(tenant.modelName, ...say(`"What does the course cost?"\n`));
    await keep(tenant, "ann", null);
    await sweepAll(service, tenant);
    const [question, ...others] = await stored(tenant);
    assertEquals([question?.question, question?.due_at, others], ["What does the course cost?", null, []]);
    const [asked, ...more] = service.model.requestsOf(tenant.modelName);
    assertEquals(more, []);
    assertEquals(asked!.body.instructions?.startsWith(wordingBeginning), true);
    assertEquals(asked!.body.store, false);
    const material = JSON.stringify(asked!.body.input);
    for (const said of ["Talk", "I do not know"]) assertEquals(material.includes(said), true, said);
    assertEquals(asked!.body.instructions?.includes("Talk"), false);
  });

  await t.step("one that is known already is counted with it", async () => {
    const tenant = await createTenant(expertKey);
    service.model.script(tenant.modelName, ...say("What does it cost?"));
    await keep(tenant, "ann", "What does it cost?");
    await keep(tenant, "ben", null);
    await sweepAll(service, tenant);
    const questions = await stored(tenant);
    assertEquals(questions.map(({ question, times, people }) => [question, times, people]), [
      ["What does it cost?", 2, 2],
    ]);
  });

  await t.step("NONE leaves it as it is, for good", async () => {
    const tenant = await createTenant(expertKey);
    service.model.script(tenant.modelName, ...say("none."));
    await keep(tenant, "ann", null);
    await sweepAll(service, tenant);
    await sweep(service);
    assertEquals((await stored(tenant)).map(({ question, due_at }) => [question, due_at]), [[null, null]]);
    assertEquals(service.model.requestsOf(tenant.modelName).length, 1);
  });

  for (
    const [name, script] of [
      ["two lines", { steps: [{ text: "One?\nTwo?" }] }],
      ["an endless reply", { steps: [{ text: "x".repeat(5_000) }] }],
      ["nothing", { steps: [{ text: " " }] }],
      ["a failure", { steps: [{ status: 500 }] }],
    ] as [string, ModelScript][]
  ) {
    await t.step(`${name}: it is tried five times, with growing pauses`, async () => {
      const tenant = await createTenant(expertKey);
      service.model.script(tenant.modelName, script);
      await keep(tenant, "ann", null);
      const pauses: number[] = [];
      for (let attempt = 1; attempt <= 5; attempt++) {
        await sweepAll(service, tenant);
        const [{ due_at } = { due_at: null }] = await stored(tenant);
        pauses.push(Math.round((Date.parse(due_at!) - Date.now()) / 60_000));
        await makeDue(tenant);
      }
      assertEquals(pauses, [1, 4, 9, 16, 25]);
      await sweepAll(service, tenant);
      assertEquals((await stored(tenant)).map(({ question, due_at }) => [question, due_at]), [[null, null]]);
      assertEquals(service.model.requestsOf(tenant.modelName).length, 5);
    });
  }

  await t.step("a model that fails does not keep the questions of other coaches waiting", async () => {
    const failing = await createTenant(expertKey);
    const tenant = await createTenant(expertKey);
    service.model.script(failing.modelName, { steps: [{ status: 500 }] });
    service.model.script(tenant.modelName, ...say("What is it?"));
    for (const [second, { coachId }] of [failing, tenant].entries()) {
      await keep(second === 0 ? failing : tenant, "ann", null);
      // Before all that other tests have left.
      await operator.from("open_questions").update({ due_at: new Date(second * 1_000).toISOString() })
        .eq("coach_id", coachId).throwOnError();
    }
    await sweep(service);
    assertEquals((await stored(tenant))[0]?.question, "What is it?");
    assertEquals((await stored(failing)).map(({ question, attempts }) => [question, attempts]), [[null, 1]]);
  });

  await t.step("what a killed worker has claimed is due again", async () => {
    const tenant = await createTenant(expertKey);
    service.model.script(tenant.modelName, ...say("What is it?"));
    await keep(tenant, "ann", null);
    await eventually(async () => {
      await operator.rpc("take_question").throwOnError();
      return (await stored(tenant))[0]?.attempts !== 0;
    }, "the question is claimed");
    await sweep(service);
    assertEquals(service.model.requestsOf(tenant.modelName).length, 0, "it is claimed");
    await makeDue(tenant);
    await sweepAll(service, tenant);
    assertEquals((await stored(tenant))[0]?.question, "What is it?");
  });
});

Deno.test("a sweep makes one of questions that a model calls the same", async (t) => {
  await using service = await startService({ isIndexerAsleep: true });
  /** A question that was looked at, and a new one that is near. */
  const compare = async (reply: ModelScript) => {
    const tenant = await createTenant(expertKey);
    service.model.script(tenant.modelName, reply);
    await keep(tenant, "ann", "How long should I fast at first?");
    await sweepAll(service, tenant);
    assertEquals(service.model.requestsOf(tenant.modelName).length, 0, "nothing is near");
    await keep(tenant, "ben", "At first, how many hours do I fast?");
    await sweepAll(service, tenant);
    return { tenant, requests: service.model.requestsOf(tenant.modelName) };
  };

  await t.step("yes: the older one has the askings, and is found by the words of the other from then on", async () => {
    const { tenant, requests } = await compare({ steps: [{ text: "Yes." }] });
    const found = async () => (await stored(tenant)).map(({ question, times, people }) => [question, times, people]);
    assertEquals(await found(), [["How long should I fast at first?", 2, 2]]);
    assertEquals(requests[0]!.body.instructions?.startsWith(samenessBeginning), true);
    await keep(tenant, "cat", "At first, how many hours do I fast?");
    await sweepAll(service, tenant);
    assertEquals(await found(), [["How long should I fast at first?", 3, 3]]);
    assertEquals(requests.length, 1);
  });

  for (const reply of ["no", "Yes, but only in part", "yes and no", "Certainly", "YES\nyes", ""]) {
    await t.step(`${JSON.stringify(reply)}: they stay two`, async () => {
      const { tenant } = await compare({ steps: [{ text: reply || " " }] });
      assertEquals((await stored(tenant)).map(({ times, due_at }) => [times, due_at]), [[1, null], [1, null]]);
    });
  }

  await t.step("a model that fails: they stay two, and are compared later", async () => {
    const { tenant } = await compare({ steps: [{ status: 500 }] });
    const [first, second] = await stored(tenant);
    assertEquals([first?.due_at, second?.due_at === null], [null, false]);
    service.model.script(tenant.modelName, ...say("yes"));
    await makeDue(tenant);
    await sweepAll(service, tenant);
    assertEquals((await stored(tenant)).length, 1);
  });

  await t.step("of another coach none is near, nor one that is answered; one that is dismissed is", async () => {
    const tenant = await createTenant(expertKey);
    service.model.script(tenant.modelName, ...say("yes"));
    await keep(await createTenant(expertKey), "ann", "How long should I fast at first?");
    const { questionId } = await keep(tenant, "ann", "How long should I fast at first?");
    const path = `/coaches/${tenant.coachId}/questions/${questionId}`;
    await sweepAll(service, tenant);
    assertEquals((await ask(service, "POST", `${path}/answer`, tenant, { answer: "Twelve hours." })).status, 200);
    await keep(tenant, "ben", "At first, how many hours do I fast?");
    await sweepAll(service, tenant);
    assertEquals(service.model.requestsOf(tenant.modelName).length, 0);
    assertEquals((await ask(service, "POST", `${path}/dismiss`, tenant)).status, 200);
    await operator.rpc("erase_user", { account_id: tenant.accountId, user_id: "ben" }).throwOnError();
    await keep(tenant, "cat", "At first, how many hours do I fast?");
    await sweepAll(service, tenant);
    assertEquals((await stored(tenant)).map(({ status, times }) => [status, times]), [["dismissed", 2]]);
  });

  await t.step("with embeddings, also where they have no word in common", async () => {
    await using meaning = await startService({
      isIndexerAsleep: true,
      env: { OPENAI_EMBEDDING_MODEL: "embedding-model" },
    });
    meaning.model.scriptEmbeddings("embedding-model", (text) => /price|cost/.test(text) ? [1, 0] : [0, 1]);
    const tenant = await createTenant(expertKey);
    meaning.model.script(tenant.modelName, ...say("yes"));
    for (const question of ["What does it cost?", "Where are you?", "Tell me the price."]) {
      await keep(tenant, "ann", question);
      await sweepAll(meaning, tenant);
    }
    assertEquals((await stored(tenant)).map(({ question, times }) => [question, times]), [
      ["What does it cost?", 2],
      ["Where are you?", 1],
    ]);
    assertEquals(meaning.model.requestsOf(tenant.modelName).length, 1);
  });
});
