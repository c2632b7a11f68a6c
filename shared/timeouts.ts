/** Time limits of everything that leaves the process, in milliseconds. */
export const timeouts = {
  database: 10_000,
  limiter: 1_000,
  /** The signing keys that the project publishes. */
  keySet: 5_000,
  storage: 60_000,
  /** The object of a deleted file; the next sweep removes what takes longer. */
  removal: 5_000,
  /** Until the body of an upload has arrived. */
  upload: 140_000,
  /**
   * The work of an isolate of the indexer, its loading included, after which each of its sweeps does one batch and hands
   * over. The platform retires an isolate after 1 s of CPU time and ends it after 2 s. A batch takes 150 ms and one step
   * more, 100 ms as a rule: so the last sweep that goes on freely ends before 1 s on a machine half as fast too.
   */
  indexing: 600,
  /** So long after it was asked for, a sweep begins no further batch, and hands over. */
  sweep: 15_000,
  /**
   * So long after it was asked for, a sweep breaks off what it waits for: files from Storage and models. On the Free plan
   * an isolate may be asked until 75 s after its start and is ended after 150 s, and storing how far it came may take 10.
   */
  sweepCalls: 65_000,
  /** The embedding of a question; without it the search goes by words alone. */
  embedQuery: 2_000,
  /** The embeddings of a batch of passages. */
  embedPassages: 30_000,
  /** The description of an image, or the transcript of a video. */
  media: 60_000,
  /** From the model call to the first text. */
  firstChunk: 60_000,
  /** Between two pieces of text. */
  betweenChunks: 30_000,
  /** `TURN_SECONDS` has another value for it. */
  turn: 140_000,
  /** Between two times that the text so far is stored. */
  flush: 1_000,
  /** Between two looks at an answer that another request writes. */
  poll: 500,
  /** The writer of a stopped answer, to store what was said. */
  stop: 5_000,
  /** The end of a turn is tried to be stored for so long, and whoever follows an answer waits so long for Postgres. */
  save: 30_000,
  /** Fetching one answer that has lost its writer. */
  recovery: 5_000,
  /** All that one read fetches of them. */
  recoveries: 10_000,
  /** Deleting one response of an erased message. */
  responseRemoval: 5_000,
  /** All that one sweep deletes of them. */
  responseRemovals: 20_000,
  /** Reply headers leave at the latest, and a quiet stream sends a comment. */
  quiet: 10_000,
};

export type Timeouts = typeof timeouts;
