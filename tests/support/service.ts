import type { HostedOptions, KeptAlive } from "./functions_host.ts";
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
  logs(): Promise<Record<string, unknown>[]>;
  /** Forgets the log lines so far, and what was printed. */
  clearLogs(): Promise<void>;
  /** What the functions, and the libraries that they use, have printed besides. */
  printed(): Promise<string[]>;
  /** Settles when everything that has begun is over: turns, and the indexing of what was uploaded. */
  turns: () => Promise<void>;
  /** How many promises have kept the worker alive so far, and how many of them still do. */
  keptAlive(): Promise<KeptAlive>;
  /** Puts the clock that counts invalid keys forward, by milliseconds. It stands still otherwise. */
  advanceClock(milliseconds: number): Promise<void>;
};

/** What a test may change; variables are beside those of the project, such as Upstash's. */
export type ServiceOptions = Partial<HostedOptions>;

/**
 * Serves the real apps over HTTP, in a process of the Deno that they are deployed on, against the test run's Supabase
 * and a scripted model.
 */
export async function startService({ env = {}, ...options }: ServiceOptions = {}): Promise<Service> {
  const model = await startModelServer();
  const supabase = startSupabaseProxy(projectVariable("SUPABASE_URL"));
  const host = await takeHost();
  // Of the shell's own variables, none may lead the tests elsewhere.
  const ofProject = Object.entries(Deno.env.toObject()).filter(([name]) => name.startsWith("SUPABASE_"));
  const { url } = await host.tell<{ url: string }>("POST", "/start", {
    ...options,
    env: { ...Object.fromEntries(ofProject), SUPABASE_URL: supabase.url, OPENAI_BASE_URL: model.baseUrl, ...env },
  });
  supabase.functionsUrl = url;
  return {
    url,
    model,
    supabase,
    logs: () => host.tell("GET", "/logs"),
    printed: () => host.tell("GET", "/printed"),
    clearLogs: () => host.tell("DELETE", "/logs"),
    turns: () => host.tell("POST", "/settle"),
    keptAlive: () => host.tell("GET", "/kept"),
    advanceClock: (milliseconds) => host.tell("POST", "/clock", milliseconds),
    async [Symbol.asyncDispose]() {
      await model[Symbol.asyncDispose]();
      await supabase[Symbol.asyncDispose]();
      await host.tell("POST", "/stop");
      await host.give();
    },
  };
}

/** A process that serves the functions, of the pool that `tests/run.ts` keeps. */
async function takeHost() {
  const pool = requireThisMachine(variable("TEST_FUNCTIONS_POOL"));
  const origin = await ask(`${pool}/take`, { method: "POST" });
  return {
    async tell<Reply>(method: string, path: string, body?: unknown): Promise<Reply> {
      return JSON.parse(await ask(origin + path, { method, body: JSON.stringify(body) }));
    },
    give: () => ask(`${pool}/give`, { method: "POST", body: origin }),
  };
}

async function ask(url: string, init: RequestInit): Promise<string> {
  const response = await fetch(url, init);
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}

/**
 * A variable of the Supabase project that the test run uses; `tests/run.ts` sets them. Where it did not, the shell's may
 * name a project with real data.
 */
export function projectVariable(name: string): string {
  const value = variable(name);
  if (name === "SUPABASE_URL") requireThisMachine(value);
  return value;
}

function variable(name: string): string {
  const value = Deno.env.get(name);
  if (value === undefined) throw new Error(`${name} is missing: run the tests with npm test`);
  return value;
}
