import { createDatabase, type Database } from "./db/database.ts";
import { type Env, readEnv } from "./env.ts";
import { createWakeIndexer } from "./wake_indexer.ts";
import { createEmbedder, type Embedder } from "./llm/embedder.ts";
import { createMediaReader, type MediaReader } from "./llm/media_reader.ts";
import { createModel, type Model } from "./llm/model.ts";
import { createLog, type Log, type LogFields } from "./log.ts";
import { createFileStore, type FileStore } from "./storage/file_store.ts";
import { type Timeouts, timeouts } from "./timeouts.ts";

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
  timeouts: Timeouts;
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
