import { assert, assertEquals, assertRejects } from "../support/assert.ts";
import { eventually } from "../support/eventually.ts";
import { startFunctionProcess } from "../support/function_process.ts";
import { ask, chat, send } from "../support/client.ts";
import { type ModelServer, startModelServer } from "../support/model_server.ts";
import { createTenant, operator } from "../support/project.ts";
import { sentenceOf } from "../support/refusals.ts";

const modelEnv = (model: ModelServer) => ({ OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: "sk-of-the-project" });

Deno.test("the chat function as it is deployed", async (t) => {
  await using model = await startModelServer();
  const tenant = await createTenant();
  const context = { coachId: tenant.coachId, userId: "u" };

  await t.step("prints only log lines, even on failures, without keys, prompts and messages", async () => {
    await using process = await startFunctionProcess("chat", modelEnv(model));
    const said = { message: "Invalid prompt: my secret diary. Explain with engines. Bearer sk-of-the-project" };
    const failures = [
      [{ text: "Half" }, { cut: true as const }],
      [{ text: "Half" }, { event: { type: "error", code: "server_error", ...said } }],
      [{ text: "Half" }, { event: { type: "response.failed", response: { error: { code: "x", ...said } } } }],
      [{ text: "Half" }, { bytes: "event: response.output_text.delta\ndata: my secret diary\n\n" }],
    ];
    for (const steps of failures) {
      model.script(tenant.modelName, { steps });
      const response = await send(process, "POST", "/chat", tenant, { message: "my secret diary", context });
      await assertRejects(() => response.text());
    }
    model.script(tenant.modelName, { steps: [{ status: 400, code: "my secret diary" }] });
    await (await send(process, "POST", "/chat", tenant, { message: "my secret diary", context })).text();
    await ask(process, "POST", "/chat", { ...tenant, accessToken: "a.secret.token" }, "{");

    const printed = await process.kill("SIGKILL");
    for (const line of printed.split("\n").filter((line) => line !== "")) {
      assert(typeof JSON.parse(line).event === "string", line);
    }
    assert(printed.includes(sentenceOf("model_unavailable")), printed);
    for (
      const secret of ["secret diary", "Explain with engines", "sk-of-the-project", tenant.apiKey, "a.secret.token"]
    ) {
      assertEquals(printed.includes(secret), false, printed);
    }
  });

  await t.step(
    "when it is killed in the middle of a reply, no question and no text older than a second is lost",
    async () => {
      await using process = await startFunctionProcess("chat", modelEnv(model));
      const never = Promise.withResolvers<void>();
      model.script(tenant.modelName, {
        responseId: "resp_killed",
        steps: [{ text: "Said before" }, { waitFor: never.promise }],
      });
      const response = await send(process, "POST", "/chat", tenant, { message: "Will you stay?", context });
      const messageId = response.headers.get("X-Message-Id")!;
      const threadId = response.headers.get("X-Thread-Id")!;
      await response.body!.getReader().read();
      const stored = async () =>
        (await operator.from("messages").select("*").eq("id", messageId).single().throwOnError()).data;
      await eventually(async () => (await stored()).content === "Said before", "the text is stored");
      await process.kill("SIGKILL");
      never.resolve();
      assertEquals([(await stored()).status, (await stored()).response_id], ["streaming", "resp_killed"]);

      await using next = await startFunctionProcess("chat", modelEnv(model));
      model.script(tenant.modelName, { steps: [{ text: "Here I am again." }] });
      const { answer } = await chat(next, tenant, { message: "And now?", thread_id: threadId });
      assertEquals(answer, "Here I am again.");
      assertEquals(model.requestsOf(tenant.modelName).at(-1)?.body.input, [
        { role: "user", content: "Will you stay?" },
        { type: "message", role: "assistant", content: "Said before" },
        { role: "user", content: "And now?" },
      ]);
    },
  );
});
