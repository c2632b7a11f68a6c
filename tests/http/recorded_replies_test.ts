/**
 * Recordings of servers with chat completions, from the outside: a model slips, says nothing, or only calls tools; a
 * server refuses a role, or a thread that is too long.
 */
import { assertEquals, assertMatch } from "../support/assert.ts";
import { bodiesOf, leftOut } from "../support/model_requests.ts";
import type { HttpError, ModelBody, Step } from "../support/model_server.ts";
import { createTenant, operator, type Tenant } from "../support/project.ts";
import { type Service, startService } from "../support/service.ts";
import { assertAnswered, assertFailed, failures, recordTurn } from "../support/turn_record.ts";

const unknownPath: HttpError = { status: 404, body: { detail: "Not Found" } };
const own = "That one I leave open.";

const chunk = (delta: object, finish_reason: string | null = null): Step => ({
  bytes: `data: ${JSON.stringify({ id: "chatcmpl-1", choices: [{ index: 0, delta, finish_reason }] })}\n\n`,
});
const done: Step = { bytes: "data: [DONE]\n\n" };
const answer = (text: string): Step[] => [chunk({ content: text }), chunk({}, "stop"), done];
const calling = (name: string, written: string, text = ""): Step[] => [
  chunk({ content: text }),
  chunk({ tool_calls: [{ index: 0, id: "call_1", type: "function", function: { name, arguments: written } }] }),
  chunk({}, "tool_calls"),
  done,
];

/** Has a coach answered by a server that only speaks chat completions: a list of steps for each request. */
async function createTalker(
  service: Service,
  replies: Step[][],
  refuse: (body: ModelBody) => HttpError | null = () => null,
): Promise<Tenant> {
  const tenant = await createTenant({ requests_per_minute: 1_000 }, { no_answer: own });
  service.model.refuse(tenant.modelName, (body, path) => path === "/responses" ? unknownPath : refuse(body));
  service.model.script(tenant.modelName, ...replies.map((steps) => ({ steps: [{ bytes: ": hi\n\n" }, ...steps] })));
  return tenant;
}

/** The requests that were sent as chat completions. */
const asked = (service: Service, { modelName }: Tenant) =>
  bodiesOf(service, modelName).filter(({ messages }) => messages !== undefined);

async function countOpen({ coachId }: Tenant): Promise<number> {
  const { data } = await operator.from("open_questions").select("id").eq("coach_id", coachId).throwOnError();
  return data.length;
}

Deno.test("a slip of the model is asked again once, and forgotten", async (t) => {
  await using service = await startService();
  const error = {
    message: "Failed to call a function. Please adjust your prompt.",
    type: "invalid_request_error",
    code: "tool_use_failed",
    failed_generation: "<function=ask_expert>{",
  };

  await t.step("as a refusal", async () => {
    let slips = 1;
    const tenant = await createTalker(
      service,
      [answer("Well.")],
      () => slips-- > 0 ? { status: 400, body: { error } } : null,
    );
    const record = await recordTurn(service, tenant);
    assertAnswered(record, { text: "Well." });
    assertEquals([leftOut(record), record.lines.filter(({ event }) => event === "model_slips").length], [[], 1]);
    assertAnswered(await recordTurn(service, tenant), { text: "Well." });
    const offered = asked(service, tenant).map(({ tools }) => tools?.length);
    assertEquals(offered, [1, 1, 1], "tools are offered as before");
  });
  await t.step("in the stream", async () => {
    const slip: Step = { bytes: `data: ${JSON.stringify({ error })}\n\n` };
    const tenant = await createTalker(service, [[chunk({ role: "assistant", content: "" }), slip], answer("Well.")]);
    assertAnswered(await recordTurn(service, tenant), { text: "Well." });
    assertEquals(asked(service, tenant).map(({ tools }) => tools?.length), [1, 1]);
  });
  await t.step("twice: the turn fails, and the next one has its tools", async () => {
    let slips = 2;
    const tenant = await createTalker(
      service,
      [answer("Well.")],
      () => slips-- > 0 ? { status: 400, body: { error } } : null,
    );
    assertFailed(await recordTurn(service, tenant), failures.unavailable);
    assertAnswered(await recordTurn(service, tenant), { text: "Well." });
    assertEquals(asked(service, tenant).at(-1)!.tools?.length, 1);
  });
});

Deno.test("a server that refuses the role system is given the instructions by the user", async () => {
  await using service = await startService();
  const tenant = await createTalker(
    service,
    [answer("Well.")],
    ({ messages }) =>
      messages.some(({ role }) => role === "system")
        ? {
          status: 400,
          body: {
            error: {
              message: "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
              type: "invalid_request_error",
              param: "messages[0].role",
              code: "unsupported_value",
            },
          },
        }
        : null,
  );
  const record = await recordTurn(service, tenant, { message: "What do owls eat?" });
  assertAnswered(record, { text: "Well." });
  assertEquals(leftOut(record), ["system"]);
  assertAnswered(await recordTurn(service, tenant), { text: "Well." });
  const bodies = asked(service, tenant);
  assertEquals(bodies.length, 3, "the second turn knows it");
  const [instructions] = bodies[1]!.messages;
  assertEquals(instructions!.role, "user");
  assertMatch(String(instructions!.content), /^You are Ada Byron.*What do owls eat\?$/s);
});

