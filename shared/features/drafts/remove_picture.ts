import * as z from "zod/mini";
import { coachColumns } from "../../core/wire/ids.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { coachId, ofRoles } from "../experts/fields.ts";
import { PersonaDraft } from "./fields.ts";

/** Takes the picture out of the draft. For owners and editors. */
export const operation = defineEndpoint({
  name: "removePicture",
  method: "DELETE",
  path: "/coaches/:coachId/picture",
  scope: "expert",
  failure: "Failed to remove the picture",
  isRepeatable: true,
  errors: ofRoles,
  input: z.object({ coachId }),
  output: PersonaDraft,
  verb: ({ database, userId, services: { picturesUrl } }, { coachId }) =>
    database.callForBytes("set_picture", { ...coachColumns({ coachId, userId }), pictures_url: picturesUrl }),
});
