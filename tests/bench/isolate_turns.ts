import { limitsOf } from "../../supabase/platform/edge_runtime/limits.ts";
import { startBackendProxy } from "./backend_proxy.ts";
import { checkReply, type Environment, instructions, openChat } from "./environment.ts";
import type { MeasuredProcess } from "./measured_process.ts";
import { type Figure, median } from "./report.ts";
import { orShort } from "./short_form.ts";

/** Workers for each plan. */
const rounds = orShort(3, 1);
/** Streams that each worker of the baseline pipes through. */
const pipedStreams = orShort(20, 2);

/** Milliseconds of CPU after which a worker gets no more messages. */
const cpuSoft = orShort(limitsOf("free").cpuSoft, 200);

/** The messages that a worker gets, one after the other. */
type Plan = {
  name: string;
  deltas: number;
  /** Milliseconds between two events, so that each is a separate write; by default, they are sent together. */
  gap: number;
  /** For a turn after the first. Where each event is a write, most of it is the cost of the writes, as for the proxy. */
  budget: Figure["budget"];
};

const plans: Plan[] = [50, 300].flatMap((deltas) => [
  { name: `${deltas} deltas, all at once`, deltas, gap: 0, budget: { atMost: 10 } },
  { name: `${deltas} deltas, one write an event`, deltas, gap: 1, budget: { ratio: 5 } },
]);

/** CPU of the turns of a chat worker, from its first to the one with which it reaches the platform's soft limit. */
export async function measureTurns(environment: Environment): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const { name, deltas, gap, budget } of plans) {
    await using backend = startBackendProxy(environment.backendUrl, { isReplaying: true });
    const manner = `chunks=${deltas}&gap=${gap}`;
    const coachId = await environment.createCoach(manner);
    const [workers, proxies]: [number[][], number[][]] = [[], []];
    // In the first round the backend records the replies that it replays afterwards.
    for (let round = 0; round <= rounds; round++) {
      const turns = await spendWorker(environment, { backendUrl: backend.url, coachId, deltas });
      const piped = await pipeStreams(environment, manner);
      if (round === 0) continue;
      workers.push(turns);
      proxies.push(piped);
    }
    figures.push(
      {
        name: `isolate: CPU of the first turn of ${name}`,
        unit: "ms",
        measured: median(workers.map(([first]) => first!)),
        baseline: median(proxies.map(([first]) => first!)),
      },
      {
        name: `isolate: CPU of a later turn of ${name}`,
        unit: "ms",
        measured: median(workers.flatMap(([, ...later]) => later)),
        baseline: median(proxies.flatMap(([, ...later]) => later)),
        budget,
      },
      {
        name: `isolate: turns of ${name}, until ${cpuSoft.toLocaleString("en")} ms are used`,
        unit: "",
        measured: median(workers.map(({ length }) => length)),
      },
    );
  }
  return figures;
}

/** Has a new worker answer messages until it reaches the soft limit, and returns the CPU of each turn. */
async function spendWorker(
  environment: Environment,
  { backendUrl, coachId, deltas }: { backendUrl: string; coachId: string; deltas: number },
): Promise<number[]> {
  await using chat = await environment.startFunction("chat", { SUPABASE_URL: backendUrl });
  const refusal = await fetch(`${chat.url}/chat`, { method: "POST" });
  await refusal.body?.cancel();
  const turns: number[] = [];
  while (await chat.mainThreadCpu() < cpuSoft) {
    turns.push(
      await cpuOf(chat, async () => {
        const message = `turn ${turns.length}`;
        const response = await openChat(environment, { url: chat.url, coachId, message });
        checkReply(await response.text(), message, deltas);
      }),
    );
  }
  return turns;
}

/** The same streams of the model, piped through a new worker that does nothing else. */
async function pipeStreams({ modelUrl, startFunction }: Environment, model: string): Promise<number[]> {
  await using proxy = await startFunction("bare_proxy", { TARGET: modelUrl });
  const turns: number[] = [];
  for (let turn = 0; turn < pipedStreams; turn++) {
    const body = JSON.stringify({ model, instructions, input: [{ role: "user", content: `turn ${turn}` }] });
    turns.push(
      await cpuOf(proxy, async () => {
        const response = await fetch(`${proxy.url}/v1/responses`, { method: "POST", body });
        if (!(await response.text()).includes("response.completed")) throw new Error("The proxy cut the stream");
      }),
    );
  }
  return turns;
}

/** CPU that the main thread of a process uses for some work, in milliseconds. */
async function cpuOf({ mainThreadCpu }: MeasuredProcess, work: () => Promise<void>): Promise<number> {
  const before = await mainThreadCpu();
  await work();
  return await mainThreadCpu() - before;
}
