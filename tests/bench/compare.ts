import { join } from "node:path";
import { delay } from "../../shared/libs/base/std/async.ts";
import { type Contender, describeContenders, type Running, startContender, type Turn } from "./contenders.ts";
import type { Environment, Tenant } from "./environment.ts";
import type { NativePostgres } from "./native_postgres.ts";
import { type Figure, formatNumber, mean, median, printTable } from "./report.ts";
import { orShort } from "./short_form.ts";

/** Clients at the same time, each in a thread of its own. */
const clients = 32;
/** Messages that each of these threads has at first: as many as the model is given. */
const history = 20;
const rounds = orShort(15, 1);
/**
 * Many turns are measured in several processes, since two of the same code differ by up to 8 %, and in more rounds, the
 * first of which only warm up: a process compiles what it runs often during its first thousand turns.
 */
const manyTurns = { starts: orShort(3, 1), rounds: orShort(8, 1), warmUps: orShort(10, 1) };

/** Turns one at a time, in each round. */
const turnsOneByOne = orShort(20, 2);
/** The number of simultaneous turns in each round. */
const plans = [
  { chunks: 50, turns: orShort(128, 32), budget: { atMost: 1.2 } },
  { chunks: 300, turns: orShort(64, 32), budget: { atMost: 3 } },
];
/** Streams that are opened `pace` ms after each other, and then all stream at the same time. */
const streams = {
  count: orShort(500, 10),
  chunks: orShort(50, 5),
  first: 200,
  gap: 200,
  pace: 10,
  rounds: orShort(3, 1),
};
const lists = {
  users: { name: "1,000 threads", rows: 1_000, requests: orShort(96, 32), budget: { atLeast: 110 } },
  threads: { name: "200 messages", rows: 200, requests: orShort(320, 32), budget: { atLeast: 500 } },
};

type StartOptions = Parameters<typeof startContender>[2];
const commandsDeno = { deno: Deno.execPath() };

/** One line of the table. */
type Line = {
  name: string;
  unit: string;
  /** The parts of each contender. */
  values: Map<Contender, number>;
  /** The limit for this service; a ratio is that to the proxy. */
  budget?: Figure["budget"];
};

/** The setup shared by all measurements. */
type Arena = ReturnType<typeof describeContenders> & { environment: Environment; native: NativePostgres };

/**
 * Compares this service with a proxy that only pipes the model's reply through, and a plain service that stores
 * messages, on a native Postgres. Only this service uses REST. They take turns, so that other work of the machine
 * affects all.
 */
export async function compareServices(environment: Environment): Promise<Figure[]> {
  const native = environment.native!;
  await native.query(await Deno.readTextFile(join(import.meta.dirname!, "storing_service.sql")));
  const budgeted = await environment.createTenant();
  const contenders = describeContenders(environment, { native, budgeted });
  const arena = { ...contenders, environment, native };
  const lines = [
    await measureFirstChunk(arena),
    ...await measureTurns(arena, { ...commandsDeno, version: Deno.version.deno }),
    ...await measureTurns(arena, { version: "of the functions" }),
    ...await measureStreams(arena),
    ...await measureLists(arena),
  ];

  const { proxy, plain, service, face } = contenders;
  const shown = [proxy, plain, service, face, contenders.budgeted];
  const format = (value: number | undefined) => value === undefined ? "" : formatNumber(value);
  printTable([
    ["", "", ...shown.map(({ name }) => name)],
    ...lines.map(({ name, unit, values }) => [name, unit, ...shown.map((contender) => format(values.get(contender)))]),
  ], [0, 1]);
  const besidePeers = lines.map(({ name, unit, values, budget }) => ({
    name: `beside peers: ${name}`,
    unit,
    measured: values.get(service)!,
    baseline: values.get(budget !== undefined && "ratio" in budget ? proxy : plain),
    budget,
  }));
  const besideChat = [face, contenders.budgeted].flatMap((contender) =>
    lines.filter(({ values, unit }) => values.has(contender) && unit === "ms").map(({ name, unit, values }) => ({
      name: `${contender.name} beside chat: ${name}`,
      unit,
      measured: values.get(contender)!,
      baseline: values.get(service),
      budget: { ratio: 1.05 },
    }))
  );
  return [...besidePeers, ...besideChat];
}

