import type { Block } from "../document_reader.ts";

type Table = { rows: string[]; cells: string[][]; isRowGone: boolean; header: string | undefined };

/** The tables that are open at a place of a body. Those in a cell are text of the cell. */
export type Tables = {
  readonly depth: number;
  /** `header` is the first row of a table that began before. */
  open(header: string | undefined): void;
  openRow(): void;
  openCell(): void;
  /** The row was deleted. */
  dropRow(): void;
  /** Puts a text into the cell that is open; false where there is none. */
  put(text: string): boolean;
  closeRow(): void;
  /** Its rows, one in a line; null if it has none. */
  close(): Block | null;
};

/** The row that names the columns, which a title of the whole table may stand above. */
function headerOf(rows: string[]): string {
  const [title = "", names] = rows;
  return !title.includes(" | ") && names?.includes(" | ") ? `${title}\n${names}` : title;
}

export function createTables(): Tables {
  const tables: Table[] = [];

  function writeRow(cells: string[][]): string {
    // A table of one cell is a frame.
    if (cells.length === 1 && tables.length === 1) return cells[0]!.join("\n");
    return cells.map((cell) => cell.join(" ").replace(/\s+/g, " ")).join(" | ");
  }

  return {
    get depth() {
      return tables.length;
    },
    open(header) {
      tables.push({ rows: [], cells: [], isRowGone: false, header: tables.length === 0 ? header : undefined });
    },
    openRow() {
      const table = tables.at(-1);
      if (table !== undefined) [table.isRowGone, table.cells] = [false, []];
    },
    openCell: () => void tables.at(-1)?.cells.push([]),
    dropRow() {
      const table = tables.at(-1);
      if (table !== undefined) table.isRowGone = true;
    },
    put(text) {
      const cell = tables.at(-1)?.cells.at(-1);
      cell?.push(text);
      return cell !== undefined;
    },
    closeRow() {
      const table = tables.at(-1);
      if (table === undefined) return;
      const row = writeRow(table.cells.map((cell) => cell.map((text) => text.trim()).filter(Boolean)));
      table.cells = [];
      if (!table.isRowGone && /[^\s|]/.test(row)) table.rows.push(row);
    },
    close() {
      const { rows, header } = tables.pop() ?? { rows: [], header: undefined };
      if (rows.length === 0) return null;
      return { text: rows.join("\n"), page: null, level: null, header: header ?? headerOf(rows) };
    },
  };
}
