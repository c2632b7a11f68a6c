import type { Environment } from "./environment.ts";
import { type Figure, median } from "./report.ts";

const rounds = 15;

/** Time from the start of the process to its first reply. */
export async function measureColdStart(environment: Environment): Promise<Figure[]> {
  const { apiKey, createCoach } = environment;
  const body = JSON.stringify({ message: "Hello?", context: { coachId: await createCoach("chunks=50") } });
  const post = `POST /chat HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`;
  const hello = () =>
    timeTo("HTTP/1.1 200", environment, { name: "hello", request: `${post}Content-Length: 0\r\n\r\n` });
  const refusal = () =>
    timeTo("HTTP/1.1 401", environment, { name: "chat", request: `${post}Content-Length: 0\r\n\r\n` });
  const firstChunk = () =>
    timeTo("\r\ndata: ", environment, {
      name: "chat",
      request: `${post}X-API-Key: ${apiKey}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    });

  const times: { hello: number[]; refusal: number[]; firstChunk: number[] } = {
    hello: [],
    refusal: [],
    firstChunk: [],
  };
  for (let round = 0; round <= rounds; round++) {
    const time = { hello: await hello(), refusal: await refusal(), firstChunk: await firstChunk() };
    // The first round builds the bundles, and fills the caches of Deno and of the system.
    if (round === 0) continue;
    times.hello.push(time.hello);
    times.refusal.push(time.refusal);
    times.firstChunk.push(time.firstChunk);
  }
  const baseline = median(times.hello);
  return [
    {
      name: "cold start of the bundle: to the first answer (401)",
      unit: "ms",
      measured: median(times.refusal),
      baseline,
      budget: { ratio: 1.6 },
    },
    {
      name: "cold start of the bundle: to the first chunk of a chat",
      unit: "ms",
      measured: median(times.firstChunk),
      baseline,
    },
  ];
}

/** Milliseconds from the start of a process until its answer to a request holds `sign`. */
async function timeTo(
  sign: string,
  { startFunction }: Environment,
  { name, request }: { name: string; request: string },
): Promise<number> {
  const began = performance.now();
  await using process = await startFunction(name);
  using connection = await Deno.connect({ port: Number(new URL(process.url).port), hostname: "127.0.0.1" });
  const writer = connection.writable.getWriter();
  await writer.write(new TextEncoder().encode(request));
  let seen = "";
  for await (const text of connection.readable.pipeThrough(new TextDecoderStream(), { preventCancel: true })) {
    seen += text;
    if (seen.includes(sign)) return performance.now() - began;
  }
  throw new Error(`${name} answered ${seen}`);
}
