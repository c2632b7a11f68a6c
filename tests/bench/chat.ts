import { pooledMap } from "../../shared/libs/base/std/async.ts";
import { startBackendProxy } from "./backend_proxy.ts";
import { checkReply, type Environment, instructions, openChat } from "./environment.ts";
import type { MeasuredProcess } from "./measured_process.ts";
import { type Figure, median } from "./report.ts";
import { orShort } from "./short_form.ts";

const chunks = 50;
const rounds = orShort(5, 1);

/** One way of running turns. */
type Plan = {
  name: string;
  /** Turns at the same time. */
  concurrency: number;
  /** Turns in a round; enough for some tenths of a second of CPU. */
  turns: number;
  /** Milliseconds between two events, so that each is a separate write; by default, they are sent together. */
  gap?: number;
  budget?: Figure["budget"];
};

/**
 * Not in milliseconds: on a machine that idles between two turns, even the proxy needs more than twice as many. The ratio
 * moves, too: 3.9 and 4.4 for the same code, when the proxy got faster by 17 % and the function by 7 %.
 */
const budget = { ratio: 4.75 };

const plans: Plan[] = [
  { name: "no delay, 1 at once", concurrency: 1, turns: orShort(250, 2), budget },
  { name: "no delay, 8 at once", concurrency: 8, turns: orShort(400, 8), budget },
  { name: "one write an event, 1 at once", concurrency: 1, turns: orShort(40, 2), gap: 1 },
  { name: "one write an event, 8 at once", concurrency: 8, turns: orShort(120, 8), gap: 1 },
];

/** CPU of a turn in the chat function, compared with a proxy that pipes the same stream of the model through. */
export async function measureChat(environment: Environment): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const plan of plans) figures.push(await measurePlan(environment, plan));
  return figures;
}

async function measurePlan(environment: Environment, plan: Plan): Promise<Figure> {
  const { name, concurrency, turns, gap = 0, budget } = plan;
  const manner = `chunks=${chunks}&gap=${gap}`;
  const coachId = await environment.createCoach(manner);
  await using backend = startBackendProxy(environment.backendUrl, { isReplaying: true });
  await using chat = await environment.startFunction("chat", { SUPABASE_URL: backend.url });
  await using proxy = await environment.startFunction("bare_proxy", { TARGET: environment.modelUrl });

  async function askChat(turn: number): Promise<void> {
    const message = `turn ${turn}`;
    const response = await openChat(environment, { url: chat.url, coachId, message });
    checkReply(await response.text(), message, chunks);
  }
  async function askProxy(turn: number): Promise<void> {
    const input = [{ role: "user", content: `turn ${turn}` }];
    const body = JSON.stringify({ model: manner, instructions, input, stream: true });
    const response = await fetch(`${proxy.url}/v1/responses`, { method: "POST", body });
    if (!(await response.text()).includes("response.completed")) throw new Error("The proxy cut the stream");
  }
  async function cpuPerTurn({ cpu }: MeasuredProcess, ask: typeof askChat, times: number): Promise<number> {
    const before = cpu();
    await repeat(ask, { times, concurrency });
    return (cpu() - before) / times;
  }

  // Records the replies of one turn, to be replayed.
  await askChat(0);
  for (const ask of [askChat, askProxy]) await repeat(ask, { times: 2 * turns, concurrency: 8 });
  const [measured, baseline]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    measured.push(await cpuPerTurn(chat, askChat, turns));
    // The clock of /proc ticks every 10 ms: when the proxy needs very little CPU, it takes more turns to measure it.
    baseline.push(await cpuPerTurn(proxy, askProxy, gap > 0 ? turns : 4 * turns));
  }
  return {
    name: `chat, bundled: CPU a turn of ${chunks} chunks, ${name}`,
    unit: "ms",
    measured: median(measured),
    baseline: median(baseline),
    budget,
  };
}

async function repeat(
  ask: (turn: number) => Promise<void>,
  { times, concurrency }: { times: number; concurrency: number },
): Promise<void> {
  await Array.fromAsync(pooledMap(concurrency, Array(times).keys(), ask));
}
