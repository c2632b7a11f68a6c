import { createParser } from "eventsource-parser";
import { checkReply, type Environment, instructions, type Tenant } from "./environment.ts";
import type { MeasuredOptions, MeasuredProcess } from "./measured_process.ts";
import type { NativePostgres } from "./native_postgres.ts";
import { spokenChunks } from "./spoken_chunks.ts";

/** The request, the same for each service. */
export type Turn = {
  message: string;
  /** The coach, and the name of its model, which says how the answer comes. */
  coachId: string;
  model: string;
  /** The chunks of the answer. */
  chunks: number;
  /** The thread to continue. */
  threadId?: string;
};

/** A service that passes a model's answers on. */
export type Contender = {
  name: string;
  /** The bundles that answer messages and lists; a proxy has no lists. */
  bundles: { chat: string; users?: string; threads?: string };
  /** The account whose coaches are asked, and its key. */
  tenant: Tenant;
  /** Variables besides those of the functions. */
  env: Record<string, string>;
  path: string;
  bodyOf(turn: Turn): unknown;
  /** Further headers. */
  headersOf?(turn: Turn): Record<string, string>;
  /** The text that the reply contains from its first chunk on. */
  firstChunk: string;
  /** @throws {Error} when a reply is not the whole answer. */
  check(reply: string, turn: Turn): void;
};

/**
 * A proxy that only pipes the model's replies through, a plain service that stores, this service, its function `openai`,
 * and the service for an account with budgets.
 */
export type Contenders = {
  proxy: Contender;
  plain: Contender;
  service: Contender;
  face: Contender;
  budgeted: Contender;
};

/** Describes all of them. The tables of the plain service must be there. */
export function describeContenders(
  { modelUrl, tenant }: Environment,
  { native, budgeted }: { native: NativePostgres; budgeted: Tenant },
): Contenders {
  const piped: Omit<Contender, "name" | "bundles"> = {
    tenant,
    env: { TARGET: modelUrl },
    path: "/v1/responses",
    bodyOf: ({ model, message }) => ({
      model,
      instructions,
      input: [{ role: "user", content: message }],
      stream: true,
    }),
    firstChunk: "response.output_text.delta",
    check(reply) {
      if (!reply.includes("response.completed")) throw new Error("The stream of the model was cut");
    },
  };
  const answered: Omit<Contender, "name" | "bundles"> = {
    tenant,
    env: { DATABASE_URL: native.url },
    path: "/chat",
    bodyOf: ({ message, coachId, threadId }) => ({ message, thread_id: threadId, context: { coachId } }),
    firstChunk: "data: ",
    check: (reply, { message, chunks }) => checkReply(reply, message, chunks),
  };
  const face: Contender = {
    ...answered,
    name: "its function openai",
    bundles: { chat: "openai" },
    path: "/openai/v1/chat/completions",
    headersOf: ({ threadId }): Record<string, string> => threadId === undefined ? {} : { "X-Thread-Id": threadId },
    bodyOf: ({ message, coachId }) => ({
      model: coachId,
      messages: [{ role: "user", content: message }],
      stream: true,
    }),
    check: (reply, { message, chunks }) => checkCompletion(reply, message, chunks),
  };
  const plain = "storing_service";
  const service = {
    ...answered,
    name: "this service",
    bundles: { chat: "chat", users: "users", threads: "threads" },
  };
  return {
    proxy: { name: "bare proxy", bundles: { chat: "bare_proxy" }, ...piped },
    plain: { name: "plain storing service", bundles: { chat: plain, users: plain, threads: plain }, ...answered },
    service,
    face,
    budgeted: { ...service, name: "with four budgets", tenant: budgeted },
  };
}

/** @throws {Error} for a completion that is not the whole answer. Its chunks may hold several of the model's. */
function checkCompletion(reply: string, message: string, chunks: number): void {
  let text = "";
  let hasEnded = false;
  const onEvent = ({ data }: { data: string }) => {
    if (data === "[DONE]") hasEnded = true;
    else text += JSON.parse(data).choices[0].delta.content ?? "";
  };
  createParser({ onEvent }).feed(reply);
  if (!hasEnded || text !== spokenChunks(message, chunks).join("")) {
    throw new Error(`The completion for ${JSON.stringify(message)} is not what the model said: ${reply}`);
  }
}

/** A contender that runs. */
export type Running = AsyncDisposable & {
  contender: Contender;
  process: MeasuredProcess;
  /** Has a turn answered, and returns the milliseconds to its first chunk. `onFirstChunk` is called then. */
  ask(turn: Turn, onFirstChunk?: () => void): Promise<number>;
  /** Gets a list and returns its text. */
  list(path: string): Promise<string>;
};

/** Starts the part of a contender that answers messages, or one of its lists. */
export async function startContender(
  { startFunction }: Environment,
  contender: Contender,
  { part = "chat", deno }: { part?: "chat" | "users" | "threads" } & Pick<MeasuredOptions, "deno">,
): Promise<Running> {
  const process = await startFunction(contender.bundles[part]!, contender.env, { deno });
  const headers = { "X-API-Key": contender.tenant.apiKey, "Content-Type": "application/json" };

  async function request(path: string, init: RequestInit): Promise<Response> {
    const response = await fetch(process.url + path, { ...init, headers: { ...headers, ...init.headers } });
    if (!response.ok) throw new Error(`${contender.name} said ${response.status} ${await response.text()}`);
    return response;
  }
  return {
    contender,
    process,
    async ask(turn, onFirstChunk = () => {}) {
      const began = performance.now();
      let [reply, time] = ["", NaN];
      const body = JSON.stringify(contender.bodyOf(turn));
      const response = await request(contender.path, { method: "POST", headers: contender.headersOf?.(turn), body });
      try {
        for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
          reply += text;
          if (!Number.isNaN(time) || !reply.includes(contender.firstChunk)) continue;
          time = performance.now() - began;
          onFirstChunk();
        }
      } catch (cause) {
        throw new Error(`The stream of ${contender.name} broke off after ${JSON.stringify(reply)}`, { cause });
      }
      contender.check(reply, turn);
      return time;
    },
    list: async (path) => await (await request(path, { method: "GET" })).text(),
    [Symbol.asyncDispose]: process[Symbol.asyncDispose],
  };
}
