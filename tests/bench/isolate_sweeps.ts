import type { WorkerEvent } from "../../supabase/platform/edge_runtime/edge_runtime.ts";
import { limitsOf } from "../../supabase/platform/edge_runtime/limits.ts";
import { makePdfOfStreams, packed, sentences, showLines } from "../support/sample_documents.ts";
import { startBackendProxy } from "./backend_proxy.ts";
import type { Environment } from "./environment.ts";
import { startIndexerWorkers } from "./indexer_workers.ts";
import type { Figure } from "./report.ts";
import { orShort } from "./short_form.ts";
import { untilIndexed, uploadFiles } from "./upload_files.ts";

const pages = orShort(500, 5);

/** The cost of indexing a large PDF with workers under the platform's limits. */
export async function measureSweeps(environment: Environment): Promise<Figure[]> {
  const events = await indexPdf(environment);
  const ends = events.filter(({ event }) => event === "worker_ended" || event === "worker_killed");
  const used = ends.map(({ cpu_ms = NaN }) => cpu_ms);
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
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
