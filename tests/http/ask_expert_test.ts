import type OpenAI from "openai";
import { assert, assertEquals, assertMatch } from "../support/assert.ts";
import { eventually } from "../support/eventually.ts";
import { acceptOf, ask, chat, type Credentials, receive, send } from "../support/client.ts";
import { handOver } from "../support/hand_over.ts";
import { addFile } from "../support/knowledge.ts";
import { bodiesOf, unsupported } from "../support/model_requests.ts";
import type { ModelScript, Step } from "../support/model_server.ts";
import { createCoach, createTenant, createUser, operator, type Tenant } from "../support/project.ts";
import { startService } from "../support/service.ts";
import { assertAnswered, assertFailed, failures, recordTurn } from "../support/turn_record.ts";
import { storedAnswer } from "../support/turns.ts";

const asking = (given: unknown, id = "call_1") => ({ call: { id, name: "ask_expert", arguments: given } });
const owls = asking({ question: "What do owls eat?", for_human: false });
const dunno: ModelScript = { steps: [{ text: "No " }, { text: "idea." }] };
const noAnswer = "That one I leave open.";
const usual = "I do not know that, and I would rather not guess. I have passed your question on.";

/** The open questions of a coach: their sentences, and how often they were asked. */
async function questionsOf({ coachId }: Pick<Tenant, "coachId">): Promise<[string | null, number][]> {
  const { data } = await operator.from("open_questions").select("question, times").eq("coach_id", coachId)
    .order("created_at").throwOnError();
  return data.map(({ question, times }) => [question, times]);
}

/** The outputs that the model got for its calls, request by request. */
function outputsOf(bodies: { input?: unknown }[]): { call_id: string; output: string }[][] {
  return bodies.map(({ input }) =>
    (input as OpenAI.Responses.ResponseInputItem.FunctionCallOutput[])
      .filter(({ type }) => type === "function_call_output").map(({ call_id, output }) => ({
        call_id: String(call_id),
        output: String(output),
      }))
  );
}

Deno.test("ask_expert is offered in every turn, to whoever asks", async (t) => {
  await using service = await startService();
  const [owner, stranger] = [await createUser(), await createUser()];
  const tenant = await createTenant({}, { owner_id: owner.id });
  const { apiKey } = tenant;
  const callers: Record<string, [Credentials, string[]]> = {
    "a key alone": [tenant, ["ask_expert"]],
    "a signed-in user": [{ apiKey, accessToken: stranger.accessToken }, ["ask_expert"]],
    "the coach's own user": [{ apiKey, accessToken: owner.accessToken }, ["ask_expert", "create_knowledge"]],
  };
  for (const [who, [credentials, names]] of Object.entries(callers)) {
    await t.step(who, async () => {
      const first = await chat(service, credentials, { message: "Hi", context: { coachId: tenant.coachId } });
      await chat(service, credentials, { message: "And?", thread_id: first.threadId });
      for (const body of bodiesOf(service, tenant.modelName).slice(-2)) {
        const tools = body.tools as OpenAI.Responses.FunctionTool[];
        assertEquals([tools.map(({ name }) => name), "tool_choice" in body], [names, false]);
        assertEquals(tools[0]!.strict, true);
        const { properties, ...schema } = tools[0]!.parameters as { properties: Record<string, { type: string }> };
        assertEquals(schema, {
          type: "object",
          required: ["question", "for_human"],
          additionalProperties: false,
        } as unknown);
        assertEquals(Object.entries(properties).map(([name, { type }]) => [name, type]), [
          ["question", "string"],
          ["for_human", "boolean"],
        ]);
      }
    });
  }
  await t.step("a model that does not call it leaves nothing", async () => {
    assertEquals(await questionsOf(tenant), []);
    assertEquals(bodiesOf(service, tenant.modelName).length, 6);
  });
});

async function prepare() {
  await using stack = new AsyncDisposableStack();
  const service = stack.use(await startService());

  /** A turn at a coach of its own, in which the model follows the scripts. */
  async function play(scripts: ModelScript[], coach: Parameters<typeof createTenant>[1] = { no_answer: noAnswer }) {
    const tenant = await createTenant({}, coach);
    service.model.script(tenant.modelName, ...scripts);
    const record = await recordTurn(service, tenant, { message: "What do owls eat, I am Zoe?" });
    const bodies = bodiesOf(service, tenant.modelName);
    return { tenant, record, bodies, outputs: outputsOf(bodies), questions: await questionsOf(tenant) };
  }
  return handOver(stack, { service, play });
}