Deno.test("a thread that is too long in Perplexity's words is shortened", async () => {
  await using service = await startService();
  const limit = 6;
  const tenant = await createTalker(service, [answer("Well.")], ({ messages }) =>
    messages.length > limit
      ? {
        status: 400,
        body: {
          error: {
            message: "The total length of all messages is too long.",
            type: "too_many_prompt_tokens",
            code: 400,
          },
        },
      }
      : null);
  let threadId: string | undefined;
  for (let turn = 0; turn < 6; turn++) {
    const record = await recordTurn(service, tenant, { message: `Question ${turn}`, threadId });
    assertAnswered(record, { text: "Well." });
    threadId = record.threadId;
  }
  assertEquals(asked(service, tenant).at(-1)!.messages.at(-1)!.content, "Question 5");
});

Deno.test("a model that only calls tools ends with the coach's sentence and an open question", async (t) => {
  await using service = await startService();
  const rows: [name: string, reply: Step[], text: string][] = [
    [
      "unknown tools, the same words before each",
      calling("web_search", '{"q":"owls"}', "Let me look."),
      `Let me look.\n\n${own}`,
    ],
    ["unknown tools without a word, and without arguments", calling("web_search", ""), own],
  ];
  for (const [name, reply, text] of rows) {
    await t.step(name, async () => {
      const tenant = await createTalker(service, [reply]);
      assertAnswered(await recordTurn(service, tenant), { text });
      assertEquals([asked(service, tenant).length, await countOpen(tenant)], [3, 1]);
    });
  }
  await t.step(
    "a call that is written into the text, by a server that cannot read it, is made and not shown",
    async () => {
      const written = '<tool_call>\n{"name": "ask_expert", "arguments": {"question": "Do owls swim?"}}\n</tool_call>';
      const tenant = await createTalker(service, [answer(written), answer("Well.")]);
      assertAnswered(await recordTurn(service, tenant), { text: "Well." });
      assertEquals([asked(service, tenant).length, await countOpen(tenant)], [2, 1]);
    },
  );
  await t.step("arguments that are no object are sent back as {}", async () => {
    for (const written of ["", '{"q":', "null"]) {
      const tenant = await createTalker(service, [calling("web_search", written), answer("Well.")]);
      assertAnswered(await recordTurn(service, tenant), { text: "Well." });
      const sent = asked(service, tenant).at(-1)!.messages.flatMap((message) =>
        message.role === "assistant" ? message.tool_calls ?? [] : []
      );
      assertEquals(sent.map((call) => call.type === "function" && call.function.arguments), ["{}"], written);
    }
  });
});

Deno.test("a model that says nothing is asked once more, and the log says why", async (t) => {
  await using service = await startService();
  for (const reason of ["length", "stop"]) {
    const silent: Step[] = [chunk({ role: "assistant", content: "" }), chunk({}, reason), done];
    const told = (record: { lines: Record<string, unknown>[] }) =>
      record.lines.filter(({ event }) => event === "model_says_nothing").map(({ reason }) => reason);
    await t.step(`${reason}: and answers`, async () => {
      const tenant = await createTalker(service, [silent, answer("Well.")]);
      const record = await recordTurn(service, tenant);
      assertAnswered(record, { text: "Well." });
      assertEquals([told(record), asked(service, tenant).length], [[reason], 2]);
    });
    await t.step(`${reason}: and says nothing again`, async () => {
      const tenant = await createTalker(service, [silent]);
      const record = await recordTurn(service, tenant);
      assertFailed(record, failures.unavailable);
      assertEquals([told(record), asked(service, tenant).length], [[reason], 2]);
    });
  }
});

Deno.test("thoughts in the text of a model that its prompt has begun to think are not shown", async () => {
  await using service = await startService();
  const model = `deepseek-r1-distill-${crypto.randomUUID()}`;
  const tenant = await createTenant({}, { model });
  service.model.refuse(model, (_, path) => path === "/responses" ? unknownPath : null);
  const pieces = ["Okay, so the", " person… </th", "ink>", "\n\nOwls eat", " mice."].map((content) =>
    chunk({ content })
  );
  service.model.script(model, { steps: [{ bytes: ": hi\n\n" }, ...pieces, chunk({}, "stop"), done] });
  for (const form of ["text", "events"] as const) {
    assertAnswered(await recordTurn(service, tenant, { form }), { text: "Owls eat mice." });
  }
});
