import document from "../../../shared/api/docs/openapi_text.json" with { type: "json" };
import { errors } from "../../../shared/infra/errors.ts";
import { errorMessage } from "../command_error.ts";
import { type Attempt, type Finding, findingFrom, tryService } from "./try_service.ts";

/** One thing that was tried. */
export type Trial = { name: string; milliseconds: number; finding: Finding };

/** The options of a smoke test. */
export type SmokeOptions = {
  /** The project's address. */
  url: string;
  /** A secret key of the project; without one, only what needs no key is tried. */
  secretKey: string | null;
  /** True if pg_cron can call the indexer; otherwise, that is not tested. */
  hasClock: boolean;
  /** Ends it early. What it made in the project is removed first. */
  signal: AbortSignal;
  sleep: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
  /** Called after each trial. */
  onTrial: (trial: Trial) => void;
  /**
   * Called with each thing that is created in the project, such as `the account <id>`, so that it can be found if it
   * remains.
   */
  onMade: (what: string) => void;
};

/** The result of a smoke test. */
export type SmokeOutcome = {
  /** True if the functions exist in this version and respond. */
  doesAnswer: boolean;
  /** The failures, one sentence each. */
  findings: string[];
};

/**
 * Tests a new deployment: its document, a refusal and, with a secret key, all features of the service. If the functions
 * do not respond, nothing else is tested. If it is ended early, it returns the findings so far.
 */
export async function smokeTest(options: SmokeOptions): Promise<SmokeOutcome> {
  const { url, secretKey, signal, onTrial } = options;
  const findings: string[] = [];
  const finish: Attempt = async (name, check) => {
    const startedAt = performance.now();
    const finding = await check().catch(findingFrom);
    onTrial({ name, milliseconds: performance.now() - startedAt, finding });
    if (finding !== null) findings.push(`${name}: ${finding}`);
    return finding === null;
  };
  const attempt: Attempt = async (name, check) => {
    signal.throwIfAborted();
    return await finish(name, async () => {
      const finding = await check().catch(findingFrom);
      return signal.aborted ? "interrupted" : finding;
    });
  };
  let doesAnswer = false;
  try {
    doesAnswer = await attempt("the document", () => insist(() => checkDocument(url, signal), options)) &&
      await attempt("a refusal", () => insist(() => checkRefusal(url, signal), options));
    if (doesAnswer && secretKey !== null) await tryService({ ...options, secretKey }, { attempt, finish });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return { doesAnswer, findings };
}

const pauses = [1_000, 2_000, 4_000, 8_000, 16_000];
const patience = 20_000;

/** Tries again after each pause, since a deployment takes a moment to arrive everywhere. */
async function insist(
  check: () => Promise<Finding>,
  { sleep, signal }: Pick<SmokeOptions, "sleep" | "signal">,
): Promise<Finding> {
  let finding = await check();
  for (const pause of pauses) {
    if (finding === null) break;
    await sleep(pause, signal);
    finding = await check();
  }
  return finding;
}

async function checkDocument(url: string, signal: AbortSignal): Promise<Finding> {
  const name = "GET /functions/v1/docs/openapi.json";
  const reply = await request(`${url}/functions/v1/docs/openapi.json`, {
    headers: { "Cache-Control": "no-cache" },
    signal,
  });
  if (typeof reply === "string") return `${name} ${reply}`;
  if (reply.status !== 200) return `${name} returns ${show(reply)} instead of the document`;
  return reply.text === document.join("") ? null : `${name} returns the document of another version`;
}

async function checkRefusal(url: string, signal: AbortSignal): Promise<Finding> {
  const name = "POST /functions/v1/chat without a key";
  const reply = await request(`${url}/functions/v1/chat`, { method: "POST", body: "{}", signal });
  if (typeof reply === "string") return `${name} ${reply}`;
  const expected = errors.missingApiKey();
  return reply.status === expected.status && reply.code === expected.code
    ? null
    : `${name} returns ${show(reply)} instead of ${expected.status} ${expected.message}`;
}

type Reply = { status: number; code: string | null; text: string };

async function request(url: string, init: RequestInit & { signal: AbortSignal }): Promise<Reply | string> {
  try {
    const response = await fetch(url, {
      ...init,
      signal: AbortSignal.any([init.signal, AbortSignal.timeout(patience)]),
    });
    return { status: response.status, code: response.headers.get("X-Error-Code"), text: await response.text() };
  } catch (error) {
    const isLate = error instanceof DOMException && error.name === "TimeoutError";
    return isLate ? `got no reply within ${patience / 1_000} seconds` : `fails: ${errorMessage(error)}`;
  }
}

function show({ status, text }: Reply): string {
  const shown = text.replaceAll(/\s+/g, " ").trim().slice(0, 200);
  return shown === "" ? String(status) : `${status} ${shown}`;
}