/** A turn for each client, in a thread of its own. */
type PreparedTurns = (Turn & { threadId: string })[];

/** Prepares turns for each contender: those of one account share a coach and threads. */
async function prepareTurns(
  arena: Arena,
  contenders: Contender[],
  asked: { model: string; chunks: number },
): Promise<(contender: Contender) => PreparedTurns> {
  const prepared = new Map<Tenant, PreparedTurns>();
  for (const { tenant } of contenders) {
    if (!prepared.has(tenant)) prepared.set(tenant, await prepareTurnsOf(arena, tenant, asked));
  }
  return ({ tenant }) => prepared.get(tenant)!;
}

/** Creates a coach and a thread for each client, and copies both to the plain service. */
async function prepareTurnsOf(
  { environment, native, budgeted }: Arena,
  tenant: Tenant,
  { model, chunks }: { model: string; chunks: number },
): Promise<PreparedTurns> {
  const coachId = await environment.createCoach(model, tenant.accountId);
  if (tenant === budgeted.tenant) await setBudgets(environment, { tenant, coachId });
  const threads = await native.query<{ id: string }>(
    `insert into threads (account_id, coach_id, user_id)
    select $1, $2, 'client ' || n from generate_series(1, $3) as n returning id`,
    [tenant.accountId, coachId, clients],
  );
  const threadIds = threads.map(({ id }) => id);
  await native.query(
    `insert into messages (thread_id, role, content, created_at)
    select thread.id, case when n % 2 = 1 then 'user' else 'assistant' end, repeat('What was said before. ', 10),
      now() - ($1 - n) * interval '1 minute'
    from unnest($2::uuid[]) as thread (id), generate_series(1, $3) as n`,
    [history, threadIds, history],
  );
  await copyToPlain(native);
  return threadIds.map((threadId) => ({ message: "", coachId, model, chunks, threadId }));
}

/** Sets four budgets that are never reached: of the account, its key, a coach, and each user of the coach. */
async function setBudgets(
  { call }: Environment,
  { tenant: { accountId, apiKeyId }, coachId }: { tenant: Tenant; coachId: string },
): Promise<void> {
  const budget = { account_id: accountId, unit: "tokens", amount: 1e15, period: "day" };
  for (const scope of [{}, { api_key: apiKeyId }, { coach: coachId }, { coach: coachId, each_user: true }]) {
    await call("set_budget", { ...budget, ...scope });
  }
}

/** Copies the stored rows of the service to the tables of the plain service. */
async function copyToPlain({ query }: NativePostgres): Promise<void> {
  await query(`
    insert into plain.api_keys select digest, account_id from private.api_keys on conflict do nothing;
    insert into plain.coaches select id, account_id, name, title, instructions, model from coach_profiles
      where model is not null on conflict do nothing;
    insert into plain.threads select id, coach_id, user_id, title, created_at, updated_at from threads
      where coach_id in (select id from plain.coaches) on conflict do nothing;
    insert into plain.messages select id, thread_id, role, content, created_at from messages
      where thread_id in (select id from plain.threads) on conflict do nothing;
    analyze threads, messages, plain.threads, plain.messages;
  `);
}

