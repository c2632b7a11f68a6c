/** Does one {@link ReadingJob} after the other, in a thread that can be stopped while it does. See `reading.ts`. */
import { readPassages } from "../../shared/libs/documents/read_passages.ts";
import { hostileDocuments, repeatTo } from "./hostile_documents.ts";
import type { ReadingJob, ReadingResult } from "./reading.ts";
import { scans } from "./scans.ts";

/** The work of a job; returns its result. */
function prepare(job: ReadingJob): () => Promise<string> {
  if ("scan" in job) {
    const scan = scans[job.format][job.scan]!(repeatTo(job.length, job.unit));
    return async () => {
      await scan();
      return "read";
    };
  }
  const { kind, bytes } = "bytes" in job
    ? job
    : { kind: hostileDocuments.get(job.document)!.kind, bytes: hostileDocuments.get(job.document)!.make(job.length) };
  return async () => {
    let passages = 0;
    for await (const batch of readPassages(kind, bytes, null)) passages += batch.passages.length;
    return passages === 0 ? "empty" : "read";
  };
}

async function perform(job: ReadingJob): Promise<ReadingResult> {
  const run = prepare(job);
  const { enough = 0 } = job;
  const result = { milliseconds: Infinity, outcome: "" };
  // The least of some runs: the others were disturbed by what else the machine does.
  for (let runs = 0; runs === 0 || runs < 3 && result.milliseconds > enough; runs++) {
    const from = performance.now();
    result.outcome = await run().catch((error) => error instanceof Error ? error.name : String(error));
    result.milliseconds = Math.min(result.milliseconds, performance.now() - from);
  }
  return result;
}

/** The thread, which the types of the main thread do not describe. */
const thread = globalThis as unknown as {
  onmessage: (event: MessageEvent<ReadingJob>) => void;
  postMessage(result: ReadingResult): void;
};
thread.onmessage = async ({ data }) => thread.postMessage(await perform(data));
