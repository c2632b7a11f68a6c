import { join } from "node:path";
import { projectRoot } from "../../../supabase/platform/state.ts";
import { assert, assertEquals } from "../../support/assert.ts";
import { letIn } from "../../support/ai_client.ts";
import { knownMcpFailures } from "../../support/known_mcp_failures.ts";
import { revisions } from "../../support/mcp.ts";
import { allScopes, createTenant, createUser, issuePublishableKey } from "../../support/project.ts";
import { runCommand } from "../../support/run_command.ts";
import { serve } from "../../support/serve.ts";
import { startService } from "../../support/service.ts";
import { slow } from "../../support/slow.ts";

/** The conformance suite of the protocol, at the version that the project has pinned. */
const suite: string = JSON.parse(await Deno.readTextFile(join(projectRoot, "deno.json")))
  .imports["@modelcontextprotocol/conformance"];

/** Forwards messages to the MCP server with credentials, since the suite sends none. */
function serveWith(address: () => string, credentials: Record<string, string>) {
  return serve(async ({ method, headers: sent, body }) => {
    const headers = new Headers(sent);
    headers.delete("Host");
    for (const [name, value] of Object.entries(credentials)) headers.set(name, value);
    const content = body === null ? null : await new Response(body).arrayBuffer();
    return await fetch(address(), { method, headers, body: content });
  });
}

type Check = { id: string; status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO" };

/**
 * Runs what a revision requires, and what is not counted yet.
 *
 * @returns the failed checks as `scenario: check`, and the number of those that passed
 */
async function runSuite(url: string, revision: string): Promise<{ failed: string[]; passed: number }> {
  const folder = await Deno.makeTempDir();
  try {
    const { stdout, stderr } = await runCommand(Deno.execPath(), [
      ...["run", "--quiet", "--frozen", "--allow-all", suite],
      ...["server", "--url", url, "--requirements", revision, "--output-dir", folder],
    ], { cwd: projectRoot, signal: AbortSignal.timeout(120_000) });
    const failed: string[] = [];
    let passed = 0;
    for await (const { name } of Deno.readDir(folder)) {
      const [, scenario] = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(name) ?? [];
      // An optional extension, which the server does not declare.
      if (scenario === undefined || scenario.startsWith("tasks-")) continue;
      const checks: Check[] = JSON.parse(await Deno.readTextFile(join(folder, name, "checks.json")));
      for (const { id, status } of checks) {
        if (status === "FAILURE" || status === "WARNING") failed.push(`${scenario}: ${id}`);
        if (status === "SUCCESS") passed++;
      }
    }
    assert(passed > 0, `The suite did not run: ${stdout}\n${stderr}`);
    return { failed: [...new Set(failed)].toSorted(), passed };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("the conformance suite of MCP fails where it is known to, and nowhere else", slow, async (t) => {
  await using service = await startService();
  const { apiKey } = await createTenant({ requests_per_minute: 10_000, scopes: allScopes });
  const { accountId } = await createTenant();
  const { accessToken } = await letIn(await createUser());
  let address = "";
  await using withKey = serveWith(() => `${service.url}/mcp`, { "X-API-Key": apiKey });
  await using signedIn = serveWith(() => address, { Authorization: `Bearer ${accessToken}` });
  const { publishableKey } = await issuePublishableKey(accountId, {
    origins: [signedIn.url],
    allows_mcp: true,
    requests_per_minute: 10_000,
  });
  address = `${service.url}/mcp/${publishableKey}`;
  const servers = Object.entries({ "with a secret key": withKey, "signed in with OAuth": signedIn });
  for (
    const [revision, [name, server]] of revisions.flatMap((revision) => servers.map((it) => [revision, it] as const))
  ) {
    await t.step(`${revision}, ${name}`, async () => {
      // Keys for AI clients have a list of origins.
      const excused = knownMcpFailures[revision].filter(({ scenario }) =>
        server === withKey || scenario !== "dns-rebinding-protection"
      );
      const known = excused.flatMap(({ scenario, checks }) => checks.map((check) => `${scenario}: ${check}`));
      const { failed, passed } = await runSuite(`${server.url}/mcp`, revision);
      assertEquals(failed, known.toSorted());
      assert(passed > 20, `only ${passed} checks passed`);
    });
  }
});