Deno.test("a model that asks the expert", async (t) => {
  await using prepared = await prepare();
  const { service, play } = prepared;

  await t.step("keeps its question, and says in a second request that it does not know", async () => {
    const usage = { end: true as const, usage: { input_tokens: 10, output_tokens: 4 } };
    const { tenant, record, bodies, outputs, questions } = await play([
      { responseId: "resp_call", steps: [owls, usage] },
      { responseId: "resp_last", steps: [{ text: "No " }, { text: "idea." }, usage] },
    ]);
    assertAnswered(record, { text: "No idea.", responseId: "resp_last", usage: [20, 8] });
    assertEquals(questions, [["What do owls eat?", 1]]);
    const other = await createCoach(tenant.accountId);
    assertEquals(await questionsOf({ coachId: other.id }), []);

    const [first, second, ...others] = bodies;
    assertEquals(others, []);
    assertEquals([second?.instructions, second?.tools, second?.tool_choice], [
      first?.instructions,
      first?.tools,
      "none",
    ]);
    const [told, ...more] = outputs[1]!;
    assertEquals([told?.call_id, more], ["call_1", []]);
    const { passed_on, now, as_you_put_it } = JSON.parse(told!.output);
    assertEquals([passed_on, as_you_put_it], [true, noAnswer]);
    assertMatch(now, /do not know/);
  });

  await t.step("draws on nothing it was given, unless it had begun to answer before", async () => {
    for (
      const [before, names] of [[[], []], [[{ text: "They eat mice [1]." }], ["Owls.pdf"]]] as [Step[], string[]][]
    ) {
      const tenant = await createTenant();
      await addFile(tenant, "Owls.pdf", { content: "What owls eat, nobody has written down." });
      // It has the words of the passage, and does not draw on it.
      const unknown = { steps: [{ text: "What owls eat, nobody has written down for me." }] };
      service.model.script(tenant.modelName, { steps: [...before, owls] }, unknown);
      const body = { message: "What do owls eat?", context: { coachId: tenant.coachId } };
      const { json: { sources, thread_id } } = await ask(service, "POST", "/chat", tenant, body, {
        headers: { Accept: acceptOf.object },
      });
      assertMatch(JSON.stringify(bodiesOf(service, tenant.modelName)[0]), /nobody has written down/);
      const { json } = await ask(service, "GET", `/threads/${thread_id}/messages?include=sources`, tenant);
      for (const listed of [sources, json.data[1].sources]) {
        assertEquals(listed.map(({ filename }: { filename: string }) => filename), names);
      }
    }
  });

  await t.step("of a coach without a sentence for it gets none", async () => {
    const { outputs } = await play([{ steps: [owls] }, dunno], {});
    assertEquals(Object.keys(JSON.parse(outputs[1]![0]!.output)), ["passed_on", "now"]);
  });

  const awkward: Record<string, { steps: Step[]; kept?: string | null; text?: string; then?: ModelScript[] }> = {
    "with text before the call": { steps: [{ text: "Let me see." }, owls], text: "Let me see.\n\nNo idea." },
    "and goes on talking": { steps: [owls, { text: "They eat mice." }] },
    "and goes on talking in another message": { steps: [owls, { message: "They eat mice.", phase: "final_answer" }] },
    "with a comment": { steps: [{ message: "Asking.", phase: "commentary" }, owls] },
    "twice": { steps: [owls, asking({ question: "What do owls eat?", for_human: false }, "call_2")] },
    "twice, in other words": { steps: [owls, asking({ question: "Owl food?", for_human: false }, "call_2")] },
    "with broken arguments": { steps: [asking('{"question":"What do ow')], kept: null },
    "with empty arguments": { steps: [asking("")], kept: null },
    "with no arguments": { steps: [asking({})], kept: null },
    "with a blank question": { steps: [asking({ question: " ", for_human: false })], kept: null },
    "with a question that holds a NUL": { steps: [asking('{"question":"a\\u0000b","for_human":false}')], kept: null },
    "and again in the last request": { steps: [owls], then: [{ steps: [owls] }, { steps: [owls] }], text: noAnswer },
    "and calls a tool that there is not": {
      steps: [owls, { call: { id: "call_2", name: "find_owls", arguments: {} } }],
    },
  };
  for (
    const [how, { steps, kept = "What do owls eat?", text = "No idea.", then = [dunno] }] of Object.entries(awkward)
  ) {
    await t.step(how, async () => {
      const { record, outputs, questions } = await play([{ steps }, ...then]);
      assertAnswered(record, { text });
      assertEquals(questions, [[kept, 1]]);
      const [first = "", ...others] = outputs.at(-1)!.map(({ output }) => output);
      assertEquals([JSON.parse(first).passed_on, JSON.parse(first).as_you_put_it], [true, noAnswer]);
      for (const output of others) assert(output === first || output.includes("no such tool"));
    });
  }
});

