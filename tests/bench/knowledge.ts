import { type Environment, openChat } from "./environment.ts";
import { type Figure, median } from "./report.ts";
import { storePassages } from "./store_passages.ts";
import { createZipfText } from "./zipf_text.ts";

const passages = 10_000;
const turns = 100;

/** What looking up passages adds to the time to the first chunk: a coach who knows much, beside one who knows nothing. */
export async function measureKnowledge(environment: Environment): Promise<Figure[]> {
  await using chat = await environment.startFunction("chat");
  const [knowing, ignorant] = [await environment.createCoach("chunks=1"), await environment.createCoach("chunks=1")];
  const text = createZipfText(3);
  await storePassages(environment, { coachId: knowing, count: passages, text });

  async function timeToFirstChunk(coachId: string, message: string): Promise<number> {
    const began = performance.now();
    const response = await openChat(environment, { url: chat.url, coachId, message });
    const reader = response.body!.getReader();
    await reader.read();
    const time = performance.now() - began;
    while (!(await reader.read()).done);
    return time;
  }
  const [added, with_, without]: [number[], number[], number[]] = [[], [], []];
  // The first turns warm up.
  for (let turn = -10; turn < turns; turn++) {
    const message = text.passage(8);
    const [baseline, measured] = [await timeToFirstChunk(ignorant, message), await timeToFirstChunk(knowing, message)];
    if (turn < 0) continue;
    without.push(baseline);
    with_.push(measured);
    added.push(measured - baseline);
  }
  const name = `time to the first chunk, ${passages.toLocaleString("en")} passages`;
  const p95 = (times: number[]) => times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1]!;
  return [
    { name: `${name}: p50`, unit: "ms", measured: median(with_), baseline: median(without) },
    { name: `${name}: p95`, unit: "ms", measured: p95(with_), baseline: p95(without) },
    { name: `${name}: added`, unit: "ms", measured: median(added), budget: { atMost: 40 } },
  ];
}
