import * as z from "zod/mini";
import { defineEndpoint } from "../../http/endpoint.ts";
import { expertColumns, ofExperts } from "../mail/fields.ts";
import { coachId, ExpertFace } from "./fields.ts";

/** Takes the picture of the signed-in expert away. */
export const operation = defineEndpoint({
  name: "removeExpertPicture",
  method: "DELETE",
  path: "/coaches/:coachId/experts/me/picture",
  scope: "expert",
  failure: "Failed to remove the picture",
  isRepeatable: true,
  errors: ofExperts,
  input: z.object({ coachId }),
  output: ExpertFace,
  verb: (ctx, { coachId }) =>
    ctx.database.callForBytes("save_expert_face", {
      ...expertColumns(ctx, coachId),
      pictures_url: ctx.services.picturesUrl,
      changes: { digest: null },
    }),
});
