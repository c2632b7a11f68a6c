import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { copyOut } from "./copy_rows.ts";
import type { Connection } from "./open_database.ts";
import type { Table } from "./service_tables.ts";

/**
 * Writes the rows of tables into a file, as `pg_dump --data-only` does: SQL with `COPY … FROM stdin`, compressed. They
 * pass through: no table is ever in memory.
 *
 * @returns the number of rows in each table.
 */
export async function writeRows(
  file: string,
  { query, copy }: Connection,
  { tables, onTable, onBytes }: {
    tables: Table[];
    onTable: (name: string) => void;
    /** Called with what has been read so far. */
    onBytes: (read: number) => void;
  },
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  async function* script() {
    yield "-- The rows of human-intelligence-chat. npm run restore loads them.\n";
    let read = 0;
    for (const { name, columns } of tables) {
      onTable(name);
      const target = `${name} (${columns.join(", ")})`;
      const rows = copy(copyOut(`copy ${target} to stdout`));
      yield `\nCOPY ${target} FROM stdin;\n`;
      for await (const block of rows.blocks) {
        yield block;
        onBytes(read += block.length);
      }
      yield "\\.\n";
      counts[name] = rows.rowCount;
    }
    for (const sequence of tables.flatMap(({ sequences }) => sequences)) {
      const [{ last_value, is_called }] = await query(`select last_value, is_called from ${sequence}`) as [
        { last_value: string; is_called: boolean },
      ];
      yield `SELECT pg_catalog.setval('${sequence}', ${last_value}, ${is_called});\n`;
    }
  }
  await pipeline(script, createGzip({ level: 4 }), createWriteStream(file, { mode: 0o600, flags: "wx" }));
  return counts;
}
