import { messages, parse, type PGlite, protocol, type Results } from "@electric-sql/pglite";
import { AsyncLocalStorage } from "node:async_hooks";
import { concat } from "../../shared/libs/base/std/bytes.ts";

const { serialize } = protocol;

/** A statement, and the values of its parameters. */
export type Statement = { text: string; values?: unknown[] };

/** The one session of an embedded Postgres, which all requests share. */
export type Session = {
  /** Answers a request, whose transactions go to their end before another request has its turn. */
  answer<Reply>(act: () => Promise<Reply>): Promise<Reply>;
  /** Runs a statement in a transaction, which others begin, all in one call of Postgres. Returns its result. */
  transact(opening: Statement[], statement: Statement): Promise<Results>;
};

/** Statements around a request's query whose results nobody reads: the settings of its transaction. */
const isSetting = (text: string) => /^(?:BEGIN$|SET LOCAL ROLE |SELECT set_config\()/.test(text);

const isEnd = (text: string) => text === "COMMIT" || text === "ROLLBACK";

/** The statements that Postgres may remember; beyond, it forgets all of them. */
const maxStatements = 1_000;

/**
 * Makes a query take one call of Postgres instead of six, and Postgres parse each text only once, as PostgREST does. A
 * setting of a transaction takes no call: it is sent with the next query. `@supabase/lite` surrounds each query with up
 * to thirteen other statements. A request then takes 4 calls of Postgres instead of 84, and a fifth of the time.
 *
 * Requests take turns as well. Lite does not see to that: transactions at the same time would be one, in which a refusal
 * undoes what others were told is stored.
 */
export function shareSession(postgres: PGlite): Session {
  /** The prepared statements and the types of their parameters, by text. */
  const statements = new Map<string, { name: string; types: number[] }>();
  const requests = new AsyncLocalStorage<symbol>();
  /** The request that has a transaction open, and what ends its turn. */
  let turn: { request: symbol; end: () => void } | null = null;
  let unsent: Uint8Array[] = [];

  /** Runs what has its turn. Only between turns is no statement bound that Postgres could be made to forget. */
  function inTurn<Result>(act: () => Promise<Result>): Promise<Result> {
    return postgres._runExclusiveTransaction(async () => {
      if (statements.size >= maxStatements) {
        const names = [...statements.values()].map(({ name }) => serialize.close({ type: "S", name }));
        statements.clear();
        await postgres.execProtocolStream(concat([...names, serialize.sync()]));
      }
      return await act();
    });
  }

  async function prepare(text: string) {
    const name = `joined_${statements.size}`;
    const ask = [serialize.parse({ name, text }), serialize.describe({ type: "S", name }), serialize.sync()];
    const types = parse.parseDescribeStatementResults(await postgres.execProtocolStream(concat(ask)));
    const statement = { name, types };
    statements.set(text, statement);
    return statement;
  }

  async function bind({ text, values = [] }: Statement): Promise<Uint8Array> {
    const { name: statement, types } = statements.get(text) ?? await prepare(text);
    return serialize.bind({ statement, values: values.map((value, index) => write(value, types[index]!)) });
  }

  function write(value: unknown, type: number): string | null {
    if (value === null || value === undefined) return null;
    return postgres.serializers[type]?.(value) ?? String(value);
  }

  async function query(text: string, values?: unknown[]): Promise<Results> {
    const bound = await bind({ text, values });
    if (isSetting(text)) {
      unsent.push(bound, serialize.execute());
      return { rows: [], fields: [] };
    }
    const batch = concat([...unsent, bound, serialize.describe({ type: "P" }), serialize.execute(), serialize.sync()]);
    unsent = [];
    const replies = await postgres.execProtocolStream(batch);
    // The replies to the settings come first.
    return readResults(replies.slice(replies.findLastIndex(({ name }) => name === "bindComplete")));
  }

  function readResults(replies: Parameters<typeof parse.parseResults>[0]): Results {
    const columns = replies.flatMap((reply) => reply instanceof messages.RowDescriptionMessage ? reply.fields : []);
    const parsers: PGlite["parsers"] = {};
    // PGlite's own way copies its 900 parsers for each result.
    for (const { dataTypeID: type } of columns) {
      if (postgres.parsers[type] !== undefined) parsers[type] = postgres.parsers[type];
    }
    return parse.parseResults(replies, parsers)[0]!;
  }

  /** Waits until no other request is at work, and keeps others waiting until the transaction's end. */
  function takeTurn(request: symbol | undefined): Promise<void> {
    if (request === undefined) throw new Error("Only a request begins a transaction");
    return new Promise((begin, fail) => {
      inTurn(() =>
        new Promise<void>((end) => {
          turn = { request, end };
          begin();
        })
      ).catch(fail);
    });
  }

  postgres.query = async <Row>(text: string, values?: unknown[]) => {
    await postgres._checkReady();
    const request = requests.getStore();
    if (text === "BEGIN") await takeTurn(request);
    if (turn === null || turn.request !== request) {
      return await inTurn(() => query(text, values)) as Results<Row>;
    }
    try {
      return await query(text, values) as Results<Row>;
    } finally {
      if (isEnd(text)) {
        turn.end();
        turn = null;
      }
    }
  };

  return {
    answer: (act) => requests.run(Symbol(), act),
    transact: (opening, statement) =>
      inTurn(async () => {
        const opened: Uint8Array[] = [];
        for (const each of opening) opened.push(await bind(each), serialize.execute());
        const bound = [await bind(statement), serialize.describe({ type: "P" }), serialize.execute()];
        const end = [await bind({ text: "commit" }), serialize.execute(), serialize.sync()];
        try {
          const replies = await postgres.execProtocolStream(concat([...opened, ...bound, ...end]));
          const [from, to] = replies.flatMap(({ name }, index) => name === "bindComplete" ? [index] : []).slice(-2);
          return readResults(replies.slice(from, to));
        } catch (error) {
          await postgres.execProtocolStream(serialize.query("rollback"));
          throw error;
        }
      }),
  };
}
