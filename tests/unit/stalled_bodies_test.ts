import { fileURLToPath } from "node:url";
import { assertEquals } from "../support/assert.ts";
import { runCommand } from "../support/run_command.ts";

Deno.test("a reply whose body stalls ends at its time-out, however often garbage is collected", async (t) => {
  const file = fileURLToPath(import.meta.resolve("../support/stalled_bodies.ts"));
  const config = fileURLToPath(import.meta.resolve("../../deno.json"));
  const args = ["run", "--quiet", "--no-lock", `--config=${config}`, "--v8-flags=--expose-gc", "-A", file];
  const { code, stdout, stderr } = await runCommand(Deno.execPath(), args);
  assertEquals(code, 0, stderr);
  for (const [name, end] of JSON.parse(stdout) as [string, string][]) {
    await t.step(name, () => assertEquals(end, "has failed"));
  }
});
