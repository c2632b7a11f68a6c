/** Time limits of everything that leaves the process, in milliseconds. */
export const timeouts = {
  database: 10_000,
  /** The time that `GET /docs/health` waits for Postgres. */
  health: 5_000,
  /** The time for which it repeats what it has found. */
  healthKept: 10_000,
  /** All parts of a sheet of pinned answers, and the turns that it waits for. */
  import: 100_000,
  /** The time for which a sheet of pinned answers waits until it may begin. Both together are less than 150 s. */
  sheetTurn: 40_000,
  limiter: 1_000,
  /** The signing keys that the project publishes. */
  keySet: 5_000,
  /** A request to Storage; where a file is stored while it arrives, until Storage takes the next piece, or replies. */
  storage: 60_000,
  /** Removing the object of a deleted file. Where it takes longer, the next sweep removes it. */
  removal: 5_000,
  /** A body that takes longer is only waited for when its request is admitted. */
  body: 1_000,
  /** From the first to the last byte of an upload. */
  upload: 140_000,
  /** The waiting for an upload in which a least number of bytes arrives. */
  slowUpload: 20_000,
  /**
   * The time that an isolate of the indexer may work, its loading included. After that each of its sweeps does one batch and
   * hands over. The platform retires an isolate after 1 s of CPU time and ends it after 2 s. A batch takes 150 ms and one
   * step more, usually 100 ms: the last sweep before the limit ends before 1 s, even on a machine half as fast.
   */
  indexing: 600,
  /** From the request for a sweep: after this time it begins no further batch, and hands over. */
  sweep: 15_000,
  /**
   * From the request for a sweep: after this time it stops waiting for Storage and models. On the Free plan an isolate
   * gets requests until 75 s after its start and is ended after 150 s, and storing the progress may take 10 s.
   */
  sweepCalls: 65_000,
  /** The time that an isolate of the fetcher may work: as `indexing`, where a page takes about as long as a batch. */
  fetching: 600,
  /** Fetching one page, robots.txt or sitemap. */
  fetch: 30_000,
  /** From the request for a sweep: after this time the fetcher begins no further page, and hands over. */
  fetchSweep: 30_000,
  /** Sending a mail. Claims run out after three minutes. */
  mail: 45_000,
  /** From the request for a sweep: after this time the mailer claims no further mails, and hands over. */
  mailSweep: 20_000,
  /** The time that an isolate of the mailer may work: as `indexing`. */
  mailing: 600,
  /** The embedding of a question; without it the search uses words alone. */
  embedQuery: 2_000,
  /** The embeddings of a batch of passages. */
  embedPassages: 30_000,
  /** The embedding of an open question; without it, words alone find what is near. */
  embedQuestion: 10_000,
  /** A model that puts an open question into words, or compares two. */
  question: 20_000,
  /** Between two renewals of the claims on tests. Claims run out after 30 s. */
  testClaims: 2_000,
  /** The description of an image, or the transcript of a video. */
  media: 60_000,
  /** From the model call to the first text. */
  firstChunk: 60_000,
  /** Between two pieces of text. */
  betweenChunks: 30_000,
  /** A whole turn. The environment variable `TURN_SECONDS` replaces it. */
  turn: 140_000,
  /** Between two saves of the text so far. */
  flush: 1_000,
  /** Between two reads of an answer that another request writes. */
  poll: 500,
  /** Between two reads of what has happened, for those who watch. */
  watch: 1_000,
  /** From when a client of the function `openai` has left until its answer is stopped: it may ask again. */
  leave: 10_000,
  /** The time that a stop waits for the run to store its text. */
  stop: 5_000,
  /** The time for which storing the end of a turn is retried, and a reader of an answer waits for Postgres. */
  save: 30_000,
  /** Fetching one abandoned answer from the model's backend. */
  recovery: 5_000,
  /** Fetching all abandoned answers of one read. */
  recoveries: 10_000,
  /** Deleting one response of an erased message. */
  responseRemoval: 5_000,
  /** Deleting all such responses of one sweep. */
  responseRemovals: 20_000,
  /** Sending a message to a webhook. Claims run out after a minute. */
  webhook: 10_000,
  /** The list of the models that a server has. */
  modelList: 10_000,
  /** The spans that end within this time of the first one are sent together. */
  gather: 1_000,
  /** Sending spans to the collector. */
  traces: 5_000,
  /** The headers of a reply leave after this time at the latest; so long without text, a stream sends a comment. */
  quiet: 10_000,
};

export type Timeouts = typeof timeouts;
