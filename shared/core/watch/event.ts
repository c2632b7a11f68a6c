/** What somebody watches: a thread, or all that is about a coach. */
export type Watched = {
  accountId: string;
  /** Null: the key acts alone. */
  userId: string | null;
} & ({ threadId: string } | { coachId: string });

/** Something that has happened. */
export type RecordedEvent = {
  id: number;
  /** When, in microseconds since 1970. */
  at: number;
  kind: string;
  /** Ids, never contents. */
  data: Record<string, string>;
};

/** What has happened, for several who watch. */
export type EventsRead = {
  /** From when on to read next time, in microseconds since 1970. It lies in the past: some events are read again. */
  since: number;
  /** For each of them, in the order of time; null where they may not watch any more. */
  events: ((RecordedEvent | null)[] | null)[];
};

/** How watching begins. */
export type BegunWatch = {
  since: number;
  /** Whether events after the one that the reader has seen last may be gone. */
  isLate: boolean;
  /** What has happened lately, or since the event that the reader has seen last. */
  events: (RecordedEvent | null)[];
};
