import { hasProc, type MeasuredProcess } from "./measured_process.ts";
import { readQuestion } from "../../shared/core/questions/read_questions.ts";
import { checkReply, type Environment, openChat } from "./environment.ts";
import { addThreads, listThreadIds } from "./growth_rows.ts";
import { type MeteredBackend, startNativeBackend } from "./native_postgres.ts";
import { type Figure, mean, median } from "./report.ts";
import type { MeteredCall } from "./rest_stand_in.ts";
import { orShort } from "./short_form.ts";
import { cpuTimeOfStat } from "../../supabase/platform/edge_runtime/cpu_time.ts";

const clients = 32;
const pinnedAnswers = 20;
/** Messages of each thread: as many as the model is given. */
const history = 20;
const rounds = orShort(5, 1);
/** Turns in a round; enough for some tenths of a second of CPU time. */
const turns = 320;
/** Chunks of an answer, and its pauses: without any, it ends before it is saved for the first time. */
const quick = { chunks: 5, manner: "chunks=5" };
const slow = { chunks: 15, manner: "chunks=15&gap=150" };

/** How much more than at the commit before a turn may seem to cost: medians of one run are this far apart by themselves. */
const noMore = 1.1;

/** The parts of a turn in Postgres. */
const phases = ["begin", "growth", "end"] as const;
type Phase = typeof phases[number];

/** The settings with which a session reports each statement, those within functions too, and counts functions. */
const countingSettings = [
  "session_preload_libraries=auto_explain",
  "auto_explain.log_min_duration=0",
  "auto_explain.log_nested_statements=on",
  "auto_explain.log_level=notice",
  "track_functions=all",
].map((setting) => `-c ${setting}`).join(" ");

/**
 * Measures what a whole turn costs in Postgres, with pinned answers and without, next to the commit that `--against`
 * names: the CPU time of its sessions with many turns at once, which is planning and sending the replies too; and the
 * statements and calls of functions of a turn by itself, which do not depend on the machine.
 */
export async function measurePinnedTurns(environment: Environment): Promise<Figure[]> {
  if (!hasProc) return [];
  await using resources = new AsyncDisposableStack();
  const [own, earlier] = [
    resources.use(await startTurns(environment)),
    environment.against && resources.use(await startTurns(environment.against)),
  ];
  const figures: Figure[] = [];
  for (const [name, coach] of [["20 pinned answers", "pinned"], ["no pinned answers", "plain"]] as const) {
    const cpus = await interleave(own, earlier, (turns) => turns.runMany(coach));
    figures.push({
      name: `CPU of Postgres, a turn of a coach with ${name}, ${clients} at once`,
      unit: "ms",
      measured: median(cpus.own),
      ...cpus.earlier.length > 0 ? { baseline: median(cpus.earlier) } : {},
      ...earlier ? { budget: { ratio: noMore } } : coach === "pinned" ? { budget: { atMost: 2 } } : {},
    });
  }
  const saved = await interleave(own, earlier, (turns) => turns.runSlowly());
  for (const phase of phases) {
    figures.push({
      name: `CPU of Postgres, ${phase} of a slow answer, ${clients} at once`,
      unit: "ms",
      measured: median(saved.own.map((costs) => costs[phase])),
      ...earlier ? { baseline: median(saved.earlier.map((costs) => costs[phase])) } : {},
    });
  }
  const [counts, earlierCounts] = [await own.count(), await earlier?.count()];
  for (const phase of phases) {
    for (const [unit, what] of [["statements", "SQL statements"], ["functions", "calls of SQL functions"]] as const) {
      figures.push({
        name: `${what}, ${phase} of a turn with pinned answers`,
        unit: "",
        measured: counts[phase][unit],
        baseline: earlierCounts?.[phase][unit],
      });
    }
  }
  return figures;
}

/** Takes turns in measuring, after a round that does not count. */
async function interleave<Value>(
  own: Turns,
  earlier: Turns | null | undefined,
  measure: (turns: Turns) => Promise<Value>,
): Promise<{ own: Value[]; earlier: Value[] }> {
  const measured: { own: Value[]; earlier: Value[] } = { own: [], earlier: [] };
  for (let round = 0; round <= rounds; round++) {
    for (const [turns, values] of [[own, measured.own], [earlier, measured.earlier]] as const) {
      if (!turns) continue;
      const value = await measure(turns);
      if (round > 0) values.push(value);
    }
  }
  return measured;
}

/** A service whose turns are measured. */
type Turns = AsyncDisposable & {
  /** Many quick turns, and the CPU time of one in milliseconds. */
  runMany(coach: "pinned" | "plain"): Promise<number>;
  /** Slow turns at the same time, and the milliseconds of each phase of one; of growth, of one save. */
  runSlowly(): Promise<Record<Phase, number>>;
  /** What one turn by itself executes. */
  count(): Promise<Record<Phase, Pick<MeteredCall, "statements" | "functions">>>;
};

