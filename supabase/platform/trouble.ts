import { errorMessage } from "../commands/command_error.ts";
import { warn } from "./terminal.ts";

/** Reports at the terminal that something fails, and that it works again: each once, however often it is tried. */
export type Trouble = {
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
