/**
 * `npm run soak`: a minute of mixed traffic at full speed through all functions, each in its own process; then every
 * row is checked against the replies that the clients got. The first argument is another number of seconds; `SEED`
 * repeats the actions of the clients of an earlier run.
 */
import { startBackendProxy } from "../backend_proxy.ts";
import { createEnvironment } from "../environment.ts";
import { printVersions } from "../print_versions.ts";
import { checkRows } from "./check_rows.ts";
import { driveTraffic } from "./drive_traffic.ts";
import { startSoakProcess } from "./soak_process.ts";
import { fewestSamples, growthLimit, growthOf, watchMemory } from "./memory.ts";
import { printComplaints, printMemory, printOperations } from "./print_report.ts";
import { createCoaches, type SoakTarget } from "./target.ts";

/** Enough to keep two processors busy while some clients wait for slow answers. */
const clients = 32;

const seconds = Number(Deno.args[0] ?? 60);
const seed = Number(Deno.env.get("SEED") || Math.floor(Math.random() * 2 ** 32));
if (!(seconds > 0) || !Number.isInteger(seed)) {
  console.error("Usage: [SEED=<whole number>] npm run soak [-- <seconds>]");
  Deno.exit(2);
}
for (const signal of ["SIGINT", "SIGTERM"] as const) Deno.addSignalListener(signal, () => Deno.exit(1));

console.log(`${navigator.hardwareConcurrency} processors, SEED=${seed}.`);
await printVersions();
console.log("… starting the backend and the model, bundling and starting the functions");
await using environment = await createEnvironment();
await using gateway = startBackendProxy(environment.backendUrl);
await using functions = new AsyncDisposableStack();
// Only these two call other functions; the gateway forwards those calls.
const behindGateway = { SUPABASE_URL: gateway.url };
const start = async (name: string, env?: Record<string, string>) =>
  functions.use(await startSoakProcess(environment, name, env));
const chat = await start("chat");
const users = await start("users");
const threads = await start("threads");
const knowledge = await start("knowledge-handler", behindGateway);
const indexer = await start("indexer", behindGateway);
const processes = [chat, users, threads, knowledge, indexer];
gateway.functions.indexer = indexer.url;
const target: SoakTarget = {
  functions: { chat, users, threads, "knowledge-handler": knowledge },
  backend: { url: environment.backendUrl, headers: environment.backendHeaders },
  accountId: environment.accountId,
  apiKey: environment.apiKey,
  coaches: await createCoaches(environment.createCoach),
};

console.log(`… ${seconds} s of traffic by ${clients} clients`);
const watch = watchMemory(processes);
const end = performance.now() + seconds * 1_000;
const ledger = await driveTraffic(target, { seed, clients, goesOn: () => performance.now() < end });
const memory = watch.stop();
const samples = ledger.samples.slice();

console.log(`… checking the rows of ${ledger.turns.size} turns and ${ledger.files.length} files`);
const stored = await checkRows(target, ledger);
for (const { name, samples } of memory) {
  const growth = growthOf(samples);
  if (samples.length >= fewestSamples && growth > growthLimit) {
    ledger.problems.push(`the memory of ${name} has grown to ${growth.toFixed(2)} times; ${growthLimit} are allowed`);
  }
}
for (const { name, death } of processes) {
  if (death() !== null) ledger.problems.unshift(`the process of ${name} ended with ${death()}`);
}

printOperations(samples);
console.log(`\nstored ${[...stored].map(([state, count]) => `${count} ${state}`).join(", ")}`);
printMemory(memory);
printComplaints(processes);
const { operations, problems } = ledger;
if (problems.length > 0) console.log(`\n${problems.slice(0, 20).join("\n")}`);
console.log(`\nsoak: ${operations} operations, ${problems.length} problems`);
Deno.exitCode = problems.length > 0 ? 1 : 0;
