import type { Client } from "../../../client/client.ts";
import type { WatchedEvent } from "../../../client/watch.ts";

/** The events of a persona, over one connection for all panels, because a browser opens only six to a server. */
export class CoachFeed {
  readonly #listeners = new Set<(event: WatchedEvent) => void>();
  readonly #watchCoach: (options: { signal: AbortSignal }) => AsyncIterable<WatchedEvent>;
  readonly #onFailure: (error: unknown) => void;
  #current = new AbortController();

  /** @param onFailure called with the error that ends the connection for good */
  constructor(client: Client, coachId: string, onFailure: (error: unknown) => void) {
    this.#watchCoach = (options) => client.watchCoach(coachId, options);
    this.#onFailure = onFailure;
    addEventListener("online", this.#begin);
    this.#begin();
  }

  /** Connects. When the network is back, that happens immediately instead of after a long pause. */
  #begin = async (): Promise<void> => {
    this.#current.abort();
    const { signal } = this.#current = new AbortController();
    try {
      for await (const event of this.#watchCoach({ signal })) {
        for (const listener of this.#listeners) listener(event);
      }
    } catch (error) {
      if (!signal.aborted) this.#onFailure(error);
    }
  };

  /** Calls back with each event, until the returned function is called. */
  watch(listener: (event: WatchedEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
  close(): void {
    removeEventListener("online", this.#begin);
    this.#current.abort();
    this.#listeners.clear();
  }
}
