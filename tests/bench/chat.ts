import { pooledMap } from "deno-std/async/pool.js";
import { checkReply, type Environment, instructions, openChat } from "./environment.ts";
import { type MeasuredProcess, startServer } from "./measured_process.ts";
import { type Figure, median } from "./report.ts";

const chunks = 50;
const rounds = 5;
const turns = 100;
const warmUpTurns = 200;

/** CPU of a turn in the chat function, beside a proxy that pipes the same stream of the model through. */
export async function measureChat(environment: Environment): Promise<Figure[]> {
  await using chat = await environment.startFunction("chat");
  await using proxy = await startServer("tests/bench/bare_proxy.ts", { TARGET: environment.modelUrl });
  const figures: Figure[] = [];
  for (const writes of ["all", "each"]) {
    const manner = `chunks=${chunks}&writes=${writes}`;
    const coachId = await environment.createCoach(manner);
    let turn = 0;

    const askChat = async () => {
      const message = `${writes} ${turn++}`;
      const response = await openChat(environment, { url: chat.url, coachId, message });
      checkReply(await response.text(), message, chunks);
    };
    const askProxy = async () => {
      const input = [{ role: "user", content: `${writes} ${turn++}` }];
      const body = JSON.stringify({ model: manner, instructions, input, stream: true });
      const response = await fetch(`${proxy.url}/v1/responses`, { method: "POST", body });
      if (!(await response.text()).includes("response.completed")) throw new Error("The proxy cut the stream");
    };

    await run(8, warmUpTurns, askChat);
    await run(8, warmUpTurns, askProxy);
    for (const concurrency of [1, 8]) {
      const [measured, baseline]: [number[], number[]] = [[], []];
      for (let round = 0; round < rounds; round++) {
        measured.push(await cpuPerTurn(chat, concurrency, askChat));
        baseline.push(await cpuPerTurn(proxy, concurrency, askProxy));
      }
      figures.push({
        name: `chat: CPU a turn of ${chunks} chunks, ${
          writes === "all" ? "no delay" : "one write an event"
        }, ${concurrency} at once`,
        unit: "ms",
        measured: median(measured),
        baseline: median(baseline),
        budget: writes === "all" ? { atMost: 2 } : undefined,
      });
    }
  }
  return figures;
}

async function cpuPerTurn(process: MeasuredProcess, concurrency: number, ask: () => Promise<void>): Promise<number> {
  const before = process.cpu();
  await run(concurrency, turns, ask);
  return (process.cpu() - before) / turns;
}

async function run(concurrency: number, times: number, ask: () => Promise<void>): Promise<void> {
  await Array.fromAsync(pooledMap(concurrency, Array(times).keys(), ask));
}
