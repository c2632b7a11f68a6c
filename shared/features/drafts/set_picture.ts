import * as z from "zod/mini";
import { coachColumns } from "../../core/wire/ids.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { coachId, ofRoles } from "../experts/fields.ts";
import { ofPictures, picture, pictureBody, storePicture } from "../experts/picture_body.ts";
import { PersonaDraft } from "./fields.ts";

/** Stores a picture without its metadata, and makes it that of the draft. For owners and editors. */
export const operation = defineEndpoint({
  name: "setPicture",
  method: "PUT",
  path: "/coaches/:coachId/picture",
  ...pictureBody,
  scope: "expert",
  failure: "Failed to store the picture",
  errors: () => [...ofRoles(), ...ofPictures()],
  input: z.object({ coachId, picture }),
  output: PersonaDraft,
  async verb(ctx, { coachId, picture }) {
    const coach = coachColumns({ coachId, userId: ctx.userId });
    const stored = await storePicture(ctx, coach, picture);
    const { database, services: { picturesUrl } } = ctx;
    return await database.callForBytes("set_picture", { ...coach, ...stored, pictures_url: picturesUrl });
  },
});