Deno.test("a model that asks the expert without a word, in trouble, or again", async (t) => {
  await using prepared = await prepare();
  const { service, play } = prepared;

  const silent: Record<string, [reply: ModelScript, said?: string]> = {
    "is refused": [{ steps: [{ status: 400 }] }],
    "fails": [
      { steps: [{ text: "I d" }, { event: { type: "error", code: "server_error", message: "Broken" } }] },
      "I d",
    ],
    "breaks off": [{ steps: [{ text: "I d" }, { cut: true }] }, "I d"],
    "says nothing": [{ steps: [{ end: true }] }],
    "only comments": [{ steps: [{ message: "Thinking.", phase: "commentary" }] }],
  };
  for (const [what, [reply, said]] of Object.entries(silent)) {
    await t.step(`where the request after the call ${what}, the coach's own sentence is the answer`, async () => {
      const { record, questions } = await play([{ steps: [owls] }, reply]);
      assertAnswered(record, { text: said === undefined ? noAnswer : `${said}\n\n${noAnswer}` });
      assertEquals(questions.length, 1);
      assert(!JSON.stringify(record.lines).includes("owls"));
    });
  }
  await t.step("or a usual one in the language of the coach", async () => {
    const spoken = await Promise.all(
      [["german", /^Das weiß ich nicht/], ["russian", /^I do not know/]].map(async ([language, sentence]) => {
        const { record } = await play([{ steps: [owls] }, { steps: [{ status: 400 }] }], {
          language: String(language),
        });
        return [record.text, sentence] as [string, RegExp];
      }),
    );
    for (const [text, sentence] of spoken) assertMatch(text, sentence);
  });

  await t.step("in a reply that breaks off: the turn fails, and nothing is kept", async () => {
    const { record, questions } = await play([{ steps: [owls, { cut: true }] }]);
    assertFailed(record, failures.unavailable);
    assertEquals(questions, []);
  });

  await t.step("for a human has the thread wait for the expert", async () => {
    const { record, questions } = await play([
      { steps: [asking({ question: "May I talk to Ada herself?", for_human: true })] },
      dunno,
    ]);
    assertAnswered(record, { text: "No idea." });
    assertEquals(questions, [["May I talk to Ada herself?", 1]]);
    const { data } = await operator.from("threads").select("needs_reply_at").eq("id", record.threadId).single()
      .throwOnError();
    assert(data.needs_reply_at !== null);
  });

  await t.step("whose question cannot be kept still says that it does not know, and no more", async () => {
    service.supabase.fault = (path) => path.endsWith("/keep_question") ? "refuse" : "pass";
    const { record, outputs, questions } = await play([{ steps: [owls] }, dunno]);
    service.supabase.fault = "pass";
    assertAnswered(record, { text: "No idea." });
    assertEquals([questions, JSON.parse(outputs[1]![0]!.output).passed_on], [[], false]);
    const line = record.lines.find(({ event }) => event === "question_not_kept");
    assertEquals([line?.level, line?.message_id], ["error", record.messageId]);
    assert(!JSON.stringify(record.lines).includes("owls"));
  });

  await t.step("in the next turn again keeps the next question, and sees what was said as any history", async () => {
    const { tenant, record } = await play([{ steps: [owls] }, dunno]);
    service.model.script(
      tenant.modelName,
      { steps: [asking({ question: "And what do gulls eat?", for_human: false })] },
      dunno,
    );
    assertAnswered(await recordTurn(service, tenant, { message: "And gulls?", threadId: record.threadId }), {
      text: "No idea.",
    });
    assertEquals(await questionsOf(tenant), [["What do owls eat?", 1], ["And what do gulls eat?", 1]]);
    const [, , third] = bodiesOf(service, tenant.modelName);
    const said = (third!.input as { role: string; content: string }[]).map(({ content }) => content);
    assertEquals(said, ["What do owls eat, I am Zoe?", "No idea.", "And gulls?"]);
  });
});

