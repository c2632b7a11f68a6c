/**
 * `npm run bench`: measures the cost of the service, compares it with baselines, and checks the project's budgets.
 * Arguments: names of sections; `--postgres=postgres://…` for a native Postgres on this machine, `--latency=1` for the
 * milliseconds that its REST adds to each request, and `--against=<commit>` for a commit whose turns are measured in
 * between; `--short` for all sections with little work each, whose figures are not judged.
 */
import { parseArgs } from "node:util";
import { measureChat } from "./chat.ts";
import { measureColdStart } from "./cold.ts";
import { compareServices } from "./compare.ts";
import { createEarlierEnvironment } from "./earlier_environment.ts";
import { createEnvironment, type Environment } from "./environment.ts";
import { measureFairness } from "./fairness.ts";
import { measureGrounding } from "./grounding.ts";
import { measureGrowth } from "./growth.ts";
import { measureIsolates } from "./isolate.ts";
import { measureKnowledge } from "./knowledge.ts";
import { measureLists } from "./lists.ts";
import { hasProc } from "./measured_process.ts";
import { createNativePostgres } from "./native_postgres.ts";
import { printVersions } from "./print_versions.ts";
import { measurePages } from "./pages.ts";
import { measureReaders } from "./readers.ts";
import { type Figure, printReport } from "./report.ts";
import { countRequests } from "./requests.ts";
import { measurePinnedTurns } from "./pinned_turns.ts";
import { measureRanking } from "./ranking.ts";
import { measureSearchSpeed } from "./search_speed.ts";
import { isShort } from "./short_form.ts";
import { measureStreams } from "./streams.ts";
import { measureUploads } from "./uploads.ts";

type Sections = Record<string, (environment: Environment) => Promise<Figure[]>>;

/** These run on the embedded Postgres of `npm start`, or on a native one. */
const anywhere: Sections = {
  requests: countRequests,
  chat: measureChat,
  cold: measureColdStart,
  streams: measureStreams,
  lists: measureLists,
  knowledge: measureKnowledge,
  ranking: measureRanking,
  grounding: measureGrounding,
  pages: measurePages,
  readers: measureReaders,
  search: measureSearchSpeed,
};
/** These require Storage, which a native Postgres does not have. */
const embedded: Sections = { isolate: measureIsolates, uploads: measureUploads };
/** These need a native Postgres. */
const native: Sections = {
  compare: compareServices,
  pinned: measurePinnedTurns,
  growth: measureGrowth,
  fairness: measureFairness,
};

const { values: { postgres, latency, against }, positionals } = parseArgs({
  options: {
    postgres: { type: "string" },
    latency: { type: "string", default: "1" },
    against: { type: "string" },
    // short_form.ts reads it.
    short: { type: "boolean" },
  },
  allowPositionals: true,
});
const sections = { ...anywhere, ...postgres === undefined ? embedded : native };
/** Loading 100,000 passages takes the embedded Postgres a quarter of an hour. */
const usual = postgres === undefined
  ? Object.keys(sections).filter((name) => isShort || name !== "search")
  : [...Object.keys(native), "search"];
const names = positionals.length > 0 ? positionals : usual;
const unknown = names.filter((name) => !Object.hasOwn(sections, name));
if (unknown.length > 0) {
  console.error(
    `There is no section ${unknown.join(", ")} here. The sections are ${Object.keys(sections).join(", ")}.`,
  );
  Deno.exit(2);
}
for (const signal of ["SIGINT", "SIGTERM"] as const) Deno.addSignalListener(signal, () => Deno.exit(1));

console.log(`${navigator.hardwareConcurrency} processors.`);
await printVersions();
console.log(
  "Baselines, bundled and run in the same way: a Hono proxy that only pipes the same reply through; for the cost",
);
console.log("of loading, a Hono app that says hello. Only the indexer's processes are ended for their CPU time.");
console.log("The sections chat and lists run on a backend that replays recorded replies at once.");
if (postgres !== undefined) {
  console.log(
    `The others run on a native Postgres, behind a stand-in for REST that adds ${latency} ms to each request.`,
  );
}
if (!hasProc) console.log("/proc is missing on this system: CPU and memory cannot be measured here.");

const figures: Figure[] = [];
{
  console.log("… starting the backend and the model");
  const fail = (error: Error) => {
    console.error(error.message);
    Deno.exit(2);
  };
  const options = { latency: Number(latency) };
  await using database = postgres === undefined ? null : await createNativePostgres(postgres).catch(fail);
  await using earlier = postgres === undefined || against === undefined
    ? null
    : await createEarlierEnvironment(postgres, against, options).catch(fail);
  await using environment = await createEnvironment(database, { ...options, against: earlier });
  for (const name of names) {
    console.log(`… measuring ${name}`);
    figures.push(...await sections[name]!(environment));
  }
}
const isKept = printReport(isShort ? figures.map(({ budget: _, ...figure }) => figure) : figures);
Deno.exitCode = isKept ? 0 : 1;
