import { createProgressLine } from "./progress_line.ts";
import { errorMessage } from "../commands/command_error.ts";

const encoder = new TextEncoder();

/** The line that says what is being done. Whatever else is printed ends it. */
export const progressLine = createProgressLine({
  write: (text) => tryTo(() => Deno.stdout.writeSync(encoder.encode(text))),
  columns() {
    if (!Deno.stdout.isTerminal()) return null;
    // A terminal may not know its size.
    return tryTo(() => Deno.consoleSize().columns) || 80;
  },
});

/** Prints a line at the terminal. Where that cannot be done, as in a file on a full disk, only the line is lost. */
export function say(line: string): void {
  print(console.log, line);
}

/** The same on standard error. */
export function warn(line: string): void {
  print(console.error, line);
}

function print(write: (line: string) => void, line: string): void {
  progressLine.end();
  tryTo(() => write(line));
}

/** Does what may fail where there is no other place to say so. */
function tryTo<Result>(act: () => Result): Result | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

/** Reports at the terminal that something fails, and that it works again: each once, however often it is tried. */
type Trouble = {
  /** @param what the failing thing if there are several, such as a file */
  failed(what: string, error: unknown): void;
  worked(what: string): void;
};

/** @param task the task that fails, as in "Cannot write the logs" */
export function watchTrouble(task: string): Trouble {
  const failing = new Set<string>();
  return {
    failed(what, error) {
      if (failing.size === 0) warn(`Cannot ${task}: ${errorMessage(error)}. The service continues without it.`);
      failing.add(what);
    },
    worked(what) {
      if (failing.delete(what) && failing.size === 0) warn(`Can ${task} again.`);
    },
  };
}

/** The times that the steps of a command take. */
type Stopwatch = {
  /** Ends the step before, and begins another. */
  begin(step: string): void;
  /** Ends the last step, and describes the whole time and the steps that took a second or more, the longest first. */
  describe(): string;
};

/** Starts a stopwatch. */
export function createStopwatch(now: () => number = () => performance.now()): Stopwatch {
  const start = now();
  const steps = new Map<string, number>();
  let current: { step: string; began: number } | null = null;
  const end = () => {
    if (current === null) return;
    steps.set(current.step, (steps.get(current.step) ?? 0) + now() - current.began);
  };
  const inSeconds = (milliseconds: number) => `${Math.round(milliseconds / 1_000)} s`;
  return {
    begin(step) {
      end();
      current = { step, began: now() };
    },
    describe() {
      end();
      current = null;
      const long = [...steps].filter(([, time]) => time >= 1_000).toSorted(([, one], [, other]) => other - one);
      const parts = long.map(([step, time]) => `${step} ${inSeconds(time)}`).join(", ");
      return inSeconds(now() - start) + (parts && ` (${parts})`);
    },
  };
}
