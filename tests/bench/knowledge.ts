import { type Environment, openChat } from "./environment.ts";
import { type Figure, median, percentile } from "./report.ts";
import { orShort } from "./short_form.ts";
import { storeFile } from "./store_file.ts";
import { createZipfText } from "./zipf_text.ts";

const passages = orShort(10_000, 200);
const passagesPerFile = 100;
const turns = orShort(100, 2);

/**
 * The most milliseconds that looking passages up may add. The embedded Postgres is WebAssembly on one connection: there,
 * ranking alone takes 30 ms of CPU. 11 of them are for the candidates, 5 for words that are too frequent to be read in all
 * their rows, and 14 for the words that mark the best candidates. The rest is a request to the model that is longer by
 * the passages.
 */
const mostAdded = { embedded: 60, native: 40 };

/** The time that looking up passages adds before the first chunk: a coach with many files compared with one without. */
export async function measureKnowledge(environment: Environment): Promise<Figure[]> {
  await using chat = await environment.startFunction("chat");
  const [knowing, ignorant] = [await environment.createCoach("chunks=1"), await environment.createCoach("chunks=1")];
  const text = createZipfText(3);
  for (let stored = 0; stored < passages; stored += passagesPerFile) {
    await storeFile(environment, { coachId: knowing, name: `${stored}.txt`, count: passagesPerFile, text });
  }

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
  return [
    { name: `${name}: p50`, unit: "ms", measured: median(with_), baseline: median(without) },
    { name: `${name}: p95`, unit: "ms", measured: percentile(with_, 0.95), baseline: percentile(without, 0.95) },
    {
      name: `${name}: added`,
      unit: "ms",
      measured: median(added),
      budget: { atMost: environment.native === null ? mostAdded.embedded : mostAdded.native },
    },
  ];
}
