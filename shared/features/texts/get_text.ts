import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { fileColumns } from "../knowledge/fields.ts";
import { coachId, fileId, WrittenText } from "./fields.ts";

/** A text as it was saved last, even if its file is still being read. 404 for a file of another kind. */
export const operation = defineEndpoint({
  name: "getText",
  method: "GET",
  path: "/knowledge-handler/texts/:fileId",
  scope: "knowledge:read",
  failure: "Failed to read the text",
  errors: () => [errors.coachNotFound(), errors.fileNotFound()],
  input: z.object({ coachId, fileId }),
  output: WrittenText,
  verb: ({ database }, text) => database.callForBytes("get_text", fileColumns(text)),
});
