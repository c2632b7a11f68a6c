/**
 * The entry file that tests run functions with: a process of the edge runtime's Deno that serves all functions with the
 * environment, time limits and clock that a test asks for, one test after the other. `service.ts` talks to it.
 */
// First: some libraries keep the console that they find.
import { printed } from "./collect_printed.ts";
import { createInvalidKeyGuard } from "../../shared/auth/invalid_key_guard.ts";
import { createChatApp } from "../../shared/chat/app.ts";
import { createDocsApp } from "../../shared/docs/app.ts";
import { readEnv } from "../../shared/env.ts";
import { createIndexerApp } from "../../shared/indexer/app.ts";
import { createKnowledgeApp } from "../../shared/knowledge/app.ts";
import { createMcpApp } from "../../shared/mcp/app.ts";
import { timeouts } from "../../shared/timeouts.ts";
import { createServices } from "../../shared/services.ts";
import { createThreadsApp, createUsersApp } from "../../shared/threads/app.ts";

/** What a test asks for. */
export type HostedOptions = {
  /** All variables that the functions find. */
  env: Record<string, string>;
  timeouts?: Partial<typeof timeouts>;
  /** Milliseconds that the worker has been at work before; none by default, however old the host is. */
  loadingTime?: number;
  /** Uploads do not call the indexer. */
  isIndexerAsleep?: boolean;
};

/** What the host tells of the promises that keep its worker alive. */
export type KeptAlive = { count: number; pending: number };

/** The functions as one test has them. */
type Hosted = {
  url: string;
  /** Log lines so far. */
  logs: unknown[];
  /** What has kept the worker alive so far. */
  kept: Promise<unknown>[];
  pending: Set<Promise<unknown>>;
  /** The clock that counts invalid keys, in milliseconds since 1970. It only moves when a test moves it. */
  now: number;
  close(): void;
};

let hosted: Hosted | null = null;

function start({ env, loadingTime = 0, isIndexerAsleep = false, ...options }: HostedOptions): Hosted {
  const services = createServices(readEnv((name) => env[name]), {
    timeouts: { ...timeouts, ...options.timeouts },
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
  });
  const apps = {
    chat: createChatApp(services),
    docs: createDocsApp(services),
    users: createUsersApp(services),
    threads: createThreadsApp(services),
    "knowledge-handler": createKnowledgeApp(services),
    mcp: createMcpApp(services),
    indexer: createIndexerApp(services),
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
    // Not waited for: connections that nobody uses stay open for minutes.
    close: () => void server.shutdown(),
  };
  return self;
}

/** Waits until nothing keeps the worker alive. What is waited for may begin more. */
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
