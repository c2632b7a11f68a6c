import { Buffer } from "node:buffer";
import { once } from "node:events";
import type { Duplex } from "node:stream";

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
