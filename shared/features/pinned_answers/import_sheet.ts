import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { delay } from "../../libs/base/std/async.ts";
import { timeouts } from "../../infra/timeouts.ts";
import { compareRows, type FoundRows, type PinnedText, type RowOutcome } from "./compare_rows.ts";
import { type AnswerSheet, readAnswerSheet, type RefusedRow, type SheetRow } from "./read_answer_sheet.ts";
import { type AskedQuestion, withQuestions } from "../../core/questions/read_questions.ts";
import type { ImportedAnswers } from "./fields.ts";

/** A row to be stored; without an ID and a version it is a new pinned answer. */
export type StoredRow = PinnedText & { id: string | null; version: number | null; asked: AskedQuestion[] };

/** The IDs of stored rows, as SQL `import_pinned_answers` replies. */
export const StoredIds = z.nullable(z.array(z.string()));

/** The pinned answers of a coach. Null: Postgres is at work on a part of another sheet. */
export type SheetStore = {
  coachId: string;
  /** The pinned ones of the questions of some rows, each with its variants, by their keys in a language. */
  compare(keys: { language: string; keys: (string | null)[][] }): Promise<z.infer<typeof FoundRows> | null>;
  /** Stores all of some rows and returns their IDs, or none if something else is pinned by now. */
  write(rows: StoredRow[]): Promise<string[] | null>;
};

/** The work of a part of a sheet: about a tenth of a second. */
const partSize = 20_000;
/** What a question costs beyond its characters. */
const questionSize = 100;
/** The longest pauses between two parts, and while another sheet has its turn, in milliseconds. */
const [longestPause, longestWait] = [50, 500];
/** How often a sheet is compared, where others change what is pinned. */
const mostRounds = 5;

type Imported = z.infer<typeof ImportedAnswers>;
type ImportedRow = Imported["rows"][number];

/**
 * Imports a sheet of questions and answers, or tells what an import would do. The sheet is compared and stored in parts,
 * between which others have their turn. It is stored once all of its rows can be used; where others change what is
 * pinned meanwhile, it is compared again.
 *
 * @throws {ApiError} 400 for a sheet that cannot be read; unless it is a preview, also for rows that cannot be used. 503
 * if it takes too long: what is stored by then stays, and the same sheet stores the rest.
 */
export async function importSheet(csv: string, isPreview: boolean, store: SheetStore): Promise<Imported> {
  const sheet = readAnswerSheet(csv);
  const takeTurn = takeTurnsUntil(performance.now() + timeouts.import);
  const stored = new Map<number, RowOutcome>();
  for (let round = 0; round < mostRounds; round++) {
    const found: FoundRows = [];
    const parts = divide(sheet.rows);
    // Without any usable row, too, Postgres decides whether the caller may do this.
    for (const part of parts.length > 0 ? parts : [[]]) {
      found.push(...await takeTurn(() => compare(part.map(questionsOf))));
    }
    const outcomes = compareRows(sheet.rows, found).map((outcome) => stored.get(outcome.row) ?? outcome);
    const imported = describeImport(sheet, outcomes, isPreview);
    if (isPreview) return imported;
    requireUsable(imported, stored.size);
    const due = outcomes.filter(({ row, status }) => status !== "unchanged" && !stored.has(row));
    if (await write(due)) return describeImport(sheet, outcomes.map(withId), false);
  }
  throw errors.sheetBusy();

  function compare(questions: string[][]): Promise<FoundRows | null> {
    return withQuestions(store, questions.flat(), async (asked, language) => {
      const rest = asked.map((form) => "key" in form ? form.key : null);
      const keys = questions.map(({ length }) => rest.splice(0, length));
      const found = await store.compare({ language, keys });
      return found && found.map((row, index) => ({ ...row, keys: keys[index]! }));
    });
  }

  /** Returns whether all are stored; if something else is pinned by now, those before it are. */
  async function write(due: RowOutcome[]): Promise<boolean> {
    for (const part of divide(due)) {
      const questions = part.map(questionsOf);
      const ids = await takeTurn(() =>
        withQuestions(store, questions.flat(), (asked) => {
          const rest = [...asked];
          return store.write(part.map(({ id, version, text }, index) => (
            { id, version, ...text, asked: rest.splice(0, questions[index]!.length) }
          )));
        })
      );
      if (ids.length === 0) return false;
      for (const [place, outcome] of part.entries()) stored.set(outcome.row, { ...outcome, id: ids[place]! });
    }
    return true;
  }

  function withId(outcome: RowOutcome): RowOutcome {
    const { id } = stored.get(outcome.row) ?? stored.get(outcome.earlierRow ?? 0) ?? outcome;
    return { ...outcome, id };
  }
}

