import type { ReactiveController, ReactiveControllerHost } from "lit";

/** A state that tells those who look at it when it has changed. It knows nothing of elements. */
export abstract class Observable {
  #observers = new Set<() => void>();

  /** Calls back after every change, until the function that it gives is called. */
  observe(callBack: () => void): () => void {
    this.#observers.add(callBack);
    return () => this.#observers.delete(callBack);
  }

  protected changed(): void {
    for (const callBack of [...this.#observers]) callBack();
  }
}

/** Renders an element anew whenever a state has changed, for as long as the element is in a document. */
export class Observer implements ReactiveController {
  #host: ReactiveControllerHost;
  #read: () => Observable | null;
  #observed: Observable | null = null;
  #leave = () => {};

  /** @param read gives the state, which may become another one with the element's properties */
  constructor(host: ReactiveControllerHost, read: () => Observable | null) {
    this.#host = host;
    this.#read = read;
    host.addController(this);
  }

  hostConnected(): void {
    this.#host.requestUpdate();
  }

  hostUpdate(): void {
    const state = this.#read();
    if (state === this.#observed) return;
    this.#leave();
    this.#observed = state;
    this.#leave = state?.observe(() => this.#host.requestUpdate()) ?? (() => {});
  }

  hostDisconnected(): void {
    this.#leave();
    this.#leave = () => {};
    this.#observed = null;
  }
}
