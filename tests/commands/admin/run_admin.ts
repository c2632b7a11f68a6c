import { admin } from "../../../supabase/commands/admin/admin.ts";
import { assert } from "../../support/assert.ts";
import { secretKey } from "../../support/project.ts";
import { projectVariable } from "../../support/service.ts";

/** The outcome of `npm run admin`: its output and its questions. */
export type Run = {
  code: number;
  /** Stdout. */
  said: string;
  /** Stderr. */
  noted: string;
  questions: string[];
  // deno-lint-ignore no-explicit-any
  json: () => any;
};

export type RunOptions = {
  /** Replaces the address and the key of the test run's project. */
  env?: Record<string, string | undefined>;
  /** Null means that there is no terminal. */
  answer?: boolean | null;
  folder?: string;
  now?: Date;
  /** True to make writes to stdout fail. */
  isFull?: boolean;
  /** True for a terminal as stdout. */
  isTerminal?: boolean;
  /** Aborted for Ctrl-C. */
  signal?: AbortSignal;
};

/** The form of an API key. */
export const keyPattern = /hi_live_[0-9A-Za-z]{38}/;

/** Runs a command, and checks that it prints no secret key at all and no API key on stderr. */
export async function runAdmin(
  args: string[],
  {
    env = {},
    answer = null,
    folder = "/",
    now = new Date(),
    isFull = false,
    isTerminal = false,
    signal = new AbortController().signal,
  }: RunOptions = {},
): Promise<Run> {
  const said: string[] = [];
  const noted: string[] = [];
  const questions: string[] = [];
  const code = await admin(args, {
    env: { BASE_URL: projectVariable("SUPABASE_URL"), SECRET_KEY: secretKey, ...env },
    folder,
    now: () => now,
    say(text) {
      if (isFull) throw new Error("No space left on device");
      said.push(text);
    },
    isTerminal,
    catchInterrupt: () => ({ signal, [Symbol.dispose]() {} }),
    complain: (text) => noted.push(text),
    confirm: answer === null ? null : (question) => questions.push(question) > 0 && answer,
  });
  const run = { code, said: said.join("\n"), noted: noted.join("\n"), questions };
  assert(!(run.said + run.noted + questions).includes(secretKey), `The secret key is in:\n${run.said}\n${run.noted}`);
  assert(!keyPattern.test(run.noted), `A key is in:\n${run.noted}`);
  return { ...run, json: () => JSON.parse(run.said) };
}
