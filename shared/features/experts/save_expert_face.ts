import * as z from "zod/mini";
import { defineEndpoint } from "../../http/endpoint.ts";
import { lineField } from "../coaches/coach_fields.ts";
import { expertColumns, ofExperts } from "../mail/fields.ts";
import { coachId, ExpertFace } from "./fields.ts";

/** Gives the signed-in expert a name under which they answer people in person, or takes it away. */
export const operation = defineEndpoint({
  name: "saveExpertFace",
  method: "PUT",
  path: "/coaches/:coachId/experts/me",
  body: "application/json",
  scope: "expert",
  failure: "Failed to save the expert",
  isRepeatable: true,
  errors: ofExperts,
  input: z.object({
    coachId,
    name: z.nullable(lineField("name", 80)).check(z.describe("The name; null: people see that of the persona")),
  }),
  output: ExpertFace,
  verb: (ctx, { coachId, name }) =>
    ctx.database.callForBytes("save_expert_face", {
      ...expertColumns(ctx, coachId),
      pictures_url: ctx.services.picturesUrl,
      changes: { name },
    }),
});
