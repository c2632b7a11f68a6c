import { listFunctions } from "../../supabase/platform/list_functions.ts";
import type { Environment } from "./environment.ts";
import { edgeDenoVersion } from "./print_versions.ts";
import { type Figure, median } from "./report.ts";
import { orShort } from "./short_form.ts";

const rounds = orShort(15, 1);
/**
 * The maximum ratios of a cold start's CPU to that of a function that says hello, which is mostly the start of Deno. What
 * hello does not need:
 * - Every function reads its configuration and its own first part, of 200 KB (12 ms); `coaches` has 49 addresses (6 ms).
 * - The document has a megabyte, which V8 reads as an object and writes as text again: 10 ms.
 * - An accepted request loads zod with the schemas of its input (10 ms), sends its first request to Postgres (4 ms) and
 *   reads the admission in its reply (3 ms).
 * - A chat also loads what builds and reads a model's request and reply (8 ms), and calls a second server.
 */
export const budgets = { refusal: 1.75, document: 1.75, list: 2, chat: 2.4 };
/** Added for the time of an accepted request: the embedded Postgres plans its queries in it. */
const ofPostgres = 0.25;

/** A request to a process that has just started. */
type FirstRequest = {
  /** The name of the reply in the report. */
  name: string;
  /** The bundle that is started. */
  bundle: string;
  /** The request, from its first line on. */
  text: string;
  /** The text by which the reply is recognized as begun. */
  sign: string;
  /** Variables besides those of the functions. */
  env?: Record<string, string>;
  /** Left out where it is not part of this service, but shows one part of the cost. */
  budget?: number;
  /** True if Postgres is called. */
  isAccepted?: boolean;
};

/** Milliseconds until the reply, and CPU of the process until then. */
type Cost = { time: number; cpu: number };

/**
 * The cost of the first reply of every function, from the start of its process: a refusal, the document of `docs`, and
 * replies to accepted requests. On both versions of Deno, each compared with a function that says hello.
 */
export async function measureColdStart(environment: Environment): Promise<Figure[]> {
  const requests = await describeRequests(environment);
  const [edgeVersion, commandsVersion] = [await edgeDenoVersion(), Deno.version.deno];
  const denos = [{ version: edgeVersion }, { version: commandsVersion, deno: Deno.execPath() }];
  const costs = denos.map(() => requests.map((): Cost[] => []));
  // One after the other, round by round, so that other work of the machine affects all of them.
  for (let round = 0; round <= rounds; round++) {
    for (const [index, { deno }] of denos.entries()) {
      for (const [place, request] of requests.entries()) {
        const cost = await measureStart(environment, request, deno);
        // The first round builds the bundles, and fills the caches of Deno and of the system.
        if (round > 0) costs[index]![place]!.push(cost);
      }
    }
  }
  return denos.flatMap(({ version }, index) => {
    const medians = costs[index]!.map((all) => ({
      time: median(all.map(({ time }) => time)),
      cpu: median(all.map(({ cpu }) => cpu)),
    }));
    const [hello, ...others] = medians;
    return others.flatMap((cost, place) => {
      const request = requests[place + 1]!;
      const name = `cold start on Deno ${version}: ${request.name}`;
      const { budget, isAccepted } = request;
      const atMost = (added: number) => budget === undefined ? {} : { budget: { ratio: budget + added } };
      return [
        { name, unit: "ms", measured: cost.time, baseline: hello!.time, ...atMost(isAccepted ? ofPostgres : 0) },
        { name: `${name}, CPU`, unit: "ms", measured: cost.cpu, baseline: hello!.cpu, ...atMost(0) },
      ];
    });
  });
}

/** The baseline first. */
async function describeRequests({ apiKey, createCoach, modelUrl }: Environment): Promise<FirstRequest[]> {
  const write = (line: string, headers: string[] = [], body = "") =>
    [
      ...[`${line} HTTP/1.1`, "Host: localhost", "Content-Type: application/json", `Content-Length: ${body.length}`],
      ...headers,
      ...["", body],
    ].join("\r\n");
  const key = `X-API-Key: ${apiKey}`;
  const manner = "chunks=50";
  const asked = JSON.stringify({ model: manner, input: [{ role: "user", content: "Hello?" }], stream: true });
  const message = JSON.stringify({ message: "Hello?", context: { coachId: await createCoach(manner) } });
  return [
    { name: "hello", bundle: "hello", text: write("POST /hello"), sign: "HTTP/1.1 200" },
    ...listFunctions().filter((name) => name !== "docs").map((name) => ({
      name: `refusal of ${name} (401)`,
      bundle: name,
      text: write(`POST /${name}`),
      sign: "HTTP/1.1 401",
      budget: budgets.refusal,
    })),
    {
      name: "document of docs",
      bundle: "docs",
      text: write("GET /docs/openapi.json"),
      sign: "HTTP/1.1 200",
      budget: budgets.document,
    },
    {
      name: "list of threads",
      bundle: "users",
      text: write(`GET /users/${crypto.randomUUID()}/threads`, [key]),
      sign: "HTTP/1.1 200",
      budget: budgets.list,
      isAccepted: true,
    },
    {
      name: "first chunk of a chat",
      bundle: "chat",
      text: write("POST /chat", [key], message),
      sign: "\r\ndata: ",
      budget: budgets.chat,
      isAccepted: true,
    },
    {
      name: "first chunk of a bare proxy, one call",
      bundle: "bare_proxy",
      text: write("POST /v1/responses", [], asked),
      sign: "response.output_text.delta",
      env: { TARGET: modelUrl },
    },
  ];
}

async function measureStart(
  { startFunction }: Environment,
  { bundle, text, sign, env }: FirstRequest,
  deno: string | undefined,
): Promise<Cost> {
  const began = performance.now();
  await using process = await startFunction(bundle, env, { deno });
  using connection = await Deno.connect({ port: Number(new URL(process.url).port), hostname: "127.0.0.1" });
  const writer = connection.writable.getWriter();
  await writer.write(new TextEncoder().encode(text));
  let seen = "";
  for await (const part of connection.readable.pipeThrough(new TextDecoderStream(), { preventCancel: true })) {
    seen += part;
    if (seen.includes(sign)) return { time: performance.now() - began, cpu: process.exactCpu() };
  }
  throw new Error(`${bundle} answered ${seen}`);
}
