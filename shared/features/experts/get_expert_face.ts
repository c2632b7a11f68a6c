import * as z from "zod/mini";
import { defineEndpoint } from "../../http/endpoint.ts";
import { expertColumns, ofExperts } from "../mail/fields.ts";
import { coachId, ExpertFace } from "./fields.ts";

/** The name and picture under which the signed-in expert answers people. */
export const operation = defineEndpoint({
  name: "getExpertFace",
  method: "GET",
  path: "/coaches/:coachId/experts/me",
  scope: "expert",
  failure: "Failed to fetch the expert",
  errors: ofExperts,
  input: z.object({ coachId }),
  output: ExpertFace,
  verb: (ctx, { coachId }) =>
    ctx.database.callForBytes("save_expert_face", {
      ...expertColumns(ctx, coachId),
      pictures_url: ctx.services.picturesUrl,
    }),
});
