import type { ReactiveController, ReactiveControllerHost } from "lit";
import { tellDesk } from "../desk.ts";

/** An element that shows what its controllers know. */
export type Host = ReactiveControllerHost & EventTarget;

/** Something that is read from the service, and read anew: what was read last stays until then. */
export class Loading<Value> implements ReactiveController {
  value: Value | null = null;
  error: unknown = null;
  isBusy = false;

  readonly #host: Host;
  readonly #read: (signal: AbortSignal) => Promise<Value>;
  #current: AbortController | null = null;

  constructor(host: Host, read: (signal: AbortSignal) => Promise<Value>) {
    this.#host = host;
    this.#read = read;
    host.addController(this);
  }

  /** Reads it. What an earlier call is still reading is given up. */
  async load(): Promise<void> {
    this.#current?.abort();
    const current = this.#current = new AbortController();
    this.isBusy = true;
    this.#host.requestUpdate();
    try {
      const value = await this.#read(current.signal);
      if (this.#current !== current) return;
      this.value = value;
      this.error = null;
    } catch (error) {
      if (this.#current !== current) return;
      this.error = error;
      tellDesk(this.#host, "failure", error);
    }
    this.isBusy = false;
    this.#host.requestUpdate();
  }

  /** Forgets what was read: something else is asked for. */
  clear(): void {
    this.#current?.abort();
    this.#current = null;
    this.value = null;
    this.error = null;
    this.isBusy = false;
    this.#host.requestUpdate();
  }

  hostConnected(): void {}
  hostDisconnected(): void {
    this.#current?.abort();
    this.#current = null;
    this.isBusy = false;
  }
}
