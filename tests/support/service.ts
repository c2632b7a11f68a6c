import { createChatApp } from "../../shared/chat/app.ts";
import { readEnv } from "../../shared/env.ts";
import { createServices, type Services, timeouts } from "../../shared/services.ts";
import { createDocsApp } from "../../shared/docs/app.ts";
import { createIndexerApp } from "../../shared/indexer/app.ts";
import { createKnowledgeApp } from "../../shared/knowledge/app.ts";
import { createMcpApp } from "../../shared/mcp/app.ts";
import { createThreadsApp } from "../../shared/threads/app.ts";
import { createUsersApp } from "../../shared/users/app.ts";
import { type ModelServer, startModelServer } from "./model_server.ts";
import { requireThisMachine } from "./running_project.ts";
import { startSupabaseProxy, type SupabaseProxy } from "./supabase_proxy.ts";

/** The service under test, and what it is surrounded by. */
export type Service = AsyncDisposable & {
  /** Address of the functions: `${url}/chat` … */
  url: string;
  model: ModelServer;
  supabase: SupabaseProxy;
  /** Log lines so far, parsed. */
  logs: Record<string, unknown>[];
  /** Settles when everything that has begun is over: turns, and the indexing of what was uploaded. */
  turns: () => Promise<void>;
};

/** What a test may change. */
export type ServiceOptions = {
  /** Variables beside those of the project, such as Upstash's. */
  env?: Record<string, string>;
  timeouts?: Partial<typeof timeouts>;
  services?: Partial<Services>;
};

/** Serves the real apps in this process over HTTP, against the test run's Supabase and a scripted model. */
export async function startService({ env = {}, ...options }: ServiceOptions = {}): Promise<Service> {
  const model = await startModelServer();
  const supabase = startSupabaseProxy(projectVariable("SUPABASE_URL"));
  const logs: Record<string, unknown>[] = [];
  const pending: Promise<unknown>[] = [];
  const variables: Record<string, string> = { SUPABASE_URL: supabase.url, OPENAI_BASE_URL: model.baseUrl, ...env };
  // Of the shell's own variables, none may lead the tests elsewhere.
  const read = (name: string) => variables[name] ?? (name.startsWith("SUPABASE_") ? Deno.env.get(name) : undefined);
  const services = createServices(readEnv(read), {
    timeouts: { ...timeouts, ...options.timeouts },
    createLog: (bound) => (level, event, fields) => logs.push({ level, event, ...bound, ...fields }),
    waitUntil: (promise) => pending.push(promise),
    ...options.services,
  });
  // What is waited for may begin more.
  async function settle() {
    for (let seen = 0; seen < pending.length;) {
      seen = pending.length;
      await Promise.all(pending);
    }
  }
  const apps = {
    chat: createChatApp(services),
    docs: createDocsApp(services),
    users: createUsersApp(services),
    threads: createThreadsApp(services),
    "knowledge-handler": createKnowledgeApp(services),
    mcp: createMcpApp(services),
    indexer: createIndexerApp(services),
  };
  const server = Deno.serve({
    port: 0,
    hostname: "127.0.0.1",
    onListen: () => {},
    onError: () => new Response(null, { status: 599 }),
  }, (request) => {
    const name = /^\/([^/]*)/.exec(new URL(request.url).pathname)?.[1];
    return apps[name as keyof typeof apps]?.fetch(request) ?? new Response("no such function", { status: 599 });
  });
  const url = `http://127.0.0.1:${server.addr.port}`;
  supabase.functionsUrl = url;
  return {
    url,
    model,
    supabase,
    logs,
    turns: settle,
    async [Symbol.asyncDispose]() {
      await model[Symbol.asyncDispose]();
      await supabase[Symbol.asyncDispose]();
      await settle();
      await server.shutdown();
    },
  };
}

/**
 * A variable of the Supabase project that the test run uses; `tests/run.ts` sets them. Where it did not, the shell's may
 * name a project with real data.
 */
export function projectVariable(name: string): string {
  const value = Deno.env.get(name);
  if (value === undefined) throw new Error(`${name} is missing: run the tests with npm test`);
  if (name === "SUPABASE_URL") requireThisMachine(value);
  return value;
}
