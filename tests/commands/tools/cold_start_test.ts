import { z } from "zod";
import { runDeno } from "../../../supabase/commands/deploy/run_deno.ts";
import { listFunctions } from "../../../supabase/platform/list_functions.ts";
import { projectRoot } from "../../../supabase/platform/state.ts";
import { assert, assertEquals } from "../../support/assert.ts";

const resolution = z.object({ specifier: z.string().optional() }).optional();
const graph = z.object({
  roots: z.array(z.string()),
  modules: z.array(z.object({
    specifier: z.string(),
    dependencies: z.array(z.object({ code: resolution, isDynamic: z.boolean().optional() })).default([]),
  })),
  redirects: z.record(z.string(), z.string()),
});

/** The modules that a function loads when it starts, and all that it may load. */
async function readModules(name: string): Promise<{ atStart: Set<string>; all: string[] }> {
  const entryPoint = `functions/${name}/index.ts`;
  const { roots, modules, redirects } = graph.parse(JSON.parse(
    await runDeno(projectRoot, ["info", "--json", "--frozen", "--config=deno.json", entryPoint]),
  ));
  const dependenciesOf = new Map(modules.map(({ specifier, dependencies }) => [specifier, dependencies]));
  const atStart = new Set<string>();
  const waiting = [...roots];
  for (let specifier = waiting.pop(); specifier !== undefined; specifier = waiting.pop()) {
    if (atStart.has(specifier)) continue;
    atStart.add(specifier);
    for (const { code, isDynamic } of dependenciesOf.get(redirects[specifier] ?? specifier) ?? []) {
      if (isDynamic !== true && code?.specifier !== undefined) waiting.push(code.specifier);
    }
  }
  return { atStart, all: [...modules.map(({ specifier }) => specifier), ...Object.keys(redirects)] };
}

Deno.test("no function loads OpenTelemetry when it starts, nor what only traces need", async () => {
  for (const name of listFunctions(projectRoot)) {
    const { atStart, all } = await readModules(name);
    assert([...atStart].some((specifier) => specifier.endsWith("/http/follow_request.ts")), name);
    const isForTraces = (specifier: string) =>
      specifier.includes("@opentelemetry/") || specifier === "node:async_hooks" ||
      specifier.endsWith("/telemetry/send_spans.ts") || specifier.endsWith("/telemetry/serialize_spans.js");
    assertEquals([...atStart].filter(isForTraces), [], name);
    // With a collector, it would.
    assert(all.some((specifier) => specifier.endsWith("/telemetry/serialize_spans.js")), name);
  }
});
