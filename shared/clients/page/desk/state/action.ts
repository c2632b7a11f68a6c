import type { ReactiveController } from "lit";
import { tellDesk } from "../desk.ts";
import type { Host } from "./loading.ts";

/** Something that the expert has done, once however often the button is pressed. */
export class Action implements ReactiveController {
  isBusy = false;
  error: unknown = null;

  readonly #host: Host;

  constructor(host: Host) {
    this.#host = host;
    host.addController(this);
  }

  /** Whether it was done; not while an earlier one is under way. */
  async run(act: () => Promise<unknown>): Promise<boolean> {
    if (this.isBusy) return false;
    this.isBusy = true;
    this.error = null;
    this.#host.requestUpdate();
    try {
      await act();
    } catch (error) {
      this.error = error;
      tellDesk(this.#host, "failure", error);
    }
    this.isBusy = false;
    this.#host.requestUpdate();
    return this.error === null;
  }

  hostConnected(): void {}
}
