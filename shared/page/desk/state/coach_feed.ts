import type { Client } from "../../../client/client.ts";
import type { WatchedEvent } from "../../../client/watch.ts";

/** What happens to a persona, for all panels over one connection: a browser opens only six to a server. */
export class CoachFeed {
  readonly #listeners = new Set<(event: WatchedEvent) => void>();
  readonly #end = new AbortController();

  /** @param onFailure called when the service refuses to go on */
  constructor(client: Client, coachId: string, onFailure: (error: unknown) => void) {
    this.#read(client, coachId).catch((error) => {
      if (!this.#end.signal.aborted) onFailure(error);
    });
  }

  async #read(client: Client, coachId: string): Promise<void> {
    for await (const event of client.watchCoach(coachId, { signal: this.#end.signal })) {
      for (const listener of this.#listeners) listener(event);
    }
  }

  /** Calls back with each event, until the function that it gives is called. */
  watch(listener: (event: WatchedEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
  close(): void {
    this.#end.abort();
    this.#listeners.clear();
  }
}
