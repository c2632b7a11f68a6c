import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { Count, requiredId, Timestamp, Uuid } from "../../core/wire/fields.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { ofExperts } from "../experts/fields.ts";
import { coachId, fileColumns } from "./fields.ts";

export const FileQuotes = z.object({
  count: Count.check(z.describe("The number of answers of the last 30 days that draw on the file")),
  data: z.array(z.object({
    thread_id: Uuid,
    message_id: Uuid.check(z.describe("The answer")),
    quoted_at: Timestamp,
    quote: z.nullable(z.string()),
    question: z.nullable(z.string()).check(z.describe("The beginning of what was asked")),
  })).check(z.describe("The newest 20 of these answers")),
  questions: z.array(z.object({ id: Uuid, question: z.string(), times: Count })).check(
    z.describe("Open questions that the file could answer, judged by the words they share; at most ten"),
  ),
});

/** Lists, for the expert, answers that draw on a file, and open questions that it could answer. */
export const operation = defineEndpoint({
  name: "listFileQuotes",
  method: "GET",
  path: "/knowledge-handler/:fileId/quotes",
  scope: "expert",
  failure: "Failed to read the quotes of the file",
  errors: () => [...ofExperts(), errors.fileNotFound()],
  input: z.object({ coachId, fileId: requiredId("fileId", "The file: `fileId` in a search") }),
  output: FileQuotes,
  verb: ({ database, userId }, file) =>
    database.callForBytes("list_file_quotes", { ...fileColumns(file), user_id: userId }),
});
