import { passes, type Trouble } from "./trouble.ts";

const firstPause = 2_000;
const longestPause = 30_000;

/** Retries automatically, after growing pauses. */
export class Recovery {
  #tryAgain: () => void;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #trouble: Trouble | null = null;

  constructor(tryAgain: () => void) {
    this.#tryAgain = tryAgain;
  }

  /** Sets the current trouble; null for none. */
  after(trouble: Trouble | null): void {
    if (trouble === null) this.#failures = 0;
    if (trouble === this.#trouble) return;
    this.stop();
    this.#trouble = trouble;
    if (trouble === null || !passes(trouble)) return;
    const pause = trouble.kind === "limited"
      ? trouble.until - Date.now()
      : Math.min(firstPause * 2 ** this.#failures++, longestPause);
    this.#timer = setTimeout(this.#tryAgain, pause);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
