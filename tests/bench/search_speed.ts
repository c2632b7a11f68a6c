import { chunk } from "deno-std/collections/chunk.js";
import type { Environment } from "./environment.ts";
import type { Figure } from "./report.ts";
import { createZipfText } from "./zipf_text.ts";

const sizes = [10_000, 50_000, 100_000];
const passagesPerFile = 100;
const wordsPerPassage = 180;
const otherCoaches = 1_000;
const queries = 200;

/** Search among many passages of one coach, beside many other coaches, on the embedded database itself. */
export async function measureSearchSpeed(environment: Environment): Promise<Figure[]> {
  const text = createZipfText(1);
  const questions = createQuestions();
  const figures: Figure[] = [];

  const accountId = environment.accountId;
  const coaches = Array.from({ length: otherCoaches }, (_, index) => `bench-small-${index}`);
  for (const part of chunk(["bench-large", ...coaches], 500)) {
    await environment.insert(
      "coach_profiles",
      part.map((id: string) => ({ id, account_id: accountId, name: "Mara", title: "Coach", instructions: "-" })),
    );
  }
  for (const [index, coach] of coaches.entries()) await storeFile(coach, index, 2);

  let stored = 0;
  let building = 0;
  for (const size of sizes) {
    const start = performance.now();
    for (; stored < size; stored += passagesPerFile) await storeFile("bench-large", stored, passagesPerFile);
    building += performance.now() - start;
    console.log(`  ${size.toLocaleString("en")} passages are stored`);
    figures.push(
      ...await measure(
        size,
        "chat",
        (query) => environment.call("search_passages", { coach_id: "bench-large", query }),
      ),
      ...await measure(
        size,
        "list",
        (search) => environment.call("search_knowledge", { account_id: accountId, coach_id: "bench-large", search }),
      ),
    );
  }
  figures.push({ name: "storing passages, each", unit: "ms", measured: building / stored });
  return figures;

  async function storeFile(coachId: string, index: number, count: number): Promise<void> {
    const id = crypto.randomUUID();
    await environment.insert("knowledge_files", [{
      id,
      account_id: accountId,
      coach_id: coachId,
      name: `${text.word(index % 5_000)} ${index}.txt`,
      size: count * 1_000,
      content_type: "text/plain",
      category: "documents",
      digest: id.replaceAll("-", "").repeat(2),
      storage_path: id,
    }]);
    const passages = Array.from({ length: count }, () => ({ content: text.passage(wordsPerPassage) }));
    await environment.call("store_passages", { file_id: id, from_position: 0, passages });
  }

  async function measure(size: number, name: string, search: (query: string) => Promise<unknown>): Promise<Figure[]> {
    for (const question of questions.slice(0, 10)) await search(question);
    const times: number[] = [];
    for (const question of questions) {
      const start = performance.now();
      await search(question);
      times.push(performance.now() - start);
    }
    times.sort((a, b) => a - b);
    const at = (share: number) => times[Math.ceil(times.length * share) - 1]!;
    console.log(`  ${name}: p50 ${at(0.5).toFixed(1)} ms, p95 ${at(0.95).toFixed(1)} ms`);
    const title = `search for the ${name}, ${size.toLocaleString("en")} passages`;
    return [
      { name: `${title}: p50`, unit: "ms", measured: at(0.5) },
      { name: `${title}: p95`, unit: "ms", measured: at(0.95), budget: { atMost: 150 } },
    ];
  }

  /** From a single rare word to ten of which four stand in every third passage, and three that stand in nearly all. */
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
