/** `npm run bench`: measures the cost of the service, compares it with baselines, and checks the project's budgets. */
import { measureChat } from "./chat.ts";
import { measureColdStart } from "./cold.ts";
import { createEnvironment } from "./environment.ts";
import { measureIsolates } from "./isolate.ts";
import { measureKnowledge } from "./knowledge.ts";
import { measureLists } from "./lists.ts";
import { hasProc } from "./measured_process.ts";
import { printVersions } from "./print_versions.ts";
import { type Figure, printReport } from "./report.ts";
import { countRequests } from "./requests.ts";
import { measureRanking } from "./ranking.ts";
import { measureSearchSpeed } from "./search_speed.ts";
import { measureStreams } from "./streams.ts";
import { measureUploads } from "./uploads.ts";

const sections = {
  requests: countRequests,
  chat: measureChat,
  cold: measureColdStart,
  isolate: measureIsolates,
  streams: measureStreams,
  lists: measureLists,
  uploads: measureUploads,
  knowledge: measureKnowledge,
  ranking: measureRanking,
  search: measureSearchSpeed,
};

/** Run only when named: loading 100,000 passages takes the embedded Postgres a quarter of an hour. */
const onRequest = ["search"];

const isSection = (name: string): name is keyof typeof sections => name in sections;
const names = Deno.args.length > 0 ? Deno.args : Object.keys(sections).filter((name) => !onRequest.includes(name));
const unknown = names.filter((name) => !isSection(name));
if (unknown.length > 0) {
  console.error(`There is no section ${unknown.join(", ")}. The sections are ${Object.keys(sections).join(", ")}.`);
  Deno.exit(2);
}
for (const signal of ["SIGINT", "SIGTERM"] as const) Deno.addSignalListener(signal, () => Deno.exit(1));

console.log(`${navigator.hardwareConcurrency} processors.`);
await printVersions();
console.log(
  "Baselines, bundled and run in the same way: a Hono proxy that only pipes the same reply through; for the cost",
);
console.log("of loading, a Hono app that says hello. Only the indexer's processes are ended for their CPU time.");
console.log("Chat and lists run on a backend that replays recorded replies at once, unless Postgres is named.");
if (!hasProc) console.log("/proc is missing on this system: CPU and memory cannot be measured here.");

const figures: Figure[] = [];
{
  console.log("… starting the backend and the model");
  await using environment = await createEnvironment();
  for (const name of names.filter(isSection)) {
    console.log(`… measuring ${name}`);
    figures.push(...await sections[name](environment));
  }
}
Deno.exitCode = printReport(figures) ? 0 : 1;
