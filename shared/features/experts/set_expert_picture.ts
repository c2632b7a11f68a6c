import * as z from "zod/mini";
import { defineEndpoint } from "../../http/endpoint.ts";
import { expertColumns, ofExperts } from "../mail/fields.ts";
import { coachId, ExpertFace } from "./fields.ts";
import { ofPictures, picture, pictureBody, storePicture } from "./picture_body.ts";

/** Stores a picture without its metadata, and makes it that of the signed-in expert. */
export const operation = defineEndpoint({
  name: "setExpertPicture",
  method: "PUT",
  path: "/coaches/:coachId/experts/me/picture",
  ...pictureBody,
  scope: "expert",
  failure: "Failed to store the picture",
  errors: () => [...ofExperts(), ...ofPictures()],
  input: z.object({ coachId, picture }),
  output: ExpertFace,
  async verb(ctx, { coachId, picture }) {
    const expert = expertColumns(ctx, coachId);
    const changes = await storePicture(ctx, { ...expert, is_own: true }, picture);
    const { database, services: { picturesUrl } } = ctx;
    return await database.callForBytes("save_expert_face", { ...expert, pictures_url: picturesUrl, changes });
  },
});
