import pg from "pg";
import { fieldsOf } from "../../../shared/libs/base/fields_of.ts";
import { CommandError, errorMessage } from "../command_error.ts";
import { Buffer } from "node:buffer";
import { once } from "node:events";
import type { Duplex } from "node:stream";

/** Runs a statement and returns its rows. */
export type Query = <Row = Record<string, unknown>>(sql: string, parameters?: unknown[]) => Promise<Row[]>;

/** One connection to a database. */
export type Connection = AsyncDisposable & {
  query: Query;
  /** Starts a COPY. */
  copy: <Copy extends ReturnType<typeof copyIn | typeof copyOut>>(copy: Copy) => Copy;
};

/** Connects to a database, without any time limit of its own. @throws {CommandError} that says what to do. */
export async function openDatabase(url: URL): Promise<Connection> {
  const client = new pg.Client({ connectionString: url.href, connectionTimeoutMillis: 20_000, keepAlive: true });
  // A connection that breaks also fails the statement that is running.
  client.on("error", () => {});
  try {
    await client.connect();
  } catch (error) {
    await client.end().catch(() => {});
    throw new CommandError(explainConnection(error, url));
  }
  const query: Query = async (sql, parameters) => (await client.query(sql, parameters)).rows;
  await query("set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set client_encoding = 'UTF8'");
  return { query, copy: (copy) => client.query(copy), [Symbol.asyncDispose]: () => client.end() };
}

/** Explains why a database cannot be connected to, and what to do. */
export function explainConnection(error: unknown, { hostname, port, username }: URL): string {
  const code = String(fieldsOf(error).code);
  const reason = errorMessage(error) || code;
  if (["28P01", "28000"].includes(code) || /client password must be a string/.test(reason)) {
    return `The database at ${hostname} did not accept the password of ${decodeURIComponent(username)}.\n` +
      "Set SUPABASE_DB_PASSWORD to it. A new one can be set in the dashboard, under Database > Settings.";
  }
  if (/does not support SSL/.test(reason)) {
    return `The database at ${hostname} has no TLS: use another address, or add ?sslmode=disable to this one.`;
  }
  const isDirect = /^db\.[a-z]{20}\.supabase\.co$/.test(hostname);
  return `The database at ${hostname}:${port || 5432} cannot be reached: ${reason}` +
    (isDirect
      ? "\nThis address needs IPv6. If you have none, set DATABASE_URL to the address of the session pooler: it is in\n" +
        "the dashboard under Connect."
      : "");
}

/** What the package `pg` gives to a query of its own kind, and calls of it. */
type PgConnection = {
  stream: Duplex;
  query(sql: string): void;
  sendCopyFromChunk(chunk: Uint8Array): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
};

/** A COPY that is given to `pg.Client.query`, with the number of its rows, once it is over. */
type Copy = { rowCount: number };

const blockSize = 65_536;
const countIn = (text: string) => Number(/^COPY (\d+)/.exec(text)?.[1] ?? 0);

/** A `COPY … TO STDOUT`: its rows as blocks of text. No more is read from the connection than is taken. */
export function copyOut(sql: string): Copy & { blocks: ReadableStream<Uint8Array> } {
  let connection: PgConnection | null = null;
  let taking: ReadableStreamDefaultController<Uint8Array>;
  let rows: Uint8Array[] = [];
  let size = 0;
  const flush = () => {
    if (size > 0) taking.enqueue(Buffer.concat(rows));
    [rows, size] = [[], 0];
  };
  const self = {
    rowCount: 0,
    blocks: new ReadableStream<Uint8Array>({
      start: (controller) => void (taking = controller),
      pull: () => void connection?.stream.resume(),
    }),
    submit(given: PgConnection) {
      connection = given;
      connection.query(sql);
    },
    handleCopyData({ chunk }: { chunk: Uint8Array }) {
      // Its memory is used again.
      rows.push(Buffer.from(chunk));
      size += chunk.length;
      if (size < blockSize) return;
      flush();
      if (taking.desiredSize! <= 0) connection!.stream.pause();
    },
    handleCommandComplete: ({ text }: { text: string }) => void (self.rowCount = countIn(text)),
    handleReadyForQuery() {
      flush();
      taking.close();
    },
    handleError: (error: Error) => taking.error(error),
  };
  return self;
}

/** A `COPY … FROM STDIN` of blocks of text, which are only taken as fast as they are sent. */
export function copyIn(sql: string, blocks: AsyncIterable<Uint8Array>): Copy & { done: Promise<void> } {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let hasFailed = false;
  async function send(connection: PgConnection) {
    for await (const block of blocks) {
      if (hasFailed) return;
      connection.sendCopyFromChunk(block);
      if (connection.stream.writableNeedDrain) await once(connection.stream, "drain");
    }
    connection.endCopyFrom();
  }
  const self = {
    rowCount: 0,
    done: promise,
    submit: (connection: PgConnection) => connection.query(sql),
    handleCopyInResponse(connection: PgConnection) {
      send(connection).catch((error) => {
        reject(error);
        connection.sendCopyFail("the rows have no end");
      });
    },
    handleCommandComplete: ({ text }: { text: string }) => void (self.rowCount = countIn(text)),
    handleReadyForQuery: () => resolve(),
    handleError(error: Error) {
      hasFailed = true;
      reject(error);
    },
  };
  return self;
}
