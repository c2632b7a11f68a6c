import type { z } from "zod";
import type { Project } from "./open_project.ts";

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

/** A command of `npm run admin`. */
export type Command<Shape extends z.ZodRawShape = z.ZodRawShape> = {
  /** Names of the arguments after the command's words, in this order. */
  positionals: (keyof Shape & string)[];
  /** Options without a value. */
  flags?: (keyof Shape & string)[];
  /** Options that may be given more than once: as if they were one, with commas between. */
  lists?: (keyof Shape & string)[];
  /** Options that may be repeated: the input gets all of their values. */
  repeated?: (keyof Shape & string)[];
  /** Arguments and options by name. A message about one continues its name: "--name" + " is missing". */
  input: z.ZodObject<Shape>;
  /** The option or argument as typed, by the name that it has in the refusals of Postgres. */
  typed?: Record<string, string>;
  isChange: boolean;
  /** The time limit of a request, in milliseconds. */
  timeLimit?: number;
  run: (input: z.output<z.ZodObject<Shape>>, context: CommandContext) => Promise<CommandResult>;
};

/** Gives a command the types of its own input. */
export function defineCommand<Shape extends z.ZodRawShape>(command: Command<Shape>): Command {
  return command as unknown as Command;
}
