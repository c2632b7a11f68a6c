/** The subject of a watch: a thread, or everything about a coach. */
export type Watched = {
  accountId: string;
  /** The key that was shown. Once it is revoked or expired, the watch ends. */
  keyId: string;
  /** Null: the key acts alone. */
  userId: string | null;
} & ({ threadId: string } | { coachId: string });

/** Something that has happened. */
export type RecordedEvent = {
  id: number;
  /** The time, in microseconds since 1970. */
  at: number;
  kind: string;
  /** Ids, never contents. */
  data: Record<string, string>;
};

/** New events, for several watchers. */
export type EventsRead = {
  /** From when on to read next time, in microseconds since 1970. It lies in the past: some events are read again. */
  since: number;
  /** For each of them, in the order of time; null where they may not watch any more. */
  events: ((RecordedEvent | null)[] | null)[];
};

/** The beginning of a watch. */
export type BegunWatch = {
  since: number;
  /** True if events after the one that the reader has seen last may be gone. */
  isLate: boolean;
  /** The latest events, or those since the one that the reader has seen last. */
  events: (RecordedEvent | null)[];
  /** Of a thread: what a reader compares with what it has read before. */
  state?: Record<string, string>;
};

/** A reader of events. */
export type Follower = {
  watched: Watched;
  /** From when on events are to be read next time, in microseconds since 1970. */
  since: number;
  /** Is given what has happened since then, also what it was given before; null stands for events that were left out. */
  receive(events: (RecordedEvent | null)[], since: number): void;
  /** The stream ends: what was watched is gone, or not the caller's any more. With an error: Postgres has failed. */
  end(error?: unknown): void;
};

/** Reads what happens, for all streams of this process. */
export interface EventReader {
  /** Begins to follow, and returns what ends that. */
  follow(follower: Follower): () => void;
  /** Returns whether one more stream may follow for the same caller: a signed-in user, or the servers of an account. */
  hasRoom(watched: Watched): boolean;
}

/**
 * The most streams in this process: of a user, for whom more than one in each window of a browser is a mistake, or an
 * attack; and of an account's servers, which may pass on those of many people.
 */
const mostStreams = { ofUser: 20, ofServers: 100 };

/** The source of a reader. @throws {DatabaseError} */
export type ReadEvents = (watched: Watched[], since: number) => Promise<EventsRead>;

/** A reader that asks every `interval` ms, once for all followers, and gives up after failing for `patience` ms. */
export function createEventReader(
  readEvents: ReadEvents,
  { interval, patience }: { interval: number; patience: number },
): EventReader {
  const followers = new Set<Follower>();
  let isReading = false;
  let readAt = 0;

  async function read(): Promise<void> {
    const asking = [...followers];
    const since = asking.reduce((earliest, follower) => Math.min(earliest, follower.since), Infinity);
    try {
      const { since: next, events } = await readEvents(asking.map(({ watched }) => watched), since);
      readAt = performance.now();
      for (const [index, follower] of asking.entries()) {
        if (!followers.has(follower)) continue;
        const found = events[index];
        if (!found) follower.end();
        else follower.receive(found.filter((event) => event === null || event.at > follower.since), next);
        follower.since = next;
      }
    } catch (error) {
      if (performance.now() - readAt > patience) { for (const follower of asking) follower.end(error); }
    }
  }

  async function readOn(): Promise<void> {
    if (followers.size > 0) await read();
    isReading = followers.size > 0;
    if (isReading) setTimeout(readOn, interval);
  }

  return {
    follow(follower) {
      followers.add(follower);
      if (!isReading) {
        isReading = true;
        readAt = performance.now();
        setTimeout(readOn, interval);
      }
      return () => void followers.delete(follower);
    },
    hasRoom({ accountId, userId }) {
      const theirs = [...followers].filter(({ watched }) =>
        watched.accountId === accountId && watched.userId === userId
      );
      return theirs.length < (userId === null ? mostStreams.ofServers : mostStreams.ofUser);
    },
  };
}
