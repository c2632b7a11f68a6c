import { dirname, join } from "node:path";
import { concat } from "../../shared/libs/base/std/bytes.ts";
import { maxBundleSize } from "../../supabase/commands/deploy/bundle_functions.ts";
import { listFunctions } from "../../supabase/platform/list_functions.ts";
import { sizeCompressed } from "../support/size_compressed.ts";
import { budgets } from "./cold.ts";
import type { Environment } from "./environment.ts";
import { measureSweeps, measureTopics } from "./isolate_sweeps.ts";
import { measureTurns } from "./isolate_turns.ts";
import { type Figure, median } from "./report.ts";
import { orShort } from "./short_form.ts";

const rounds = orShort(9, 1);

/**
 * The platform's figures for an isolate: CPU of the main thread since the start of the process, for loading each
 * function, answering messages and indexing a large document; and the size of the upload.
 */
export async function measureIsolates(environment: Environment): Promise<Figure[]> {
  return [
    ...await measureLoading(environment),
    ...await measureSizes(environment),
    ...await measureTurns(environment),
    ...await measureSweeps(environment),
    ...await measureTopics(environment),
  ];
}

/** CPU up to the first reply. It includes the start of Deno itself, which `hello` measures alone. */
async function measureLoading(environment: Environment): Promise<Figure[]> {
  const samples = new Map<string, number[]>(["hello", ...listFunctions()].map((name) => [name, []]));
  // One after the other, round by round, so that other work of the machine affects all of them.
  for (let round = 0; round <= rounds; round++) {
    for (const [name, all] of samples) {
      const used = await load(environment, name);
      // The first round fills the caches of the system.
      if (round > 0) all.push(used);
    }
  }
  const baseline = median(samples.get("hello")!);
  return listFunctions().map((name) => ({
    name: `isolate: CPU to load ${name}, Deno's own start included`,
    unit: "ms",
    measured: median(samples.get(name)!),
    baseline,
    budget: { ratio: budgets.refusal },
  }));
}

async function load({ startFunction }: Environment, name: string): Promise<number> {
  await using process = await startFunction(name);
  // These two need no key.
  const expected = name === "docs" || name === "hello" ? 200 : 401;
  const path = name === "docs" ? "docs/openapi.json" : name;
  const response = await fetch(`${process.url}/${path}`, { method: name === "docs" ? "GET" : "POST" });
  const text = await response.text();
  if (response.status !== expected) throw new Error(`${name} said ${response.status} ${text}`);
  return await process.mainThreadCpu();
}

async function measureSizes({ bundleOf }: Environment): Promise<Figure[]> {
  const [raw, compressed]: [Figure[], Figure[]] = [[], []];
  const hello = await measure("hello");
  // Compressing all of them as the platform does takes a quarter of a minute.
  for (const name of orShort(listFunctions(), ["docs"])) {
    const { size, brotli } = await measure(name);
    raw.push({
      name: `isolate: size of ${name}`,
      unit: "KB",
      measured: size,
      baseline: hello.size,
      budget: { atMost: maxBundleSize / 1024 },
    });
    compressed.push({
      name: `isolate: size of ${name}, brotli`,
      unit: "KB",
      measured: brotli,
      baseline: hello.brotli,
    });
  }
  return [...raw, ...compressed];

  async function measure(name: string): Promise<{ size: number; brotli: number }> {
    const { file, size } = await bundleOf(name);
    const files = Array.from(
      Deno.readDirSync(dirname(file)),
      (entry) => Deno.readFileSync(join(dirname(file), entry.name)),
    );
    return { size: size / 1024, brotli: await sizeCompressed(concat(files)) / 1024 };
  }
}
