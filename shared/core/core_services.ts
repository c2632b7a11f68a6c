import { createDatabase, type Database } from "../infra/db/database.ts";
import { joinBegins } from "../infra/db/join_begins.ts";
import { type Env, readEnv } from "../infra/env.ts";
import type { MailServer } from "../libs/mail/send_mail.ts";
import { createWaker } from "./wake_function.ts";
import { createEmbedder, type Embedder } from "../libs/llm/embedder.ts";
import type { Models } from "../libs/llm/models.ts";
import { lazy } from "../libs/base/lazy.ts";
import { createLog, type Log, type LogFields } from "../libs/base/log.ts";
import { createFileStore, type FileStore, picturesUrlOf } from "../infra/storage/file_store.ts";
import { type Timeouts, timeouts } from "../infra/timeouts.ts";
import type { Tracing } from "../libs/telemetry/tracing.ts";
import { isOnPlatform, openTracing, waitUntil } from "./platform.ts";

/** The services that every function has. */
export type CoreServices = {
  database: Database;
  /** The project's own keys, for functions that clients may not call. */
  secretKeys: string[];
  /** Loads the code that talks to models, once: refusals and lists do without it. */
  loadModels: () => Promise<Models>;
  /** Null: search uses words alone. */
  embedder: Embedder | null;
  /** The bytes of the knowledge files. */
  files: FileStore;
  /** The pictures of coaches. */
  pictures: FileStore;
  /** The address below which everybody can read them. */
  picturesUrl: string;
  /** The address of the project, as clients reach it. */
  publicUrl: string;
  /** The address of the chat page; null: there is none to point to. */
  pageUrl: string | null;
  /** The address of the expert's desk; null: there is none to point to. */
  deskUrl: string | null;
  /** The mail server, and the sender of mails; null: no mail is sent. */
  mail: MailServer | null;
  /** Calls the indexer. Never rejects: where the call fails, the next sweep does the work. */
  wakeIndexer: (log: Log) => Promise<void>;
  /** Calls the fetcher, in the same way. */
  wakeFetcher: (log: Log) => Promise<void>;
  /** Calls the mailer, in the same way. */
  wakeMailer: (log: Log) => Promise<void>;
  /** True if webhooks may be in private networks and without encryption. */
  allowsPrivateWebhooks: boolean;
  /** True if sources may be in private networks. */
  allowsPrivateSources: boolean;
  timeouts: Timeouts;
  /** Milliseconds from the start of the isolate to the creation of its services. */
  loadingTime: number;
  createLog: (bound: LogFields) => Log;
  /** Keeps the worker alive until the promise has settled, where the platform can. */
  waitUntil: (promise: Promise<unknown>) => void;
  /** Records spans; null: there is nobody to send them to. */
  tracing: Tracing | null;
};

/** These services as the environment describes them. */
export function createCoreServices(env: Env = readEnv(), overrides: Partial<CoreServices> = {}): CoreServices {
  const limits = overrides.timeouts ?? { ...timeouts, turn: env.turnSeconds * 1_000 };
  const tracing = overrides.tracing ?? openTracing(env.traces, { ...overrides, timeouts: limits });
  return {
    database: joinBegins(createDatabase(env, limits.database, tracing)),
    secretKeys: env.secretKeys,
    loadModels: lazy(async () =>
      (await import("../libs/llm/models.ts")).createModels(env.openai, createLog({}), tracing)
    ),
    embedder: createEmbedder(env.openai),
    files: createFileStore(env, limits.storage),
    pictures: createFileStore(env, limits.storage, "pictures"),
    picturesUrl: picturesUrlOf(env.publicUrl),
    publicUrl: env.publicUrl,
    pageUrl: env.pageUrl,
    deskUrl: env.deskUrl,
    mail: env.mail,
    wakeIndexer: createWaker("indexer", env, limits.database, tracing),
    wakeFetcher: createWaker("fetcher", env, limits.database, tracing),
    wakeMailer: createWaker("mailer", env, limits.database, tracing),
    allowsPrivateWebhooks: env.allowsPrivateWebhooks,
    allowsPrivateSources: env.allowsPrivateSources,
    timeouts: limits,
    // On the platform an isolate starts with its function; elsewhere the process may have started long before.
    loadingTime: isOnPlatform() ? performance.now() : 0,
    createLog,
    waitUntil,
    tracing,
    ...overrides,
  };
}
