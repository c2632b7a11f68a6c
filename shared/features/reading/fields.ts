import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { Count, requiredCoachId, requiredId } from "../../core/wire/fields.ts";

/** The scope `chat` is enough if the sources of the coach are open, which only Postgres knows. */
export const scope = ["knowledge:read", "chat"] as const;

export const coachId = requiredCoachId("The coach that the file belongs to");
export const fileId = requiredId("fileId", "The file: `file_id` in the sources of an answer, `fileId` in a search");

export const page = z.nullable(z.int()).check(z.describe("The page it begins on, if the file has pages"));
export const heading = z.nullable(z.string()).check(z.describe("The heading above it, if there is one"));
export const passageId = z.string().check(
  z.describe("The ID of the passage: the same as long as its text is the same"),
);
export const position = Count.check(z.describe("The place of the passage within the file, starting with 0"));

/** The errors of every operation that reads a file. */
export const ofReaders = () => [errors.coachNotFound(), errors.fileNotFound()];

/** A file, as a client names it. */
export type NamedFile = { coachId: string; fileId: string };
