import { Buffer } from "node:buffer";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { fieldsOf } from "../../../shared/libs/base/fields_of.ts";
import { CommandError, errorMessage } from "../command_error.ts";
import { copyIn } from "./copy_rows.ts";
import type { Connection } from "./open_database.ts";

const copyStatement = /^COPY (\w+\.\w+) \(.+\) FROM stdin;$/;
const statement = /^SELECT pg_catalog\.setval\('\w+\.\w+', \d+, (true|false)\);$/;

/**
 * Loads the rows that `writeRows` has written, as they are read.
 *
 * @returns the number of rows in each table.
 * @throws {CommandError} if the file is damaged, or is not what `writeRows` writes.
 */
export async function loadRows(
  file: string,
  connection: Connection,
  onTable: (name: string) => void,
): Promise<Record<string, number>> {
  try {
    return await load(file, connection, onTable);
  } catch (error) {
    // Of zlib: the file ends too early, or has other bytes.
    if (!String(fieldsOf(error).code).startsWith("Z_")) throw error;
    throw new CommandError(`${file} is damaged: ${errorMessage(error)}. Nothing was restored.`);
  }
}

async function load(
  file: string,
  { query, copy }: Connection,
  onTable: (name: string) => void,
): Promise<Record<string, number>> {
  const input = createReadStream(file);
  const unpacked = createGunzip();
  const reading = pipeline(input, unpacked);
  reading.catch(() => {});
  const script = readScript(unpacked);
  const counts: Record<string, number> = {};
  for (let line = await script.line(); line !== null; line = await script.line()) {
    const [, table] = copyStatement.exec(line) ?? [];
    if (table !== undefined) {
      onTable(table);
      const rows = copy(copyIn(line, script.rows()));
      await rows.done;
      counts[table] = rows.rowCount;
    } else if (statement.test(line)) await query(line);
    else if (line !== "" && !line.startsWith("--")) throw new CommandError(`${file} is not a file of npm run backup.`);
  }
  await reading;
  return counts;
}

const endOfRows = "\n\\.\n";

/** Reads lines, and after a COPY statement the rows up to the line that ends them, block by block. */
export function readScript(input: AsyncIterable<Uint8Array>) {
  const blocks = input[Symbol.asyncIterator]();
  let rest = Buffer.alloc(0);
  const readMore = async () => {
    const { value, done } = await blocks.next();
    if (!done) rest = Buffer.concat([rest, value]);
    return !done;
  };
  return {
    /** The next line; null at the end. */
    async line(): Promise<string | null> {
      while (!rest.includes("\n")) if (!await readMore()) return null;
      const end = rest.indexOf("\n");
      const line = rest.toString("utf8", 0, end);
      rest = rest.subarray(end + 1);
      return line;
    },
    /** The rows that come next. @throws {CommandError} if their end is missing. */
    async *rows(): AsyncGenerator<Buffer> {
      // The line that ends them may be the first one.
      rest = Buffer.concat([Buffer.from("\n"), rest]);
      let isBegun = false;
      while (true) {
        const end = rest.indexOf(endOfRows);
        // What may be the beginning of that line is kept back.
        const length = end >= 0 ? end + 1 : rest.length - endOfRows.length + 1;
        if (length > 0) {
          const block = rest.subarray(isBegun ? 0 : 1, length);
          isBegun = true;
          rest = rest.subarray(length);
          if (block.length > 0) yield block;
        }
        if (end >= 0) break;
        if (!await readMore()) throw new CommandError("The file with the rows has no end.");
      }
      rest = rest.subarray(endOfRows.length - 1);
    },
  };
}
