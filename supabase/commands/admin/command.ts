import { z } from "zod";
import { countCharacters } from "../../../shared/libs/base/text.ts";
import type { Project } from "./open_project.ts";
import { requireAccount, requireCoach } from "./read_rows.ts";
import { type Cell, formatRows } from "./terminal_text.ts";

/** The context of a command. */
export type CommandContext = {
  /** Opens the project. A command that changes something first prints its address. */
  project: () => Project;
  /** The folder that relative file names start from. */
  folder: string;
  now: () => Date;
  /** Prints something that is not part of the result. */
  note: (text: string) => void;
  /** Asks the person at the terminal; null when there is no terminal. */
  confirm: ((question: string) => boolean | Promise<boolean>) | null;
  /** True if stdout is a terminal, which texts of other people could control. */
  isTerminal: boolean;
  /** Catches Ctrl-C, which otherwise ends the command where it is, until the result is disposed. */
  catchInterrupt: () => Interrupt;
};

/** The time during which Ctrl-C only aborts the signal. */
export type Interrupt = Disposable & { signal: AbortSignal };

/** A result, for machines and for people. The exit code is 0 unless it says otherwise. */
export type CommandResult = { json: unknown; text: string; exitCode?: number };

/** An option: what may be given, and what the help says about it. */
export type Option<Schema extends z.ZodType = z.ZodType> = {
  schema: Schema;
  /** The name of its value in the help; empty for a flag, which has no value. */
  value: string;
  help: string;
  /** The schema gets a list of all values. */
  isRepeated?: true;
};

type Arguments = Record<string, z.ZodType>;
type Options = Record<string, Option>;
type Inputs<Args extends Arguments, Opts extends Options> =
  & { [Name in keyof Args]: z.output<Args[Name]> }
  & { [Name in keyof Opts]: z.output<Opts[Name]["schema"]> };

/** A command of `npm run admin`. Messages of its schemas continue a name: "--name" + " is missing". */
export type Command<Args extends Arguments = Arguments, Opts extends Options = Options> = {
  /** What it does, for its help. Line breaks do not matter. */
  about: string;
  /** The arguments after the command's words, in this order. */
  args?: Args;
  options?: Opts;
  /** The option or argument as typed, by the name that it has in the refusals of Postgres. */
  typed?: Record<string, string>;
  isChange?: true;
  /** The time limit of a request, in milliseconds. */
  timeLimit?: number;
  run: (input: Inputs<Args, Opts>, context: CommandContext) => Promise<CommandResult>;
};

type Nothing = Record<never, never>;

/** Gives a command the types of its own input. */
export function defineCommand<Args extends Arguments = Nothing, Opts extends Options = Nothing>(
  command: Command<Args, Opts>,
): Command {
  return command as unknown as Command;
}

/** A command that lists rows, for people as a table. It fails where the named account or coach does not exist. */
export function defineList<Row, Opts extends Options = Nothing>({ about, options, none, read, show }: {
  about: string;
  options?: Opts;
  /** The note where there are none. */
  none: string;
  read: (project: Project, input: Inputs<Nothing, Opts>) => PromiseLike<Row[]>;
  /** Returns the cells of a row, by their headings. */
  show: (row: Row) => Record<string, Cell>;
}): Command {
  return defineCommand({
    about,
    options,
    async run(input, { project, note }) {
      const opened = project();
      const { account, coach } = input as { account?: string; coach?: string };
      await requireAccount(opened, account);
      if (coach !== undefined) await requireCoach(opened.client, coach);
      const rows = await read(opened, input as Inputs<Nothing, Opts>);
      if (rows.length === 0) note(none);
      return { json: rows, text: formatRows(rows, show) };
    },
  });
}

/** An option with a value. */
export function option<Schema extends z.ZodType>(value: string, schema: Schema, help: string): Option<Schema> {
  return { value, schema, help };
}

/** The same option where it may be left out. */
export function ifGiven<Schema extends z.ZodType>({ schema, ...rest }: Option<Schema>) {
  return { ...rest, schema: schema.optional() };
}

/** An option that may be repeated; its schema reads the list of all values. */
export function repeated<Schema extends z.ZodType>(value: string, schema: Schema, help: string): Option<Schema> {
  return { value, schema, help: `${help}; may be repeated`, isRepeated: true };
}

/** An option without a value. */
export function flag(help: string) {
  return { value: "", schema: z.boolean().default(false), help };
}

/** The messages for an input that is missing, and for one that is wrong. */
export const because = (sentence: string) => ({
  error: ({ input }: { input?: unknown }) => input === undefined || input === null ? "is missing" : sentence,
});

/** An id that Postgres has made. */
export const id = z.guid(because("is not a valid ID (an ID looks like 123e4567-e89b-42d3-a456-426614174000)"));

/** Any text that is not blank. */
export const text = z.string(because("is not valid text")).refine((value) => value.trim() !== "", "is blank");

/** The same with at most this many characters. */
export function textUpTo(most: number) {
  return text.refine((value) => countCharacters(value) <= most, `has more than ${most} characters`);
}

/** A day that exists. */
export const day = z.iso.date(because("is not a day (a day looks like 2026-12-31)"));

/** A whole number that fits into Postgres's integer. */
export function wholeNumber(least: number, most = 2_147_483_647) {
  const sentence = `is not a whole number from ${least} to ${most}`;
  return z.string().regex(/^\d{1,10}$/, sentence).transform(Number)
    .refine((value) => value >= least && value <= most, sentence);
}

/** One of some words. */
export function oneOf<const Word extends string>(words: readonly Word[]) {
  return z.enum(words, because(`must be ${words.slice(0, -1).join(", ")} or ${words.at(-1)}`));
}

/** Words with commas between them. */
export function wordsOf<const Word extends string>(words: readonly Word[]) {
  return z.string().transform((value) => value.split(",").map((word) => word.trim()))
    .pipe(z.array(z.enum(words, { error: `must be one or more of ${words.join(",")}, separated by commas` })));
}

/** Options of many commands. */
export const anAccount = option("ID", id, "an account: see account list");
export const aCoach = option("ID", text, "a coach: see coach list");
export const anOutput = option("FILE", text.optional(), "write to a file that only you can read");

/** The most entries of a list. */
export const atMost = (most: number, usual: number) =>
  option("N", wholeNumber(1, most).default(usual), "how many are shown");
