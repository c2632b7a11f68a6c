import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { callRepeatable } from "../../infra/db/account_database.ts";
import { wholeNumber } from "../../core/wire/fields.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { fileColumns } from "../knowledge/fields.ts";
import { coachId, fileId, maxBytes, written, WrittenText } from "./fields.ts";
import { sendText } from "./send_text.ts";

/** Saves a text. What it said before answers until the new text has been read. 404 for a file of another kind. */
export const operation = defineEndpoint({
  name: "saveText",
  method: "PUT",
  path: "/knowledge-handler/texts/:fileId",
  query: ["coachId"],
  body: "application/json",
  maxBytes,
  scope: "knowledge:write",
  failure: "Failed to save the text",
  // What is saved already is not saved again.
  isRepeatable: true,
  errors: () => [
    errors.coachNotFound(),
    errors.notTheCoach(),
    errors.fileNotFound(),
    errors.textChanged(),
    errors.fileExists(),
    errors.tooManyUploads(),
  ],
  input: z.object({
    coachId,
    fileId,
    ...written,
    if_version: z.optional(
      wholeNumber("if_version", { least: 1, error: "if_version must be a whole number from 1" }),
    ).check(
      z.describe("The version that was changed: 409 if somebody else has saved another since"),
    ),
  }),
  output: WrittenText,
  verb: (ctx, { if_version = null, ...text }) =>
    sendText(ctx, text, (sent) => {
      const columns = { ...sent, ...fileColumns(text), if_version };
      return callRepeatable(ctx.database, "save_text", columns, z.nullable(WrittenText));
    }),
});
