import type { ReactiveController, ReactiveControllerHost } from "lit";

/** Renders an element anew every second for as long as it shows how long something takes yet. */
export class Countdown implements ReactiveController {
  #host: ReactiveControllerHost;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  /** The seconds until a time, at least 0. To be asked while rendering. */
  secondsTo(until: number): number {
    const left = until - Date.now();
    clearTimeout(this.#timer);
    if (left <= 0) return 0;
    this.#timer = setTimeout(() => this.#host.requestUpdate(), left % 1_000 + 1);
    return Math.ceil(left / 1_000);
  }

  hostDisconnected(): void {
    clearTimeout(this.#timer);
  }
}
