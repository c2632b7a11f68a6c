import type { Client } from "../../../client/client.ts";
import type { WatchedEvent } from "../../../client/watch.ts";

/** What happens to a persona, for all panels over one connection: a browser opens only six to a server. */
export class CoachFeed {
  readonly #listeners = new Set<(event: WatchedEvent) => void>();
  readonly #watchCoach: (options: { signal: AbortSignal }) => AsyncIterable<WatchedEvent>;
  readonly #onFailure: (error: unknown) => void;
  #current = new AbortController();

  /** @param onFailure called when the service refuses to go on */
  constructor(client: Client, coachId: string, onFailure: (error: unknown) => void) {
    this.#watchCoach = (options) => client.watchCoach(coachId, options);
    this.#onFailure = onFailure;
    addEventListener("online", this.#begin);
    this.#begin();
  }

  /** Begins anew when the network is back, instead of after the pause that has grown meanwhile. */
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

  /** Calls back with each event, until the function that it gives is called. */
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
