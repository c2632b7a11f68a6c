import * as z from "zod/mini";
import { coachColumns } from "../../core/wire/ids.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { coachId, ofExperts } from "../experts/fields.ts";
import { PersonaDraft } from "./fields.ts";

/** A persona as it would be if its draft were published. For its experts. */
export const operation = defineEndpoint({
  name: "getDraft",
  method: "GET",
  path: "/coaches/:coachId/draft",
  scope: "expert",
  failure: "Failed to fetch the draft",
  errors: ofExperts,
  input: z.object({ coachId }),
  output: PersonaDraft,
  verb: ({ database, userId, services: { picturesUrl } }, { coachId }) =>
    database.callForBytes("get_draft", { ...coachColumns({ coachId, userId }), pictures_url: picturesUrl }),
});
