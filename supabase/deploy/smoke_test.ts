import { createClient } from "../../shared/client/client.ts";
import { createApiDocument } from "../../shared/docs/document.ts";
import type { Settings } from "./read_settings.ts";

/** What a smoke test has found out: null when all is well. */
export type Finding = string | null;

/** What it is made with. */
export type SmokeOptions = Settings["smoke"] & { sleep: (milliseconds: number) => Promise<unknown> };

/** Asks a fresh deployment for its document, an error and, with a key, an answer. Gives the first thing that is wrong. */
export async function smokeTest({ sleep, ...options }: SmokeOptions): Promise<Finding> {
  const { url, apiKey, coachId } = options;
  return await insist(() => checkDocument(url), pauses, sleep) ??
    await insist(() => checkRefusal(url), pauses, sleep) ??
    // Each try asks the model.
    (apiKey === null || coachId === null
      ? null
      : await insist(() => checkAnswer({ url, apiKey, coachId }), pauses.slice(0, 1), sleep));
}

const pauses = [1_000, 2_000, 4_000, 8_000, 16_000];
const patience = 20_000;
/** An answer ends after 140 seconds at the latest. */
const patienceForAnswer = 150_000;

/** Tries again after each pause; a deployment takes a moment to arrive everywhere. */
async function insist(
  check: () => Promise<Finding>,
  pauses: number[],
  sleep: SmokeOptions["sleep"],
): Promise<Finding> {
  let finding = await check();
  for (const pause of pauses) {
    if (finding === null) break;
    await sleep(pause);
    finding = await check();
  }
  return finding;
}

async function checkDocument(url: string): Promise<Finding> {
  const name = "GET /functions/v1/docs/openapi.json";
  const reply = await request(`${url}/functions/v1/docs/openapi.json`, { headers: { "Cache-Control": "no-cache" } });
  if (typeof reply === "string") return `${name} ${reply}`;
  if (reply.status !== 200) return `${name} gives ${show(reply)} instead of the document`;
  return reply.text === JSON.stringify(createApiDocument()) ? null : `${name} gives the document of another version`;
}

async function checkRefusal(url: string): Promise<Finding> {
  const name = "POST /functions/v1/chat without a key";
  const reply = await request(`${url}/functions/v1/chat`, { method: "POST", body: "{}" });
  if (typeof reply === "string") return `${name} ${reply}`;
  return reply.status === 401 && readError(reply.text) === "Missing API key"
    ? null
    : `${name} gives ${show(reply)} instead of 401 Missing API key`;
}

async function checkAnswer(
  { url, apiKey, coachId }: { url: string; apiKey: string; coachId: string },
): Promise<Finding> {
  try {
    const client = createClient({ baseUrl: url, apiKey, backOff: { retries: 0 } });
    const signal = AbortSignal.timeout(patienceForAnswer);
    const answer = await client.chat({ message: "Hello", context: { coachId, userId: "smoke-test" } }, { signal });
    const text = (await Array.fromAsync(answer)).join("");
    return text.trim() === "" ? "POST /functions/v1/chat gives an empty answer" : null;
  } catch (error) {
    const { name, message, body } = error as Error & { body?: { details?: string } };
    const reason = name === "TimeoutError"
      ? "no end of it in time"
      : [message, body?.details].filter(Boolean).join(": ");
    return `POST /functions/v1/chat does not answer a message: ${reason}`;
  }
}

type Reply = { status: number; text: string };

async function request(url: string, init: RequestInit): Promise<Reply | string> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(patience) });
    return { status: response.status, text: await response.text() };
  } catch (error) {
    const { name, message } = error as Error;
    return name === "TimeoutError" ? `gets no reply within ${patience / 1_000} seconds` : `fails: ${message}`;
  }
}

function readError(text: string): unknown {
  try {
    return JSON.parse(text).error;
  } catch {
    return undefined;
  }
}

function show({ status, text }: Reply): string {
  const shown = text.replaceAll(/\s+/g, " ").trim().slice(0, 200);
  return shown === "" ? String(status) : `${status} ${shown}`;
}
