import type { DocumentKind } from "../../shared/libs/documents/read_passages.ts";

/**
 * Something to read: a text for one of `scans`, one of `hostileDocuments`, or a file. A time that is short `enough`, in
 * milliseconds, is not measured again.
 */
export type ReadingJob =
  & { enough?: number }
  & (
    | { format: "pdf" | "docx" | "md"; scan: string; unit: string; length: number }
    | { document: string; length: number }
    | { kind: DocumentKind; bytes: Uint8Array }
  );

/** The shortest time of some runs, and `read`, `empty` or the name of an error. */
export type ReadingResult = { milliseconds: number; outcome: string };

/** Reads in a thread of its own, so that a job without an end is given up. */
export type StoppableReader = Disposable & {
  /** @throws {Error} when the job has not ended after 30 s. */
  read(job: ReadingJob): Promise<ReadingResult>;
};

const patience = 30_000;

export function createStoppableReader(): StoppableReader {
  let worker: Worker | null = null;
  const stop = () => {
    worker?.terminate();
    worker = null;
  };
  return {
    async read(job) {
      const reading = worker ??= new Worker(import.meta.resolve("./reading_worker.ts"), { type: "module" });
      const { promise, resolve, reject } = Promise.withResolvers<ReadingResult>();
      reading.onmessage = ({ data }) => resolve(data);
      reading.onerror = (event) => {
        event.preventDefault();
        reject(new Error(`The reader failed: ${event.message}`));
      };
      const timer = setTimeout(() => reject(new Error(`It had not ended after ${patience} ms`)), patience);
      reading.postMessage(job);
      try {
        return await promise;
      } catch (error) {
        stop();
        throw error;
      } finally {
        clearTimeout(timer);
      }
    },
    [Symbol.dispose]: stop,
  };
}
