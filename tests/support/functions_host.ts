/**
 * The entry file with which tests run functions: a process of the edge runtime's Deno that serves all functions with
 * the environment, time limits and clock of a test, one test after the other. `service.ts` sends it commands.
 */
// Imported first, since some libraries keep the console that they find.
import { printed } from "./collect_printed.ts";
import { createInvalidKeyGuard } from "../../shared/core/auth/invalid_key_guard.ts";
import { addresses as chatAddresses } from "../../shared/api/endpoints/chat.gen.ts";
import { addresses as coachesAddresses } from "../../shared/api/endpoints/coaches.gen.ts";
import { addresses as threadsAddresses } from "../../shared/api/endpoints/threads.gen.ts";
import { createDocsApp } from "../../shared/api/docs/app.ts";
import { readEnv } from "../../shared/infra/env.ts";
import { createFetcherApp } from "../../shared/features/fetcher/app.ts";
import { createIndexerApp } from "../../shared/features/background/app.ts";
import { createMailerApp } from "../../shared/features/mailer/app.ts";
import { createKnowledgeApp } from "../../shared/api/knowledge_app.ts";
import { createMcpApp } from "../../shared/api/mcp/app.ts";
import { createOpenaiApp } from "../../shared/api/openai_app.ts";
import { createOperationsApp } from "../../shared/http/operations_app.ts";
import { timeouts } from "../../shared/infra/timeouts.ts";
import { createServices } from "../../shared/core/services.ts";
import { addresses as usersAddresses } from "../../shared/api/endpoints/users.gen.ts";

/** The options of a test. */
export type HostedOptions = {
  /** The environment of the functions. */
  env: Record<string, string>;
  timeouts?: Partial<typeof timeouts>;
  /** Milliseconds that the worker counts as used before the test; 0 by default, however old the host is. */
  loadingTime?: number;
  /** True if uploads do not call the indexer. */
  isIndexerAsleep?: boolean;
  /** True if the fetcher is called. It takes sources of any test, so that usually it is not. */
  isFetcherAwake?: boolean;
  /** True if the mailer is called. It sends mails of any test, so that usually it is not. */
  isMailerAwake?: boolean;
  /** The time at which `Date.now` stands still: Upstash's windows follow it, and none may end in the middle of a test. */
  stoppedAt?: number;
};

/** The number of promises that have kept the worker alive, and of those that still do. */
export type KeptAlive = { count: number; pending: number };

/** The functions of one test. */
type Hosted = {
  url: string;
  /** Log lines so far. */
  logs: unknown[];
  /** The promises that have kept the worker alive so far. */
  kept: Promise<unknown>[];
  pending: Set<Promise<unknown>>;
  /** The clock that counts invalid keys, in milliseconds since 1970. It only moves when a test moves it. */
  now: number;
  close(): void;
};

let hosted: Hosted | null = null;

/**
 * The work of the indexer in one process, and what Upstash may take, in milliseconds. The clock on the wall measures them, so
 * that on a busy machine the usual limits are reached in the middle of a test. Tests of the limits set their own.
 */
const patience = 30_000;

const realNow = Date.now;

function start(
  {
    env,
    loadingTime = 0,
    isIndexerAsleep = false,
    isFetcherAwake = false,
    isMailerAwake = false,
    stoppedAt,
    ...options
  }: HostedOptions,
): Hosted {
  if (stoppedAt !== undefined) Date.now = () => stoppedAt;
  const services = createServices(readEnv((name) => env[name]), {
    timeouts: {
      ...timeouts,
      indexing: patience,
      fetching: patience,
      mailing: patience,
      limiter: patience,
      ...options.timeouts,
    },
    createLog: (bound) => (level, event, fields) => void self.logs.push({ level, event, ...bound, ...fields }),
    waitUntil(promise) {
      self.kept.push(promise);
      self.pending.add(promise);
      const done = () => self.pending.delete(promise);
      promise.then(done, done);
    },
    loadingTime,
    invalidKeys: createInvalidKeyGuard(() => self.now),
    ...isIndexerAsleep ? { wakeIndexer: () => Promise.resolve() } : {},
    ...isMailerAwake ? {} : { wakeMailer: () => Promise.resolve() },
    ...isFetcherAwake ? {} : { wakeFetcher: () => Promise.resolve() },
  });
  const apps = {
    chat: createOperationsApp("chat", services, chatAddresses),
    coaches: createOperationsApp("coaches", services, coachesAddresses),
    docs: createDocsApp(services, () => Promise.resolve(services)),
    users: createOperationsApp("users", services, usersAddresses),
    threads: createOperationsApp("threads", services, threadsAddresses),
    "knowledge-handler": createKnowledgeApp(services),
    mcp: createMcpApp(services),
    openai: createOpenaiApp(services),
    indexer: createIndexerApp(services),
    fetcher: createFetcherApp(services),
    mailer: createMailerApp(services),
  };
  const server = Deno.serve((request) => {
    const name = /^\/([^/]*)/.exec(new URL(request.url).pathname)?.[1];
    return apps[name as keyof typeof apps]?.fetch(request) ?? new Response("no such function", { status: 599 });
  });
  const self: Hosted = {
    url: `http://127.0.0.1:${(server.addr as Deno.NetAddr).port}`,
    logs: [],
    kept: [],
    pending: new Set(),
    now: Date.now(),
    // Not awaited, since idle connections stay open for minutes.
    close: () => void server.shutdown(),
  };
  return self;
}

/** Waits until no promise keeps the worker alive, including promises added while waiting. */
async function settle({ pending }: Hosted): Promise<void> {
  while (pending.size > 0) await Promise.all(pending);
}

async function obey(command: string, request: Request): Promise<unknown> {
  if (command === "POST /start") {
    if (hosted !== null) throw new Error("Another test uses this host");
    printed.length = 0;
    hosted = start(await request.json());
    return { url: hosted.url };
  }
  if (hosted === null) throw new Error("No test uses this host");
  switch (command) {
    case "GET /logs":
      return hosted.logs;
    case "DELETE /logs":
      hosted.logs.length = printed.length = 0;
      return null;
    case "GET /printed":
      return printed;
    case "GET /kept":
      return { count: hosted.kept.length, pending: hosted.pending.size } satisfies KeptAlive;
    case "POST /settle":
      return await settle(hosted);
    case "POST /clock":
      hosted.now += await request.json();
      return null;
    case "POST /stop":
      await settle(hosted);
      hosted.close();
      hosted = null;
      Date.now = realNow;
      return null;
  }
  throw new Error(`The host knows no ${command}`);
}

Deno.serve(async (request) => {
  try {
    const reply = await obey(`${request.method} ${new URL(request.url).pathname}`, request);
    return Response.json(reply ?? null);
  } catch (error) {
    return new Response(error instanceof Error ? error.stack : String(error), { status: 500 });
  }
});
