import { chunk } from "../support/chunk.ts";
import { type Environment, openChat } from "./environment.ts";
import { type Figure, median, percentile } from "./report.ts";
import { measureMeaning } from "./search_meaning.ts";
import { orShort } from "./short_form.ts";
import { storeFile } from "./store_file.ts";
import { createZipfText } from "./zipf_text.ts";

const sizes = orShort([10_000, 100_000], [250, 500]);
const passagesPerFile = 250;
const otherCoaches = orShort(1_000, 10);
const queries = orShort(200, 20);
const removedPassages = orShort(1_500, 100);
/** Passages of two other coaches. All of the one are compared; those of the other are more than that, but few in the index. */
const [fewPassages, somePassages] = orShort([200, 11_000], [20, 250]);
const chats = orShort(30, 5);

type Times = { p50: number; p95: number };

/**
 * Search among many passages of one coach, with many other coaches in the same database, and deleting a file of them. On
 * a native Postgres also by meaning.
 */
export async function measureSearchSpeed(environment: Environment): Promise<Figure[]> {
  const text = createZipfText(1);
  const questions = createQuestions();
  const figures: Figure[] = [];
  const { native } = environment;
  const atMost = native === null ? 120 : 60;

  const accountId = environment.accountId;
  const coaches = Array.from({ length: otherCoaches }, (_, index) => `bench-small-${index}`);
  for (const part of chunk(["bench-large", "bench-few", "bench-some", ...coaches], 500)) {
    await environment.insert(
      "coach_profiles",
      part.map((id: string) => ({
        id,
        account_id: accountId,
        name: "Mara",
        title: "Coach",
        instructions: "-",
        model: "chunks=1",
      })),
    );
  }
  for (const [index, coach] of coaches.entries()) await storeFile(environment, nextFile(coach, index, 2));

  // The coach does not belong to the account, so the reply is null at once: the cost of any call.
  const roundTrip = await timeCalls(() =>
    environment.call("search_knowledge", { caller: { account_id: crypto.randomUUID() }, coach_id: "bench-large" })
  );
  const found = new Map<string, Times>();
  let stored = 0;
  let building = 0;
  for (const size of sizes) {
    const start = performance.now();
    for (; stored < size; stored += passagesPerFile) {
      await storeFile(environment, nextFile("bench-large", stored, passagesPerFile));
    }
    building += performance.now() - start;
    console.log(`  ${size.toLocaleString("en")} passages are stored`);
    const kinds = {
      chat: (query: string) => environment.call("search_passages", { coach_id: "bench-large", query }),
      list: (search: string) =>
        environment.call("search_knowledge", { caller: { account_id: accountId }, coach_id: "bench-large", search }),
    };
    for (const [kind, search] of Object.entries(kinds)) {
      const times = await timeCalls(search);
      console.log(`  ${kind}: p50 ${times.p50.toFixed(1)} ms, p95 ${times.p95.toFixed(1)} ms`);
      const title = `search for the ${kind}, ${size.toLocaleString("en")} passages`;
      figures.push(
        { name: `${title}: p50`, unit: "ms", measured: times.p50, baseline: roundTrip.p50 },
        { name: `${title}: p95`, unit: "ms", measured: times.p95, baseline: roundTrip.p95, budget: { atMost } },
      );
      found.set(`${kind} ${size}`, times);
    }
  }
  const [smallest, largest] = [sizes[0]!, sizes.at(-1)!];
  for (const kind of ["chat", "list"]) {
    figures.push({
      name: `search for the ${kind}, ${largest.toLocaleString("en")} passages beside ${
        smallest.toLocaleString("en")
      }: p95`,
      unit: "ms",
      measured: found.get(`${kind} ${largest}`)!.p95,
      baseline: found.get(`${kind} ${smallest}`)!.p95,
      budget: { ratio: largest / smallest },
    });
  }
  figures.push({ name: "storing passages, each", unit: "ms", measured: building / stored });

  const file = await storeFile(environment, nextFile("bench-large", stored, removedPassages));
  if (native !== null) {
    await storeFile(environment, nextFile("bench-few", 0, fewPassages));
    for (let index = 0; index < somePassages; index += passagesPerFile) {
      await storeFile(environment, nextFile("bench-some", index, passagesPerFile));
    }
    const shares = [
      { title: "all passages of the coach", coachId: "bench-large" },
      { title: "one category of eight", coachId: "bench-large", category: "images" },
      { title: `a coach with ${somePassages.toLocaleString("en")}`, coachId: "bench-some" },
      { title: `a coach with ${fewPassages}`, coachId: "bench-few" },
    ];
    console.log("  vectors");
    figures.push(...await measureMeaning(environment, native, { questions, shares }));
  }
  figures.push(...await measureDeletion(file));
  return figures;

  async function measureDeletion(file: string): Promise<Figure[]> {
    await using chat = await environment.startFunction("chat");
    const timeToFirstChunk = async (message: string) => {
      const start = performance.now();
      const response = await openChat(environment, { url: chat.url, coachId: "bench-large", message });
      const reader = response.body!.getReader();
      await reader.read();
      const time = performance.now() - start;
      while (!(await reader.read()).done);
      return time;
    };
    for (const question of questions.slice(0, 10)) await timeToFirstChunk(question);
    const usual: number[] = [];
    for (const question of questions.slice(0, chats)) usual.push(await timeToFirstChunk(question));

    let isOver = false;
    const waits: number[] = [];
    const chatting = (async () => {
      for (let index = 0; !isOver; index++) waits.push(await timeToFirstChunk(questions[index % chats]!));
    })();
    const start = performance.now();
    await environment.delete("knowledge_files", file);
    const deletion = performance.now() - start;
    for (const query of questions.slice(0, 20)) {
      const found = await environment.call<{ file_id: string }[]>("search_passages", {
        coach_id: "bench-large",
        query,
      });
      if (found.some(({ file_id }) => file_id === file)) throw new Error("A deleted passage was found");
    }
    const batches: number[] = [];
    for (let hasMore = true; hasMore;) {
      const begun = performance.now();
      hasMore = await environment.call<boolean>("unindex_passages", {});
      batches.push(performance.now() - begun);
    }
    isOver = true;
    await chatting;
    const title = `deleting a file of ${removedPassages.toLocaleString("en")} among them`;
    return [
      { name: title, unit: "ms", measured: deletion, budget: { atMost: 1_000 } },
      { name: `${title}: taking it out of the index`, unit: "ms", measured: batches.reduce((sum, time) => sum + time) },
      { name: `${title}: longest batch of that`, unit: "ms", measured: Math.max(...batches) },
      {
        name: `${title}: longest wait for the first chunk of a chat meanwhile, beside the median before`,
        unit: "ms",
        measured: Math.max(...waits),
        baseline: median(usual),
      },
      {
        name: `${title}: median wait meanwhile`,
        unit: "ms",
        measured: median(waits),
        baseline: median(usual),
        // The embedded Postgres has one connection: there a chat waits for the batch that is on.
        ...(native === null ? {} : { budget: { ratio: 2 } }),
      },
    ];
  }

  function nextFile(coachId: string, index: number, count: number) {
    return { coachId, name: `${text.word(index % 5_000)} ${index}.txt`, count, text };
  }

  async function timeCalls(call: (question: string) => Promise<unknown>): Promise<Times> {
    for (const question of questions.slice(0, 10)) await call(question);
    const times: number[] = [];
    for (const question of questions) {
      const start = performance.now();
      await call(question);
      times.push(performance.now() - start);
    }
    return { p50: percentile(times, 0.5), p95: percentile(times, 0.95) };
  }

  /**
   * A single rare word; three words; ten, of which four are in every third passage; and three that are in nearly all.
   */
  function createQuestions(): string[] {
    const ranks = (index: number): number[] => {
      const rare = [3_000, 7_000, 20_000, 900, 400, 150].map((rank) => rank + index * 7);
      const frequent = [2, 9, 17, 29].map((rank) => rank + index % 8);
      switch (index % 4) {
        case 0:
          return [rare[0]!];
        case 1:
          return [rare[0]!, rare[3]!, frequent[3]!];
        case 2:
          return [...rare, ...frequent];
        default:
          return frequent.slice(0, 3);
      }
    };
    return Array.from({ length: queries }, (_, index) => ranks(index).map((rank) => text.word(rank)).join(" "));
  }
}
