import * as z from "zod/mini";

/** A file that this worker has claimed. */
export const ClaimedFile = z.object({
  id: z.string(),
  claim: z.string(),
  coach_id: z.string(),
  name: z.string(),
  category: z.enum(["documents", "images", "videos"]),
  content_type: z.string(),
  storage_path: z.string(),
  /** Of its upload. */
  request_id: z.nullable(z.string()),
  attempt: z.number(),
  bookmark: z.unknown(),
  position: z.number(),
});
export type ClaimedFile = z.infer<typeof ClaimedFile>;

/** Reply of the SQL function `take_indexing_work`. */
export const IndexingWork = z.object({
  /** Paths of objects that no file owns. */
  removals: z.array(z.string()),
  /** Ids of responses whose messages are gone. */
  responses: z.array(z.string()),
  has_more_responses: z.boolean(),
  file: z.nullable(ClaimedFile),
});

/** Reply of the SQL functions `save_indexing` and `postpone_indexing`. */
export const SavedIndexing = z.object({ is_claimed: z.boolean(), file: z.nullable(ClaimedFile) });
