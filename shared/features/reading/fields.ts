import { errors } from "../../infra/errors.ts";
import { requiredCoachId, requiredId } from "../../core/wire/fields.ts";

/** The scope `chat` is enough if the sources of the coach are open, which only Postgres knows. */
export const scope = ["knowledge:read", "chat"] as const;

export const coachId = requiredCoachId("The coach that the file belongs to");
export const fileId = requiredId("fileId", "The file: `file_id` in the sources of an answer, `fileId` in a search");

/** The errors of every operation that reads a file. */
export const ofReaders = () => [errors.coachNotFound(), errors.fileNotFound()];

/** A file, as a client names it. */
export type NamedFile = { coachId: string; fileId: string };
