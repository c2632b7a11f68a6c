import type { z } from "zod";
import type { Project } from "./open_project.ts";

/** What a command has to work with. */
export type CommandContext = {
  /** Opens the project. A command that changes something says then which one it is. */
  project: () => Project;
  /** The folder that files are named from. */
  folder: string;
  now: () => Date;
  /** Says something beside the result. */
  note: (text: string) => void;
  /** Asks whoever runs it; null when nobody can be asked. */
  confirm: ((question: string) => boolean | Promise<boolean>) | null;
};

/** A result, for machines and for people. */
export type Outcome = { json: unknown; text: string };

/** A command of `npm run admin`. */
export type Command<Shape extends z.ZodRawShape = z.ZodRawShape> = {
  /** Names of what stands behind the command's words, in this order. */
  positionals: (keyof Shape & string)[];
  /** Options without a value. */
  flags?: (keyof Shape & string)[];
  /** Positionals and options, each as it is written; what is said of a bad one goes on from its name. */
  input: z.ZodObject<Shape>;
  isChange: boolean;
  /** How long a request may take, in milliseconds. */
  timeLimit?: number;
  run: (input: z.output<z.ZodObject<Shape>>, context: CommandContext) => Promise<Outcome>;
};

/** Gives a command the types of its own input. */
export function defineCommand<Shape extends z.ZodRawShape>(command: Command<Shape>): Command {
  return command as unknown as Command;
}
