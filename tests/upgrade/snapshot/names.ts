import { z } from "zod";

/** The names by which the upgrade test finds some rows of a snapshot. The keys are of no other database. */
export const Names = z.object({
  accountId: z.string(),
  coachId: z.string(),
  modelName: z.string(),
  apiKey: z.string(),
  publishableKey: z.string(),
  ownerId: z.string(),
  userId: z.string(),
  fileId: z.string(),
  /** A conversation with the model, and one that the expert has taken over. */
  threadId: z.string(),
  takenThreadId: z.string(),
});
export type Names = z.output<typeof Names>;
