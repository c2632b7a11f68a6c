import { hasProc } from "./measured_process.ts";
import { checkReply, type Environment, openChat } from "./environment.ts";
import { addThreads, listThreadIds } from "./growth_rows.ts";
import { type Figure, median } from "./report.ts";
import { orShort } from "./short_form.ts";
import { cpuTimeOfStat } from "../../supabase/commands/local/edge_runtime/cpu_time.ts";

const clients = 32;
const pinnedAnswers = 20;
/** Messages of each thread: as many as the model is given. */
const history = 20;
const rounds = orShort(5, 1);
/** Turns in a round; enough for some tenths of a second of CPU time. */
const turns = 320;

/**
 * Measures the CPU time of Postgres for a whole turn of a coach with pinned answers, many at once: what its sessions
 * have used, which is planning and sending the replies too.
 */
export async function measurePinnedTurns(environment: Environment): Promise<Figure[]> {
  const { accountId, createCoach, startFunction } = environment;
  const native = environment.native!;
  if (!hasProc) return [];
  const coachId = await createCoach("chunks=5");
  await native.query(
    `select private.pin_answer($1, $2, 'How do I begin with a new team of ' || n || ' people?', '{}', 'By listening.',
       null, replaces_same => false, is_active => true)
     from generate_series(1, $3::integer) as n`,
    [accountId, coachId, pinnedAnswers],
  );
  await addThreads(environment, { coachId, user: "pinned talker", count: clients, messages: history });
  await native.query("vacuum analyze");
  const threadIds = await listThreadIds(environment, "pinned talker");
  await using chat = await startFunction("chat");

  async function run(): Promise<number> {
    const before = await cpuOfPostgres(environment);
    await Promise.all(threadIds.map(async (threadId, client) => {
      for (let turn = client; turn < turns; turn += clients) {
        const message = `What do I say to a team of ${turn} people that is new to me?`;
        const response = await openChat(environment, { url: chat.url, coachId, threadId, message });
        checkReply(await response.text(), message, 5);
      }
    }));
    return (await cpuOfPostgres(environment) - before) / turns;
  }
  await run();
  const measured: number[] = [];
  for (let round = 0; round < rounds; round++) measured.push(await run());
  return [{
    name: `CPU of Postgres, a turn of a coach with ${pinnedAnswers} pinned answers, ${clients} at once`,
    unit: "ms",
    measured: median(measured),
    budget: { atMost: 2 },
  }];
}

/** The CPU time in milliseconds of all sessions in the database. They stay open. */
async function cpuOfPostgres({ native }: Environment): Promise<number> {
  const sessions = await native!.query<{ pid: number }>(
    "select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend'",
  );
  return sessions.map(({ pid }) => cpuTimeOfStat(Deno.readTextFileSync(`/proc/${pid}/stat`)))
    .reduce((sum, milliseconds) => sum + milliseconds, 0);
}
