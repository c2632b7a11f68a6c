import type { Client } from "../../client/client.ts";
import type { WatchedEvent } from "../../client/watch.ts";
import type { LiveAnswer, StoredMessage } from "./messages.ts";

/** The parameters of a watch. */
export type ThreadWatchOptions = {
  client: Client;
  threadId: string;
  onEvent: (event: WatchedEvent) => void;
  /** Called with the error that ends the watch, for example that the thread is gone. */
  onEnd: (error: unknown) => void;
};

/** Receives the events of a thread while somebody looks at it. */
export class ThreadWatch {
  #options: ThreadWatchOptions;
  #open: AbortController | null = null;

  constructor(options: ThreadWatchOptions) {
    this.#options = options;
  }

  /** Begins or ends the watch. */
  set(isWatching: boolean): void {
    if (isWatching === (this.#open !== null)) return;
    this.#open?.abort();
    this.#open = isWatching ? new AbortController() : null;
    if (this.#open) void this.#watch(this.#open.signal);
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const { client, threadId, onEvent, onEnd } = this.#options;
    try {
      let isFirst = true;
      for await (const event of client.watchThread(threadId, { signal })) {
        // A stream that goes on after a break begins like the first one, but has everything in between.
        if (isFirst || event.kind !== "watching") onEvent(event);
        isFirst = false;
      }
    } catch (error) {
      if (signal.aborted) return;
      this.#open = null;
      onEnd(error);
    }
  }
}

/** Returns true if an event reports a change that the known messages do not show. */
export function isNews(
  { kind, message_id: id = "" }: WatchedEvent,
  stored: StoredMessage[],
  live: ReadonlyMap<string, LiveAnswer>,
): boolean {
  const known = stored.find((message) => message.id === id);
  // An answer that is read here is read to its end. One that waits for the expert has ended here, and may begin again.
  const isRead = (live.get(id)?.kind ?? "ended") !== "ended";
  switch (kind) {
    case "message.begun":
      return !isRead;
    case "takeover.begun":
    case "takeover.released":
    case "takeover.expired":
      return true;
    case "request.opened":
      return known?.request?.status !== "waiting" && known?.request?.status !== "seen";
    case "request.seen":
    case "request.answered":
    case "request.withdrawn":
      return known?.request?.status !== kind.slice("request.".length);
    case "message.completed":
      return known?.status !== "complete" && !isRead;
    case "feedback.up":
      return known?.feedback?.rating !== "up";
    case "feedback.down":
      return known?.feedback?.rating !== "down";
    case "feedback.removed":
      return Boolean(known?.feedback);
    default:
      return false;
  }
}

/** The time in which events count as one, in milliseconds. */
const pause = 100;

/** Reads something again whenever that is asked for, never twice at the same time. */
export interface Refresh {
  /** Reads now. A reading that is under way is followed by another one. */
  now(): Promise<void>;
  /** Reads once for all calls within a moment. */
  soon(): void;
}

export function createRefresh(read: () => Promise<void>): Refresh {
  let isDue = false;
  let running: Promise<void> | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function run(): Promise<void> {
    while (isDue) {
      isDue = false;
      await read();
    }
    running = null;
  }
  function now(): Promise<void> {
    isDue = true;
    return running ??= run();
  }
  function soon(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      void now();
    }, pause);
  }
  return { now, soon };
}
