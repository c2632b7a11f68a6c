import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { callRepeatable } from "../../infra/db/account_database.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { coachId, maxBytes, written, WrittenText } from "./fields.ts";
import { sendText } from "./send_text.ts";

/** Adds a text to the knowledge of a coach. The same text again is the one that there is. */
export const operation = defineEndpoint({
  name: "createText",
  method: "POST",
  path: "/knowledge-handler/texts",
  query: ["coachId"],
  body: "application/json",
  maxBytes,
  scope: "knowledge:write",
  failure: "Failed to save the text",
  isRepeatable: true,
  errors: () => [
    errors.coachNotFound(),
    errors.notTheCoach(),
    errors.fileExists(),
    errors.tooManyUploads(),
  ],
  input: z.object({ coachId, ...written }),
  output: WrittenText,
  verb: (ctx, text) =>
    sendText(ctx, text, (sent) => callRepeatable(ctx.database, "create_text", sent, z.nullable(WrittenText))),
});
