import { assert, assertEquals, assertRejects } from "../support/assert.ts";
import { eventually } from "../support/eventually.ts";
import { startFunctionProcess } from "../support/function_process.ts";
import { ask, chat, send } from "../support/client.ts";
import { type ModelServer, startModelServer } from "../support/model_server.ts";
import { createTenant, operator } from "../support/project.ts";
import { sentenceOf } from "../support/refusals.ts";
import { peakMemoryOf } from "../bench/measured_process.ts";
import { deleteRows } from "../support/knowledge.ts";
import { envelope, post, revisions } from "../support/mcp.ts";

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

  await t.step("killed in the middle of a reply, it loses no question and no text older than a second", async () => {
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
  });
});

Deno.test("the mcp function as it is deployed prints only log lines, without keys, arguments and messages", async () => {
  await using model = await startModelServer();
  const tenant = await createTenant({ requests_per_minute: 1_000 });
  let printed: string;
  {
    const env = { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: "sk-of-the-project" };
    await using process = await startFunctionProcess("mcp", env);
    for (const revision of revisions) {
      const call = (name: string, args: Record<string, unknown>) =>
        envelope(revision, "tools/call", { name, arguments: args, _meta: { progressToken: 1 } });
      const chat = call("chat", { message: "my secret diary", context: { coachId: tenant.coachId, userId: "u" } });

      assertEquals((await post(process, tenant, chat.message, chat.headers)).messages.at(-1).error, undefined);

      model.script(tenant.modelName, { steps: [{ text: "Half" }, { cut: true }] });
      assertEquals((await post(process, tenant, chat.message, chat.headers)).json.error.code, -32_603);

      const never = Promise.withResolvers<void>();
      model.script(tenant.modelName, { steps: [{ text: "Half" }, { waitFor: never.promise }] }, {
        steps: [{ end: true }],
      });
      const response = await send(process, "POST", "/mcp", tenant, chat.message, { headers: chat.headers });
      await response.body!.cancel();
      never.resolve();
      model.script(tenant.modelName, { steps: [{ text: "Hello" }] });

      const bad = [
        call("my secret diary", {}),
        call("threads", { threadId: "my secret diary" }),
        envelope(revision, "x"),
      ];
      const mismatch = { ...bad[0]!.headers, "Mcp-Name": "chat" };
      await post(process, tenant, bad[0]!.message, mismatch);
      for (const { message, headers } of bad) await post(process, tenant, message, headers);
      await post(process, tenant, "my secret diary", chat.headers);
      await post(process, tenant, JSON.stringify(chat.message), { ...chat.headers, "Content-Type": "my/secret-diary" });
      await post(process, { apiKey: "my secret diary" }, chat.message, chat.headers);
    }
    printed = await process.kill("SIGKILL");
  }
  for (const line of printed.split("\n")) assert(typeof JSON.parse(line).event === "string", line);
  assert(printed.includes(sentenceOf("model_unavailable")), printed);
  for (const secret of ["secret diary", "secret-diary", "Explain with engines", "sk-of-the-project", tenant.apiKey]) {
    assertEquals(printed.includes(secret), false, printed);
  }
});

const manyValues = `{"files":[${"{},".repeat(1_390_000)}{}]}`;
const largeFile = JSON.stringify({ files: [{ filename: "a.txt", base64: "YWFh".repeat(1_000_000) }] });

for (const [name, args] of [["a file of 3 MB", largeFile], ["more than a million values", manyValues]] as const) {
  Deno.test({
    name: `a message with ${name} passes through the mcp function, as it is deployed, in under 150 MB of memory`,
    // Only Linux reports the peak memory of a process.
    ignore: Deno.build.os !== "linux",
    async fn() {
      await using process = await startFunctionProcess("mcp");
      const { apiKey, coachId } = await createTenant();
      const [revision] = revisions;
      const { message, headers } = envelope(revision, "tools/call", {
        name: "upload-knowledge",
        arguments: { coachId },
      });
      const written = JSON.stringify(message).replace(`"arguments":{`, `"arguments":${args.slice(0, -1)},`);
      const reply = await post(process, { apiKey }, written, headers);
      assert(reply.status < 500, reply.text);
      const peak = peakMemoryOf(process.pid);
      assert(peak < 150, `${peak} MB`);
      await deleteRows(coachId);
    },
  });
}
