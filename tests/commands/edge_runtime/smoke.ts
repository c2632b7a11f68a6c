/**
 * The functions in the edge runtime itself, next to a running `supabase start`. It requires Docker, and only runs if it
 * is named, as in `.ci/supabase`.
 */
import { join } from "node:path";
import { delay } from "../../../shared/libs/base/std/async.ts";
import { smokeTest } from "../../../supabase/commands/deploy/smoke_test.ts";
import { createOfflineModel } from "../../../supabase/platform/offline_model.ts";
import { projectRoot } from "../../../supabase/platform/state.ts";
import { assertEquals } from "../../support/assert.ts";
import { secretKey } from "../../support/project.ts";
import { projectVariable } from "../../support/service.ts";

/** Serves all functions as in supabase/docs/docker.md. `ended` resolves if they end on their own. */
async function serveFunctions(variables: Record<string, string>): Promise<AsyncDisposable & { ended: Promise<void> }> {
  const envFile = await Deno.makeTempFile({ suffix: ".env" });
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`);
  await Deno.writeTextFile(envFile, lines.join(""));
  const child = new Deno.Command(join(projectRoot, "node_modules/.bin/supabase"), {
    args: ["functions", "serve", "--env-file", envFile],
    cwd: projectRoot,
    stdin: "null",
  }).spawn();
  let hasEnded = false;
  const ended = child.status.then(() => void (hasEnded = true));
  return {
    ended,
    async [Symbol.asyncDispose]() {
      if (!hasEnded) child.kill("SIGTERM");
      await ended;
      await Deno.remove(envFile);
    },
  };
}

Deno.test("the edge runtime answers a message", async () => {
  // Listens on all addresses, since containers cannot reach 127.0.0.1 of the host.
  await using model = Deno.serve({ port: 0, hostname: "0.0.0.0", onListen: () => {} }, createOfflineModel());
  await using functions = await serveFunctions({
    OPENAI_BASE_URL: `http://host.docker.internal:${model.addr.port}/v1`,
    OPENAI_API_KEY: "offline",
  });
  const { findings } = await Promise.race([
    smokeTest({
      url: projectVariable("SUPABASE_URL"),
      secretKey,
      // The schedule of this database has no address to call.
      hasClock: false,
      signal: new AbortController().signal,
      sleep: (milliseconds, signal) => delay(milliseconds, { signal }),
      onTrial: ({ name, milliseconds }) => console.log(`${name}: ${Math.round(milliseconds)} ms`),
      onMade: () => {},
    }),
    // Without these functions, those of `supabase start` may answer instead.
    functions.ended.then(() => ({ findings: ["supabase functions serve has ended"] })),
  ]);
  assertEquals(findings, []);
});
