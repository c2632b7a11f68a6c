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