/** Starts several contenders; all end together. */
async function startAll(
  { environment }: Arena,
  contenders: Contender[],
  options: StartOptions,
): Promise<AsyncDisposable & { get(contender: Contender): Running }> {
  await using stack = new AsyncDisposableStack();
  const all = new Map<Contender, Running>();
  for (const contender of contenders) {
    all.set(contender, stack.use(await startContender(environment, contender, options)));
  }
  const owned = stack.move();
  return { get: (contender) => all.get(contender)!, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** The figures of each contender, a record for each round. */
type Samples<Name extends string> = Map<Contender, Record<Name, number>[]>;

/** Measures all contenders in each round, every other time in reverse order. Warm-up rounds come first. */
async function takeTurns<Name extends string>(
  contenders: Contender[],
  { rounds, warmUps = 1 }: { rounds: number; warmUps?: number },
  measure: (contender: Contender) => Promise<Record<Name, number>>,
): Promise<Samples<Name>> {
  const samples: Samples<Name> = new Map(contenders.map((contender) => [contender, []]));
  for (let round = -warmUps; round < rounds; round++) {
    for (const contender of round % 2 === 0 ? contenders : contenders.toReversed()) {
      const sample = await measure(contender);
      if (round >= 0) samples.get(contender)!.push(sample);
    }
  }
  return samples;
}

/** Returns the median or the mean of each figure, over all rounds of several processes. */
function averagesOf<Name extends string>(...parts: Samples<Name>[]) {
  return (name: Name, average = median): Map<Contender, number> => {
    const [first] = parts as [Samples<Name>];
    return new Map(Array.from(first.keys(), (contender) => {
      const records = parts.flatMap((samples) => samples.get(contender)!);
      return [contender, average(records.map((record) => record[name]))];
    }));
  };
}

async function measureFirstChunk(arena: Arena): Promise<Line> {
  console.log("  first chunk");
  const { proxy, plain, service, face, budgeted } = arena;
  const contenders = [proxy, plain, service, face, budgeted];
  const turnsOf = await prepareTurns(arena, contenders, { model: "chunks=5&gap=2", chunks: 5 });
  await using running = await startAll(arena, contenders, commandsDeno);
  const averageOf = averagesOf(
    await takeTurns(contenders, { rounds }, async (contender) => {
      const times: number[] = [];
      for (let index = 0; index < turnsOneByOne; index++) {
        times.push(await running.get(contender).ask({ ...turnsOf(contender)[0]!, message: `turn ${index}` }));
      }
      return { time: median(times) };
    }),
  );
  return { name: "first chunk, 1 at once", unit: "ms", values: averageOf("time"), budget: { ratio: 2.5 } };
}

async function measureTurns(arena: Arena, { deno, version }: StartOptions & { version: string }): Promise<Line[]> {
  const { proxy, plain, service, face, budgeted } = arena;
  const contenders = [proxy, plain, service, face, budgeted];
  const lines: Line[] = [];
  for (const { chunks, turns, budget } of plans) {
    console.log(`  turns of ${chunks} chunks, Deno ${version}`);
    const turnsOf = await prepareTurns(arena, contenders, { model: `chunks=${chunks}`, chunks });
    const parts: Samples<"cpu" | "rate">[] = [];
    for (let start = 0; start < manyTurns.starts; start++) {
      await using running = await startAll(arena, contenders, { deno });
      parts.push(
        await takeTurns(contenders, manyTurns, async (contender) => {
          const { ask, process } = running.get(contender);
          // The proxy needs so little CPU that it takes more turns to measure it.
          const times = contender === proxy ? 4 * turns : turns;
          const [cpu, began] = [process.cpu(), performance.now()];
          await Promise.all(
            turnsOf(contender).map(async (turn, client) => {
              for (let index = client; index < times; index += clients) {
                await ask({ ...turn, message: `turn ${index}` });
              }
            }),
          );
          return { cpu: (process.cpu() - cpu) / times, rate: times / ((performance.now() - began) / 1_000) };
        }),
      );
    }
    const averageOf = averagesOf(...parts);
    const title = `turns of ${chunks} chunks, ${clients} at once, Deno ${version}`;
    // The clock of /proc ticks every 10 ms, which a median of few values would show.
    const values = averageOf("cpu", mean);
    lines.push({ name: `${title}: CPU a turn`, unit: "ms", values, ...(deno ? { budget } : {}) });
    lines.push({ name: title, unit: "1/s", values: averageOf("rate") });
  }
  return lines;
}

async function measureStreams(arena: Arena): Promise<Line[]> {
  const { environment, proxy, plain, service } = arena;
  const { count, chunks, first, gap, pace } = streams;
  const warming = await prepareTurnsOf(arena, environment.tenant, { model: "chunks=1", chunks: 1 });
  const [slow] = await prepareTurnsOf(arena, environment.tenant, {
    model: `chunks=${chunks}&first=${first}&gap=${gap}`,
    chunks,
  });
  const averageOf = averagesOf(await takeTurns([proxy, plain, service], { rounds: streams.rounds, warmUps: 0 }, run));

  async function run(contender: Contender) {
    console.log(`  ${count} slow streams of ${contender.name}`);
    // Started anew, so that the memory is that of these streams.
    await using running = await startContender(environment, contender, commandsDeno);
    await Promise.all(warming.map((turn) => running.ask({ ...turn, message: "warm" })));
    let [open, peak, failed] = [0, 0, 0];
    const times: number[] = [];
    const talk = async (index: number) => {
      const turn = { ...slow!, threadId: undefined, message: `stream ${index}` };
      try {
        times.push(await running.ask(turn, () => peak = Math.max(peak, ++open)));
        open--;
      } catch (error) {
        if (++failed <= 3) console.error(error);
      }
    };
    const talks: Promise<void>[] = [];
    for (let index = 0; index < count; index++) {
      talks.push(talk(index));
      await delay(pace);
    }
    await Promise.all(talks);
    return { time: median(times) - first, memory: running.process.peakMemory(), failed, peak };
  }

  const title = `${count} slow streams`;
  return [
    {
      name: `${title}: first chunk, beyond the wait of the model`,
      unit: "ms",
      values: averageOf("time"),
      budget: { atMost: 20 },
    },
    { name: `${title}: peak memory`, unit: "MB", values: averageOf("memory"), budget: { atMost: 300 } },
    { name: `${title}: failed, cut or altered`, unit: "", values: averageOf("failed"), budget: { atMost: 0 } },
    { name: `${title}: open at the peak`, unit: "", values: averageOf("peak"), budget: { atLeast: count } },
  ];
}

async function measureLists(arena: Arena): Promise<Line[]> {
  const { environment, native: { query }, plain, service } = arena;
  const coachId = await environment.createCoach("chunks=1");
  const [{ id: threadId } = { id: "" }] = await query<{ id: string }>(
    `insert into threads (account_id, coach_id, user_id, title, updated_at)
    select $1, $2, 'reader', 'How do I begin with a new team, when nobody knows me?',
      now() - n * interval '1 minute'
    from generate_series(1, $3) as n returning id`,
    [environment.accountId, coachId, lists.users.rows],
  );
  await query(
    `insert into messages (thread_id, role, content, created_at)
    select $1, case when n % 2 = 1 then 'user' else 'assistant' end,
      repeat('Begin by listening: ask each of them what works, and write it down. ', 4), now() + n * interval '1 second'
    from generate_series(1, $2) as n`,
    [threadId, lists.threads.rows],
  );
  await copyToPlain(arena.native);

  const lines: Line[] = [];
  for (const part of ["users", "threads"] as const) {
    const { name, rows, requests, budget } = lists[part];
    console.log(`  lists of ${name}`);
    const path = part === "users" ? "/users/reader/threads" : `/threads/${threadId}/messages`;
    await using running = await startAll(arena, [plain, service], { part, ...commandsDeno });
    const averageOf = averagesOf(
      await takeTurns([plain, service], { rounds }, async (contender) => {
        const { list } = running.get(contender);
        const text = await list(path);
        if (JSON.parse(text).data?.length !== rows) throw new Error(`The list is not whole: ${text.slice(0, 200)}`);
        const began = performance.now();
        await Promise.all(Array.from({ length: clients }, async () => {
          for (let index = 0; index < requests / clients; index++) {
            if ((await list(path)).length !== text.length) throw new Error("A list differs from the one before");
          }
        }));
        return { rate: requests / ((performance.now() - began) / 1_000) };
      }),
    );
    lines.push({ name: `lists of ${name}, ${clients} at once`, unit: "1/s", values: averageOf("rate"), budget });
  }
  return lines;
}