/** Calls Postgres until it has a turn, and waits between two calls: at random, so that all sheets have turns. @throws 503 */
function takeTurnsUntil(end: number) {
  let pause = 0;
  return async function takeTurn<Reply>(call: () => Promise<Reply | null>): Promise<Reply> {
    while (performance.now() < end) {
      if (pause > 0) await delay(Math.random() * pause);
      const reply = await call();
      pause = reply === null ? longestWait : longestPause;
      if (reply !== null) return reply;
    }
    throw errors.sheetBusy();
  };
}

/** Divides rows into parts of a bounded size; a row that is larger is a part of its own. */
function divide<Row extends SheetRow | RowOutcome>(rows: Row[]): Row[][] {
  const parts: Row[][] = [];
  let size = Infinity;
  for (const row of rows) {
    const own = questionsOf(row).reduce((sum, question) => sum + questionSize + question.length, 0);
    if (size + own > partSize) {
      parts.push([]);
      size = 0;
    }
    parts.at(-1)!.push(row);
    size += own;
  }
  return parts;
}

function questionsOf(row: SheetRow | RowOutcome): string[] {
  const { question, variants } = "text" in row ? row.text : row;
  return [question, ...variants ?? []];
}

/** @throws 400 for rows that cannot be used. `stored`: the rows that were stored before that. */
function requireUsable({ rows }: Imported, stored: number): void {
  const refused = rows.filter(({ status }) => status === "refused");
  if (refused.length === 0) return;
  const what = stored === 0
    ? "Nothing was imported"
    : `Only ${stored} ${stored === 1 ? "row was" : "rows were"} imported`;
  throw errors.invalidSheet(
    `${what}: ${refused.length === 1 ? "1 row" : `${refused.length} rows`} cannot be used`,
    refused.map(({ row, field, reason }) => ({ row, field, reason: reason ?? "" })),
  );
}

function describeImport(sheet: AnswerSheet, outcomes: RowOutcome[], isPreview: boolean): Imported {
  const rows = describeRows(sheet, outcomes, isPreview);
  const count = (wanted: ImportedRow["status"]) => rows.filter(({ status }) => status === wanted).length;
  return {
    preview: isPreview,
    added: count("added"),
    changed: count("changed"),
    unchanged: count("unchanged"),
    refused: count("refused"),
    rows,
    unused_columns: sheet.unused,
  };
}

function describeRows({ rows, refused }: AnswerSheet, outcomes: RowOutcome[], isPreview: boolean): ImportedRow[] {
  const described = rows.map((given, index): ImportedRow => {
    const { status, id, previous, earlierRow, variant } = outcomes[index]!;
    return {
      ...given,
      status,
      // In a preview, there is no such answer yet.
      answer_id: status === "added" && isPreview || status === "refused" ? null : id,
      previous: status === "changed" ? previous : null,
      field: status !== "refused" ? null : variant !== null ? "variants" : "question",
      reason: status === "refused" ? explain(earlierRow, variant) : null,
    };
  });
  return [...described, ...refused.map(describeRefused)].toSorted((one, other) => one.row - other.row);
}

function describeRefused(refused: RefusedRow): ImportedRow {
  const nothing = { variants: null, answer: null, is_active: null, answer_id: null, previous: null };
  return { ...refused, status: "refused", ...nothing };
}

function explain(earlierRow: number | null, variant: string | null): string {
  if (variant === null) return `The same question as in row ${earlierRow}, with other contents`;
  return `The variant “${variant}” is a question of ${
    earlierRow === null ? "another pinned answer" : `row ${earlierRow}`
  }`;
}