Deno.test("a turn that is stopped after the call keeps what was kept, and says nothing more", async () => {
  await using service = await startService({ timeouts: { flush: 20 } });
  const tenant = await createTenant({}, { no_answer: noAnswer });
  const begun: ModelScript = { responseId: "resp_last", steps: [{ waitFor: new Promise(() => {}) }] };
  service.model.script(tenant.modelName, { steps: [{ text: "Well." }, owls] }, begun);
  const reply = await send(service, "POST", "/chat", tenant, {
    message: "Owls?",
    context: { coachId: tenant.coachId, userId: "u" },
  });
  const text = reply.text();
  const messageId = reply.headers.get("X-Message-Id")!;
  // Should its worker die, no reader completes the answer from the last response, which lacks the first words.
  await eventually(async () => {
    const { response_id, other_response_ids } = await storedAnswer(messageId);
    assertEquals(response_id, null);
    return other_response_ids?.includes("resp_last") === true;
  }, "the second response is known, and does not stand for the answer");
  const stopped = await ask(service, "POST", `/chat/${messageId}/stop`, tenant);
  assertEquals([stopped.json.status, stopped.json.message.content], ["stopped", "Well."]);
  await text;
  assertEquals((await storedAnswer(messageId)).content, "Well.");
  assertEquals((await questionsOf(tenant)).length, 1);
});

Deno.test("a turn that is stopped before its reply has ended keeps no question", async () => {
  await using service = await startService({ timeouts: { flush: 20 } });
  const tenant = await createTenant();
  service.model.script(tenant.modelName, { steps: [{ text: "Well." }, owls, { hang: true }] });
  const reply = await send(service, "POST", "/chat", tenant, {
    message: "Owls?",
    context: { coachId: tenant.coachId, userId: "u" },
  });
  const text = reply.text();
  const messageId = reply.headers.get("X-Message-Id")!;
  const stopped = await ask(service, "POST", `/chat/${messageId}/stop`, tenant);
  assertEquals(stopped.json.status, "stopped");
  await text;
  await service.turns();
  assertEquals(await questionsOf(tenant), []);
});

Deno.test("a model that falls silent after the call: the sentence comes when its time is over", async () => {
  await using service = await startService({ timeouts: { firstChunk: 300 } });
  const tenant = await createTenant();
  service.model.script(tenant.modelName, { steps: [owls] }, { steps: [{ hang: true }] });
  assertAnswered(await recordTurn(service, tenant), { text: usual });
  assertEquals(await questionsOf(tenant), [["What do owls eat?", 1]]);
});

Deno.test("a server that refuses tools is asked without them, and answers", async () => {
  await using service = await startService();
  const tenant = await createTenant();
  service.model.refuse(
    tenant.modelName,
    ({ tools }) => tools === undefined ? null : unsupported(null, "owl:7b does not support tools"),
  );
  for (const requests of [2, 3]) {
    assertAnswered(await recordTurn(service, tenant), { text: "Hello world" });
    assertEquals(bodiesOf(service, tenant.modelName).length, requests);
  }
});

Deno.test("a server that takes no output of a call: the coach's own sentence is the answer", async () => {
  await using service = await startService();
  const tenant = await createTenant();
  service.model.script(tenant.modelName, { steps: [owls] });
  service.model.refuse(
    tenant.modelName,
    ({ input }) =>
      JSON.stringify(input).includes("function_call_output") ? { status: 500, body: "Jinja: unknown role tool" } : null,
  );
  assertAnswered(await recordTurn(service, tenant), { text: usual });
});

Deno.test("over chat completions", async () => {
  await using service = await startService();
  const tenant = await createTenant({}, { no_answer: noAnswer });
  service.model.refuse(tenant.modelName, (_body, path) => path === "/responses" ? { status: 404 } : null);
  service.model.script(tenant.modelName, { steps: [{ text: "Let me see." }, owls] }, dunno);
  assertAnswered(await recordTurn(service, tenant), { text: "Let me see.\n\nNo idea." });
  assertEquals(await questionsOf(tenant), [["What do owls eat?", 1]]);
  const { tools, tool_choice } = bodiesOf(service, tenant.modelName).at(-1)!;
  assertEquals([tools?.length, tool_choice], [1, "none"]);
});

Deno.test("in every form of the reply the honest sentence streams like any answer", async () => {
  await using service = await startService();
  const tenant = await createTenant();
  for (const form of ["text", "events"] as const) {
    service.model.script(tenant.modelName, { steps: [owls] }, dunno);
    assertAnswered(await recordTurn(service, tenant, { form }), { text: "No idea." });
  }
  service.model.script(tenant.modelName, { steps: [owls] }, { steps: [{ status: 400 }] });
  const reply = await receive(service, "POST", "/chat", tenant, {
    message: "Owls?",
    context: { coachId: tenant.coachId },
  }, { headers: { Accept: "application/json" } });
  assertEquals([reply.status, JSON.parse(reply.text).message.content], [200, usual]);
});
