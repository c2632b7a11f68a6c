import { delay } from "../../shared/libs/base/std/async.ts";
import { checkReply, type Environment, openChat } from "./environment.ts";
import type { Figure } from "./report.ts";
import { orShort } from "./short_form.ts";

const streams = orShort(500, 10);
const chunks = orShort(50, 5);
/** Milliseconds between two openings: at 50 a second the embedded Postgres still answers in time. */
const pace = 20;

/**
 * Slow streams at the same time through one chat function, each with a first chunk after 200 ms and 50 chunks over 5 s.
 * The model waits until all have been opened, so that all stream at the same time however slowly they open.
 */
export async function measureStreams(environment: Environment): Promise<Figure[]> {
  await using chat = await environment.startFunction("chat");
  const coachId = await environment.createCoach(`chunks=${chunks}&first=200&gap=98&gate=${streams}`);
  let [open, peak, failed] = [0, 0, 0];

  async function talk(index: number): Promise<void> {
    const message = `stream ${index}`;
    let stream = "";
    let isOpen = false;
    try {
      const response = await openChat(environment, { url: chat.url, coachId, message });
      for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
        stream += text;
        if (isOpen || !stream.includes("data: ")) continue;
        isOpen = true;
        peak = Math.max(peak, ++open);
      }
      checkReply(stream, message, chunks);
    } catch (error) {
      failed++;
      if (failed <= 3) console.error(error);
    } finally {
      if (isOpen) open--;
    }
  }

  const before = chat.cpu();
  const talks: Promise<void>[] = [];
  for (let index = 0; index < streams; index++) {
    talks.push(talk(index));
    await delay(pace);
  }
  await Promise.all(talks);
  return [
    { name: `${streams} slow streams: failed, cut or altered`, unit: "", measured: failed, budget: { atMost: 0 } },
    { name: `${streams} slow streams: open at the peak`, unit: "", measured: peak, budget: { atLeast: streams } },
    {
      name: `${streams} slow streams: peak memory of the function`,
      unit: "MB",
      measured: chat.peakMemory(),
      budget: { atMost: 350 },
    },
    { name: `${streams} slow streams: CPU a stream`, unit: "ms", measured: (chat.cpu() - before) / streams },
  ];
}
