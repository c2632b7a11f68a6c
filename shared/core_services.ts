import { createDatabase, type Database } from "./db/database.ts";
import { type Env, readEnv } from "./env.ts";
import { createWakeIndexer } from "./indexer/wake_indexer.ts";
import { createEmbedder, type Embedder } from "./llm/embedder.ts";
import { createMediaReader, type MediaReader } from "./llm/media_reader.ts";
import { createModel, type Model } from "./llm/model.ts";
import { createLog, type Log, type LogFields } from "./log.ts";
import { createFileStore, type FileStore } from "./storage/file_store.ts";

/** Time limits of everything that leaves the process, in milliseconds. */
export const timeouts = {
  database: 10_000,
  limiter: 1_000,
  /** The signing keys that the project publishes. */
  keySet: 5_000,
  storage: 60_000,
  /** The object of a deleted file; the next sweep removes what takes longer. */
  removal: 5_000,
  /** Until the body of an upload has arrived. */
  upload: 140_000,
  /**
   * The work of an isolate of the indexer, its loading included, after which each of its sweeps does one batch and hands
   * over. The platform retires an isolate after 1 s of CPU time and ends it after 2 s. A batch takes 150 ms and one step
   * more, 100 ms as a rule: so the last sweep that goes on freely ends before 1 s on a machine half as fast too.
   */
  indexing: 600,
  /** So long after it was asked for, a sweep begins no further batch, and hands over. */
  sweep: 15_000,
  /**
   * So long after it was asked for, a sweep breaks off what it waits for: files from Storage and models. On the Free plan
   * an isolate may be asked until 75 s after its start and is ended after 150 s, and storing how far it came may take 10.
   */
  sweepCalls: 65_000,
  /** The embedding of a question; without it the search goes by words alone. */
  embedQuery: 2_000,
  /** The embeddings of a batch of passages. */
  embedPassages: 30_000,
  /** The description of an image, or the transcript of a video. */
  media: 60_000,
  /** From the model call to the first text. */
  firstChunk: 60_000,
  /** Between two pieces of text. */
  betweenChunks: 30_000,
  /** `TURN_SECONDS` has another value for it. */
  turn: 140_000,
  /** Between two times that the text so far is stored. */
  flush: 1_000,
  /** Between two looks at an answer that another request writes. */
  poll: 500,
  /** The writer of a stopped answer, to store what was said. */
  stop: 5_000,
  /** The end of a turn is tried to be stored for so long, and whoever follows an answer waits so long for Postgres. */
  save: 30_000,
  /** Fetching one answer that has lost its writer. */
  recovery: 5_000,
  /** All that one read fetches of them. */
  recoveries: 10_000,
  /** Deleting one response of an erased message. */
  responseRemoval: 5_000,
  /** All that one sweep deletes of them. */
  responseRemovals: 20_000,
  /** Reply headers leave at the latest, and a quiet stream sends a comment. */
  quiet: 10_000,
};

/** What the functions reach outside of themselves, whoever calls them. */
export type CoreServices = {
  database: Database;
  /** Keys of the project itself, for what clients may not call. */
  secretKeys: string[];
  model: Model;
  /** Null: search goes by words alone. */
  embedder: Embedder | null;
  media: MediaReader;
  files: FileStore;
  /** Has the indexer do what is due. Never rejects: what is not done now is done by the next sweep. */
  wakeIndexer: (log: Log) => Promise<void>;
  timeouts: typeof timeouts;
  /** Milliseconds that the isolate had been at work when its services were made. */
  loadingTime: number;
  createLog: (bound: LogFields) => Log;
  /** Keeps the worker alive until the promise has settled, where the platform can. */
  waitUntil: (promise: Promise<unknown>) => void;
};

/** These services as the environment describes them. */
export function createCoreServices(env: Env = readEnv(), overrides: Partial<CoreServices> = {}): CoreServices {
  const limits = overrides.timeouts ?? { ...timeouts, turn: env.turnSeconds * 1_000 };
  return {
    database: createDatabase(env, limits.database),
    secretKeys: env.secretKeys,
    model: createModel(env.openai),
    embedder: createEmbedder(env.openai),
    media: createMediaReader(env.openai),
    files: createFileStore(env, limits.storage),
    wakeIndexer: createWakeIndexer(env, limits.database),
    timeouts: limits,
    // On the platform an isolate begins with its function; elsewhere a process may be as old as it likes.
    loadingTime: isOnPlatform() ? performance.now() : 0,
    createLog,
    waitUntil,
    ...overrides,
  };
}

declare const EdgeRuntime: { waitUntil(promise: Promise<unknown>): void } | undefined;

/** Whether this is the edge runtime, or what stands for it. */
export function isOnPlatform(): boolean {
  return typeof EdgeRuntime !== "undefined";
}

function waitUntil(promise: Promise<unknown>): void {
  // A promise of its own each time: the runtime counts calls, and the promises of them that settle later.
  if (typeof EdgeRuntime !== "undefined") EdgeRuntime.waitUntil(promise.then(() => {}, () => {}));
}
