import type { SheetState } from "./bookmark.ts";
import type { Block } from "./document_reader.ts";

/** A header that is longer is not repeated as a line: each value gets its name instead. */
const longestLine = 300;
/** The same for a row, which would be cut within. */
const longestRow = 800;
const longestName = 200;
/** The names of all columns together; they go from one step to the next. */
const longestNames = 20_000;

/** A cell as it is shown. `isRepeated`: it is merged with the one to its left, whose text it has. */
export type SheetCell = { text: string; kind: "text" | "number" | "date"; isRepeated?: boolean };

/** Turns the rows of a sheet into blocks, in which each value stands with the name of its column. */
export type SheetTable = {
  push(row: (SheetCell | undefined)[]): void;
  /** The blocks so far; and begins new ones. */
  take(): Block[];
  state(): SheetState;
};

export function createSheetTable(from?: SheetState): SheetTable {
  let { columns, isBegun, isInterrupted, isTitled, hasValues, isNew, hasGroups } = from ?? begin();
  let blocks: Block[] = [];
  let rows: string[] = [];

  function begin(): SheetState {
    return {
      columns: null,
      isBegun: false,
      isInterrupted: false,
      isTitled: false,
      hasValues: false,
      isNew: false,
      hasGroups: false,
    };
  }

  function endBlock(): void {
    if (rows.length > 0) blocks.push({ text: rows.join("\n"), page: null, level: null, header: headerLine() });
    rows = [];
  }

  /** The names in one line; empty if there are none, or too many to be repeated. */
  function headerLine(): string {
    const line = writeLine(columns ?? []);
    return line.length <= longestLine ? line : "";
  }

  /** Those that are too many to be repeated stand here until a row has them with its values. */
  function namesInLines(): string[] {
    return headerLine() !== "" ? [headerLine()] : writeRecord(columns!, []);
  }

  function open(row: (SheetCell | undefined)[]): void {
    endBlock();
    [hasValues, isTitled, isNew, hasGroups] = [false, false, false, false];
    const isHeader = namesColumns(row);
    columns = isHeader ? namesOf(row) : [];
    if (columns.join("").length > longestNames) columns = [];
    if (columns.length === 0) return addRow(row);
    [isNew, hasGroups] = [true, row.some((cell) => cell?.isRepeated)];
    rows.push(...namesInLines());
  }

  /** Returns whether a row below the names has more of them: below groups of columns, or without a name of its own. */
  function addsNames(row: (SheetCell | undefined)[]): boolean {
    const first = columns!.findIndex((name) => name !== "");
    return first !== -1 && (hasGroups || (row[first]?.text ?? "").trim() === "");
  }

  function addNames(names: string[]): void {
    const above = columns!;
    const isTitle = !hasGroups && above.filter(Boolean).length < names.filter(Boolean).length;
    rows = isTitle ? [writeLine(above)] : [];
    if (isTitle) columns = [];
    endBlock();
    columns = isTitle ? names : Array.from(
      { length: Math.max(names.length, above.length) },
      (_, i) => [...new Set([above[i] ?? "", names[i] ?? ""])].filter(Boolean).join(" "),
    );
    rows.push(...namesInLines());
  }

  function addRow(row: (SheetCell | undefined)[]): void {
    hasValues ||= row.some((cell) => cell !== undefined && cell.kind !== "text");
    const texts = Array.from(row, (cell) => cell === undefined || cell.isRepeated ? "" : flatten(cell.text));
    const line = writeLine(texts, columns ?? []);
    const isShort = line.length <= longestRow && (headerLine() !== "" || columns!.length === 0);
    if (isShort) rows.push(line);
    else rows.push(...writeRecord(texts, columns ?? []));
  }

  return {
    push(row) {
      const cells = filledOf(row);
      if (cells.length === 0) {
        isInterrupted = true;
      } else if (cells.length === 1 && (columns === null || isInterrupted)) {
        endBlock();
        blocks.push({ text: cells[0]!.text, page: null, level: null });
        [isInterrupted, isTitled] = [true, true];
      } else if (columns === null || isInterrupted && (hasValues || isTitled) && namesColumns(row)) {
        isInterrupted = false;
        open(row);
      } else if (isNew && !isInterrupted && cells.every(({ kind }) => kind === "text") && addsNames(row)) {
        isNew = false;
        addNames(namesOf(row));
      } else {
        if (isNew && headerLine() === "") rows = [];
        [isInterrupted, isTitled, isNew] = [false, false, false];
        addRow(row);
      }
    },
    take() {
      endBlock();
      const taken = blocks;
      isBegun ||= taken.length > 0;
      blocks = [];
      return taken;
    },
    state: () => ({ columns, isBegun, isInterrupted, isTitled, hasValues, isNew, hasGroups }),
  };
}

/** Returns whether columns named `question` and `answer` are among these, as in a sheet of answers. */
export function isAnswerSheet(columns: string[] | null): boolean {
  const names = columns?.map((name) => name.toLowerCase()) ?? [];
  return (names.includes("question") && names.includes("answer")) || (names.includes("问题") && names.includes("答案"));
}

/** The names of columns are different texts, years or dates. */
function namesColumns(row: (SheetCell | undefined)[]): boolean {
  const cells = filledOf(row);
  const isName = ({ text, kind }: SheetCell) =>
    kind !== "number" ? text.length <= longestName : /^(?:19|20)\d\d$/.test(text);
  return cells.every(isName) && cells.some(({ kind }) => kind === "text") &&
    new Set(cells.map(({ text }) => text)).size * 2 > cells.length;
}

function filledOf(row: (SheetCell | undefined)[]): SheetCell[] {
  return row.filter((cell): cell is SheetCell => cell !== undefined && cell.text.trim() !== "" && !cell.isRepeated);
}

function namesOf(row: (SheetCell | undefined)[]): string[] {
  return Array.from(row, (cell) => flatten(cell?.text ?? ""));
}

/** A row of cells, up to the last one that has a text or a name. */
function writeLine(texts: string[], columns: string[] = []): string {
  let end = Math.max(texts.length, columns.length);
  while (end > 0 && (texts[end - 1] ?? "") === "" && (columns[end - 1] ?? "") === "") end--;
  return Array.from({ length: end }, (_, i) => texts[i] ?? "").join(" | ");
}

/** A row whose values have their names, in lines that begin with its first value. */
function writeRecord(texts: string[], columns: string[]): string[] {
  const fields = texts.flatMap((text, i) => text === "" ? [] : columns[i] ? `${columns[i]}: ${text}` : text);
  const [title = "", ...rest] = fields;
  const lines: string[] = [];
  let line = title;
  for (const field of rest) {
    if (line.length + field.length > longestRow && line !== title) {
      lines.push(line);
      line = title.slice(0, longestName);
    }
    line += ` | ${field}`;
  }
  return [...lines, line];
}

function flatten(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
