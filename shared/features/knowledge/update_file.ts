import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { isStorableText, stripInvisible } from "../../libs/base/text.ts";
import { requiredId } from "../../core/wire/fields.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { coachId, fileColumns, StoredFile } from "./fields.ts";
import { typeOfName } from "./file_types.ts";

const nameError = "filename must be 1 to 500 characters without line breaks";

const Filename = z.string(nameError).check(
  z.overwrite((name) => stripInvisible(name).trim()),
  z.refine(
    (name) => name !== "" && [...name].length <= 500 && !/\p{Cc}/u.test(name) && isStorableText(name),
    nameError,
  ),
);

function day(name: "valid_from" | "valid_until", description: string) {
  const error = `${name} must be a day, such as 2026-12-31, or null`;
  // Postgres has no year 0.
  return z.optional(z.nullable(z.iso.date(error).check(z.refine((day) => day >= "0001", error)))).check(
    z.describe(description),
  );
}

/** Renames a file, or says from when and until when answers may draw on it. */
export const operation = defineEndpoint({
  name: "updateFile",
  method: "PATCH",
  path: "/knowledge-handler/:fileId",
  query: ["coachId"],
  body: "application/json",
  scope: "knowledge:write",
  failure: "Failed to change file",
  isRepeatable: true,
  errors: () => [
    errors.coachNotFound(),
    errors.notTheCoach(),
    errors.fileNotFound(),
    errors.fileIsPage(),
    errors.fileExists(),
  ],
  input: z.object({
    coachId,
    fileId: requiredId("fileId", "The file to change"),
    filename: z.optional(Filename).check(z.describe("Its new name, with the extension of its type")),
    valid_from: day("valid_from", "The first day (UTC) on which answers may draw on it; null: from the beginning"),
    valid_until: day("valid_until", "The last such day, inclusive; null: there is no end"),
  }).check(
    z.refine(
      ({ filename, valid_from, valid_until }) =>
        [filename, valid_from, valid_until].some((value) => value !== undefined),
      "One of filename, valid_from and valid_until is required",
    ),
  ),
  output: StoredFile,
  verb: ({ database, userId }, { coachId, fileId, ...change }) =>
    database.callForBytes("update_file", {
      ...fileColumns({ coachId, fileId }),
      user_id: userId,
      change: JSON.parse(JSON.stringify(change)),
      content_type: typeOfName(change.filename ?? "")?.contentType ?? "",
    }),
});
