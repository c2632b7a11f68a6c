import { peakMemoryOf } from "../bench/measured_process.ts";
import { assert, assertEquals } from "../support/assert.ts";
import { deleteRows } from "../support/knowledge.ts";
import { send } from "../support/client.ts";
import { startFunctionProcess } from "../support/function_process.ts";
import { startModelServer } from "../support/model_server.ts";
import { envelope, post, revisions } from "../support/mcp.ts";
import { createTenant } from "../support/project.ts";
import { sentenceOf } from "../support/refusals.ts";

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
