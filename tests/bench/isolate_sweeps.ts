import { delay } from "../../shared/libs/base/std/async.ts";
import type { WorkerEvent } from "../../supabase/platform/edge_runtime/edge_runtime.ts";
import { limitsOf } from "../../supabase/platform/edge_runtime/limits.ts";
import { makePdfOfStreams, packed, sentences, showLines } from "../support/sample_documents.ts";
import { startBackendProxy } from "./backend_proxy.ts";
import { type Environment, openChat } from "./environment.ts";
import { startIndexerWorkers } from "./indexer_workers.ts";
import { createRandom } from "./random.ts";
import type { Figure } from "./report.ts";
import { orShort } from "./short_form.ts";
import { untilIndexed, uploadFiles } from "./upload_files.ts";

const pages = orShort(500, 5);
const conversations = orShort(1_000, 10);

/** The cost of indexing a large PDF with workers under the platform's limits. */
export async function measureSweeps(environment: Environment): Promise<Figure[]> {
  const events = await indexPdf(environment);
  const ends = endsOf(events);
  const used = cpuOf(events);
  const sweeps = sum(ends.map(({ requests = 0 }) => requests));
  const name = `isolate: indexing a PDF of ${pages} pages`;
  return [
    { name: `${name}: CPU a sweep, loading included`, unit: "ms", measured: sum(used) / sweeps },
    { name: `${name}: sweeps`, unit: "", measured: sweeps },
    { name: `${name}: workers`, unit: "", measured: ends.length },
    {
      name: `${name}: CPU of the worker that did most`,
      unit: "ms",
      measured: Math.max(...used),
      budget: { atMost: limitsOf("free").cpuHard },
    },
  ];
}

/** The same for sorting conversations into topics, and a tenth as many that come later. */
export async function measureTopics(environment: Environment): Promise<Figure[]> {
  const random = createRandom(1);
  const draw = (count: number) => Math.floor(count * random());
  const subjects = Array.from({ length: 60 }, () => Array.from({ length: 6 }, () => `subject${draw(400)}`));
  const say = () => {
    const subject = subjects[draw(subjects.length)]!;
    return Array.from({ length: 12 }, (_, place) => place % 2 ? `word${draw(2_000)}` : subject[draw(6)]).join(" ");
  };
  const { accountId } = environment;
  const coachId = await environment.createCoach("chunks=2");
  await using backend = startBackendProxy(environment.backendUrl);
  await using chat = await environment.startFunction("chat", { SUPABASE_URL: backend.url });
  const indexer = await startIndexerWorkers(environment, backend);
  backend.functions.indexer = indexer.url;
  /** Adds conversations, and returns the topics once all are sorted. */
  const sort = async (count: number) => {
    const threads = Array.from({ length: count }, () => ({ id: crypto.randomUUID(), user_id: crypto.randomUUID() }));
    await environment.insert(
      "threads",
      threads.map((thread) => ({ ...thread, account_id: accountId, coach_id: coachId, title: "Asked" })),
    );
    await environment.insert("messages", threads.map(({ id }) => ({ thread_id: id, role: "user", content: say() })));
    // Whoever counts a turn has topics made. Conversations of the last seconds wait for their end.
    await (await openChat(environment, { url: chat.url, coachId, message: say() })).text();
    await delay(3_000);
    await environment.call("reindex_coach", { coach_id: coachId });
    while (true) {
      await fetch(`${indexer.url}/indexer`, { method: "POST", headers: environment.backendHeaders });
      const period = { from_time: "2026-01-01", before_time: "2999-01-01" };
      const args = { caller: { account_id: accountId }, coach_id: coachId, user_id: null, ...period };
      const { data, is_partial } = await environment.call<{ data: { id: string }[]; is_partial: boolean }>(
        "read_topics",
        args,
      );
      if (!is_partial) return new Set(data.map(({ id }) => id));
      await delay(500);
    }
  };
  let topics: Set<string>;
  let later: Set<string>;
  try {
    topics = await sort(conversations);
    later = await sort(conversations / 10);
  } finally {
    await indexer[Symbol.asyncDispose]();
  }
  const name = `isolate: topics of ${conversations} conversations and ${conversations / 10} more`;
  const used = cpuOf(indexer.events);
  return [
    { name: `${name}: CPU of all workers, loading included`, unit: "ms", measured: sum(used) },
    {
      name: `${name}: CPU of the worker that did most`,
      unit: "ms",
      measured: Math.max(...used),
      budget: { atMost: limitsOf("free").cpuHard },
    },
    { name: `${name}: topics that are listed`, unit: "", measured: topics.size },
    { name: `${name}: those that are listed later, too`, unit: "", measured: topics.intersection(later).size },
  ];
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

const endsOf = (events: WorkerEvent[]) =>
  events.filter(({ event }) => event === "worker_ended" || event === "worker_killed");

const cpuOf = (events: WorkerEvent[]) => endsOf(events).map(({ cpu_ms = NaN }) => cpu_ms);

/** Uploads the PDF, waits until it is indexed, and returns the events of the indexer's workers. */
async function indexPdf(environment: Environment): Promise<WorkerEvent[]> {
  const streams = Array.from(
    { length: pages },
    (_, page) => packed(showLines([`Page ${page + 1}`, ...sentences(30)])),
  );
  const book = new Uint8Array(makePdfOfStreams(streams));
  const coachId = await environment.createCoach("");
  await using backend = startBackendProxy(environment.backendUrl);
  await using handler = await environment.startFunction("knowledge-handler", { SUPABASE_URL: backend.url });
  const indexer = await startIndexerWorkers(environment, backend);
  backend.functions.indexer = indexer.url;
  try {
    await uploadFiles(environment, { url: handler.url, coachId, files: [["book.pdf", book]] });
    await untilIndexed(environment, coachId);
  } finally {
    await indexer[Symbol.asyncDispose]();
  }
  return indexer.events;
}
