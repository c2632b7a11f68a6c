import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { Count, requiredId, Timestamp } from "../../core/wire/fields.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { coachId, fileColumns, heading, page, passageId, position } from "./fields.ts";

const ChangedPassage = z.object({ passage_id: passageId, position, page, heading, content: z.string() });

/** The passages that a file gained, lost and kept when it was replaced. */
export const FileChange = z.object({
  version: z.int().check(z.describe("The version that the file became")),
  changed_at: Timestamp.check(z.describe("The time from which on this version answers")),
  counts: z.object({ came: Count, went: Count, stayed: Count }).check(z.describe("The numbers of passages")),
  came: z.array(ChangedPassage).check(z.describe("Passages that the version before did not have; at most 200")),
  went: z.array(ChangedPassage).check(z.describe("Passages that only the version before had; at most 200")),
  stayed: z.array(passageId).check(z.describe("The IDs of passages that both have; at most 1,000")),
});

export const FileChangeList = z.object({
  data: z.array(FileChange).check(z.describe("Of each version of the last 30 days, newest first")),
  count: Count,
});

/** Lists the changes of a file that was replaced within the last 30 days. */
export const operation = defineEndpoint({
  name: "listFileChanges",
  method: "GET",
  path: "/knowledge-handler/:fileId/changes",
  scope: "knowledge:read",
  failure: "Failed to read changes",
  errors: () => [errors.coachNotFound(), errors.notTheCoach(), errors.fileNotFound()],
  input: z.object({ coachId, fileId: requiredId("fileId", "The file: `fileId` in a search") }),
  output: FileChangeList,
  verb: ({ database }, file) => database.callForBytes("list_file_changes", fileColumns(file)),
});
