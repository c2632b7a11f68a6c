import { listTools } from "../../../shared/api/mcp/tool.ts";
import { tools } from "../../../shared/api/mcp/tools.ts";
import { assertEquals, assertMatch } from "../../support/assert.ts";
import { createTenant } from "../../support/project.ts";
import { runCommand } from "../../support/run_command.ts";
import { startService } from "../../support/service.ts";

/** Runs the MCP Inspector, which is not part of the project: npx fetches it. */
async function inspect(url: string, ...args: string[]) {
  const storage = await Deno.makeTempDir();
  const output = await runCommand(
    "npx",
    ["--yes", "@modelcontextprotocol/inspector@2.12.0", "--cli", url, "--transport", "http", ...args],
    // A home of its own, since the Inspector leaves a folder there.
    { env: { MCP_STORAGE_DIR: storage }, signal: AbortSignal.timeout(180_000) },
  );
  await Deno.remove(storage, { recursive: true });
  return output;
}

Deno.test("the MCP Inspector's CLI, as supabase/docs/ai_clients.md calls it", async (t) => {
  await using service = await startService();
  const { apiKey, coachId } = await createTenant({ requests_per_minute: 1_000 });
  const url = `${service.url}/mcp`;
  const header = ["--header", `X-API-Key: ${apiKey}`];

  for (const era of ["legacy", "modern"]) {
    const call = (...args: string[]) => inspect(url, "--protocol-era", era, ...header, ...args);

    await t.step(`${era}: lists the tools, and reports no problem for clients`, async () => {
      const { code, stdout, stderr } = await call("--method", "tools/list", "--strict");
      // A usual key does not have the scope of the expert.
      const usual = (await listTools(tools)).filter(({ scope }) => scope !== "expert");
      assertEquals([code, JSON.parse(stdout).tools.length], [0, usual.length], stderr);
      assertEquals(/\d+ (?:errors|warnings)/.exec(stderr), null, stderr);
    });

    await t.step(`${era}: calls a tool`, async () => {
      const { code, stdout, stderr } = await call(
        ...["--method", "tools/call", "--tool-name", "chat"],
        ...["--tool-arg", "message=Hi", `context={"coachId":"${coachId}"}`],
      );
      assertEquals(code, 0, stderr);
      assertEquals(JSON.parse(stdout).structuredContent.message.content, "Hello world");
    });

    await t.step(`${era}: shows the error of a call with wrong arguments`, async () => {
      const { code, stdout, stderr } = await call(
        ...["--method", "tools/call", "--tool-name", "get-user-threads", "--tool-arg", "userId= "],
      );
      assertEquals(code, 5, stderr);
      assertEquals(JSON.parse(stdout).content, [{ type: "text", text: "userId is required" }]);
    });
  }

  await t.step("without a key → an error with the remedy", async () => {
    const { code, stderr } = await inspect(url, "--stored-auth-only", "--method", "tools/list");
    assertEquals(code, 3, stderr);
    assertMatch(stderr, /Missing API key.*set the header X-API-Key/);
  });
});
