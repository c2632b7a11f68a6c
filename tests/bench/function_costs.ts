import pg from "pg";
import type { Backend } from "../support/backend.ts";
import { type NativePostgres, startNativeBackend } from "./native_postgres.ts";
import { orShort } from "./short_form.ts";

const rounds = orShort(9, 1);
const callsPerRound = 20;
/** One connection for each kind of call, which keeps its plans. */
const settings = "-c track_functions=all";

/** Milliseconds of a call, by the name of the SQL function; `admission` is the part of it that admits requests. */
export type FunctionCosts = Map<string, number>;

/** Measures what SQL functions cost: the time that Postgres itself counts. */
export type CostMeter = AsyncDisposable & {
  /** A REST whose calls are counted: for the cost within the service, whose processes use the same processor. */
  backend: Backend;
  /** Calls a function without REST and service: for the cost of calls that follow each other. */
  call<Reply>(name: string, args: Record<string, unknown>): Promise<Reply>;
  /**
   * Does some work in several rounds, and returns the averages of the best: sizes are measured minutes apart, and other
   * work of the machine is not part of their cost. A round before them plans.
   */
  costOf(work: (call: number) => Promise<void>): Promise<FunctionCosts>;
};

/** Starts a meter. */
export async function startCostMeter(native: NativePostgres): Promise<CostMeter> {
  await using resources = new AsyncDisposableStack();
  // A connection reports what it has counted at the end of a transaction, but else only once a second.
  await native.query(
    "create function report_counts() returns void language sql volatile return pg_stat_force_next_flush()",
  );
  const backend = resources.use(await startNativeBackend(native, { latency: 0, connections: 1, settings }));
  const headers = { apikey: JSON.parse(backend.env.SUPABASE_SECRET_KEYS!).default };
  const client = new pg.Client({ connectionString: native.url, options: settings });
  await client.connect();
  resources.defer(() => client.end());
  // As REST begins each request.
  await client.query(
    `select set_config(split_part(setting, '=', 1), split_part(setting, '=', 2), false)
     from pg_roles, unnest(rolconfig) as setting where rolname = 'service_role'`,
  );

  async function call<Reply>(name: string, args: Record<string, unknown>): Promise<Reply> {
    const names = Object.keys(args).map((argument, index) => `${argument} => $${index + 1}`);
    const { rows: [row] } = await client.query({
      name,
      text: `select public.${name}(${names}) as reply`,
      values: Object.values(args).map((value) => value instanceof Object ? JSON.stringify(value) : value),
    });
    return row.reply;
  }

  async function readCounts(): Promise<Map<string, { calls: number; time: number }>> {
    const response = await fetch(`${backend.url}/rest/v1/rpc/report_counts`, { method: "POST", headers, body: "{}" });
    if (!response.ok) throw new Error(`The counts were not reported: ${await response.text()}`);
    await response.body?.cancel();
    await call("report_counts", {});
    const rows = await native.query<{ name: string; calls: string; time: number }>(
      `select case schemaname when 'private' then 'admission' else funcname end as name,
         max(calls) as calls, sum(total_time) as time
       from pg_stat_user_functions
       where schemaname = 'public' and funcname <> 'report_counts'
         or schemaname = 'private' and funcname in ('admit', 'answer')
       group by 1`,
    );
    return new Map(rows.map(({ name, calls, time }) => [name, { calls: Number(calls), time }]));
  }

  const owned = resources.move();
  return {
    backend,
    call,
    async costOf(work) {
      const samples = new Map<string, number[]>();
      for (let round = 0; round <= rounds; round++) {
        const before = await readCounts();
        for (let call = 0; call < callsPerRound; call++) await work(call);
        for (const [name, after] of await readCounts()) {
          const { calls, time } = before.get(name) ?? { calls: 0, time: 0 };
          if (round === 0 || after.calls === calls) continue;
          samples.set(name, [...samples.get(name) ?? [], (after.time - time) / (after.calls - calls)]);
        }
      }
      return new Map([...samples].map(([name, times]) => [name, Math.min(...times)]));
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
