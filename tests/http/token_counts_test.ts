import { assert, assertEquals } from "../support/assert.ts";
import { ask, assertReply, chat, send } from "../support/client.ts";
import { createTenant } from "../support/project.ts";
import { startService } from "../support/service.ts";
import { startTurn, storedAnswer } from "../support/turns.ts";

/** The counts of a stored answer, in the order of the columns. */
async function countsOf(messageId: string) {
  const { input_tokens, cached_tokens, output_tokens, reasoning_tokens, is_estimated } = await storedAnswer(messageId);
  return { input_tokens, cached_tokens, output_tokens, reasoning_tokens, is_estimated };
}

Deno.test("the tokens of an answer", async (t) => {
  await using service = await startService({ timeouts: { poll: 20, flush: 20 } });
  // A service asks in the form in which its server has answered before.
  await using oldService = await startService();
  const tenant = await createTenant({ requests_per_minute: 1_000 });
  const question = { message: "Go", context: { coachId: tenant.coachId } };

  const usage = { input_tokens: 100, cached: 60, output_tokens: 30, reasoning: 20 };
  for (const api of ["the Responses API", "chat completions"]) {
    await t.step(`are stored as the server reports them, by ${api}`, async () => {
      const isOld = api === "chat completions";
      const { model } = isOld ? oldService : service;
      if (isOld) model.refuse(tenant.modelName, (_, path) => path === "/responses" ? { status: 404 } : null);
      model.script(tenant.modelName, { steps: [{ text: "Counted" }, { end: true, usage }] });
      const { messageId } = await chat(isOld ? oldService : service, tenant, question);
      assertEquals(await countsOf(messageId), {
        input_tokens: 100,
        cached_tokens: 60,
        output_tokens: 30,
        reasoning_tokens: 20,
        is_estimated: false,
      });
      model.refuse(tenant.modelName, null);
    });
  }

  await t.step("are estimated where it is stopped: stopping is not free", async () => {
    const turn = await startTurn(service, tenant, { said: ["One two three four ", "five six seven eight"] });
    assertReply(await ask(service, "POST", `/chat/${turn.messageId}/stop`, tenant), 200);
    await turn.reply;
    const { input_tokens, output_tokens, is_estimated, ...parts } = await countsOf(turn.messageId);
    assertEquals([is_estimated, parts], [true, { cached_tokens: 0, reasoning_tokens: 0 }]);
    // The persona alone has more than a hundred.
    assert(input_tokens! > 100 && output_tokens! >= 8, `${input_tokens} ${output_tokens}`);
  });

  await t.step("are estimated where the reply breaks off", async () => {
    service.model.script(tenant.modelName, { steps: [{ text: "One two three four" }, { cut: true }] });
    const response = await send(service, "POST", "/chat", tenant, question);
    await response.text().catch(() => {});
    const stored = await countsOf(response.headers.get("X-Message-Id")!);
    assertEquals(stored.is_estimated, true);
    assert(stored.input_tokens! > 100 && stored.output_tokens! >= 4, JSON.stringify(stored));
  });

  await t.step("are none where the server refuses the request", async () => {
    service.model.script(tenant.modelName, { steps: [{ status: 401, code: "invalid_api_key" }] });
    const response = await send(service, "POST", "/chat", tenant, question);
    await response.text();
    assertEquals(await countsOf(response.headers.get("X-Message-Id")!), {
      input_tokens: null,
      cached_tokens: 0,
      output_tokens: null,
      reasoning_tokens: 0,
      is_estimated: false,
    });
  });
});
