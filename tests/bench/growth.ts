import { checkReply, type Environment, openChat } from "./environment.ts";
import { type FunctionCosts, startCostMeter } from "./function_costs.ts";
import { addCoach, addMessages, addThreads, listThreadIds } from "./growth_rows.ts";
import type { MeasuredProcess } from "./measured_process.ts";
import { type Figure, formatNumber, printTable } from "./report.ts";
import { orShort } from "./short_form.ts";
import { measureTurnCalls } from "./turn_calls.ts";
import { createZipfText } from "./zipf_text.ts";

/** Messages in each thread that is talked in: as many as the model is given. */
const history = 20;
const talks = 20;

/** The functions that a turn calls once each. */
const ofTurn = ["begin_turn", "save_turns"];
/**
 * The maximum ms of calls without the service between them, whatever the size, if there is nothing to look up for a
 * turn. Beginning a turn includes its admission.
 */
const budgets: Record<string, number> = { admit_request: 0.2, begin_turn: 1, save_turns: 0.5 };
/** The maximum ratio of the most expensive size to the cheapest. */
const flatness = 1.3;

/** Rows that increase in number, and the calls at each size. */
type Growth = {
  name: string;
  sizes: number[];
  grow(from: number, to: number): Promise<void>;
  work(call: number): Promise<void>;
  /** The thread of a turn that is also measured without the service. */
  threadOf?(call: number): string;
};

/** The cost of requests in Postgres while its tables grow. */
export async function measureGrowth(environment: Environment): Promise<Figure[]> {
  const { apiKey, startFunction } = environment;
  const native = environment.native!;
  await using meter = await startCostMeter(native);
  await using chat = await startFunction("chat", meter.backend.env);
  await using users = await startFunction("users", meter.backend.env);
  await using threads = await startFunction("threads", meter.backend.env);
  await using knowledge = await startFunction("knowledge-handler", meter.backend.env);

  const text = createZipfText(4);
  const coachId = await environment.createCoach("chunks=1");
  const knowing = await addCoach(environment, text);
  await addThreads(environment, { coachId, user: "talker", count: talks, messages: history });
  await addThreads(environment, { coachId, user: "long talker", count: 1, messages: 0 });
  const talked = await listThreadIds(environment, "talker");
  const [long = ""] = await listThreadIds(environment, "long talker");

  async function ask(message: string, place: { coachId: string; threadId?: string }): Promise<void> {
    const response = await openChat(environment, { url: chat.url, message, ...place });
    checkReply(await response.text(), message, 1);
  }
  async function list({ url }: MeasuredProcess, path: string): Promise<void> {
    const response = await fetch(url + path, { headers: { "X-API-Key": apiKey } });
    const { data } = await response.json();
    if (!(data?.length > 0)) throw new Error(`${path} said ${response.status}`);
  }

  const growths: Growth[] = [
    {
      name: "threads of one user",
      sizes: orShort([1_000, 10_000, 100_000, 1_000_000], [100, 200]),
      async grow(from, to) {
        await addThreads(environment, { coachId, user: "reader", count: to - from, messages: 2 });
        await native.query("vacuum analyze threads, messages");
      },
      threadOf: (call) => talked[call % talks]!,
      async work(call) {
        await ask(`turn ${call}`, { coachId, threadId: talked[call % talks]! });
        await list(users, "/users/reader/threads?limit=20");
        await list(threads, `/threads/${talked[0]}/messages?limit=20`);
      },
    },
    {
      name: "messages of one thread",
      // The smallest has a whole history too.
      sizes: orShort([history, 100, 1_000, 10_000], [history, 100]),
      async grow(from, to) {
        await addMessages(environment, long, to - from);
        await native.query("vacuum analyze messages");
      },
      threadOf: () => long,
      async work(call) {
        await ask(`turn ${call}`, { coachId, threadId: long });
        await list(threads, `/threads/${long}/messages?limit=20`);
      },
    },
    {
      name: "coaches with 100 files",
      sizes: orShort([1, 10, 100, 1_000], [1, 3]),
      async grow(from, to) {
        for (let coaches = Math.max(from, 1); coaches < to; coaches++) await addCoach(environment, text);
        await native.query("vacuum analyze");
      },
      async work(call) {
        const question = `${text.word(call)} ${text.word(700)}`;
        await ask(question, { coachId: knowing });
        await list(knowledge, `/knowledge-handler?coachId=${knowing}&search=${encodeURIComponent(question)}`);
      },
    },
  ];
  const figures: Figure[] = [];
  for (const { name, sizes, grow, work, threadOf } of growths) {
    const costs: FunctionCosts[] = [];
    const costsOfCalls: FunctionCosts[] = [];
    for (const [index, size] of sizes.entries()) {
      console.log(`  ${size.toLocaleString("en")} ${name}`);
      await grow(sizes[index - 1] ?? 0, size);
      costs.push(await meter.costOf(work));
      if (threadOf !== undefined) costsOfCalls.push(await measureTurnCalls(meter, environment, threadOf));
    }
    figures.push(...report(name, sizes, costs));
    if (threadOf !== undefined) figures.push(...report(`${name}, without the service`, sizes, costsOfCalls, budgets));
  }
  return figures;
}

/** Prints what each function costs at each size. */
function report(
  name: string,
  sizes: number[],
  costs: FunctionCosts[],
  budgets: Record<string, number> = {},
): Figure[] {
  // Some are called now and then: checks of a row that is written once a minute.
  const called = [...costs[0]!.keys()].filter((name) => costs.every((cost) => cost.has(name))).toSorted();
  const wholeTurn = `a turn: ${ofTurn.join(" + ")}`;
  const lines = [...called, wholeTurn];
  const costsOf = (line: string) =>
    costs.map((cost) => line === wholeTurn ? ofTurn.reduce((sum, name) => sum + cost.get(name)!, 0) : cost.get(line)!);
  printTable([
    [`ms a call, by ${name}`, ...sizes.map((size) => size.toLocaleString("en"))],
    ...lines.map((line) => [line, ...costsOf(line).map((cost) => formatNumber(cost))]),
  ], [0]);
  return lines.flatMap((line): Figure[] => {
    const [least, most] = [Math.min(...costsOf(line)), Math.max(...costsOf(line))];
    const title = `growth of ${name}: ${line}`;
    const flat: Figure = {
      name: `${title}, slowest beside fastest`,
      unit: "ms",
      measured: most,
      baseline: least,
      budget: { ratio: flatness },
    };
    const atMost = budgets[line];
    return atMost === undefined
      ? [flat]
      : [flat, { name: `${title}, slowest`, unit: "ms", measured: most, budget: { atMost } }];
  });
}