async function startTurns(environment: Environment): Promise<Turns> {
  await using resources = new AsyncDisposableStack();
  const native = environment.native!;
  const coaches = {
    pinned: await environment.createCoach(quick.manner),
    plain: await environment.createCoach(quick.manner),
    slow: await environment.createCoach(slow.manner),
  };
  for (const [name, coachId] of Object.entries(coaches)) {
    if (name !== "plain") await pinAnswers(environment, coachId);
    await addThreads(environment, { coachId, user: name, count: clients, messages: history });
  }
  await native.query("vacuum analyze");

  const usual = resources.use(await environment.startFunction("chat"));
  const start = async (options: { connections: number; settings?: string }) => {
    const backend = resources.use(await startNativeBackend(native, { latency: 1, isMetered: true, ...options }));
    return { backend, chat: resources.use(await environment.startFunction("chat", backend.env)) };
  };
  const metered = await start({ connections: 10 });
  const counted = await start({ connections: 1, settings: countingSettings });
  let asked = 0;

  async function ask(chat: MeasuredProcess, coach: keyof typeof coaches, threadId: string): Promise<void> {
    const message = `What do I say to a team of ${asked++} people that is new to me?`;
    const response = await openChat(environment, { url: chat.url, coachId: coaches[coach], threadId, message });
    checkReply(await response.text(), message, coach === "slow" ? slow.chunks : quick.chunks);
  }
  /** Waits for the ends, which are stored after the last chunk, and returns all calls. */
  async function readCalls(backend: MeteredBackend, ends: number): Promise<MeteredCall[]> {
    const calls: MeteredCall[] = [];
    while (calls.filter((call) => phaseOf(call) === "end").flatMap(answersOf).length < ends) {
      calls.push(...await backend.readCalls());
    }
    return calls;
  }

  const owned = resources.move();
  return {
    async runMany(coach) {
      const threadIds = await listThreadIds(environment, coach);
      const before = await cpuOfPostgres(environment);
      await Promise.all(threadIds.map(async (threadId, client) => {
        for (let turn = client; turn < turns; turn += clients) await ask(usual, coach, threadId);
      }));
      return (await cpuOfPostgres(environment) - before) / turns;
    },
    async runSlowly() {
      const threadIds = await listThreadIds(environment, "slow");
      await Promise.all(threadIds.map((threadId) => ask(metered.chat, "slow", threadId)));
      const calls = await readCalls(metered.backend, clients);
      return mapPhases((phase) => {
        const ofPhase = calls.filter((call) => phaseOf(call) === phase);
        return ofPhase.reduce((sum, { cpu }) => sum + cpu, 0) / ofPhase.flatMap(answersOf).length;
      });
    },
    async count() {
      const [threadId = ""] = await listThreadIds(environment, "slow");
      // The first plans, and looks up what is asked once a minute.
      for (let turn = 0; turn < 2; turn++) {
        await counted.backend.readCalls();
        await ask(counted.chat, "slow", threadId);
      }
      const calls = await readCalls(counted.backend, 1);
      return mapPhases((phase) => {
        const ofPhase = calls.filter((call) => phaseOf(call) === phase);
        return {
          statements: mean(ofPhase.map(({ statements }) => statements)),
          functions: mean(ofPhase.map(({ functions }) => functions)),
        };
      });
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function pinAnswers({ accountId, native }: Environment, coachId: string): Promise<void> {
  const questions = Array.from({ length: pinnedAnswers }, (_, n) => `How do I begin with a new team of ${n} people?`);
  await native!.query(
    `insert into pinned_answers (account_id, coach_id, question, answer)
     select $1, $2, question, 'By listening.' from unnest($3::text[]) as question`,
    [accountId, coachId, questions],
  );
  // As the sweep does it. Before, the trigger did.
  const [{ reads }] = await native!.query("select to_regproc('private.key_phrases') is not null as reads") as [
    { reads: boolean },
  ];
  if (!reads) return;
  const read = await Promise.all(questions.map((question) => readQuestion(question, "english")));
  await native!.query(
    `select private.key_phrases(subject_id, array(
       select jsonb_populate_recordset(null::private.normal_question, $2)
     )) from private.phrases where coach_id = $1`,
    [coachId, JSON.stringify(read)],
  );
}

function mapPhases<Value>(map: (phase: Phase) => Value): Record<Phase, Value> {
  return { begin: map("begin"), growth: map("growth"), end: map("end") };
}

/** The part of a turn that a call belongs to. */
function phaseOf(call: MeteredCall): Phase | null {
  if (call.name.startsWith("begin_turn")) return "begin";
  if (call.name !== "save_turns") return null;
  return answersOf(call).every(({ status }) => status === "streaming") ? "growth" : "end";
}

/** The turns of a call. */
function answersOf({ body }: MeteredCall): { status?: string }[] {
  const { turns, calls, turn } = JSON.parse(body);
  return turns ?? calls ?? [turn];
}

/** The CPU time in milliseconds of all sessions in the database. They stay open. */
async function cpuOfPostgres({ native }: Environment): Promise<number> {
  const sessions = await native!.query<{ pid: number }>(
    "select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend'",
  );
  return sessions.map(({ pid }) => cpuTimeOfStat(Deno.readTextFileSync(`/proc/${pid}/stat`)))
    .reduce((sum, milliseconds) => sum + milliseconds, 0);
}
