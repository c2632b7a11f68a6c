import type { HostedOptions, KeptAlive } from "./functions_host.ts";
import { type ModelServer, startModelServer } from "./model_server.ts";
import { requireThisMachine } from "./running_project.ts";
import { startSupabaseProxy, type SupabaseProxy } from "./supabase_proxy.ts";

/** The service under test, and its backends. */
export type Service = AsyncDisposable & {
  /** The address of the functions: `${url}/chat` … */
  url: string;
  model: ModelServer;
  supabase: SupabaseProxy;
  /** Log lines so far, parsed. */
  logs(): Promise<Record<string, unknown>[]>;
  /** Clears the log lines and the printed text so far. */
  clearLogs(): Promise<void>;
  /** The output of the functions and their libraries, without log lines. */
  printed(): Promise<string[]>;
  /** Resolves when all work that has begun has ended: turns, and the indexing of uploads. */
  turns: () => Promise<void>;
  /** The number of promises that have kept the worker alive so far, and of those that still do. */
  keptAlive(): Promise<KeptAlive>;
  /** Puts the clock that counts invalid keys forward, by milliseconds. It does not move otherwise. */
  advanceClock(milliseconds: number): Promise<void>;
};

/** Options of a test; `env` is added to the variables of the project, `losesReplies` is that of the proxy. */
export type ServiceOptions = Partial<HostedOptions> & { losesReplies?: boolean };

/**
 * Serves the real apps over HTTP on the Deno that they are deployed on, with the Supabase of the test run and a
 * scripted model.
 */
export async function startService({ env = {}, losesReplies, ...options }: ServiceOptions = {}): Promise<Service> {
  const model = await startModelServer();
  const supabase = startSupabaseProxy(projectVariable("SUPABASE_URL"), { losesReplies });
  const host = await takeHost();
  // Only the project's variables are passed on: the shell's others might lead the tests elsewhere.
  const ofProject = Object.entries(Deno.env.toObject()).filter(([name]) => name.startsWith("SUPABASE_"));
  const { url } = await host.tell<{ url: string }>("POST", "/start", {
    ...options,
    env: {
      ...Object.fromEntries(ofProject),
      SUPABASE_URL: supabase.url,
      // Functions see the proxy's address, tokens name the project's own.
      JWT_ISSUER: tokenIssuer(),
      OPENAI_BASE_URL: model.baseUrl,
      ...env,
    },
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
      // What has begun ends by saving that it failed, for which it would try again for half a minute.
      supabase.recover();
      await host.tell("POST", "/stop");
      await supabase[Symbol.asyncDispose]();
      await host.give();
    },
  };
}

/** Takes a process that serves the functions from the pool of `tests/support/run.ts`. */
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
 * A variable of the test run's Supabase project, set by `tests/support/run.ts`. Without it the shell's variables could name a
 * project with real data, so the address must be on this machine.
 */
export function projectVariable(name: string): string {
  const value = variable(name);
  if (name === "SUPABASE_URL") requireThisMachine(value);
  return value;
}

/** The issuer of the project's tokens. */
export function tokenIssuer(): string {
  return `${projectVariable("SUPABASE_URL")}/auth/v1`;
}

function variable(name: string): string {
  const value = Deno.env.get(name);
  if (value === undefined) throw new Error(`${name} is missing: run the tests with npm test`);
  return value;
}
